//! An `env-var` of a shell action is no `NAME=value`.
//!
//! The action fails when it starts (JA010). A name without a value, `NAME=`, is refused as well: leave the element out.
//!
//! ```xml
//! <env-var>HADOOP_USER_NAME</env-var>                <!-- wrong -->
//! <env-var>HADOOP_USER_NAME=${wf:user()}</env-var>   <!-- right -->
//! ```

use super::{Check, Rule, Sink};
use crate::analysis::actions;
use crate::analysis::subject::Workflow;
use crate::diag::{Diagnostic, Group, Info, Severity, Stage};
use crate::model::action::Details;

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "action-env-invalid",
        group: Group::Meaning,
        severity: Severity::Error,
        stage: Some(Stage::Action),
        mirrors: &["JA010"],
        explanation: include_str!("action_env_invalid.rs"),
    },
    check: Check::Workflow(check),
};

/// `ShellActionExecutor.checkPair`: what `String.split` leaves at the sign must be two parts; empty ones at the end go.
fn check(app: &Workflow<'_>, sink: &mut Sink) {
    for action in app.actions() {
        let Details::Shell(shell) = &action.details else { continue };
        for written in &shell.env_vars {
            let Some(known) = actions::known(app.values, written) else { continue };
            if known.value.trim_end_matches('=').contains('=') {
                continue;
            }
            // The value may be a secret, so only the name is shown.
            let name = known.value.split('=').next().unwrap_or_default();
            let message = format!("the `env-var` `{name}` has no value");
            let finding = Diagnostic::new(&RULE.info, known.span, message);
            let finding = finding.help("write `NAME=value`, or leave the element out");
            sink.push(actions::at_start(&app.flow, action, finding));
        }
    }
}
