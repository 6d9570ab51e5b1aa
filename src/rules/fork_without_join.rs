//! No path of a fork reaches a join.
//!
//! Paths that a fork starts must meet in one join before the workflow goes on; the server refuses the fork (E0733),
//! mostly in the words that forks and joins are not in pair (E0730). Lead the paths to a join.

use super::{Check, Rule, Sink};
use crate::analysis::flow::Fault;
use crate::analysis::subject::Workflow;
use crate::diag::{Diagnostic, Group, Info, Kinds, Severity, Stage};

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "fork-without-join",
        group: Group::Meaning,
        severity: Severity::Error,
        stage: Some(Stage::Submit),
        mirrors: &["E0733"],
        explanation: include_str!("fork_without_join.rs"),
    },
    check: Check::Workflow(check),
};

fn check(app: &Workflow<'_>, sink: &mut Sink) {
    let flow = &app.flow.flow;
    for found in &app.flow.walk.faults {
        let Fault::NoJoin { fork, leaf } = found.fault else { continue };
        let message = format!("no path of fork `{}` reaches a join", flow.name(fork));
        let mut finding = Diagnostic::new(&RULE.info, flow.place(fork), message)
            .at("its paths start here")
            .help("lead its paths to one join");
        if let Some(leaf) = leaf {
            let words = format!("this path ends here: {}", app.flow.path(fork, leaf));
            finding = finding.label(flow.edge(leaf).to.span, words);
        }
        // A fork without paths is what the schema says.
        let finding = match flow.out(fork).is_empty() {
            true => finding.because(Kinds::Group(Group::Schema), app.model.nodes[fork.index()].span),
            false => finding,
        };
        sink.push(app.flow.judge(found, finding));
    }
}
