//! An end node is reached inside a fork.
//!
//! The workflow would end while other paths of the fork still run. The server refuses it (E0737), for `error`
//! transitions too; a kill node is allowed. Lead to the join, or to a kill node.

use super::{Check, Rule, Sink};
use crate::analysis::flow::{EdgeId, Fault, NodeId, Role};
use crate::analysis::subject::Workflow;
use crate::diag::{Diagnostic, Group, Info, Severity, Stage};
use crate::model::Dialect;

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "end-inside-fork",
        group: Group::Meaning,
        severity: Severity::Error,
        stage: Some(Stage::Submit),
        mirrors: &["E0737"],
        explanation: include_str!("end_inside_fork.rs"),
    },
    check: Check::Workflow(check),
};

fn check(app: &Workflow<'_>, sink: &mut Sink) {
    let flow = &app.flow.flow;
    for found in &app.flow.walk.faults {
        let Fault::EndInside { fork, end, via } = found.fault else { continue };
        let name = flow.name(end);
        if app.model.dialect == Dialect::Hws {
            sink.push(ends_beside(app, fork, via));
            continue;
        }
        let message = format!("end `{name}` is reached inside fork `{}`", flow.name(fork));
        let finding = Diagnostic::new(&RULE.info, flow.edge(via).to.span, message)
            .at(format!("reached here: {}", app.flow.witness(found, 0, fork, via)))
            .label(flow.place(fork), "the fork whose other paths still run")
            .help("lead to the join of the fork, or to a kill node");
        // The way past the join begins at the last action that it takes.
        let ways = found.ways.iter().flatten().filter(|way| way.last() == Some(&via));
        let last = ways.flat_map(|way| way.iter().rev().skip(1)).find(|id| flow.edge(**id).role == Role::Ok);
        let finding = match last.filter(|id| flow.edge(**id).to.span != finding.span) {
            Some(id) => finding.label(flow.edge(*id).to.span, "on the way there"),
            None => finding,
        };
        sink.push(app.flow.judge(found, finding));
    }
}

/// In a `hadoop-workflow` the end kills what still runs, and the job succeeds.
fn ends_beside(app: &Workflow<'_>, fork: NodeId, via: EdgeId) -> Diagnostic {
    let flow = &app.flow.flow;
    let message =
        format!("this ends the job inside fork `{}`, and what still runs is killed", flow.name(fork));
    let finding = Diagnostic::new(&RULE.info, flow.edge(via).to.span, message);
    finding
        .severity(Severity::Info)
        .stage(None)
        .label(flow.place(fork), "the fork whose other paths may still run")
}
