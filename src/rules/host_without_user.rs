//! A host of a `hadoop-workflow` names no user.
//!
//! The user of a job is not handed to other machines: the host of an `ssh` action and the `pig-host` of a `pig` action say as
//! `USER@HOST` who is to log in. Without it ssh takes the user that the engine runs as.

use super::{Check, Rule, Sink};
use crate::analysis::actions;
use crate::analysis::subject::Workflow;
use crate::diag::{Diagnostic, Group, Info, Severity, Stage};
use crate::model::Dialect;

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "host-without-user",
        group: Group::Meaning,
        severity: Severity::Warning,
        stage: Some(Stage::Action),
        mirrors: &[],
        explanation: include_str!("host_without_user.rs"),
    },
    check: Check::Workflow(check),
};

fn check(app: &Workflow<'_>, sink: &mut Sink) {
    if app.model.dialect != Dialect::Hws {
        return;
    }
    for action in app.actions() {
        let part = match action.body.kind.as_str() {
            "ssh" => "host",
            "pig" => "pig-host",
            _ => continue,
        };
        let Some(text) = action.body.element.child(part).map(|host| host.text()) else { continue };
        let Some(host) = actions::known(app.values, &text).filter(|host| !host.value.is_empty()) else {
            continue;
        };
        let (user, name) = host.value.split_once('@').unwrap_or(("", &host.value));
        if user.trim().is_empty() || name.trim().is_empty() {
            let message = format!("`{}` is not of the form `USER@HOST`", host.value);
            let finding = Diagnostic::new(&RULE.info, host.span, message);
            sink.push(actions::at_start(&app.flow, action, finding.help("name the user and the host")));
        }
    }
}
