//! When a coordinator runs, what its datasets' instances are and which of them its events name, as far as values are known.
//!
//! What is not known is `None`, never a guess. What a server refuses is not told here.

use std::collections::{BTreeMap, BTreeSet};

use super::templates::Place;
use super::values::Values;
use crate::el::{self, NodeKind, Part, Residual};
use crate::model;
use crate::model::coordinator::{Datasets, Instances};
use crate::source::{Span, Text};
use crate::time::cron::Cron;
use crate::time::nominal::{Course, NominalTimes, Rhythm};
use crate::time::series::Series;
use crate::time::{EndOfDuration, Instant, Unit, Zone};

/// How many nominal times are gone through to reach one.
const MAX_SKIPPED: usize = 100_000;
/// For so long before its end a coordinator is looked at for its last time: two months, in which not even a time every
/// minute is too many, then nearly two years.
const LAST_MINUTES: [i64; 2] = [90_000, 1_000_000];

/// A frequency that is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Every {
    /// How times follow each other.
    pub rhythm: Rhythm,
    /// Whether they lie at the end of their period.
    pub end: EndOfDuration,
}

/// When a coordinator runs.
#[derive(Clone, Debug, Default)]
pub struct Schedule {
    /// The start.
    pub start: Option<Instant>,
    /// The end, which is no nominal time any more.
    pub end: Option<Instant>,
    /// The zone.
    pub zone: Option<Zone>,
    /// The frequency.
    pub every: Option<Every>,
}

/// A dataset that a coordinator can name.
#[derive(Clone, Debug)]
pub struct Dataset<'a> {
    /// What the file says.
    pub model: &'a model::coordinator::Dataset,
    /// How often it is produced; never a cron.
    pub every: Option<(i32, Unit, EndOfDuration)>,
    /// Its zone.
    pub zone: Option<Zone>,
    /// Its instances.
    pub series: Option<Series>,
}

/// Which instances an event names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Named {
    /// From one to another, counted from the current one.
    Current(i32, i32),
    /// Of those that exist, back from the present.
    Latest(i32, i32),
    /// Of those that exist among the next `limit`.
    Future {
        /// The first, from 0.
        start: i32,
        /// The last.
        end: i32,
        /// How many are looked at.
        limit: i32,
    },
}

/// A data-in or data-out.
#[derive(Clone, Debug)]
pub struct Event<'a> {
    /// Its name.
    pub name: &'a str,
    /// The name in the start tag.
    pub tag: Span,
    /// The dataset's name.
    pub dataset: String,
    /// Each `instance`, or the range as one, with the place where it begins; `None` where it cannot be known.
    pub named: Vec<(Option<Named>, Span)>,
    /// Where a range ends that is counted from the current instance, whether its beginning is known or not.
    pub last: Option<(i32, Span)>,
}

impl Schedule {
    /// What is known of a coordinator.
    pub fn new(model: &model::Coordinator, values: &Values) -> Schedule {
        Schedule {
            start: model.start.as_ref().and_then(|text| datetime(text, Place::Coordinator, values)),
            end: model.end.as_ref().and_then(|text| datetime(text, Place::Coordinator, values)),
            zone: model.timezone.as_ref().and_then(|text| zone(text, values)),
            every: model.frequency.as_ref().and_then(|text| every(text, values)),
        }
    }

    /// The nominal times, when everything about them is known.
    pub fn times(&self, values: &Values) -> Option<NominalTimes<'_>> {
        Some(NominalTimes::new(self.course(values)?))
    }

    /// The nominal times from `from` on, when everything about them is known.
    pub fn times_from(&self, from: Instant, values: &Values) -> Option<impl Iterator<Item = Instant>> {
        Some(self.skipping(from, values)?.take(MAX_SKIPPED).skip_while(move |at| *at < from))
    }

    /// The last nominal time, when it is known and not too far away.
    pub fn last(&self, values: &Values) -> Option<Instant> {
        let end = self.end?;
        let is_cron = matches!(self.every.as_ref()?.rhythm, Rhythm::Cron(_));
        // A cron is walked from its start in any case, so once.
        let near = LAST_MINUTES.iter().filter(|_| !is_cron).map(|minutes| end.plus_minutes(-minutes));
        near.chain(self.start).find_map(|from| {
            let mut times = self.skipping(from, values)?.fuse();
            let last = times.by_ref().take(MAX_SKIPPED).last();
            last.filter(|_| times.next().is_none())
        })
    }

    /// The nominal times from `from` on, and before it as many as cannot be left out without looking at each.
    fn skipping(&self, from: Instant, values: &Values) -> Option<impl Iterator<Item = Instant>> {
        // The times of a cron depend on the start, where the clocks change, and on the time before: none is left out.
        Some(NominalTimes::skipping(self.course(values)?, from).map_while(Result::ok).map(|time| time.at))
    }

    fn course(&self, values: &Values) -> Option<Course<'_>> {
        let every = self.every.as_ref()?;
        Some(Course {
            rhythm: &every.rhythm,
            end_of_duration: every.end,
            start: self.start?,
            end: self.end?,
            zone: self.zone?,
            processing: values.zone,
        })
    }
}

/// A datetime that is known.
pub fn datetime(text: &Text, place: Place, values: &Values) -> Option<Instant> {
    let value = values.trimmed(text, place)?;
    values.zone.parse_datetime(&value).ok().map(|parsed| parsed.instant)
}

/// A zone that is known.
pub fn zone(text: &Text, values: &Values) -> Option<Zone> {
    Zone::parse(&values.trimmed(text, Place::Coordinator)?).ok()
}

/// A frequency that is known and greater than zero, or a cron.
pub fn every(text: &Text, values: &Values) -> Option<Every> {
    let value = values.trimmed(text, Place::Frequency)?;
    let Ok(count) = value.parse::<i32>() else {
        let rhythm = Rhythm::Cron(Cron::parse(&value).ok()?);
        return Some(Every { rhythm, end: EndOfDuration::None });
    };
    let (template, _) = el::parse(text);
    let mut periods =
        template.calls().filter(|call| call.prefix == "coord").filter_map(|call| period(call.name));
    let (unit, end) = periods.next().unwrap_or((Unit::Minute, EndOfDuration::None));
    // Of several the last one that is evaluated counts, and which that is, is nobody's business.
    let is_plain = periods.all(|other| other == (unit, end));
    (count > 0 && is_plain).then_some(Every { rhythm: Rhythm::Steps { count, unit }, end })
}

/// The unit that a function of a frequency sets.
fn period(name: &str) -> Option<(Unit, EndOfDuration)> {
    Some(match name {
        "minutes" | "hours" => (Unit::Minute, EndOfDuration::None),
        "days" => (Unit::Day, EndOfDuration::None),
        "months" => (Unit::Month, EndOfDuration::None),
        "endOfDays" => (Unit::Day, EndOfDuration::EndOfDay),
        "endOfWeeks" => (Unit::Week, EndOfDuration::EndOfWeek),
        "endOfMonths" => (Unit::Month, EndOfDuration::EndOfMonth),
        _ => return None,
    })
}

/// The datasets of a coordinator by name: an embedded one hides an included one.
pub fn datasets<'a>(
    own: &'a Datasets,
    included: &[&'a Datasets],
    values: &Values,
) -> BTreeMap<&'a str, Dataset<'a>> {
    let mut found = BTreeMap::new();
    for dataset in included.iter().flat_map(|file| &file.datasets).chain(&own.datasets) {
        let Some(name) = &dataset.name else { continue };
        found.insert(name.value.trim(), Dataset::new(dataset, values));
    }
    found
}

impl<'a> Dataset<'a> {
    fn new(model: &'a model::coordinator::Dataset, values: &Values) -> Dataset<'a> {
        let every = model.frequency.as_ref().and_then(|text| every(text, values));
        let every = every.and_then(|every| match every.rhythm {
            Rhythm::Steps { count, unit } => Some((count, unit, every.end)),
            Rhythm::Cron(_) => None,
        });
        let zone = model.timezone.as_ref().and_then(|text| zone(text, values));
        let initial =
            model.initial_instance.as_ref().and_then(|text| datetime(text, Place::InitialInstance, values));
        let series = match (initial, every, zone) {
            (Some(initial), Some((count, unit, end)), Some(zone)) => {
                Some(Series::new(initial, count, unit, end, zone))
            }
            _ => None,
        };
        Dataset { model, every, zone, series }
    }
}

/// The instances that ranges counted from the current one name at some times, no more than about `limit`.
pub fn gather(
    series: &Series,
    ranges: &[(i32, i32)],
    times: impl Iterator<Item = Instant>,
    limit: usize,
) -> BTreeSet<Instant> {
    let mut found = BTreeSet::new();
    for at in times {
        let Some(current) = series.current(at) else { continue };
        for (start, end) in ranges {
            found.extend(series.range(current, *start, *end, limit).unwrap_or_default());
        }
        if found.len() > limit {
            break;
        }
    }
    found
}

impl Event<'_> {
    /// The ranges counted from the current instance, when it names nothing else.
    pub fn currents(&self) -> Option<Vec<(i32, i32)>> {
        let range = |(named, _): &(Option<Named>, Span)| match named {
            Some(Named::Current(start, end)) => Some((*start, *end)),
            _ => None,
        };
        self.named.iter().map(range).collect()
    }
}

/// The parts of a date that a URI template shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Parts {
    /// `${YEAR}`
    pub year: bool,
    /// `${MONTH}`
    pub month: bool,
    /// `${DAY}`
    pub day: bool,
    /// `${HOUR}`
    pub hour: bool,
    /// `${MINUTE}`
    pub minute: bool,
}

impl Dataset<'_> {
    /// The parts of a date in the URI; `None` when a property might bring others.
    pub fn parts(&self, values: &Values) -> Option<Parts> {
        let text = self.model.uri_template.as_ref()?;
        let (template, _) = el::parse(text);
        let shown = match values.partial(&template, Place::Coordinator)? {
            Residual::Value(value) => value.to_text().into_owned(),
            // What is not known may only stand before the first part of a date, where servers and folders are named.
            Residual::Template(rest) => {
                let mut shown = String::new();
                for part in &rest.parts {
                    match part {
                        Part::Literal { value, .. } => shown.push_str(value),
                        Part::Expression { .. } if shown.contains("${") => return None,
                        Part::Expression { .. } => {}
                    }
                }
                shown
            }
        };
        let has = |name: &str| shown.contains(&format!("${{{name}}}"));
        // Anything else that is still to be evaluated may be whatever it likes.
        let known = ["YEAR", "MONTH", "DAY", "HOUR", "MINUTE"];
        let open = shown.matches("${").count() + shown.matches("#{").count();
        let seen: usize = known.iter().map(|name| shown.matches(&format!("${{{name}}}")).count()).sum();
        (open == seen).then(|| Parts {
            year: has("YEAR"),
            month: has("MONTH"),
            day: has("DAY"),
            hour: has("HOUR"),
            minute: has("MINUTE"),
        })
    }

    /// The URI template with everything put in that a submission knows; the parts of a date stay.
    pub fn uri(&self, values: &Values) -> Option<String> {
        values.trimmed(self.model.uri_template.as_ref()?, Place::Coordinator)
    }

    /// How many minutes lie between two instances, at most where that varies.
    pub fn step_minutes(&self) -> Option<i64> {
        let (count, unit, _) = self.every?;
        let of_unit = match unit {
            Unit::Minute => 1,
            Unit::Hour => 60,
            Unit::Day => 25 * 60,
            Unit::Week => 7 * 25 * 60,
            Unit::Month => 31 * 25 * 60,
            Unit::Year => 366 * 25 * 60,
        };
        Some(i64::from(count) * of_unit)
    }
}

/// The events of one side: name, place, dataset and instances of each.
pub fn events<'a>(
    parts: impl Iterator<Item = (&'a Option<Text>, Span, &'a Option<Text>, &'a Instances)>,
    values: &Values,
) -> Vec<Event<'a>> {
    let event =
        |(name, tag, dataset, instances): (&'a Option<Text>, Span, &'a Option<Text>, &'a Instances)| {
            let dataset =
                dataset.as_ref().and_then(|text| values.trimmed(text, Place::Instance)).unwrap_or_default();
            let single = instances.single.iter().map(|text| (named(text, values).map(single), text.span));
            let range = match (&instances.start, &instances.end) {
                (Some(start), Some(end)) => {
                    let both = named(start, values).zip(named(end, values));
                    Some((both.and_then(|(start, end)| range(start, end)), start.span))
                }
                _ => None,
            };
            let name = name.as_ref().map_or("", |name| name.value.trim());
            let last = instances.end.as_ref().and_then(|text| match named(text, values)? {
                Function::Current(n) => Some((n, text.span)),
                _ => None,
            });
            Event {
                last,
                name,
                tag,
                dataset,
                named: single.map(|(found, at)| (found.flatten(), at)).chain(range).collect(),
            }
        };
    parts.map(event).collect()
}

/// One function of an instance, before it is known whether it stands alone.
#[derive(Clone, Copy)]
enum Function {
    Current(i32),
    CurrentRange(i32, i32),
    Latest(i32),
    LatestRange(i32, i32),
    Future(i32, i32),
    FutureRange(i32, i32, i32),
}

fn single(function: Function) -> Option<Named> {
    Some(match function {
        Function::Current(n) => Named::Current(n, n),
        Function::CurrentRange(start, end) => Named::Current(start, end),
        Function::Latest(n) => Named::Latest(n, n),
        Function::LatestRange(start, end) => Named::Latest(start, end),
        Function::Future(n, limit) => Named::Future { start: n, end: n, limit },
        Function::FutureRange(start, end, limit) => Named::Future { start, end, limit },
    })
}

fn range(start: Function, end: Function) -> Option<Named> {
    Some(match (start, end) {
        (Function::Current(start), Function::Current(end)) => Named::Current(start, end),
        (Function::Latest(start), Function::Latest(end)) => Named::Latest(start, end),
        (Function::Future(start, _), Function::Future(end, limit)) => Named::Future { start, end, limit },
        _ => return None,
    })
}

/// The function of an instance when it is one call with known arguments.
fn named(text: &Text, values: &Values) -> Option<Function> {
    let (template, _) = el::parse(text);
    match values.partial(&template, Place::Instance)? {
        Residual::Template(rest) => function(&rest),
        // A property may hold the function itself, for the next round.
        Residual::Value(value) => {
            let text = Text::computed(value.to_text().into_owned(), text.span);
            let (template, _) = el::parse(&text);
            match values.partial(&template, Place::Instance)? {
                Residual::Template(rest) => function(&rest),
                Residual::Value(_) => None,
            }
        }
    }
}

fn function(template: &el::Template) -> Option<Function> {
    let mut roots = template.parts.iter().filter_map(|part| match part {
        Part::Literal { value, .. } if value.trim().is_empty() => None,
        Part::Literal { .. } => Some(None),
        Part::Expression { root, .. } => Some(Some(*root)),
    });
    let (Some(Some(root)), None) = (roots.next(), roots.next()) else { return None };
    let NodeKind::Call { prefix, name, arguments } = &template.node(root).kind else { return None };
    if &**prefix != "coord" {
        return None;
    }
    let number = |index: usize| match &template.node(*arguments.get(index)?).kind {
        NodeKind::Long(number) => i32::try_from(*number).ok(),
        NodeKind::Double(number) => Some(*number as i32),
        NodeKind::String(text) => el::parse_double(text.trim()).map(|number| number as i32),
        NodeKind::Null => Some(0),
        _ => None,
    };
    Some(match &**name {
        "current" => Function::Current(number(0)?),
        "currentRange" => Function::CurrentRange(number(0)?, number(1)?),
        "latest" => Function::Latest(number(0)?),
        "latestRange" => Function::LatestRange(number(0)?, number(1)?),
        "future" => Function::Future(number(0)?, number(1)?),
        "futureRange" => Function::FutureRange(number(0)?, number(1)?, number(2)?),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::testing::text;

    #[test]
    fn frequencies_have_their_units() {
        let check = |value: &str, expected: Option<(i32, Unit, EndOfDuration)>| {
            let found = every(&text(value), Values::unknown()).and_then(|every| match every.rhythm {
                Rhythm::Steps { count, unit } => Some((count, unit, every.end)),
                Rhythm::Cron(_) => None,
            });
            assert_eq!(found, expected, "{value}");
        };
        check("1440", Some((1440, Unit::Minute, EndOfDuration::None)));
        check("${coord:hours(24)}", Some((1440, Unit::Minute, EndOfDuration::None)));
        check(" ${coord:endOfMonths(1)} ", Some((1, Unit::Month, EndOfDuration::EndOfMonth)));
        check("${coord:days(1) + coord:hours(1)}", None);
        check("${frequency}", None);
        check("0", None);
        check("0 0 * * *", None);
    }

    #[test]
    fn instances_are_read_when_they_are_one_call() {
        let check = |value: &str, expected: Option<Named>| {
            assert_eq!(named(&text(value), Values::unknown()).and_then(single), expected, "{value}");
        };
        check("${coord:current(-23)}", Some(Named::Current(-23, -23)));
        check(" ${coord:current(0 - 1)}\n", Some(Named::Current(-1, -1)));
        check("${coord:future(1, 5)}", Some(Named::Future { start: 1, end: 1, limit: 5 }));
        check("${coord:latestRange(-2,0)}", Some(Named::Latest(-2, 0)));
        check("${coord:current(coord:tzOffset())}", None);
        check("${coord:current(n)}", None);
        check("${coord:current(null)}", Some(Named::Current(0, 0)));
        check("${coord:current(1.9)}", Some(Named::Current(1, 1)));
        check("${coord:current(' 2 ')}", Some(Named::Current(2, 2)));
        check("${coord:current(true)}", None);
        check("${coord:hours(1)}", None);
        check("${wf:conf('x')}", None);
        check("x${coord:current(0)}", None);
        check("${coord:current(0)},${coord:current(1)}", None);
        check("2024-01-01T00:00Z", None);
    }
}

#[cfg(test)]
#[path = "schedule_tests.rs"]
mod model_tests;
