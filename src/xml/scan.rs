//! A first pass over the bytes: the limits, and the usual faults with their exact places.
//!
//! The parser proper stops at the first fault, knows no place for some, and allocates by what it is promised; this pass
//! is what lets it run on anything. It accepts what the parser will judge: characters, names, prefixes.

use std::ops::Range;

use super::findings::*;
use super::limits::Limits;
use super::text::reference;
use crate::diag::{Diagnostic, Edit};
use crate::source::{FileId, Span};

/// A scan that found this many faults stops.
const MAX_FAULTS: usize = 100;

/// An element whose end tag has not come yet.
struct Open {
    name: Range<usize>,
    namespaces: usize,
}

/// Where the attributes of a start tag stand.
#[derive(Debug, Default)]
pub(super) struct StartTag {
    pub(super) name: Range<usize>,
    /// Name and value (between the quotes) of each, namespace declarations too.
    pub(super) attributes: Vec<(Range<usize>, Range<usize>)>,
    /// One past `>`.
    pub(super) end: usize,
    pub(super) empty: bool,
}

/// Looks through the document. No findings: it may be parsed.
pub(super) fn scan(file: FileId, text: &str, limits: &Limits) -> Vec<Diagnostic> {
    let mut scan =
        Scan { file, text, limits, found: Vec::new(), open: Vec::new(), namespaces: 0, root: None, marks: 0 };
    if text.len() > limits.bytes {
        let message = format!("the file has {} bytes, the limit is {}", text.len(), limits.bytes);
        return vec![Diagnostic::new(&TOO_LARGE, Span::new(file, 0..0), message)];
    }
    // The parser reserves room for each.
    if memchr::memchr_iter(b'=', text.as_bytes()).count() > limits.nodes {
        scan.too_many_marks(0);
        return scan.found;
    }
    scan.document();
    match merge_mark(text).filter(|_| !scan.found.is_empty()) {
        Some(range) => {
            let message = "a merge was not finished here: its marks are not XML";
            let finding = Diagnostic::new(&NOT_WELL_FORMED, Span::new(file, range), message);
            vec![finding.help("decide for one version, and remove the marks")]
        }
        None => scan.found,
    }
}

/// The first line that begins with the mark of an unfinished merge.
fn merge_mark(text: &str) -> Option<Range<usize>> {
    const MARKS: [&str; 2] = ["<<<<<<< ", ">>>>>>> "];
    let starts = std::iter::once(0).chain(memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1));
    let at = starts.into_iter().find(|at| MARKS.iter().any(|mark| text[*at..].starts_with(mark)))?;
    Some(at..at + MARKS[0].len() - 1)
}

/// What is left of the document cannot be understood.
struct Stop;

struct Scan<'a> {
    file: FileId,
    text: &'a str,
    limits: &'a Limits,
    found: Vec<Diagnostic>,
    open: Vec<Open>,
    /// Namespace declarations in force.
    namespaces: usize,
    /// The root element's name, once seen.
    root: Option<Range<usize>>,
    marks: usize,
}

impl<'a> Scan<'a> {
    fn document(&mut self) {
        let start = if self.text.starts_with('\u{FEFF}') { '\u{FEFF}'.len_utf8() } else { 0 };
        let mut at = start;
        while at < self.text.len() && self.found.len() < MAX_FAULTS {
            let end = memchr::memchr(b'<', &self.text.as_bytes()[at..]).map_or(self.text.len(), |n| at + n);
            self.characters(at..end);
            if end == self.text.len() {
                break;
            }
            self.marks += 1;
            if self.marks > self.limits.nodes {
                return self.too_many_marks(end);
            }
            match self.markup(end, start) {
                Ok(next) => at = next,
                Err(Stop) => return,
            }
        }
        if self.found.len() >= MAX_FAULTS {
            return;
        }
        if let Some(open) = self.open.pop() {
            let name = &self.text[open.name.clone()];
            let message = format!("`<{name}>` is never closed");
            let help = format!("add `</{name}>`");
            self.fault(open.name, message).help = Some(help);
        } else if self.root.is_none() && self.found.is_empty() {
            self.fault(start..start, "the document has no element");
        }
    }

    fn fault(&mut self, range: Range<usize>, message: impl Into<String>) -> &mut Diagnostic {
        self.found.push(Diagnostic::new(&NOT_WELL_FORMED, Span::new(self.file, range), message));
        self.found.last_mut().expect("just pushed")
    }

    fn too_many_marks(&mut self, at: usize) {
        let message = format!("the file has more than {} tags and attributes", self.limits.nodes);
        self.found.push(Diagnostic::new(&TOO_MANY_NODES, Span::new(self.file, at..at), message));
    }

    /// Text between tags.
    fn characters(&mut self, range: Range<usize>) {
        let text = self.text;
        if self.open.is_empty() {
            let raw = &text[range.clone()];
            let stray = raw.trim_matches(is_space);
            if !stray.is_empty() {
                let start = range.start + raw.len() - raw.trim_start_matches(is_space).len();
                let end = start + stray.lines().next().map_or(0, str::len);
                self.fault(start..end.max(start), "text stands outside the root element");
            }
            return;
        }
        self.references(range.clone());
        if let Some(at) = memchr::memmem::find(&text.as_bytes()[range.clone()], b"]]>") {
            let at = range.start + at;
            self.fault(at..at + 3, "`]]>` stands in text").help = Some("write `]]&gt;`".to_owned());
        }
    }

    /// Reports every `&` that starts no reference.
    fn references(&mut self, range: Range<usize>) {
        let bytes = &self.text.as_bytes()[range.clone()];
        for at in memchr::memchr_iter(b'&', bytes) {
            if self.found.len() >= MAX_FAULTS {
                return;
            }
            let at = range.start + at;
            let rest = &self.text[at..range.end];
            if reference(rest).is_none() {
                self.bad_reference(at, rest);
            }
        }
    }

    fn bad_reference(&mut self, at: usize, rest: &str) {
        let name_end = rest[1..].find(|c| !is_name_char(c) && c != '#').map_or(rest.len(), |n| n + 1);
        let name = &rest[1..name_end];
        let closed = rest[name_end..].starts_with(';');
        if closed && name.starts_with('#') {
            let message = format!("`&{name};` is no character that XML allows");
            self.fault(at..at + name_end + 1, message);
        } else if closed && name.starts_with(is_name_start) {
            let message = format!("the entity `&{name};` is not defined");
            self.fault(at..at + name_end + 1, message).help =
                Some("write the character itself, or `&amp;` for a plain `&`".to_owned());
        } else {
            let span = Span::new(self.file, at + 1..at + 1);
            let fault = self.fault(at..at + 1, "a raw `&` starts an entity in XML");
            fault.help = Some("write `&amp;`".to_owned());
            if !matches!(name, "amp" | "lt" | "gt" | "quot" | "apos") {
                let edit = Edit { span, text: "amp;".to_owned() };
                *fault = fault.clone().fix(true, vec![edit]);
            } else {
                fault.help = Some(format!("write `&{name};` or `&amp;{name}`"));
            }
        }
    }

    /// Whatever starts with the `<` at `at`; gives where it ends.
    fn markup(&mut self, at: usize, start: usize) -> Result<usize, Stop> {
        let rest = &self.text[at..];
        if let Some(body) = rest.strip_prefix("<!--") {
            let Some(length) = memchr::memmem::find(body.as_bytes(), b"--") else {
                self.fault(at..at + 4, "the comment is never closed").help = Some("add `-->`".to_owned());
                return Err(Stop);
            };
            let end = at + 4 + length + 2;
            if self.text[end..].starts_with('>') {
                return Ok(end + 1);
            }
            self.fault(end - 2..end, "`--` stands in a comment").help = Some("leave out one `-`".to_owned());
            return match memchr::memmem::find(&self.text.as_bytes()[end - 1..], b"-->") {
                Some(length) => Ok(end - 1 + length + 3),
                None => Err(Stop),
            };
        }
        if let Some(body) = rest.strip_prefix("<![CDATA[") {
            if self.open.is_empty() {
                self.fault(at..at + 9, "text stands outside the root element");
            }
            let Some(length) = memchr::memmem::find(body.as_bytes(), b"]]>") else {
                self.fault(at..at + 9, "the CDATA section is never closed").help =
                    Some("add `]]>`".to_owned());
                return Err(Stop);
            };
            return Ok(at + 9 + length + 3);
        }
        if rest.starts_with("<!DOCTYPE") && self.root.is_none() {
            let end = rest.find(['[', '>']).map_or(self.text.len(), |n| at + n);
            let message = "the document has a DTD, which is refused and not read";
            let mut finding = Diagnostic::new(&DOCTYPE, Span::new(self.file, at..end), message);
            // The server's validator lets an internal one pass, so that its parser refuses it.
            if self.text[at..end].split(is_space).any(|word| matches!(word, "SYSTEM" | "PUBLIC")) {
                finding = finding.oozie(&["E0702"]);
            }
            self.found
                .push(finding.help("remove the `<!DOCTYPE ...>` and write out the entities that it defines"));
            return Err(Stop);
        }
        if rest.starts_with("<?") {
            return self.instruction(at, start);
        }
        if rest.starts_with("</") {
            return self.end_tag(at);
        }
        if rest[1..].starts_with(is_name_start) {
            return self.start_tag(at);
        }
        self.fault(at..at + 1, "a raw `<` starts a tag in XML").help = Some("write `&lt;`".to_owned());
        Ok(at + 1)
    }

    /// `<?...?>`, the declaration among them.
    fn instruction(&mut self, at: usize, start: usize) -> Result<usize, Stop> {
        let body = &self.text[at + 2..];
        let Some(length) = memchr::memmem::find(body.as_bytes(), b"?>") else {
            self.fault(at..at + 2, "`<?` is never closed").help = Some("add `?>`".to_owned());
            return Err(Stop);
        };
        let end = at + 2 + length + 2;
        let target = &body[..name_end(body, 0).min(length)];
        if target.is_empty() || !body[target.len()..].starts_with(is_space) && target.len() < length {
            self.fault(at..at + 2 + target.len(), "the processing instruction is not understood");
            return Ok(end);
        }
        if target == "xml" && at == start {
            self.declaration(at..end);
        } else if target.eq_ignore_ascii_case("xml") {
            self.fault(at..at + 5, "the XML declaration does not stand at the very start of the file").help =
                Some("remove what stands before it".to_owned());
            return Err(Stop);
        }
        Ok(end)
    }

    /// Checks what the parser takes on trust: version, encoding and standalone.
    fn declaration(&mut self, range: Range<usize>) {
        let body = &self.text[range.start + 5..range.end - 2];
        let mut rest = body;
        let mut seen = 0;
        loop {
            let trimmed = rest.trim_start_matches(is_space);
            let spaced = trimmed.len() < rest.len();
            let at = range.end - 2 - trimmed.len();
            if trimmed.is_empty() {
                break;
            }
            let Some((name, value, length)) = pseudo_attribute(trimmed).filter(|_| spaced) else {
                self.fault(at..range.end - 2, "the XML declaration is not understood");
                return;
            };
            let order = match name {
                "version" => 1,
                "encoding" => 2,
                "standalone" => 3,
                _ => 0,
            };
            let good = match name {
                "version" => matches!(value, "1.0" | "1.1"),
                "encoding" => value.starts_with(|c: char| c.is_ascii_alphabetic()),
                _ => matches!(value, "yes" | "no"),
            };
            if order <= seen || order > 1 && seen == 0 || !good {
                let message = format!("`{name}=\"{value}\"` does not belong here in an XML declaration");
                self.fault(at..at + length, message);
                return;
            }
            seen = order;
            rest = &trimmed[length..];
        }
        if seen == 0 {
            self.fault(range, "the XML declaration has no version").help =
                Some("write `<?xml version=\"1.0\"?>`".to_owned());
        }
    }

    fn end_tag(&mut self, at: usize) -> Result<usize, Stop> {
        let text = self.text;
        let name = at + 2..name_end(text, at + 2);
        let close = name.end + spaces(&text[name.end..]);
        if !text[close..].starts_with('>') {
            self.fault(at..name.end, "the end tag is not closed").help = Some("add `>`".to_owned());
            return Err(Stop);
        }
        let found = &text[name.clone()];
        let Some(open) = self.open.pop() else {
            let message = format!("`</{found}>` closes nothing");
            self.fault(at..close + 1, message);
            return Err(Stop);
        };
        self.namespaces -= open.namespaces;
        let expected = &text[open.name.clone()];
        if expected != found {
            let opened = Span::new(self.file, open.name.clone());
            let outer = self.open.iter().any(|outer| text[outer.name.clone()] == *found);
            let fault = if outer {
                self.fault(at..close + 1, format!("`<{expected}>` is not closed before `</{found}>`"))
            } else {
                self.fault(at..close + 1, format!("`</{found}>` does not close `<{expected}>`"))
            };
            let help = if outer { format!("add `</{expected}>`") } else { format!("write `</{expected}>`") };
            *fault = fault.clone().label(opened, format!("`{expected}` is opened here")).help(help);
            return Err(Stop);
        }
        Ok(close + 1)
    }

    fn start_tag(&mut self, at: usize) -> Result<usize, Stop> {
        let tag = self.attributes(at)?;
        if self.open.is_empty() && self.root.is_some() {
            let name = &self.text[tag.name.clone()];
            let message = format!("`<{name}>` stands beside the root element");
            let root = self.root.clone().map(|root| Span::new(self.file, root));
            let fault = self.fault(tag.name.clone(), message);
            if let Some(root) = root {
                *fault = fault.clone().label(root, "the root element");
            }
            return Err(Stop);
        }
        self.root.get_or_insert(tag.name.clone());
        let mut names: Vec<_> = tag.attributes.iter().map(|(name, _)| name.clone()).collect();
        let text = self.text;
        let namespaces =
            names.iter().filter(|n| text[(*n).clone()].split(':').next() == Some("xmlns")).count();
        if self.namespaces + namespaces > self.limits.attributes {
            self.too_many_attributes(&tag.name);
            return Err(Stop);
        }
        names.sort_by(|a, b| text[a.clone()].cmp(&text[b.clone()]).then(a.start.cmp(&b.start)));
        for pair in names.windows(2) {
            let name = &text[pair[0].clone()];
            if *name == text[pair[1].clone()] {
                let first = Span::new(self.file, pair[0].clone());
                let fault = self.fault(pair[1].clone(), format!("the attribute `{name}` stands twice"));
                *fault = fault.clone().label(first, "the first one");
            }
        }
        if !tag.empty {
            if self.open.len() >= self.limits.depth {
                let message = format!("elements are nested more than {} levels deep", self.limits.depth);
                self.found.push(Diagnostic::new(&TOO_DEEP, Span::new(self.file, tag.name), message));
                return Err(Stop);
            }
            self.namespaces += namespaces;
            self.open.push(Open { name: tag.name, namespaces });
        }
        Ok(tag.end)
    }

    fn too_many_attributes(&mut self, name: &Range<usize>) {
        let message =
            format!("`{}` has more than {} attributes", &self.text[name.clone()], self.limits.attributes);
        self.found.push(Diagnostic::new(&TOO_MANY_ATTRIBUTES, Span::new(self.file, name.clone()), message));
    }

    /// The start tag at `at`, with findings about its attributes.
    fn attributes(&mut self, at: usize) -> Result<StartTag, Stop> {
        let text = self.text;
        let mut tag = StartTag { name: at + 1..name_end(text, at + 1), ..StartTag::default() };
        let mut at = tag.name.end;
        loop {
            let gap = spaces(&text[at..]);
            at += gap;
            let rest = &text[at..];
            if rest.starts_with('>') || rest.starts_with("/>") {
                tag.empty = rest.starts_with('/');
                tag.end = at + if tag.empty { 2 } else { 1 };
                return Ok(tag);
            }
            if rest.is_empty() || rest.starts_with('<') {
                let name = &text[tag.name.clone()];
                let message = format!("the tag `<{name}` is not closed");
                self.fault(tag.name.clone(), message).help = Some("add `>`".to_owned());
                return Err(Stop);
            }
            let name = at..name_end(text, at);
            if name.is_empty() || !rest.starts_with(is_name_start) {
                let length = rest.chars().next().map_or(0, char::len_utf8);
                let found = &rest[..length];
                let message = format!("`{found}` stands where an attribute or `>` belongs");
                self.fault(at..at + length, message);
                return Err(Stop);
            }
            if gap == 0 {
                self.fault(name.clone(), "a blank is missing before the attribute");
            }
            let equals = name.end + spaces(&text[name.end..]);
            let quote = equals + 1 + text.get(equals + 1..).map_or(0, spaces);
            let shown = &text[name.clone()];
            if !text[equals..].starts_with('=') {
                let message = format!("the attribute `{shown}` has no value");
                self.fault(name, message).help = Some(format!("write `{shown}=\"...\"`"));
                return Err(Stop);
            }
            let Some(mark @ (b'"' | b'\'')) = text.as_bytes().get(quote).copied() else {
                let message = format!("the value of `{shown}` is not quoted");
                self.fault(name, message).help = Some(format!("write `{shown}=\"...\"`"));
                return Err(Stop);
            };
            let Some(length) = memchr::memchr(mark, &text.as_bytes()[quote + 1..]) else {
                let message = format!("the value of `{shown}` has no closing quote");
                self.fault(name, message).help = Some(format!("add `{}`", mark as char));
                return Err(Stop);
            };
            let value = quote + 1..quote + 1 + length;
            self.value(&name, value.clone())?;
            if value.is_empty() && shown.starts_with("xmlns:") {
                self.fault(name.clone(), format!("`{shown}` declares no namespace"));
            }
            at = value.end + 1;
            tag.attributes.push((name, value));
            if tag.attributes.len() > self.limits.attributes {
                self.too_many_attributes(&tag.name);
                return Err(Stop);
            }
        }
    }

    fn value(&mut self, name: &Range<usize>, value: Range<usize>) -> Result<(), Stop> {
        let text = self.text;
        if value.len() > self.limits.attribute_bytes {
            let shown = &text[name.clone()];
            let message = format!(
                "the value of `{shown}` has {} bytes, the limit is {}",
                value.len(),
                self.limits.attribute_bytes
            );
            self.found.push(Diagnostic::new(
                &ATTRIBUTE_TOO_LONG,
                Span::new(self.file, name.clone()),
                message,
            ));
            return Err(Stop);
        }
        self.references(value.clone());
        if let Some(at) = memchr::memchr(b'<', &text.as_bytes()[value.clone()]) {
            let at = value.start + at;
            let message = format!("a raw `<` stands in the value of `{}`", &text[name.clone()]);
            let opened = Span::new(self.file, value.start - 1..value.start);
            let fault = self.fault(at..at + 1, message);
            *fault =
                fault.clone().label(opened, "the value starts here").help("write `&lt;`, or close the quote");
            // A value over several lines is most likely a quote that was never closed.
            if text[value].contains('\n') {
                return Err(Stop);
            }
        }
        Ok(())
    }
}

/// Where the attributes of the start tag at `at` stand, in a document that has been scanned.
pub(super) fn start_tag(file: FileId, text: &str, at: usize, limits: &Limits) -> StartTag {
    let mut scan =
        Scan { file, text, limits, found: Vec::new(), open: Vec::new(), namespaces: 0, root: None, marks: 0 };
    scan.attributes(at).unwrap_or_default()
}

/// `name="value"` of an XML declaration, and how long it is.
fn pseudo_attribute(text: &str) -> Option<(&str, &str, usize)> {
    let (name, rest) = text.split_once('=')?;
    let rest = rest.trim_start_matches(is_space);
    let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let value = &rest[1..1 + rest[1..].find(quote)?];
    let length = text.len() - rest.len() + value.len() + 2;
    Some((name.trim_end_matches(is_space), value, length))
}

fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r')
}

fn spaces(text: &str) -> usize {
    let space = |b: &u8| matches!(b, b' ' | b'\t' | b'\n' | b'\r');
    text.as_bytes().iter().position(|b| !space(b)).unwrap_or(text.len())
}

/// The production `NameStartChar`, roughly. The parser is exact, but takes characters beyond U+FFFF, which Java's does
/// not.
pub(crate) fn is_name_start(c: char) -> bool {
    c.is_ascii_alphabetic() || matches!(c, '_' | ':' | '\u{80}'..='\u{FFFD}')
}

pub(crate) fn is_name_char(c: char) -> bool {
    is_name_start(c) || c.is_ascii_digit() || matches!(c, '-' | '.')
}

fn name_end(text: &str, start: usize) -> usize {
    let plain = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b':' | b'-' | b'.');
    let bytes = &text.as_bytes()[start..];
    match bytes.iter().position(|b| !plain(b)) {
        None => text.len(),
        Some(length) if bytes[length].is_ascii() => start + length,
        Some(length) => {
            let rest = &text[start + length..];
            start + length + rest.find(|c| !is_name_char(c)).unwrap_or(rest.len())
        }
    }
}
