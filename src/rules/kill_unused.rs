//! Nothing reaches a kill node.
//!
//! It does no harm, but an `error` transition may have been meant to name it. Remove it, or use it.

use super::{Check, Rule, Sink};
use crate::analysis::flow::{Kind, NodeId};
use crate::analysis::subject::Workflow;
use crate::diag::{Diagnostic, Edit, Group, Info, Severity};
use crate::model::workflow::{Node, NodeKind};

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "kill-unused",
        group: Group::Meaning,
        severity: Severity::Info,
        stage: None,
        mirrors: &[],
        explanation: include_str!("kill_unused.rs"),
    },
    check: Check::Workflow(check),
};

fn check(app: &Workflow<'_>, sink: &mut Sink) {
    let flow = &app.flow.flow;
    // A transition that leads nowhere, or that an action lacks, may be the one that is missing.
    let lacks_one = |node: &Node| match &node.kind {
        NodeKind::Action(action) => action.ok.is_none() || action.error.is_none(),
        _ => false,
    };
    if flow.start().is_none() || app.flow.has_loose_end() || app.model.nodes.iter().any(lacks_one) {
        return;
    }
    // A second node of a name is told as that.
    let is_first = |id: NodeId| flow.find(flow.name(id)) == Some(id);
    let unused = |id: &NodeId| flow.kind(*id) == Kind::Kill && !app.flow.is_reached(*id) && is_first(*id);
    for id in flow.ids().filter(unused) {
        let element = app.model.nodes[id.index()].span;
        sink.push(
            Diagnostic::new(
                &RULE.info,
                flow.place(id),
                format!("nothing leads to {} `{}`", flow.kill_name(), flow.name(id)),
            )
            .help("remove it, or let a transition name it")
            .fix(true, vec![Edit { span: element, text: String::new() }]),
        );
    }
}
