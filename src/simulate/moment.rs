//! How times and durations are shown: to the minute where that says all, else to the second.

use std::fmt::Write;

use crate::time::{Instant, ProcessingZone};

/// Writes a time in the zone's form, with seconds when there are any.
pub fn write(at: Instant, zone: ProcessingZone, out: &mut String) {
    let start = out.len();
    zone.write(at, out);
    let seconds = at.seconds().rem_euclid(60);
    if seconds != 0 {
        let end = out.len() - zone.suffix().len();
        debug_assert!(end > start);
        out.insert_str(end, &format!(":{seconds:02}"));
    }
}

/// As [`write()`], as a text of its own.
pub fn shown(at: Instant, zone: ProcessingZone) -> String {
    let mut out = String::with_capacity(24);
    write(at, zone, &mut out);
    out
}

/// A time in the zone's form, to the second.
pub fn to_the_second(at: Instant, zone: ProcessingZone) -> String {
    let mut out = String::with_capacity(24);
    zone.write(at, &mut out);
    let end = out.len() - zone.suffix().len();
    out.insert_str(end, &format!(":{:02}", at.seconds().rem_euclid(60)));
    out
}

/// A duration in words as short as they can be: `2 d 3 h`, `45 min`, `0 s`.
pub fn duration(millis: i64) -> String {
    let seconds = millis.max(0) / 1000;
    let parts = [
        (seconds / 86_400, "d"),
        (seconds / 3600 % 24, "h"),
        (seconds / 60 % 60, "min"),
        (seconds % 60, "s"),
    ];
    let mut out = String::new();
    for (number, unit) in parts.into_iter().skip_while(|(number, _)| *number == 0).take(2) {
        if number > 0 {
            let gap = if out.is_empty() { "" } else { " " };
            let _ = write!(out, "{gap}{number} {unit}");
        }
    }
    if out.is_empty() { "0 s".to_owned() } else { out }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_durations_are_short() {
        let zone = ProcessingZone::parse("GMT+0530").unwrap();
        let at = Instant::from_seconds(1_704_067_200);
        assert_eq!(shown(at, ProcessingZone::UTC), "2024-01-01T00:00Z");
        assert_eq!(shown(at.plus_millis(61_001), zone), "2024-01-01T05:31:01+0530");
        let cases = [
            (0, "0 s"),
            (61_000, "1 min 1 s"),
            (7_200_000, "2 h"),
            (90_061_000, "1 d 1 h"),
            (86_460_000, "1 d"),
        ];
        for (millis, words) in cases {
            assert_eq!(duration(millis), words);
        }
    }
}
