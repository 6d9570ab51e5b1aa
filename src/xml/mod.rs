//! XML as a tree of owned elements in which every name, attribute value and text knows its place.
//!
//! Knows nothing about Oozie. Reading never fails: broken input gives findings and no tree.
//! DTDs and entity definitions are refused, never expanded; size, depth and count are limited ([`Limits`]).

mod decode;
mod findings;
mod limits;
mod qualified;
mod read;
mod scan;
mod symbol;
#[cfg(test)]
mod tests;
mod text;

use std::sync::Arc;

use crate::source::{Span, Text};

pub use decode::{Decoding, read_bytes};
pub use findings::{
    ATTRIBUTE_TOO_LONG, DOCTYPE, ENCODING, INFOS, NOT_WELL_FORMED, TOO_DEEP, TOO_LARGE, TOO_MANY_ATTRIBUTES,
    TOO_MANY_NODES,
};
pub use limits::Limits;
pub use qualified::qualified_values;
pub use read::read;
pub(crate) use scan::{is_name_char, is_name_start};
pub use symbol::Symbol;
pub use text::is_xml_char as is_char;

/// A name with its namespace resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// The namespace URI; empty for none.
    pub namespace: Symbol,
    /// The local part.
    pub local: Symbol,
}

/// An attribute. Namespace declarations are not attributes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attribute {
    /// Its name; the namespace is empty unless it was prefixed.
    pub name: Name,
    /// Where the name stands.
    pub name_span: Span,
    /// The value after normalization.
    pub value: Text,
}

/// Where an element says its own namespace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// The whole `xmlns="…"` with the blanks before it.
    pub span: Span,
    /// What stands between the quotes.
    pub value: Span,
    /// It declares a prefix, which names would miss without it.
    pub prefixed: bool,
}

/// An element and all that is in it.
///
/// Trees made by [`read`] are no deeper than [`Limits::depth`], so recursion over them is safe.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Element {
    /// Its name.
    pub name: Name,
    /// From `<` of the start tag to `>` of the end tag.
    pub span: Span,
    /// The name in the start tag: the place for a finding about the element itself.
    pub name_span: Span,
    /// The whole start tag.
    pub start_tag: Span,
    /// Where it declares its namespace; none when it inherits it or has none.
    pub declaration: Option<Box<Declaration>>,
    /// The attributes in order.
    pub attributes: Vec<Attribute>,
    /// The children in order. Adjoining text and CDATA are one text.
    pub children: Vec<Node>,
}

/// A child of an element. Processing instructions are left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    /// An element; shared, so that others can keep it without a copy.
    Element(Arc<Element>),
    /// Text.
    Text(Box<Text>),
    /// A comment, without its marks.
    Comment(Box<Text>),
}

/// The element as a server evaluates it: without comments, texts that only a comment parted joined. Where there is nothing
/// to join, the element itself.
pub fn without_comments(element: &Arc<Element>) -> Arc<Element> {
    let is_text = |node: &Node| matches!(node, Node::Text(_));
    let is_comment = |node: &Node| matches!(node, Node::Comment(_));
    let parts =
        |element: &Element| element.children.iter().any(is_comment) && element.children.iter().any(is_text);
    let mut open = vec![&**element];
    let mut is_parted = false;
    while let Some(next) = open.pop() {
        is_parted |= parts(next);
        open.extend(next.elements());
    }
    if is_parted { Arc::new(joined(element)) } else { element.clone() }
}

/// [`without_comments`], whether or not there is anything to join. Recursive: trees are no deeper than [`Limits::depth`].
fn joined(element: &Element) -> Element {
    let mut children: Vec<Node> = Vec::with_capacity(element.children.len());
    for node in &element.children {
        match (node, children.last_mut()) {
            (Node::Comment(_), _) => {}
            (Node::Text(text), Some(Node::Text(before))) => **before = Text::joined([&**before, text]),
            (Node::Text(text), _) => children.push(Node::Text(text.clone())),
            (Node::Element(child), _) => children.push(Node::Element(Arc::new(joined(child)))),
        }
    }
    Element { children, ..element.clone() }
}

impl Element {
    /// The child elements in order.
    pub fn elements(&self) -> impl Iterator<Item = &Element> {
        self.shared_elements().map(Arc::as_ref)
    }

    /// The child elements in order, to be kept.
    pub fn shared_elements(&self) -> impl Iterator<Item = &Arc<Element>> {
        self.children.iter().filter_map(|node| match node {
            Node::Element(element) => Some(element),
            _ => None,
        })
    }

    /// The first child element of this local name, whatever its namespace.
    pub fn child(&self, local: &str) -> Option<&Element> {
        self.elements().find(|element| element.name.local == local)
    }

    /// All child elements of this local name, whatever their namespace.
    pub fn children_named<'a>(&'a self, local: &'a str) -> impl Iterator<Item = &'a Element> {
        self.elements().filter(move |element| element.name.local == local)
    }

    /// The attribute of this local name without a namespace.
    pub fn attribute(&self, local: &str) -> Option<&Attribute> {
        self.attributes.iter().find(|a| a.name.local == local && a.name.namespace.is_empty())
    }

    /// The element's own text: its text children joined, what child elements hold left out (`getText` of JDOM).
    /// An element without text gives an empty text that stands where text would be.
    pub fn text(&self) -> Text {
        let mut texts = self.children.iter().filter_map(|node| match node {
            Node::Text(text) => Some(&**text),
            _ => None,
        });
        match (texts.next(), texts.next()) {
            (None, _) => {
                Text::verbatim("", Span { start: self.start_tag.end, end: self.start_tag.end, ..self.span })
            }
            (Some(only), None) => only.clone(),
            (Some(first), Some(second)) => Text::joined([first, second].into_iter().chain(texts)),
        }
    }
}
