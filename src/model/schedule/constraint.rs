//! Constraints: what must hold for a launch once the trigger holds.

use crate::source::Span;
use crate::time::Zone;

/// One constraint.
#[derive(Clone, Debug, PartialEq)]
pub struct Constraint {
    /// What must hold.
    pub limit: Limit,
    /// Whether a job waits until it holds; else it is given up.
    pub waits: bool,
    /// Where it stands.
    pub span: Span,
}

/// What must hold.
#[derive(Clone, Debug, PartialEq)]
pub enum Limit {
    /// Fewer runs of the program are active.
    Concurrency {
        /// Than this.
        max: u64,
    },
    /// This much time has passed since the job was created.
    Delay {
        /// Milliseconds.
        millis: i64,
    },
    /// The clock of a zone shows a time of day within these.
    TimeRange(Window),
    /// No run is active, and none has completed within this time.
    LastRun {
        /// Milliseconds.
        millis: i64,
    },
}

/// A part of each day, over midnight when it ends before it starts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Window {
    /// The minute of the day at which it starts.
    pub start_minute: u16,
    /// The minute of the day before which it ends.
    pub end_minute: u16,
    /// The zone whose clock counts; none: the processing timezone.
    pub zone: Option<Zone>,
}

impl Limit {
    /// The word of the REST body.
    pub fn name(&self) -> &'static str {
        match self {
            Limit::Concurrency { .. } => "CONCURRENCY",
            Limit::Delay { .. } => "DELAY",
            Limit::TimeRange(_) => "TIME_RANGE",
            Limit::LastRun { .. } => "LAST_RUN",
        }
    }

    /// Whether a job waits for it unless the schedule says otherwise.
    pub fn waits_by_default(&self) -> bool {
        matches!(self, Limit::Delay { .. } | Limit::TimeRange(_))
    }
}

impl Window {
    /// `HH:mm` as a minute of the day.
    pub fn minute(text: &str) -> Option<u16> {
        let (hour, minute) = text.split_once(':')?;
        let number = |part: &str, below: u16| -> Option<u16> {
            let is_plain = part.len() == 2 && part.bytes().all(|byte| byte.is_ascii_digit());
            part.parse().ok().filter(|number| is_plain && *number < below)
        };
        Some(number(hour, 24)? * 60 + number(minute, 60)?)
    }

    /// A minute of the day as `HH:mm`.
    pub fn text(minute: u16) -> String {
        format!("{:02}:{:02}", minute / 60, minute % 60)
    }

    /// Whether a minute of the day lies within it.
    pub fn contains(&self, minute: u16) -> bool {
        if self.start_minute <= self.end_minute {
            (self.start_minute..self.end_minute).contains(&minute)
        } else {
            minute >= self.start_minute || minute < self.end_minute
        }
    }
}
