//! Trees of JSON and TOML in which every key and value knows where it stands.
//!
//! Reading never fails: it returns what it understood and the faults it met. Nothing here knows what a document means.

mod json;
mod toml_tree;

use crate::source::{FileId, Span, Text};

pub use json::json;
pub use toml_tree::toml;

/// How deep tables and lists may lie in each other.
pub const MAX_DEPTH: usize = 128;

/// How many values a document may hold.
pub const MAX_VALUES: usize = 500_000;

/// A value with its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// What it is.
    pub value: Value,
    /// Where it stands.
    pub span: Span,
}

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// `null` of JSON.
    Null,
    /// `true` or `false`.
    Boolean(bool),
    /// A number, as it is written.
    Number(String),
    /// A string.
    Text(Text),
    /// A date or time of TOML, as it is written.
    Datetime(String),
    /// A list.
    List(Vec<Node>),
    /// A table of TOML, an object of JSON.
    Table(Vec<Entry>),
}

/// A key with its value.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The key.
    pub key: Text,
    /// Its value.
    pub node: Node,
}

/// What is wrong with a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Which kind of fault it is.
    pub kind: FaultKind,
    /// What, in the words of a finding.
    pub message: String,
    /// Where.
    pub span: Span,
}

/// The kinds of faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// The document breaks the grammar; nothing behind this place was read.
    Syntax,
    /// A comma before a closing bracket of JSON; it was passed over.
    Comma,
    /// A key that stands there already; the later value counts.
    Duplicate,
}

impl Node {
    /// The words for what it is.
    pub fn kind(&self) -> &'static str {
        match self.value {
            Value::Null => "null",
            Value::Boolean(_) => "a boolean",
            Value::Number(_) => "a number",
            Value::Text(_) => "a string",
            Value::Datetime(_) => "a datetime of TOML",
            Value::List(_) => "a list",
            Value::Table(_) => "a table",
        }
    }
}

/// The span of a whole file.
fn whole(file: FileId, text: &str) -> Text {
    Text::verbatim(text, Span::new(file, 0..text.len()))
}
