//! A `NAME=value` of an action has a blank before its sign, or gives a name that another one has given.
//!
//! `<param>INPUT = /data</param>` gives a value to a name that ends in a blank, which no script asks for; the value begins with
//! one. The same holds for the `env-var` of a shell action, whose name has no blank inside either: no shell reads `export`. Of two
//! pairs of one name with different values only one counts. A `param` without `=` gives no name a value.
//!
//! ```xml
//! <param>INPUT = ${input}</param> <param>INPUT=${output}</param>
//! <param>INPUT=${input}</param> <param>OUTPUT=${output}</param>
//! ```

use std::collections::BTreeMap;

use super::{Check, Rule, Sink};
use crate::analysis::actions;
use crate::analysis::subject::Workflow;
use crate::diag::{Diagnostic, Group, Info, Severity};
use crate::model::Dialect;
use crate::model::action::Details;
use crate::source::{Span, Text};

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "action-pair-suspicious",
        group: Group::Meaning,
        severity: Severity::Warning,
        stage: None,
        mirrors: &[],
        explanation: include_str!("action_pair_suspicious.rs"),
    },
    check: Check::Workflow(check),
};

fn check(app: &Workflow<'_>, sink: &mut Sink) {
    for action in app.actions() {
        let (element, pairs): (&str, &[Text]) = match &action.details {
            Details::Pig(script) | Details::Hive(script) => ("param", &script.params),
            Details::Hive2(hive) => ("param", &hive.script.params),
            Details::Shell(shell) => ("env-var", &shell.env_vars),
            _ => continue,
        };
        let mut seen: BTreeMap<&str, (Span, &str)> = BTreeMap::new();
        for text in pairs {
            // The name is text; an expression in it is not looked at.
            let Some((name, value)) = text.value.split_once('=') else {
                let is_oozie = app.model.dialect == Dialect::Oozie;
                let finding = without_sign(text, element).filter(|_| is_oozie);
                sink.extend(finding.map(|it| actions::at_start(&app.flow, action, it)));
                continue;
            };
            if name.contains(['$', '#', '{']) || name.trim().is_empty() {
                continue;
            }
            let bare = name.trim();
            let start = name.len() - name.trim_start().len();
            let span = text.span_of(start..start + bare.len());
            let finding = if name.trim_end() != name {
                let message = format!("a blank stands between `{bare}` and its `=`, and belongs to the name");
                Diagnostic::new(&RULE.info, span, message).help(format!("write `{bare}=…`"))
            } else if bare.contains(char::is_whitespace) {
                let message = format!("`{bare}` is not the name of a variable: it contains a blank");
                let last = bare.rsplit(char::is_whitespace).next().unwrap_or_default();
                let help = match bare.starts_with("export ") || bare.starts_with("set ") {
                    true => format!("write `{last}=…`: no shell reads this"),
                    false => format!("write `{}=…`", bare.replace(char::is_whitespace, "_")),
                };
                Diagnostic::new(&RULE.info, span, message).help(help)
            } else if let Some((first, other)) = seen.get(bare) {
                if *other == value.trim() {
                    continue;
                }
                let message = format!("this action has another `{element}` for `{bare}`");
                let finding = Diagnostic::new(&RULE.info, span, message).label(*first, "the first");
                finding.help("remove one of them, or correct its name")
            } else {
                seen.insert(bare, (span, value.trim()));
                continue;
            };
            sink.push(actions::at_start(&app.flow, action, finding));
        }
    }
}

/// A `param` that is no pair: a name and something else than the sign behind it.
fn without_sign(text: &Text, element: &str) -> Option<Diagnostic> {
    let written = text.trimmed();
    let end = written.value.find(['$', '#']).unwrap_or(written.value.len());
    let fixed = &written.value[..end];
    // Whether an expression brings the sign along cannot be seen.
    let is_open = end < written.value.len()
        && fixed.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'));
    if element != "param" || is_open || fixed.is_empty() || fixed.starts_with('-') {
        return None;
    }
    let message = format!("`{}` is not of the form `NAME=value`", written.value);
    Some(Diagnostic::new(&RULE.info, written.span, message).help("write the name, `=` and the value"))
}
