//! One expression as `org.quartz.CronExpression` holds and searches it.
//!
//! Copies `CronExpression.getTimeAfter` of Quartz 2.3.2 step by step, since its slips decide when an action comes.

use super::SearchError;
use crate::time::civil;

/// Set of small numbers; Quartz marks `*` by 99 and `?` by 98 among the values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Values(u128);

/// Quartz's mark for `*`.
pub(super) const ALL: i64 = 99;
/// Quartz's mark for `?`.
pub(super) const UNSPECIFIED: i64 = 98;

impl Values {
    /// Adds a number. Those past 127 (only `500#1` gives such) are all alike: they never come.
    pub(super) fn insert(&mut self, value: i64) {
        self.0 |= 1 << value.clamp(0, 127);
    }

    pub(super) fn contains(self, value: i64) -> bool {
        (0..128).contains(&value) && self.0 >> value & 1 == 1
    }

    /// The smallest, if there is one.
    pub(super) fn first(self) -> Option<i64> {
        (self.0 != 0).then(|| i64::from(self.0.trailing_zeros()))
    }

    /// The largest, if there is one.
    pub(super) fn last(self) -> Option<i64> {
        (self.0 != 0).then(|| 127 - i64::from(self.0.leading_zeros()))
    }

    /// The smallest that is at least `low`.
    fn at_least(self, low: i64) -> Option<i64> {
        let rest = self.0 >> low.clamp(0, 127) << low.clamp(0, 127);
        Values(rest).first()
    }
}

/// The parsed fields.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Quartz {
    pub(super) minutes: Values,
    pub(super) hours: Values,
    pub(super) days: Values,
    pub(super) months: Values,
    pub(super) weekdays: Values,
    /// None: every year. Only a tab can bring a field for years in.
    pub(super) years: Option<Vec<i64>>,
    /// `L` in the days of the month.
    pub(super) last_day: bool,
    /// `L-n`.
    pub(super) last_day_offset: i64,
    /// `W` in the days of the month.
    pub(super) nearest_weekday: bool,
    /// `6L` in the days of the week.
    pub(super) last_weekday: bool,
    /// `6#2`; 0 for none.
    pub(super) nth_weekday: i64,
}

/// The first year that Quartz's set of years holds.
const FIRST_YEAR: i64 = 1970;
/// No search that ends takes more steps.
const MAX_STEPS: u32 = 500_000;

/// The calendar fields while a search goes on; always those of an existing time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Clock {
    year: i64,
    /// 1 to 12.
    month: i64,
    day: i64,
    hour: i64,
    minute: i64,
    /// The number of the day since 1970, kept beside so that weekdays and results cost no conversion.
    number: i64,
}

impl Clock {
    fn at(minutes: i64) -> Clock {
        let minute_of_day = minutes.rem_euclid(1440);
        Clock {
            hour: minute_of_day / 60,
            minute: minute_of_day % 60,
            ..Clock::midnight(minutes.div_euclid(1440))
        }
    }

    fn midnight(number: i64) -> Clock {
        let date = civil::date_of_day(number);
        let (month, day) = (i64::from(date.month), i64::from(date.day));
        Clock { year: date.year, month, day, hour: 0, minute: 0, number }
    }

    fn minutes(self) -> i64 {
        self.number * 1440 + self.hour * 60 + self.minute
    }

    fn weekday(self) -> i64 {
        i64::from(civil::weekday(self.number))
    }

    /// True when the days of a month have no gap.
    fn is_plain(self) -> bool {
        self.year > civil::CUTOVER_YEAR
    }

    /// The number of a day of this month, or of what the calendar makes of it.
    fn number_of(self, day: i64) -> i64 {
        if self.is_plain() {
            return self.number + day - self.day;
        }
        civil::day_of_date(self.year, self.month, day)
    }

    /// A time of this day, or of the next one for the hours from 24 on.
    fn to_time(self, hour: i64, minute: i64) -> Clock {
        if hour < 24 {
            return Clock { hour, minute, ..self };
        }
        Clock { hour: hour - 24, minute, ..self.to_day(self.month, self.day + 1) }
    }

    /// Midnight of another day; `month` may be the next one, and 13 is next January. Days past the month's last lead
    /// into the next.
    fn to_day(self, month: i64, day: i64) -> Clock {
        if self.is_plain() && day >= 1 {
            let last_day = last_day_of_month(self.month, self.year);
            if month == self.month && day <= last_day {
                return Clock { day, hour: 0, minute: 0, number: self.number + day - self.day, ..self };
            }
            let into_next = if month == self.month { day - last_day } else { day };
            if month - self.month <= 1 && into_next <= 28 {
                let (year, month) =
                    if self.month == 12 { (self.year + 1, 1) } else { (self.year, self.month + 1) };
                let number = self.number + last_day - self.day + into_next;
                return Clock { year, month, day: into_next, hour: 0, minute: 0, number };
            }
        }
        Clock::midnight(civil::day_of_date(self.year, month, day))
    }

    /// The start of a month.
    fn to_month(self, year: i64, month: i64) -> Clock {
        if year == self.year && month == self.month + 1 {
            return self.to_day(month, 1);
        }
        Clock::midnight(civil::day_of_date(year, month, 1))
    }
}

/// What one look at the days gives.
enum Day {
    /// The day of the clock is right.
    Fits,
    /// The clock moves on.
    Move(Clock),
}

impl Quartz {
    /// The first fitting minute after `after`, both local minutes since 1970; `last_year` is where the search ends.
    pub(super) fn next_after(&self, after: i64, last_year: i64) -> Result<i64, SearchError> {
        let first = after + 1;
        let mut clock = Clock::at(first);
        for _ in 0..MAX_STEPS {
            if clock.year > LAST_YEAR_EVER {
                return Err(SearchError::Exhausted);
            }
            let minute = self.minutes.at_least(clock.minute);
            if minute != Some(clock.minute) {
                let (minute, hour) = match minute {
                    Some(minute) => (minute, clock.hour),
                    None => (self.minutes.first().ok_or(SearchError::NO_ELEMENT)?, clock.hour + 1),
                };
                clock = clock.to_time(hour, minute);
                continue;
            }
            let hour = self.hours.at_least(clock.hour);
            if hour != Some(clock.hour) {
                let hour = match hour {
                    Some(hour) => hour,
                    None => 24 + self.hours.first().ok_or(SearchError::NO_ELEMENT)?,
                };
                clock = clock.to_time(hour, 0);
                continue;
            }
            if let Day::Move(moved) = self.day(clock, first)? {
                clock = moved;
                continue;
            }
            if clock.year > last_year {
                return Err(SearchError::Exhausted);
            }
            let month = self.months.at_least(clock.month);
            if month != Some(clock.month) {
                let (month, year) = match month {
                    Some(month) => (month, clock.year),
                    None => (self.months.first().ok_or(SearchError::NO_ELEMENT)?, clock.year + 1),
                };
                clock = clock.to_month(year, month);
                continue;
            }
            let year = self.year_at_least(clock.year, last_year).ok_or(SearchError::Exhausted)?;
            if year == clock.year {
                return Ok(clock.minutes());
            }
            clock = clock.to_month(year, 1);
        }
        Err(SearchError::Hang)
    }

    fn year_at_least(&self, year: i64, last_year: i64) -> Option<i64> {
        match &self.years {
            // The mark for `*` stands among the years.
            None if year <= ALL => Some(ALL),
            None => Some(year.max(FIRST_YEAR)),
            Some(years) => years.iter().copied().find(|y| *y >= year && *y <= last_year),
        }
    }

    /// The search's step for the day. `first` is the first minute that may be given.
    fn day(&self, clock: Clock, first: i64) -> Result<Day, SearchError> {
        if self.weekdays.contains(UNSPECIFIED) {
            self.day_of_month(clock, first)
        } else {
            self.day_of_week(clock)
        }
    }

    fn day_of_month(&self, clock: Clock, first: i64) -> Result<Day, SearchError> {
        let last_day = last_day_of_month(clock.month, clock.year);
        let mut month = clock.month;
        let day;
        if self.last_day && !self.nearest_weekday {
            let wanted = last_day - self.last_day_offset;
            if clock.day > wanted {
                day = 1;
                month += 1;
            } else {
                day = wanted;
            }
        } else if self.last_day {
            let near = nearest(clock, last_day - self.last_day_offset);
            if clock.number_of(near) * 1440 + clock.hour * 60 + clock.minute < first {
                day = 1;
                month += 1;
            } else {
                day = near;
            }
        } else if self.nearest_weekday {
            let wanted = self.days.first().ok_or(SearchError::NO_ELEMENT)?;
            let near = nearest(clock, wanted);
            if clock.number_of(near) * 1440 + clock.hour * 60 + clock.minute < first {
                day = wanted;
                month += 1;
            } else {
                day = near;
            }
        } else {
            match self.days.at_least(clock.day) {
                Some(wanted) if wanted <= last_day => day = wanted,
                _ => {
                    day = self.days.first().ok_or(SearchError::NO_ELEMENT)?;
                    month += 1;
                }
            }
        }
        if day == clock.day && month == clock.month {
            return Ok(Day::Fits);
        }
        Ok(Day::Move(clock.to_day(month, day)))
    }

    fn day_of_week(&self, clock: Clock) -> Result<Day, SearchError> {
        let last_day = last_day_of_month(clock.month, clock.year);
        let today = clock.weekday();
        let first = self.weekdays.first().ok_or(SearchError::NO_ELEMENT)?;
        let next_month = Ok(Day::Move(clock.to_day(clock.month + 1, 1)));
        let days_until = |weekday: i64| match today.cmp(&weekday) {
            std::cmp::Ordering::Less => weekday - today,
            std::cmp::Ordering::Equal => 0,
            std::cmp::Ordering::Greater => weekday + 7 - today,
        };
        if self.last_weekday {
            let mut ahead = days_until(first);
            if clock.day + ahead > last_day {
                return next_month;
            }
            while clock.day + ahead + 7 <= last_day {
                ahead += 7;
            }
            if ahead > 0 {
                return Ok(Day::Move(clock.to_day(clock.month, clock.day + ahead)));
            }
        } else if self.nth_weekday != 0 {
            let ahead = days_until(first);
            let candidate = clock.day + ahead;
            let week = (candidate + 6) / 7;
            let weeks_ahead = (self.nth_weekday - week) * 7;
            let day = candidate + weeks_ahead;
            if weeks_ahead < 0 || day > last_day {
                return next_month;
            }
            if weeks_ahead > 0 || ahead > 0 {
                return Ok(Day::Move(clock.to_day(clock.month, day)));
            }
        } else {
            let ahead = days_until(self.weekdays.at_least(today).unwrap_or(first));
            if clock.day + ahead > last_day {
                return next_month;
            }
            if ahead > 0 {
                return Ok(Day::Move(clock.to_day(clock.month, clock.day + ahead)));
            }
        }
        Ok(Day::Fits)
    }
}

/// Past this year Quartz stops in any case.
const LAST_YEAR_EVER: i64 = 2999;

/// The working day nearest to a day of the clock's month, in that month.
fn nearest(clock: Clock, day: i64) -> i64 {
    let last_day = last_day_of_month(clock.month, clock.year);
    match civil::weekday(clock.number_of(day)) {
        7 if day == 1 => day + 2,
        7 => day - 1,
        1 if day == last_day => day - 2,
        1 => day + 1,
        _ => day,
    }
}

/// Quartz counts leap years by the Gregorian rule at any time.
fn last_day_of_month(month: i64, year: i64) -> i64 {
    match month {
        2 => 28 + i64::from(year % 4 == 0 && year % 100 != 0 || year % 400 == 0),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}
