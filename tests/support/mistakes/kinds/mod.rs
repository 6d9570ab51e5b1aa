//! What people do wrong, by what they do it to.

mod coordinator;
mod expressions;
mod files;
mod flow;
mod held_out;
mod properties;
mod structure;
mod values;

use super::document::{Attribute, Document, Edit, Element};

/// A kind of mistake.
#[derive(Debug)]
pub struct Kind {
    pub name: &'static str,
    pub make: Make,
}

/// How a mistake is made: for each place either not at all or in one way.
#[derive(Clone, Copy, Debug)]
pub enum Make {
    /// Another value of an attribute.
    Attribute(fn(&Document<'_>, &Element<'_>, &Attribute<'_>) -> Option<String>),
    /// Another text of an element that holds nothing but text.
    Text(fn(&Document<'_>, &Element<'_>, &str) -> Option<String>),
    /// Another text or value of an attribute.
    Value(fn(&Document<'_>, &Element<'_>, &str) -> Option<String>),
    /// Something about an element.
    Element(fn(&Document<'_>, &Element<'_>) -> Option<Edit>),
    /// Something about the text of a definition.
    Raw(fn(&str) -> Vec<Edit>),
    /// Another line of a properties file, none where it is empty: of a key and its value.
    Key(fn(&str, &str) -> Option<String>),
    /// A file is gone.
    File(fn(&str) -> bool),
}

/// A table of kinds.
pub type Kinds = &'static [Kind];

const fn kind(name: &'static str, make: Make) -> Kind {
    Kind { name, make }
}

/// All kinds with the area that they are shown under.
pub fn all() -> Vec<(&'static str, &'static Kind)> {
    let areas: [(&'static str, Kinds); 8] = [
        ("control flow", flow::KINDS),
        ("structure", structure::KINDS),
        ("expressions", expressions::KINDS),
        ("values", values::KINDS),
        ("schedules and data", coordinator::KINDS),
        ("properties", properties::KINDS),
        ("files and paths", files::KINDS),
        ("held out", held_out::KINDS),
    ];
    areas.into_iter().flat_map(|(area, kinds)| kinds.iter().map(move |kind| (area, kind))).collect()
}

/// Whether an element is a node of the control flow.
fn is_node(document: &Document<'_>, element: &Element<'_>) -> bool {
    let nodes = ["action", "decision", "fork", "join", "kill", "end"];
    nodes.contains(&element.name)
        && document.root().name == "workflow-app"
        && element.parent == Some(0)
        && element.namespace == "workflow"
}

/// The element that an action runs.
fn is_body(document: &Document<'_>, element: &Element<'_>) -> bool {
    let parent = document.parent(element);
    parent.is_some_and(|parent| parent.name == "action" && is_node(document, parent))
        && !["ok", "error", "info"].contains(&element.name)
}

/// The first occurrence of some text is replaced.
fn replace(text: &str, from: &str, to: &str) -> Option<String> {
    text.contains(from).then(|| text.replacen(from, to, 1))
}

/// Each place of some text in a definition, outside of comments.
fn everywhere(text: &str, from: &str, to: &str) -> Vec<Edit> {
    let is_comment = |at: usize| text[..at].rfind("<!--").is_some_and(|open| !text[open..at].contains("-->"));
    let found = text.match_indices(from).filter(|(at, _)| !is_comment(*at));
    found.map(|(at, _)| Edit::new(at..at + from.len(), to)).collect()
}
