//! `[server]`: what the server is set to, under the keys of `ankus.toml`.

use std::sync::Arc;

use toml::de::{DeTable, DeValue};

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
        let of = value_of(value);
        match tried.set(&key.value, of) {
            Ok(()) => found.push((key.value.into(), of)),
            Err(message) => table.faults.add(message, &range),
        }
    }
    found
}

fn value_of(value: &DeValue<'_>) -> Value {
    match value {
        DeValue::Boolean(flag) => Value::Flag(*flag),
        DeValue::Integer(number) => {
            let number = i64::from_str_radix(number.as_str(), number.radix());
            number.map_or(Value::Other, Value::Number)
        }
        _ => Value::Other,
    }
}

/// The server that a scenario is played on, `server` being the configuration's. It is known before the rest of the
/// scenario can be read, since it decides what is submitted; what is wrong with it is said when all of it is read.
pub(super) fn before(text: &str, server: &Server) -> Server {
    let mut server = server.clone();
    let parsed = DeTable::parse(text).ok();
    let table = parsed.as_ref().and_then(|root| root.get_ref().get("server"));
    for (key, value) in table.and_then(|table| table.get_ref().as_table()).into_iter().flatten() {
        let _ = server.set(key.get_ref(), value_of(value.get_ref()));
    }
    server
}
