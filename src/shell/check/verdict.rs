//! Everything that can be said of one definition.

use crate::analysis::templates::templates;
use crate::analysis::{expressions, length, subject};
use crate::diag::Diagnostic;
use crate::model::App;
use crate::rules::{self, Sink};
use crate::schema;
use crate::shell::load::Definition;
use crate::source::Sources;

/// What can be said of a definition without any value from outside.
pub fn alone(definition: &Definition, sources: &Sources) -> Vec<Diagnostic> {
    let mut sink = Sink::new();
    sink.extend(definition.findings.iter().cloned());
    if let Some(root) = &definition.root
        && let Some(kind) = schema::Kind::of_root(&root.name.local)
    {
        sink.extend(schema::check(root, sources.text(definition.file), kind));
    }
    let Some(app) = &definition.app else { return sink.into_findings() };
    for template in templates(app) {
        rules::template(&template, &mut sink);
    }
    match app {
        App::Bundle(model) => rules::bundle(&subject::Bundle { model }, &mut sink),
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
