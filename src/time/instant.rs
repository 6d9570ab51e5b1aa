//! A point in time; never reads a clock.

use serde::{Deserialize, Serialize};

/// Milliseconds since 1970-01-01T00:00Z, as `java.util.Date` counts them.
///
/// Arithmetic wraps as Java's `long` does, so that no input can panic.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Instant(i64);

/// Milliseconds of a minute.
pub(super) const MINUTE_MILLIS: i64 = 60_000;
/// Milliseconds of a day of 24 hours.
pub(super) const DAY_MILLIS: i64 = 86_400_000;

impl Instant {
    /// 1970-01-01T00:00Z.
    pub const EPOCH: Instant = Instant(0);

    /// The instant so many milliseconds after 1970-01-01T00:00Z.
    pub const fn from_millis(millis: i64) -> Instant {
        Instant(millis)
    }

    /// The instant so many seconds after 1970-01-01T00:00Z.
    pub const fn from_seconds(seconds: i64) -> Instant {
        Instant(seconds.wrapping_mul(1000))
    }

    /// Milliseconds since 1970-01-01T00:00Z.
    pub const fn millis(self) -> i64 {
        self.0
    }

    /// Whole seconds since 1970-01-01T00:00Z, rounded down.
    pub const fn seconds(self) -> i64 {
        self.0.div_euclid(1000)
    }

    /// Whole minutes since 1970-01-01T00:00Z, rounded down.
    pub const fn minutes(self) -> i64 {
        self.0.div_euclid(MINUTE_MILLIS)
    }

    /// This instant and so many milliseconds.
    pub const fn plus_millis(self, millis: i64) -> Instant {
        Instant(self.0.wrapping_add(millis))
    }

    /// This instant and so many minutes of 60 seconds.
    pub const fn plus_minutes(self, minutes: i64) -> Instant {
        Instant(self.0.wrapping_add(minutes.wrapping_mul(MINUTE_MILLIS)))
    }

    /// Milliseconds from `earlier` to this.
    pub const fn millis_since(self, earlier: Instant) -> i64 {
        self.0.wrapping_sub(earlier.0)
    }
}
