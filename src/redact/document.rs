//! Documents without secrets. The names in them are never changed, so that they can be read as before.

use serde_json::Value;

use super::Redactor;

/// Properties of our documents that hold ids, states, times and kinds.
const OWN: &[&str] = &[
    "id",
    "status",
    "externalStatus",
    "type",
    "kind",
    "from",
    "to",
    "at",
    "created",
    "started",
    "ended",
    "modified",
    "nominal",
    "kickOff",
    "start",
    "end",
    "expected",
    "subject",
    "action",
    "workflow",
    "parent",
    "job",
    "root",
    "sla",
];

/// Properties of our documents that hold what somebody gives: all names in them are theirs.
const GIVEN: &[&str] = &["conf", "configuration", "parameters", "properties", "own", "base", "event"];

/// Puts stars in the place of the secrets in a document.
pub fn redact(veil: &Redactor, document: &mut Value) {
    let mut open: Vec<(Option<&str>, bool, &mut Value)> = vec![(None, false, document)];
    while let Some((name, is_given, value)) = open.pop() {
        match value {
            // What we write ourselves holds no secrets, whatever it looks like.
            Value::String(_) if !is_given && name.is_some_and(|name| OWN.contains(&name)) => {}
            Value::String(text) => {
                let stars = veil.value(name, text);
                if stars != *text {
                    *text = stars.into_owned();
                }
            }
            Value::Array(list) => open.extend(list.iter_mut().map(|value| (None, is_given, value))),
            Value::Object(map) => {
                let is_given = is_given || name.is_some_and(|name| GIVEN.contains(&name));
                open.extend(map.iter_mut().map(|(name, value)| (Some(name.as_str()), is_given, value)));
            }
            _ => {}
        }
    }
}
