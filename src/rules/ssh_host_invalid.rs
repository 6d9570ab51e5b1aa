//! The `host` of an ssh action is not `user@host`.
//!
//! It goes to `ssh` as it is: with a scheme, a path or a port in it the host is not found, and the action fails when it starts.
//!
//! ```xml
//! <host>ssh://etl@edge.example</host>
//! <host>etl@edge.example</host>
//! ```

use super::{Check, Rule, Sink};
use crate::analysis::actions;
use crate::analysis::subject::Workflow;
use crate::diag::{Diagnostic, Group, Info, Severity};
use crate::model::action::Details;

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "ssh-host-invalid",
        group: Group::Meaning,
        severity: Severity::Warning,
        stage: None,
        mirrors: &[],
        explanation: include_str!("ssh_host_invalid.rs"),
    },
    check: Check::Workflow(check),
};

fn check(app: &Workflow<'_>, sink: &mut Sink) {
    for action in app.actions() {
        let Details::Ssh(ssh) = &action.details else { continue };
        let Some(host) = ssh.host.as_ref().and_then(|text| actions::known(app.values, text)) else {
            continue;
        };
        let written = host.value.as_str();
        let name = written.rsplit('@').next().unwrap_or(written);
        let is_v6 = name.matches(':').count() > 1;
        let (what, help) = if written.contains("://") {
            ("a scheme", "leave the scheme out")
        } else if written.matches('@').count() > 1 {
            ("two `@`", "write `user@host`")
        } else if written.contains(char::is_whitespace) {
            ("a blank", "remove the blank")
        } else if name.contains('/') {
            ("a path", "leave the path out; the command may go there with `cd`")
        } else if name.contains(':') && !is_v6 {
            ("a port or a path behind `:`", "leave it out; a port belongs into the configuration of `ssh`")
        } else {
            continue;
        };
        let message = format!("the host `{written}` has {what}");
        sink.push(actions::at_start(
            &app.flow,
            action,
            Diagnostic::new(&RULE.info, host.span, message).help(help),
        ));
    }
}
