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
use crate::diag::{Diagnostic, Edit, Group, Info, Severity, Stage};
use crate::model::action::Details;
use crate::source::Text;

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "email-no-recipient",
        group: Group::Meaning,
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
                if finding.severity != Severity::Error {
                    sink.push(finding);
                    continue;
                }
                sink.push(actions::at_start(&app.flow, action, finding.oozie(&["EM004"])));
            }
        }
    }
}

/// What is wrong with the single addresses of a list: only what `InternetAddress` surely refuses. The list is cut at
/// every comma before anything else is looked at, so that one between quotes cuts a name in two.
fn addresses(text: &Text) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    if text.value.is_empty() || text.value.contains(['$', '#', '{']) {
        return findings;
    }
    // What stands after the last comma is dropped when it is empty, as `String.split` does.
    let whole = text.value.trim_end_matches(',');
    let mut from = 0;
    let mut is_cut = false;
    for part in whole.split(',') {
        let range = from..from + part.len();
        from = range.end + 1;
        let address = part.trim();
        let finding = |message: String| Diagnostic::new(&RULE.info, text.span_of(range.clone()), message);
        if part.matches('"').count() % 2 == 1 && !part.contains('\\') {
            // Both halves are broken; the first one is told.
            if !is_cut {
                let message = if whole[from.min(whole.len())..].contains('"') {
                    "a comma stands between quotes, where the list is cut all the same"
                } else {
                    "a quote is missing"
                };
                findings.push(finding(message.to_owned()).help("write the name without a comma"));
            }
            is_cut = !is_cut;
        } else if is_cut {
            // Between two halves.
        } else if address.is_empty() {
            let span = text.span_of(range.start..range.end.max(range.start + 1).min(text.value.len()));
            let finding = Diagnostic::new(&RULE.info, span, "an address in the list is empty");
            findings.push(finding.help("remove the comma"));
        } else if let Some(places) = semicolons(part) {
            let at = range.start + places[0];
            let span = text.span_of(at..at + 1);
            let finding = Diagnostic::new(&RULE.info, span, "a `;` stands between addresses")
                .help("separate addresses with commas");
            let edits = places.iter().map(|at| {
                let at = range.start + at;
                Edit { span: text.span_of(at..at + 1), text: ",".to_owned() }
            });
            findings.push(finding.fix(true, edits.collect()));
        } else if address.contains(['"', '<', '(']) {
            let is_open =
                !address.contains(['"', '(', '\\']) && address.contains('<') && !address.contains('>');
            if is_open {
                findings.push(finding(format!("`{address}` is no address")).help("close the `<` with a `>`"));
            }
        } else if address.contains(char::is_whitespace) {
            let message = format!("`{address}` is no address");
            findings.push(finding(message).help("separate addresses with commas"));
        } else if address.starts_with('@') || address.ends_with('@') {
            let message = format!("`{address}` is no address");
            findings.push(finding(message).help("write both sides of the `@`"));
        } else if address.contains('.') && !address.contains('@') {
            let message = format!("`{address}` has no `@`, so it is a name on the mail server itself");
            let finding = finding(message).severity(Severity::Warning).stage(None);
            findings.push(finding.help("write a name, `@` and a domain"));
        }
    }
    findings
}

/// Where semicolons separate addresses: outside quotes and comments, and not at the end of a group, which begins with a
/// colon.
fn semicolons(part: &str) -> Option<Vec<usize>> {
    let (mut is_quoted, mut depth) = (false, 0);
    let mut places = Vec::new();
    if part.contains([':', '\\', '[']) {
        return None;
    }
    for (at, c) in part.char_indices() {
        match c {
            '"' if depth == 0 => is_quoted = !is_quoted,
            '(' if !is_quoted => depth += 1,
            ')' if !is_quoted => depth -= 1,
            ';' if !is_quoted && depth == 0 => places.push(at),
            _ => {}
        }
    }
    (!places.is_empty()).then_some(places)
}
