//! Cron expressions of five fields as Oozie evaluates them with Quartz 2.3.2.
//!
//! Seconds are always zero; there is no field for them nor for years. Nothing here reads a clock: how far a search goes
//! is an argument.

use std::ops::Range;

use super::instant::Instant;
use super::zone::Zone;

/// The year in which a server's search is taken to start; it gives up [`SEARCH_YEARS`] later.
///
/// Quartz takes the year of the clock. Here it is fixed, so that the same input gives the same answer in every year.
pub const SEARCH_FROM_YEAR: i32 = 2026;
/// How many years a search looks ahead of the year it runs in (Quartz's `MAX_YEAR`).
pub const SEARCH_YEARS: i32 = 100;

/// An expression that a server refuses at submission.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct CronError {
    /// `cron-invalid` or `cron-field-count`.
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
    /// A server's search fails with a bare exception (`,` alone; one half of a union that never fires).
    #[error("the search for the next time crashes on a server")]
    Crash,
}

/// A parsed expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cron {
    suspicions: Vec<Suspicion>,
}

impl Cron {
    /// Reads an expression as `ParamChecker.checkFrequency` and `CronExpression` do.
    pub fn parse(text: &str) -> Result<Cron, CronError> {
        let _ = text;
        Ok(Cron { suspicions: Vec::new() })
    }

    /// What is accepted and cut in silence.
    pub fn suspicions(&self) -> &[Suspicion] {
        &self.suspicions
    }

    /// The first time after `at`, in the processing timezone's `zone`; the search ends with [`SEARCH_FROM_YEAR`] and
    /// [`SEARCH_YEARS`].
    pub fn next_after(&self, at: Instant, zone: Zone) -> Result<Instant, SearchError> {
        let _ = (at, zone);
        Err(SearchError::Exhausted)
    }
}
