//! A case of a decision is always taken, or never.
//!
//! Its condition does not depend on anything, or repeats the condition of a case before it, or comes after a case that
//! is always taken. What it leads to is either the only way or dead. Remove the case, or mend the condition.
//!
//! Where the known parameters decide a condition, a note says so.

use std::collections::BTreeMap;

use super::{Check, Rule, Sink};
use crate::analysis::expressions::{Predicate, normal_form};
use crate::analysis::subject::Workflow;
use crate::diag::{Diagnostic, Group, Info, Severity};

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "decision-constant",
        group: Group::Meaning,
        severity: Severity::Warning,
        stage: None,
        mirrors: &[],
        explanation: include_str!("decision_constant.rs"),
    },
    check: Check::Workflow(check),
};

fn check(app: &Workflow<'_>, sink: &mut Sink) {
    let flow = &app.flow.flow;
    for (node, cases) in app.decisions() {
        let name = flow.name(node);
        let mut seen = BTreeMap::new();
        let count = cases.len();
        for (number, case) in (1..).zip(&cases) {
            let span = case.case.predicate.trimmed().span;
            let found = |message: String| Diagnostic::new(&RULE.info, span, message);
            match case.predicate() {
                Predicate::Always => {
                    let mut message = format!("case {number} of `{name}` is always taken");
                    if number < count {
                        message.push_str(", so those after it never are");
                    }
                    sink.push(
                        found(message).help("make the condition depend on something, or go there at once"),
                    );
                    break;
                }
                Predicate::Never => {
                    sink.push(
                        found(format!(
                            "case {number} of `{name}` is never taken: its condition is always false"
                        ))
                        .help("remove the case, or make the condition depend on something"),
                    );
                }
                Predicate::NoBoolean(_) => {}
                Predicate::Open => {
                    // Parameters are there to be changed, so what they decide is a note.
                    let decided = match case.predicate_with_values() {
                        Predicate::Always => Some("always"),
                        Predicate::Never | Predicate::NoBoolean(_) => Some("never"),
                        Predicate::Open => None,
                    };
                    if let Some(word) = decided {
                        let message =
                            format!("with these parameters case {number} of `{name}` is {word} taken");
                        sink.push(found(message).severity(Severity::Info));
                    }
                    let Some(form) = case.expression.and_then(|e| normal_form(&e.parsed)) else { continue };
                    if let Some((earlier, place)) = seen.get(&form) {
                        sink.push(
                            found(format!("case {number} of `{name}` is never taken: case {earlier} has the same condition"))
                                .label(*place, "the same condition")
                                .help("mend one of the conditions, or remove the case"),
                        );
                    } else {
                        seen.insert(form, (number, span));
                    }
                }
            }
        }
    }
}
