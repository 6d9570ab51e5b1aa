//! The constraints of a schedule cannot be met together before the timeout.
//!
//! Every job is given up then: a DELAY is as long as the timeout or longer, or two ranges of the day have no minute in common.

use super::{Check, Rule, Sink};
use crate::analysis::schedules::Schedules;
use crate::diag::{Diagnostic, Group, Info, Severity};
use crate::model::schedule::{Limit, Window, duration_text};
use crate::source::Span;

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "schedule-constraint-conflict",
        group: Group::Meaning,
        severity: Severity::Error,
        stage: None,
        mirrors: &[],
        explanation: include_str!("schedule_constraint_conflict.rs"),
    },
    check: Check::Schedules(check),
};

fn check(schedules: &Schedules<'_>, sink: &mut Sink) {
    for schedule in schedules.list {
        let mut windows: Vec<(&Window, Span)> = Vec::new();
        for constraint in &schedule.constraints {
            match &constraint.limit {
                Limit::Delay { millis } if *millis >= schedule.timeout_millis => {
                    let [delay, timeout] = [*millis, schedule.timeout_millis].map(duration_text);
                    let message =
                        format!("jobs are given up after {timeout}, before the delay of {delay} ends");
                    let finding = Diagnostic::new(&RULE.info, constraint.span, message);
                    sink.push(finding.help("shorten the delay, or give the schedule a longer timeout"));
                }
                Limit::TimeRange(window) => {
                    let apart = windows.iter().find(|(other, _)| {
                        other.zone == window.zone
                            && !(0..24 * 60).any(|minute| window.contains(minute) && other.contains(minute))
                    });
                    if let Some((_, other)) = apart {
                        let message = "this range of the day has no minute in common with another one";
                        let finding = Diagnostic::new(&RULE.info, constraint.span, message);
                        sink.push(finding.label(*other, "the other range").help("remove one of the ranges"));
                    }
                    windows.push((window, constraint.span));
                }
                _ => {}
            }
        }
    }
}
