//! Schedules start each other for ever.
//!
//! It is an error where everything goes round at once as long as the programs complete, and a warning where a delay, a range of
//! the day or the time since the last run slows it down, or where a run has to fail. A `value` or a condition on the payload, such
//! as `runcount < 2`, bounds the loop, and then nothing is reported.

use super::{Check, Rule, Sink};
use crate::analysis::schedules::{Schedules, cycles};
use crate::diag::{Diagnostic, Group, Info, Severity};

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "schedule-cycle",
        group: Group::Meaning,
        severity: Severity::Error,
        stage: None,
        mirrors: &[],
        explanation: include_str!("schedule_cycle.rs"),
    },
    check: Check::Schedules(check),
};

fn check(schedules: &Schedules<'_>, sink: &mut Sink) {
    for cycle in cycles::cycles(schedules.list) {
        let [first, rest @ ..] = cycle.schedules.as_slice() else { continue };
        let last = cycle.programs.last().map(ToString::to_string).unwrap_or_default();
        let way: Vec<_> =
            std::iter::once(last).chain(cycle.programs.iter().map(ToString::to_string)).collect();
        let message = match rest {
            [] => format!("the schedule starts its program for ever: {}", way.join(" → ")),
            _ => format!("schedules start each other for ever: {}", way.join(" → ")),
        };
        let mut finding = Diagnostic::new(&RULE.info, schedules.list[*first].name_span, message)
            .help("bound it with a condition such as `runcount < 2`");
        if !cycle.is_at_once {
            finding = finding.severity(Severity::Warning);
        }
        for index in rest.iter().take(MAX_LABELS) {
            finding = finding.label(schedules.list[*index].name_span, "part of the loop");
        }
        sink.push(finding);
    }
}

/// At how many schedules of a loop a finding points.
const MAX_LABELS: usize = 5;
