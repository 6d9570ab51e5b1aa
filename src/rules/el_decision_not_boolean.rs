//! The predicate of a case cannot be `true`.
//!
//! A case is taken when its text, without the white space around it, is exactly `true`; any other text counts as false,
//! without a word. Put the whole condition between `${` and `}`:
//!
//! ```xml
//! <case to="load">${mode} eq 'full'</case>   <!-- gives the text: full eq 'full' -->
//! <case to="load">${mode eq 'full'}</case>
//! ```
//!
//! A case without any expression is a warning: nothing fails, and what it says is plain to see.

use super::{Check, Rule, Sink};
use crate::analysis::expressions::Predicate;
use crate::analysis::subject::Workflow;
use crate::diag::{Diagnostic, Group, Info, Severity};

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "el-decision-not-boolean",
        group: Group::Expression,
        severity: Severity::Error,
        stage: None,
        mirrors: &[],
        explanation: include_str!("el_decision_not_boolean.rs"),
    },
    check: Check::Workflow(check),
};

fn check(app: &Workflow<'_>, sink: &mut Sink) {
    let flow = &app.flow.flow;
    for (node, cases) in app.decisions() {
        for (number, case) in (1..).zip(cases) {
            if let Predicate::NoBoolean(why) = case.predicate() {
                let message = format!("case {number} of `{}` is never taken: {why}", flow.name(node));
                let finding = Diagnostic::new(&RULE.info, case.case.predicate.trimmed().span, message)
                    .help("put a condition that is true or false between `${` and `}`");
                let finding = app.flow.weigh(node, finding);
                sink.push(match case.expression {
                    Some(_) => finding,
                    None => finding.severity(Severity::Warning),
                });
            }
        }
    }
}
