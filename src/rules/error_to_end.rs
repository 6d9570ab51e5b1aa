//! The `error` transition of an action leads straight to an end node.
//!
//! The workflow then ends as succeeded although an action failed. Lead to a kill node, or to a node that deals with the
//! failure. An action whose `ok` and `error` go to one node is left alone: there the failure does not matter.

use super::{Check, Rule, Sink};
use crate::analysis::flow::{Kind, Role};
use crate::analysis::subject::Workflow;
use crate::diag::{Diagnostic, Group, Info, Severity};

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "error-to-end",
        group: Group::Meaning,
        severity: Severity::Warning,
        stage: None,
        mirrors: &[],
        explanation: include_str!("error_to_end.rs"),
    },
    check: Check::Workflow(check),
};

fn check(app: &Workflow<'_>, sink: &mut Sink) {
    let flow = &app.flow.flow;
    for id in flow.ids().filter(|id| app.flow.is_reached(*id)) {
        let target = |role| flow.edges(id).find(|(_, edge)| edge.role == role).map(|(_, edge)| edge);
        let (ok, Some(error)) = (target(Role::Ok), target(Role::Error)) else { continue };
        let same = ok.is_some_and(|ok| ok.target == error.target);
        if !same && error.target.is_some_and(|target| flow.kind(target) == Kind::End) {
            let message = format!("when action `{}` fails, the workflow still succeeds", flow.name(id));
            sink.push(
                Diagnostic::new(&RULE.info, error.to.span, message)
                    .at(format!("`{}` is an end node", error.to.value))
                    .help(format!("lead to a {} node instead", flow.kill_name())),
            );
        }
    }
}
