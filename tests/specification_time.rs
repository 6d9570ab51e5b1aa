//! The tables and examples of the coordinator specification about time (sections 4, 6.6.3, 6.6.4, 6.9.1 to 6.9.4, 7).
//!
//! Where the specification slips, the row says what it prints and the test holds to the server's behaviour.

use ankus::time::cron::{Cron, SearchError};
use ankus::time::format::{date_offset, date_tz_offset, epoch_time, format_time};
use ankus::time::{EndOfDuration, Frequency, Instant, ProcessingZone, Unit, Zone, calendar};

const UTC: ProcessingZone = ProcessingZone::UTC;
const LA: &str = "America/Los_Angeles";
const NO: EndOfDuration = EndOfDuration::None;

fn at(text: &str) -> Instant {
    UTC.parse_datetime(text).expect("a datetime").instant
}

fn zone(id: &str) -> Zone {
    Zone::parse(id).expect("a zone")
}

/// Section 4.1: the same instant in two processing timezones; the end of a day.
#[test]
fn datetimes_of_section_4_1() {
    let india = ProcessingZone::parse("GMT+0530").unwrap();
    let instant = at("2012-08-12T00:00Z");
    assert_eq!(india.format(instant), "2012-08-12T05:30+0530");
    assert_eq!(india.parse_datetime("2012-08-12T05:30+0530").unwrap().instant, instant);
    assert_eq!(UTC.format(at("2009-08-10T13:10Z")), "2009-08-10T13:10Z");
    let end_of_day = UTC.parse_datetime("2009-08-10T24:00Z").unwrap();
    assert!(end_of_day.end_of_day);
    assert_eq!(UTC.format(end_of_day.instant), "2009-08-11T00:00Z");
    // The page writes the pattern as `YYYY-MM-DDTHH:mmGMT(+/-)####` beside the example `2009-08-10T13:10+0530`: a slip.
    assert!(india.parse_datetime("2009-08-10T13:10GMT+0530").is_err());
}

#[test]
fn zones_of_section_4_2() {
    assert_eq!(Zone::parse("GMT+05:30"), Zone::parse("GMT+0530"));
    assert!(Zone::ids().count() > 600);
    assert!(Zone::ids().any(|id| id == LA));
}

/// Sections 4.4.1 and 4.4.2: start, zone, count, unit, end; the minutes to the next occurrence, and the first one.
#[test]
fn frequencies_of_section_4_4() {
    use EndOfDuration::{EndOfDay, EndOfMonth};
    use Unit::{Day, Month};
    let rows = [
        ("2009-01-01T08:00Z", "UTC", 1, Day, NO, 1440, "2009-01-01T08:00Z"),
        ("2009-01-01T08:00Z", LA, 1, Day, NO, 1440, "2009-01-01T08:00Z"),
        ("2009-01-01T08:00Z", LA, 2, Day, NO, 2880, "2009-01-01T08:00Z"),
        ("2009-03-08T08:00Z", "UTC", 1, Day, NO, 1440, "2009-03-08T08:00Z"),
        ("2009-03-08T08:00Z", "Europe/London", 1, Day, NO, 1440, "2009-03-08T08:00Z"),
        ("2009-03-08T08:00Z", LA, 1, Day, NO, 1380, "2009-03-08T08:00Z"),
        ("2009-03-08T08:00Z", "UTC", 2, Day, NO, 2880, "2009-03-08T08:00Z"),
        ("2009-03-08T08:00Z", LA, 2, Day, NO, 2820, "2009-03-08T08:00Z"),
        // Slip: 2009-03-09T07:00Z is printed as the first occurrence; the first one is always the start.
        ("2009-03-09T08:00Z", LA, 1, Day, NO, 1440, "2009-03-09T08:00Z"),
        ("2009-01-01T08:00Z", "UTC", 1, Day, EndOfDay, 1440, "2009-01-02T00:00Z"),
        ("2009-01-01T08:00Z", LA, 1, Day, EndOfDay, 1440, "2009-01-02T08:00Z"),
        ("2009-01-01T08:01Z", LA, 1, Day, EndOfDay, 1440, "2009-01-02T08:00Z"),
        ("2009-01-01T18:00Z", LA, 1, Day, EndOfDay, 1440, "2009-01-02T08:00Z"),
        ("2009-03-07T09:00Z", LA, 1, Day, EndOfDay, 1380, "2009-03-08T08:00Z"),
        // Slip: 1440 is printed, but it is the same day of 23 hours as in the row above.
        ("2009-03-08T07:00Z", LA, 1, Day, EndOfDay, 1380, "2009-03-08T08:00Z"),
        ("2009-03-09T07:00Z", LA, 1, Day, EndOfDay, 1440, "2009-03-10T07:00Z"),
        ("2009-01-01T08:00Z", "UTC", 1, Month, NO, 44640, "2009-01-01T08:00Z"),
        ("2009-01-01T08:00Z", LA, 1, Month, NO, 44640, "2009-01-01T08:00Z"),
        ("2009-01-01T08:00Z", LA, 2, Month, NO, 84960, "2009-01-01T08:00Z"),
        ("2009-03-08T08:00Z", "UTC", 1, Month, NO, 44640, "2009-03-08T08:00Z"),
        ("2009-03-08T08:00Z", "Europe/London", 1, Month, NO, 44580, "2009-03-08T08:00Z"),
        ("2009-03-08T08:00Z", LA, 1, Month, NO, 44580, "2009-03-08T08:00Z"),
        ("2009-03-08T08:00Z", "UTC", 2, Month, NO, 87840, "2009-03-08T08:00Z"),
        ("2009-03-08T08:00Z", LA, 2, Month, NO, 87780, "2009-03-08T08:00Z"),
        ("2009-01-01T00:00Z", "UTC", 1, Month, EndOfMonth, 40320, "2009-02-01T00:00Z"),
        ("2009-01-01T08:00Z", "UTC", 1, Month, EndOfMonth, 40320, "2009-02-01T00:00Z"),
        ("2009-01-31T08:00Z", "UTC", 1, Month, EndOfMonth, 40320, "2009-02-01T00:00Z"),
        ("2009-01-01T08:00Z", LA, 1, Month, EndOfMonth, 40320, "2009-02-01T08:00Z"),
        ("2009-02-02T08:00Z", LA, 1, Month, EndOfMonth, 44580, "2009-03-01T08:00Z"),
        ("2009-02-01T08:00Z", LA, 1, Month, EndOfMonth, 44580, "2009-03-01T08:00Z"),
    ];
    for (start, id, count, unit, end, minutes, first) in rows {
        let frequency = Frequency { count, unit, end };
        let origin = frequency.origin(at(start), zone(id));
        let next = frequency.nth(origin, 1, zone(id));
        let found = (UTC.format(origin), calendar::minutes_between(origin, next));
        assert_eq!(found, (first.to_owned(), minutes), "{start} {id} {count} {unit:?} {end:?}");
    }
}

/// Section 4.4.3: the expression, where the search starts, and the next times.
#[test]
fn cron_examples_of_section_4_4_3() {
    let rows: [(&str, &str, &[&str]); 15] = [
        ("10 9 * * *", "2024-01-01T00:00Z", &["2024-01-01T09:10Z", "2024-01-02T09:10Z"]),
        (
            "10,30,45 9 * * *",
            "2024-01-01T09:20Z",
            &["2024-01-01T09:30Z", "2024-01-01T09:45Z", "2024-01-02T09:10Z"],
        ),
        // Both kinds of days are restricted: either suffices, in January only.
        (
            "0 * 30 JAN 2-6",
            "2024-01-26T23:00Z",
            &["2024-01-26T23:00Z", "2024-01-29T00:00Z", "2024-01-29T01:00Z"],
        ),
        (
            "0 12 30 JAN 2-6",
            "2022-01-28T23:00Z",
            &["2022-01-30T12:00Z", "2022-01-31T12:00Z", "2023-01-02T12:00Z"],
        ),
        ("0/20 9-17 * * 2-5", "2024-01-04T17:30Z", &["2024-01-04T17:40Z", "2024-01-08T09:00Z"]),
        // Slip: it is called the third-to-last day, but three days come after it.
        ("1 2 L-3 * *", "2024-01-01T00:00Z", &["2024-01-28T02:01Z", "2024-02-26T02:01Z"]),
        // 6 March 2022 is a Sunday.
        ("1 2 6W 3 ?", "2022-01-01T00:00Z", &["2022-03-07T02:01Z", "2023-03-06T02:01Z"]),
        ("1 2 * 3 3#2", "2024-01-01T00:00Z", &["2024-03-12T02:01Z", "2025-03-11T02:01Z"]),
        ("0 10,13 * * MON-FRI", "2024-01-05T12:00Z", &["2024-01-05T13:00Z", "2024-01-08T10:00Z"]),
        // Ten o'clock in Tokyo.
        ("0 1 * * 2-6", "2024-01-06T00:00Z", &["2024-01-08T01:00Z"]),
        ("0 0 ? 7/6 *", "2024-07-31T00:00Z", &["2024-07-31T00:00Z", "2025-07-01T00:00Z"]),
        ("0 0 ? * 6L", "2024-01-01T00:00Z", &["2024-01-26T00:00Z"]),
        // 1 June 2024 is a Saturday: not back into May, but on to Monday.
        ("0 0 1W 6 ?", "2024-01-01T00:00Z", &["2024-06-03T00:00Z"]),
        ("0 0 LW 3 ?", "2024-01-01T00:00Z", &["2024-03-29T00:00Z"]),
        (
            "0 22-2 * NOV-FEB *",
            "2024-02-29T01:00Z",
            &["2024-02-29T01:00Z", "2024-02-29T02:00Z", "2024-02-29T22:00Z"],
        ),
    ];
    for (text, start, expected) in rows {
        let cron = Cron::parse(text).expect(text);
        let found: Vec<String> = cron
            .times_from(at(start), UTC)
            .take(expected.len())
            .map(|time| UTC.format(time.unwrap()))
            .collect();
        assert_eq!(found, expected, "{text}");
    }
    let february = Cron::parse("0 10 30 2 *").unwrap();
    assert_eq!(february.next_after(at("2024-01-01T00:00Z"), UTC), Err(SearchError::Exhausted));
    assert!(Cron::parse("0 0 ? * 3#1,6#3").is_err());
    // Slips: the table of 4.4 puts an expression into `${}`; the text lets days of the month begin with 0.
    assert!(Cron::parse("${0,10 15 * * 2-6}").is_err());
    assert!(Cron::parse("0 0 0 * ?").is_err());
}

/// Sections 6.6.3 and 6.6.4: the nominal time, the zone, days or months ahead, and the hours or days there.
#[test]
fn lengths_of_days_and_months_of_section_6_6() {
    let hours = [
        ("2009-01-01T08:00Z", "UTC", 0, 24),
        ("2009-01-01T08:00Z", LA, 0, 24),
        ("2009-01-01T08:00Z", LA, -1, 24),
        ("2009-03-08T08:00Z", "UTC", 0, 24),
        ("2009-03-08T08:00Z", "Europe/London", 0, 24),
        ("2009-03-08T08:00Z", LA, 0, 23),
        ("2009-03-08T08:00Z", LA, 1, 24),
        ("2009-03-07T08:00Z", LA, 0, 24),
        ("2009-03-07T08:00Z", LA, 1, 23),
        ("2009-11-01T08:00Z", LA, 0, 25),
    ];
    for (start, id, days, expected) in hours {
        let day = calendar::add(at(start), days, Unit::Day, zone(id));
        assert_eq!(calendar::hours_in_day(day, zone(id)), expected, "{start} {id} {days}");
    }
    // Slip: the page writes `Americas/Los_Angeles`, which is no zone.
    assert!(Zone::parse("Americas/Los_Angeles").unwrap_err().suggestion == Some(LA));
    let days = [
        ("2008-02-01T00:00Z", "UTC", 0, 29),
        ("2009-02-01T00:00Z", "UTC", 0, 28),
        ("2009-02-01T00:00Z", "UTC", -1, 31),
        ("2009-03-01T00:00Z", "UTC", 1, 30),
        ("2009-02-01T00:00Z", LA, 0, 31),
        ("2008-02-01T00:00Z", "UTC", -1, 31),
    ];
    for (start, id, months, expected) in days {
        let month = calendar::add(at(start), months, Unit::Month, zone(id));
        assert_eq!(calendar::days_in_month(month, zone(id)), expected, "{start} {id} {months}");
    }
}

#[test]
fn functions_of_section_6_9() {
    let ok = |result: Result<String, _>, expected: &str| assert_eq!(result.as_deref(), Ok(expected));
    ok(date_offset("2009-01-01T00:00Z", 2, "MONTH", UTC), "2009-03-01T00:00Z");
    ok(date_offset("2009-01-01T00:00Z", 1, "YEAR", UTC), "2010-01-01T00:00Z");
    ok(date_offset("2009-01-01T23:00Z", 1, "DAY", UTC), "2009-01-02T23:00Z");
    ok(date_offset("2009-01-01T23:00Z", -1, "DAY", UTC), "2008-12-31T23:00Z");
    ok(date_tz_offset("2012-06-13T00:00Z", LA, UTC), "2012-06-12T17:00Z");
    ok(date_tz_offset("2012-12-13T00:00Z", LA, UTC), "2012-12-12T16:00Z");
    // Slip: 15:00Z is printed, for a start of 2009-01-01T24:00Z.
    ok(date_tz_offset("2009-01-02T00:00Z", LA, UTC), "2009-01-01T16:00Z");
    ok(format_time("2009-01-01T00:00Z", "yyyy", UTC), "2009");
    ok(epoch_time("2009-01-01T00:00Z", "false", UTC), "1230768000");
    ok(epoch_time("2009-01-01T00:00Z", "true", UTC), "1230768000000");
}

/// Section 7.2: daily at local midnight, 05:00 UTC in winter and 04:00 UTC in summer.
#[test]
fn daylight_saving_of_section_7() {
    let new_york = zone("America/New_York");
    let daily = Frequency { count: 1, unit: Unit::Day, end: NO };
    let origin = at("2009-01-02T05:00Z");
    for (index, expected) in [
        (64, "2009-03-07T05:00Z"),
        (65, "2009-03-08T05:00Z"),
        (66, "2009-03-09T04:00Z"),
        (303, "2009-11-01T04:00Z"),
        (304, "2009-11-02T05:00Z"),
    ] {
        assert_eq!(UTC.format(daily.nth(origin, index, new_york)), expected);
    }
    for (day, expected) in [("2009-03-08T05:00Z", 23), ("2009-11-01T04:00Z", 25), ("2009-11-02T05:00Z", 24)] {
        assert_eq!(calendar::hours_in_day(at(day), new_york), expected);
    }
    // Slip of 7.1: midnight in India is 18:30 UTC, not 19:30.
    assert_eq!(UTC.format_in(at("2008-12-31T18:30Z"), zone("Asia/Kolkata")), "2009-01-01T00:00Z");
    // Between the changes of clocks New York is one hour nearer to Berlin.
    let berlin = zone("Europe/Berlin");
    let hours = |text| (berlin.offset_millis(at(text)) - new_york.offset_millis(at(text))) / 3_600_000;
    assert_eq!(
        [hours("2009-03-01T00:00Z"), hours("2009-03-15T00:00Z"), hours("2009-04-01T00:00Z")],
        [6, 5, 6]
    );
}
