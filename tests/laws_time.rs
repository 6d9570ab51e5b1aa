//! Laws of times: they go forward, a window may be split anywhere, what is printed can be read, nothing panics.

use ankus::time::cron::Cron;
use ankus::time::format::{Pattern, date_offset};
use ankus::time::{EndOfDuration, Frequency, Instant, ProcessingZone, Schedule, Unit, Zone, calendar};
use proptest::prelude::*;

const UTC: ProcessingZone = ProcessingZone::UTC;

fn field(low: u8, high: u8) -> impl Strategy<Value = String> {
    prop_oneof![
        3 => Just("*".to_owned()),
        2 => (low..=high).prop_map(|n| n.to_string()),
        2 => (low..=high, low..=high).prop_map(|(a, b)| format!("{a}-{b}")),
        2 => (low..=high, 1..=7u8).prop_map(|(a, step)| format!("{a}/{step}")),
        1 => (1..=7u8).prop_map(|step| format!("*/{step}")),
        1 => (low..=high, low..=high).prop_map(|(a, b)| format!("{a},{b}")),
    ]
}

fn cron() -> impl Strategy<Value = String> {
    let days = prop_oneof![4 => field(1, 31), 1 => Just("L".to_owned()), 1 => Just("15W".to_owned())];
    let weekdays = prop_oneof![2 => Just("?".to_owned()), 1 => Just("MON-FRI".to_owned()), 1 => field(1, 7)];
    (field(0, 59), field(0, 23), days, field(1, 12), weekdays)
        .prop_map(|(minute, hour, day, month, weekday)| format!("{minute} {hour} {day} {month} {weekday}"))
}

/// Whole minutes of the years 1900 to 2100.
fn instant() -> impl Strategy<Value = Instant> {
    (-36_816_480i64..68_374_080).prop_map(|minutes| Instant::from_seconds(minutes * 60))
}

fn zone() -> impl Strategy<Value = Zone> {
    let ids: Vec<&'static str> = Zone::ids().collect();
    prop_oneof![
        proptest::sample::select(ids).prop_map(|id| Zone::parse(id).unwrap()),
        Just(Zone::parse("America/Los_Angeles").unwrap()),
        Just(Zone::parse("GMT+05:30").unwrap()),
    ]
}

fn calendar_schedule() -> impl Strategy<Value = Frequency> {
    let unit = prop_oneof![Just(Unit::Minute), Just(Unit::Day), Just(Unit::Week), Just(Unit::Month)];
    let end = prop_oneof![
        Just(EndOfDuration::None),
        Just(EndOfDuration::EndOfDay),
        Just(EndOfDuration::EndOfWeek),
        Just(EndOfDuration::EndOfMonth),
    ];
    (1..400i32, unit, end).prop_map(|(count, unit, end)| Frequency { count, unit, end })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

    #[test]
    fn cron_goes_forward_and_may_be_split(text in cron(), start in instant(), cut in 1usize..12) {
        let cron = Cron::parse(&text).unwrap();
        let times: Vec<_> = cron.times_from(start, UTC).take(12).map_while(Result::ok).collect();
        prop_assert!(times.iter().all(|at| *at >= start));
        prop_assert!(times.windows(2).all(|pair| pair[0] < pair[1]));
        if let Some(from) = times.get(cut) {
            let again: Vec<_> = cron.times_from(*from, UTC).take(12 - cut).map_while(Result::ok).collect();
            prop_assert_eq!(&times[cut..], &again[..]);
        }
    }

    #[test]
    fn calendar_steps_go_forward(frequency in calendar_schedule(), start in instant(), zone in zone()) {
        let schedule = Schedule::Calendar(frequency);
        let times: Vec<_> = schedule.times(start, zone, UTC).take(30).map_while(Result::ok).collect();
        prop_assert_eq!(times.len(), 30);
        prop_assert!(times.windows(2).all(|pair| pair[0] < pair[1]));
        for (index, at) in times.iter().enumerate() {
            prop_assert_eq!(*at, frequency.nth(frequency.origin(start, zone), index as i64, zone));
        }
    }

    #[test]
    fn printed_datetimes_are_read_again(millis in -60_000_000_000_000i64..4_000_000_000_000_000, offset in -1439i16..1440) {
        let at = Instant::from_seconds(millis.div_euclid(60_000) * 60);
        let sign = if offset < 0 { '-' } else { '+' };
        let minutes = offset.unsigned_abs();
        let id = format!("GMT{sign}{:02}{:02}", minutes / 60, minutes % 60);
        for processing in [UTC, ProcessingZone::parse(&id).unwrap()] {
            let text = processing.format(at);
            prop_assert_eq!(processing.parse_datetime(&text).map(|parsed| parsed.instant), Ok(at), "{}", text);
        }
    }

    #[test]
    fn local_times_lead_back(at in instant(), zone in zone()) {
        let local = zone.local(at);
        let back = zone.instant(local);
        // A time that the clocks show twice is read as the later one.
        prop_assert!(back >= at);
        prop_assert_eq!(zone.local(back), local);
        prop_assert_eq!(calendar::add(at, 0, Unit::Month, zone), at);
    }

    #[test]
    fn any_text_is_judged_in_peace(text in "\\PC{0,40}", other in "[-0-9LW#*/?,A-Za-z \\t~é]{0,40}") {
        for text in [&text, &other] {
            if let Err(error) = Cron::parse(text) {
                prop_assert!(error.offset <= text.len() && text.is_char_boundary(error.offset));
            }
            if let Err(error) = UTC.parse_datetime(text) {
                prop_assert!(error.offset <= text.len() && text.is_char_boundary(error.offset));
            }
            let _ = (Zone::parse(text), ProcessingZone::parse(text), Pattern::parse(text));
        }
    }

    #[test]
    fn suspicions_lie_in_the_text(fields in proptest::collection::vec("[-0-9LW#*/?,A-Z~.!]{1,6}", 5)) {
        let text = fields.join(" ");
        if let Ok(cron) = Cron::parse(&text) {
            prop_assert!(cron.suspicions().iter().all(|one| text.get(one.range.clone()).is_some()));
            let _ = cron.next_after(Instant::EPOCH, UTC);
        }
    }

    #[test]
    fn far_steps_do_not_panic(millis in any::<i64>(), amount in any::<i64>(), count in any::<i32>(), zone in zone()) {
        let at = Instant::from_millis(millis);
        for unit in [Unit::Minute, Unit::Hour, Unit::Day, Unit::Week, Unit::Month, Unit::Year] {
            let moved = calendar::add(at, amount, unit, zone);
            let _ = (UTC.format(moved), zone.wall(moved.millis()), calendar::hours_in_day(moved, zone));
        }
        for end in [EndOfDuration::EndOfDay, EndOfDuration::EndOfWeek, EndOfDuration::EndOfMonth] {
            let _ = calendar::move_to_end(at, end, zone);
        }
        let _ = date_offset("292278993-12-31T00:00Z", count, "YEAR", UTC);
        let _ = Cron::parse("0 0 L * ?").unwrap().next_after(at, UTC);
    }
}
