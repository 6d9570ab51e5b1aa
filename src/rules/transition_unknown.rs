//! A transition names a node the workflow does not define.
//!
//! The server refuses the workflow at submission (E0708). Name a node that exists, or add the missing one.
//! In a part that start does not reach the server never notices.

use std::collections::BTreeSet;

use super::{Check, Rule, Sink};
use crate::analysis::flow::server::name_fits_pattern;
use crate::analysis::flow::{Flow, NodeId};
use crate::analysis::subject::Workflow;
use crate::diag::closest;
use crate::diag::{Diagnostic, Edit, Group, Info, Kinds, Severity, Stage, SubjectKind};
use crate::model::workflow::NodeKind;
use crate::schema::VIOLATION;

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "transition-unknown",
        group: Group::Meaning,
        severity: Severity::Error,
        stage: Some(Stage::Submit),
        mirrors: &["E0708"],
        explanation: include_str!("transition_unknown.rs"),
    },
    check: Check::Workflow(check),
};

/// Comparisons of names that the search for near ones may take in one workflow.
const MOST_COMPARISONS: usize = 200_000;

fn check(app: &Workflow<'_>, sink: &mut Sink) {
    let flow = &app.flow.flow;
    let mut comparisons = 0;
    // A workflow without an end lacks the one that transitions name.
    let has_end = app.model.nodes.iter().any(|node| matches!(node.kind, NodeKind::End));
    let loose = flow.ids().flat_map(|from| flow.edges(from)).filter(|(_, edge)| edge.target.is_none());
    let loose: BTreeSet<&str> =
        if has_end { BTreeSet::new() } else { loose.map(|(_, edge)| edge.to.value.as_str()).collect() };
    let is_end = |name: &str| !has_end && (loose.len() == 1 || name.eq_ignore_ascii_case("end"));
    for from in flow.ids() {
        for (id, edge) in flow.edges(from).filter(|(_, edge)| edge.target.is_none()) {
            let name = edge.to.value.as_str();
            let mut finding = Diagnostic::new(&RULE.info, edge.to.span, format!("no node is named `{name}`"))
                .at(format!("{} goes there", flow.words(id)))
                .about(SubjectKind::Node, name.trim());
            if !name_fits_pattern(name) {
                finding = finding.oozie(&["E0701", "E0708"]);
            }
            let meant = app.model.strangers.iter().find(|stranger| stranger.name.value.trim() == name.trim());
            if let Some(stranger) = meant {
                sink.push(
                    app.flow.weigh(from, finding.because(Kinds::Group(Group::Schema), stranger.tag_span)),
                );
                continue;
            }
            comparisons += flow.len();
            let names = || flow.names().filter(|other| *other != flow.name(from) && *other != ":start:");
            if comparisons <= MOST_COMPARISONS
                && let Some(near) =
                    names().find(|other| *other == name.trim()).or_else(|| closest(name, names()))
            {
                finding = finding.help(format!("did you mean `{near}`?"));
                // Where nothing else leads there, the slip may as well be in its own name.
                if let Some(node) = flow.find(near).filter(|node| is_lonely(flow, *node)) {
                    let place = flow.node(node).name.span;
                    finding = finding.label(place, format!("no transition names `{near}`"));
                }
                if closest(name, names().filter(|other| *other != near)).is_none() {
                    finding = finding.fix(false, vec![Edit { span: edge.to.span, text: near.to_owned() }]);
                }
            } else if is_end(name) {
                finding = finding.because(Kinds::Rule(VIOLATION.name), app.model.name_span);
            }
            sink.push(app.flow.weigh(from, finding));
        }
    }
}

/// Whether no transition leads to a node.
fn is_lonely(flow: &Flow<'_>, node: NodeId) -> bool {
    !flow.ids().any(|from| flow.edges(from).any(|(_, edge)| edge.target == Some(node)))
}
