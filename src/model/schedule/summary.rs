//! A schedule in one sentence.

use super::constraint::{Constraint, Limit, Window};
use super::duration::duration_text;
use super::name::Status;
use super::trigger::{Condition, Trigger, Unit, UnitKind};
use super::{DEFAULT_NAMESPACE, Schedule};

/// `Feeds/Clean runs after Feeds/Download is COMPLETED, one at a time, between 22:00 and 06:00 Europe/Berlin`.
pub fn summary(schedule: &Schedule) -> String {
    let mut text = format!("{} runs {}", schedule.program, trigger(&schedule.trigger, true));
    for constraint in &schedule.constraints {
        text.push_str(", ");
        text.push_str(&limit(constraint));
    }
    text
}

fn trigger(trigger: &Trigger, is_outermost: bool) -> String {
    let (parts, word) = match trigger {
        Trigger::Unit(it) => return unit(it),
        Trigger::All(parts) => (parts, " and "),
        Trigger::Any(parts) => (parts, " or "),
    };
    let text = parts.iter().map(|part| self::trigger(part, parts.len() == 1)).collect::<Vec<_>>().join(word);
    if is_outermost || parts.len() == 1 { text } else { format!("({text})") }
}

fn unit(unit: &Unit) -> String {
    match &unit.kind {
        UnitKind::Program { program, statuses, condition, .. } => {
            let names: Vec<_> = statuses.iter().copied().map(Status::name).collect();
            format!("after {program} is {}{}", names.join(" or "), self::condition(condition))
        }
        UnitKind::Time { cron } => format!("at `{}`", cron.value),
        UnitKind::Partition { namespace, dataset, count } => {
            let namespace = match namespace.as_str() {
                DEFAULT_NAMESPACE => String::new(),
                other => format!("{other}:"),
            };
            let plural = if *count == 1 { "instance" } else { "instances" };
            format!("after {count} new {plural} of {namespace}{}", dataset.value)
        }
    }
}

fn condition(condition: &Condition) -> String {
    let key = condition.key.as_ref().map(|key| match &condition.value {
        Some(value) => format!("`{}` is `{}`", key.value, value.value),
        None => format!("`{}` is present", key.value),
    });
    let expression = condition.expression.as_ref().map(|expression| format!("`{}`", expression.value));
    let parts: Vec<_> = key.into_iter().chain(expression).collect();
    if parts.is_empty() { String::new() } else { format!(" if {}", parts.join(" and ")) }
}

fn limit(constraint: &Constraint) -> String {
    let waits = constraint.waits;
    match &constraint.limit {
        Limit::Concurrency { max } => {
            let many =
                if *max == 1 { "one at a time".to_owned() } else { format!("at most {max} at a time") };
            if waits { many + ", waiting its turn" } else { many }
        }
        Limit::Delay { millis } => format!("{} later", duration_text(*millis)),
        Limit::TimeRange(window) => {
            let zone = window.zone.map_or(String::new(), |zone| format!(" {}", zone.id()));
            let word = if waits { "between" } else { "only between" };
            let [start, end] = [window.start_minute, window.end_minute].map(Window::text);
            format!("{word} {start} and {end}{zone}")
        }
        Limit::LastRun { millis } => {
            let word = if waits { "no sooner than" } else { "only if" };
            let tail = if waits { "after the last run" } else { "have passed since the last run" };
            format!("{word} {} {tail}", duration_text(*millis))
        }
    }
}
