//! `$name` stands in a text, and `name` is a parameter: without braces it is not an expression.
//!
//! Only `${name}` is replaced. `$name` stays in the value as it is, in paths and in texts in quotes too, unless a shell or a
//! script reads it later. Reported only in texts that hold an expression, and for names that have a value or that the
//! definition asks for elsewhere.
//!
//! ```xml
//! <mkdir path="${nameNode}/data/$day"/>
//! <mkdir path="${nameNode}/data/${day}"/>
//! ```

use std::collections::BTreeSet;

use super::{Check, Rule, Sink};
use crate::analysis::subject::Expressions;
use crate::diag::{Diagnostic, Group, Info, Severity};

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "el-dollar-unbraced",
        group: Group::Expression,
        severity: Severity::Warning,
        stage: None,
        mirrors: &[],
        explanation: include_str!("el_dollar_unbraced.rs"),
    },
    check: Check::El(check),
};

/// Shorter names are variables of scripts and patterns.
const MIN_LENGTH: usize = 3;

fn check(app: &Expressions<'_>, sink: &mut Sink) {
    let used: BTreeSet<&str> =
        app.list.iter().flat_map(|it| it.parsed.variables().map(|(_, name)| name)).collect();
    for expression in app.list {
        let text = expression.template.text;
        for (at, name) in unbraced(&text.value) {
            let is_known = used.contains(name) || app.values.property(name).is_some();
            if name.len() < MIN_LENGTH || !is_known {
                continue;
            }
            let span = text.span_of(at..at + 1 + name.len());
            let message = format!("`${name}` has no braces, so it stays in the value as it is");
            sink.push(Diagnostic::new(&RULE.info, span, message).help(format!("write `${{{name}}}`")));
        }
    }
}

/// The names behind a `$` without a brace, with the place of the `$`.
fn unbraced(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.match_indices('$').filter_map(|(at, _)| {
        let rest = &text[at + 1..];
        let is_first = rest.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        let length = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        (is_first && !text[..at].ends_with(['\\', '$'])).then(|| (at, &rest[..length]))
    })
}
