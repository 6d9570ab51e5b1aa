//! A service level asks to be told of an event that does not exist.
//!
//! The server does not refuse such a name: it takes `END_MISS` for it and writes a warning into its own log, so nobody is
//! told what was asked for. The events are `START_MET`, `START_MISS`, `DURATION_MET`, `DURATION_MISS`, `END_MET` and
//! `END_MISS`, in upper or lower case, with commas between.
//!
//! ```xml
//! <sla:alert-events>start-miss</sla:alert-events>
//! <sla:alert-events>start_miss</sla:alert-events>
//! ```

use super::{Check, Rule, Sink};
use crate::analysis::subject::ServiceLevel;
use crate::diag::{Diagnostic, Group, Info, Severity, closest};
use crate::model::sla::{ALERT_EVENTS, DEFAULT_ALERT_EVENT, alert_event};

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "sla-event-unknown",
        group: Group::Meaning,
        severity: Severity::Warning,
        stage: None,
        mirrors: &[],
        explanation: include_str!("sla_event_unknown.rs"),
    },
    check: Check::ServiceLevel(check),
};

fn check(level: &ServiceLevel<'_>, sink: &mut Sink) {
    let Some(text) = level.model.get("alert-events") else { return };
    let Some(value) = level.values.trimmed(text, level.place).filter(|value| !value.contains("${")) else {
        return;
    };
    let trimmed = text.trimmed();
    let is_written = trimmed.value == value;
    let mut from = 0;
    // Java drops empty parts at the end.
    for part in value.trim_end_matches(',').split(',') {
        let event = part.trim();
        let start = from + (part.len() - part.trim_start().len());
        from += part.len() + 1;
        if alert_event(event).is_some() {
            continue;
        }
        let message = match event {
            "" => format!("an empty alert event is taken for `{DEFAULT_ALERT_EVENT}`"),
            _ => format!("`{event}` is no alert event, and is taken for `{DEFAULT_ALERT_EVENT}`"),
        };
        let is_alone = is_written && !event.is_empty();
        let span = if is_alone { trimmed.span_of(start..start + event.len()) } else { trimmed.span };
        let finding = Diagnostic::new(&RULE.info, span, message);
        sink.push(match closest(event, ALERT_EVENTS) {
            Some(near) => finding.help(format!("did you mean `{near}`?")),
            None => finding.help(format!("write one of {}", ALERT_EVENTS.join(", "))),
        });
    }
}
