//! From text to a tree: our own scan for limits and the usual faults, then `roxmltree`, then our own owned tree.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use roxmltree::{Document, Error, ParsingOptions, TextPos};

use super::findings::{DOCTYPE, NOT_WELL_FORMED, TOO_MANY_ATTRIBUTES, TOO_MANY_NODES};
use super::scan::{scan, start_tag};
use super::{Attribute, Declaration, Element, Limits, Name, Node, Symbol, text};
use crate::diag::{Diagnostic, Info};
use crate::source::{FileId, Span, Text};

/// Reads a document. No element: it is broken or too large, and the findings say how.
pub fn read(file: FileId, text: &str, limits: &Limits) -> (Option<Element>, Vec<Diagnostic>) {
    let found = scan(file, text, limits);
    if !found.is_empty() {
        return (None, found);
    }
    let nodes_limit = u32::try_from(limits.nodes.saturating_mul(2)).unwrap_or(u32::MAX);
    let options = ParsingOptions { nodes_limit, ..ParsingOptions::default() };
    match Document::parse_with_options(text, options) {
        Ok(document) => {
            let namespaces = [Symbol::from(""), Symbol::from("")];
            let builder = Builder { file, text, limits, symbols: BTreeSet::new(), namespaces };
            (builder.tree(&document), Vec::new())
        }
        Err(error) => (None, vec![explain(file, text, &error)]),
    }
}

/// An element that is being read, its end tag still to come.
struct Unfinished<'a, 'input> {
    element: Element,
    /// The next child to look at.
    next: Option<roxmltree::Node<'a, 'input>>,
    /// Up to where the content has been taken.
    at: usize,
    /// Where the content ends.
    end: usize,
}

struct Builder<'a> {
    file: FileId,
    text: &'a str,
    limits: &'a Limits,
    symbols: BTreeSet<Symbol>,
    /// No namespace, and the one of the last name that has one: nearly every name has either.
    namespaces: [Symbol; 2],
}

impl<'a> Builder<'a> {
    fn tree(mut self, document: &Document<'a>) -> Option<Element> {
        let root = document.root_element();
        let mut stack = vec![self.open(root)];
        loop {
            let top = stack.last_mut()?;
            let Some(node) = top.next else {
                let mut done = stack.pop()?;
                self.take_text(&mut done, None);
                // Most elements have one child or two, and room for four is what a vector starts with.
                done.element.children.shrink_to_fit();
                match stack.last_mut() {
                    Some(parent) => parent.element.children.push(Node::Element(Arc::new(done.element))),
                    None => return Some(done.element),
                }
                continue;
            };
            top.next = node.next_sibling();
            if node.is_text() {
                continue;
            }
            let range = node.range();
            self.take_text(top, Some(&range));
            if node.is_element() {
                let child = self.open(node);
                stack.push(child);
            } else if node.is_comment() {
                let comment = range.start + "<!--".len()..range.end - "-->".len();
                let value = &self.text[comment.clone()];
                let comment = Text::verbatim(value, Span::new(self.file, comment));
                top.element.children.push(Node::Comment(Box::new(comment)));
            }
        }
    }

    /// The text between the last child and the next, or the end tag.
    fn take_text(&self, parent: &mut Unfinished, next: Option<&Range<usize>>) {
        let end = next.map_or(parent.end, |range| range.start);
        if parent.at < end {
            let text = text::content(self.file, self.text, parent.at..end);
            parent.element.children.push(Node::Text(Box::new(text)));
        }
        parent.at = next.map_or(end, |range| range.end);
    }

    fn namespace(&mut self, name: Option<&str>) -> Symbol {
        let name = name.unwrap_or_default();
        if let Some(known) = self.namespaces.iter().find(|known| known.as_ref() == name) {
            return known.clone();
        }
        let found = symbol(&mut self.symbols, name);
        self.namespaces[1] = found.clone();
        found
    }

    fn open<'d>(&mut self, node: roxmltree::Node<'d, 'a>) -> Unfinished<'d, 'a> {
        let range = node.range();
        let tag = start_tag(self.file, self.text, range.start, self.limits);
        let end = if tag.empty {
            tag.end
        } else {
            memchr::memrchr(b'<', &self.text.as_bytes()[..range.end]).unwrap_or(tag.end)
        };
        let declares = |name: &str| name == "xmlns" || name.starts_with("xmlns:");
        let declaration = self.declaration(&tag.name, &tag.attributes);
        let places = tag.attributes.into_iter().filter(|(name, _)| !declares(&self.text[name.clone()]));
        let mut attributes = Vec::with_capacity(node.attributes().len());
        attributes.extend(node.attributes().zip(places).map(|(attribute, (name, value))| Attribute {
            name: Name {
                namespace: self.namespace(attribute.namespace()),
                local: symbol(&mut self.symbols, attribute.name()),
            },
            name_span: Span::new(self.file, name),
            value: text::attribute(self.file, self.text, value),
        }));
        let name = node.tag_name();
        let element = Element {
            name: Name {
                namespace: self.namespace(name.namespace()),
                local: symbol(&mut self.symbols, name.name()),
            },
            span: Span::new(self.file, range.clone()),
            name_span: Span::new(self.file, tag.name),
            start_tag: Span::new(self.file, range.start..tag.end),
            declaration: declaration.map(Box::new),
            attributes,
            children: Vec::new(),
        };
        Unfinished { element, next: node.first_child(), at: tag.end, end }
    }

    /// The attribute among these that declares the prefix of a name, or what names without one mean.
    fn declaration(&self, name: &Range<usize>, attributes: &[Places]) -> Option<Declaration> {
        let prefix = self.text[name.clone()].split_once(':').map(|(prefix, _)| prefix);
        let declares = |name: &str| match prefix {
            Some(prefix) => name.strip_prefix("xmlns:") == Some(prefix),
            None => name == "xmlns",
        };
        let (name, value) = attributes.iter().find(|(name, _)| declares(&self.text[name.clone()]))?;
        let before = self.text[..name.start].trim_end_matches([' ', '\t', '\n', '\r']).len();
        Some(Declaration {
            span: Span::new(self.file, before..value.end + 1),
            value: Span::new(self.file, value.clone()),
            prefixed: prefix.is_some(),
        })
    }
}

/// The name and the value of an attribute.
type Places = (Range<usize>, Range<usize>);

/// The shared form of a name.
fn symbol(symbols: &mut BTreeSet<Symbol>, text: &str) -> Symbol {
    if let Some(symbol) = symbols.get(text) {
        return symbol.clone();
    }
    let symbol = Symbol::from(text);
    symbols.insert(symbol.clone());
    symbol
}

/// The parser's own fault. What it cannot place stands at the start.
fn explain(file: FileId, text: &str, error: &Error) -> Diagnostic {
    let kind: &'static Info = match error {
        Error::DtdDetected => &DOCTYPE,
        Error::NodesLimitReached => &TOO_MANY_NODES,
        Error::AttributesLimitReached | Error::NamespacesLimitReached => &TOO_MANY_ATTRIBUTES,
        _ => &NOT_WELL_FORMED,
    };
    let message = match error {
        Error::InvalidXmlPrefixUri(_) | Error::UnexpectedXmlUri(_) => {
            "the prefix `xml` is reserved".to_owned()
        }
        Error::UnexpectedXmlnsUri(_) | Error::InvalidElementNamePrefix(_) => {
            "the prefix `xmlns` is reserved".to_owned()
        }
        Error::DuplicatedNamespace(prefix, _) => format!("the prefix `{prefix}` is declared twice"),
        Error::UnknownNamespace(prefix, _) => format!("the prefix `{prefix}` is not declared"),
        Error::DuplicatedAttribute(name, _) => format!("the attribute `{name}` stands twice"),
        Error::UnexpectedCloseTag(expected, found, _) => {
            format!("`</{found}>` does not close `<{expected}>`")
        }
        Error::UnknownEntityReference(name, _) => format!("the entity `&{name};` is not defined"),
        Error::InvalidName(_) => "this is no XML name".to_owned(),
        Error::NonXmlChar(c, _) => format!("the character U+{:04X} is not allowed in XML", *c as u32),
        Error::DtdDetected => "the document has a DTD, which is refused and not read".to_owned(),
        Error::NodesLimitReached => "the file has too many elements".to_owned(),
        Error::AttributesLimitReached => "the file has too many attributes".to_owned(),
        Error::NamespacesLimitReached => "the file has too many namespaces".to_owned(),
        _ => "this is not well-formed XML".to_owned(),
    };
    let at = offset_of(text, error.pos());
    let length = text[at..].chars().next().map_or(0, char::len_utf8);
    let finding = Diagnostic::new(kind, Span::new(file, at..at + length), message);
    match error {
        Error::UnknownNamespace(prefix, _) => {
            finding.help(format!("declare it on the root element with `xmlns:{prefix}=\"...\"`"))
        }
        _ => finding,
    }
}

/// The offset of a line and column, both counted in characters from 1.
fn offset_of(text: &str, place: TextPos) -> usize {
    let line_start = match (place.row as usize).checked_sub(2) {
        Some(before) => {
            memchr::memchr_iter(b'\n', text.as_bytes()).nth(before).map_or(text.len(), |at| at + 1)
        }
        None => 0,
    };
    let line = &text[line_start..];
    let column = (place.col as usize).saturating_sub(1);
    line_start + line.char_indices().nth(column).map_or(line.len(), |(at, _)| at)
}
