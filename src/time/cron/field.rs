//! The fields of an expression and the values that each may have.

/// Years past this are not kept; no search goes so far.
pub(super) const LAST_YEAR: i64 = 3000;

/// What a field says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Minute,
    Hour,
    Day,
    Month,
    Weekday,
    Year,
}

pub(super) const KINDS: [Kind; 6] =
    [Kind::Minute, Kind::Hour, Kind::Day, Kind::Month, Kind::Weekday, Kind::Year];
pub(super) const MONTHS: [&str; 12] =
    ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];
pub(super) const WEEKDAYS: [&str; 7] = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"];

impl Kind {
    /// What a message calls it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Kind::Minute => "minutes",
            Kind::Hour => "hours",
            Kind::Day => "days of the month",
            Kind::Month => "months",
            Kind::Weekday => "days of the week",
            Kind::Year => "years",
        }
    }

    /// The least value.
    pub(super) fn low(self) -> i64 {
        match self {
            Kind::Minute | Kind::Hour => 0,
            Kind::Day | Kind::Month | Kind::Weekday => 1,
            Kind::Year => 1970,
        }
    }

    /// The greatest value.
    pub(super) fn high(self) -> i64 {
        match self {
            Kind::Minute => 59,
            Kind::Hour => 23,
            Kind::Day => 31,
            Kind::Month => 12,
            Kind::Weekday => 7,
            Kind::Year => LAST_YEAR,
        }
    }

    /// How many values there are, for ranges that go round.
    pub(super) fn size(self) -> i64 {
        self.high() - self.low() + 1
    }

    /// What may stand there, for messages.
    pub(super) fn allowed(self) -> String {
        let (low, high) = (self.low(), self.high());
        match self {
            Kind::Day => format!("{low} to {high}, `L`, `L-n`, `LW`, `nW`, `?`, `*`"),
            Kind::Month => format!("{low} to {high}, `JAN` to `DEC`, `*`"),
            Kind::Weekday => format!("{low} (Sunday) to {high}, `SUN` to `SAT`, `nL`, `n#k`, `?`, `*`"),
            _ => format!("{low} to {high}, `*`"),
        }
    }
}
