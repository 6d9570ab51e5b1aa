//! A fork has fewer than two paths.
//!
//! The schema asks for two (E0701; older servers say E0731). A fork of one path splits nothing: let the transition
//! that leads to the fork name the path's node, and the path's end the node after the join.

use super::{Check, Rule, Sink};
use crate::analysis::flow::Kind;
use crate::analysis::subject::Workflow;
use crate::diag::{Diagnostic, Info, Severity, Stage};

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "fork-single-path",
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
            let mut finding =
                Diagnostic::new(&RULE.info, flow.place(id), format!("fork `{}` has {count}", flow.name(id)))
                    .help("add a path, or leave out the fork and its join");
            if let Some(path) = paths.first() {
                finding = finding.label(path.to.span, "the only path");
            }
            sink.push(finding);
        }
    }
}
