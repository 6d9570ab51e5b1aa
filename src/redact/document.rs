//! Documents without secrets. The names in them are never changed, so that they can be read as before.

use serde_json::Value;

use super::Redactor;

/// Puts stars in the place of the secrets in a document.
pub fn redact(veil: &Redactor, document: &mut Value) {
    let mut open: Vec<(Option<&str>, &mut Value)> = vec![(None, document)];
    while let Some((name, value)) = open.pop() {
        match value {
            Value::String(text) => {
                let stars = veil.value(name, text);
                if stars != *text {
                    *text = stars.into_owned();
                }
            }
            Value::Array(list) => open.extend(list.iter_mut().map(|value| (None, value))),
            Value::Object(map) => {
                open.extend(map.iter_mut().map(|(name, value)| (Some(name.as_str()), value)));
            }
            _ => {}
        }
    }
}
