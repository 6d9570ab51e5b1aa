//! A `hadoop-workflow` has not exactly one start and one end.
//!
//! Nodes stand in any order, so no schema can count them. Every job begins at the one `start` and succeeds at the one `end`;
//! any number of `fail` nodes may stand beside.

use super::{Check, Rule, Sink};
use crate::analysis::subject::Workflow;
use crate::diag::{Diagnostic, Group, Info, Severity, Stage};
use crate::model::Dialect;
use crate::model::workflow::{Node, NodeKind};

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "start-end-count",
        group: Group::Meaning,
        severity: Severity::Error,
        stage: Some(Stage::Submit),
        mirrors: &[],
        explanation: include_str!("start_end_count.rs"),
    },
    check: Check::Workflow(check),
};

fn check(app: &Workflow<'_>, sink: &mut Sink) {
    // In Oozie's definitions the schema counts them.
    if app.model.dialect != Dialect::Hws {
        return;
    }
    let is_start = |node: &&Node| matches!(node.kind, NodeKind::Start { .. });
    let is_end = |node: &&Node| matches!(node.kind, NodeKind::End);
    count("start", app.model.nodes.iter().filter(is_start), app, sink);
    count("end", app.model.nodes.iter().filter(is_end), app, sink);
}

fn count<'n>(word: &str, mut nodes: impl Iterator<Item = &'n Node>, app: &Workflow<'_>, sink: &mut Sink) {
    let Some(first) = nodes.next() else {
        let message = format!("the workflow has no `{word}`");
        sink.push(Diagnostic::new(&RULE.info, app.model.name_span, message).help(match word {
            "start" => "add `<start to=…/>` with the first node",
            _ => "add `<end name=…/>`, the node at which a job succeeds",
        }));
        return;
    };
    for another in nodes {
        let message = format!("the workflow has a second `{word}`");
        sink.push(
            Diagnostic::new(&RULE.info, another.tag_span, message)
                .label(first.tag_span, "the first one")
                .help("remove one of them"),
        );
    }
}
