//! Two paths that run at the same time lead to one node.
//!
//! The node would run twice; the server refuses more than one way of `ok` transitions to a node, unless all of them
//! begin at one decision (E0743). Put the node after the join, or give each path a node of its own.

use super::{Check, Rule, Sink};
use crate::analysis::flow::Fault;
use crate::analysis::subject::Workflow;
use crate::diag::{Diagnostic, Group, Info, Severity, Stage};

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "concurrent-node",
        group: Group::Meaning,
        severity: Severity::Error,
        stage: Some(Stage::Submit),
        mirrors: &["E0743"],
        explanation: include_str!("concurrent_node.rs"),
    },
    check: Check::Workflow(check),
};

fn check(app: &Workflow<'_>, sink: &mut Sink) {
    let flow = &app.flow.flow;
    for found in &app.flow.walk.faults {
        let Fault::Concurrent { node, fork, first, second } = found.fault else { continue };
        let message =
            format!("two paths of `{}` lead to {} `{}`", flow.shown(fork), flow.kind(node), flow.name(node));
        let finding = Diagnostic::new(&RULE.info, flow.place(node), message)
            .at("it would run twice")
            .label(flow.edge(first).to.span, format!("one path: {}", app.flow.witness(found, 0, fork, first)))
            .label(
                flow.edge(second).to.span,
                format!("another: {}", app.flow.witness(found, 1, fork, second)),
            )
            .help("put it after the join, or give each path a node of its own");
        sink.push(app.flow.judge(found, finding));
    }
}
