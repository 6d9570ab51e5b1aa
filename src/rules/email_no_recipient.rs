//! An email action names nobody in `to`, or an address that is none.
//!
//! The action fails when it starts: an empty `to` is EM001, an empty or broken address in `to`, `cc` or `bcc` EM004.
//! Addresses are separated by commas, not by semicolons.
//!
//! ```xml
//! <to>ops@example.com;dev@example.com</to>     <!-- wrong -->
//! <to>ops@example.com,dev@example.com</to>     <!-- right -->
//! ```

use super::{Check, Rule, Sink};
use crate::analysis::actions;
use crate::analysis::subject::Workflow;
use crate::diag::{Diagnostic, Edit, Info, Severity, Stage};
use crate::model::action::Details;
use crate::source::Text;

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "email-no-recipient",
        severity: Severity::Error,
        stage: Some(Stage::Action),
        mirrors: &["EM001"],
        explanation: include_str!("email_no_recipient.rs"),
    },
    check: Check::Workflow(check),
};

/// `EmailActionExecutor.validateAndMail` and `email`.
fn check(app: &Workflow<'_>, sink: &mut Sink) {
    for action in app.actions() {
        let Details::Email(email) = &action.details else { continue };
        let known = |text: &Text| actions::known(app.values, text);
        if let Some(to) = email.to.as_ref().filter(|to| known(to).is_some_and(|to| to.value.is_empty())) {
            let place = action.body.element.child("to").map_or(to.span, |element| element.name_span);
            let finding = Diagnostic::new(&RULE.info, place, format!("{} writes to nobody", action.words()));
            sink.push(actions::at_start(&app.flow, action, finding.help("name an address in `to`")));
        }
        for list in [&email.to, &email.cc, &email.bcc].into_iter().flatten() {
            let is_written = actions::is_written(list);
            for mut finding in known(list).iter().flat_map(addresses) {
                finding.fix = finding.fix.filter(|_| is_written);
                sink.push(actions::at_start(&app.flow, action, finding.oozie(&["EM004"])));
            }
        }
    }
}

/// What is wrong with the single addresses of a list: only what `InternetAddress` surely refuses.
fn addresses(text: &Text) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    if text.value.is_empty() || text.value.contains(['"', '<', '(', '$', '#', '{']) {
        return findings;
    }
    // What stands after the last comma is dropped when it is empty, as `String.split` does.
    let whole = text.value.trim_end_matches(',');
    let mut from = 0;
    for part in whole.split(',') {
        let range = from..from + part.len();
        from = range.end + 1;
        let address = part.trim();
        if address.is_empty() {
            let span = text.span_of(range.start..range.end.max(range.start + 1).min(text.value.len()));
            let finding = Diagnostic::new(&RULE.info, span, "an address in the list is empty");
            findings.push(finding.help("remove the comma"));
        } else if address.contains(';') {
            let at = range.start + part.find(';').unwrap_or_default();
            let span = text.span_of(at..at + 1);
            let finding = Diagnostic::new(&RULE.info, span, "a `;` stands between addresses")
                .help("separate addresses with commas");
            let edits = part.match_indices(';').map(|(at, _)| {
                let at = range.start + at;
                Edit { span: text.span_of(at..at + 1), text: ",".to_owned() }
            });
            findings.push(finding.fix(true, edits.collect()));
        } else if address.contains(char::is_whitespace) {
            let message = format!("`{address}` is no address");
            let finding = Diagnostic::new(&RULE.info, text.span_of(range), message);
            findings.push(finding.help("separate addresses with commas"));
        }
    }
    findings
}
