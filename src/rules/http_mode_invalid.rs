//! The `mode` of an http action is missing or is no mode.
//!
//! `CONTINUE` goes on once the call has been answered, `WAIT` waits for a callback that tells the exit state. The specification
//! has no default; `CONTINUE` is taken.

use super::{Check, Rule, Sink};
use crate::analysis::actions;
use crate::analysis::subject::Workflow;
use crate::diag::{Diagnostic, Group, Info, Severity, Stage, closest};
use crate::model::action::Details;

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "http-mode-invalid",
        group: Group::Meaning,
        severity: Severity::Error,
        stage: Some(Stage::Submit),
        mirrors: &[],
        explanation: include_str!("http_mode_invalid.rs"),
    },
    check: Check::Workflow(check),
};

const MODES: [&str; 2] = ["CONTINUE", "WAIT"];

fn check(app: &Workflow<'_>, sink: &mut Sink) {
    for action in app.actions() {
        let Details::Http(http) = &action.details else { continue };
        let Some(mode) = &http.mode else {
            let message = format!("{} has no `mode`, so it does not wait for a callback", action.words());
            let finding = Diagnostic::new(&RULE.info, action.body.element.name_span, message);
            let finding = finding.severity(Severity::Warning).stage(None);
            sink.push(finding.help("write `<mode>CONTINUE</mode>`"));
            continue;
        };
        let Some(word) = actions::literal(mode).filter(|word| !MODES.contains(word)) else { continue };
        let place = action.body.element.child("mode").filter(|_| word.is_empty());
        let place = place.map_or(mode.trimmed().span, |element| element.name_span);
        let finding = Diagnostic::new(&RULE.info, place, format!("`{word}` is not a mode of an http action"));
        sink.push(match closest(&word.to_uppercase(), MODES) {
            Some(near) => finding.help(format!("did you mean `{near}`?")),
            None => finding.help("write `CONTINUE` or `WAIT`"),
        });
    }
}
