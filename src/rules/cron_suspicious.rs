//! A cron frequency holds a piece that the server reads in another way than it looks, or does not read at all.
//!
//! Oozie takes the cron expressions of Quartz, which reads much that it does not understand: it cuts `5~7` to 5, it
//! ignores `#2` after a range, and in the day of the week 1 is Sunday. Nothing is refused, and the coordinator runs at
//! other times than its author thinks. Write only what stands in Quartz's documentation; name the days of the week.
//!
//! ```xml
//! <coordinator-app … frequency="0 10 ? * 1-5">      <!-- Sunday to Thursday -->
//! <coordinator-app … frequency="0 10 ? * MON-FRI">  <!-- Monday to Friday -->
//! ```

use super::{Check, Rule, Sink};
use crate::analysis::subject::Coordinator;
use crate::analysis::templates::Place;
use crate::diag::{Diagnostic, Group, Info, Severity};
use crate::time::cron::Cron;

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "cron-suspicious",
        group: Group::Meaning,
        severity: Severity::Warning,
        stage: None,
        mirrors: &[],
        explanation: include_str!("cron_suspicious.rs"),
    },
    check: Check::Coordinator(check),
};

fn check(app: &Coordinator<'_>, sink: &mut Sink) {
    let Some(text) = &app.model.frequency else { return };
    let Some(value) = app.values.value(text, Place::Frequency) else { return };
    let Ok(cron) = Cron::parse(&value) else { return };
    for suspicion in cron.suspicions() {
        let span = match value == text.value {
            true => text.span_of(suspicion.range.clone()),
            false => text.span,
        };
        let piece = value.get(suspicion.range.clone()).unwrap_or("");
        let message = format!("`{piece}` in a cron: {}", suspicion.message);
        sink.push(Diagnostic::new(&RULE.info, span, message).help("write the values out"));
    }
}
