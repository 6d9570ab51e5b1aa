//! Everything that can be said of one definition.

use crate::analysis::templates::templates;
use crate::analysis::{expressions, length, subject};
use crate::diag::Diagnostic;
use crate::model::App;
use crate::plan::bundle;
use crate::rules::{self, Sink};
use crate::schema;
use crate::shell::load::Definition;
use crate::source::Sources;

/// What can be said of a definition without any value from outside.
pub fn alone(definition: &Definition, sources: &Sources) -> Vec<Diagnostic> {
    let mut sink = Sink::new();
    sink.extend(definition.findings.iter().cloned());
    sink.extend(of_schema(definition, sources.text(definition.file)));
    let Some(app) = &definition.app else { return sink.into_findings() };
    for template in templates(app) {
        rules::template(&template, &mut sink);
    }
    match app {
        App::Bundle(model) => {
            rules::bundle(&subject::Bundle { model }, &mut sink);
            if let Some(root) = &definition.root {
                let text = sources.text(definition.file);
                sink.extend(bundle::printed_syntax(bundle::Definition { root, text, model }));
            }
        }
        App::Coordinator(model) => rules::coordinator(&subject::Coordinator { model }, &mut sink),
        App::Workflow(model) => {
            sink.extend(length::workflow(definition.file, sources.text(definition.file)));
            let subject = subject::Workflow::new(model);
            rules::workflow(&subject, &mut sink);
            sink.extend(expressions::check(app, |node| {
                subject.flow.reachable.get(node).copied().unwrap_or(true)
            }));
            return sink.into_findings();
        }
        App::Datasets(_) => {}
    }
    sink.extend(expressions::check(app, |_| true));
    sink.into_findings()
}

/// What the schema says. A file of datasets without a namespace is included text, which no server validates.
fn of_schema(definition: &Definition, text: &str) -> Vec<Diagnostic> {
    let Some(root) = &definition.root else { return Vec::new() };
    let is_included = root.name.local == "datasets" && root.name.namespace.is_empty();
    match schema::Kind::of_root(&root.name.local) {
        Some(kind) if !is_included => schema::check(root, text, kind),
        _ => Vec::new(),
    }
}
