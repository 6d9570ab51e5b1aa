//! Date patterns as `java.text.SimpleDateFormat` has them (English), and the datetime functions of expressions.
//!
//! Text is what Java 17 writes with its own locale data (CLDR); weeks start on Sunday, and the week of 1 January is
//! week 1.

pub mod pattern;

use super::calendar::{self, Unit};
use super::civil::{Date, Local};
use super::datetime::{DatetimeError, ProcessingZone};
use super::instant::Instant;
use super::zone::{UnknownZone, Zone};
pub use pattern::Pattern;

/// Why a datetime function fails.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FormatError {
    /// The datetime cannot be read (`ParseException`).
    #[error("`{text}` is no datetime: {error}")]
    Datetime {
        /// The text.
        text: String,
        /// What is wrong with it.
        error: DatetimeError,
    },
    /// The pattern cannot be read (`IllegalArgumentException`).
    #[error("{reason}")]
    Pattern {
        /// The byte of the pattern.
        offset: usize,
        /// What is wrong there.
        reason: String,
    },
    /// No such unit (`IllegalArgumentException`).
    #[error("`{0}` is no unit of time; it is one of MINUTE, HOUR, DAY, WEEK, MONTH, YEAR")]
    Unit(String),
    /// No such zone (`IllegalArgumentException`).
    #[error(transparent)]
    Zone(#[from] UnknownZone),
}

impl FormatError {
    /// The simple name of the exception that Java raises.
    pub fn java_class(&self) -> &'static str {
        match self {
            FormatError::Datetime { .. } => "ParseException",
            _ => "IllegalArgumentException",
        }
    }
}

/// Writes an instant by a pattern in the processing timezone (`DateUtils.formatDateCustom`).
pub fn format_instant(at: Instant, pattern: &str, processing: ProcessingZone) -> Result<String, FormatError> {
    Ok(Pattern::parse(pattern)?.format(at, processing))
}

/// `coord:formatTime(datetime, pattern)`.
pub fn format_time(text: &str, pattern: &str, processing: ProcessingZone) -> Result<String, FormatError> {
    format_instant(instant(text, processing)?, pattern, processing)
}

/// `coord:epochTime(datetime, millis)`: only `true`, in any case, asks for milliseconds.
pub fn epoch_time(text: &str, millis: &str, processing: ProcessingZone) -> Result<String, FormatError> {
    let at = instant(text, processing)?.millis();
    let in_millis = millis.eq_ignore_ascii_case("true");
    Ok(if in_millis { at } else { at / 1000 }.to_string())
}

/// `coord:dateOffset(datetime, count, unit)`.
pub fn date_offset(
    text: &str,
    count: i32,
    unit: &str,
    processing: ProcessingZone,
) -> Result<String, FormatError> {
    let at = instant(text, processing)?;
    let unit = match unit {
        "MINUTE" => Unit::Minute,
        "HOUR" => Unit::Hour,
        "DAY" | "END_OF_DAY" => Unit::Day,
        "WEEK" | "END_OF_WEEK" => Unit::Week,
        "MONTH" | "END_OF_MONTH" => Unit::Month,
        "YEAR" => Unit::Year,
        // Two more names of Oozie's `TimeUnit`: one stands for the era, one for no field at all.
        "CRON" => return Ok(processing.format(in_other_era(at, count, processing))),
        "NONE" if count == 0 => return Ok(processing.format(at)),
        _ => return Err(FormatError::Unit(unit.to_owned())),
    };
    Ok(processing.format(calendar::add(at, i64::from(count), unit, processing.zone())))
}

/// `GregorianCalendar.add` of eras: back by any number leads to the same year before Christ.
fn in_other_era(at: Instant, count: i32, processing: ProcessingZone) -> Instant {
    let zone = processing.zone();
    let local = zone.local(at);
    let year = if count < 0 && local.date.year > 0 { 1 - local.date.year } else { local.date.year };
    zone.instant(Local { date: Date { year, ..local.date }, ..local })
}

/// `coord:dateTzOffset(datetime, zone)`: the wall time of the zone, written as if it were the processing timezone's.
pub fn date_tz_offset(text: &str, zone: &str, processing: ProcessingZone) -> Result<String, FormatError> {
    let at = instant(text, processing)?;
    Ok(processing.format_in(at, Zone::parse(zone)?))
}

/// Reads a datetime as a server does: `24:00` is refused.
fn instant(text: &str, processing: ProcessingZone) -> Result<Instant, FormatError> {
    let failed = |error| FormatError::Datetime { text: text.to_owned(), error };
    let parsed = processing.parse_datetime(text).map_err(failed)?;
    if parsed.end_of_day {
        let reason = "`24:00` is refused here".to_owned();
        let offset = text.find("24").unwrap_or(0);
        return Err(failed(DatetimeError { offset, reason }));
    }
    Ok(parsed.instant)
}
