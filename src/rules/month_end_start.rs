//! A monthly coordinator starts, or a monthly dataset begins, on the 29th, 30th or 31st.
//!
//! Oozie adds months as Java's calendar does: 31 January and one month is 29 February, the last day that there is. A
//! coordinator then runs on another day in short months. A dataset is worse: where its instances are counted from one
//! of those, they stay on the 28th or 29th, so that the same month has another instance for another action. Start on a
//! day that every month has, or say `coord:endOfMonths(1)`, which moves to the first of the next month.
//!
//! ```xml
//! <coordinator-app frequency="${coord:months(1)}" start="2024-01-31T00:00Z" …>       <!-- 02-29, 03-31, 04-30 … -->
//! <coordinator-app frequency="${coord:endOfMonths(1)}" start="2024-01-31T00:00Z" …>  <!-- 02-01, 03-01, 04-01 … -->
//! ```

use super::{Check, Rule, Sink};
use crate::analysis::dates::{day, list};
use crate::analysis::subject::Coordinator;
use crate::diag::{Diagnostic, Group, Info, Severity};
use crate::source::{Span, Text};
use crate::time::nominal::Rhythm;
use crate::time::{EndOfDuration, Instant, Unit, Zone, calendar};

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "month-end-start",
        group: Group::Meaning,
        severity: Severity::Warning,
        stage: None,
        mirrors: &[],
        explanation: include_str!("month_end_start.rs"),
    },
    check: Check::Coordinator(check),
};

/// How many months are looked at.
const MAX_MONTHS: i64 = 600;
/// How many months are looked at where the end is not known.
const SOME_MONTHS: i64 = 12;

fn check(app: &Coordinator<'_>, sink: &mut Sink) {
    let schedule = &app.schedule;
    if let (Some(every), Some(start), Some(zone)) = (&schedule.every, schedule.start, schedule.zone)
        && let Rhythm::Steps { count, unit: Unit::Month } = every.rhythm
        && every.end == EndOfDuration::None
    {
        let what = ("the coordinator runs", app.model.frequency.as_ref().map(|text| text.span));
        sink.extend(finding(app.model.start.as_ref(), start, count, zone, schedule.end, what));
    }
    for dataset in app.datasets.values() {
        let (Some(series), Some((count, Unit::Month, EndOfDuration::None))) =
            (&dataset.series, dataset.every)
        else {
            continue;
        };
        let what = ("the dataset has its instances", dataset.model.frequency.as_ref().map(|text| text.span));
        let text = dataset.model.initial_instance.as_ref();
        sink.extend(finding(text, series.initial, count, series.zone, schedule.end, what));
    }
}

fn finding(
    text: Option<&Text>,
    start: Instant,
    months: i32,
    zone: Zone,
    end: Option<Instant>,
    (what, frequency): (&str, Option<Span>),
) -> Option<Diagnostic> {
    let wanted = zone.local(start).date.day;
    if wanted < 29 {
        return None;
    }
    let most = if end.is_some() { MAX_MONTHS } else { SOME_MONTHS };
    let times = (1..most).map(|index| calendar::add(start, index * i64::from(months), Unit::Month, zone));
    let within = times.take_while(|at| end.is_none_or(|end| *at < end));
    let moved: Vec<String> =
        within.map(|at| zone.local(at)).filter(|local| local.date.day != wanted).map(day).collect();
    if moved.is_empty() {
        return None;
    }
    let message = format!("not every month has a day {wanted}: {what} on other days in short months");
    let mut finding = Diagnostic::new(&RULE.info, text?.span, message).at(format!("moved: {}", list(&moved)));
    if let Some(span) = frequency {
        finding = finding.label(span, "counted in months");
    }
    Some(finding.help("start on a day that every month has, or use `coord:endOfMonths`"))
}
