//! Everything that can be said of one definition.

use crate::analysis::app_files::{AppFiles, ByPath};
use crate::analysis::expressions::{self, Expression};
use crate::analysis::values::Values;
use crate::analysis::{length, properties, settings, subject, templates};
use crate::diag::Diagnostic;
use crate::model::coordinator::Datasets;
use crate::model::{App, Parameter, RootKind};
use crate::plan::bundle;
use crate::rules::{self, Rule, Sink};
use crate::schema::{self, Judge, Version};
use crate::shell::load::Definition;
use crate::source::Sources;

/// The rule that looks at addresses once values are put in.
const ADDRESSES: &str = "uri-slash-missing";

/// What can be said of a definition as a document: what the readers, the schema and the server's limits say.
pub fn alone(
    rules: &[&Rule],
    version: Version,
    judge: Judge,
    definition: &Definition,
    sources: &Sources,
) -> Vec<Diagnostic> {
    let text = sources.text(definition.file);
    let mut findings = definition.findings.clone();
    findings.extend(of_schema(definition, text, version, judge));
    if let Some(root) = &definition.root {
        let mut sink = Sink::new();
        rules::settings(rules, settings::of_document(root), &mut sink);
        findings.extend(sink.into_findings());
    }
    match (&definition.app, &definition.root) {
        (Some(App::Bundle(model)), Some(root)) => {
            findings.extend(bundle::printed_syntax(bundle::Definition { root, text, model }));
        }
        (Some(App::Workflow(_)), _) => findings.extend(length::workflow(definition.file, text)),
        _ => {}
    }
    findings
}

/// What the rules and the check of expressions say of an app with these values; `included` holds the files of datasets
/// that a coordinator includes, `files` what lies in the folder of a workflow, `elsewhere` what is known of files by their whole
/// paths.
pub fn by_rules(
    rules: &[&Rule],
    app: &App,
    values: &Values,
    included: &[&Datasets],
    (files, elsewhere): (Option<&AppFiles>, &ByPath),
) -> Vec<Diagnostic> {
    let mut sink = Sink::new();
    for list in properties::of_app(app) {
        rules::properties(rules, &list, &mut sink);
    }
    for level in subject::service_levels(app, values) {
        rules::service_level(rules, &level, &mut sink);
    }
    match app {
        App::Bundle(model) => rules::bundle(rules, &subject::Bundle { model, values }, &mut sink),
        App::Coordinator(model) => {
            let subject = subject::Coordinator::with(model, values, included.to_vec());
            rules::coordinator(rules, &subject, &mut sink);
            // What an included file of datasets comes to depends on who includes it.
            let slash: Vec<&Rule> =
                rules.iter().filter(|rule| rule.info.name == ADDRESSES).copied().collect();
            for datasets in included {
                let list = expressions::read(templates::of_datasets(datasets), values.version, |_| true);
                let subject = subject::Expressions { list: &list, parameters: &[], values };
                rules::expressions(&slash, &subject, &mut sink);
            }
        }
        App::Workflow(model) => {
            let subject = subject::Workflow::with(model, values).beside(files).among(elsewhere);
            rules::workflow(rules, &subject, &mut sink);
            of_expressions(rules, &subject.expressions, app, values, &mut sink);
            return sink.into_findings();
        }
        App::Datasets(_) => {}
    }
    of_expressions(rules, &expressions::of_app(app, values.version), app, values, &mut sink);
    sink.into_findings()
}

/// What is wrong with expressions without any value.
fn of_expressions(rules: &[&Rule], list: &[Expression<'_>], app: &App, values: &Values, sink: &mut Sink) {
    let parameters: &[Parameter] = match app {
        App::Bundle(app) => &app.parameters,
        App::Coordinator(app) => &app.parameters,
        App::Workflow(app) => &app.parameters,
        App::Datasets(_) => &[],
    };
    rules::expressions(rules, &subject::Expressions { list, parameters, values }, sink);
    sink.extend(expressions::check(list, values));
}

/// What the schema says. A file of datasets without a namespace is included text, which no server validates.
fn of_schema(definition: &Definition, text: &str, version: Version, judge: Judge) -> Vec<Diagnostic> {
    let Some(root) = &definition.root else { return Vec::new() };
    let is_included = root.name.local == "datasets" && root.name.namespace.is_empty();
    match RootKind::of(&root.name.local).and_then(RootKind::schema) {
        Some(kind) if !is_included => schema::check_by(judge, root, text, kind, version),
        _ => Vec::new(),
    }
}
