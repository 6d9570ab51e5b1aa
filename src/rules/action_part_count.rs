//! A part that an action of a `hadoop-workflow` needs is missing, or one is there twice.
//!
//! The parts of an action stand in any order, so no schema counts them: `pig` needs `pig-host` and `pig-script`, `hdfs` a
//! `file-system` and `commands`, `ssh` a `host` and a `command`, `sub-workflow` a `hadoop-workflow`, `http` a `url`, `email` `to`,
//! `subject` and `message`. All but `args` may stand once.

use super::{Check, Rule, Sink};
use crate::analysis::actions;
use crate::analysis::subject::Workflow;
use crate::diag::{Diagnostic, Group, Info, Severity, Stage};
use crate::model::Dialect;
use crate::xml::Element;

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "action-part-count",
        group: Group::Meaning,
        severity: Severity::Error,
        stage: Some(Stage::Submit),
        mirrors: &[],
        explanation: include_str!("action_part_count.rs"),
    },
    check: Check::Workflow(check),
};

/// What each type needs.
const NEEDED: &[(&str, &[&str])] = &[
    ("pig", &["pig-host", "pig-script"]),
    ("hdfs", &["file-system", "commands"]),
    ("ssh", &["host", "command"]),
    ("sub-workflow", &["hadoop-workflow"]),
    ("http", &["url"]),
    ("email", &["to", "subject", "message"]),
];

/// Parts that say nothing when they are empty. An `email` without recipients is known to another rule.
const FILLED: &[&str] =
    &["pig-host", "pig-script", "file-system", "host", "command", "hadoop-workflow", "url", "job-xml"];

/// Parts that may stand several times.
const MANY: &[&str] = &["args"];

fn check(app: &Workflow<'_>, sink: &mut Sink) {
    if app.model.dialect != Dialect::Hws {
        return;
    }
    for action in app.actions() {
        let element: &Element = &action.body.element;
        let needed =
            NEEDED.iter().find(|(kind, _)| action.body.kind == **kind).map_or(&[][..], |(_, parts)| parts);
        for part in needed.iter().filter(|part| element.child(part).is_none()) {
            // One that is there under a word of another dialect is told as that.
            let is_misnamed = app.model.foreign.iter().any(|it| {
                it.instead.contains(&format!("`{part}`"))
                    && element.elements().any(|e| e.name_span == it.tag_span)
            });
            if !is_misnamed {
                let message = format!("{} has no `{part}`", action.words());
                let finding = Diagnostic::new(&RULE.info, element.name_span, message);
                sink.push(finding.help(format!("add `<{part}>`")));
            }
        }
        count(element, sink);
        for part in element.children_named("streaming") {
            count(part, sink);
        }
    }
}

fn count(parent: &Element, sink: &mut Sink) {
    let parts: Vec<&Element> = parent.elements().collect();
    for (at, part) in parts.iter().enumerate() {
        let name = part.name.local.as_str();
        let first = parts[..at].iter().find(|other| other.name == part.name);
        if let Some(first) = first.filter(|_| !MANY.contains(&name)) {
            let message = format!("`{name}` stands in `{}` a second time", parent.name.local);
            let finding = Diagnostic::new(&RULE.info, part.name_span, message);
            sink.push(finding.label(first.name_span, "the first one").help("keep one of them"));
        } else if FILLED.contains(&name) && actions::literal(&part.text()).is_some_and(str::is_empty) {
            let message = format!("`{name}` is empty");
            sink.push(Diagnostic::new(&RULE.info, part.name_span, message).help("fill it in"));
        }
    }
}
