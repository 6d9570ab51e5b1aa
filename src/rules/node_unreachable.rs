//! No path from start leads to a node.
//!
//! The server never looks at such a node, so mistakes in it do not show either. Remove it, or let a transition name it.
//! A kill node that nothing reaches is `kill-unused`.

use super::{Check, Rule, Sink};
use crate::analysis::flow::graph::Edge;
use crate::analysis::flow::{EdgeId, Kind, NodeId, Role};
use crate::analysis::subject::Workflow;
use crate::diag::{Diagnostic, Group, Info, Severity};
use crate::source::Span;

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "node-unreachable",
        group: Group::Meaning,
        severity: Severity::Warning,
        stage: None,
        mirrors: &[],
        explanation: include_str!("node_unreachable.rs"),
    },
    check: Check::Workflow(check),
};

fn check(app: &Workflow<'_>, sink: &mut Sink) {
    let flow = &app.flow.flow;
    // A transition that leads nowhere, or is not there, may be the one that is missing.
    let lacks = |id: NodeId| match flow.kind(id) {
        Kind::Action => flow.out(id).len() < 2,
        Kind::Decision => !flow.out(id).iter().any(|edge| edge.role == Role::Default),
        Kind::Start | Kind::Fork | Kind::Join => flow.out(id).is_empty(),
        Kind::End | Kind::Kill => false,
    };
    let is_open = flow.ids().any(|id| app.flow.is_reached(id) && lacks(id));
    if flow.start().is_none() || is_open || app.flow.has_loose_end() {
        return;
    }
    // That there is one end is what the schema says.
    let end = flow.ids().find(|id| flow.kind(*id) == Kind::End);
    // A second node of a name is told as that.
    let is_first = |id: NodeId| flow.find(flow.name(id)) == Some(id);
    let mut hints = 0;
    for id in flow.ids().filter(|id| !app.flow.is_reached(*id) && is_first(*id)) {
        if flow.kind(id) == Kind::End && end != Some(id) {
            continue;
        }
        if !matches!(flow.kind(id), Kind::Start | Kind::Kill) {
            let message = format!("nothing leads from start to {} `{}`", flow.kind_name(id), flow.name(id));
            let finding =
                Diagnostic::new(&RULE.info, flow.place(id), message).help(if flow.kind(id) == Kind::End {
                    "let a transition name it; else the workflow cannot succeed"
                } else {
                    "remove it, or let a transition name it"
                });
            hints += 1;
            sink.push(match (hints <= MAX_HINTS).then(|| passed_by(app, id)).flatten() {
                Some((place, words)) => finding.label(place, words),
                None => finding,
            });
        }
    }
}

/// For how many nodes the transition that passes by is looked for: each looks at the whole workflow.
const MAX_HINTS: usize = 100;

/// The transition that most likely was to lead to a node: the last one before it in the text that goes where the node
/// itself goes on to, or from an action whose success leads to a kill node, where the node is an end.
fn passed_by(app: &Workflow<'_>, missed: NodeId) -> Option<(Span, String)> {
    let flow = &app.flow.flow;
    let onward = flow.out(missed).iter().filter(|edge| edge.role != Role::Error);
    let onward: Vec<NodeId> = onward.filter_map(|edge| edge.target).collect();
    let is_end = flow.kind(missed) == Kind::End;
    let place = |id: NodeId| flow.place(id).start;
    let passes = |role: Role, target: NodeId| match is_end {
        true => role == Role::Ok && flow.kind(target) == Kind::Kill,
        false => role != Role::Error && onward.contains(&target) && flow.kind(target) != Kind::Kill,
    };
    let reached = || flow.ids().filter(|id| app.flow.is_reached(*id) && place(*id) < place(missed));
    // A path of a fork that is not there.
    let to_join = onward.iter().any(|id| flow.kind(*id) == Kind::Join);
    let fork = || reached().filter(|id| to_join && flow.kind(*id) == Kind::Fork).max_by_key(|id| place(*id));
    let edges = reached().flat_map(|from| flow.edges(from).map(|(id, edge)| (id, *edge)));
    let passing = edges.filter(|(_, edge)| edge.target.is_some_and(|target| passes(edge.role, target)));
    let is_path = |role: Role| matches!(role, Role::Path(_));
    let passing = passing.max_by_key(|(_, edge)| (is_path(edge.role), edge.to.span.start));
    let of_fork = |(_, edge): &(EdgeId, Edge<'_>)| !to_join || is_path(edge.role);
    let Some((_, found)) = passing.filter(|passing| of_fork(passing) || fork().is_none()) else {
        let fork = fork()?;
        let words = format!("fork `{}` has no path to `{}`", flow.name(fork), flow.name(missed));
        return Some((flow.place(fork), words));
    };
    let words = match is_end {
        true => format!("success leads to {} node `{}` here", flow.kill_name(), found.to.value),
        false => format!("this leads past `{}`", flow.name(missed)),
    };
    Some((found.to.span, words))
}
