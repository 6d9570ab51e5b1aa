//! `a=1 b="x y"`, or a JSON object.

use crate::data::{self, Value};
use crate::model::schedule::MAX_PROPERTIES;
use crate::model::schedule::fields::scalar;
use crate::source::{Sources, Span, Text};

/// The names and values of a map, in order; fails with what is wrong.
pub(super) fn read(text: &str) -> Result<Vec<(String, String)>, String> {
    let pairs = if text.trim_start().starts_with('{') { object(text)? } else { pairs(text)? };
    if pairs.len() > MAX_PROPERTIES {
        return Err(format!("a schedule must not have more than {MAX_PROPERTIES} properties"));
    }
    Ok(pairs)
}

fn object(text: &str) -> Result<Vec<(String, String)>, String> {
    let file = Sources::new().add("properties", text);
    let (node, faults) = data::json(&Text::verbatim(text, Span::new(file, 0..text.len())));
    if let Some(fault) = faults.first() {
        return Err(format!("the properties are not JSON: {}", fault.message));
    }
    let Some(Value::Table(entries)) = node.map(|node| node.value) else { return Ok(Vec::new()) };
    let pair = |entry: data::Entry| match scalar(&entry.node) {
        Some(value) => Ok((entry.key.value, value.value)),
        None => Err(format!("the value of `{}` must be a string", entry.key.value)),
    };
    entries.into_iter().map(pair).collect()
}

fn pairs(text: &str) -> Result<Vec<(String, String)>, String> {
    let mut pairs = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let Some((name, after)) = rest.split_once('=') else {
            return Err(format!("`{rest}` is not of the form `name=value`"));
        };
        if name.is_empty() || name.contains(char::is_whitespace) {
            return Err(format!("`{name}` is not the name of a property; write `name=value`"));
        }
        let (value, after) = match after.strip_prefix('"') {
            Some(quoted) => {
                quoted.split_once('"').ok_or_else(|| format!("the quote after `{name}=` is not closed"))?
            }
            None => after.split_once(char::is_whitespace).unwrap_or((after, "")),
        };
        pairs.push((name.to_owned(), value.to_owned()));
        rest = after.trim_start();
    }
    Ok(pairs)
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn maps_are_read() {
        let check = |text: &str, expected: &[(&str, &str)]| {
            let expected: Vec<_> = expected.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect();
            assert_eq!(read(text), Ok(expected), "{text}");
        };
        check("", &[]);
        check("a=1 b=2", &[("a", "1"), ("b", "2")]);
        check("a=\"x y\" b==", &[("a", "x y"), ("b", "=")]);
        check("{\"a\": \"1\", \"b\": 2}", &[("a", "1"), ("b", "2")]);
        for text in ["a", "a b=1", "a=\"x", "{\"a\":[]}", "{"] {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
