//! What the tests of several files of this layer share: texts and definitions that lie nowhere.

use crate::diag::{Diagnostic, Stage};
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

/// A finding as a line: how bad it is, its kind, when a server notices it and with which codes, where and what; then the
/// other places, and the way out.
pub(super) fn line(found: &Diagnostic) -> String {
    let at = |span: Span| format!("{}..{}", span.start, span.end);
    let stage = found.stage.map_or("-", Stage::name);
    let mut line = format!("{} {} {stage}", found.severity.name(), found.rule.name);
    found.oozie.iter().for_each(|code| line.push_str(&format!(" {code}")));
    line.push_str(&format!(" {}: {}", at(found.span), found.message));
    found.labels.iter().for_each(|other| line.push_str(&format!(" | {}: {}", at(other.span), other.message)));
    found.help.iter().for_each(|help| line.push_str(&format!(" > {help}")));
    line
}
