//! Maps as values: captured output, counters, and the texts that functions make of maps.

use std::sync::Arc;

use super::hash_order::{self, Growth};
use crate::el::{Failure, Map, Value, double_text};
use crate::properties;
use crate::source::Sources;
use crate::time::{Instant, ProcessingZone, civil};

/// `PropertiesUtils.stringToProperties`
pub(super) fn from_properties(text: &str) -> Map {
    let mut sources = Sources::new();
    let file = sources.add("data", "");
    let (read, _) = properties::read(file, text);
    let entries = read.entries.into_iter().map(|entry| (entry.key.value, entry.value.value));
    let mut entries = hash_order::distinct(entries);
    hash_order::sort(&mut entries, Growth::Properties);
    let pairs: Vec<_> = entries.iter().map(|(key, value)| format!("{key}={value}")).collect();
    let text = format!("{{{}}}", pairs.join(", "));
    let entries = entries.into_iter().map(|(key, value)| (key, Value::from(value))).collect();
    Map { entries, text, class: "Properties" }
}

/// A value of JSON, as json-simple reads it. Lists become maps from the numbers of their items.
pub(super) fn from_json(json: &serde_json::Value) -> Value<'static> {
    match json {
        serde_json::Value::Null => Value::Null,
        serde_json::Value::Bool(bool) => Value::Bool(*bool),
        serde_json::Value::Number(number) => match number.as_i64() {
            Some(long) => Value::Long(long),
            None => Value::Double(number.as_f64().unwrap_or(f64::NAN)),
        },
        serde_json::Value::String(text) => Value::from(text.clone()),
        serde_json::Value::Array(items) => {
            let entries: Vec<_> =
                items.iter().enumerate().map(|(index, item)| (index.to_string(), from_json(item))).collect();
            let texts: Vec<_> = entries.iter().map(|(_, value)| json_text(value)).collect();
            Value::Map(Arc::new(Map { entries, text: format!("[{}]", texts.join(",")), class: "JSONArray" }))
        }
        serde_json::Value::Object(object) => {
            let mut entries: Vec<_> =
                object.iter().map(|(key, value)| (key.clone(), from_json(value))).collect();
            hash_order::sort(&mut entries, Growth::HashMap);
            let text = object_text(&entries);
            Value::Map(Arc::new(Map { entries, text, class: "JSONObject" }))
        }
    }
}

fn object_text(entries: &[(String, Value<'static>)]) -> String {
    let pairs: Vec<_> =
        entries.iter().map(|(key, value)| format!("{}:{}", json_string(key), json_text(value))).collect();
    format!("{{{}}}", pairs.join(","))
}

/// `JSONValue.toJSONString`
fn json_text(value: &Value<'_>) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::String(text) => json_string(text),
        Value::Double(number) if !number.is_finite() => "null".to_owned(),
        Value::Double(number) => double_text(*number),
        other => other.to_string(),
    }
}

/// `JSONValue.escape`, with its quotes.
fn json_string(text: &str) -> String {
    let mut json = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => json.push_str("\\\""),
            '\\' => json.push_str("\\\\"),
            '\u{8}' => json.push_str("\\b"),
            '\u{c}' => json.push_str("\\f"),
            '\n' => json.push_str("\\n"),
            '\r' => json.push_str("\\r"),
            '\t' => json.push_str("\\t"),
            '/' => json.push_str("\\/"),
            '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{2000}'..='\u{20ff}' => {
                json.push_str(&format!("\\u{:04X}", c as u32));
            }
            _ => json.push(c),
        }
    }
    json.push('"');
    json
}

/// `toJsonStr`
pub(super) fn to_json(map: &Value<'_>) -> String {
    match map {
        Value::Map(map) => escape_xml(&object_text(&map.entries)),
        _ => "null".to_owned(),
    }
}

/// `toPropertiesStr`; `now` gives the line with the date.
pub(super) fn to_properties(map: &Value<'_>, now: Instant) -> Result<String, Failure> {
    let mut entries = text_entries(map)?;
    hash_order::sort(&mut entries, Growth::Properties);
    let mut text = format!("#\n#{}\n", date_line(now));
    for (key, value) in &entries {
        text.push_str(&format!("{}={}\n", property_text(key, true), property_text(value, false)));
    }
    Ok(escape_xml(&text))
}

/// `java.util.Date.toString` in UTC.
fn date_line(now: Instant) -> String {
    const DAYS: [&str; 7] = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
    const MONTHS: [&str; 12] =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let local = civil::Local::at_offset(now, 0);
    let date = local.date;
    let day = civil::day_of_date(date.year, date.month.into(), date.day.into());
    let weekday = DAYS[(day + 4).rem_euclid(7) as usize];
    let month = MONTHS[usize::from(date.month).saturating_sub(1).min(11)];
    let second = local.millis_of_day() / 1000 % 60;
    format!(
        "{weekday} {month} {:02} {:02}:{:02}:{second:02} UTC {}",
        date.day, local.hour, local.minute, date.year
    )
}

/// `Properties.saveConvert`
fn property_text(text: &str, is_key: bool) -> String {
    let mut escaped = String::with_capacity(text.len());
    for (index, c) in text.chars().enumerate() {
        match c {
            ' ' if is_key || index == 0 => escaped.push_str("\\ "),
            '\t' => escaped.push_str("\\t"),
            '\n' => escaped.push_str("\\n"),
            '\r' => escaped.push_str("\\r"),
            '\u{c}' => escaped.push_str("\\f"),
            '\\' | '=' | ':' | '#' | '!' => escaped.extend(['\\', c]),
            _ => escaped.push(c),
        }
    }
    escaped
}

/// `toConfigurationStr`: a Hadoop configuration, pretty as JDOM prints it.
pub(super) fn to_configuration(map: &Value<'_>) -> Result<String, Failure> {
    let mut entries = text_entries(map)?;
    hash_order::sort(&mut entries, Growth::HashMap);
    if entries.is_empty() {
        return Ok(escape_xml("<configuration />"));
    }
    let mut xml = String::from("<configuration>\r\n");
    for (key, value) in &entries {
        xml.push_str("  <property>\r\n");
        for (name, text) in [("name", key), ("value", value)] {
            let text = text.trim_matches([' ', '\t', '\n', '\r']);
            xml.push_str(&match text {
                "" => format!("    <{name} />\r\n"),
                text => format!("    <{name}>{}</{name}>\r\n", escape_element(text)),
            });
        }
        xml.push_str("  </property>\r\n");
    }
    xml.push_str("</configuration>");
    Ok(escape_xml(&xml))
}

/// What an XML writer escapes in the text of an element.
fn escape_element(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '\r' => escaped.push_str("&#xD;"),
            '\n' => escaped.push_str("\r\n"),
            _ => escaped.push(c),
        }
    }
    escaped
}

/// `XmlUtils.escapeCharsForXML`
pub(super) fn escape_xml(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#039;"),
            '&' => escaped.push_str("&amp;"),
            _ => escaped.push(c),
        }
    }
    escaped
}

/// Keys and values as text; Java fails on values that are none.
fn text_entries(map: &Value<'_>) -> Result<Vec<(String, String)>, Failure> {
    let Value::Map(map) = map else {
        return Err(Failure::new("NullPointerException", "null is not a map"));
    };
    let text = |value: &Value<'static>| match value {
        Value::String(text) => Ok(text.clone().into_owned()),
        Value::Null => Err(Failure::new("NullPointerException", "the map holds a null")),
        other => {
            Err(Failure::new("ClassCastException", format!("the map holds `{other}`, which is no text")))
        }
    };
    map.entries.iter().map(|(key, value)| Ok((key.clone(), text(value)?))).collect()
}

/// The time of `timestamp()`.
pub(super) fn timestamp(now: Instant, processing: ProcessingZone) -> String {
    processing.format(now)
}

#[cfg(test)]
#[path = "maps_tests.rs"]
mod tests;
