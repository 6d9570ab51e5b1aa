//! A range of so many hours stands for a day, in a zone with daylight saving.
//!
//! A coordinator that runs once a day of its `timezone` and reads `current(-24)` to `current(-1)` of hourly data misses an hour
//! on the day with twenty-five and reads one twice where the day has twenty-three. `coord:hoursInDay` gives the number
//! that is right for the day. Reported only where the clocks change while the job runs.
//!
//! ```xml
//! <start-instance>${coord:current(-24)}</start-instance>
//! <start-instance>${coord:current(-(coord:hoursInDay(-1)))}</start-instance>
//! ```

use super::{Check, Rule, Sink};
use crate::analysis::dates::changes;
use crate::analysis::schedule::Named;
use crate::analysis::subject::Coordinator;
use crate::diag::{Diagnostic, Group, Info, Severity};
use crate::time::Unit;
use crate::time::nominal::Rhythm;

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "dst-constant-range",
        group: Group::Meaning,
        severity: Severity::Warning,
        stage: None,
        mirrors: &[],
        explanation: include_str!("dst_constant_range.rs"),
    },
    check: Check::Coordinator(check),
};

const DAY_MINUTES: i32 = 24 * 60;

fn check(app: &Coordinator<'_>, sink: &mut Sink) {
    let schedule = &app.schedule;
    let (Some(every), Some(zone)) = (&schedule.every, schedule.zone) else { return };
    let is_daily = matches!(every.rhythm, Rhythm::Steps { unit: Unit::Day | Unit::Week | Unit::Month, .. });
    let changes_clocks = match (schedule.start, schedule.end) {
        (Some(start), Some(end)) => !changes(zone, start, end).is_empty(),
        _ => zone.uses_dst(),
    };
    if !is_daily || !changes_clocks {
        return;
    }
    for event in &app.inputs {
        let dataset = app.datasets.get(event.dataset.as_str());
        let Some((count, Unit::Minute, _)) = dataset.and_then(|dataset| dataset.every) else { continue };
        for (named, span) in &event.named {
            let Some(Named::Current(start, end)) = named else { continue };
            let minutes = end.saturating_sub(*start).saturating_add(1).saturating_mul(count);
            if start == end || minutes <= 0 || minutes % DAY_MINUTES != 0 {
                continue;
            }
            let hours = minutes / 60;
            let message =
                format!("{hours} hours are not always a day in `{}`, where clocks change", zone.id());
            let mut finding = Diagnostic::new(&RULE.info, *span, message);
            if let Some(timezone) = &app.model.timezone {
                finding = finding.label(timezone.span, "the zone");
            }
            sink.push(finding.help("count with `coord:hoursInDay`"));
        }
    }
}
