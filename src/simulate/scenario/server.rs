//! `[server]`: what the server is set to, under the keys of `ankus.toml`.

use std::sync::Arc;

use toml::de::DeValue;

use super::table::Table;
use crate::diag::closest;
use crate::engine::server::{Server, Value};

pub(super) fn read(root: &mut Table<'_>) -> Vec<(Arc<str>, Value)> {
    let Some(table) = root.table("server") else { return Vec::new() };
    let (mut found, mut tried) = (Vec::new(), Server::default());
    for (key, value, range) in table.entries() {
        if !Server::KEYS.contains(&key.value.as_str()) {
            let near = closest(&key.value, Server::KEYS);
            let hint = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
            table.faults.add(format!("`[server]` has no key `{}`{hint}", key.value), &key.range);
            continue;
        }
        if Server::AT_SUBMISSION.contains(&key.value.as_str()) {
            let words = "decides what is submitted, before a scenario is read; set it in ankus.toml";
            table.faults.add(format!("`{}` {words}", key.value), &key.range);
            continue;
        }
        let of = match value {
            DeValue::Boolean(flag) => Value::Flag(*flag),
            DeValue::Integer(number) => {
                let number = i64::from_str_radix(number.as_str(), number.radix());
                number.map_or(Value::Other, Value::Number)
            }
            _ => Value::Other,
        };
        match tried.set(&key.value, of) {
            Ok(()) => found.push((key.value.into(), of)),
            Err(message) => table.faults.add(message, &range),
        }
    }
    found
}
