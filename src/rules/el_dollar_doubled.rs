//! A dollar sign stands before an expression, and stays in the value.
//!
//! `$${day}` is not `${day}` escaped, and not evaluated twice: the value begins with `$`. Leave one of them out. Where a
//! dollar sign is meant, as before the name of a variable of a script, write it as text: `${'$'}`.
//!
//! ```xml
//! <value>$${day}</value>   <!-- "$2024-01-01" -->
//! <value>${day}</value>
//! ```

use super::{Check, Rule, Sink};
use crate::analysis::subject::Expressions;
use crate::diag::{Diagnostic, Edit, Group, Info, Severity};
use crate::el::Part;

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "el-dollar-doubled",
        group: Group::Expression,
        severity: Severity::Warning,
        stage: None,
        mirrors: &[],
        explanation: include_str!("el_dollar_doubled.rs"),
    },
    check: Check::El(check),
};

fn check(app: &Expressions<'_>, sink: &mut Sink) {
    for expression in app.list {
        let parsed = &expression.parsed;
        for pair in parsed.parts.windows(2) {
            let [Part::Literal { range, .. }, Part::Expression { range: next, .. }] = pair else { continue };
            let written = parsed.text.value.get(range.clone()).unwrap_or_default();
            let is_stray = written.ends_with('$') && !written.ends_with("\\$") && !written.ends_with("$$");
            if !is_stray || range.end != next.start {
                continue;
            }
            let span = parsed.text.span_of(range.end - 1..range.end);
            sink.push(
                Diagnostic::new(&RULE.info, span, "this `$` stays in the value")
                    .label(parsed.text.span_of(next.clone()), "the expression behind it is evaluated")
                    .help("leave it out; where it is meant, write `${'$'}`")
                    .fix(false, vec![Edit { span, text: String::new() }]),
            );
        }
    }
}
