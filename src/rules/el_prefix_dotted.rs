//! A function is written with a dot behind its prefix.
//!
//! Functions of Oozie have a colon: `coord:days(1)`. `coord.days(1)` asks for a parameter `coord`, which nobody gives.
//!
//! ```xml
//! <value>${coord.nominalTime()}</value>
//! <value>${coord:nominalTime()}</value>
//! ```

use super::{Check, Rule, Sink};
use crate::analysis::subject::Expressions;
use crate::diag::{Diagnostic, Edit, Group, Info, Severity};

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "el-prefix-dotted",
        group: Group::Expression,
        severity: Severity::Warning,
        stage: None,
        mirrors: &[],
        explanation: include_str!("el_prefix_dotted.rs"),
    },
    check: Check::El(check),
};

/// What stands before the colon of a function.
const PREFIXES: &[&str] = &["coord", "wf", "fs", "hcat", "hadoop"];

fn check(app: &Expressions<'_>, sink: &mut Sink) {
    for expression in app.list {
        let parsed = &expression.parsed;
        for (node, name) in parsed.variables().filter(|(_, name)| PREFIXES.contains(name)) {
            let formal = app.parameters.iter().any(|parameter| parameter.name.value.trim() == name);
            let span = parsed.span(node);
            let text = &parsed.text;
            let after = parsed.node(node).range.end as usize;
            // A parameter of this name may be what is meant, unless something is called.
            let rest = text.value.get(after..).unwrap_or_default();
            let called = rest.strip_prefix('.').and_then(|rest| {
                let end = rest.find(|c: char| !c.is_ascii_alphanumeric())?;
                rest[end..].starts_with('(').then(|| &rest[..end])
            });
            let Some(function) = called.filter(|_| !formal) else { continue };
            let message = format!("`{name}.{function}` is not a function: its prefix ends with a colon");
            let dot = text.span_of(after..after + 1);
            sink.push(
                Diagnostic::new(&RULE.info, span, message)
                    .help(format!("write `{name}:{function}`"))
                    .fix(false, vec![Edit { span: dot, text: ":".to_owned() }]),
            );
        }
    }
}
