//! The URI of a dataset does not tell two of its instances apart.
//!
//! Hourly data under a URI without `${HOUR}` have one URI for all hours of a day: a coordinator that waits for the last
//! one goes on when the first one is there, and outputs overwrite each other. Name every part of the date that the
//! frequency moves. Of inputs only instances that the coordinator names are compared, and a URI without any part of a date
//! is left alone: it means one thing that stays in its place. Where a part stands twice (`${DAY}/${DAY}`), the one that is
//! missing was meant.
//!
//! ```xml
//! <dataset frequency="${coord:hours(1)}" …><uri-template>hdfs://nn/clicks/${YEAR}/${MONTH}/${DAY}</uri-template>
//! <dataset frequency="${coord:hours(1)}" …><uri-template>hdfs://nn/clicks/${YEAR}/${MONTH}/${DAY}/${HOUR}</uri-template>
//! ```

use std::collections::{BTreeMap, BTreeSet};

use super::{Check, Rule, Sink};
use crate::analysis::schedule::{Dataset, Named, Parts, gather};
use crate::analysis::subject::Coordinator;
use crate::diag::{Diagnostic, Group, Info, Severity};
use crate::time::civil::Local;
use crate::time::nominal::{Course, NominalTimes};
use crate::time::series::Series;
use crate::time::{Instant, Zone};

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "dataset-uri-granularity",
        group: Group::Meaning,
        severity: Severity::Warning,
        stage: None,
        mirrors: &[],
        explanation: include_str!("dataset_uri_granularity.rs"),
    },
    check: Check::Coordinator(check),
};

const HOUR_MINUTES: i64 = 60;
const DAY_MINUTES: i64 = 24 * HOUR_MINUTES;
/// How many instances are compared.
const MAX_INSTANCES: usize = 5_000;
/// How many actions are looked at.
const MAX_ACTIONS: usize = 2_000;
/// Noon on 1 January 2024: the start where the true one is not known.
const SOME_DAY: Instant = Instant::from_seconds(1_704_110_400);
/// For so long a coordinator is looked at whose start is not known.
const A_WEEK_MINUTES: i64 = 7 * 24 * 60;

fn check(app: &Coordinator<'_>, sink: &mut Sink) {
    for (name, dataset) in &app.datasets {
        sink.extend(finding(app, name, dataset));
    }
}

fn finding(app: &Coordinator<'_>, name: &str, dataset: &Dataset<'_>) -> Option<Diagnostic> {
    let (text, parts) = (dataset.model.uri_template.as_ref()?, dataset.parts(app.values)?);
    if parts == Parts::default() {
        return None;
    }
    // A part that stands there twice has most likely taken the place of another.
    let twice = twice(&text.value);
    if let Some((before, missing, behind)) = gap(parts).filter(|_| twice) {
        let message = format!(
            "the URI of `{name}` has `${{{before}}}` and `${{{behind}}}` and no `${{{missing}}}` between"
        );
        let finding = Diagnostic::new(&RULE.info, text.span, message);
        return Some(finding.help(format!("add `${{{missing}}}` to the template")));
    }
    let by_names = named(app, name, dataset).and_then(|(instances, is_true)| {
        let (first, second) = collision(&instances, parts)?;
        Some((first, second, is_true))
    });
    let Some((first, second, is_true)) = by_names else {
        let is_output = app.outputs.iter().any(|event| event.dataset == name);
        // A bare number is minutes, and often meant to be something else.
        let is_bare =
            dataset.model.frequency.as_ref().is_some_and(|it| it.value.trim().parse::<i64>().is_ok());
        return too_coarse(name, dataset, parts).filter(|_| is_output || twice || is_bare);
    };
    let missing = missing(parts, first, second);
    let zone = app.values.zone;
    let which = match is_true {
        true => format!("{} and {}", zone.format(first), zone.format(second)),
        false => "different instances".to_owned(),
    };
    let message = format!("the URI of `{name}` is the same for {which}: it lacks `${{{missing}}}`");
    let mut finding = Diagnostic::new(&RULE.info, text.span, message);
    if let Some(frequency) = &dataset.model.frequency {
        finding = finding.label(frequency.span, "how often there is a new instance");
    }
    Some(finding.help(format!("add `${{{missing}}}` to the template")))
}

/// Whether a template has a part of a date twice and another one once.
fn twice(template: &str) -> bool {
    let counts = ["YEAR", "MONTH", "DAY", "HOUR", "MINUTE"]
        .map(|name| template.matches(&format!("${{{name}}}")).count());
    counts.contains(&1) && counts.contains(&2)
}

/// A part of a date that is left out between two others, with these.
fn gap(parts: Parts) -> Option<(&'static str, &'static str, &'static str)> {
    let shown = [
        ("YEAR", parts.year),
        ("MONTH", parts.month),
        ("DAY", parts.day),
        ("HOUR", parts.hour),
        ("MINUTE", parts.minute),
    ];
    let first = shown.iter().position(|(_, is_shown)| *is_shown)?;
    let last = shown.iter().rposition(|(_, is_shown)| *is_shown)?;
    let (missing, _) = shown[first..last].iter().find(|(_, is_shown)| !is_shown)?;
    Some((shown[first].0, missing, shown[last].0))
}

/// Several instances lie within the finest part that the URI shows, whichever of them the coordinator names.
fn too_coarse(name: &str, dataset: &Dataset<'_>, parts: Parts) -> Option<Diagnostic> {
    let (text, frequency) = (dataset.model.uri_template.as_ref()?, dataset.model.frequency.as_ref()?);
    let (what, missing, minutes) = match parts {
        Parts { minute: true, .. } => return None,
        Parts { hour: true, .. } => ("an hour", "MINUTE", HOUR_MINUTES),
        Parts { day: true, .. } => ("a day", "HOUR", DAY_MINUTES),
        Parts { month: true, .. } => ("a month", "DAY", 28 * DAY_MINUTES),
        _ => return None,
    };
    if dataset.step_minutes()? >= minutes {
        return None;
    }
    let message = format!("the URI of `{name}` is the same for all instances of {what}");
    Some(
        Diagnostic::new(&RULE.info, text.span, message)
            .label(frequency.span, "how often there is a new instance")
            .help(format!("add `${{{missing}}}` to the template, or let instances be {what} apart")),
    )
}

/// The instances that the coordinator names in its range, in order; where that is not known, those that it would name
/// in some week, and then they are not true dates.
fn named(app: &Coordinator<'_>, name: &str, dataset: &Dataset<'_>) -> Option<(BTreeSet<Instant>, bool)> {
    let mut ranges = Vec::new();
    let mut any = false;
    for (named, _) in
        app.inputs.iter().chain(&app.outputs).filter(|event| event.dataset == name).flat_map(|e| &e.named)
    {
        match named {
            Some(Named::Current(start, end)) => ranges.push((*start, *end)),
            Some(Named::Latest(start, end)) if start == end => {}
            Some(Named::Future { start, end, .. }) if start == end => {}
            Some(Named::Latest(..) | Named::Future { .. }) => any = true,
            None => return None,
        }
    }
    if let (Some(series), Some(times)) = (&dataset.series, app.schedule.times(app.values)) {
        let times: Vec<Instant> = times.take(MAX_ACTIONS).map_while(|time| Some(time.ok()?.at)).collect();
        let mut found = gather(series, &ranges, times.iter().copied(), MAX_INSTANCES);
        if let (true, Some(last)) = (any, times.last()) {
            // Several of those that exist: any neighbours.
            let all = (0..MAX_INSTANCES as i32).map(|index| series.nth(index));
            found.extend(all.take_while(|at| at <= last));
        }
        return Some((found, true));
    }
    let (count, unit, end) = dataset.every?;
    let series = Series::new(SOME_DAY.plus_minutes(-10 * A_WEEK_MINUTES), count, unit, end, Zone::utc());
    let every = app.schedule.every.as_ref()?;
    let times = NominalTimes::new(Course {
        rhythm: &every.rhythm,
        end_of_duration: every.end,
        start: SOME_DAY,
        end: SOME_DAY.plus_minutes(A_WEEK_MINUTES),
        zone: Zone::utc(),
        processing: app.values.zone,
    });
    let times = times.take(MAX_ACTIONS).map_while(|time| Some(time.ok()?.at));
    Some((gather(&series, &ranges, times, MAX_INSTANCES), false))
}

/// The first two instances with one URI.
fn collision(instances: &BTreeSet<Instant>, parts: Parts) -> Option<(Instant, Instant)> {
    let mut seen: BTreeMap<Key, Instant> = BTreeMap::new();
    instances.iter().find_map(|at| Some((seen.insert(key(parts, *at), *at)?, *at)))
}

type Key = (i64, u8, u8, u8, u8);

/// What a URI shows of an instance, in UTC.
fn key(parts: Parts, at: Instant) -> Key {
    let Local { date, hour, minute, .. } = Zone::utc().local(at);
    let of = |shown: bool, part: u8| if shown { part } else { 0 };
    (
        if parts.year { date.year } else { 0 },
        of(parts.month, date.month),
        of(parts.day, date.day),
        of(parts.hour, hour),
        of(parts.minute, minute),
    )
}

/// The largest part of a date that differs between two instances and that the URI lacks.
fn missing(parts: Parts, first: Instant, second: Instant) -> &'static str {
    let (a, b) = (Zone::utc().local(first), Zone::utc().local(second));
    let differs = [
        ("YEAR", parts.year, a.date.year != b.date.year),
        ("MONTH", parts.month, a.date.month != b.date.month),
        ("DAY", parts.day, a.date.day != b.date.day),
        ("HOUR", parts.hour, a.hour != b.hour),
    ];
    differs.iter().find(|(_, shown, differ)| !shown && *differ).map_or("MINUTE", |(name, ..)| name)
}
