//! The offsets of one zone over time.

use chrono::{DateTime, Offset as _, TimeZone as _};
use chrono_tz::{OffsetComponents as _, Tz};

use super::Offset;
use crate::time::civil;
use crate::time::instant::DAY_MILLIS;

/// 1900-01-01T00:00Z: Java knows nothing earlier.
const FIRST_SECOND: i64 = -2_208_988_800;
/// 2038-01-01T00:00Z: from here on the last rule counts.
const LAST_SECOND: i64 = 2_145_916_800;
/// The years from which the last rule is read: some zones foretell single years up to 2086.
const RULE_YEARS: std::ops::Range<i64> = 2088..2100;
/// No zone changes its offset there and back within so many seconds.
const PROBE_STEP: i64 = 3 * 86_400;

/// The offsets of one zone.
#[derive(Debug)]
pub(super) struct Table {
    /// What counts before the first change: the present standard offset.
    before: Offset,
    /// Changes, in order: the instant in milliseconds and what counts from then on.
    changes: Vec<(i64, Offset)>,
    /// What counts from the last change on.
    rule: Option<Rule>,
}

/// Two changes a year, for ever.
#[derive(Clone, Copy, Debug)]
struct Rule {
    standard_millis: i32,
    dst_millis: i32,
    /// When daylight saving begins.
    start: YearlyChange,
    /// When it ends.
    end: YearlyChange,
}

/// A weekday on or after a day of a month, at a time of day in the offset that counts before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct YearlyChange {
    month: u8,
    day: i64,
    weekday: u8,
    millis_of_day: i64,
    offset_before: i32,
}

impl YearlyChange {
    /// The instant in a year, in milliseconds.
    fn in_year(&self, year: i64) -> i64 {
        let day = civil::day_of_date(year, i64::from(self.month), self.day);
        let ahead = i64::from((self.weekday + 7 - civil::weekday(day)) % 7);
        (day + ahead) * DAY_MILLIS + self.millis_of_day - i64::from(self.offset_before)
    }
}

impl Rule {
    fn offset(&self, utc_millis: i64) -> Offset {
        let local = i128::from(utc_millis) + i128::from(self.standard_millis);
        let year = civil::date_of_day(local.div_euclid(i128::from(DAY_MILLIS)) as i64).year;
        let (start, end) = (self.start.in_year(year), self.end.in_year(year));
        let dst = if start <= end {
            (start..end).contains(&utc_millis)
        } else {
            !(end..start).contains(&utc_millis)
        };
        let dst_millis = if dst { self.dst_millis } else { 0 };
        Offset { total_millis: self.standard_millis + dst_millis, dst_millis }
    }
}

/// Zones whose data says that winter saves a negative hour. Java's data (the rear-guard form) says it the other way
/// round: the second from which it does, and the standard offset in seconds from then on.
const NEGATIVE_SAVING: &[(Tz, i64, i32)] = &[
    (Tz::Africa__Casablanca, 1_540_692_000, 0),
    (Tz::Africa__El_Aaiun, 1_540_692_000, 0),
    (Tz::Africa__Windhoek, 637_970_400, 3600),
    (Tz::Eire, -37_242_000, 0),
    (Tz::Europe__Dublin, -37_242_000, 0),
];

/// 2037-01-01T00:00 of local time: from here on Java has the standard offset in zones that change no more, even where
/// its data calls the present offset daylight saving for good.
const END_SECOND: i64 = 2_114_380_800;

impl Table {
    /// The table of a zone of the data.
    pub(super) fn of(tz: Tz) -> Table {
        let mut changes = changes_of(tz, FIRST_SECOND, LAST_SECOND);
        if !changes.is_empty() {
            changes.insert(0, (FIRST_SECOND * 1000, offset_of(tz, FIRST_SECOND)));
        }
        let rule = rule_of(tz);
        let last = offset_of(tz, LAST_SECOND - 1);
        let standard = last.total_millis - last.dst_millis;
        let before = Offset { total_millis: standard, dst_millis: 0 };
        let end = END_SECOND * 1000 - i64::from(standard);
        if rule.is_none() && last != before && changes.last().is_some_and(|(at, _)| *at < end) {
            changes.push((end, before));
        }
        Table { before, changes, rule }
    }

    /// The table of a `SystemV` zone: saving from the last Sunday of April to that of October, and otherwise in the
    /// years of the oil crisis only.
    pub(super) fn system_v(hours: i32) -> Table {
        let standard_millis = hours * 3_600_000;
        let dst_millis = 3_600_000;
        let standard = Offset { total_millis: standard_millis, dst_millis: 0 };
        let saving = Offset { total_millis: standard_millis + dst_millis, dst_millis };
        let last_sunday = |month, day, before: Offset| YearlyChange {
            month,
            day,
            weekday: 1,
            millis_of_day: 2 * 3_600_000,
            offset_before: before.total_millis,
        };
        let start = last_sunday(4, 24, standard);
        let end = last_sunday(10, 25, saving);
        let mut changes = Vec::new();
        for year in 1900..2038 {
            let (start, end) = match year {
                1974 => (last_sunday(1, 6, standard), last_sunday(11, 24, saving)),
                1975 => (last_sunday(2, 23, standard), end),
                _ => (start, end),
            };
            changes.extend([(start.in_year(year), saving), (end.in_year(year), standard)]);
        }
        Table { before: standard, changes, rule: Some(Rule { standard_millis, dst_millis, start, end }) }
    }

    /// True when the zone goes on changing.
    pub(super) fn has_rule(&self) -> bool {
        self.rule.is_some()
    }

    /// What counts at an instant.
    pub(super) fn offset(&self, utc_millis: i64) -> Offset {
        let index = self.changes.partition_point(|(at, _)| *at <= utc_millis);
        match (index, &self.rule) {
            (0, _) => self.before,
            (index, Some(rule)) if index == self.changes.len() => rule.offset(utc_millis),
            (index, _) => self.changes[index - 1].1,
        }
    }

    /// What counts at a wall time: the later offset in an overlap, the earlier one in a gap.
    pub(super) fn offset_of_wall(&self, local_millis: i64) -> Offset {
        let index =
            self.changes.partition_point(|(at, offset)| at + i64::from(offset.total_millis) <= local_millis);
        match (index, &self.rule) {
            (0, _) => self.before,
            (index, Some(rule)) if index == self.changes.len() => {
                let standard = local_millis.wrapping_sub(i64::from(rule.standard_millis));
                let offset = rule.offset(standard);
                let earlier = rule.offset(standard.wrapping_sub(i64::from(offset.dst_millis)));
                if earlier.dst_millis == 0 { earlier } else { offset }
            }
            (index, _) => self.changes[index - 1].1,
        }
    }
}

/// What the data says at an instant, with daylight saving as Java's data tells it.
fn offset_of(tz: Tz, second: i64) -> Offset {
    let Some(at) = DateTime::from_timestamp(second, 0) else {
        return Offset { total_millis: 0, dst_millis: 0 };
    };
    let offset = tz.offset_from_utc_datetime(&at.naive_utc());
    let total = offset.fix().local_minus_utc();
    let other_way = NEGATIVE_SAVING.iter().find(|(zone, from, _)| *zone == tz && *from <= second);
    let saving = match other_way {
        Some((_, _, standard)) => total - standard,
        None => offset.dst_offset().num_seconds().max(0) as i32,
    };
    Offset { total_millis: total * 1000, dst_millis: saving * 1000 }
}

/// All changes after `from` and before `to`.
fn changes_of(tz: Tz, from: i64, to: i64) -> Vec<(i64, Offset)> {
    let mut changes = Vec::new();
    let mut at = from;
    let mut now = offset_of(tz, at);
    while at < to - 1 {
        let next = (at + PROBE_STEP).min(to - 1);
        if offset_of(tz, next) == now {
            at = next;
            continue;
        }
        let (mut low, mut high) = (at, next);
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if offset_of(tz, middle) == now { low = middle } else { high = middle }
        }
        now = offset_of(tz, high);
        changes.push((high * 1000, now));
        at = high;
    }
    changes
}

/// The rule by which the zone goes on, if it does.
fn rule_of(tz: Tz) -> Option<Rule> {
    let second_of = |year| civil::day_of_date(year, 1, 1) * 86_400;
    let (from, to) = (second_of(RULE_YEARS.start), second_of(RULE_YEARS.end));
    let changes = changes_of(tz, from, to);
    if changes.len() as i64 != 2 * (RULE_YEARS.end - RULE_YEARS.start) {
        return None;
    }
    let offset_before = |index: usize| match index {
        0 => offset_of(tz, from),
        index => changes[index - 1].1,
    };
    let yearly = |parity: usize| {
        let indices = (parity..changes.len()).step_by(2);
        let places: Vec<(i64, i64, i64)> = indices
            .map(|index| {
                let local = changes[index].0 + i64::from(offset_before(index).total_millis);
                let day = local.div_euclid(DAY_MILLIS);
                (civil::date_of_day(day).year, day, local.rem_euclid(DAY_MILLIS))
            })
            .collect();
        // The month in which most of them lie cannot be told when they cross its end; the earliest can.
        let month = places.iter().map(|(_, day, _)| civil::date_of_day(*day).month).min()?;
        let from_month =
            |(year, day, _): &(i64, i64, i64)| day - civil::day_of_date(*year, i64::from(month), 1) + 1;
        let (_, day, millis_of_day) = places[0];
        Some(YearlyChange {
            month,
            day: places.iter().map(from_month).min()?,
            weekday: civil::weekday(day),
            millis_of_day,
            offset_before: offset_before(parity).total_millis,
        })
    };
    let first_is_start = changes[0].1.total_millis > offset_before(0).total_millis;
    let (mut start, mut end) =
        if first_is_start { (yearly(0)?, yearly(1)?) } else { (yearly(1)?, yearly(0)?) };
    if matches!(tz, Tz::Asia__Gaza | Tz::Asia__Hebron) {
        // The law says the Saturday up to the 30th; Java's conversion makes it the last one.
        (start.day, end.day) = (25, 25);
    }
    let (a, b) = (changes[0].1.total_millis, offset_before(0).total_millis);
    Some(Rule { standard_millis: a.min(b), dst_millis: (a - b).abs(), start, end })
}
