//! Paths of different forks meet in one join.
//!
//! Each fork needs a join of its own, an inner fork one inside the outer fork's path. The server refuses the join
//! (E0758), mostly in the words that forks and joins are not in pair (E0730). Give each fork its join.

use super::{Check, Rule, Sink};
use crate::analysis::flow::Fault;
use crate::analysis::subject::Workflow;
use crate::diag::{Diagnostic, Group, Info, Severity, Stage};

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "join-many-forks",
        group: Group::Meaning,
        severity: Severity::Error,
        stage: Some(Stage::Submit),
        mirrors: &["E0758"],
        explanation: include_str!("join_many_forks.rs"),
    },
    check: Check::Workflow(check),
};

fn check(app: &Workflow<'_>, sink: &mut Sink) {
    let flow = &app.flow.flow;
    for found in &app.flow.walk.faults {
        let Fault::ManyForks { join, first, second } = found.fault else { continue };
        let (one, other) = (flow.name(first.0), flow.name(second.0));
        let message = format!("join `{}` waits for two forks: `{one}` and `{other}`", flow.name(join));
        let finding = Diagnostic::new(&RULE.info, flow.place(join), message)
            .at("paths of both come here")
            .label(
                flow.edge(first.1).to.span,
                format!("from one: {}", app.flow.witness(found, 0, first.0, first.1)),
            )
            .label(
                flow.edge(second.1).to.span,
                format!("from the other: {}", app.flow.witness(found, 1, second.0, second.1)),
            )
            .help("give each fork a join of its own");
        sink.push(app.flow.judge(found, finding));
    }
}
