//! A fork names one node twice.
//!
//! Its paths would run that node twice at the same time; the server refuses it (E0744). Two paths may lead straight to
//! the same join or kill node.

use super::{Check, Rule, Sink};
use crate::analysis::flow::Fault;
use crate::analysis::subject::Workflow;
use crate::diag::{Diagnostic, Group, Info, Severity, Stage};

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "fork-same-target",
        group: Group::Meaning,
        severity: Severity::Error,
        stage: Some(Stage::Submit),
        mirrors: &["E0744"],
        explanation: include_str!("fork_same_target.rs"),
    },
    check: Check::Workflow(check),
};

fn check(app: &Workflow<'_>, sink: &mut Sink) {
    let flow = &app.flow.flow;
    for found in &app.flow.walk.faults {
        let Fault::SameTarget { fork, first, second } = found.fault else { continue };
        let target = &flow.edge(second).to;
        let message = format!("fork `{}` names `{}` twice", flow.name(fork), target.value);
        let finding = Diagnostic::new(&RULE.info, target.span, message)
            .at("named again")
            .label(flow.edge(first).to.span, "named first")
            .help("let each path begin at a node of its own");
        sink.push(app.flow.judge(found, finding));
    }
}
