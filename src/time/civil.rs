//! Days and dates in Java's hybrid calendar: Julian before 15 October 1582, Gregorian from then on.
//!
//! Copies `java.util.GregorianCalendar` with its standard change date. Years are astronomical: 0 is 1 BC.

use super::instant::{DAY_MILLIS, Instant};

/// The day number of 15 October 1582, the first Gregorian one.
pub const CUTOVER_DAY: i64 = -141_427;
/// The year in which the calendars change.
pub const CUTOVER_YEAR: i64 = 1582;

/// A calendar date.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Date {
    /// Astronomical year: 0 is 1 BC, -1 is 2 BC.
    pub year: i64,
    /// 1 to 12.
    pub month: u8,
    /// 1 to 31.
    pub day: u8,
}

/// Date and time of day in some zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Local {
    /// The date.
    pub date: Date,
    /// 0 to 23.
    pub hour: u8,
    /// 0 to 59.
    pub minute: u8,
    /// 0 to 59.
    pub second: u8,
    /// 0 to 999.
    pub milli: u16,
}

impl Local {
    /// The fields of `instant` at an offset from UTC.
    pub fn at_offset(instant: Instant, offset_millis: i64) -> Local {
        let millis = i128::from(instant.millis()) + i128::from(offset_millis);
        let day = millis.div_euclid(i128::from(DAY_MILLIS)) as i64;
        Local::new(day, millis.rem_euclid(i128::from(DAY_MILLIS)) as i64)
    }

    /// The fields of a day number and the milliseconds of that day.
    pub fn new(day: i64, millis_of_day: i64) -> Local {
        let seconds = millis_of_day / 1000;
        Local {
            date: date_of_day(day),
            hour: (seconds / 3600) as u8,
            minute: (seconds / 60 % 60) as u8,
            second: (seconds % 60) as u8,
            milli: (millis_of_day % 1000) as u16,
        }
    }

    /// Milliseconds since midnight.
    pub fn millis_of_day(self) -> i64 {
        (i64::from(self.hour) * 3600 + i64::from(self.minute) * 60 + i64::from(self.second)) * 1000
            + i64::from(self.milli)
    }

    /// Local milliseconds since 1970-01-01T00:00 of the same zone; wraps where Java's `long` does.
    pub fn local_millis(self) -> i64 {
        day_of_date(self.date.year, i64::from(self.date.month), i64::from(self.date.day))
            .wrapping_mul(DAY_MILLIS)
            .wrapping_add(self.millis_of_day())
    }
}

/// The date of a day number (0 is 1970-01-01).
pub fn date_of_day(day: i64) -> Date {
    if day >= CUTOVER_DAY { gregorian_date(day) } else { julian_date(day) }
}

/// The day number of a date. Months outside 1 to 12 and days outside the month are carried over. The ten days that
/// never were (5 to 14 October 1582) count as Julian.
pub fn day_of_date(year: i64, month: i64, day: i64) -> i64 {
    let year = year + (month - 1).div_euclid(12);
    let month = (month - 1).rem_euclid(12) + 1;
    if year > CUTOVER_YEAR {
        return gregorian_day(year, month, day);
    }
    let julian = julian_day(year, month, day);
    if year < CUTOVER_YEAR {
        return julian;
    }
    let gregorian = gregorian_day(year, month, day);
    if gregorian >= CUTOVER_DAY { gregorian } else { julian }
}

/// 1 Sunday to 7 Saturday, as `java.util.Calendar` counts.
pub fn weekday(day: i64) -> u8 {
    ((day + 4).rem_euclid(7) + 1) as u8
}

/// True for a year of 366 days in the calendar that counts then.
pub fn is_leap(year: i64) -> bool {
    year.rem_euclid(4) == 0
        && (year <= CUTOVER_YEAR || year.rem_euclid(100) != 0 || year.rem_euclid(400) == 0)
}

/// The number of the month's last day. October 1582 ends on the 31st, though it had 21 days.
pub fn days_in_month(year: i64, month: u8) -> u8 {
    match month {
        2 => 28 + u8::from(is_leap(year)),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

fn gregorian_date(day: i64) -> Date {
    let shifted = day + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    from_march(era * 400 + year_of_era, day_of_year)
}

fn julian_date(day: i64) -> Date {
    let shifted = day + 719_470;
    let era = shifted.div_euclid(1461);
    let day_of_era = shifted.rem_euclid(1461);
    let year_of_era = (day_of_era - day_of_era / 1460) / 365;
    from_march(era * 4 + year_of_era, day_of_era - 365 * year_of_era)
}

/// A date from a year that begins in March and the day in it.
fn from_march(year: i64, day_of_year: i64) -> Date {
    let month = (5 * day_of_year + 2) / 153;
    let day = (day_of_year - (153 * month + 2) / 5 + 1) as u8;
    let month = if month < 10 { month + 3 } else { month - 9 };
    Date { year: year + i64::from(month <= 2), month: month as u8, day }
}

fn gregorian_day(year: i64, month: i64, day: i64) -> i64 {
    let year = year - i64::from(month <= 2);
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + march_day(month);
    era * 146_097 + day_of_era - 719_468 + day - 1
}

fn julian_day(year: i64, month: i64, day: i64) -> i64 {
    let year = year - i64::from(month <= 2);
    year * 365 + year.div_euclid(4) + march_day(month) - 719_470 + day - 1
}

/// Days from 1 March to the first of a month.
fn march_day(month: i64) -> i64 {
    (153 * ((month + 9) % 12) + 2) / 5
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_calendars_change_in_october_1582() {
        let check = |day, year, month, day_of_month| {
            assert_eq!(date_of_day(day), Date { year, month, day: day_of_month }, "day {day}");
            assert_eq!(day_of_date(year, i64::from(month), i64::from(day_of_month)), day);
        };
        check(0, 1970, 1, 1);
        check(CUTOVER_DAY, 1582, 10, 15);
        check(CUTOVER_DAY - 1, 1582, 10, 4);
        check(11_016, 2000, 2, 29);
        check(-719_164, 1, 1, 1);
        check(-719_165, 0, 12, 31);
    }

    #[test]
    fn dates_and_days_are_inverse() {
        for day in (-2_000_000..3_000_000).step_by(97) {
            let date = date_of_day(day);
            assert_eq!(day_of_date(date.year, i64::from(date.month), i64::from(date.day)), day);
        }
    }
}
