//! A parameter of a `pig` action in a `hadoop-workflow` is not of the form `NAME=value`.
//!
//! `${NAME}` in the script is replaced by the value before Pig starts. Without a name nothing is replaced.

use super::{Check, Rule, Sink};
use crate::analysis::actions;
use crate::analysis::subject::Workflow;
use crate::diag::{Diagnostic, Group, Info, Severity, Stage};
use crate::model::Dialect;
use crate::model::action::Details;

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "pig-parameter-invalid",
        group: Group::Meaning,
        severity: Severity::Error,
        stage: Some(Stage::Action),
        mirrors: &[],
        explanation: include_str!("pig_parameter_invalid.rs"),
    },
    check: Check::Workflow(check),
};

fn check(app: &Workflow<'_>, sink: &mut Sink) {
    if app.model.dialect != Dialect::Hws {
        return;
    }
    for action in app.actions() {
        let Details::Pig(pig) = &action.details else { continue };
        for param in &pig.params {
            let known = actions::known(app.values, param);
            // A name comes first, whatever expressions follow.
            let name =
                known.as_ref().unwrap_or(param).value.trim().split_once('=').map(|(name, _)| name.trim());
            let is_open = known.is_none() && name.is_none();
            if is_open || name.is_some_and(|name| !name.is_empty()) {
                continue;
            }
            let message = format!("`{}` is not of the form `NAME=value`", param.value.trim());
            let finding = Diagnostic::new(&RULE.info, param.trimmed().span, message);
            sink.push(actions::at_start(
                &app.flow,
                action,
                finding.help("write the name, `=` and the value"),
            ));
        }
    }
}
