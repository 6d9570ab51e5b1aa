//! `retry-max` or `retry-interval` is no whole number, or `retry-policy` is none that the server knows.
//!
//! A server reads the two numbers when it comes to the node, and fails the workflow there (E0700).
//! More than three retries are cut to three by default, and an unknown policy is taken for `PERIODIC`, without a word.
//!
//! ```xml
//! <action name="load" retry-max="3 times" retry-interval="1">   <!-- wrong -->
//! <action name="load" retry-max="3" retry-interval="1">         <!-- right -->
//! ```

use super::{Check, Rule, Sink};
use crate::analysis::actions;
use crate::analysis::subject::Workflow;
use crate::analysis::templates::Place;
use crate::diag::{Diagnostic, Group, Info, Severity, Stage, closest};
use crate::source::Text;

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "action-retry-invalid",
        group: Group::Meaning,
        severity: Severity::Error,
        stage: Some(Stage::Action),
        mirrors: &["E0700"],
        explanation: include_str!("action_retry_invalid.rs"),
    },
    check: Check::Workflow(check),
};

/// `oozie.service.LiteWorkflowStoreService.user.retry.max`, as servers come.
const MOST_RETRIES: i32 = 3;

/// From this number on a server is hardly set up for it.
const MANY: i32 = 20;

/// `ActionExecutor.RETRYPOLICY`
const POLICIES: &[&str] = &["PERIODIC", "EXPONENTIAL"];

fn check(app: &Workflow<'_>, sink: &mut Sink) {
    for action in app.actions() {
        let numbers =
            [("retry-max", &action.action.retry_max), ("retry-interval", &action.action.retry_interval)];
        for (name, text) in numbers {
            let Some(text) = text else { continue };
            let Some(value) = app.values.value(text, Place::WorkflowNode) else { continue };
            if let Some(finding) = number(name, &Text::computed(value, text.span)) {
                sink.push(actions::at_start(&app.flow, action, finding));
            }
        }
        sink.extend(action.action.retry_policy.as_deref().and_then(policy));
    }
}

/// `LiteWorkflowStoreService.getUserRetryMax` and `getUserRetryInterval`: `Integer.parseInt`, which trims nothing.
fn number(name: &str, text: &Text) -> Option<Diagnostic> {
    match text.value.parse::<i32>() {
        Ok(retries) if name == "retry-max" && retries > MOST_RETRIES => {
            let severity = if retries >= MANY { Severity::Warning } else { Severity::Info };
            let message =
                format!("{retries} retries are cut to {MOST_RETRIES}, unless the server allows more");
            let finding = Diagnostic::new(&RULE.info, text.span, message).severity(severity).stage(None);
            Some(finding.help("see `oozie.service.LiteWorkflowStoreService.user.retry.max` of the server"))
        }
        Ok(_) => None,
        Err(_) => {
            let message = format!("`{}` is no whole number for `{name}`", text.value);
            Some(Diagnostic::new(&RULE.info, text.span, message).help("write a whole number without blanks"))
        }
    }
}

/// `ActionXCommand.getUserRetryPolicy`: any case; others are taken for the server's own.
fn policy(text: &Text) -> Option<Diagnostic> {
    let name = actions::literal(text).filter(|_| !text.value.is_empty())?;
    if POLICIES.contains(&text.value.to_ascii_uppercase().as_str()) {
        return None;
    }
    let message = format!("there is no retry policy `{}`, so the server takes its own", text.value);
    let finding = Diagnostic::new(&RULE.info, text.span, message).severity(Severity::Warning).stage(None);
    Some(match closest(name, POLICIES.iter().copied()) {
        Some(near) => finding.help(format!("did you mean `{near}`?")),
        None => finding.help("write `PERIODIC` or `EXPONENTIAL`"),
    })
}
