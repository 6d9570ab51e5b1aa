//! Reads TOML into the tree that JSON has as well.

use toml::de::{DeTable, DeValue};

use super::{Entry, Fault, FaultKind, MAX_VALUES, Node, Value, whole};
use crate::source::{FileId, Span, Text};

/// Reads a file. The value is missing where it breaks the grammar.
pub fn toml(file: FileId, text: &str) -> (Option<Node>, Vec<Fault>) {
    let fault = |range, message: &str| Fault {
        kind: FaultKind::Syntax,
        message: message.lines().next().unwrap_or_default().to_owned(),
        span: Span::new(file, range),
    };
    match DeTable::parse(text) {
        Err(error) => (None, vec![fault(error.span().unwrap_or_default(), error.message())]),
        Ok(table) => {
            let mut tree = Tree { source: whole(file, text), left: MAX_VALUES };
            let node = Node { value: tree.table(table.get_ref()), span: Span::new(file, 0..text.len()) };
            if tree.left == 0 {
                let message = format!("a document must not have more than {MAX_VALUES} values");
                return (None, vec![fault(0..0, &message)]);
            }
            (Some(node), Vec::new())
        }
    }
}

struct Tree {
    source: Text,
    left: usize,
}

impl Tree {
    fn table(&mut self, table: &DeTable<'_>) -> Value {
        let entries = table.iter().map(|(key, value)| Entry {
            key: self.text(key.get_ref(), key.span()),
            node: self.node(value.get_ref(), value.span()),
        });
        let mut entries: Vec<Entry> = entries.collect();
        // The order of the file may matter to who reads it.
        entries.sort_by_key(|entry| entry.key.span.start);
        Value::Table(entries)
    }

    fn node(&mut self, value: &DeValue<'_>, range: std::ops::Range<usize>) -> Node {
        self.left = self.left.saturating_sub(1);
        let span = self.source.span_of(range.clone());
        let value = match value {
            _ if self.left == 0 => Value::Null,
            DeValue::String(text) => Value::Text(self.text(text, range)),
            DeValue::Integer(number) => {
                Value::Number(match i64::from_str_radix(number.as_str(), number.radix()) {
                    Ok(number) => number.to_string(),
                    Err(_) => number.as_str().to_owned(),
                })
            }
            DeValue::Float(number) => Value::Number(number.as_str().to_owned()),
            DeValue::Boolean(value) => Value::Boolean(*value),
            DeValue::Datetime(value) => Value::Datetime(value.to_string()),
            DeValue::Array(items) => {
                Value::List(items.iter().map(|item| self.node(item.get_ref(), item.span())).collect())
            }
            DeValue::Table(table) => self.table(table),
        };
        Node { value, span }
    }

    /// A string or key: letter by letter between its quotes where it holds no escapes.
    fn text(&self, value: &str, range: std::ops::Range<usize>) -> Text {
        let written = self.source.value.get(range.clone()).unwrap_or_default();
        let quotes = ["\"\"\"", "'''", "\"", "'", ""];
        for quote in quotes {
            let inner = written.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote));
            if inner == Some(value) {
                let start = range.start + quote.len();
                return self.source.part(start..start + value.len());
            }
        }
        Text::computed(value, self.source.span_of(range))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Sources;

    #[test]
    fn values_know_their_places() {
        let source = "a = \"x y\"\n[b]\n\"c.d\" = [1, 0x10, true]\n[[e]]\nf = { g = 2024-01-01 }\n";
        let mut sources = Sources::new();
        let file = sources.add("a.toml", source);
        let (node, faults) = toml(file, source);
        assert_eq!(faults, []);
        let Some(Node { value: Value::Table(entries), .. }) = node else { panic!("a table") };
        let keys: Vec<_> = entries.iter().map(|entry| sources.slice(entry.key.span)).collect();
        assert_eq!(keys, ["a", "b", "e"]);
        let Value::Text(text) = &entries[0].node.value else { panic!("a string") };
        assert_eq!((text.value.as_str(), sources.slice(text.span)), ("x y", "x y"));
        let Value::Table(inner) = &entries[1].node.value else { panic!("a table") };
        assert_eq!(sources.slice(inner[0].key.span), "c.d");
        let Value::List(items) = &inner[0].node.value else { panic!("a list") };
        assert_eq!(items[1].value, Value::Number("16".to_owned()));
    }

    #[test]
    fn faults_are_placed() {
        let source = "a = 1\nb = \n";
        let mut sources = Sources::new();
        let file = sources.add("a.toml", source);
        let (node, faults) = toml(file, source);
        assert_eq!((node, faults.len()), (None, 1));
        assert_eq!(sources.position(file, faults[0].span.start).line, 2);
    }

    #[test]
    fn depth_has_a_limit() {
        let mut sources = Sources::new();
        let source = format!("a = {}", "[".repeat(1 << 20));
        let file = sources.add("a.toml", source.as_str());
        assert!(toml(file, &source).0.is_none());
    }
}
