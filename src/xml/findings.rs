//! The kinds of findings that reading XML makes.

use crate::diag::{Group, Info, Severity, Stage};

/// Not well-formed.
pub static NOT_WELL_FORMED: Info = Info {
    name: "xml-not-well-formed",
    group: Group::Xml,
    severity: Severity::Error,
    stage: Some(Stage::Submit),
    mirrors: &["E0701"],
    explanation: "The document is not well-formed XML.

No part of it can be trusted, so nothing else is checked in this file. The usual causes are a raw `&` or `<` in a
command, a query or a URL (write `&amp;` and `&lt;`, or put the text into `<![CDATA[...]]>`), an end tag that is missing
or misspelt, and bytes that are not in the file's encoding.",
};

/// A byte that is not UTF-8 in a file that servers read as UTF-8.
pub static ENCODING: Info = Info {
    name: "xml-encoding",
    group: Group::Xml,
    severity: Severity::Warning,
    stage: None,
    mirrors: &[],
    explanation: "The file holds a byte that is not UTF-8.

Servers read workflows, coordinators, bundles and files of datasets as UTF-8, whatever encoding the XML declaration
names, and take U+FFFD for each byte that does not fit. Nothing is refused, but names, paths and values lose their
letters. Save the file as UTF-8.",
};

/// A DTD.
pub static DOCTYPE: Info = Info {
    name: "xml-doctype",
    group: Group::Xml,
    severity: Severity::Error,
    stage: Some(Stage::Submit),
    mirrors: &["E0700"],
    explanation: "The document has a document type definition.

A DTD can define entities that expand without end or that read other files, so it is refused and nothing in it is
expanded. Servers refuse it as well. Remove the `<!DOCTYPE ...>` and write out the entities that it defines.",
};

/// A file over [`super::Limits::bytes`].
pub static TOO_LARGE: Info = Info {
    name: "xml-too-large",
    group: Group::Xml,
    severity: Severity::Error,
    stage: None,
    mirrors: &[],
    explanation: "The file is larger than this program reads.

The limit keeps memory within bounds. Definitions are a few kilobytes; a server's own limit is 100,000 characters.",
};

/// Nesting over [`super::Limits::depth`].
pub static TOO_DEEP: Info = Info {
    name: "xml-too-deep",
    group: Group::Xml,
    severity: Severity::Error,
    stage: None,
    mirrors: &[],
    explanation: "Elements are nested deeper than this program reads.

The limit keeps the stack within bounds. Real definitions nest about ten levels.",
};

/// More `<` than [`super::Limits::nodes`].
pub static TOO_MANY_NODES: Info = Info {
    name: "xml-too-many-nodes",
    group: Group::Xml,
    severity: Severity::Error,
    stage: None,
    mirrors: &[],
    explanation: "The file has more elements than this program reads.

The limit keeps memory within bounds.",
};

/// A value over [`super::Limits::attribute_bytes`].
pub static ATTRIBUTE_TOO_LONG: Info = Info {
    name: "xml-attribute-too-long",
    group: Group::Xml,
    severity: Severity::Error,
    stage: None,
    mirrors: &[],
    explanation: "An attribute value is longer than this program reads.

The limit keeps memory within bounds. Long text belongs into an element.",
};

/// More attributes, or namespaces in force, than [`super::Limits::attributes`].
pub static TOO_MANY_ATTRIBUTES: Info = Info {
    name: "xml-too-many-attributes",
    group: Group::Xml,
    severity: Severity::Error,
    stage: None,
    mirrors: &[],
    explanation:
        "An element has more attributes, or more namespace declarations in force, than this program reads.

The limit keeps time within bounds.",
};

/// All kinds of this module.
pub static INFOS: &[&Info] = &[
    &NOT_WELL_FORMED,
    &ENCODING,
    &DOCTYPE,
    &TOO_LARGE,
    &TOO_DEEP,
    &TOO_MANY_NODES,
    &ATTRIBUTE_TOO_LONG,
    &TOO_MANY_ATTRIBUTES,
];
