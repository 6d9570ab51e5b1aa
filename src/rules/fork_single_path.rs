//! A fork has fewer than two paths.
//!
//! A fork of one path splits nothing: let the transition that leads to the fork name the path's node, and the path's end
//! the node after the join. Or a path was forgotten.
//!
//! The schema asks for two paths, so that a server answers E0701; older ones said E0731. The same fault is not told twice:
//! it is a `schema-violation` with this rule's codes and way out, and only where that is switched off this rule's own.
//! Either name chooses it in `ankus.toml`, and a comment that allows either allows it.

use std::collections::BTreeSet;

use super::{Check, Rule, Sink};
use crate::analysis::flow::{Kind, NodeId, Role};
use crate::analysis::subject::Workflow;
use crate::diag::{Diagnostic, Edit, Group, Info, Severity, Stage};
use crate::model::Dialect;

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "fork-single-path",
        group: Group::Meaning,
        severity: Severity::Error,
        stage: Some(Stage::Submit),
        mirrors: &["E0701", "E0731"],
        explanation: include_str!("fork_single_path.rs"),
    },
    check: Check::Workflow(check),
};

fn check(app: &Workflow<'_>, sink: &mut Sink) {
    let flow = &app.flow.flow;
    for id in flow.ids().filter(|id| flow.kind(*id) == Kind::Fork) {
        let paths = &flow.out(id);
        if paths.len() < 2 {
            let count = if paths.is_empty() { "no path" } else { "only one path" };
            let finding = Diagnostic::new(
                &RULE.info,
                flow.node(id).tag_span,
                format!("fork `{}` has {count}", flow.name(id)),
            )
            .help("add a path, or leave out the fork and its join");
            // No rule of the other dialect forbids one path; that there is none, its schema says.
            let mut finding = match (app.model.dialect, paths.is_empty()) {
                (Dialect::Hws, true) => continue,
                (Dialect::Hws, false) => finding.severity(Severity::Warning).stage(None),
                (Dialect::Oozie, _) => finding,
            };
            if let Some(path) = paths.first() {
                finding = finding.label(path.to.span, "the only path");
            }
            sink.push(match without(app, id) {
                Some(edits) => finding.fix(false, edits),
                None => finding,
            });
        }
    }
}

/// Takes out a fork of one path and the join at its end, where it is plain which one that is: only this path leads to
/// it, and no other fork or join stands between.
fn without(app: &Workflow<'_>, fork: NodeId) -> Option<Vec<Edit>> {
    let flow = &app.flow.flow;
    let [path] = flow.out(fork) else { return None };
    let mut open = vec![path.target?];
    let (mut inside, mut join) = (BTreeSet::from([fork]), None);
    while let Some(id) = open.pop() {
        match flow.kind(id) {
            Kind::Fork => return None,
            Kind::Join if join.is_some_and(|known| known != id) => return None,
            Kind::Join => join = Some(id),
            _ if inside.insert(id) => {
                let failure = |role| role == Role::Error && flow.kind(id) == Kind::Action;
                for edge in flow.out(id).iter().filter(|edge| !failure(edge.role)) {
                    open.push(edge.target?);
                }
            }
            _ => {}
        }
    }
    let join = join?;
    let [after] = flow.out(join) else { return None };
    let mut edits = Vec::new();
    for (from, edge) in flow.ids().flat_map(|id| flow.out(id).iter().map(move |edge| (id, edge))) {
        let name = match edge.target {
            Some(target) if target == fork => &path.to.value,
            Some(target) if target == join && inside.contains(&from) => &after.to.value,
            Some(target) if target == join => return None,
            _ => continue,
        };
        edits.push(Edit { span: edge.to.span, text: name.clone() });
    }
    for id in [fork, join] {
        edits.push(Edit { span: app.model.nodes.get(id.index())?.span, text: String::new() });
    }
    // A path from the fork to the join itself would be changed and taken out at once.
    is_apart(&edits).then_some(edits)
}

/// No edit lies in another one.
fn is_apart(edits: &[Edit]) -> bool {
    let mut places: Vec<_> = edits.iter().map(|edit| (edit.span.start, edit.span.end)).collect();
    places.sort_unstable();
    places.windows(2).all(|pair| pair[0].1 <= pair[1].0)
}
