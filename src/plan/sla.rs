//! A service level as a server registers it (`SLAOperations.createSlaRegistrationEvent`), of whatever it is asked for.

use crate::diag::{Group, Info, Severity, Stage};
use crate::el;
use crate::model::sla::{DEFAULT_ALERT_EVENT, alert_event};
use crate::source::Span;
use crate::time::Instant;

/// A registered service level (`SLARegistrationBean`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlaRegistration {
    /// The time that the others are counted from.
    pub nominal: Option<Instant>,
    /// When it should have started.
    pub expected_start: Option<Instant>,
    /// When it should have ended.
    pub expected_end: Option<Instant>,
    /// How long it may take; -1 for no limit.
    pub expected_duration_millis: i64,
    /// What is told, upper case, with commas between.
    pub alert_events: Option<String>,
    /// Who is told.
    pub alert_contact: Option<String>,
    /// What is told to them.
    pub notification_msg: Option<String>,
    /// What it depends on.
    pub upstream_apps: Option<String>,
}

/// A service level that cannot be registered.
pub static SLA_INVALID: Info = Info {
    name: "sla-invalid",
    group: Group::Meaning,
    severity: Severity::Error,
    stage: Some(Stage::Materialize),
    mirrors: &["E1007", "E0302"],
    explanation: "A service level cannot be registered.\n\n\
        `nominal-time` is a datetime; `should-start`, `should-end` and `max-duration` are minutes, not negative, and \
        whole in a coordinator and for a workflow itself. In a coordinator the creation of actions fails. A workflow \
        is refused, also for the service level of one of its actions.",
};

/// Why a service level cannot be registered.
pub(super) struct Unregistered {
    /// The entry that is wrong.
    pub(super) entry: &'static str,
    /// Where it stands, when it stands anywhere.
    pub(super) span: Option<Span>,
    /// In words.
    pub(super) message: String,
    /// The server's codes.
    pub(super) codes: &'static [&'static str],
}

/// Registers a service level. `get` gives the value of an entry; minutes are Java `float`s there.
pub(super) fn register<'v>(
    nominal: Instant,
    get: &dyn Fn(&str) -> Option<(&'v str, Span)>,
) -> Result<SlaRegistration, Unregistered> {
    let minutes = |entry: &'static str| -> Result<Option<(f32, Span)>, Unregistered> {
        let Some((text, span)) = get(entry) else { return Ok(None) };
        let Some(number) = el::parse_double(text) else {
            let message = format!("`{entry}` is no number of minutes: `{text}`");
            return Err(Unregistered { entry, span: Some(span), message, codes: &[] });
        };
        Ok(Some((number as f32, span)))
    };
    let moved = |entry: &'static str| -> Result<Option<Instant>, Unregistered> {
        match minutes(entry)? {
            Some((number, span)) if number < 0.0 => {
                let message = format!("`{entry}` is negative");
                Err(Unregistered { entry, span: Some(span), message, codes: &["E0302"] })
            }
            Some((number, _)) => Ok(Some(nominal.plus_millis((number * 60.0 * 1000.0) as i64))),
            None => Ok(None),
        }
    };
    let expected_start = moved("should-start")?;
    let expected_end = moved("should-end")?;
    let mut expected_duration_millis = -1;
    match get("max-duration").filter(|(text, _)| !text.is_empty()) {
        Some(_) => {
            if let Some((number, _)) = minutes("max-duration")?.filter(|(number, _)| *number > 0.0) {
                expected_duration_millis = (number * 60.0 * 1000.0) as i64;
            }
        }
        None => {
            if let (Some(start), Some(end)) = (expected_start, expected_end) {
                expected_duration_millis = end.millis_since(start);
            }
        }
    }
    // Java splits commas alone into no events, and takes the comma after the last of them away.
    let is_empty_list = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte == b',');
    if let Some((text, span)) = get("alert-events").filter(|(text, _)| is_empty_list(text)) {
        let message = format!("`alert-events` names no event: `{text}`");
        return Err(Unregistered { entry: "alert-events", span: Some(span), message, codes: &[] });
    }
    let text = |name: &str| get(name).map(|(text, _)| text.to_owned());
    Ok(SlaRegistration {
        nominal: Some(nominal),
        expected_start,
        expected_end,
        expected_duration_millis,
        alert_events: get("alert-events").map(|(text, _)| alert_events(text)),
        alert_contact: text("alert-contact"),
        notification_msg: text("notification-msg"),
        upstream_apps: text("upstream-apps"),
    })
}

/// A number of minutes as the server's older tables want it (`SLADbOperations`).
pub(super) fn is_whole(text: &str) -> bool {
    text.parse::<i32>().is_ok()
}

/// Events in upper case; whatever is none of them counts as END_MISS.
fn alert_events(text: &str) -> String {
    // Java drops empty parts at the end.
    let events = text.trim_end_matches(',').split(',');
    events.map(|event| alert_event(event).unwrap_or(DEFAULT_ALERT_EVENT)).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Sources;

    #[test]
    fn alert_events_are_those_that_java_splits() {
        let span = Span::new(Sources::new().add("sla", ""), 0..0);
        let events = |text: &str| {
            let get = |name: &str| (name == "alert-events").then_some((text, span));
            register(Instant::EPOCH, &get)
                .map(|sla| sla.alert_events.expect("events"))
                .map_err(|it| it.message)
        };
        assert_eq!(events("start_miss, end_met,,"), Ok("START_MISS,END_MET".to_owned()));
        assert_eq!(events(""), Ok("END_MISS".to_owned()));
        assert_eq!(events(",x"), Ok("END_MISS,END_MISS".to_owned()));
        assert_eq!(events(",,"), Err("`alert-events` names no event: `,,`".to_owned()));
    }
}
