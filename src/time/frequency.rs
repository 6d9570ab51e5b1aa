//! How often something comes: a number of minutes, days, weeks or months, or a cron expression.

use std::fmt;

use super::calendar::{self, Unit};
use super::cron::{Cron, SearchError};
use super::datetime::ProcessingZone;
use super::instant::Instant;
use super::zone::Zone;

/// The unit of a frequency, as Oozie's `TimeUnit` names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TimeUnit {
    /// Minutes; hours are 60 of them.
    Minute,
    /// Calendar days.
    Day,
    /// Calendar weeks.
    Week,
    /// Calendar months.
    Month,
    /// A cron expression.
    Cron,
}

impl TimeUnit {
    /// Oozie's name.
    pub fn name(self) -> &'static str {
        match self {
            TimeUnit::Minute => "MINUTE",
            TimeUnit::Day => "DAY",
            TimeUnit::Week => "WEEK",
            TimeUnit::Month => "MONTH",
            TimeUnit::Cron => "CRON",
        }
    }

    /// The calendar unit; none for cron.
    pub fn unit(self) -> Option<Unit> {
        match self {
            TimeUnit::Minute => Some(Unit::Minute),
            TimeUnit::Day => Some(Unit::Day),
            TimeUnit::Week => Some(Unit::Week),
            TimeUnit::Month => Some(Unit::Month),
            TimeUnit::Cron => None,
        }
    }
}

impl fmt::Display for TimeUnit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Whether nominal times move to the start of the next period.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum EndOfDuration {
    /// They do not.
    #[default]
    None,
    /// To the next midnight.
    EndOfDay,
    /// To the midnight before the next Sunday.
    EndOfWeek,
    /// To the first of the next month.
    EndOfMonth,
}

impl EndOfDuration {
    /// Oozie's name.
    pub fn name(self) -> &'static str {
        match self {
            EndOfDuration::None => "NONE",
            EndOfDuration::EndOfDay => "END_OF_DAY",
            EndOfDuration::EndOfWeek => "END_OF_WEEK",
            EndOfDuration::EndOfMonth => "END_OF_MONTH",
        }
    }
}

impl fmt::Display for EndOfDuration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A frequency in calendar units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frequency {
    /// How many units.
    pub count: i32,
    /// The unit; never [`TimeUnit::Cron`].
    pub unit: Unit,
    /// Where in its period a time lies.
    pub end: EndOfDuration,
}

impl Frequency {
    /// A plain number of minutes.
    pub fn minutes(count: i32) -> Frequency {
        Frequency { count, unit: Unit::Minute, end: EndOfDuration::None }
    }

    /// From where times are counted: `start`, moved to the end of its period.
    pub fn origin(&self, start: Instant, zone: Zone) -> Instant {
        calendar::move_to_end(start, self.end, zone)
    }

    /// The time with an index from 0: always counted from the origin, never step by step, so that month ends and
    /// daylight saving do not drift. The product wraps as Java's `int` does.
    pub fn nth(&self, origin: Instant, index: i64, zone: Zone) -> Instant {
        let amount = (index as i32).wrapping_mul(self.count);
        calendar::add(origin, i64::from(amount), self.unit, zone)
    }
}

/// What makes times come: steps of the calendar, or a cron expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Schedule {
    /// Steps from an origin, in a zone.
    Calendar(Frequency),
    /// An expression, in the processing timezone.
    Cron(Box<Cron>),
}

impl Schedule {
    /// The unit, as Oozie names it.
    pub fn time_unit(&self) -> TimeUnit {
        match self {
            Schedule::Cron(_) => TimeUnit::Cron,
            Schedule::Calendar(frequency) => match frequency.unit {
                Unit::Minute | Unit::Hour => TimeUnit::Minute,
                Unit::Day => TimeUnit::Day,
                Unit::Week => TimeUnit::Week,
                Unit::Month | Unit::Year => TimeUnit::Month,
            },
        }
    }

    /// Its own times from `start` on, without the correction for daylight saving that a coordinator makes for cron.
    /// Ends when there are no more; an error is the last item.
    pub fn times(
        &self,
        start: Instant,
        zone: Zone,
        processing: ProcessingZone,
    ) -> impl Iterator<Item = Result<Instant, SearchError>> + '_ {
        let mut state = match self {
            Schedule::Calendar(frequency) => Some(frequency.origin(start, zone)),
            Schedule::Cron(_) => Some(start.plus_millis(-1)),
        };
        let origin = state.unwrap_or(start);
        let mut index = 0;
        std::iter::from_fn(move || match self {
            Schedule::Calendar(frequency) => {
                let at = state?;
                index += 1;
                // A sum that wraps leads back, and there the times end.
                state = Some(frequency.nth(origin, index, zone)).filter(|next| *next > at);
                Some(Ok(at))
            }
            Schedule::Cron(cron) => {
                let next = cron.next_after(state?, processing);
                state = next.ok();
                Some(next).filter(|next| *next != Err(SearchError::Exhausted))
            }
        })
    }
}
