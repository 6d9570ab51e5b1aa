//! Planned coordinators as JSON, written action by action so that a long plan needs no memory.
//!
//! Use: [`begin`], then [`action`] for each action, then [`end`]; or [`line()`] for each action where every line is a
//! document of its own.

use serde_json::json;

use crate::diag::Diagnostic;
use crate::plan::coordinator::{Action, CoordinatorJob, Event, SlaOutcome, Texts};
use crate::time::{Instant, ProcessingZone};

/// Everything of a plan before its first action.
pub fn begin(job: &CoordinatorJob, out: &mut String) {
    let zone = job.settings.processing;
    out.push_str("{\"version\":1,\"app\":");
    string(&job.name, out);
    out.push_str(",\"kind\":\"coordinator\",\"job\":{\"start\":");
    datetime(job.start, zone, out);
    out.push_str(",\"end\":");
    datetime(job.end, zone, out);
    out.push_str(",\"timezone\":");
    string(&job.timezone, out);
    out.push_str(",\"frequency\":");
    string(&job.frequency, out);
    let rest = json!({
        "timeUnit": job.time_unit.name(),
        "endOfDuration": job.end_of_duration.name(),
        "timeout": job.timeout_minutes,
        "concurrency": job.concurrency,
        "throttle": job.throttle,
        "execution": job.execution.name(),
    });
    out.push(',');
    out.push_str(&rest.to_string()[1..]);
    out.push_str(",\"actions\":[");
}

/// One action; `first` is true for the first one after [`begin`].
pub fn action(job: &CoordinatorJob, action: &Action, first: bool, out: &mut String) {
    out.push_str(if first { "\n{" } else { ",\n{" });
    fields(job, action, out);
    out.push('}');
}

/// Everything after the last action; `error` is what ended the plan early.
pub fn end(failure: Option<&Diagnostic>, out: &mut String) {
    out.push(']');
    if let Some(failure) = failure {
        out.push_str(",\"error\":");
        error(failure, out);
    }
    out.push_str("}\n");
}

/// One action as a line of its own, with the coordinator's name.
pub fn line(job: &CoordinatorJob, action: &Action, out: &mut String) {
    out.push_str("{\"coordinator\":");
    string(&job.name, out);
    out.push(',');
    fields(job, action, out);
    out.push_str("}\n");
}

/// What ended a plan early, as a line of its own.
pub fn error_line(job: &CoordinatorJob, failure: &Diagnostic, out: &mut String) {
    out.push_str("{\"coordinator\":");
    string(&job.name, out);
    out.push_str(",\"error\":");
    error(failure, out);
    out.push_str("}\n");
}

/// A finding in the short form that plans hold.
pub fn error(failure: &Diagnostic, out: &mut String) {
    let value = json!({ "rule": failure.rule.name, "oozie": failure.oozie, "message": failure.message });
    out.push_str(&value.to_string());
}

fn fields(job: &CoordinatorJob, action: &Action, out: &mut String) {
    let zone = job.settings.processing;
    out.push_str("\"number\":");
    out.push_str(&action.number.to_string());
    out.push_str(",\"nominal\":");
    datetime(action.nominal, zone, out);
    out.push_str(",\"actual\":");
    datetime(action.actual, zone, out);
    out.push_str(",\"inputs\":{");
    events(&action.inputs, true, out);
    out.push_str("},\"outputs\":{");
    events(&action.outputs, false, out);
    out.push_str("},\"waitFor\":");
    wait_for(&action.wait_for, out);
    if action.push_wait_for.iter().any(|list| !list.is_empty()) {
        out.push_str(",\"pushWaitFor\":");
        wait_for(&action.push_wait_for, out);
    }
    out.push_str(",\"sla\":");
    sla(action.sla.as_ref(), zone, out);
    if let Some(ready) = action.ready {
        out.push_str(if ready { ",\"ready\":true" } else { ",\"ready\":false" });
    }
    out.push_str(",\"workflow\":{\"appPath\":");
    string(&action.app_path, out);
    out.push_str(",\"configuration\":");
    match &action.configuration {
        None => out.push_str("null"),
        Some(properties) => {
            out.push('{');
            for (index, (name, value)) in properties.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                string(name, out);
                out.push(':');
                string(value, out);
            }
            out.push('}');
        }
    }
    out.push('}');
    if let Some(failure) = &action.error {
        out.push_str(",\"error\":");
        error(failure, out);
    }
}

fn events(events: &[Event], input: bool, out: &mut String) {
    for (index, event) in events.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        string(&event.name, out);
        out.push_str(":{\"dataset\":");
        string(&event.dataset, out);
        out.push_str(",\"uris\":");
        list(event.uris.iter(), out);
        if input {
            out.push_str(",\"doneFlag\":");
            string(&event.done_flag, out);
        }
        out.push_str(",\"unresolved\":");
        match &event.unresolved {
            None => out.push_str("null"),
            Some(expressions) => list(expressions.iter(), out),
        }
        out.push('}');
    }
}

fn wait_for(lists: &[Texts], out: &mut String) {
    list(lists.iter().flat_map(|texts| texts.iter()), out);
}

fn list<'a>(texts: impl Iterator<Item = &'a std::sync::Arc<str>>, out: &mut String) {
    out.push('[');
    for (index, text) in texts.enumerate() {
        if index > 0 {
            out.push(',');
        }
        string(text, out);
    }
    out.push(']');
}

fn sla(outcome: Option<&SlaOutcome>, zone: ProcessingZone, out: &mut String) {
    match outcome {
        None => out.push_str("null"),
        Some(SlaOutcome::Failed(failure)) => {
            out.push_str("{\"error\":");
            error(failure, out);
            out.push('}');
        }
        Some(SlaOutcome::Registered(sla)) => {
            let time = |at: Option<Instant>| at.map(|at| zone.format(at));
            let value = json!({
                "nominal": time(sla.nominal),
                "expectedStart": time(sla.expected_start),
                "expectedEnd": time(sla.expected_end),
                "expectedDurationMs": sla.expected_duration_millis,
                "alertEvents": sla.alert_events,
                "alertContact": sla.alert_contact,
                "notificationMsg": sla.notification_msg,
                "upstreamApps": sla.upstream_apps,
            });
            out.push_str(&value.to_string());
        }
    }
}

fn datetime(at: Instant, zone: ProcessingZone, out: &mut String) {
    out.push('"');
    zone.write(at, out);
    out.push('"');
}

/// A JSON string; stretches without special characters are copied whole.
pub fn string(text: &str, out: &mut String) {
    out.push('"');
    let special = |byte: &u8| *byte < 0x20 || *byte == b'"' || *byte == b'\\';
    // Whole blocks at once: nearly all text is plain.
    let is_plain = |block: &[u8]| !block.iter().fold(false, |found, byte| found | special(byte));
    let mut rest = text;
    if text.as_bytes().chunks(64).all(is_plain) {
        out.push_str(text);
        out.push('"');
        return;
    }
    while let Some(at) = rest.as_bytes().iter().position(special) {
        out.push_str(&rest[..at]);
        match rest.as_bytes()[at] {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            b'\n' => out.push_str("\\n"),
            b'\r' => out.push_str("\\r"),
            b'\t' => out.push_str("\\t"),
            byte => out.push_str(&format!("\\u{byte:04x}")),
        }
        rest = &rest[at + 1..];
    }
    out.push_str(rest);
    out.push('"');
}

#[cfg(test)]
mod tests {
    #[test]
    fn strings_are_escaped_as_json_wants() {
        for text in ["", "plain", "a\"b\\c\n\r\t\u{1}é", "\"\""] {
            let mut out = String::new();
            super::string(text, &mut out);
            assert_eq!(serde_json::from_str::<String>(&out).unwrap(), text);
        }
    }
}
