//! Instants, zones, calendar arithmetic as `java.util.Calendar` does it, datetime formats, cron.
//!
//! Nothing here reads a clock or knows an element of an application; every notion of "now" is an argument.

pub mod calendar;
pub mod civil;
pub mod cron;
pub mod datetime;
pub mod format;
pub mod frequency;
mod instant;
pub mod nominal;
pub mod series;
pub mod zone;

pub use calendar::Unit;
pub use datetime::{DatetimeError, ParsedDatetime, ProcessingZone};
pub use frequency::{EndOfDuration, Frequency, Schedule, TimeUnit};
pub use instant::Instant;
pub use zone::{UnknownZone, Zone};
