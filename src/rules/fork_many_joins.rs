//! Paths of one fork end in different joins.
//!
//! A join goes on when all paths of its fork have come; with two joins neither ever sees all of them. The server refuses
//! the fork (E0757), mostly in the words that forks and joins are not in pair (E0730). Lead all paths to one join.

use super::{Check, Rule, Sink};
use crate::analysis::flow::Fault;
use crate::analysis::subject::Workflow;
use crate::diag::{Diagnostic, Group, Info, Severity, Stage};

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "fork-many-joins",
        group: Group::Meaning,
        severity: Severity::Error,
        stage: Some(Stage::Submit),
        mirrors: &["E0757"],
        explanation: include_str!("fork_many_joins.rs"),
    },
    check: Check::Workflow(check),
};

fn check(app: &Workflow<'_>, sink: &mut Sink) {
    let flow = &app.flow.flow;
    for found in &app.flow.walk.faults {
        let Fault::ManyJoins { fork, first, second } = found.fault else { continue };
        let (one, other) = (&flow.edge(first).to, &flow.edge(second).to);
        let name = flow.name(fork);
        let message =
            format!("paths of fork `{name}` end in different joins: `{}` and `{}`", one.value, other.value);
        let finding = Diagnostic::new(&RULE.info, flow.place(fork), message)
            .at("its paths start here")
            .label(one.span, format!("one path: {}", app.flow.witness(found, 0, fork, first)))
            .label(other.span, format!("another: {}", app.flow.witness(found, 1, fork, second)))
            .help("lead all its paths to one join");
        sink.push(app.flow.judge(found, finding));
    }
}
