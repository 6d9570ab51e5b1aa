//! When constraints are met, as far as the clock decides it.

use crate::model::schedule::Window;
use crate::time::{Instant, ProcessingZone, Zone};

const MINUTE_MILLIS: i64 = 60_000;
const DAY_MILLIS: i64 = 24 * 60 * MINUTE_MILLIS;

/// Whether the clock of the window's zone shows a time within it.
pub fn is_within(window: &Window, at: Instant, processing: ProcessingZone) -> bool {
    let zone = window.zone.unwrap_or_else(|| processing.zone());
    let minute = zone.local(at).millis_of_day().div_euclid(MINUTE_MILLIS);
    u16::try_from(minute).is_ok_and(|minute| window.contains(minute))
}

/// The next time at which the window starts, after `at`.
pub fn next_start(window: &Window, at: Instant, processing: ProcessingZone) -> Instant {
    let zone = window.zone.unwrap_or_else(|| processing.zone());
    let local = zone.local(at);
    let midnight = local.local_millis() - local.millis_of_day();
    // A clock that is put forward may pass over the start of one day; it is within the window right behind it.
    (0..3)
        .map(|day| start_of(window, zone, midnight + day * DAY_MILLIS))
        .find(|start| *start > at)
        .unwrap_or_else(|| at.plus_millis(DAY_MILLIS))
}

fn start_of(window: &Window, zone: Zone, midnight: i64) -> Instant {
    zone.instant_of_wall(midnight + i64::from(window.start_minute) * MINUTE_MILLIS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_follow_the_clock_of_their_zone() {
        let utc = ProcessingZone::UTC;
        let at = |text: &str| utc.parse_datetime(text).expect("a datetime").instant;
        let window = |start: &str, end: &str, zone: &str| Window {
            start_minute: Window::minute(start).expect("a time"),
            end_minute: Window::minute(end).expect("a time"),
            zone: (!zone.is_empty()).then(|| Zone::parse(zone).expect("a zone")),
        };
        let night = window("22:00", "06:00", "");
        assert!(is_within(&night, at("2024-01-01T23:00Z"), utc));
        assert!(is_within(&night, at("2024-01-01T05:59Z"), utc));
        assert!(!is_within(&night, at("2024-01-01T06:00Z"), utc));
        assert_eq!(next_start(&night, at("2024-01-01T21:50Z"), utc), at("2024-01-01T22:00Z"));
        assert_eq!(next_start(&night, at("2024-01-01T22:00Z"), utc), at("2024-01-02T22:00Z"));
        let york = window("22:00", "23:00", "America/New_York");
        assert_eq!(next_start(&york, at("2024-03-09T12:00Z"), utc), at("2024-03-10T03:00Z"));
        assert_eq!(next_start(&york, at("2024-03-10T12:00Z"), utc), at("2024-03-11T02:00Z"));
        // 02:30 does not exist on 10 March: the clock goes from 02:00 to 03:00.
        let gap = window("02:30", "04:00", "America/New_York");
        let start = next_start(&gap, at("2024-03-10T06:00Z"), utc);
        assert!(is_within(&gap, start, utc), "{start:?}");
    }
}
