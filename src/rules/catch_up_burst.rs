//! A coordinator starts so far back that many actions are due at once when it is submitted.
//!
//! Oozie makes an action for every nominal time since `start`, a few at a time, and runs them all, oldest first: the
//! newest has to wait for all of the past. Said only where `--now` gives the time of submission. Move the start
//! forward, or set `execution` to LAST_ONLY if only the newest action matters.

use super::{Check, Rule, Sink};
use crate::analysis::dates::grouped;
use crate::analysis::subject::Coordinator;
use crate::analysis::templates::Place;
use crate::diag::{Diagnostic, Group, Info, Severity};
use crate::time::nominal::Rhythm;
use crate::time::{EndOfDuration, Instant, Unit};

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "catch-up-burst",
        group: Group::Meaning,
        severity: Severity::Warning,
        stage: None,
        mirrors: &[],
        explanation: include_str!("catch_up_burst.rs"),
    },
    check: Check::Coordinator(check),
};

/// So many actions are no burst.
const FEW: i64 = 24;
/// How many actions are counted one by one.
const MAX_COUNTED: i64 = 100_000;

fn check(app: &Coordinator<'_>, sink: &mut Sink) {
    let (Some(now), Some(text)) = (app.values.now, &app.model.start) else { return };
    let execution = app.model.controls.execution.as_ref();
    let order =
        execution.map_or(Some("FIFO".to_owned()), |text| app.values.trimmed(text, Place::Coordinator));
    if !matches!(order.as_deref(), Some("FIFO" | "LIFO")) {
        return;
    }
    let Some(count) = due(app, now) else { return };
    if count <= FEW {
        return;
    }
    let at_least = if count >= MAX_COUNTED { "at least " } else { "" };
    let message = format!(
        "{at_least}{} actions are due at once when it is submitted at {}",
        grouped(count),
        app.values.zone.format(now)
    );
    let help = "move the start forward, or set `execution` to LAST_ONLY if only the newest action matters";
    sink.push(Diagnostic::new(&RULE.info, text.span, message).help(help));
}

/// How many nominal times lie before `now`.
fn due(app: &Coordinator<'_>, now: Instant) -> Option<i64> {
    let schedule = &app.schedule;
    let (every, start) = (schedule.every.as_ref()?, schedule.start?);
    let end = schedule.end?.min(now);
    if let (Rhythm::Steps { count, unit: Unit::Minute }, EndOfDuration::None) = (&every.rhythm, every.end) {
        let step = i64::from(*count) * 60_000;
        return Some((end.millis_since(start).max(0) + step - 1) / step);
    }
    let times = schedule.times(app.values)?.take(MAX_COUNTED as usize);
    Some(times.take_while(|time| time.is_ok_and(|time| time.at < end)).count() as i64)
}
