//! Clock changes of a zone, and dates in words.

use crate::time::civil::Local;
use crate::time::{Instant, Zone};

/// How many dates a finding names.
pub const MAX_DATES: usize = 4;
/// How many clock changes are looked for: those of a century.
const MAX_CHANGES: usize = 200;
/// How many steps are looked ahead for clock changes.
const MAX_STEPS: usize = 8_000;
/// No zone changes its clocks there and back within this time.
const STEP_MILLIS: i64 = 7 * 86_400_000;

/// The clocks of a zone change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// The first instant of the new offset.
    pub at: Instant,
    /// Local time less UTC before, in milliseconds.
    pub before: i64,
    /// Local time less UTC from then on.
    pub after: i64,
}

/// The clock changes of a zone after `from` and before `to`, the first few of them.
pub fn changes(zone: Zone, from: Instant, to: Instant) -> Vec<Change> {
    let mut found = Vec::new();
    let mut at = from;
    for _ in 0..MAX_STEPS {
        if at >= to || found.len() == MAX_CHANGES {
            break;
        }
        let next = at.plus_millis(STEP_MILLIS).min(to);
        let (before, after) = (zone.offset_millis(at), zone.offset_millis(next));
        if before != after {
            let (mut low, mut high) = (at, next);
            while high.millis_since(low) > 1 {
                let middle = low.plus_millis(high.millis_since(low) / 2);
                if zone.offset_millis(middle) == before { low = middle } else { high = middle }
            }
            if high < to {
                found.push(Change { at: high, before, after });
            }
        }
        at = next;
    }
    found
}

/// `2024-03-10`
pub fn day(local: Local) -> String {
    format!("{:04}-{:02}-{:02}", local.date.year, local.date.month, local.date.day)
}

/// `02:30`
pub fn time(local: Local) -> String {
    format!("{:02}:{:02}", local.hour, local.minute)
}

/// `2024-03-10 02:30`
pub fn day_and_time(local: Local) -> String {
    format!("{} {}", day(local), time(local))
}

/// The first [`MAX_DATES`] of some dates, and how many more there are.
pub fn list(dates: &[String]) -> String {
    let shown = dates.len().min(MAX_DATES);
    match dates.len() - shown {
        0 => dates.join(", "),
        more => format!("{} and {more} more", dates[..shown].join(", ")),
    }
}

/// `1,440`
pub fn grouped(number: i64) -> String {
    let digits = number.unsigned_abs().to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    if number < 0 { format!("-{text}") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::ProcessingZone;

    #[test]
    fn changes_are_found_to_the_minute() {
        let at = |text: &str| ProcessingZone::UTC.parse_datetime(text).expect("a datetime").instant;
        let zone = Zone::parse("America/New_York").expect("a zone");
        let found = changes(zone, at("2024-01-01T00:00Z"), at("2025-01-01T00:00Z"));
        let expected = [(at("2024-03-10T07:00Z"), -5, -4), (at("2024-11-03T06:00Z"), -4, -5)];
        let found: Vec<_> = found.iter().map(|c| (c.at, c.before / 3_600_000, c.after / 3_600_000)).collect();
        assert_eq!(found, expected);
        assert_eq!(changes(zone, at("2024-01-01T00:00Z"), at("2024-03-10T07:00Z")), []);
        assert!(changes(Zone::utc(), at("2024-01-01T00:00Z"), at("9999-01-01T00:00Z")).is_empty());
        assert_eq!(changes(zone, at("2024-01-01T00:00Z"), at("2024-01-01T00:00Z")), []);
    }

    #[test]
    fn changes_of_a_century_are_found() {
        let at = |text: &str| ProcessingZone::UTC.parse_datetime(text).expect("a datetime").instant;
        let zone = Zone::parse("America/New_York").expect("a zone");
        let found = changes(zone, at("1900-01-01T00:00Z"), at("2100-01-01T00:00Z"));
        assert_eq!(found.len(), MAX_CHANGES);
        let ends = [found[0].at, found[1].at, found[MAX_CHANGES - 1].at];
        assert_eq!(ends, ["1918-03-31T07:00Z", "1918-10-27T06:00Z", "2020-11-01T06:00Z"].map(at));
    }

    #[test]
    fn numbers_are_grouped() {
        assert_eq!([7, 1440, -86_400, 1_000_000].map(grouped), ["7", "1,440", "-86,400", "1,000,000"]);
        assert_eq!([0, -1, 10, 999, -100_000].map(grouped), ["0", "-1", "10", "999", "-100,000"]);
        assert_eq!(grouped(i64::MIN), "-9,223,372,036,854,775,808");
    }

    #[test]
    fn lists_of_dates_say_how_many_they_leave_out() {
        let dates: Vec<String> = (1..=MAX_DATES + 2).map(|day| format!("2024-01-{day:02}")).collect();
        assert_eq!(list(&dates[..1]), "2024-01-01");
        assert_eq!(list(&dates[..2]), "2024-01-01, 2024-01-02");
        assert_eq!(list(&dates[..MAX_DATES]), dates[..MAX_DATES].join(", "));
        assert_eq!(list(&dates), format!("{} and 2 more", dates[..MAX_DATES].join(", ")));
    }

    #[test]
    fn wall_times_are_written() {
        let local =
            Zone::utc().local(ProcessingZone::UTC.parse_datetime("0987-03-04T05:06Z").unwrap().instant);
        assert_eq!((day(local), time(local)), ("0987-03-04".to_owned(), "05:06".to_owned()));
        assert_eq!(day_and_time(local), "0987-03-04 05:06");
    }
}
