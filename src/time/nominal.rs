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

#[cfg(test)]
mod tests {
    use super::*;

    const UTC: ProcessingZone = ProcessingZone::UTC;

    fn at(text: &str) -> Instant {
        UTC.parse_datetime(text).unwrap().instant
    }

    fn steps(count: i32, unit: Unit) -> Rhythm {
        Rhythm::Steps { count, unit }
    }

    fn course<'r>(rhythm: &'r Rhythm, start: &str, end: &str, zone: &str) -> Course<'r> {
        let (start, end) = (at(start), at(end));
        let zone = Zone::parse(zone).unwrap();
        Course { rhythm, end_of_duration: EndOfDuration::None, start, end, zone, processing: UTC }
    }

    fn texts(times: NominalTimes<'_>) -> Vec<String> {
        times.map(|found| UTC.format(found.unwrap().at)).collect()
    }

    #[test]
    fn steps_are_counted_from_the_start() {
        let monthly = steps(1, Unit::Month);
        let course = course(&monthly, "2024-01-31T00:00Z", "2024-05-01T00:00Z", "UTC");
        let expected = ["2024-01-31T00:00Z", "2024-02-29T00:00Z", "2024-03-31T00:00Z", "2024-04-30T00:00Z"];
        assert_eq!(texts(NominalTimes::new(course)), expected);
        let numbers: Vec<_> = NominalTimes::new(course).map(|found| found.unwrap().number).collect();
        assert_eq!(numbers, [1, 2, 3, 4]);
        // The end is no nominal time.
        let ends = Course { end: at("2024-04-30T00:00Z"), ..course };
        assert_eq!(texts(NominalTimes::new(ends)), expected[..3]);
    }

    #[test]
    fn days_keep_the_wall_time_of_the_zone() {
        let daily = steps(1, Unit::Day);
        let paris = course(&daily, "2024-03-30T01:00Z", "2024-04-02T00:00Z", "Europe/Paris");
        assert_eq!(
            texts(NominalTimes::new(paris)),
            ["2024-03-30T01:00Z", "2024-03-31T00:00Z", "2024-04-01T00:00Z"]
        );
    }

    #[test]
    fn the_first_time_moves_to_the_end_of_its_period() {
        let daily = steps(1, Unit::Day);
        let course = Course {
            end_of_duration: EndOfDuration::EndOfDay,
            ..course(&daily, "2024-01-01T07:30Z", "2024-01-03T12:00Z", "UTC")
        };
        assert_eq!(texts(NominalTimes::new(course)), ["2024-01-02T00:00Z", "2024-01-03T00:00Z"]);
    }

    #[test]
    fn behind_a_number_stands_the_next() {
        let cron = Rhythm::Cron(Cron::parse("0 6 * * *").unwrap());
        for rhythm in [steps(7, Unit::Minute), steps(3, Unit::Day), steps(1, Unit::Month), cron] {
            let course = course(&rhythm, "2024-01-31T05:00Z", "2025-01-01T00:00Z", "Europe/Paris");
            let all: Vec<_> = NominalTimes::new(course).take(9).map(Result::unwrap).collect();
            for number in 0..8 {
                let mut position = Position::after(&course, number);
                assert_eq!(position.number(), number, "{rhythm:?}");
                assert_eq!(position.next(&course), Some(Ok(all[number as usize])), "{rhythm:?}");
            }
            // A course that is over still has a place behind each number.
            let over = Course { end: course.start, ..course };
            let mut position = Position::after(&over, 3);
            assert_eq!((position.number(), position.next(&over)), (3, None), "{rhythm:?}");
        }
    }

    #[test]
    fn skipping_leaves_out_nothing_that_is_wanted() {
        let rhythms =
            [steps(1, Unit::Minute), steps(7, Unit::Minute), steps(60, Unit::Minute), steps(2, Unit::Day)];
        for rhythm in rhythms {
            let course = course(&rhythm, "2024-01-01T00:00Z", "2024-01-03T00:00Z", "UTC");
            for minutes in [-5, 0, 1, 6, 7, 8, 13, 14, 15, 59, 60, 61, 120, 1439, 1440, 2000] {
                let from = course.start.plus_minutes(minutes);
                let wanted = |times: NominalTimes<'_>| -> Vec<Nominal> {
                    times.map(Result::unwrap).filter(|found| found.at >= from).collect()
                };
                let found = wanted(NominalTimes::skipping(course, from));
                assert_eq!(found, wanted(NominalTimes::new(course)), "{rhythm:?} from {minutes}");
            }
        }
    }

    #[test]
    fn minutes_that_are_not_wanted_are_not_walked() {
        let rhythm = steps(5, Unit::Minute);
        let course = course(&rhythm, "2024-01-01T00:00Z", "2034-01-01T00:00Z", "UTC");
        let mut times = NominalTimes::skipping(course, at("2033-12-31T23:51Z"));
        let first = times.next().unwrap().unwrap();
        // At most one lies before.
        assert!(first.at >= at("2033-12-31T23:45Z"), "{}", UTC.format(first.at));
        let count = 10 * 365 * 288 + 3 * 288;
        assert_eq!(times.last().unwrap().unwrap().number, count);
        // Once one has begun, nothing is left out.
        let mut position = Position::new(&course);
        position.next(&course);
        position.skip_to(&course, at("2024-01-02T00:00Z"));
        assert_eq!(position.number(), 1);
    }

    #[test]
    fn a_count_that_wraps_is_told() {
        let rhythm = steps(i32::MAX, Unit::Minute);
        let course = course(&rhythm, "2024-01-01T00:00Z", "9999-01-01T00:00Z", "UTC");
        let times: Vec<_> = NominalTimes::new(course).take(3).collect();
        assert_eq!(times[1].map(|found| found.number), Ok(2));
        assert_eq!(times[2], Err(NominalError::Backwards));
        let standing = steps(0, Unit::Day);
        let course = Course { rhythm: &standing, ..course };
        assert_eq!(NominalTimes::new(course).nth(1), Some(Err(NominalError::Backwards)));
    }

    #[test]
    fn a_cron_that_rests_for_a_day_follows_daylight_saving() {
        let daily = Rhythm::Cron(Cron::parse("0 6 * * *").unwrap());
        let paris = course(&daily, "2024-03-30T06:00Z", "2024-04-01T07:00Z", "Europe/Paris");
        let found: Vec<_> = NominalTimes::new(paris).map(Result::unwrap).collect();
        let pairs: Vec<_> = found.iter().map(|it| (UTC.format(it.at), UTC.format(it.uncorrected))).collect();
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        assert_eq!(
            pairs,
            [
                pair("2024-03-30T06:00Z", "2024-03-30T06:00Z"),
                pair("2024-03-31T05:00Z", "2024-03-31T06:00Z"),
                pair("2024-04-01T05:00Z", "2024-04-01T06:00Z"),
            ]
        );
        // One that goes more often keeps its own times.
        let often = Rhythm::Cron(Cron::parse("0 6,18 * * *").unwrap());
        let paris = Course { rhythm: &often, ..paris };
        let found: Vec<_> = NominalTimes::new(paris).map(Result::unwrap).collect();
        assert!(found.len() == 5 && found.iter().all(|it| it.at == it.uncorrected), "{found:?}");
        // The end counts for the cron's own time.
        let ends = Course { rhythm: &daily, end: at("2024-04-01T06:00Z"), ..paris };
        assert_eq!(NominalTimes::new(ends).count(), 2);
    }

    #[test]
    fn a_cron_without_a_next_time_is_told() {
        let never = Rhythm::Cron(Cron::parse("0 0 30 2 ?").unwrap());
        let course = course(&never, "2024-01-01T00:00Z", "2025-01-01T00:00Z", "UTC");
        assert!(matches!(NominalTimes::new(course).next(), Some(Err(NominalError::Search(_)))));
    }
}
