//! A join is reached outside any fork.
//!
//! A join waits for the paths of a fork. Where the workflow comes to it on a way that no fork has split, the server
//! refuses it (E0742), mostly in the words that forks and joins are not in pair (E0730). Go straight to the node after
//! the join, or put the fork in.

use super::{Check, Rule, Sink};
use crate::analysis::flow::Fault;
use crate::analysis::subject::Workflow;
use crate::diag::{Diagnostic, Group, Info, Severity, Stage};

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "join-without-fork",
        group: Group::Meaning,
        severity: Severity::Error,
        stage: Some(Stage::Submit),
        mirrors: &["E0742"],
        explanation: include_str!("join_without_fork.rs"),
    },
    check: Check::Workflow(check),
};

fn check(app: &Workflow<'_>, sink: &mut Sink) {
    let flow = &app.flow.flow;
    for found in &app.flow.walk.faults {
        let Fault::NoFork { join, via, fork } = found.fault else { continue };
        let message = format!("join `{}` is reached outside any fork", flow.name(join));
        let path = flow.start().map(|start| app.flow.witness(found, 0, start, via)).unwrap_or_default();
        let mut finding = Diagnostic::new(&RULE.info, flow.edge(via).to.span, message)
            .at(format!("reached here: {path}"))
            .label(flow.place(join), "this join");
        finding = match fork {
            Some(fork) => finding
                .label(flow.place(fork), "the fork whose paths it waits for")
                .help("go to the node after the join instead"),
            None => finding.help("put a fork before it, or leave out the join"),
        };
        sink.push(app.flow.judge(found, finding));
    }
}
