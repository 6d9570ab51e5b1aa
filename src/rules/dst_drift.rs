//! A frequency of 24 hours stands where a day is meant, in a zone with daylight saving.
//!
//! `coord:hours(24)`, `coord:minutes(1440)` and `1440` are so many minutes, whatever the clocks do: a coordinator that
//! starts at midnight runs at one o'clock once summer time begins. `coord:days(1)` is a step of the calendar in the
//! coordinator's `timezone` and keeps the local time. In a dataset the same slip moves instances away from the days of
//! the coordinators that read them. Said only where the clocks change while the job runs.
//!
//! ```xml
//! <coordinator-app frequency="${coord:hours(24)}" timezone="America/New_York" …>
//! <coordinator-app frequency="${coord:days(1)}" timezone="America/New_York" …>
//! ```

use super::{Check, Rule, Sink};
use crate::analysis::dates::{MAX_DATES, changes, day, grouped, time};
use crate::analysis::subject::Coordinator;
use crate::diag::{Diagnostic, Edit, Group, Info, Severity};
use crate::source::Text;
use crate::time::nominal::Rhythm;
use crate::time::{Instant, Unit, Zone};

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "dst-drift",
        group: Group::Meaning,
        severity: Severity::Warning,
        stage: None,
        mirrors: &[],
        explanation: include_str!("dst_drift.rs"),
    },
    check: Check::Coordinator(check),
};

const DAY_MINUTES: i32 = 24 * 60;

fn check(app: &Coordinator<'_>, sink: &mut Sink) {
    let schedule = &app.schedule;
    if let (Some(every), Some(text), Some(zone)) = (&schedule.every, &app.model.frequency, schedule.zone)
        && let Rhythm::Steps { count, unit: Unit::Minute } = every.rhythm
    {
        sink.extend(finding(app, text, (count, zone), (schedule.start, schedule.end)));
    }
    for dataset in app.datasets.values() {
        let (Some((count, Unit::Minute, _)), Some(text), Some(zone)) =
            (dataset.every, &dataset.model.frequency, dataset.zone)
        else {
            continue;
        };
        let initial = dataset.series.as_ref().map(|series| series.initial);
        sink.extend(finding(app, text, (count, zone), (initial, schedule.end)));
    }
}

fn finding(
    app: &Coordinator<'_>,
    text: &Text,
    (count, zone): (i32, Zone),
    (start, end): (Option<Instant>, Option<Instant>),
) -> Option<Diagnostic> {
    if count % DAY_MINUTES != 0 {
        return None;
    }
    let days = count / DAY_MINUTES;
    let moves = match (start, end) {
        (Some(start), Some(end)) => moves(start, end, count, zone),
        (Some(start), None) => moves(start, start.plus_minutes(366 * i64::from(DAY_MINUTES)), count, zone),
        (None, _) => zone.uses_dst().then(Vec::new)?,
    };
    if moves.is_empty() && start.is_some() {
        return None;
    }
    let (minutes, days_of) = (grouped(count.into()), if days == 1 { "a day" } else { "days" });
    let message = format!("{minutes} minutes are not {days_of} in `{}`, where clocks change", zone.id());
    let mut finding = Diagnostic::new(&RULE.info, text.span, message);
    if !moves.is_empty() {
        finding = finding.at(moves.join(", "));
    }
    let timezone = app.model.timezone.as_ref();
    if let Some(timezone) = timezone.filter(|timezone| timezone.span.file == text.span.file) {
        finding = finding.label(timezone.span, "the zone");
    }
    let better = format!("${{coord:days({days})}}");
    finding = finding.help(format!("write `{better}` to keep the local time"));
    // A value that comes from elsewhere is not replaced here.
    let is_written = !text.value.contains("${") || text.value.contains("${coord:");
    let edit = || vec![Edit { span: text.span, text: better }];
    Some(if is_written { finding.fix(false, edit()) } else { finding })
}

/// From when on the times come at another hour of the day, in words.
fn moves(start: Instant, end: Instant, minutes: i32, zone: Zone) -> Vec<String> {
    let step = i64::from(minutes) * 60_000;
    let mut last = time(zone.local(start));
    let mut moves = Vec::new();
    let changes = changes(zone, start, end);
    for change in &changes {
        let steps = (change.at.millis_since(start) + step - 1) / step;
        let first = start.plus_millis(steps * step);
        let local = zone.local(first);
        if first >= end || time(local) == last {
            continue;
        }
        last = time(local);
        if moves.len() == MAX_DATES {
            moves.push("and so on".to_owned());
            break;
        }
        let lead =
            if moves.is_empty() { format!("{} at first, ", time(zone.local(start))) } else { String::new() };
        moves.push(format!("{lead}from {} on at {last}", day(local)));
    }
    moves
}
