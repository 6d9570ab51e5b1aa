//! The instances of a dataset as points in time, and how a nominal time falls among them.
//!
//! Follows `CoordELFunctions`: counts are Java `int`s that wrap, and some walks go step by step from where they are, so
//! that month ends and daylight saving drift just as they do there.

use super::calendar::{self, Unit};
use super::{EndOfDuration, Instant, Zone};

const MINUTE: i64 = 60_000;
const DAY: i64 = 86_400_000;

/// The instances of a dataset.
#[derive(Clone, Debug)]
pub struct Series {
    /// The first instance, moved to the end of its period.
    pub initial: Instant,
    /// How many units lie between two instances; greater than zero.
    pub frequency: i32,
    /// The unit.
    pub unit: Unit,
    /// The dataset's zone.
    pub zone: Zone,
}

/// Where a time falls: the index of the last instance not after it, and that instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Current {
    /// The index, counted from the initial instance.
    pub count: i32,
    /// The instance.
    pub instance: Instant,
}

impl Series {
    /// A series from its first instance as written, which may still move to the end of its period.
    pub fn new(initial: Instant, frequency: i32, unit: Unit, end: EndOfDuration, zone: Zone) -> Series {
        Series { initial: calendar::move_to_end(initial, end, zone), frequency, unit, zone }
    }

    /// `Calendar.add` of some units.
    fn add(&self, at: Instant, amount: i32) -> Instant {
        calendar::add(at, i64::from(amount), self.unit, self.zone)
    }

    /// One frequency further.
    pub fn next(&self, at: Instant) -> Instant {
        self.add(at, self.frequency)
    }

    /// The instance with an index from 0, counted from the initial one.
    pub fn nth(&self, index: i32) -> Instant {
        self.add(self.initial, index.wrapping_mul(self.frequency))
    }

    /// The instance with an index as a URI names it that `latest` or `future` looks for (`RangeEvaluator.evaluate`,
    /// which moves the calendar into the processing zone before its time is known).
    pub fn nth_as_named(&self, index: i32, processing: Zone) -> Instant {
        let amount = index.wrapping_mul(self.frequency);
        calendar::add_then_move(self.initial, amount, self.unit, self.zone, processing)
    }

    /// `CoordELFunctions.getCurrentInstance`; `None` when the initial instance is later.
    pub fn current(&self, at: Instant) -> Option<Current> {
        if self.initial > at {
            return None;
        }
        let passed = at.millis_since(self.initial);
        if self.unit == Unit::Minute {
            let steps = passed / MINUTE / i64::from(self.frequency);
            let instance = self.initial.plus_minutes(steps * i64::from(self.frequency));
            return Some(Current { count: steps as i32, instance });
        }
        let local = |at| self.zone.local(at).date;
        let estimate = match self.unit {
            Unit::Minute | Unit::Hour => passed / MINUTE / 60,
            Unit::Day => passed / DAY,
            Unit::Week => passed / (7 * DAY),
            Unit::Month => {
                let (from, to) = (local(self.initial), local(at));
                (to.year - from.year) * 12 + i64::from(to.month) - i64::from(from.month)
            }
            Unit::Year => local(at).year - local(self.initial).year,
        } as i32;
        let mut count = if estimate > 2 { estimate / self.frequency } else { 0 };
        let mut instance = self.nth(count);
        while instance <= at {
            instance = self.next(instance);
            count = count.wrapping_add(1);
        }
        instance = self.add(instance, self.frequency.wrapping_neg());
        Some(Current { count: count.wrapping_sub(1), instance })
    }

    /// `CoordELFunctions.coord_currentRange_sync`, oldest first: the instances from `start` to `end` relative to the
    /// current one, those before the initial instance left out. `Err` holds the number of instances when it exceeds
    /// `limit`.
    pub fn range(&self, current: Current, start: i32, end: i32, limit: usize) -> Result<Vec<Instant>, i64> {
        let length = i64::from(end) - i64::from(start) + 1;
        // An `int` loop up to its last value never ends.
        if length > limit as i64 || (end == i32::MAX && length > 0) {
            let skipped = -(i64::from(current.count) + i64::from(start));
            if end == i32::MAX || length - skipped.max(0) > limit as i64 || length > 100 * limit as i64 {
                return Err(length);
            }
        }
        let mut instance = self.nth(current.count.wrapping_add(start));
        let mut found = Vec::with_capacity(length.max(0).min(limit as i64) as usize);
        for _ in 0..length.max(0) {
            if instance >= self.initial {
                found.push(instance);
            }
            instance = self.next(instance);
        }
        Ok(found)
    }

    /// `CoordELFunctions.expandOffsetTimes`: the distances in units, from the current instance, of the instances from
    /// `start` to `end`, oldest first.
    pub fn distances(
        &self,
        current: Instant,
        start: Instant,
        end: Instant,
        limit: usize,
    ) -> Result<Vec<i32>, i64> {
        let mut at = current;
        let mut total = 0i32;
        if self.unit == Unit::Minute {
            let step = i64::from(self.frequency) * MINUTE;
            let steps = -at.millis_since(start).div_euclid(step);
            let length = (end.millis_since(start)) / step + 1;
            if length > limit as i64 {
                return Err(length);
            }
            total = (steps as i32).wrapping_mul(self.frequency);
            at = at.plus_millis(steps * step);
        } else {
            let mut walked = 0usize;
            let mut walk = |at: &mut Instant, total: &mut i32, by: i32| {
                *at = self.add(*at, by);
                *total = total.wrapping_add(by);
                walked += 1;
                if walked > limit { Err(walked as i64) } else { Ok(()) }
            };
            if start < at {
                while at > start {
                    walk(&mut at, &mut total, self.frequency.wrapping_neg())?;
                }
                if at < start {
                    walk(&mut at, &mut total, self.frequency)?;
                }
            } else {
                while at < start {
                    walk(&mut at, &mut total, self.frequency)?;
                }
            }
        }
        let mut found = Vec::new();
        while at <= end {
            if found.len() == limit {
                return Err(limit as i64 + 1);
            }
            found.push(total);
            at = self.next(at);
            total = total.wrapping_add(self.frequency);
        }
        Ok(found)
    }
}

/// How far an `offset` may lie from the initial instance, in steps of the dataset.
pub const MAX_OFFSET_STEPS: usize = 4_000_000;

/// The walk of `coord:offset` through a series, step by step from the initial instance, remembered.
#[derive(Debug, Default)]
pub struct Walk {
    forward: Vec<i64>,
    backward: Vec<i64>,
}

/// What `coord:offset` finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Offset {
    /// The last instance not after the wanted time.
    At(Instant),
    /// It lies before the initial instance.
    BeforeInitial,
    /// The walk and the count from the initial instance disagree, which the reference takes for a broken invariant.
    Drifted,
    /// Further away than anyone looks.
    TooFar,
}

impl Walk {
    /// `CoordELFunctions.coord_offset_sync` from the raw time on.
    pub fn find(&mut self, series: &Series, wanted: Instant) -> Offset {
        let (mut at, mut count) = (series.initial, 0i32);
        if series.unit == Unit::Minute {
            let step = i64::from(series.frequency) * MINUTE;
            let steps = wanted.millis_since(at).div_euclid(step);
            if steps < 0 {
                return Offset::BeforeInitial;
            }
            return Offset::At(at.plus_millis(steps * step));
        }
        if wanted < at {
            return match self.backward(series, wanted) {
                Some((walked, steps)) if series.nth(steps) < series.initial => {
                    // The first instance before the initial one is also taken when it is exactly the wanted time.
                    let _ = walked;
                    Offset::BeforeInitial
                }
                Some((walked, steps)) => same_minute(walked, series.nth(steps)),
                None => Offset::TooFar,
            };
        }
        if wanted > at {
            let Some((walked, steps)) = self.forward(series, wanted) else { return Offset::TooFar };
            (at, count) = (walked, steps);
            if at > wanted {
                at = series.add(at, series.frequency.wrapping_neg());
                count -= 1;
            }
        }
        let counted = series.nth(count);
        if counted < series.initial {
            return Offset::BeforeInitial;
        }
        same_minute(at, counted)
    }

    /// The first point of the forward walk that is not before `wanted`, and its index.
    fn forward(&mut self, series: &Series, wanted: Instant) -> Option<(Instant, i32)> {
        let points = &mut self.forward;
        while points.last().is_none_or(|last| *last < wanted.millis()) {
            if points.len() >= MAX_OFFSET_STEPS {
                return None;
            }
            let last = points.last().map_or(series.initial, |last| Instant::from_millis(*last));
            points.push(series.next(last).millis());
        }
        let index = points.partition_point(|point| *point < wanted.millis());
        Some((Instant::from_millis(points[index]), index as i32 + 1))
    }

    /// The first point of the backward walk that is not after `wanted`, and its index.
    fn backward(&mut self, series: &Series, wanted: Instant) -> Option<(Instant, i32)> {
        let points = &mut self.backward;
        while points.last().is_none_or(|last| *last > wanted.millis()) {
            if points.len() >= MAX_OFFSET_STEPS {
                return None;
            }
            let last = points.last().map_or(series.initial, |last| Instant::from_millis(*last));
            points.push(series.add(last, series.frequency.wrapping_neg()).millis());
        }
        let index = points.partition_point(|point| *point > wanted.millis());
        Some((Instant::from_millis(points[index]), -(index as i32 + 1)))
    }
}

/// The reference compares the written datetimes.
fn same_minute(walked: Instant, counted: Instant) -> Offset {
    if walked.minutes() == counted.minutes() { Offset::At(walked) } else { Offset::Drifted }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::ProcessingZone;

    fn at(text: &str) -> Instant {
        ProcessingZone::UTC.parse_datetime(text).unwrap().instant
    }

    fn series(initial: &str, frequency: i32, unit: Unit) -> Series {
        Series::new(at(initial), frequency, unit, EndOfDuration::None, Zone::utc())
    }

    #[test]
    fn minutes_are_counted_without_walking() {
        let hourly = series("2024-01-01T00:00Z", 60, Unit::Minute);
        let current = hourly.current(at("2024-01-02T00:59Z")).unwrap();
        assert_eq!((current.count, current.instance), (24, at("2024-01-02T00:00Z")));
        assert_eq!(hourly.current(at("2023-12-31T23:59Z")), None);
        let found = hourly.range(current, -1, 0, 10).unwrap();
        assert_eq!(found, [at("2024-01-01T23:00Z"), at("2024-01-02T00:00Z")]);
        assert_eq!(hourly.range(current, -1_000_000_000, 0, 10), Err(1_000_000_001));
    }

    #[test]
    fn a_range_drifts_at_month_ends() {
        let monthly = series("2024-01-31T00:00Z", 1, Unit::Month);
        let current = monthly.current(at("2024-04-30T00:00Z")).unwrap();
        let found = monthly.range(current, -2, 0, 10).unwrap();
        assert_eq!(found, [at("2024-02-29T00:00Z"), at("2024-03-29T00:00Z"), at("2024-04-29T00:00Z")]);
    }

    #[test]
    fn an_offset_snaps_to_an_instance() {
        let daily = series("2024-01-01T00:00Z", 1, Unit::Day);
        let mut walk = Walk::default();
        assert_eq!(walk.find(&daily, at("2024-01-05T13:00Z")), Offset::At(at("2024-01-05T00:00Z")));
        assert_eq!(walk.find(&daily, at("2024-01-01T00:00Z")), Offset::At(at("2024-01-01T00:00Z")));
        assert_eq!(walk.find(&daily, at("2023-12-31T00:00Z")), Offset::BeforeInitial);
    }

    /// Every index, one after the other, as the definition of a current instance has it.
    fn last_not_after(series: &Series, wanted: Instant) -> Option<(i32, Instant)> {
        (0..).map(|index| (index, series.nth(index))).take_while(|(_, at)| *at <= wanted).last()
    }

    #[test]
    fn the_current_instance_is_the_last_that_is_not_later() {
        let units = [
            (1, Unit::Hour),
            (7, Unit::Hour),
            (1, Unit::Day),
            (3, Unit::Day),
            (1, Unit::Week),
            (2, Unit::Week),
            (1, Unit::Month),
            (5, Unit::Month),
            (1, Unit::Year),
            (2, Unit::Year),
            (25, Unit::Minute),
        ];
        for (frequency, unit) in units {
            let series = series("2021-11-15T03:20Z", frequency, unit);
            for days in [0, 1, 2, 3, 6, 7, 8, 16, 29, 30, 31, 45, 59, 61, 92, 151, 365, 366, 400, 731, 1096] {
                for minutes in [-1, 0, 1, 600] {
                    let wanted = series.initial.plus_minutes(days * 1440 + minutes);
                    let found = series.current(wanted).map(|found| (found.count, found.instance));
                    assert_eq!(
                        found,
                        last_not_after(&series, wanted),
                        "{frequency} {unit:?}, {days} days {minutes}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_range_leaves_out_what_was_before_the_first() {
        let daily = series("2024-01-01T00:00Z", 1, Unit::Day);
        let current = daily.current(at("2024-01-02T12:00Z")).unwrap();
        assert_eq!(
            daily.range(current, -3, 0, 10).unwrap(),
            [at("2024-01-01T00:00Z"), at("2024-01-02T00:00Z")]
        );
        assert_eq!(
            daily.range(current, 1, 2, 10).unwrap(),
            [at("2024-01-03T00:00Z"), at("2024-01-04T00:00Z")]
        );
        assert_eq!(daily.range(current, 0, -1, 10).unwrap(), []);
        // As many as the limit, and one more; those before the first do not count.
        assert_eq!(daily.range(current, 0, 9, 10).unwrap().len(), 10);
        assert_eq!(daily.range(current, 0, 10, 10), Err(11));
        assert_eq!(daily.range(current, -9, 8, 10).unwrap().len(), 10);
        assert_eq!(daily.range(current, -9, 9, 10), Err(19));
        assert_eq!(daily.range(current, -1000, 1, 10), Err(1002));
        assert_eq!(daily.range(current, i32::MAX - 1, i32::MAX, 10), Err(2));
        assert_eq!(daily.range(current, i32::MAX, i32::MAX - 1, 10), Ok(Vec::new()));
    }

    #[test]
    fn distances_are_counted_in_units() {
        let check = |frequency, unit, current: &str, start: &str, end: &str, expected: &[i32]| {
            let series = series("2024-01-01T00:00Z", frequency, unit);
            let found = series.distances(at(current), at(start), at(end), 20).unwrap();
            assert_eq!(found, expected, "{frequency} {unit:?} {start} {end}");
        };
        let noon = "2024-01-10T12:00Z";
        check(30, Unit::Minute, noon, "2024-01-10T11:00Z", "2024-01-10T12:59Z", &[-60, -30, 0, 30]);
        check(30, Unit::Minute, noon, "2024-01-10T11:01Z", "2024-01-10T12:00Z", &[-30, 0]);
        check(30, Unit::Minute, noon, "2024-01-10T12:01Z", "2024-01-10T13:00Z", &[30, 60]);
        check(2, Unit::Hour, noon, "2024-01-10T08:00Z", "2024-01-10T12:00Z", &[-4, -2, 0]);
        check(2, Unit::Hour, noon, "2024-01-10T09:00Z", "2024-01-10T12:00Z", &[-2, 0]);
        check(2, Unit::Hour, noon, "2024-01-10T13:00Z", "2024-01-10T16:00Z", &[2, 4]);
        check(1, Unit::Day, "2024-01-10T00:00Z", "2024-01-12T00:00Z", "2024-01-13T00:00Z", &[2, 3]);
        check(1, Unit::Day, "2024-01-10T00:00Z", "2024-01-12T00:00Z", "2024-01-11T00:00Z", &[]);
        let series = series("2024-01-01T00:00Z", 1, Unit::Day);
        let day = |number: i64| series.initial.plus_minutes(number * 1440);
        assert_eq!(series.distances(day(0), day(0), day(19), 20).map(|found| found.len()), Ok(20));
        assert_eq!(series.distances(day(0), day(0), day(20), 20), Err(21));
        assert_eq!(series.distances(day(30), day(9), day(9), 20), Err(21));
        assert_eq!(series.distances(day(30), day(10), day(10), 20), Ok(vec![-20]));
        let minutes = Series::new(day(0), 1, Unit::Minute, EndOfDuration::None, Zone::utc());
        assert_eq!(minutes.distances(day(0), day(0), day(0).plus_minutes(20), 20), Err(21));
        assert_eq!(
            minutes.distances(day(0), day(0), day(0).plus_minutes(19), 20).map(|found| found.len()),
            Ok(20)
        );
    }

    #[test]
    fn an_offset_walks_from_the_first_instance() {
        let hours = series("2024-01-01T00:00Z", 6, Unit::Hour);
        let minutes = series("2024-01-01T00:00Z", 360, Unit::Minute);
        for series in [hours, minutes] {
            let mut walk = Walk::default();
            for quarter in [9i64, 0, 40, 3, 41, -1, 12, -30] {
                for spare in [0, 1, 359] {
                    let wanted = series.initial.plus_minutes(quarter * 360 + spare);
                    let expected = match quarter {
                        ..0 => Offset::BeforeInitial,
                        _ => Offset::At(series.initial.plus_minutes(quarter * 360)),
                    };
                    assert_eq!(walk.find(&series, wanted), expected, "{:?} {quarter} {spare}", series.unit);
                }
            }
        }
        // Step by step from 31 January, the days of the month are lost; counted, they are not.
        let monthly = series("2024-01-31T00:00Z", 1, Unit::Month);
        assert_eq!(
            Walk::default().find(&monthly, at("2024-02-29T00:00Z")),
            Offset::At(at("2024-02-29T00:00Z"))
        );
        assert_eq!(Walk::default().find(&monthly, at("2024-03-31T00:00Z")), Offset::Drifted);
    }
}
