//! A function gets the name of a parameter in quotes, and takes the name for the path.
//!
//! `fs:exists('inputDir')` asks for a file that is called `inputDir`, not for the path in the parameter `inputDir`: text in
//! quotes is itself. The condition is then false whatever the data are, or fails. Reported only for names that have a value or
//! that the definition asks for elsewhere.
//!
//! ```xml
//! <case to="load">${fs:exists('inputDir')}</case>   <!-- wrong -->
//! <case to="load">${fs:exists(inputDir)}</case>
//! ```

use std::collections::BTreeSet;

use super::{Check, Rule, Sink};
use crate::analysis::subject::Expressions;
use crate::diag::{Diagnostic, Edit, Group, Info, Severity};
use crate::el::NodeKind;

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "path-argument-quoted",
        group: Group::Expression,
        severity: Severity::Warning,
        stage: None,
        mirrors: &[],
        explanation: include_str!("path_argument_quoted.rs"),
    },
    check: Check::El(check),
};

/// Shorter texts are what they say.
const MIN_LENGTH: usize = 3;

fn check(app: &Expressions<'_>, sink: &mut Sink) {
    let used: BTreeSet<&str> =
        app.list.iter().flat_map(|it| it.parsed.variables().map(|(_, name)| name)).collect();
    let formal = |name: &str| app.parameters.iter().any(|parameter| parameter.name.value.trim() == name);
    for expression in app.list {
        let parsed = &expression.parsed;
        for call in parsed.calls().filter(|call| takes_value(call.prefix, call.name)) {
            let Some(argument) = call.arguments.first() else { continue };
            let NodeKind::String(name) = &parsed.node(*argument).kind else { continue };
            let name: &str = name;
            let is_known = used.contains(name)
                || app.values.conf().contains(name)
                || app.values.is_late(name)
                || formal(name);
            let is_name = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
            if name.len() < MIN_LENGTH || !is_known || !is_name {
                continue;
            }
            let span = parsed.span(*argument);
            let function = match call.prefix {
                "" => call.name.to_owned(),
                prefix => format!("{prefix}:{}", call.name),
            };
            let message = format!("`{function}` gets the text `{name}`, not the value of the parameter");
            let finding =
                Diagnostic::new(&RULE.info, span, message).help(format!("write `{name}` without quotes"));
            let is_plain = span.range().len() == name.len() + 2;
            let edit = Edit { span, text: name.to_owned() };
            sink.push(if is_plain { finding.fix(false, vec![edit]) } else { finding });
        }
    }
}

/// Functions of which the first argument is a path or a text to work on, never a name.
fn takes_value(prefix: &str, name: &str) -> bool {
    match prefix {
        "fs" | "hcat" | "hdfs" => true,
        "" => ["trim", "urlEncode", "replaceAll", "appendAll", "toJsonStr"].contains(&name),
        _ => false,
    }
}
