//! Reads a table of either notation key by key: wrong types and unknown keys become findings with their place.

use super::findings::{SCHEDULE_INVALID, refusal};
use crate::data::{Entry, Node, Value};
use crate::diag::{Diagnostic, Severity, closest};
use crate::source::{Span, Text};

/// What becomes of keys that nobody knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unknown {
    /// An error: people have mistyped something.
    Refused,
    /// A warning: servers add keys to what they print.
    Ignored,
}

/// A table that is being read.
pub(super) struct Fields<'n, 's> {
    entries: &'n [Entry],
    /// All of it.
    pub(super) span: Span,
    /// What it is, such as `trigger`.
    what: &'static str,
    unknown: Unknown,
    known: Vec<&'static str>,
    pub(super) sink: &'s mut Vec<Diagnostic>,
}

impl<'n, 's> Fields<'n, 's> {
    /// The fields of a table; none, with a finding, where it is none.
    pub(super) fn of(
        node: &'n Node,
        what: &'static str,
        unknown: Unknown,
        sink: &'s mut Vec<Diagnostic>,
    ) -> Option<Fields<'n, 's>> {
        match &node.value {
            Value::Table(entries) => {
                Some(Fields { entries, span: node.span, what, unknown, known: Vec::new(), sink })
            }
            _ => {
                let message = format!("`{what}` must be a table, not {}", node.kind());
                sink.push(refusal(&SCHEDULE_INVALID, node.span, message));
                None
            }
        }
    }

    /// A value as it is.
    pub(super) fn node(&mut self, key: &'static str) -> Option<&'n Node> {
        self.known.push(key);
        let found = self.entries.iter().find(|entry| entry.key.value == key);
        found.map(|entry| &entry.node).filter(|node| node.value != Value::Null)
    }

    /// Takes note of keys that mean nothing here and are no mistake.
    pub(super) fn known_elsewhere(&mut self, keys: &[&'static str]) {
        self.known.extend(keys);
    }

    /// Whether a key is there.
    pub(super) fn has(&self, key: &str) -> bool {
        self.entries.iter().any(|entry| entry.key.value == key && entry.node.value != Value::Null)
    }

    /// A finding about this table.
    pub(super) fn fault(&mut self, span: Span, message: impl Into<String>) {
        self.sink.push(refusal(&SCHEDULE_INVALID, span, message));
    }

    fn wrong(&mut self, key: &str, node: &Node, wanted: &str) {
        self.fault(node.span, format!("`{key}` must be {wanted}, not {}", node.kind()));
    }

    /// A string.
    pub(super) fn text(&mut self, key: &'static str) -> Option<&'n Text> {
        let node = self.node(key)?;
        let Value::Text(text) = &node.value else {
            self.wrong(key, node, "a string");
            return None;
        };
        Some(text)
    }

    /// A string, number or boolean as text.
    pub(super) fn scalar(&mut self, key: &'static str) -> Option<Text> {
        let node = self.node(key)?;
        let text = scalar(node);
        if text.is_none() {
            self.wrong(key, node, "a string");
        }
        text
    }

    /// A boolean.
    pub(super) fn boolean(&mut self, key: &'static str) -> Option<bool> {
        let node = self.node(key)?;
        let Value::Boolean(value) = node.value else {
            self.wrong(key, node, "true or false");
            return None;
        };
        Some(value)
    }

    /// The items of a list.
    pub(super) fn list(&mut self, key: &'static str) -> Option<&'n [Node]> {
        let node = self.node(key)?;
        let Value::List(items) = &node.value else {
            self.wrong(key, node, "a list");
            return None;
        };
        Some(items)
    }

    /// The keys and values of a table whose keys are the user's own.
    pub(super) fn entries(&mut self, key: &'static str) -> &'n [Entry] {
        let Some(node) = self.node(key) else { return &[] };
        let Value::Table(entries) = &node.value else {
            self.wrong(key, node, "a table");
            return &[];
        };
        entries
    }

    /// A whole number; where it is none, a text for the finding.
    pub(super) fn whole(&mut self, key: &'static str) -> Option<Result<(i64, Span), Span>> {
        let node = self.node(key)?;
        Some(match &node.value {
            Value::Number(text) => text.parse().map(|number| (number, node.span)).map_err(|_| node.span),
            _ => Err(node.span),
        })
    }

    /// Reports that a key is missing.
    pub(super) fn missing(&mut self, key: &str) {
        let message = format!("`{}` has no `{key}`", self.what);
        let span = Span { end: self.span.start.saturating_add(1).min(self.span.end), ..self.span };
        self.fault(span, message);
    }

    /// Reports the keys that nobody has asked for.
    pub(super) fn finish(self) {
        for entry in self.entries {
            let key = entry.key.value.as_str();
            if self.known.contains(&key) {
                continue;
            }
            let shown: String = key.chars().take(MAX_SHOWN_CHARS).collect();
            let message = format!("`{}` does not have a key `{shown}`", self.what);
            let finding = match self.unknown {
                Unknown::Refused => refusal(&SCHEDULE_INVALID, entry.key.span, message),
                Unknown::Ignored => {
                    Diagnostic::new(&SCHEDULE_INVALID, entry.key.span, message + "; it is ignored")
                        .severity(Severity::Warning)
                }
            };
            let finding = match closest(key, self.known.iter().copied()) {
                Some(near) => finding.help(format!("did you mean `{near}`?")).meant(near),
                None => finding.help(format!("known keys: {}", self.known.join(", "))),
            };
            self.sink.push(finding);
        }
    }
}

/// How much of a key is shown.
pub(super) const MAX_SHOWN_CHARS: usize = 60;

/// A string, number or boolean as text.
pub(super) fn scalar(node: &Node) -> Option<Text> {
    match &node.value {
        Value::Text(text) => Some(text.clone()),
        Value::Number(number) => Some(Text::computed(number.clone(), node.span)),
        Value::Boolean(value) => Some(Text::computed(value.to_string(), node.span)),
        _ => None,
    }
}
