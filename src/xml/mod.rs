//! XML as a tree of owned elements in which every name, attribute value and text knows its place.
//!
//! Knows nothing about Oozie. Reading never fails: broken input gives findings and no tree.
//! DTDs and entity definitions are refused, never expanded; size, depth and count are limited.

use crate::source::{Span, Text};

/// A name with its namespace resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// The namespace URI; empty for none.
    pub namespace: String,
    /// The local part.
    pub local: String,
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

/// An element and all that is in it.
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
    /// The attributes in order.
    pub attributes: Vec<Attribute>,
    /// The children in order. Adjoining text and CDATA are one text.
    pub children: Vec<Node>,
}

/// A child of an element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    /// An element.
    Element(Element),
    /// Text.
    Text(Text),
    /// A comment, without its marks.
    Comment(Text),
}

impl Element {
    /// The child elements in order.
    pub fn elements(&self) -> impl Iterator<Item = &Element> {
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
}
