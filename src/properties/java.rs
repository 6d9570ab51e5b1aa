//! `.properties` as `java.util.Properties.load(Reader)` reads it (`LineReader.readLine`, `load0`, `loadConvert`).

use std::ops::Range;

use super::findings::{BACKSLASH_DROPPED, BAD_ESCAPE, BYTE_ORDER_MARK};
use super::{Entry, Properties};
use crate::diag::{Diagnostic, Edit};
use crate::source::{FileId, Segment, Span, Text};

/// Reads a `.properties` text. A byte order mark is kept in the first name, as Java keeps it.
pub fn read(file: FileId, text: &str) -> (Properties, Vec<Diagnostic>) {
    let mut reader = Reader { file, found: Vec::new() };
    if text.starts_with('\u{FEFF}') {
        let span = Span::new(file, 0..'\u{FEFF}'.len_utf8());
        let message = "the byte order mark becomes part of the first name";
        let finding = Diagnostic::new(&BYTE_ORDER_MARK, span, message)
            .help("save the file as UTF-8 without a byte order mark")
            .fix(true, vec![Edit { span, text: String::new() }]);
        reader.found.push(finding);
    }
    let mut entries = Vec::new();
    let mut rest = text.char_indices().peekable();
    let mut line = Vec::new();
    while logical_line(&mut rest, &mut line) {
        entries.push(reader.entry(&line));
    }
    (Properties { entries }, reader.found)
}

/// Backslashes closer to each other than this are taken for those of one value.
const MAX_LINE: u32 = 80;

/// A character of a logical line and where it starts.
type Place = (usize, char);

/// White space inside a line.
fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\x0C')
}

/// The next logical line: comments and blank lines skipped, continued lines put together. False at the end.
fn logical_line(rest: &mut std::iter::Peekable<std::str::CharIndices<'_>>, line: &mut Vec<Place>) -> bool {
    line.clear();
    let (mut skip_blanks, mut continued, mut backslash) = (true, false, false);
    while let Some((at, c)) = rest.next() {
        if skip_blanks {
            if is_blank(c) || !continued && matches!(c, '\r' | '\n') {
                continue;
            }
            (skip_blanks, continued) = (false, false);
        }
        if line.is_empty() && matches!(c, '#' | '!') {
            while rest.next_if(|(_, c)| !matches!(c, '\r' | '\n')).is_some() {}
            skip_blanks = true;
        } else if !matches!(c, '\r' | '\n') {
            line.push((at, c));
            backslash = c == '\\' && !backslash;
        } else if line.is_empty() {
            skip_blanks = true;
        } else if backslash {
            line.pop();
            if rest.peek().is_none() {
                return true;
            }
            (skip_blanks, continued, backslash) = (true, true, false);
            if c == '\r' {
                rest.next_if(|(_, c)| *c == '\n');
            }
        } else {
            return true;
        }
    }
    let read = !line.is_empty();
    if backslash {
        line.pop();
    }
    read
}

struct Reader {
    file: FileId,
    found: Vec<Diagnostic>,
}

impl Reader {
    fn entry(&mut self, line: &[Place]) -> Entry {
        let mut backslash = false;
        let separates = |(_, c): &Place| {
            let separates = !backslash && (matches!(c, '=' | ':') || is_blank(*c));
            backslash = *c == '\\' && !backslash;
            separates
        };
        let key_end = line.iter().position(separates).unwrap_or(line.len());
        let mut value_start = key_end;
        let mut separated = false;
        while let Some((_, c)) = line.get(value_start) {
            let sign = matches!(c, '=' | ':') && !separated;
            if !sign && !is_blank(*c) {
                break;
            }
            separated |= sign;
            value_start += 1;
        }
        let start = line.first().map_or(0, |(at, _)| *at);
        let end = line.last().map_or(start, |(at, c)| at + c.len_utf8());
        Entry {
            span: Span::new(self.file, start..end),
            key: self.convert(&line[..key_end], start),
            value: self.convert(&line[value_start..], end),
            is_final: false,
        }
    }

    /// Resolves the escapes; a text without characters stands at `empty_at`.
    fn convert(&mut self, line: &[Place], empty_at: usize) -> Text {
        let mut text = Builder::default();
        let mut at = 0;
        while let Some(&(start, c)) = line.get(at) {
            if c != '\\' {
                text.verbatim(start, c);
                at += 1;
                continue;
            }
            let Some(&(escaped_at, escaped)) = line.get(at + 1) else { break };
            let mut length = 2;
            let decoded = match escaped {
                't' => '\t',
                'r' => '\r',
                'n' => '\n',
                'f' => '\x0C',
                'u' => match unicode(&line[at..]) {
                    Some((decoded, taken)) => {
                        length = taken;
                        decoded
                    }
                    None => {
                        self.bad_escape(start..escaped_at + 1);
                        'u'
                    }
                },
                other => {
                    // Signs that mean something are escaped on purpose.
                    if other.is_alphanumeric() {
                        self.dropped(start..escaped_at + escaped.len_utf8(), other);
                    }
                    other
                }
            };
            let (last_at, last) = line[at + length - 1];
            text.replaced(start..last_at + last.len_utf8(), decoded);
            at += length;
        }
        text.finish(self.file, empty_at)
    }

    fn dropped(&mut self, range: Range<usize>, escaped: char) {
        let span = Span::new(self.file, range);
        // One for each line is enough.
        let is_known = |found: &Diagnostic| {
            found.rule.name == BACKSLASH_DROPPED.name && span.start - found.span.start < MAX_LINE
        };
        if self.found.last().is_some_and(is_known) {
            return;
        }
        let message = format!("Java drops the backslash before `{escaped}`");
        let finding = Diagnostic::new(&BACKSLASH_DROPPED, span, message);
        self.found.push(finding.help("write `/` in a path, or `\\\\` for a backslash"));
    }

    fn bad_escape(&mut self, range: Range<usize>) {
        let span = Span::new(self.file, range);
        let finding = Diagnostic::new(&BAD_ESCAPE, span, "`\\u` is not followed by four hexadecimal digits");
        self.found.push(finding.help("write `\\\\` for a backslash"));
    }
}

/// The character of a `\u` escape at the start, or of two that form a surrogate pair, and how many characters it takes.
/// Half a pair, which Java keeps and Rust cannot, becomes U+FFFD.
fn unicode(line: &[Place]) -> Option<(char, usize)> {
    const LENGTH: usize = 6;
    let unit = unit(line)?;
    if let Some(decoded) = char::from_u32(unit) {
        return Some((decoded, LENGTH));
    }
    let second = line.get(LENGTH..).and_then(self::unit).filter(|_| unit < 0xDC00);
    match second {
        Some(second @ 0xDC00..=0xDFFF) => {
            char::from_u32(0x10000 + ((unit - 0xD800) << 10) + (second - 0xDC00)).map(|c| (c, 2 * LENGTH))
        }
        _ => Some((char::REPLACEMENT_CHARACTER, LENGTH)),
    }
}

/// The code unit of a `\u` escape at the start.
fn unit(line: &[Place]) -> Option<u32> {
    let [(_, '\\'), (_, 'u'), digits @ ..] = line else { return None };
    let digits = digits.get(..4)?;
    digits.iter().try_fold(0, |unit, (_, c)| Some(unit * 16 + c.to_digit(16)?))
}

/// Puts text and pieces together.
#[derive(Default)]
struct Builder {
    value: String,
    segments: Vec<Segment>,
}

impl Builder {
    fn verbatim(&mut self, start: usize, c: char) {
        match self.segments.last_mut() {
            Some(last) if last.verbatim && (last.source + last.source_len) as usize == start => {
                last.source_len += c.len_utf8() as u32;
            }
            _ => self.segment(start..start + c.len_utf8(), true),
        }
        self.value.push(c);
    }

    fn replaced(&mut self, range: Range<usize>, c: char) {
        self.segment(range, false);
        self.value.push(c);
    }

    fn segment(&mut self, range: Range<usize>, verbatim: bool) {
        self.segments.push(Segment {
            decoded: self.value.len() as u32,
            source: range.start as u32,
            source_len: range.len() as u32,
            verbatim,
        });
    }

    fn finish(self, file: FileId, empty_at: usize) -> Text {
        match self.segments.as_slice() {
            [] => Text::verbatim("", Span::new(file, empty_at..empty_at)),
            [only] if only.verbatim => {
                let start = only.source as usize;
                let span = Span::new(file, start..start + only.source_len as usize);
                Text::verbatim(self.value, span)
            }
            [first, ..] => {
                let last = self.segments[self.segments.len() - 1];
                let span = Span::new(file, first.source as usize..(last.source + last.source_len) as usize);
                Text::with_segments(self.value, span, self.segments)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Sources;

    fn check(text: &str, expected: &[(&str, &str)]) {
        let mut sources = Sources::new();
        let file = sources.add("a.properties", text);
        let (properties, found) = read(file, text);
        let is_other = |finding: &Diagnostic| finding.rule.name != BACKSLASH_DROPPED.name;
        assert!(!found.iter().any(is_other), "{found:?}");
        let read: Vec<_> =
            properties.entries.iter().map(|e| (e.key.value.as_str(), e.value.value.as_str())).collect();
        assert_eq!(read, expected, "{text:?}");
    }

    #[test]
    fn lines_are_javas() {
        check("a=b", &[("a", "b")]);
        check("a = b \na:c\r\n a\t d\ra", &[("a", "b "), ("a", "c"), ("a", "d"), ("a", "")]);
        check("#x\n  ! y=z\n\n\\u0041\\ b==c", &[("A b", "=c")]);
        check("a=b\\\n   c\\\\\nd", &[("a", "bc\\"), ("d", "")]);
        check("a=1,\\\n# no comment\nb", &[("a", "1,# no comment"), ("b", "")]);
        check("a=1\\\n\nb=2", &[("a", "1"), ("b", "2")]);
        check("\\\n#comment\nb", &[("b", "")]);
        check("\\\n", &[("", "")]);
        check("a=\\uD83D\\uDE00\\ud83d", &[("a", "\u{1F600}\u{FFFD}")]);
        check("a\\=b\\:c=\\t\\n\\q", &[("a=b:c", "\t\nq")]);
        check("a b\\", &[("a", "b")]);
        check("a=\\u00\\\n  e9", &[("a", "é")]);
    }

    #[test]
    fn every_piece_knows_its_place() {
        let text = "k\\=\\u00e9y = x\\\n  y${z}";
        let mut sources = Sources::new();
        let file = sources.add("a.properties", text);
        let (properties, _) = read(file, text);
        let entry = &properties.entries[0];
        assert_eq!(entry.key.value, "k=éy");
        assert_eq!(sources.slice(entry.key.span_of(2..4)), "\\u00e9");
        assert_eq!(entry.value.value, "xy${z}");
        assert_eq!(sources.slice(entry.value.span_of(2..6)), "${z}");
        assert_eq!(sources.slice(entry.span), text);
    }

    #[test]
    fn what_java_refuses_or_mistakes_is_found() {
        let rules = |bytes: &[u8]| {
            let mut sources = Sources::new();
            let (_, _, found) = super::super::read_bytes(&mut sources, "a.properties", bytes);
            found.iter().map(|d| (d.rule.name, sources.slice(d.span).to_owned())).collect::<Vec<_>>()
        };
        assert_eq!(rules(b"a=C:\\users"), [("properties-bad-escape", "\\u".to_owned())]);
        assert_eq!(rules(b"\xEF\xBB\xBFa=b"), [("properties-byte-order-mark", "\u{FEFF}".to_owned())]);
        assert_eq!(rules(b"a=\xE9"), [("properties-encoding", "\u{FFFD}".to_owned())]);
    }
}
