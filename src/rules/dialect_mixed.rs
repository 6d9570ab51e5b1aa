//! An element of another dialect stands in a workflow.
//!
//! Oozie's `workflow-app` and the `hadoop-workflow` of 2009 have other words for the same things: `action` around an action's
//! element, `ok` and `error`, `kill`, `switch` and `case` in the one; actions as elements of their own, `transition` with a
//! name, `fail`, `eval` in the other. Later drafts of the specification of 2009, and its own prose, have words that it does
//! not define. `ankus` never takes one for the other.
//!
//! Where the schema finds the same fault, this is told once, as what the schema says, with the word to use.

use super::{Check, Rule, Sink};
use crate::analysis::subject::Workflow;
use crate::diag::{Diagnostic, Group, Info, Severity, Stage};

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "dialect-mixed",
        group: Group::Meaning,
        severity: Severity::Error,
        stage: Some(Stage::Submit),
        mirrors: &[],
        explanation: include_str!("dialect_mixed.rs"),
    },
    check: Check::Workflow(check),
};

fn check(app: &Workflow<'_>, sink: &mut Sink) {
    for foreign in &app.model.foreign {
        let message = format!("`{}` is a word of another dialect", foreign.word);
        sink.push(Diagnostic::new(&RULE.info, foreign.tag_span, message).help(foreign.instead));
    }
}
