//! Nodes lead to each other in a loop.
//!
//! A workflow is a graph without loops; the server refuses one that start reaches (E0707). The finding shows one whole
//! loop for each group of nodes that reach each other. Repeat work with a coordinator or a sub-workflow instead.

use super::{Check, Rule, Sink};

use crate::analysis::subject::Workflow;
use crate::diag::{Diagnostic, Group, Info, Severity, Stage};

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "workflow-cycle",
        group: Group::Meaning,
        severity: Severity::Error,
        stage: Some(Stage::Submit),
        mirrors: &["E0707"],
        explanation: include_str!("workflow_cycle.rs"),
    },
    check: Check::Workflow(check),
};

/// The most transitions of a loop that are shown in the file.
const MOST_LABELS: usize = 20;

fn check(app: &Workflow<'_>, sink: &mut Sink) {
    let flow = &app.flow.flow;
    for edges in &app.flow.loops {
        let Some((closing, others)) = edges.split_last() else { continue };
        let message = format!("these nodes form a loop: {}", app.flow.whole_loop(edges));
        let mut finding = Diagnostic::new(&RULE.info, flow.edge(*closing).to.span, message)
            .at(format!("{} closes the loop", flow.words(*closing)));
        for edge in others.iter().take(MOST_LABELS) {
            let target = &flow.edge(*edge).to;
            finding =
                finding.label(target.span, format!("{} leads to `{}`", flow.words(*edge), target.value));
        }
        let finding = finding.help("let one of them go on to a node outside the loop");
        sink.push(app.flow.weigh(closing.from, finding));
    }
}
