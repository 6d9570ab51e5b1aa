//! The `cred` attribute of an action names a credential that the workflow does not define.
//!
//! The action fails when it starts (JA021). Names are separated by commas without blanks: `a, b` asks for a credential
//! called ` b`. In a workflow without any `credentials` the server passes over the name, and the action runs without.
//!
//! ```xml
//! <credentials>
//!   <credential name="hive" type="hcat">…</credential>
//! </credentials>
//! …
//! <action name="load" cred="hive">
//! ```

use super::{Check, Rule, Sink};
use crate::analysis::actions;
use crate::analysis::subject::Workflow;
use crate::diag::{Diagnostic, Edit, Group, Info, Severity, Stage, closest};

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "action-credential-undefined",
        group: Group::Meaning,
        severity: Severity::Error,
        stage: Some(Stage::Action),
        mirrors: &["JA021"],
        explanation: include_str!("action_credential_undefined.rs"),
    },
    check: Check::Workflow(check),
};

/// The property that makes an action run without its credentials (`JavaActionExecutor.OOZIE_CREDENTIALS_SKIP`).
const SKIP: &str = "oozie.credentials.skip";

/// `JavaActionExecutor.getActionCredentialsProperties` and `getCredProperties`; only those executors look at `cred`.
fn check(app: &Workflow<'_>, sink: &mut Sink) {
    let names =
        || app.model.credentials.iter().filter_map(|it| it.name.as_ref()).map(|name| name.value.as_str());
    for action in app.actions().iter().filter(|action| action.is_on_cluster()) {
        let Some(text) = action.action.credentials.as_ref().filter(|text| actions::literal(text).is_some())
        else {
            continue;
        };
        let properties = action.details.job().map(|job| job.configuration.properties.as_slice());
        if properties.is_some_and(|list| list.iter().any(|property| property.name.value.trim() == SKIP)) {
            continue;
        }
        let mut from = 0;
        for name in text.value.split(',') {
            let range = from..from + name.len();
            from = range.end + 1;
            if name.is_empty() || names().any(|known| known.eq_ignore_ascii_case(name)) {
                continue;
            }
            let span = text.span_of(range.clone());
            let mut finding = Diagnostic::new(&RULE.info, span, format!("no credential is named `{name}`"));
            if app.model.credentials.is_empty() {
                finding =
                    Diagnostic::new(&RULE.info, span, format!("the workflow defines no credential `{name}`"))
                        .severity(Severity::Warning)
                        .stage(None)
                        .help("add it under `credentials`, or remove the attribute");
            } else if let Some(known) = names().find(|known| known.eq_ignore_ascii_case(name.trim())) {
                let inner = name.len() - name.trim_start().len();
                let start = range.start + if inner > 0 { 0 } else { name.trim_end().len() };
                let end = if inner > 0 { range.start + inner } else { range.end };
                finding = finding.help(format!("remove the blank beside `{known}`"));
                if inner == 0 || name.trim_end().len() == name.len() {
                    let edit = Edit { span: text.span_of(start..end), text: String::new() };
                    finding = finding.fix(true, vec![edit]);
                }
            } else if let Some(near) = closest(name, names()) {
                finding = finding.help(format!("did you mean `{near}`?"));
                let mut credentials = app.model.credentials.iter().filter_map(|it| it.name.as_ref());
                let is_used = app.actions().iter().filter_map(|it| it.action.credentials.as_ref());
                let mut uses = is_used.flat_map(|text| text.value.split(','));
                let lonely = !uses.any(|used| used.trim().eq_ignore_ascii_case(near));
                // Where nothing asks for it, the slip may as well be in its own name.
                if let Some(text) = credentials.find(|text| text.value == near && lonely) {
                    finding = finding.label(text.span, format!("no action uses `{near}`"));
                }
            }
            sink.push(actions::at_start(&app.flow, action, finding));
        }
    }
}
