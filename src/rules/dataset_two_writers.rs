//! Two coordinators of one bundle write the same URI.
//!
//! Both name a dataset with the same URI template among their outputs, and in the time in which both run they name the
//! same instances. Whichever ends last wins, a rerun of one deletes what the other wrote, and whoever waits for the data
//! goes on after the first. Give each its own dataset, or let one of them end before the other starts. Coordinators
//! that are not submitted together are not compared: copies of one app for several environments are no fault.

use std::collections::BTreeMap;

use super::{Check, Rule, Sink};
use crate::analysis::schedule::{Event, gather};
use crate::analysis::subject::{Member, Package};
use crate::diag::{Diagnostic, Group, Info, Severity};
use crate::time::Instant;

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "dataset-two-writers",
        group: Group::Meaning,
        severity: Severity::Warning,
        stage: None,
        mirrors: &[],
        explanation: include_str!("dataset_two_writers.rs"),
    },
    check: Check::Package(check),
};

/// How many instances of each are compared.
const MAX_INSTANCES: usize = 2_000;
/// How many writers of one URI are compared with each other.
const MAX_WRITERS: usize = 20;

/// Somebody who writes.
struct Writer<'p, 'a> {
    member: &'p Member<'a>,
    event: &'p Event<'a>,
}

fn check(program: &Package<'_>, sink: &mut Sink) {
    let mut writers: BTreeMap<String, Vec<Writer<'_, '_>>> = BTreeMap::new();
    for member in &program.coordinators {
        for event in &member.app.outputs {
            let dataset = member.app.datasets.get(event.dataset.as_str());
            let Some(uri) = dataset.and_then(|dataset| dataset.uri(member.app.values)) else { continue };
            let known = writers.entry(uri.trim_end_matches('/').to_owned()).or_default();
            if known.len() < MAX_WRITERS {
                known.push(Writer { member, event });
            }
        }
    }
    for (uri, writers) in &writers {
        for (index, second) in writers.iter().enumerate() {
            let others = writers[..index].iter().filter(|first| !std::ptr::eq(first.member, second.member));
            let found = others.filter_map(|first| Some((first, both_write(uri, first, second)?)));
            if let Some((first, at)) = found.min_by_key(|(_, at)| *at) {
                sink.push(finding(uri, first, second, at));
            }
        }
    }
}

fn finding(uri: &str, first: &Writer<'_, '_>, second: &Writer<'_, '_>, at: Instant) -> Diagnostic {
    let zone = second.member.app.values.zone;
    let (one, two) = (&first.member.name, &second.member.name);
    let message = format!("`{two}` writes what `{one}` writes too, from {} on: `{uri}`", zone.format(at));
    // Two coordinators made of one file differ in the bundle only.
    let is_one_file = first.event.tag == second.event.tag;
    let place = second.member.place.filter(|_| is_one_file).unwrap_or(second.event.tag);
    let mut finding = Diagnostic::new(&RULE.info, place, message);
    if !is_one_file {
        finding = finding.label(first.event.tag, format!("`{one}` writes it here"));
    }
    let places = [(first.member, one), (second.member, two)];
    for (member, name) in places {
        if let Some(span) = member.place.filter(|span| *span != place) {
            finding = finding.label(span, format!("`{name}` in the bundle"));
        }
    }
    finding.help("give each coordinator a dataset of its own, or run one after the other")
}

/// The first instance that both write in the time in which both run.
fn both_write(uri: &str, first: &Writer<'_, '_>, second: &Writer<'_, '_>) -> Option<Instant> {
    let (a, b) = (&first.member.app, &second.member.app);
    let from = a.schedule.start?.max(b.schedule.start?);
    if from >= a.schedule.end?.min(b.schedule.end?) {
        return None;
    }
    if !uri.contains("${") {
        // One place for all times.
        return Some(from);
    }
    let written = |writer: &Writer<'_, '_>| {
        let app = &writer.member.app;
        let series = app.datasets.get(writer.event.dataset.as_str())?.series.as_ref()?;
        let times = app.schedule.times_from(from, app.values)?;
        Some(gather(series, &writer.event.currents()?, times, MAX_INSTANCES))
    };
    let other = written(second)?;
    written(first)?.into_iter().find(|at| other.contains(at))
}
