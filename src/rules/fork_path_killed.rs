//! A path of a fork leads to nothing but kill nodes, so its join is never passed.
//!
//! The other paths lead to a join, which waits for this one too. Whatever happens, the workflow is killed when this path
//! ends. Let the last action of the path lead to the join.
//!
//! ```xml
//! <fork name="both"><path start="load"/><path start="count"/></fork>
//! <action name="load">…<ok to="failed"/><error to="failed"/></action>   <!-- ok to="join" -->
//! ```

use super::{Check, Rule, Sink};
use crate::analysis::flow::{Flow, Kind, NodeId, Role};
use crate::analysis::subject::Workflow;
use crate::diag::{Diagnostic, Group, Info, Severity};

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "fork-path-killed",
        group: Group::Meaning,
        severity: Severity::Warning,
        stage: None,
        mirrors: &[],
        explanation: include_str!("fork_path_killed.rs"),
    },
    check: Check::Workflow(check),
};

/// How many nodes of one path are looked at.
const MAX_NODES: usize = 200;

fn check(app: &Workflow<'_>, sink: &mut Sink) {
    let flow = &app.flow.flow;
    if app.flow.has_loose_end() {
        return;
    }
    for fork in flow.ids().filter(|id| flow.kind(*id) == Kind::Fork && app.flow.is_reached(*id)) {
        let paths = flow.out(fork).iter().filter_map(|edge| Some((edge, edge.target?)));
        let ways: Vec<_> = paths.map(|(edge, target)| (edge, way(flow, target))).collect();
        if !ways.iter().any(|(_, way)| matches!(way, Way::Joins)) {
            continue;
        }
        for (path, way) in &ways {
            let Way::Killed(nodes) = way else { continue };
            let message = format!(
                "path `{}` of fork `{}` always ends in a {} node",
                path.to.value,
                flow.name(fork),
                flow.kill_name()
            );
            let mut finding = Diagnostic::new(&RULE.info, path.to.span, message)
                .help("let the last action of the path lead to the join");
            let succeeds = nodes.iter().flat_map(|id| flow.out(*id)).find(|edge| {
                let kills = edge.target.is_some_and(|target| flow.kind(target) == Kind::Kill);
                edge.role == Role::Ok && kills
            });
            if let Some(edge) = succeeds {
                finding =
                    finding.label(edge.to.span, format!("success leads to a {} node", flow.kill_name()));
            }
            sink.push(finding);
        }
    }
}

/// Where a path of a fork leads.
enum Way {
    /// To a join, at least perhaps.
    Joins,
    /// To kill nodes alone, by these nodes.
    Killed(Vec<NodeId>),
    /// Too far to tell, or to an end.
    Open,
}

fn way(flow: &Flow<'_>, first: NodeId) -> Way {
    if flow.kind(first) == Kind::Kill {
        return Way::Open;
    }
    let mut seen = vec![first];
    let mut at = 0;
    while let Some(id) = seen.get(at).copied() {
        at += 1;
        match flow.kind(id) {
            Kind::Join => return Way::Joins,
            Kind::End | Kind::Fork => return Way::Open,
            _ if seen.len() > MAX_NODES => return Way::Open,
            _ => {}
        }
        for target in flow.out(id).iter().filter_map(|edge| edge.target) {
            if !seen.contains(&target) {
                seen.push(target);
            }
        }
    }
    Way::Killed(seen)
}
