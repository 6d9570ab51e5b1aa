//! A node goes to itself.
//!
//! A workflow has no loops; the server refuses this when it reads the node, reached or not (E0706).
//! Repeat an action with `retry-max`, or let a coordinator run the workflow again.

use std::collections::BTreeSet;

use super::{Check, Rule, Sink};
use crate::analysis::flow::Kind;
use crate::analysis::subject::Workflow;
use crate::diag::{Diagnostic, Group, Info, Severity, Stage};

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "transition-self",
        group: Group::Meaning,
        severity: Severity::Error,
        stage: Some(Stage::Submit),
        mirrors: &["E0706"],
        explanation: include_str!("transition_self.rs"),
    },
    check: Check::Workflow(check),
};

fn check(app: &Workflow<'_>, sink: &mut Sink) {
    let flow = &app.flow.flow;
    let end_names: BTreeSet<&str> = (app.flow.flow.duplicates().iter())
        .filter(|(_, again)| flow.kind(*again) == Kind::End)
        .map(|(_, again)| flow.name(*again))
        .collect();
    for id in flow.ids() {
        let name = flow.name(id);
        // A node that took the end node's name is a duplicate that means the end.
        if end_names.contains(name) {
            continue;
        }
        for (edge, to) in flow.edges(id).filter(|(_, edge)| edge.target == Some(id)) {
            let message = format!("{} `{name}` goes to itself", flow.kind(id));
            sink.push(
                Diagnostic::new(&RULE.info, to.to.span, message)
                    .at(format!("{} comes back", flow.words(edge)))
                    .label(flow.place(id), "this node")
                    .help("name another node"),
            );
        }
    }
}
