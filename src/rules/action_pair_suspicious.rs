//! A `NAME=value` of an action has a blank before its sign, or gives a name that another one has given.
//!
//! `<param>INPUT = /data</param>` gives a value to a name that ends in a blank, which no script asks for; the value begins with
//! one. The same holds for the `env-var` of a shell action. Of two pairs of one name with different values only one counts.
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
            let Some((name, value)) = text.value.split_once('=') else { continue };
            if name.contains(['$', '#', '{']) || name.trim().is_empty() {
                continue;
            }
            let bare = name.trim();
            let start = name.len() - name.trim_start().len();
            let span = text.span_of(start..start + bare.len());
            let finding = if name.trim_end() != name {
                let message = format!("a blank stands between `{bare}` and its `=`, and belongs to the name");
                Diagnostic::new(&RULE.info, span, message).help(format!("write `{bare}=…`"))
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
