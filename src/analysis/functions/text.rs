//! The functions without a prefix (`ELConstantsFunctions`).

use std::borrow::Cow;

use super::Arguments;
use super::maps;
use super::regex::Regex;
use super::world::World;
use crate::el::{Failure, MAX_TEXT_BYTES, Value, too_long};

/// `String.trim`: everything up to the blank goes.
pub(super) fn java_trim(text: &str) -> &str {
    text.trim_matches(|c: char| c <= ' ')
}

/// Calls a function without a prefix.
pub(super) fn call<'a>(world: &World, name: &str, arguments: &Arguments<'a>) -> Result<Value<'a>, Failure> {
    let first = arguments.text(0);
    Ok(match name {
        "firstNotNull" => match arguments.value(0) {
            Value::Null => arguments.value(1),
            value => value,
        },
        "concat" => Value::from(format!("{first}{}", arguments.text(1))),
        "trim" => Value::from(java_trim(&first).to_owned()),
        "urlEncode" => Value::from(url_encode(&first)),
        "replaceAll" => Value::from(Regex::new(&arguments.text(1))?.replace_all(&first, &arguments.text(2))?),
        "appendAll" => Value::from(append_all(&first, &arguments.text(1), &arguments.text(2))?),
        "timestamp" => Value::from(maps::timestamp(now(world)?, world.processing)),
        "toJsonStr" => Value::from(maps::to_json(&arguments.value(0))),
        "toPropertiesStr" => Value::from(maps::to_properties(&arguments.value(0), now(world)?)?),
        "toConfigurationStr" => Value::from(maps::to_configuration(&arguments.value(0))?),
        _ => return Err(Failure::new("ELException", format!("`{name}` is not known"))),
    })
}

fn now(world: &World) -> Result<crate::time::Instant, Failure> {
    world.now.ok_or_else(|| Failure::new("IllegalStateException", "the present time is not given"))
}

/// Why a text is no regular expression of Java; `None` where it is one, or more than is understood here.
pub fn pattern_fault(pattern: &str) -> Option<String> {
    let failure = Regex::new(pattern).err()?;
    failure.java.ends_with("PatternSyntaxException").then_some(failure.message)
}

/// `ELConstantsFunctions.appendAll`: splits at a regular expression, joins with its text.
fn append_all(text: &str, addition: &str, separator: &str) -> Result<String, Failure> {
    let parts = Regex::new(separator)?.split(text)?;
    let mut result = String::new();
    for (index, part) in parts.iter().enumerate() {
        result.push_str(part);
        result.push_str(addition);
        if result.len() > MAX_TEXT_BYTES {
            return Err(too_long());
        }
        if index + 1 < parts.len() {
            result.push_str(separator);
        }
    }
    if text.starts_with(separator) && parts.first().is_some_and(|part| !part.is_empty()) {
        result.insert_str(0, addition);
    }
    Ok(result)
}

/// `URLEncoder.encode` in UTF-8.
pub fn url_encode(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        let piece: Cow<'static, str> = match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'.' | b'-' | b'*' | b'_' => {
                char::from(byte).to_string().into()
            }
            b' ' => "+".into(),
            _ => format!("%{byte:02X}").into(),
        };
        encoded.push_str(&piece);
    }
    encoded
}

#[cfg(test)]
#[path = "text_tests.rs"]
mod tests;
