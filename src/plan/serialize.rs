//! A definition as the text that the server evaluates: JDOM's pretty format, without comments.
//!
//! The server turns a bundle, or an action, back into text before it puts values in. So an expression in an attribute
//! is evaluated with `&quot;` in it, a `<` in text as `&lt;`, and what values bring along becomes markup. The text
//! made here still knows where each piece stands in the file.

use crate::el;
use crate::source::{Segment, Span, Text};
use crate::xml::{Element, Node};

/// An element as pretty-printed text (`XmlUtils.removeComments`, `XmlUtils.prettyPrint`). `file` is the text of the
/// file that the element was read from.
pub(crate) fn serialize(element: &Element, file: &str) -> Text {
    let mut writer = Writer::new(file, "\r\n");
    writer.element(element, "", 0);
    Text::with_segments(writer.out, element.span, writer.segments)
}

/// The same with plain line ends, for people.
pub(crate) fn pretty(element: &Element, file: &str) -> Text {
    let mut writer = Writer::new(file, "\n");
    writer.element(element, "", 0);
    Text::with_segments(writer.out, element.span, writer.segments)
}

/// The same with expressions as they are meant, not as markup would have them: for a dialect that evaluates each text
/// by itself, so that a value never becomes markup. Whoever puts values in escapes them ([`escaped_value`]).
pub(crate) fn with_plain_expressions(element: &Element, file: &str) -> Text {
    let mut writer = Writer { keeps_expressions: true, ..Writer::new(file, "\n") };
    writer.element(element, "", 0);
    Text::with_segments(writer.out, element.span, writer.segments)
}

/// A value as it is written into an element or an attribute.
pub(crate) fn escaped_value(value: &str) -> String {
    escaped(value)
}

/// A text as it is printed between tags.
pub(crate) fn escaped_text(text: &Text, file: &str) -> Text {
    let mut writer = Writer::new(file, "\n");
    for piece in pieces(text, file) {
        let place = if piece.cdata { Place::Cdata } else { Place::Text };
        writer.text(piece.text, piece.start, piece.end, place);
    }
    Text::with_segments(writer.out, text.span, writer.segments)
}

/// A stretch of text that is either plain or a CDATA section, as a range of the decoded text.
struct Piece<'t> {
    text: &'t Text,
    start: usize,
    end: usize,
    cdata: bool,
}

impl Piece<'_> {
    fn value(&self) -> &str {
        &self.text.value[self.start..self.end]
    }

    fn is_blank(&self) -> bool {
        self.value().bytes().all(is_white)
    }
}

/// The text of an element as its first stretch of plain text or CDATA, trimmed at the ends of the whole: what
/// `XConfiguration` takes for a name or a value out of pretty-printed XML. `None` when there is none.
pub(crate) fn first_piece(element: &Element, file: &str) -> Option<Text> {
    let pieces =
        trimmed(element.children.iter().filter_map(text_of).flat_map(|text| pieces(text, file)).collect());
    let first = pieces.first()?;
    // Plain stretches that only a comment parted are one.
    let more = pieces.iter().take_while(|piece| piece.cdata == first.cdata && !first.cdata);
    let texts: Vec<_> = more.map(|piece| piece.text.part(piece.start..piece.end)).collect();
    match &*texts {
        [] => Some(first.text.part(first.start..first.end)),
        [only] => Some(only.clone()),
        _ => Some(Text::computed(texts.iter().map(|text| &*text.value).collect::<String>(), first.text.span)),
    }
}

fn text_of(node: &Node) -> Option<&Text> {
    match node {
        Node::Text(text) => Some(text),
        _ => None,
    }
}

fn is_white(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

/// The plain and the CDATA stretches of a text node.
fn pieces<'t>(text: &'t Text, file: &str) -> Vec<Piece<'t>> {
    let raw = file.get(text.span.range()).unwrap_or("");
    let mut sections = Vec::new();
    let mut from = 0;
    while let Some(at) = raw[from..].find("<![CDATA[") {
        let start = from + at;
        let end = raw[start..].find("]]>").map_or(raw.len(), |length| start + length);
        sections.push(text.span.start as usize + start..text.span.start as usize + end);
        from = end;
    }
    let whole = Piece { text, start: 0, end: text.value.len(), cdata: false };
    if sections.is_empty() {
        return vec![whole];
    }
    let mut found: Vec<Piece<'t>> = Vec::new();
    let mut last = None;
    for (at, c) in text.value.char_indices() {
        let place = text.span_of(at..at + c.len_utf8()).start as usize;
        let section = sections.partition_point(|section| section.end <= place);
        let inside = sections.get(section).is_some_and(|section| section.contains(&place));
        let key = (section, inside);
        match found.last_mut() {
            Some(piece) if last == Some(key) => piece.end = at + c.len_utf8(),
            _ => found.push(Piece { text, start: at, end: at + c.len_utf8(), cdata: inside }),
        }
        last = Some(key);
    }
    found
}

/// Without blank stretches at both ends and without white space at the ends of what is left.
fn trimmed(mut pieces: Vec<Piece<'_>>) -> Vec<Piece<'_>> {
    while pieces.last().is_some_and(Piece::is_blank) {
        pieces.pop();
    }
    let blank = pieces.iter().take_while(|piece| piece.is_blank()).count();
    pieces.drain(..blank);
    if let Some(first) = pieces.first_mut() {
        let value = first.value();
        first.start += value.len() - trim_start(value).len();
    }
    if let Some(last) = pieces.last_mut() {
        let value = last.value();
        last.end -= value.len() - value.trim_end_matches(|c: char| c.is_ascii() && is_white(c as u8)).len();
    }
    pieces
}

fn trim_start(value: &str) -> &str {
    value.trim_start_matches(|c: char| c.is_ascii() && is_white(c as u8))
}

struct Writer<'f> {
    out: String,
    segments: Vec<Segment>,
    file: &'f str,
    line_end: &'static str,
    /// Nothing within `${…}` is escaped.
    keeps_expressions: bool,
}

impl<'f> Writer<'f> {
    fn new(file: &'f str, line_end: &'static str) -> Writer<'f> {
        Writer { out: String::new(), segments: Vec::new(), file, line_end, keeps_expressions: false }
    }

    /// Recursive: trees are no deeper than the reader's limit.
    fn element(&mut self, element: &Element, namespace: &str, level: usize) {
        let place = element.name_span;
        let (local, own): (&str, &str) = (&element.name.local, &element.name.namespace);
        self.markup(&format!("<{local}"), place);
        if own != namespace {
            self.markup(&format!(" xmlns=\"{}\"", escaped(own)), place);
        }
        for (number, attribute) in element.attributes.iter().enumerate() {
            let (local, foreign): (&str, &str) = (&attribute.name.local, &attribute.name.namespace);
            let name = match foreign {
                "" => format!(" {local}=\""),
                "http://www.w3.org/XML/1998/namespace" => format!(" xml:{local}=\""),
                _ => format!(" xmlns:n{number}=\"{}\" n{number}:{local}=\"", escaped(foreign)),
            };
            self.markup(&name, attribute.name_span);
            self.text(&attribute.value, 0, attribute.value.value.len(), Place::Attribute);
            self.markup("\"", attribute.name_span);
        }
        let content = content(element, self.file);
        if content.is_empty() {
            return self.markup(" />", place);
        }
        self.markup(">", place);
        let only_text = content.iter().all(|item| matches!(item, Item::Text(_)));
        for item in &content {
            if !only_text {
                self.new_line(level + 1, place);
            }
            match item {
                Item::Element(child) => self.element(child, own, level + 1),
                Item::Text(pieces) => pieces.iter().for_each(|piece| self.piece(piece, place)),
            }
        }
        if !only_text {
            self.new_line(level, place);
        }
        self.markup(&format!("</{local}>"), place);
    }

    fn piece(&mut self, piece: &Piece<'_>, place: Span) {
        if piece.cdata {
            self.markup("<![CDATA[", place);
            self.text(piece.text, piece.start, piece.end, Place::Cdata);
            self.markup("]]>", place);
        } else {
            self.text(piece.text, piece.start, piece.end, Place::Text);
        }
    }

    fn new_line(&mut self, level: usize, place: Span) {
        self.markup(&format!("{}{}", self.line_end, "  ".repeat(level)), place);
    }

    /// What stands in the file in another form, or not at all.
    fn markup(&mut self, text: &str, place: Span) {
        self.segment(place.start, place.end - place.start, false);
        self.out.push_str(text);
    }

    /// A part of a text, escaped for its place.
    fn text(&mut self, text: &Text, start: usize, end: usize, place: Place) {
        let mut run = start;
        let mut verbatim = None;
        let expressions = if self.keeps_expressions { expressions(text) } else { Vec::new() };
        for (at, c) in text.value[start..end].char_indices().map(|(at, c)| (start + at, c)) {
            let source = text.span_of(at..at + c.len_utf8());
            let is_kept = expressions.iter().any(|range| range.contains(&at));
            let escape = if is_kept { None } else { place.escape(c, self.line_end) };
            let plain = escape.is_none() && (source.end - source.start) as usize == c.len_utf8();
            if plain && verbatim == Some(source.start) {
                verbatim = Some(source.end);
                continue;
            }
            self.out.push_str(&text.value[run..at]);
            self.segment(source.start, source.end - source.start, plain);
            match escape {
                Some(escape) => {
                    self.out.push_str(escape);
                    run = at + c.len_utf8();
                    verbatim = None;
                }
                None => {
                    run = at;
                    verbatim = plain.then_some(source.end);
                }
            }
        }
        self.out.push_str(&text.value[run..end]);
        self.lengthen_runs();
    }

    /// The last verbatim segment reaches as far as the text that follows it.
    fn lengthen_runs(&mut self) {
        let mut next = self.out.len() as u32;
        for segment in self.segments.iter_mut().rev() {
            if segment.verbatim {
                if segment.source_len == next - segment.decoded {
                    break;
                }
                segment.source_len = next - segment.decoded;
            }
            next = segment.decoded;
        }
    }

    fn segment(&mut self, source: u32, source_len: u32, verbatim: bool) {
        let decoded = self.out.len() as u32;
        // A segment of no decoded text gives way to the next.
        if self.segments.last().is_some_and(|last| last.decoded == decoded) {
            self.segments.pop();
        }
        self.segments.push(Segment { decoded, source, source_len, verbatim });
    }
}

/// Where expressions stand in a text.
fn expressions(text: &Text) -> Vec<std::ops::Range<usize>> {
    let of_expression = |part: &el::Part| match part {
        el::Part::Expression { range, .. } => Some(range.clone()),
        el::Part::Literal { .. } => None,
    };
    el::parse(text).0.parts.iter().filter_map(of_expression).collect()
}

enum Item<'e> {
    Element(&'e Element),
    Text(Vec<Piece<'e>>),
}

/// What is printed of an element's content: no comments, no blank texts, texts trimmed.
fn content<'e>(element: &'e Element, file: &str) -> Vec<Item<'e>> {
    let mut items = Vec::new();
    let mut texts: Vec<Piece<'e>> = Vec::new();
    let flush = |texts: &mut Vec<Piece<'e>>, items: &mut Vec<Item<'e>>| {
        let pieces = trimmed(std::mem::take(texts));
        if !pieces.is_empty() {
            items.push(Item::Text(pieces));
        }
    };
    for node in &element.children {
        match node {
            Node::Text(text) => texts.extend(pieces(text, file)),
            Node::Comment(_) => {}
            Node::Element(child) => {
                flush(&mut texts, &mut items);
                items.push(Item::Element(child));
            }
        }
    }
    flush(&mut texts, &mut items);
    items
}

#[derive(Clone, Copy)]
enum Place {
    Text,
    Attribute,
    Cdata,
}

impl Place {
    /// How a character is written, when not as itself.
    fn escape(self, c: char, line_end: &'static str) -> Option<&'static str> {
        Some(match (self, c) {
            (Place::Cdata, _) => return None,
            (_, '<') => "&lt;",
            (_, '>') => "&gt;",
            (_, '&') => "&amp;",
            (_, '\r') => "&#xD;",
            (Place::Text, '\n') => line_end,
            (Place::Attribute, '\n') => "&#xA;",
            (Place::Attribute, '\t') => "&#x9;",
            (Place::Attribute, '"') => "&quot;",
            _ => return None,
        })
    }
}

fn escaped(value: &str) -> String {
    value.chars().fold(String::new(), |mut out, c| {
        match Place::Attribute.escape(c, "\n") {
            Some(escape) => out.push_str(escape),
            None => out.push(c),
        }
        out
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Sources;
    use crate::xml::{Limits, read};

    fn element(text: &str) -> Element {
        let file = Sources::new().add("a.xml", text);
        read(file, text, &Limits::default()).0.expect("well-formed")
    }

    #[test]
    fn elements_are_printed_as_jdom_does() {
        let check = |text: &str, expected: &str| assert_eq!(serialize(&element(text), text).value, expected);
        check("<a/>", "<a />");
        check("<a> \n </a>", "<a />");
        check("<a b='&quot;&lt;&#10;'>\n x  y </a>", "<a b=\"&quot;&lt;&#xA;\">x  y</a>");
        check("<a><!-- ${x} --><b/>t<!-- --> u </a>", "<a>\r\n  <b />\r\n  t u\r\n</a>");
        check("<a>x&amp;&lt;\ny</a>", "<a>x&amp;&lt;\r\ny</a>");
        check("<a> <![CDATA[ <x> ]]> </a>", "<a><![CDATA[<x>]]></a>");
        check("<a>x <![CDATA[&]]></a>", "<a>x <![CDATA[&]]></a>");
        check(
            "<a xmlns='u:1' k='v'><b xmlns='u:2'><c/></b><d/></a>",
            "<a xmlns=\"u:1\" k=\"v\">\r\n  <b xmlns=\"u:2\">\r\n    <c />\r\n  </b>\r\n  <d />\r\n</a>",
        );
    }

    #[test]
    fn every_piece_knows_its_place() {
        let text = "<a b='1 ${x}'>\n<c>y&amp;${z}\r\n${w}</c><!-- ${no} --> <![CDATA[${q}<]]></a>";
        let printed = serialize(&element(text), text);
        for name in ["${x}", "${z}", "${w}", "${q}", "1 ${x}"] {
            let at = printed.value.find(name).expect("it is printed");
            assert_eq!(&text[printed.span_of(at..at + name.len()).range()], name);
        }
        let at = printed.value.find("&amp;").expect("it is printed");
        assert_eq!(&text[printed.span_of(at..at + 5).range()], "&amp;");
    }

    #[test]
    fn configurations_take_the_first_stretch() {
        let check = |text: &str, expected: Option<&str>| {
            assert_eq!(first_piece(&element(text), text).map(|text| text.value).as_deref(), expected);
        };
        check("<v> x </v>", Some("x"));
        check("<v>\n<![CDATA[ x ]]>\n</v>", Some("x"));
        check("<v>x<![CDATA[y]]></v>", Some("x"));
        check("<v>x<!-- -->y</v>", Some("xy"));
        check("<v> </v>", None);
        check("<v/>", None);
    }
}
