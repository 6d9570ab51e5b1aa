//! A range of the day has no time zone.
//!
//! The clock of the processing timezone counts then, which has no daylight-saving time. Other systems refuse such a range, or use
//! the zone of their machine. Name the zone.

use super::{Check, Rule, Sink};
use crate::analysis::schedules::Schedules;
use crate::diag::{Diagnostic, Group, Info, Severity};
use crate::model::schedule::{Limit, Window};

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "schedule-time-zone",
        group: Group::Meaning,
        severity: Severity::Info,
        stage: None,
        mirrors: &[],
        explanation: include_str!("schedule_time_zone.rs"),
    },
    check: Check::Schedules(check),
};

fn check(schedules: &Schedules<'_>, sink: &mut Sink) {
    for constraint in schedules.list.iter().flat_map(|schedule| &schedule.constraints) {
        if let Limit::TimeRange(Window { zone: None, .. }) = constraint.limit {
            let message = format!("the range has no time zone, so {} counts", schedules.zone.id());
            sink.push(Diagnostic::new(&RULE.info, constraint.span, message).help("name its zone"));
        }
    }
}
