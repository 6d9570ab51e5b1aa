//! A delete, or a recursive change of permissions, reaches the root of a file system or a folder that everybody shares.
//!
//! What is deleted in `prepare` or by `fs` is gone at once, with everything below it, and no trash keeps it by default.
//! `wf:conf('x')` and captured output are empty when they are missing, and then `${nameNode}/${wf:conf('x')}` is the
//! root. Name a folder of the application, and write `${x}`, which fails when it is missing.
//!
//! ```xml
//! <delete path="${nameNode}/${wf:conf('output')}"/>           <!-- the root, when output is missing -->
//! <delete path="${nameNode}/user/${wf:user()}/app/${output}"/>
//! ```

use super::{Check, Rule, Sink};
use crate::analysis::actions::{self, ActionNode};
use crate::analysis::subject::Workflow;
use crate::diag::{Diagnostic, Group, Info, Severity};
use crate::el::{self, NodeKind as Expression, Part, Template};
use crate::model::action::{Details, FsKind, FsOperation};
use crate::source::Text;
use std::collections::BTreeSet;

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "delete-near-root",
        group: Group::Meaning,
        severity: Severity::Warning,
        stage: None,
        mirrors: &[],
        explanation: include_str!("delete_near_root.rs"),
    },
    check: Check::Workflow(check),
};

/// Folders at the root that do not belong to one application.
const SHARED: &[&str] = &[
    "app-logs",
    "apps",
    "data",
    "etc",
    "hadoop",
    "hbase",
    "home",
    "mapred",
    "mr-history",
    "share",
    "system",
    "tmp",
    "user",
    "usr",
    "var",
];

fn check(app: &Workflow<'_>, sink: &mut Sink) {
    let list = app.actions();
    let name_nodes = name_nodes(app, list);
    for action in list {
        let operations = match &action.details {
            Details::Fs(fs) => &fs.operations,
            details => match details.job() {
                Some(job) => &job.prepare,
                None => continue,
            },
        };
        for operation in operations {
            let verb = match operation.kind {
                FsKind::Delete => "deletes",
                FsKind::Chmod if operation.recursive.is_some() => "changes the permissions of",
                FsKind::Chgrp if operation.recursive.is_some() => "changes the group of",
                _ => continue,
            };
            sink.extend(judge(app, operation, verb, &name_nodes));
        }
    }
}

fn judge(
    app: &Workflow<'_>,
    operation: &FsOperation,
    verb: &str,
    name_nodes: &BTreeSet<String>,
) -> Option<Diagnostic> {
    let written = operation.path.as_ref()?;
    let known = actions::known(app.values, written);
    let path = known.as_ref().unwrap_or(written);
    let (template, _) = el::parse(path);
    let segments = segments(&template, name_nodes)?;
    let found = |message: String| Diagnostic::new(&RULE.info, path.span, message);
    if let Some(what) = near_root(&segments) {
        return Some(found(format!("this {verb} {what}")).help("name a folder of the application"));
    }
    // What may be empty at the end of the path.
    let kept = segments.iter().rposition(|segment| !segment.may_be_empty).map_or(0, |last| last + 1);
    let what = near_root(&segments[..kept]).filter(|_| kept < segments.len())?;
    let text = &segments[kept].text;
    let finding = found(format!("this {verb} {what} when `{text}` is empty"));
    Some(finding.help("name the property as a variable, which fails when it is missing"))
}

/// A step of a path.
#[derive(Debug, Default)]
struct Segment {
    /// As written.
    text: String,
    /// Nothing but calls that give nothing when something is missing.
    may_be_empty: bool,
    /// It names who runs the job.
    is_user: bool,
}

/// The steps from the root of a file system on; nothing when the path does not surely begin there.
fn segments(template: &Template, name_nodes: &BTreeSet<String>) -> Option<Vec<Segment>> {
    let mut pieces: Vec<(&str, Option<&Expression>)> = Vec::new();
    for part in &template.parts {
        match part {
            Part::Literal { value, .. } => pieces.push((value, None)),
            Part::Expression { root, range, .. } => {
                pieces.push((&template.text.value[range.clone()], Some(&template.node(*root).kind)));
            }
        }
    }
    let mut segments: Vec<Segment> = Vec::new();
    let mut pieces = pieces.into_iter().peekable();
    let mut rest = match pieces.next()? {
        (text, None) => {
            let text = text.trim_start();
            match text.find("://") {
                // The authority ends at the next slash, wherever that is.
                Some(at) if !text[..at].contains('/') => {
                    let mut after = &text[at + 3..];
                    loop {
                        match after.find('/') {
                            Some(slash) => break &after[slash..],
                            None => match pieces.next() {
                                Some((text, None)) => after = text,
                                Some((_, Some(_))) => after = "",
                                None => break "/",
                            },
                        }
                    }
                }
                _ if text.starts_with('/') => text,
                _ => return None,
            }
        }
        (text, Some(Expression::Variable(name))) => {
            let lower = name.to_ascii_lowercase();
            let is_name_node =
                lower.contains("namenode") || lower.contains("name_node") || name_nodes.contains(text);
            match pieces.peek() {
                None if is_name_node => "/",
                Some((text, None)) if is_name_node && text.starts_with('/') => pieces.next()?.0,
                Some((_, Some(_))) if is_name_node => "/",
                _ => return None,
            }
        }
        _ => return None,
    };
    // Each piece of text goes on with the segment that the one before left open.
    loop {
        for (index, step) in rest.trim_end().split('/').enumerate() {
            if index > 0 {
                segments.push(Segment::default());
            }
            if !step.is_empty()
                && let Some(last) = segments.last_mut()
            {
                last.text.push_str(step);
                last.may_be_empty = false;
            }
        }
        rest = loop {
            match pieces.next() {
                None => {
                    segments.retain(|segment| !segment.text.is_empty());
                    return Some(segments);
                }
                Some((text, None)) => break text,
                Some((text, Some(kind))) => {
                    if segments.is_empty() {
                        segments.push(Segment::default());
                    }
                    let last = segments.last_mut()?;
                    last.is_user = last.text.is_empty() && is_user(kind);
                    last.may_be_empty =
                        (last.text.is_empty() || last.may_be_empty) && gives_nothing(kind, template);
                    last.text.push_str(text);
                }
            }
        };
    }
}

/// Whether an expression is an empty text when what it asks for is missing.
fn gives_nothing(kind: &Expression, template: &Template) -> bool {
    match kind {
        Expression::Call { prefix, name, .. } => (&**prefix, &**name) == ("wf", "conf"),
        Expression::Property { base, arguments: None, .. } => match &template.node(*base).kind {
            Expression::Call { prefix, name, .. } => (&**prefix, &**name) == ("wf", "actionData"),
            _ => false,
        },
        _ => false,
    }
}

fn is_user(kind: &Expression) -> bool {
    match kind {
        Expression::Call { prefix, name, .. } => (&**prefix, &**name) == ("wf", "user"),
        Expression::Variable(name) => matches!(&**name, "user" | "USER" | "userName" | "user_name"),
        _ => false,
    }
}

/// What a path names, when nobody should delete it.
fn near_root(segments: &[Segment]) -> Option<String> {
    let stars = segments.iter().rev().take_while(|segment| segment.text.trim_matches('*').is_empty()).count();
    let (steps, all) = (&segments[..segments.len() - stars], if stars > 0 { "everything in " } else { "" });
    match steps {
        [] => Some(format!("{all}the root of the file system")),
        [one] if SHARED.contains(&one.text.as_str()) => Some(format!("{all}`/{}`", one.text)),
        [first, second] if first.text == "user" && second.is_user => {
            Some(format!("{all}the home folder `/user/{}`", second.text))
        }
        _ => None,
    }
}

/// The texts of all `name-node` elements: what they hold stands for the root of a file system.
fn name_nodes(app: &Workflow<'_>, list: &[ActionNode<'_>]) -> BTreeSet<String> {
    let global = app.model.global.iter().filter_map(|global| global.name_node.as_ref());
    let of_fs = list.iter().filter_map(|action| match &action.details {
        Details::Fs(fs) => fs.name_node.as_ref(),
        details => details.job()?.name_node.as_ref(),
    });
    global.chain(of_fs).map(|text: &Text| text.value.trim().to_owned()).collect()
}
