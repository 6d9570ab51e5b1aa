//! Steps and ends of periods as `java.util.Calendar` makes them in a zone; weeks start on Sunday.

use super::civil::{self, Date, Local};
use super::frequency::EndOfDuration;
use super::instant::{DAY_MILLIS, Instant, MINUTE_MILLIS};
use super::zone::Zone;

/// A unit of calendar steps (the calendar units of Oozie's `TimeUnit`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unit {
    /// 60 seconds.
    Minute,
    /// 60 minutes, whatever the clocks do.
    Hour,
    /// To the same wall time of another day.
    Day,
    /// Seven days.
    Week,
    /// To the same day of another month, or its last one.
    Month,
    /// Twelve months.
    Year,
}

/// `Calendar.add` in `zone`, with leniency for what the zone skips or repeats. The amount is cut as Java's `int` is.
pub fn add(at: Instant, amount: i64, unit: Unit, zone: Zone) -> Instant {
    let amount = i64::from(amount as i32);
    match unit {
        // Even a time that comes twice stays.
        _ if amount == 0 => at,
        Unit::Minute => at.plus_minutes(amount),
        Unit::Hour => at.plus_minutes(amount.wrapping_mul(60)),
        Unit::Day => add_days(at, amount, zone),
        Unit::Week => add_days(at, amount.wrapping_mul(7), zone),
        Unit::Month => zone.instant(months_later(zone.local(at), amount)),
        Unit::Year => zone.instant(years_later(zone.local(at), amount)),
    }
}

/// `GregorianCalendar.add` for days: the offset of before is kept where it still fits.
fn add_days(at: Instant, days: i64, zone: Zone) -> Instant {
    let offset = zone.offset_millis(at);
    let wanted = at.millis().wrapping_add(days.wrapping_mul(DAY_MILLIS));
    let moved = Instant::from_millis(wanted);
    let difference = offset.wrapping_sub(zone.offset_millis(moved));
    if difference == 0 {
        return moved;
    }
    let adjusted = moved.plus_millis(difference);
    let day = |millis: i64| millis.div_euclid(DAY_MILLIS);
    let wanted_day = day(wanted.wrapping_add(offset));
    let adjusted_day = day(adjusted.millis().wrapping_add(zone.offset_millis(adjusted)));
    if adjusted_day == wanted_day { adjusted } else { moved }
}

/// The wall time that `GregorianCalendar.add` sets for months, with the day pinned to the month's last.
fn months_later(local: Local, months: i64) -> Local {
    let month = i64::from(local.date.month) - 1 + months;
    let (year, month) = (local.date.year + month.div_euclid(12), month.rem_euclid(12) as u8 + 1);
    pinned(local, year, month)
}

/// The same for years.
fn years_later(local: Local, years: i64) -> Local {
    pinned(local, local.date.year + years, local.date.month)
}

fn pinned(local: Local, year: i64, month: u8) -> Local {
    // In the year of the calendar change Java does not pin: 31 November 1582 is 1 December.
    let last = if year == civil::CUTOVER_YEAR { 31 } else { civil::days_in_month(year, month) };
    let day = local.date.day.min(last);
    Local { date: Date { year, month, day }, ..local }
}

/// A step whose calendar is moved into another zone before anybody asks for its time. Steps of months and years have
/// only set the fields by then, and `Calendar.setTimeZone` keeps fields: the wall time of the one zone is read in the
/// other. Other steps have computed the time, which stays.
pub fn add_then_move(at: Instant, amount: i32, unit: Unit, zone: Zone, other: Zone) -> Instant {
    let amount = i64::from(amount);
    match unit {
        Unit::Month if amount != 0 => other.instant(months_later(zone.local(at), amount)),
        Unit::Year if amount != 0 => other.instant(years_later(zone.local(at), amount)),
        _ => add(at, amount, unit, zone),
    }
}

/// Midnight of the day, as `Calendar.set` of the time of day to zero finds it.
pub fn start_of_day(at: Instant, zone: Zone) -> Instant {
    at_midnight(zone.local(at).date, zone)
}

/// Midnight of the last Sunday that is not after the day.
pub fn start_of_week(at: Instant, zone: Zone) -> Instant {
    let day = day_number(zone.local(at).date);
    at_midnight(civil::date_of_day(day - i64::from(civil::weekday(day)) + 1), zone)
}

/// Midnight of the first of the month.
pub fn start_of_month(at: Instant, zone: Zone) -> Instant {
    at_midnight(Date { day: 1, ..zone.local(at).date }, zone)
}

/// Moves to the start of the next period (Oozie's `DateUtils.moveToEnd`); milliseconds are kept, as there.
pub fn move_to_end(at: Instant, end: EndOfDuration, zone: Zone) -> Instant {
    let millis = at.millis().rem_euclid(1000);
    let start = match end {
        EndOfDuration::None => return at,
        EndOfDuration::EndOfDay => start_of_day(add(at, 1, Unit::Day, zone), zone),
        EndOfDuration::EndOfWeek => start_of_week(add(at, 1, Unit::Week, zone), zone),
        EndOfDuration::EndOfMonth => {
            let date = zone.local(at).date;
            let (year, month) =
                if date.month == 12 { (date.year + 1, 1) } else { (date.year, date.month + 1) };
            at_midnight(Date { year, month, day: 1 }, zone)
        }
    };
    start.plus_millis(millis)
}

/// The number of days of the month that the instant falls in.
pub fn days_in_month(at: Instant, zone: Zone) -> u8 {
    let date = zone.local(at).date;
    civil::days_in_month(date.year, date.month)
}

/// 23, 24 or 25 (Oozie's `DateUtils.hoursInDay`).
pub fn hours_in_day(at: Instant, zone: Zone) -> u8 {
    let half_past = Local { hour: 0, minute: 30, second: 0, milli: 0, ..zone.local(at) };
    let day_later = zone.instant(half_past).plus_minutes(24 * 60);
    match zone.local(day_later).hour {
        1 => 23,
        23 => 25,
        _ => 24,
    }
}

/// What Oozie's `DaylightOffsetCalculator.getDSTOffset` gives, in milliseconds: the saving of `begin` when only
/// `begin` has one, the negative one of `end` when only `end` has one.
pub fn dst_offset_millis(zone: Zone, begin: Instant, end: Instant) -> i64 {
    let (begin, end) = (zone.offset(begin).dst_millis, zone.offset(end).dst_millis);
    match (begin, end) {
        (saving, 0) => i64::from(saving),
        (0, saving) => -i64::from(saving),
        _ => 0,
    }
}

/// Whole minutes in a stretch of time, cut towards zero.
pub fn minutes_between(from: Instant, to: Instant) -> i64 {
    to.millis_since(from) / MINUTE_MILLIS
}

fn day_number(date: Date) -> i64 {
    civil::day_of_date(date.year, i64::from(date.month), i64::from(date.day))
}

fn at_midnight(date: Date, zone: Zone) -> Instant {
    zone.instant(Local { date, hour: 0, minute: 0, second: 0, milli: 0 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::ProcessingZone;

    const UTC: ProcessingZone = ProcessingZone::UTC;

    fn at(text: &str) -> Instant {
        UTC.parse_datetime(text).expect("a datetime").instant
    }

    #[test]
    fn steps_keep_the_wall_time_and_pin_the_day() {
        let check = |start: &str, amount, unit, id: &str, expected: &str| {
            let zone = Zone::parse(id).expect("a zone");
            assert_eq!(
                UTC.format(add(at(start), amount, unit, zone)),
                expected,
                "{start} {amount} {unit:?} {id}"
            );
        };
        let la = "America/Los_Angeles";
        check("2024-03-09T12:00Z", 1, Unit::Day, la, "2024-03-10T11:00Z");
        check("2024-03-09T12:00Z", 24, Unit::Hour, la, "2024-03-10T12:00Z");
        check("2024-03-09T10:30Z", 1, Unit::Day, la, "2024-03-10T09:30Z");
        check("2024-01-31T00:00Z", 1, Unit::Month, "UTC", "2024-02-29T00:00Z");
        check("2024-01-31T00:00Z", 13, Unit::Month, "UTC", "2025-02-28T00:00Z");
        check("2024-02-29T00:00Z", -1, Unit::Year, "UTC", "2023-02-28T00:00Z");
        check("2024-01-31T00:00Z", -2, Unit::Month, "UTC", "2023-11-30T00:00Z");
        check("1582-10-04T00:00Z", 1, Unit::Day, "UTC", "1582-10-15T00:00Z");
        check("1582-10-31T00:00Z", 1, Unit::Month, "UTC", "1582-12-01T00:00Z");
        // A time that comes twice stays where it is.
        check("2024-11-03T08:30Z", 0, Unit::Month, la, "2024-11-03T08:30Z");
        check("2024-10-03T08:30Z", 1, Unit::Month, la, "2024-11-03T09:30Z");
    }

    #[test]
    fn a_calendar_that_is_moved_keeps_what_is_not_computed() {
        let zone = Zone::parse("Europe/Paris").expect("a zone");
        let check = |amount, unit, expected: &str| {
            let moved = add_then_move(at("2022-12-31T23:00Z"), amount, unit, zone, UTC.zone());
            assert_eq!(UTC.format(moved), expected, "{amount} {unit:?}");
        };
        check(0, Unit::Month, "2022-12-31T23:00Z");
        check(1, Unit::Month, "2023-02-01T00:00Z");
        check(6, Unit::Month, "2023-07-01T00:00Z");
        check(-1, Unit::Year, "2022-01-01T00:00Z");
        check(1, Unit::Week, "2023-01-07T23:00Z");
        check(1, Unit::Day, "2023-01-01T23:00Z");
    }

    #[test]
    fn periods_begin_at_midnight_and_weeks_on_sunday() {
        let zone = Zone::parse("America/New_York").expect("a zone");
        let start = at("2024-03-13T15:20Z");
        assert_eq!(UTC.format(start_of_day(start, zone)), "2024-03-13T04:00Z");
        assert_eq!(UTC.format(start_of_week(start, zone)), "2024-03-10T05:00Z");
        assert_eq!(UTC.format(start_of_month(start, zone)), "2024-03-01T05:00Z");
        let end = |end| UTC.format(move_to_end(start, end, zone));
        assert_eq!(end(EndOfDuration::None), "2024-03-13T15:20Z");
        assert_eq!(end(EndOfDuration::EndOfDay), "2024-03-14T04:00Z");
        assert_eq!(end(EndOfDuration::EndOfWeek), "2024-03-17T04:00Z");
        assert_eq!(end(EndOfDuration::EndOfMonth), "2024-04-01T04:00Z");
    }

    #[test]
    fn daylight_saving_differs_between_two_times() {
        let zone = Zone::parse("Europe/Dublin").expect("a zone");
        let (winter, summer) = (at("2024-01-01T00:00Z"), at("2024-07-01T00:00Z"));
        assert_eq!(dst_offset_millis(zone, winter, summer), -3_600_000);
        assert_eq!(dst_offset_millis(zone, summer, winter), 3_600_000);
        assert_eq!(dst_offset_millis(zone, summer, summer), 0);
        assert_eq!(minutes_between(winter, summer), 182 * 1440);
    }
}
