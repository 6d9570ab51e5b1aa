//! A service level as a server registers it (`SLAOperations.createSlaRegistrationEvent`), of whatever it is asked for.

use crate::el;
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

/// Why a service level cannot be registered: where, in words, and the server's codes.
pub(super) type Unregistered = (Option<Span>, String, &'static [&'static str]);

/// Registers a service level. `get` gives the value of an entry; minutes are Java `float`s there.
pub(super) fn register<'v>(
    nominal: Instant,
    get: &dyn Fn(&str) -> Option<(&'v str, Span)>,
) -> Result<SlaRegistration, Unregistered> {
    let minutes = |name: &str| -> Result<Option<(f32, Span)>, Unregistered> {
        let Some((text, span)) = get(name) else { return Ok(None) };
        match el::parse_double(text) {
            Some(number) => Ok(Some((number as f32, span))),
            None => Err((Some(span), format!("`{name}` is no number of minutes: `{text}`"), &[])),
        }
    };
    let moved = |name: &str| -> Result<Option<Instant>, Unregistered> {
        match minutes(name)? {
            Some((number, span)) if number < 0.0 => {
                Err((Some(span), format!("`{name}` is negative"), &["E0302"]))
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
    const EVENTS: [&str; 6] =
        ["START_MET", "START_MISS", "DURATION_MET", "DURATION_MISS", "END_MET", "END_MISS"];
    // Java drops empty parts at the end.
    let text = if text.trim_end_matches(',').is_empty() { "" } else { text.trim_end_matches(',') };
    let known = |event: &str| {
        let event = event.trim().to_uppercase();
        EVENTS.into_iter().find(|known| *known == event).unwrap_or("END_MISS")
    };
    text.split(',').map(known).collect::<Vec<_>>().join(",")
}
