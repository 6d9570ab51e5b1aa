//! Cron expressions of five fields as Oozie evaluates them with Quartz 2.3.2.
//!
//! Seconds are always zero; there is no field for them nor for years. Nothing here reads a clock: how far a search goes
//! is an argument.

mod field;
mod parse;
mod quartz;

use std::ops::Range;

use super::datetime::ProcessingZone;
use super::instant::Instant;
use quartz::Quartz;

/// The year in which a server's search is taken to run; it gives up [`SEARCH_YEARS`] later.
///
/// Quartz takes the year of the clock. Here it is fixed, so that the same input gives the same answer in every year; it
/// is also the year in which the recorded answers were made.
pub const SEARCH_FROM_YEAR: i32 = 2026;
/// How many years a search looks ahead of the year it runs in (Quartz's `MAX_YEAR`).
pub const SEARCH_YEARS: i32 = 100;

/// The slug of an expression that cannot be read.
pub const INVALID_RULE: &str = "cron-invalid";
/// The slug of an expression without five fields.
pub const COUNT_RULE: &str = "cron-field-count";
/// The slug of an expression that never fires, or whose search never ends or crashes.
pub const NEVER_RULE: &str = "cron-never-fires";

/// An expression that a server refuses at submission.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct CronError {
    /// [`INVALID_RULE`] or [`COUNT_RULE`].
    pub rule: &'static str,
    /// What is wrong: lower case, one line.
    pub message: String,
    /// The byte at which it goes wrong.
    pub offset: usize,
}

/// A piece of an accepted expression that surely does not mean what it says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suspicion {
    /// Its bytes.
    pub range: Range<usize>,
    /// What is odd, and how it is read: lower case, one line.
    pub message: String,
}

/// Why there is no next time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SearchError {
    /// The search reaches its last year.
    #[error("the expression never fires again")]
    Exhausted,
    /// A server's search never returns (`0W`).
    #[error("the search for the next time never ends on a server")]
    Hang,
    /// A server's search fails with a bare exception: a field is empty (`,` or `L` alone), or one half of a union
    /// never fires.
    #[error("the search for the next time crashes on a server ({exception})")]
    Crash {
        /// The simple name of the exception.
        exception: &'static str,
    },
}

impl SearchError {
    const NO_ELEMENT: SearchError = SearchError::Crash { exception: "NoSuchElementException" };
    const NULL: SearchError = SearchError::Crash { exception: "NullPointerException" };
}

/// A parsed expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cron {
    /// One expression, or two of which the earlier time counts: by days of the week, by days of the month.
    halves: Vec<Quartz>,
    suspicions: Vec<Suspicion>,
    fields: [Range<usize>; 5],
}

impl Cron {
    /// Reads an expression as `ParamChecker.checkFrequency` and `CronExpression` do.
    pub fn parse(text: &str) -> Result<Cron, CronError> {
        let parse::Parsed { halves, suspicions, fields } = parse::parse(text)?;
        Ok(Cron { halves, suspicions, fields })
    }

    /// What is accepted and cut in silence, in order.
    pub fn suspicions(&self) -> &[Suspicion] {
        &self.suspicions
    }

    /// The bytes of the five fields: minutes, hours, days of the month, months, days of the week.
    pub fn fields(&self) -> &[Range<usize>; 5] {
        &self.fields
    }

    /// The first time after `at`, counted in the processing timezone
    /// (`CoordCommandUtils.getNextValidActionTimeForCronFrequency`).
    pub fn next_after(&self, at: Instant, processing: ProcessingZone) -> Result<Instant, SearchError> {
        self.next_until(at, processing, SEARCH_FROM_YEAR + SEARCH_YEARS)
    }

    /// As [`Cron::next_after`]; the search gives up after `last_year`.
    pub fn next_until(
        &self,
        at: Instant,
        processing: ProcessingZone,
        last_year: i32,
    ) -> Result<Instant, SearchError> {
        let offset = i64::from(processing.offset_minutes());
        // Quartz begins a second later, and seconds are zero.
        let second = at.seconds().clamp(FIRST_SECOND, LAST_SECOND) + 1;
        let after = -(-second).div_euclid(60) - 1 + offset;
        let next = |half: &Quartz| half.next_after(after, i64::from(last_year));
        let minutes = match self.halves.as_slice() {
            [only] => next(only)?,
            halves => {
                let mut earliest = i64::MAX;
                for half in halves {
                    let found = next(half).map_err(|error| match error {
                        SearchError::Exhausted => SearchError::NULL,
                        other => other,
                    })?;
                    earliest = earliest.min(found);
                }
                earliest
            }
        };
        Ok(Instant::from_seconds((minutes - offset) * 60))
    }

    /// The times from `start` on, `start` itself included if it fits; ends with the first error.
    pub fn times_from(
        &self,
        start: Instant,
        processing: ProcessingZone,
    ) -> impl Iterator<Item = Result<Instant, SearchError>> + '_ {
        let mut at = Some(start.plus_millis(-1));
        std::iter::from_fn(move || {
            let next = self.next_after(at?, processing);
            at = next.ok();
            Some(next)
        })
    }
}

/// Searches start in the year 1 at the earliest.
const FIRST_SECOND: i64 = -62_135_596_800 - 2 * 86_400;
/// Searches start in the year 3000 at the latest, where all of them end.
const LAST_SECOND: i64 = 32_503_680_000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_point_at_what_is_wrong() {
        let check = |text: &str, rule: &str, offset: usize| {
            let error = Cron::parse(text).expect_err(text);
            assert_eq!((error.rule, error.offset), (rule, offset), "{text}: {error}");
        };
        check("", COUNT_RULE, 0);
        check("0 0 * *", COUNT_RULE, 7);
        check("0 0 * * * 2024", COUNT_RULE, 10);
        check("0  0 * * *", COUNT_RULE, 2);
        check(" 0 0 * * *", COUNT_RULE, 0);
        check("0 24 * * *", INVALID_RULE, 2);
        check("0 0 * FEB-X *", INVALID_RULE, 10);
        check("0 0 * FOO *", INVALID_RULE, 6);
        check("0 0 1,5-,6 * ?", INVALID_RULE, 8);
        check("0 0 10,L * ?", INVALID_RULE, 7);
        check("0 0 ? * ?", INVALID_RULE, 8);
        check("0 0 ? * 2#6", INVALID_RULE, 9);
        check("*/60 * * * *", INVALID_RULE, 2);
        check("0 0 L-31 * ?", INVALID_RULE, 5);
        check("é * * * *", INVALID_RULE, 0);
    }

    #[test]
    fn only_so_long_an_expression_is_read() {
        let minutes = |length: usize| {
            let list = vec!["0"; (length - 7) / 2].join(",");
            format!("{list}{} 0 * * *", "0".repeat(length - 8 - list.len()))
        };
        assert_eq!(minutes(parse::MAX_LENGTH).len(), parse::MAX_LENGTH);
        assert!(Cron::parse(&minutes(parse::MAX_LENGTH)).is_ok());
        let error = Cron::parse(&minutes(parse::MAX_LENGTH + 1)).expect_err("too long");
        assert_eq!((error.rule, error.offset), (INVALID_RULE, 0));
    }

    #[test]
    fn what_is_cut_in_silence_is_told() {
        let check = |text: &str, pieces: &[&str]| {
            let cron = Cron::parse(text).expect(text);
            let found: Vec<&str> = cron.suspicions().iter().map(|one| &text[one.range.clone()]).collect();
            assert_eq!(found, pieces, "{text}: {:?}", cron.suspicions());
        };
        check("0 10 * * MON-FRI", &[]);
        check("*/15 0-5/2 1,15 * ?", &[]);
        check("5~7 * * * *", &["~7"]);
        check("1..5,1.5 37! * * ?".replace("37!", "3!").as_str(), &["..5", ".5", "!"]);
        check("*5 ** * * *", &["5", "*"]);
        check("*/-5 * * * *", &["-5"]);
        check("1,,2 * * * *", &["1,,2"]);
        check("0 0 ? SEPT mon", &["T"]);
        check("0 22-2 * NOV-FEB *", &["22-2", "NOV-FEB"]);
        check("0 0 15W,16 * ?", &["W"]);
        check("0 0 ? 7/6 *", &["7/6"]);
        check("0 0 ? * 2-4#2", &["#2"]);
        check("0 0 ? * FRI-MON#2", &["FRI-MON#2", "#2"]);
        check("0 0 ? * MON#1,FRI", &["#1"]);
        check("0 0 ? * L-2", &["L-2"]);
        check("0 0 ? * 8#1", &["8"]);
        check("0 0 1-5W * ?", &["W"]);
        check("0 0 ? * 1-5", &["1-5"]);
        check("0 0 0W * ?", &["0"]);
    }

    #[test]
    fn searches_that_a_server_does_not_survive_have_their_own_errors() {
        let check = |text: &str, expected: SearchError| {
            let cron = Cron::parse(text).expect(text);
            assert_eq!(cron.next_after(Instant::EPOCH, ProcessingZone::UTC), Err(expected), "{text}");
        };
        check("0 0 30 2 ?", SearchError::Exhausted);
        check("0 0 30 2 MON", SearchError::Crash { exception: "NullPointerException" });
        check("L * * * ?", SearchError::Crash { exception: "NoSuchElementException" });
        check("0 , * * ?", SearchError::Crash { exception: "NoSuchElementException" });
        check("0 0 0W * ?", SearchError::Hang);
    }

    #[test]
    fn expressions_run_in_the_processing_zone() {
        let india = ProcessingZone::parse("GMT+0530").expect("a zone");
        let cron = Cron::parse("0 10 * * *").expect("an expression");
        let next = cron.next_after(Instant::EPOCH, india).expect("a time");
        assert_eq!(india.format(next), "1970-01-01T10:00+0530");
        assert_eq!(cron.next_until(Instant::EPOCH, india, 1969), Err(SearchError::Exhausted));
    }
}
