//! Datetimes, zones and the present of a command line.

use std::borrow::Cow;
use std::path::Path;

use crate::host::error::ShellError;
use crate::shell::config::Config;
use crate::shell::context::Context;
use crate::time::civil::Local;
use crate::time::zone::UnknownZone;
use crate::time::{Instant, ParsedDatetime, ProcessingZone, Zone};

/// The processing timezone of the `ankus.toml` that counts here.
pub fn processing_zone(context: &Context) -> Result<ProcessingZone, ShellError> {
    let config = Config::find(context.common.config.as_deref(), Path::new("."))?;
    let text = config.processing_timezone.as_deref().unwrap_or("UTC");
    ProcessingZone::parse(text).map_err(|error| ShellError::usage(error.to_string()))
}

/// A datetime of the command line. A date alone is its midnight in the processing timezone.
pub fn datetime(text: &str, processing: ProcessingZone) -> Result<ParsedDatetime, ShellError> {
    processing
        .parse_datetime(&with_midnight(text, processing))
        .map_err(|error| ShellError::usage(format!("`{text}` is not a datetime: {error}")))
}

/// `2026-11-01` becomes `2026-11-01T00:00Z`; any other text stays as it is.
pub fn with_midnight(text: &str, processing: ProcessingZone) -> Cow<'_, str> {
    let date = text.trim();
    let is_date = date.len() == 10
        && date.bytes().enumerate().all(|(at, byte)| match at {
            4 | 7 => byte == b'-',
            _ => byte.is_ascii_digit(),
        });
    if is_date { Cow::Owned(format!("{date}T00:00{}", processing.suffix())) } else { Cow::Borrowed(text) }
}

/// The datetime of an option, if it is given.
pub fn option(name: &str, text: Option<&str>, zone: ProcessingZone) -> Result<Option<Instant>, ShellError> {
    let Some(text) = text else { return Ok(None) };
    let parsed = zone.parse_datetime(&with_midnight(text, zone)).map(|parsed| Some(parsed.instant));
    parsed.map_err(|error| ShellError::usage(format!("`{name} {text}` is not a datetime: {}", error.reason)))
}

/// A zone of the command line.
pub fn zone(id: &str) -> Result<Zone, ShellError> {
    Zone::parse(id).map_err(|error| ShellError::usage(unknown_zone(&error)))
}

/// What is said of a name that is no zone.
pub fn unknown_zone(error: &UnknownZone) -> String {
    let hint = error.suggestion.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
    format!("{error}{hint}")
}

/// The present: `--now`, else the clock, at the start of its minute.
pub fn now(context: &Context, processing: ProcessingZone) -> Result<Instant, ShellError> {
    let at = match &context.common.now {
        Some(text) => datetime(text, processing)?.instant,
        None => Instant::from_seconds(context.clock_epoch_seconds()),
    };
    Ok(Instant::from_seconds(at.minutes() * 60))
}

/// Date and time of day, and how far the clocks are from UTC: `2024-01-01T02:00-08:00`.
pub fn local_text(at: Instant, zone: Zone) -> String {
    let Local { date, hour, minute, .. } = zone.local(at);
    let dst = if zone.is_dst(at) { " DST" } else { "" };
    format!(
        "{:04}-{:02}-{:02}T{hour:02}:{minute:02}{}{dst}",
        date.year,
        date.month,
        date.day,
        offset_text(zone.offset_millis(at))
    )
}

/// An offset from UTC: `+05:30`, with seconds where there are any.
pub fn offset_text(millis: i64) -> String {
    let sign = if millis < 0 { '-' } else { '+' };
    let seconds = millis.abs() / 1000;
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match seconds {
        0 => format!("{sign}{hours:02}:{minutes:02}"),
        _ => format!("{sign}{hours:02}:{minutes:02}:{seconds:02}"),
    }
}
