//! No path leads from a node to an end or kill node.
//!
//! Whatever comes to it never finishes the workflow: all its ways lead into a loop, or it has none.
//! Let one of them lead on to an end or kill node.

use std::collections::BTreeSet;

use super::{Check, Rule, Sink};

use crate::analysis::subject::Workflow;
use crate::diag::{Diagnostic, Group, Info, Kinds, Severity};

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "node-dead-end",
        group: Group::Meaning,
        severity: Severity::Error,
        stage: None,
        mirrors: &[],
        explanation: include_str!("node_dead_end.rs"),
    },
    check: Check::Workflow(check),
};

fn check(app: &Workflow<'_>, sink: &mut Sink) {
    let flow = &app.flow.flow;
    let heads: BTreeSet<_> = app.flow.loops.iter().filter_map(|edges| Some(edges.first()?.from)).collect();
    for id in flow.ids().filter(|id| !app.flow.finishes[id.index()]) {
        // A group of nodes is told once, at its first; what only leads into it is not told at all.
        let only_to_itself = flow.edges(id).all(|(_, edge)| edge.target == Some(id));
        if only_to_itself || heads.contains(&id) {
            let message = format!("no path leads from {} `{}` to an end", flow.kind_name(id), flow.shown(id));
            let finding = Diagnostic::new(&RULE.info, flow.place(id), message)
                .help(format!("let a transition lead on to an end or {} node", flow.kill_name()));
            sink.push(match flow.edges(id).next() {
                Some(_) => finding,
                // What it lacks, the schema says.
                None => finding.because(Kinds::Group(Group::Schema), app.model.nodes[id.index()].span),
            });
        }
    }
}
