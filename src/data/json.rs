//! Reads JSON. A comma before a closing bracket is passed over with a fault.

use std::collections::BTreeMap;
use std::ops::Range;

use super::{Entry, Fault, FaultKind, MAX_DEPTH, MAX_VALUES, Node, Value};
use crate::source::{Segment, Text};

/// Reads a text, which may itself stand inside another document. The value is missing where nothing was understood.
pub fn json(text: &Text) -> (Option<Node>, Vec<Fault>) {
    let mut reader = Reader { text, source: text.value.as_str(), at: 0, values: 0, faults: Vec::new() };
    let node = reader.document();
    (node, reader.faults)
}

struct Reader<'t> {
    text: &'t Text,
    source: &'t str,
    at: usize,
    values: usize,
    faults: Vec<Fault>,
}

/// The reader stopped; the fault is recorded.
struct Stop;

type Read<T> = Result<T, Stop>;

impl Reader<'_> {
    fn document(&mut self) -> Option<Node> {
        if self.source.starts_with('\u{FEFF}') {
            self.at = '\u{FEFF}'.len_utf8();
        }
        let node = self.value(0).ok()?;
        self.blanks();
        if self.at < self.source.len() {
            let _: Read<()> = self.stop("nothing may follow the value");
        }
        Some(node)
    }

    fn value(&mut self, depth: usize) -> Read<Node> {
        self.blanks();
        self.values += 1;
        if self.values > MAX_VALUES {
            return self.stop(format!("a document must not have more than {MAX_VALUES} values"));
        }
        let start = self.at;
        let value = match self.peek() {
            None => return self.stop("the document ends too soon"),
            Some(b'{' | b'[') if depth >= MAX_DEPTH => {
                return self.stop(format!("values must not be nested more than {MAX_DEPTH} deep"));
            }
            Some(b'{') => self.table(depth)?,
            Some(b'[') => self.list(depth)?,
            Some(b'"') => Value::Text(self.string()?),
            Some(b'-' | b'0'..=b'9') => Value::Number(self.number()?),
            Some(b'a'..=b'z') => self.word()?,
            Some(_) => return self.stop("a value is expected here"),
        };
        Ok(Node { value, span: self.text.span_of(start..self.at) })
    }

    fn table(&mut self, depth: usize) -> Read<Value> {
        self.at += 1;
        let mut entries: Vec<Entry> = Vec::new();
        let mut known: BTreeMap<String, usize> = BTreeMap::new();
        while self.goes_on(b'}', entries.is_empty())? {
            if self.peek() != Some(b'"') {
                return self.stop("a key in double quotes is expected here");
            }
            let start = self.at;
            let key = self.string()?;
            let range = start..self.at;
            self.blanks();
            if self.peek() != Some(b':') {
                return self.stop("`:` is expected behind a key");
            }
            self.at += 1;
            let node = self.value(depth + 1)?;
            match known.get(&key.value) {
                Some(index) => {
                    let message = format!("the key `{}` stands here twice", key.value);
                    self.fault(FaultKind::Duplicate, message, range);
                    entries[*index] = Entry { key, node };
                }
                None => {
                    known.insert(key.value.clone(), entries.len());
                    entries.push(Entry { key, node });
                }
            }
        }
        Ok(Value::Table(entries))
    }

    fn list(&mut self, depth: usize) -> Read<Value> {
        self.at += 1;
        let mut items = Vec::new();
        while self.goes_on(b']', items.is_empty())? {
            items.push(self.value(depth + 1)?);
        }
        Ok(Value::List(items))
    }

    /// Passes over the comma between two items; false behind the closing bracket.
    fn goes_on(&mut self, close: u8, is_first: bool) -> Read<bool> {
        self.blanks();
        let comma = self.at;
        let has_comma = !is_first && self.peek() == Some(b',');
        if has_comma {
            self.at += 1;
            self.blanks();
        }
        match self.peek() {
            Some(byte) if byte == close => {
                if has_comma {
                    let message = format!("a comma stands before `{}`", char::from(close));
                    self.fault(FaultKind::Comma, message, comma..comma + 1);
                }
                self.at += 1;
                Ok(false)
            }
            None => self.stop(format!("the document ends too soon: `{}` is missing", char::from(close))),
            Some(_) if is_first || has_comma => Ok(true),
            Some(_) => self.stop(format!("`,` or `{}` is expected here", char::from(close))),
        }
    }

    fn word(&mut self) -> Read<Value> {
        let rest = &self.source[self.at..];
        let length = rest.bytes().take_while(u8::is_ascii_alphanumeric).count();
        let value = match &rest[..length] {
            "true" => Value::Boolean(true),
            "false" => Value::Boolean(false),
            "null" => Value::Null,
            _ => return self.stop("a value is expected here; strings stand in double quotes"),
        };
        self.at += length;
        Ok(value)
    }

    fn number(&mut self) -> Read<String> {
        let rest = &self.source[self.at..];
        let is_part = |byte: &u8| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E');
        let length = rest.bytes().take_while(|byte| is_part(byte)).count();
        let number = &rest[..length];
        // What JSON allows, Rust's reader of numbers allows too; the rest is told apart here.
        let digits = number.trim_start_matches('-');
        let has_zero = digits.len() > 1 && digits.starts_with('0') && digits.as_bytes()[1].is_ascii_digit();
        if has_zero || number.parse::<f64>().is_err() || number.ends_with('.') {
            return self.stop("this is not a number of JSON");
        }
        self.at += length;
        Ok(number.to_owned())
    }

    /// A string from its opening quote on.
    fn string(&mut self) -> Read<Text> {
        let begin = self.at;
        self.at += 1;
        let start = self.at;
        let mut value = String::new();
        let mut segments: Vec<(usize, Range<usize>, bool)> = Vec::new();
        loop {
            let plain = self.at;
            let rest = &self.source.as_bytes()[self.at..];
            let length = rest.iter().take_while(|byte| !matches!(byte, b'"' | b'\\' | 0..=0x1F)).count();
            if length > 0 {
                segments.push((value.len(), plain..plain + length, true));
                value.push_str(&self.source[plain..plain + length]);
                self.at += length;
            }
            match self.peek() {
                Some(b'"') => break,
                Some(b'\\') => {
                    let from = self.at;
                    let c = self.escape()?;
                    segments.push((value.len(), from..self.at, false));
                    value.push(c);
                }
                Some(_) => return self.stop("a control character must be written as an escape: `\\u000a`"),
                None => {
                    self.at = begin;
                    return self.stop("the string does not end");
                }
            }
        }
        let range = start..self.at;
        self.at += 1;
        let span = self.text.span_of(range.clone());
        if segments.iter().all(|(.., is_verbatim)| *is_verbatim) {
            return Ok(self.text.part(range));
        }
        let is_placed = self.text.span.end - self.text.span.start == self.source.len() as u32;
        if !is_placed {
            return Ok(Text::computed(value, span));
        }
        let segments = segments.into_iter().map(|(decoded, range, verbatim)| {
            let place = self.text.span_of(range);
            Segment {
                decoded: decoded as u32,
                source: place.start,
                source_len: place.end - place.start,
                verbatim,
            }
        });
        Ok(Text::with_segments(value, span, segments.collect()))
    }

    fn escape(&mut self) -> Read<char> {
        let Some(letter) = self.source.as_bytes().get(self.at + 1) else {
            return self.stop("the string does not end");
        };
        let c = match letter {
            b'"' => '"',
            b'\\' => '\\',
            b'/' => '/',
            b'b' => '\u{8}',
            b'f' => '\u{C}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => return self.unicode(),
            _ => return self.stop("there is no such escape"),
        };
        self.at += 2;
        Ok(c)
    }

    /// `\u` with four digits, or two of them for one character. Half a pair becomes U+FFFD, as in Java's output.
    fn unicode(&mut self) -> Read<char> {
        let unit = |at: usize| {
            let digits = self.source.get(at..at + 6)?.strip_prefix("\\u")?;
            if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
                return None;
            }
            u16::from_str_radix(digits, 16).ok()
        };
        let Some(first) = unit(self.at) else {
            return self.stop("`\\u` is followed by four hexadecimal digits");
        };
        let second = unit(self.at + 6).filter(|second| (0xDC00..0xE000).contains(second));
        let units = match second {
            Some(second) if (0xD800..0xDC00).contains(&first) => vec![first, second],
            _ => vec![first],
        };
        self.at += 6 * units.len();
        Ok(char::decode_utf16(units).next().and_then(Result::ok).unwrap_or('\u{FFFD}'))
    }

    fn peek(&self) -> Option<u8> {
        self.source.as_bytes().get(self.at).copied()
    }

    fn blanks(&mut self) {
        let rest = &self.source.as_bytes()[self.at..];
        self.at += rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n')).count();
    }

    fn fault(&mut self, kind: FaultKind, message: String, range: Range<usize>) {
        self.faults.push(Fault { kind, message, span: self.text.span_of(range) });
    }

    fn stop<T>(&mut self, message: impl Into<String>) -> Read<T> {
        let length = self.source[self.at..].chars().next().map_or(0, char::len_utf8);
        self.fault(FaultKind::Syntax, message.into(), self.at..self.at + length);
        Err(Stop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{Sources, Span};

    fn read(source: &str) -> (String, Vec<(String, String)>) {
        let mut sources = Sources::new();
        let file = sources.add("a.json", source);
        let (node, faults) = json(&Text::verbatim(source, Span::new(file, 0..source.len())));
        let faults = faults.into_iter().map(|fault| (fault.message, sources.slice(fault.span).to_owned()));
        (node.map_or("nothing".to_owned(), |node| shown(&node)), faults.collect())
    }

    fn shown(node: &Node) -> String {
        let list = |items: Vec<String>| items.join(",");
        match &node.value {
            Value::Null => "null".to_owned(),
            Value::Boolean(value) => value.to_string(),
            Value::Number(text) | Value::Datetime(text) => text.clone(),
            Value::Text(text) => format!("{:?}", text.value),
            Value::List(items) => format!("[{}]", list(items.iter().map(shown).collect())),
            Value::Table(entries) => {
                let entry = |entry: &Entry| format!("{}:{}", entry.key.value, shown(&entry.node));
                format!("{{{}}}", list(entries.iter().map(entry).collect()))
            }
        }
    }

    #[test]
    fn documents_are_read() {
        let check = |source: &str, expected: &str| {
            assert_eq!(read(source), (expected.to_owned(), Vec::new()), "{source}");
        };
        check(" {} ", "{}");
        check("\u{FEFF}[]", "[]");
        check(
            r#"{"a":[1,-2.5e3,true,false,null],"b":{"c":"x"}}"#,
            r#"{a:[1,-2.5e3,true,false,null],b:{c:"x"}}"#,
        );
        check(r#""a\"\\\/\n\u00e9\ud83d\ude00\ud800x""#, "\"a\\\"\\\\/\\né😀\u{FFFD}x\"");
    }

    #[test]
    fn faults_are_placed() {
        let check = |source: &str, expected: &str, message: &str, place: &str| {
            let expected = (expected.to_owned(), vec![(message.to_owned(), place.to_owned())]);
            assert_eq!(read(source), expected, "{source}");
        };
        check("{\"a\":1,}", "{a:1}", "a comma stands before `}`", ",");
        check("[1 , ]", "[1]", "a comma stands before `]`", ",");
        check("{\"a\":1,\"a\":2}", "{a:2}", "the key `a` stands here twice", "\"a\"");
        check("", "nothing", "the document ends too soon", "");
        check("{\"a\"", "nothing", "`:` is expected behind a key", "");
        check("{a:1}", "nothing", "a key in double quotes is expected here", "a");
        check("[1 2]", "nothing", "`,` or `]` is expected here", "2");
        check("[,1]", "nothing", "a value is expected here", ",");
        check("[1", "nothing", "the document ends too soon: `]` is missing", "");
        check("\"a", "nothing", "the string does not end", "\"");
        check("\"a\nb\"", "nothing", "a control character must be written as an escape: `\\u000a`", "\n");
        check("\"\\x\"", "nothing", "there is no such escape", "\\");
        check("\"\\u+0e9\"", "nothing", "`\\u` is followed by four hexadecimal digits", "\\");
        check("01", "nothing", "this is not a number of JSON", "0");
        check("maybe", "nothing", "a value is expected here; strings stand in double quotes", "m");
        check("{} x", "{}", "nothing may follow the value", "x");
    }

    #[test]
    fn depth_has_a_limit() {
        let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
        assert!(read(&nested(MAX_DEPTH)).1.is_empty());
        let (_, faults) = read(&nested(MAX_DEPTH + 1));
        assert_eq!(faults[0].0, "values must not be nested more than 128 deep");
        assert_eq!(read(&"[".repeat(1 << 20)).1.len(), 1);
    }

    #[test]
    fn what_stands_in_a_string_has_its_place_in_the_file() {
        let source = r#"{"m":"{\"a\": x}"}"#;
        let mut sources = Sources::new();
        let file = sources.add("a.json", source);
        let (node, _) = json(&Text::verbatim(source, Span::new(file, 0..source.len())));
        let Some(Node { value: Value::Table(entries), .. }) = node else { panic!("a table") };
        let Value::Text(inner) = &entries[0].node.value else { panic!("a string") };
        let (_, faults) = json(inner);
        assert_eq!(faults[0].span.start as usize, source.find('x').expect("it is there"));
    }
}
