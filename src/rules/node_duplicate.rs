//! Two nodes of a workflow have one name.
//!
//! A transition could mean either, so the server refuses the workflow (E0705).
//! When the doubled name is that of the end node and the first node of that name goes to it, the server sees
//! a node that goes to itself instead (E0706). Give one of the nodes another name.

use super::{Check, Rule, Sink};
use crate::analysis::flow::Kind;
use crate::analysis::subject::Workflow;
use crate::diag::{Diagnostic, Group, Info, Severity, Stage};

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "node-duplicate",
        group: Group::Meaning,
        severity: Severity::Error,
        stage: Some(Stage::Submit),
        mirrors: &["E0705"],
        explanation: include_str!("node_duplicate.rs"),
    },
    check: Check::Workflow(check),
};

fn check(app: &Workflow<'_>, sink: &mut Sink) {
    let flow = &app.flow.flow;
    for (first, again) in app.flow.flow.duplicates().iter().copied() {
        if flow.kind(again) == Kind::Start {
            continue; // It has no name of its own; the schema says that there is one.
        }
        let message = format!("two nodes are named `{}`", flow.name(again));
        let hides_end = flow.kind(again) == Kind::End && app.flow.goes_to_itself(first);
        let code = if hides_end { "E0706" } else { "E0705" };
        sink.push(
            Diagnostic::new(&RULE.info, flow.place(again), message)
                .oozie(&[code])
                .at(format!("this {} has the name too", flow.kind(again)))
                .label(flow.place(first), format!("the {} of this name", flow.kind(first)))
                .help("give one of them another name"),
        );
    }
}
