//! What the tests of several files of this layer share: texts and definitions that lie nowhere.

use crate::model::{App, Coordinator, Workflow, lower};
use crate::source::{Sources, Span, Text};
use crate::xml::{self, Limits};

/// A text that is a file of its own.
pub(super) fn text(value: &str) -> Text {
    let file = Sources::new().add("a", value);
    Text::verbatim(value, Span::new(file, 0..value.len()))
}

/// The app that a document holds.
pub(super) fn app(document: &str) -> App {
    let file = Sources::new().add("app.xml", document);
    let (root, _) = xml::read(file, document, &Limits::default());
    lower(&root.expect("well-formed")).0.unwrap_or_else(|| panic!("no app: {document}"))
}

/// The workflow that a document holds.
pub(super) fn workflow(document: &str) -> Workflow {
    match app(document) {
        App::Workflow(model) => *model,
        _ => panic!("no workflow: {document}"),
    }
}

/// The coordinator that a document holds.
pub(super) fn coordinator(document: &str) -> Coordinator {
    match app(document) {
        App::Coordinator(model) => *model,
        _ => panic!("no coordinator: {document}"),
    }
}
