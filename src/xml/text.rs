//! Text and attribute values as XML 1.0 decodes them (2.11, 3.3.3, 4.1), each piece with its place.

use std::ops::Range;

use crate::source::{FileId, Segment, Span, Text};

/// What `&...;` at the start of `raw` stands for and how many bytes it takes; `None` when it is no reference to a
/// character or to one of the five predefined entities.
pub(super) fn reference(raw: &str) -> Option<(char, usize)> {
    let name = &raw[1..memchr::memchr(b';', raw.as_bytes())?];
    let decoded = match name {
        "lt" => '<',
        "gt" => '>',
        "amp" => '&',
        "quot" => '"',
        "apos" => '\'',
        _ => {
            let digits = name.strip_prefix('#')?;
            let (digits, radix) = match digits.strip_prefix('x') {
                Some(hex) => (hex, 16),
                None => (digits, 10),
            };
            if digits.starts_with('+') {
                return None;
            }
            char::from_u32(u32::from_str_radix(digits, radix).ok()?).filter(|c| is_xml_char(*c))?
        }
    };
    Some((decoded, name.len() + 2))
}

/// Whether a document can hold a character (the production `Char`).
pub fn is_xml_char(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | ' '..='\u{FFFD}' | '\u{10000}'..)
}

/// Element content without child elements: text, references and CDATA sections. Well-formed by now.
pub(super) fn content(file: FileId, text: &str, range: Range<usize>) -> Text {
    let raw = &text[range.clone()];
    let span = Span::new(file, range.clone());
    if memchr::memchr3(b'&', b'<', b'\r', raw.as_bytes()).is_none() {
        return Text::verbatim(raw, span);
    }
    let mut decoder = Decoder::new(raw, range.start);
    while let Some(at) = memchr::memchr3(b'&', b'<', b'\r', decoder.rest()) {
        decoder.verbatim(at);
        let rest = &raw[decoder.at..];
        if let Some(body) = rest.strip_prefix("<![CDATA[") {
            let length = body.find("]]>").unwrap_or(body.len());
            decoder.skip("<![CDATA[".len());
            let end = decoder.at + length;
            while let Some(at) = memchr::memchr(b'\r', &decoder.rest()[..end - decoder.at]) {
                decoder.verbatim(at);
                decoder.line_end('\n');
            }
            decoder.verbatim(end - decoder.at);
            decoder.skip("]]>".len());
        } else {
            decoder.mark('\n');
        }
    }
    decoder.finish(span)
}

/// An attribute value between its quotes: line breaks and tabs become blanks.
pub(super) fn attribute(file: FileId, text: &str, range: Range<usize>) -> Text {
    let raw = &text[range.clone()];
    let span = Span::new(file, range.clone());
    let special = |b: &u8| matches!(b, b'&' | b'\t' | b'\n' | b'\r');
    if !raw.bytes().any(|b| special(&b)) {
        return Text::verbatim(raw, span);
    }
    let mut decoder = Decoder::new(raw, range.start);
    while let Some(at) = decoder.rest().iter().position(special) {
        decoder.verbatim(at);
        decoder.mark(' ');
    }
    decoder.finish(span)
}

/// Collects decoded text and where its pieces stand.
struct Decoder<'a> {
    raw: &'a str,
    /// Where `raw` starts in the file.
    base: usize,
    /// How far `raw` is read.
    at: usize,
    value: String,
    segments: Vec<Segment>,
}

impl<'a> Decoder<'a> {
    fn new(raw: &'a str, base: usize) -> Decoder<'a> {
        Decoder { raw, base, at: 0, value: String::with_capacity(raw.len()), segments: Vec::new() }
    }

    fn rest(&self) -> &'a [u8] {
        &self.raw.as_bytes()[self.at..]
    }

    fn skip(&mut self, bytes: usize) {
        self.at = (self.at + bytes).min(self.raw.len());
    }

    fn segment(&mut self, bytes: usize, verbatim: bool) {
        self.segments.push(Segment {
            decoded: self.value.len() as u32,
            source: (self.base + self.at) as u32,
            source_len: bytes as u32,
            verbatim,
        });
    }

    /// Takes the next bytes over as they are.
    fn verbatim(&mut self, bytes: usize) {
        if bytes > 0 {
            self.segment(bytes, true);
            self.value.push_str(&self.raw[self.at..self.at + bytes]);
            self.at += bytes;
        }
    }

    /// Takes the next bytes over as one character.
    fn replace(&mut self, bytes: usize, with: char) {
        self.segment(bytes, false);
        self.value.push(with);
        self.at += bytes;
    }

    /// A line break or tab.
    fn line_end(&mut self, with: char) {
        let bytes = if self.rest().starts_with(b"\r\n") { 2 } else { 1 };
        self.replace(bytes, with);
    }

    /// A reference, line break or tab.
    fn mark(&mut self, white: char) {
        let rest = &self.raw[self.at..];
        if !rest.starts_with('&') {
            self.line_end(white);
        } else if let Some((decoded, bytes)) = reference(rest) {
            self.replace(bytes, decoded);
        } else {
            self.verbatim(1);
        }
    }

    fn finish(mut self, span: Span) -> Text {
        self.verbatim(self.raw.len() - self.at);
        Text::with_segments(self.value, span, self.segments)
    }
}
