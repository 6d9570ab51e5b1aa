//! An instance is named by a number with a fraction.
//!
//! `coord:current(0.5)` is read as `coord:current(0)`: what stands after the point is cut without a word. `/` always gives
//! a fraction, so `coord:latest(-7/2)` is `coord:latest(-3)`. Write the whole number that is meant.

use super::{Check, Rule, Sink};
use crate::analysis::expressions::number;
use crate::analysis::subject::Expressions;
use crate::analysis::templates::Place;
use crate::diag::{Diagnostic, Edit, Group, Info, Severity};

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "el-fractional-instance",
        group: Group::Expression,
        severity: Severity::Warning,
        stage: None,
        mirrors: &[],
        explanation: include_str!("el_fractional_instance.rs"),
    },
    check: Check::El(check),
};

/// Functions that take the numbers of instances, with how many.
const FUNCTIONS: [(&str, usize); 7] = [
    ("current", 1),
    ("latest", 1),
    ("future", 2),
    ("offset", 1),
    ("endOfDays", 1),
    ("endOfWeeks", 1),
    ("endOfMonths", 1),
];

fn check(app: &Expressions<'_>, sink: &mut Sink) {
    for expression in app.list.iter().filter(|expression| expression.template.place == Place::Instance) {
        let parsed = &expression.parsed;
        for call in parsed.calls().filter(|call| call.prefix == "coord") {
            let Some((name, count)) = FUNCTIONS.iter().find(|(name, _)| *name == call.name) else { continue };
            for argument in call.arguments.iter().take(*count) {
                let Some(number) = number(parsed, *argument) else { continue };
                if !number.is_finite() || number.fract() == 0.0 {
                    continue;
                }
                let whole = number.trunc() as i64;
                let span = parsed.span(*argument);
                sink.push(
                    Diagnostic::new(&RULE.info, span, format!("`coord:{name}` cuts {number} to {whole}"))
                        .help("write the whole number that is meant")
                        .fix(true, vec![Edit { span, text: whole.to_string() }]),
                );
            }
        }
    }
}
