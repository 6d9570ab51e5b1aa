//! A workflow runs itself again, and nothing makes an end of it, or the next round lacks what it reads.
//!
//! A loop is a sub-workflow action with the path of its own workflow. Each round must get what the workflow reads
//! (`<propagate-configuration/>` or a property for each), and some value that a decision looks at must be another one than before:
//! else the server ends the job at a depth of 50.
//!
//! ```xml
//! <app-path>${wf:appPath()}</app-path>
//! <propagate-configuration/>
//! <configuration><property><name>i</name><value>${i + 1}</value></property></configuration>
//! ```

use std::collections::BTreeSet;

use super::{Check, Rule, Sink};
use crate::analysis::actions;
use crate::analysis::expressions::{self, names_read};
use crate::analysis::parameters::Layer;
use crate::analysis::subject::{Job, Package};
use crate::analysis::templates;
use crate::diag::{Diagnostic, Group, Info, Severity};
use crate::el::{self, NodeKind as Expression};
use crate::model::Property;
use crate::model::action::{Details, SubWorkflow};
use crate::model::workflow::NodeKind;
use crate::source::{Span, Text};

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "subworkflow-self-call",
        group: Group::Meaning,
        severity: Severity::Warning,
        stage: None,
        mirrors: &[],
        explanation: include_str!("subworkflow_self_call.rs"),
    },
    check: Check::Package(check),
};

fn check(program: &Package<'_>, sink: &mut Sink) {
    for job in &program.workflows {
        for node in &job.model.nodes {
            let NodeKind::Action(action) = &node.kind else { continue };
            let Some(body) = &action.body else { continue };
            let Details::SubWorkflow(call) = body.details() else { continue };
            if !call.app_path.as_ref().is_some_and(calls_itself) {
                continue;
            }
            let place = body.element.name_span;
            sink.extend(lacking(job, &call, place));
            sink.extend(endless(job, &call, place));
        }
    }
}

/// The path is the workflow's own, whatever that is.
fn calls_itself(path: &Text) -> bool {
    let (template, _) = el::parse(path);
    let [el::Part::Expression { root, .. }] = &template.parts[..] else { return false };
    matches!(&template.node(*root).kind, Expression::Call { .. })
        && template.calls().all(|call| call.prefix == "wf" && call.name == "appPath")
}

fn given<'c>(call: &'c SubWorkflow, name: &str) -> Option<&'c Property> {
    call.configuration.properties.iter().rev().find(|property| property.name.value.trim() == name)
}

/// What the workflow reads and the next round of it does not get.
fn lacking(job: &Job<'_>, call: &SubWorkflow, place: Span) -> Option<Diagnostic> {
    if call.propagate_configuration.is_some() {
        return None;
    }
    let expressions = expressions::read(templates::of_workflow(job.model), job.values.version, |_| true);
    let read = names_read(&expressions)?;
    let by_itself = |name: &str| {
        let formal =
            job.model.parameters.iter().any(|it| it.default.is_some() && it.name.value.trim() == name);
        let steps = job.values.conf().steps(name);
        formal
            || name.contains('.')
            || steps.iter().any(|step| matches!(step.layer, Layer::DefaultFile | Layer::Server))
    };
    // Names that nothing gives are another finding.
    let is_given = |name: &str| job.values.conf().contains(name) || job.values.is_late(name);
    let missing: Vec<&str> = read
        .into_iter()
        .filter(|name| is_given(name) && given(call, name).is_none() && !by_itself(name))
        .collect();
    let first = missing.first()?;
    let names: Vec<String> = missing.iter().take(3).map(|name| format!("`{name}`")).collect();
    let message =
        format!("the workflow runs itself and does not hand on {}, which it reads", names.join(", "));
    Some(
        Diagnostic::new(&RULE.info, place, message)
            .help(format!("add `<propagate-configuration/>`, or give `{first}` in `configuration`")),
    )
}

/// Nothing that a decision looks at changes from one round to the next.
fn endless(job: &Job<'_>, call: &SubWorkflow, place: Span) -> Option<Diagnostic> {
    let mut looked_at: BTreeSet<String> = BTreeSet::new();
    for node in &job.model.nodes {
        let NodeKind::Decision { cases, .. } = &node.kind else { continue };
        for case in cases {
            let (template, _) = el::parse(&case.predicate);
            looked_at.extend(template.variables().map(|(_, name)| name.to_owned()));
            for called in template.calls() {
                match (called.prefix, called.name, called.arguments) {
                    ("wf", "conf", [name]) => match &template.node(*name).kind {
                        Expression::String(name) => drop(looked_at.insert(name.to_string())),
                        _ => return None,
                    },
                    ("", name, _) if name != "timestamp" => {}
                    // What data, files and actions say may be another thing each time.
                    _ => return None,
                }
            }
        }
    }
    let is_same = |name: &String| match given(call, name) {
        Some(property) => actions::only_variable(&property.value).as_ref() == Some(name),
        None => true,
    };
    if looked_at.is_empty() || !looked_at.iter().all(is_same) {
        return None;
    }
    let properties = call.configuration.properties.iter();
    let span = properties
        .filter(|property| {
            looked_at.contains(property.name.value.trim()) || property.value.value.contains("${")
        })
        .map(|property| property.span)
        .next_back();
    let names: Vec<String> = looked_at.iter().take(3).map(|name| format!("`{name}`")).collect();
    let message = format!("the workflow runs itself without end: no round changes {}", names.join(" or "));
    let finding = Diagnostic::new(&RULE.info, span.unwrap_or(place), message);
    Some(finding.help("hand on another value, as in `${i + 1}`"))
}
