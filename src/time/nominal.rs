//! The nominal times of a coordinator.
//!
//! Follows `CoordMaterializeTransitionXCommand.materializeActions`: steps are counted from the start, a cron goes from
//! time to time, and where it rests for a day or more its times follow daylight saving.

use super::calendar::{self, Unit};
use super::cron::{Cron, SearchError};
use super::datetime::ProcessingZone;
use super::frequency::EndOfDuration;
use super::instant::Instant;
use super::zone::Zone;

/// A year that no calendar of ours reaches in earnest.
const LAST_MILLIS: i64 = 253_402_300_800_000 * 4;

/// How nominal times follow each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rhythm {
    /// So many units after each other, always counted from the start.
    Steps {
        /// How many.
        count: i32,
        /// Of what.
        unit: Unit,
    },
    /// A cron, in the processing timezone.
    Cron(Cron),
}

/// When a coordinator runs.
#[derive(Clone, Copy, Debug)]
pub struct Course<'r> {
    /// How its times follow each other.
    pub rhythm: &'r Rhythm,
    /// Whether the first one moves to the end of its period.
    pub end_of_duration: EndOfDuration,
    /// The start.
    pub start: Instant,
    /// The end, which is no nominal time any more.
    pub end: Instant,
    /// The coordinator's zone.
    pub zone: Zone,
    /// The server's.
    pub processing: ProcessingZone,
}

/// Why there is no next nominal time although the end is not reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NominalError {
    /// The product of number and frequency wraps.
    Backwards,
    /// The nominal times leave the calendar.
    OutOfRange,
    /// The cron's search fails.
    Search(SearchError),
}

/// One nominal time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Nominal {
    /// Counted from 1.
    pub number: i64,
    /// The nominal time.
    pub at: Instant,
    /// A cron's own time, before the correction for daylight saving.
    pub uncorrected: Instant,
}

/// Where one stands among the nominal times of a course, which is an argument to all questions.
#[derive(Clone, Copy, Debug)]
pub struct Position {
    origin: Instant,
    /// The number of the last one.
    number: i64,
    /// The last one, without the correction that crons get.
    cursor: Option<Instant>,
}

impl Position {
    /// Before the first one.
    pub fn new(course: &Course<'_>) -> Position {
        let origin = calendar::move_to_end(course.start, course.end_of_duration, course.zone);
        Position { origin, number: 0, cursor: None }
    }

    /// The number of the last one.
    pub fn number(&self) -> i64 {
        self.number
    }

    /// Behind a number, wherever the course ends.
    pub fn after(course: &Course<'_>, number: i64) -> Position {
        let mut position = Position::new(course);
        if let (Rhythm::Steps { count, unit }, true) = (course.rhythm, number > 0) {
            let amount = ((number - 1) as i32).wrapping_mul(*count);
            position.cursor = Some(calendar::add(position.origin, amount.into(), *unit, course.zone));
            position.number = number;
            return position;
        }
        let endless = Course { end: Instant::from_millis(LAST_MILLIS), ..*course };
        while position.number < number {
            if !matches!(position.next(&endless), Some(Ok(_))) {
                break;
            }
        }
        position
    }

    /// Leaves out those before `from`, as many as can be left out without looking at each.
    pub fn skip_to(&mut self, course: &Course<'_>, from: Instant) {
        if let Rhythm::Steps { count, unit: Unit::Minute } = *course.rhythm {
            let step = i64::from(count) * 60_000;
            let passed = from.millis_since(self.origin);
            if step > 0 && passed > step && self.number == 0 {
                self.number = (passed - 1) / step;
                self.cursor = Some(self.origin.plus_millis((self.number - 1) * step));
            }
        }
    }

    /// Goes to the next one, if there is one before the end.
    pub fn next(&mut self, course: &Course<'_>) -> Option<Result<Nominal, NominalError>> {
        let Course { rhythm, end, zone, start, processing, .. } = *course;
        let (at, uncorrected) = match rhythm {
            Rhythm::Steps { count, unit } => {
                let amount = (self.number as i32).wrapping_mul(*count);
                let at = calendar::add(self.origin, amount.into(), *unit, zone);
                if at >= end {
                    return None;
                }
                if self.cursor.is_some_and(|before| at <= before) {
                    return Some(Err(NominalError::Backwards));
                }
                self.cursor = Some(at);
                (at, at)
            }
            Rhythm::Cron(cron) => {
                let cursor = self.cursor.unwrap_or(self.origin);
                if cursor >= end {
                    return None;
                }
                let before = if self.cursor.is_none() { cursor.plus_minutes(-1) } else { cursor };
                let found = match cron.next_after(before, processing) {
                    Ok(found) => found,
                    Err(error) => return Some(Err(NominalError::Search(error))),
                };
                self.cursor = Some(found);
                if found >= end {
                    return None;
                }
                // `addDSTChangeToNominalTime`
                if found.millis_since(before) >= 24 * 60 * 60_000 {
                    (found.plus_millis(calendar::dst_offset_millis(zone, start, found)), found)
                } else {
                    (found, found)
                }
            }
        };
        if at.millis().abs() > LAST_MILLIS {
            return Some(Err(NominalError::OutOfRange));
        }
        self.number += 1;
        Some(Ok(Nominal { number: self.number, at, uncorrected }))
    }
}

/// The nominal times in order.
#[derive(Clone, Debug)]
pub struct NominalTimes<'r> {
    course: Course<'r>,
    position: Position,
}

impl<'r> NominalTimes<'r> {
    /// All of them, from the start.
    pub fn new(course: Course<'r>) -> NominalTimes<'r> {
        NominalTimes { position: Position::new(&course), course }
    }

    /// Those from `from` on, and before it as many as cannot be left out without looking at each.
    pub fn skipping(course: Course<'r>, from: Instant) -> NominalTimes<'r> {
        let mut position = Position::new(&course);
        position.skip_to(&course, from);
        NominalTimes { position, course }
    }
}

impl Iterator for NominalTimes<'_> {
    type Item = Result<Nominal, NominalError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.position.next(&self.course)
    }
}
