//! An http action waits for a callback and does not say where to.
//!
//! With the mode `WAIT` an action stays open until somebody calls its callback URL, which the request has to carry: in `url` or
//! in `post`, made by `wf:callback('TOKEN')`, where the other side puts `OK` or `ERROR` in the place of TOKEN.

use super::{Check, Rule, Sink};
use crate::analysis::actions;
use crate::analysis::subject::Workflow;
use crate::diag::{Diagnostic, Group, Info, Severity, Stage};
use crate::model::action::Details;

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "http-callback-missing",
        group: Group::Meaning,
        severity: Severity::Error,
        stage: Some(Stage::Action),
        mirrors: &[],
        explanation: include_str!("http_callback_missing.rs"),
    },
    check: Check::Workflow(check),
};

fn check(app: &Workflow<'_>, sink: &mut Sink) {
    for action in app.actions() {
        let Details::Http(http) = &action.details else { continue };
        let Some(mode) = http.mode.as_ref().filter(|mode| actions::literal(mode) == Some("WAIT")) else {
            continue;
        };
        let inside = [&action.body.element.span, &action.node.span];
        let calls = app.expressions.iter().any(|expression| {
            let span = expression.template.text.span;
            inside.iter().any(|place| place.start <= span.start && span.end <= place.end)
                && expression
                    .parsed
                    .calls()
                    .any(|call| call.prefix == "wf" && matches!(call.name, "callback" | "callbackUrl"))
        });
        // What a property holds may be the URL as well.
        let is_open =
            [&http.url, &http.post].into_iter().flatten().any(|text| text.value.contains("wf:conf"));
        if !calls && !is_open {
            let message = format!("{} waits for a callback and tells nobody its URL", action.words());
            let finding = Diagnostic::new(&RULE.info, mode.trimmed().span, message);
            sink.push(actions::at_start(
                &app.flow,
                action,
                finding.help("put `${urlEncode(wf:callback('%EXITSTATE%'))}` into `url` or `post`"),
            ));
        }
    }
}
