//! An action's success leads to nothing but a kill node, and its failure to an end.
//!
//! Whatever comes after `ok`, the workflow fails; after `error` it may succeed. Most likely the two transitions have
//! changed places. An action that shall fail, to find out that something is not there, is told apart by a comment
//! (`ankus: allow(ok-error-swapped)`).
//!
//! ```xml
//! <ok to="failed"/><error to="next"/>     <!-- wrong -->
//! <ok to="next"/><error to="failed"/>
//! ```

use super::{Check, Rule, Sink};
use crate::analysis::flow::{Flow, Kind, NodeId, Role};
use crate::analysis::subject::Workflow;
use crate::diag::{Diagnostic, Group, Info, Severity};

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "ok-error-swapped",
        group: Group::Meaning,
        severity: Severity::Warning,
        stage: None,
        mirrors: &[],
        explanation: include_str!("ok_error_swapped.rs"),
    },
    check: Check::Workflow(check),
};

fn check(app: &Workflow<'_>, sink: &mut Sink) {
    let flow = &app.flow.flow;
    if app.flow.has_loose_end() {
        return;
    }
    let ends = ends_in_success(flow);
    for id in flow.ids().filter(|id| flow.kind(*id) == Kind::Action && app.flow.is_reached(*id)) {
        let target = |role| flow.edges(id).find(|(_, edge)| edge.role == role).map(|(_, edge)| edge);
        let (Some(ok), Some(error)) = (target(Role::Ok), target(Role::Error)) else { continue };
        let may_end = |target: Option<NodeId>| target.is_some_and(|target| ends[target.index()]);
        if ok.target.is_none() || may_end(ok.target) || !may_end(error.target) {
            continue;
        }
        let message =
            format!("success of action `{}` makes the workflow fail, and failure does not", flow.name(id));
        sink.push(
            Diagnostic::new(&RULE.info, ok.to.span, message)
                .at(format!("leads to nothing but a {} node", flow.kill_name()))
                .label(error.to.span, "leads to an end")
                .help("let the two transitions change places"),
        );
    }
}

/// For each node: an end can be reached from it.
fn ends_in_success(flow: &Flow<'_>) -> Vec<bool> {
    let mut before: Vec<Vec<NodeId>> = vec![Vec::new(); flow.len()];
    for from in flow.ids() {
        for target in flow.out(from).iter().filter_map(|edge| edge.target) {
            before[target.index()].push(from);
        }
    }
    let mut found = vec![false; flow.len()];
    let mut open: Vec<NodeId> = flow.ids().filter(|id| flow.kind(*id) == Kind::End).collect();
    while let Some(id) = open.pop() {
        if !std::mem::replace(&mut found[id.index()], true) {
            open.append(&mut before[id.index()]);
        }
    }
    found
}
