//! What expressions evaluate to, and how one kind of value becomes another (`org.apache.el.lang.ELSupport`).

use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

use super::double::double_text;
use super::error::Failure;
use super::number::{parse_double, parse_long};

/// A value. Text is borrowed from the template or the world where it can be.
#[derive(Clone, Debug, PartialEq)]
pub enum Value<'a> {
    /// `null`; prints as nothing.
    Null,
    /// A boolean.
    Bool(bool),
    /// Java's `Long` and `Integer`.
    Long(i64),
    /// Java's `Double`.
    Double(f64),
    /// Text.
    String(Cow<'a, str>),
    /// A map, such as `wf:actionData` gives.
    Map(Arc<Map>),
}

/// A map with text keys.
#[derive(Clone, Debug, PartialEq)]
pub struct Map {
    /// In the order in which it prints.
    pub entries: Vec<(String, Value<'static>)>,
    /// What the whole map prints.
    pub text: String,
    /// The Java class, for messages.
    pub class: &'static str,
}

impl Map {
    /// True for what is a list in Java: its items stand under their numbers.
    pub fn is_list(&self) -> bool {
        self.class == "JSONArray"
    }

    /// The value at a key.
    pub fn get(&self, key: &str) -> Option<&Value<'static>> {
        self.entries.iter().find(|(name, _)| name == key).map(|(_, value)| value)
    }
}

/// The types of values and of parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// Text; null becomes the empty text.
    String,
    /// A Java `int`; null and the empty text become 0, fractions are cut.
    Int,
    /// A whole number.
    Long,
    /// A boolean.
    Bool,
    /// A map.
    Map,
    /// Anything, as it is.
    Any,
}

impl<'a> From<&'a str> for Value<'a> {
    fn from(text: &'a str) -> Value<'a> {
        Value::String(Cow::Borrowed(text))
    }
}

impl From<String> for Value<'_> {
    fn from(text: String) -> Self {
        Value::String(Cow::Owned(text))
    }
}

impl<'a> From<Option<&'a str>> for Value<'a> {
    fn from(text: Option<&'a str>) -> Value<'a> {
        text.map_or(Value::Null, Value::from)
    }
}

impl From<i64> for Value<'_> {
    fn from(number: i64) -> Self {
        Value::Long(number)
    }
}

impl From<bool> for Value<'_> {
    fn from(bool: bool) -> Self {
        Value::Bool(bool)
    }
}

/// As `coerceToString` prints it.
impl fmt::Display for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Null => Ok(()),
            Value::Bool(bool) => write!(f, "{bool}"),
            Value::Long(number) => write!(f, "{number}"),
            Value::Double(number) => f.write_str(&double_text(*number)),
            Value::String(text) => f.write_str(text),
            Value::Map(map) => f.write_str(&map.text),
        }
    }
}

impl<'a> Value<'a> {
    /// The word that `eval` prints for the type.
    pub fn type_name(&self) -> &'static str {
        match self {
            Value::Null => "null",
            Value::Bool(_) => "boolean",
            Value::Long(_) => "long",
            Value::Double(_) => "double",
            Value::String(_) => "string",
            Value::Map(_) => "map",
        }
    }

    /// The same value, borrowing nothing.
    pub fn into_owned(self) -> Value<'static> {
        match self {
            Value::String(text) => Value::String(Cow::Owned(text.into_owned())),
            Value::Null => Value::Null,
            Value::Bool(bool) => Value::Bool(bool),
            Value::Long(number) => Value::Long(number),
            Value::Double(number) => Value::Double(number),
            Value::Map(map) => Value::Map(map),
        }
    }

    /// `ELSupport.coerceToString`
    pub fn to_text(&self) -> Cow<'_, str> {
        match self {
            Value::Null => Cow::Borrowed(""),
            Value::String(text) => Cow::Borrowed(text),
            Value::Bool(true) => Cow::Borrowed("true"),
            Value::Bool(false) => Cow::Borrowed("false"),
            Value::Map(map) => Cow::Borrowed(&map.text),
            other => Cow::Owned(other.to_string()),
        }
    }

    /// As `to_text`, without a copy where the value owns or borrows its text.
    pub fn into_text(self) -> Cow<'a, str> {
        match self {
            Value::String(text) => text,
            Value::Null => Cow::Borrowed(""),
            other => Cow::Owned(other.to_string()),
        }
    }

    /// `ELSupport.coerceToBoolean`: null and the empty text are false, other text is true when it reads `true`.
    pub fn to_bool(&self) -> Result<bool, Failure> {
        match self {
            Value::Null => Ok(false),
            Value::Bool(bool) => Ok(*bool),
            Value::String(text) => Ok(text.eq_ignore_ascii_case("true")),
            _ => Err(self.not_a("a boolean")),
        }
    }

    /// `ELSupport.coerceToNumber` to a `Long`.
    pub(super) fn to_long(&self) -> Result<i64, Failure> {
        match self {
            Value::Long(number) => Ok(*number),
            Value::Double(number) => Ok(*number as i64),
            Value::Null => Ok(0),
            Value::String(text) if text.is_empty() => Ok(0),
            Value::String(text) => parse_long(text).ok_or_else(|| self.not_a("a whole number")),
            _ => Err(self.not_a("a whole number")),
        }
    }

    /// `ELSupport.coerceToNumber` to a `Double`.
    pub(super) fn to_double(&self) -> Result<f64, Failure> {
        match self {
            Value::Long(number) => Ok(*number as f64),
            Value::Double(number) => Ok(*number),
            Value::Null => Ok(0.0),
            Value::String(text) if text.is_empty() => Ok(0.0),
            Value::String(text) => parse_double(text).ok_or_else(|| self.not_a("a number")),
            _ => Err(self.not_a("a number")),
        }
    }

    /// `ELSupport.coerceToType` for a parameter of a function.
    pub fn coerce(self, to: Type) -> Result<Value<'a>, Failure> {
        match to {
            Type::Any => Ok(self),
            Type::String => Ok(Value::String(self.into_text())),
            Type::Int => match &self {
                Value::Long(number) => Ok(Value::Long(i64::from(*number as i32))),
                Value::Double(number) => Ok(Value::Long(i64::from(*number as i32))),
                Value::String(text) if !text.is_empty() => {
                    let number = parse_long(text).and_then(|number| i32::try_from(number).ok());
                    number.map(|n| Value::Long(n.into())).ok_or_else(|| self.not_a("a whole number"))
                }
                _ => self.to_long().map(Value::Long),
            },
            Type::Long => self.to_long().map(Value::Long),
            Type::Bool => self.to_bool().map(Value::Bool),
            Type::Map => match &self {
                Value::Map(map) if map.is_list() => Err(self.not_a("a map")),
                Value::Map(_) | Value::Null => Ok(self),
                Value::String(text) if text.is_empty() => Ok(Value::Null),
                _ => Err(self.not_a("a map")),
            },
        }
    }

    /// The `ELException` of a value that cannot become what is needed.
    pub(super) fn not_a(&self, what: &str) -> Failure {
        Failure::coercion(format!("{} is not {what}", self.quoted()))
    }

    /// The value as a message names it.
    pub(super) fn quoted(&self) -> String {
        match self {
            Value::String(text) => format!("the text `{text}`"),
            Value::Map(map) if map.is_list() => "a list".to_owned(),
            Value::Map(_) => "a map".to_owned(),
            Value::Null => "null".to_owned(),
            other => format!("`{other}`"),
        }
    }
}

/// `String.compareTo`, which goes by UTF-16 units.
pub(super) fn compare_text(a: &str, b: &str) -> Ordering {
    if a.is_ascii() && b.is_ascii() { a.cmp(b) } else { a.encode_utf16().cmp(b.encode_utf16()) }
}

/// `Double.compareTo`: NaN is one value, the greatest, and -0.0 lies below 0.0.
pub(super) fn compare_double(a: f64, b: f64) -> Ordering {
    match (a.is_nan(), b.is_nan()) {
        (false, false) => a.total_cmp(&b),
        (a, b) => a.cmp(&b),
    }
}
