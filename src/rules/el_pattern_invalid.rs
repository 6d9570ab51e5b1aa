//! A constant that a function reads as a regular expression is none.
//!
//! `replaceAll` takes a regular expression of Java as its second argument, `appendAll` as its third. In one `[`, `(`, `{`, `*`, `+` and
//! `?` have a meaning of their own; write `\\[` for the sign itself. The evaluation fails.
//!
//! ```xml
//! <value>${replaceAll(tables, '[', '(')}</value>      <!-- wrong -->
//! <value>${replaceAll(tables, '\\[', '(')}</value>
//! ```

use super::{Check, Rule, Sink};
use crate::analysis::functions::pattern_fault;
use crate::analysis::subject::Expressions;
use crate::diag::{Diagnostic, Group, Info, Severity};
use crate::el::NodeKind;

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "el-pattern-invalid",
        group: Group::Expression,
        severity: Severity::Warning,
        stage: None,
        mirrors: &[],
        explanation: include_str!("el_pattern_invalid.rs"),
    },
    check: Check::El(check),
};

fn check(app: &Expressions<'_>, sink: &mut Sink) {
    for expression in app.list {
        let parsed = &expression.parsed;
        for call in parsed.calls().filter(|call| call.prefix.is_empty()) {
            let at = match call.name {
                "replaceAll" => 1,
                "appendAll" => 2,
                _ => continue,
            };
            let Some(argument) = call.arguments.get(at) else { continue };
            let NodeKind::String(pattern) = &parsed.node(*argument).kind else { continue };
            let Some(why) = pattern_fault(pattern) else { continue };
            // Where all arguments are known the evaluation says the same.
            let is_known = |id: &crate::el::NodeId| matches!(parsed.node(*id).kind, NodeKind::String(_));
            if call.arguments.iter().all(is_known) {
                continue;
            }
            let message = format!("`{pattern}` is not a regular expression: {why}");
            let finding = Diagnostic::new(&RULE.info, parsed.span(*argument), message);
            sink.push(finding.help("write a `\\` before a sign that stands for itself"));
        }
    }
}
