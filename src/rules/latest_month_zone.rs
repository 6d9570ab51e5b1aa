//! `coord:latest` or `coord:future` looks for other months than the dataset has.
//!
//! For a dataset of months in another zone than the processing timezone, servers put the wall time of the dataset's zone
//! into the URIs that these functions look for, where `coord:current` and the data themselves go by the processing
//! timezone: midnight of 1 May in Paris is 22:00 of 30 April in UTC, and 1 May 00:00 where `coord:latest` looks. So one
//! month is taken for another, or nothing is found. Only the newest month is named right. Give such a dataset the zone
//! of the server, with an initial instance at midnight there, or count with `coord:current`.
//!
//! ```xml
//! <dataset frequency="${coord:months(1)}" initial-instance="2022-12-31T23:00Z" timezone="Europe/Paris" …>
//! <dataset frequency="${coord:months(1)}" initial-instance="2023-01-01T00:00Z" timezone="UTC" …>
//! ```

use super::{Check, Rule, Sink};
use crate::analysis::schedule::{Dataset, Event, Named};
use crate::analysis::subject::Coordinator;
use crate::diag::{Diagnostic, Group, Info, Severity};
use crate::source::Span;
use crate::time::Instant;
use crate::time::civil::Local;

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "latest-month-zone",
        group: Group::Meaning,
        severity: Severity::Warning,
        stage: None,
        mirrors: &[],
        explanation: include_str!("latest_month_zone.rs"),
    },
    check: Check::Coordinator(check),
};

/// How many instances are looked at: both halves of the year, and leap years.
const INSTANCES: i32 = 48;

fn check(app: &Coordinator<'_>, sink: &mut Sink) {
    for event in &app.inputs {
        let dataset = app.datasets.get(event.dataset.as_str());
        sink.extend(dataset.and_then(|dataset| finding(app, event, dataset)));
    }
}

fn finding(app: &Coordinator<'_>, event: &Event<'_>, dataset: &Dataset<'_>) -> Option<Diagnostic> {
    let (function, place) = event.named.iter().find_map(looking)?;
    let (series, parts) = (dataset.series.as_ref()?, dataset.parts(app.values)?);
    let processing = app.values.zone;
    let shown = |at: Instant| {
        let Local { date, hour, minute, .. } = processing.zone().local(at);
        let all = [date.year, date.month.into(), date.day.into(), hour.into(), minute.into()];
        let has = [parts.year, parts.month, parts.day, parts.hour, parts.minute];
        all.into_iter().zip(has).map(move |(part, has)| has.then_some(part)).collect::<Vec<_>>()
    };
    let mut pairs =
        (1..INSTANCES).map(|index| (series.nth(index), series.nth_as_named(index, processing.zone())));
    let (is, named) = pairs.find(|(is, named)| shown(*is) != shown(*named))?;
    let message = format!(
        "`coord:{function}` looks for the instance {} of `{}` by the URI of {}",
        processing.format(is),
        event.dataset,
        processing.format(named)
    );
    let mut found = Diagnostic::new(&RULE.info, place, message);
    if let Some(zone) = &dataset.model.timezone {
        found = found.label(zone.span, "its wall time is taken");
    }
    let help = "give the dataset the zone of the server and an initial instance at midnight there, or count with \
                `coord:current`";
    Some(found.help(help))
}

/// The function of an instance that is looked for, and its place.
fn looking((named, place): &(Option<Named>, Span)) -> Option<(&'static str, Span)> {
    match named {
        Some(Named::Latest(..)) => Some(("latest", *place)),
        Some(Named::Future { .. }) => Some(("future", *place)),
        _ => None,
    }
}
