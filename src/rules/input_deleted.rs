//! An action deletes what its coordinator has waited for, or in its `prepare` what it reads itself.
//!
//! The workflow of a coordinator gets the URIs of an input event and deletes them in a `prepare`, or before anything else in an
//! `fs` action: whoever reads the data afterwards finds nothing, and a rerun of the action waits for ever. Most often the output was meant, whose
//! name stands beside it. A `prepare` is done before its action: what a distcp copies, a map-reduce job reads or a sqoop export
//! sends is gone then.
//!
//! ```xml
//! <prepare><delete path="${inputDir}"/></prepare>
//! <prepare><delete path="${outputDir}"/></prepare>
//! ```

use std::collections::BTreeMap;

use super::{Check, Rule, Sink};
use crate::analysis::actions;
use crate::analysis::subject::{Job, Member, Package};
use crate::diag::{Diagnostic, Group, Info, Severity};
use crate::el::{self, NodeKind, Part};
use crate::model::action::{Details, FsKind};
use crate::model::workflow::{NodeKind as Kind, Workflow};
use crate::source::{Span, Text};

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "input-deleted",
        group: Group::Meaning,
        severity: Severity::Warning,
        stage: None,
        mirrors: &[],
        explanation: include_str!("input_deleted.rs"),
    },
    check: Check::Package(check),
};

fn check(program: &Package<'_>, sink: &mut Sink) {
    for job in &program.workflows {
        own(job, sink);
        let Some(member) = job.coordinator.and_then(|index| program.coordinators.get(index)) else {
            continue;
        };
        let inputs = inputs(member);
        if inputs.is_empty() {
            continue;
        }
        for node in &job.model.nodes {
            let Kind::Action(action) = &node.kind else { continue };
            let Some(body) = &action.body else { continue };
            let details = body.details();
            let operations = match &details {
                // Further on it may be what is done with data that have been read.
                Details::Fs(fs) if starts_with(job.model, &node.name.value) => &fs.operations,
                Details::Fs(_) => continue,
                other => match other.job() {
                    Some(job) => &job.prepare,
                    None => continue,
                },
            };
            for operation in operations.iter().filter(|operation| operation.kind == FsKind::Delete) {
                let Some(path) = &operation.path else { continue };
                let Some((event, given)) = actions::only_variable(path).and_then(|name| inputs.get(&name))
                else {
                    continue;
                };
                let message = format!("this deletes what the coordinator waits for: the input `{event}`");
                let finding = Diagnostic::new(&RULE.info, path.trimmed().span, message);
                let finding = finding.label(*given, "its URIs are handed to the workflow here");
                sink.push(finding.help("delete the output instead, or omit the delete"));
            }
        }
    }
}

/// Actions that delete what they read.
fn own(job: &Job<'_>, sink: &mut Sink) {
    for node in &job.model.nodes {
        let Kind::Action(action) = &node.kind else { continue };
        let Some(body) = &action.body else { continue };
        let details = body.details();
        let Some(parts) = details.job() else { continue };
        let deleted = parts.prepare.iter().filter(|operation| operation.kind == FsKind::Delete);
        let mut deleted = deleted.filter_map(|operation| operation.path.as_ref()).peekable();
        if deleted.peek().is_none() {
            continue;
        }
        let read: Vec<(&Text, String)> = sources(&details)
            .into_iter()
            .flat_map(|text| paths(job, text).into_iter().map(move |path| (text, path)))
            .collect();
        for path in deleted {
            let Some(gone) = paths(job, path).pop() else { continue };
            let is_gone = |read: &str| {
                read == gone || read.strip_prefix(&gone).is_some_and(|rest| rest.starts_with('/'))
            };
            let Some((text, _)) = read.iter().find(|(_, read)| is_gone(read)) else { continue };
            let message = "this deletes what the action reads afterwards".to_owned();
            let finding = Diagnostic::new(&RULE.info, path.trimmed().span, message);
            let finding = finding.label(text.trimmed().span, "read here");
            sink.push(finding.help("delete the output instead, or omit the delete"));
        }
    }
}

/// The texts that name what an action reads.
fn sources(details: &Details) -> Vec<&Text> {
    match details {
        Details::Distcp(distcp) => {
            let paths: Vec<&Text> =
                distcp.args.iter().rev().take_while(|arg| !arg.value.trim().starts_with('-')).collect();
            // The last one is the target; the first may be the value of an option.
            paths.into_iter().skip(1).collect()
        }
        Details::MapReduce(job) => {
            let names = ["mapred.input.dir", "mapreduce.input.fileinputformat.inputdir"];
            let properties = job.job.configuration.properties.iter();
            properties.filter(|it| names.contains(&it.name.value.trim())).map(|it| &it.value).collect()
        }
        Details::Sqoop(sqoop) => {
            let pairs = sqoop.args.windows(2).filter(|pair| pair[0].value.trim() == "--export-dir");
            pairs.map(|pair| &pair[1]).collect()
        }
        _ => Vec::new(),
    }
}

/// The paths of a text, with values where they are known and as they are written else.
fn paths(job: &Job<'_>, text: &Text) -> Vec<String> {
    let known = actions::known(job.values, text);
    let value = known.as_ref().map_or(text.value.as_str(), |known| known.value.as_str());
    let is_list = !value.contains("${");
    let parts: Vec<&str> = if is_list { value.split(',').collect() } else { vec![value] };
    parts
        .into_iter()
        .map(|path| path.trim().trim_end_matches('/').to_owned())
        .filter(|path| !path.is_empty())
        .collect()
}

/// Whether the start of a workflow leads to this node.
fn starts_with(workflow: &Workflow, node: &str) -> bool {
    workflow.nodes.iter().any(|other| match &other.kind {
        Kind::Start { to } => to.as_ref().is_some_and(|to| to.value.trim() == node.trim()),
        _ => false,
    })
}

/// The properties of the workflow that hold the URIs of an input and nothing else, with its name and place.
fn inputs(member: &Member<'_>) -> BTreeMap<String, (String, Span)> {
    let Some(action) = &member.app.model.action else { return BTreeMap::new() };
    let properties = &action.configuration.properties;
    let input = |text: &Text| {
        let (template, _) = el::parse(text);
        let [Part::Expression { root, .. }] = &template.parts[..] else { return None };
        let call = template.calls().find(|call| call.prefix == "coord" && call.name == "dataIn")?;
        let [argument] = call.arguments else { return None };
        let NodeKind::String(name) = &template.node(*argument).kind else { return None };
        // The call is all of it.
        let is_alone =
            matches!(&template.node(*root).kind, NodeKind::Call { .. }) && template.calls().count() == 1;
        is_alone.then(|| name.to_string())
    };
    let named = |property: &crate::model::Property| {
        let event = input(&property.value)?;
        Some((property.name.value.trim().to_owned(), (event, property.value.trimmed().span)))
    };
    properties.iter().filter_map(named).collect()
}
