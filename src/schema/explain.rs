//! Judges a document by the tables, and finds every fault, one finding a fault: which it is, where, and what would be right.

use super::attributes;
use super::children;
use super::files::SchemaFile;
use super::findings::VIOLATION;
use super::grammar::{Content, Type};
use super::namespaces;
use super::types;
use super::value::Value;
use super::walk::{Document, Fault, Scope, Task, Walk};
use super::words::quoted;
use crate::diag::Diagnostic;
use crate::xml::{Element, Node};

/// Findings of one document; the last says that there are more.
pub(super) const MAX_FINDINGS: usize = 10_000;
/// Findings that a try of another schema collects.
const MAX_TRIAL_FINDINGS: usize = 200;

/// All faults of a document, and that it is invalid exactly when there are any.
pub(super) fn explain<'a>(root: &'a Element, document: &'a Document<'a>) -> Walk<'a> {
    let mut walk = Walk::new(document, false, MAX_FINDINGS);
    walk.foreign(root);
    run(&mut walk);
    walk
}

/// The faults of an element when it is taken for one of this schema, up to a number.
pub(super) fn faults<'a>(
    document: &'a Document<'a>,
    element: &'a Element,
    file: &'static SchemaFile,
    limit: usize,
) -> Vec<Fault<'a>> {
    let mut walk = Walk::new(document, true, limit.min(MAX_TRIAL_FINDINGS));
    walk.assumed(element, file);
    run(&mut walk);
    walk.faults
}

/// Checks what is in line, in the order of the document.
fn run<'a>(walk: &mut Walk<'a>) {
    let trial = |walk: &Walk<'a>, element, file, limit| faults(walk.document, element, file, limit).len();
    while let Some(task) = walk.pending.pop() {
        let waiting = walk.pending.len();
        match task {
            Task::Element(element, its_type, scope) => check(walk, element, its_type, scope),
            Task::Guess(guess) => namespaces::guess(walk, *guess, trial),
        }
        walk.pending[waiting..].reverse();
    }
}

/// Checks an element against its type.
fn check<'a>(walk: &mut Walk<'a>, element: &'a Element, its_type: &'static Type, scope: Scope<'a>) {
    if walk.enough() {
        return;
    }
    let (its_type, scope) = types::of_declared(walk, element, its_type, scope);
    attributes::check(walk, element, its_type, scope);
    let name = || quoted(&element.name.local);
    match &its_type.content {
        Content::Empty => {
            let inner = element.children.iter().find_map(|node| match node {
                Node::Element(child) => {
                    Some((child.name_span, format!("{} inside {}", quoted(&child.name.local), name())))
                }
                Node::Text(text) if !text.value.is_empty() => {
                    Some((text.span, format!("text inside {}", name())))
                }
                Node::Text(_) | Node::Comment(_) => None,
            });
            let as_attribute = element.elements().find(|child| {
                its_type.attributes.iter().any(|attribute| child.name.local == attribute.name)
                    && element.attribute(&child.name.local).is_none()
            });
            if let Some(child) = as_attribute {
                let message =
                    format!("{} is an attribute of {}, not an element", quoted(&child.name.local), name());
                let finding = Diagnostic::new(&VIOLATION, child.name_span, message);
                let help = format!("write `<{} {}=\"…\"/>`", element.name.local, child.name.local);
                walk.tell(finding.help(help));
            } else if let Some((span, what)) = inner {
                let finding = Diagnostic::new(&VIOLATION, span, format!("{what}, which must be empty"));
                walk.tell(finding.help(format!("write <{}/> with nothing in it", element.name.local)));
            }
        }
        Content::Text(value) => {
            if let Some(child) = element.elements().next() {
                let message =
                    format!("{} inside {}, which holds text only", quoted(&child.name.local), name());
                walk.tell(Diagnostic::new(&VIOLATION, child.name_span, message));
            } else if *value != Value::Any {
                let text = element.text();
                if !value.takes(&text.value) {
                    let span = if text.value.is_empty() { element.name_span } else { text.span };
                    walk.tell(attributes::wrong_value(*value, &name(), &text.value, span));
                }
            }
        }
        Content::Elements(model) => {
            stray_text(walk, element);
            children::check(walk, element, its_type, model, scope);
        }
    }
}

/// Text among elements.
fn stray_text(walk: &mut Walk<'_>, element: &Element) {
    let blank = |c: char| matches!(c, ' ' | '\t' | '\n' | '\r');
    let stray = element.children.iter().find_map(|node| match node {
        Node::Text(text) if !text.value.chars().all(blank) => Some(text),
        _ => None,
    });
    if let Some(text) = stray {
        let start = text.value.len() - text.value.trim_start_matches(blank).len();
        let span = text.span_of(start..text.value.trim_end_matches(blank).len());
        let message = format!("text inside {}, which holds elements only", quoted(&element.name.local));
        walk.tell(Diagnostic::new(&VIOLATION, span, message).help("remove the text, or make it a comment"));
    }
}
