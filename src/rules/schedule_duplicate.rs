//! A schedule has a name that another one of its application has.
//!
//! A web service answers 409. The same name may be used in another application, version or namespace. Rename one of them.

use super::{Check, Rule, Sink};
use crate::analysis::schedules::Schedules;
use crate::diag::{Diagnostic, Group, Info, Severity};
use crate::model::schedule::ScheduleName;
use crate::source::Span;
use std::collections::BTreeMap;

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "schedule-duplicate",
        group: Group::Meaning,
        severity: Severity::Error,
        stage: None,
        mirrors: &[],
        explanation: include_str!("schedule_duplicate.rs"),
    },
    check: Check::Schedules(check),
};

fn check(schedules: &Schedules<'_>, sink: &mut Sink) {
    let mut known: BTreeMap<&ScheduleName, Span> = BTreeMap::new();
    // A body alone does not say which application it is for.
    for schedule in schedules.list.iter().filter(|schedule| !schedule.id.application.is_empty()) {
        match known.get(&schedule.id) {
            None => {
                known.insert(&schedule.id, schedule.name_span);
            }
            Some(first) => sink.push(
                Diagnostic::new(
                    &RULE.info,
                    schedule.name_span,
                    format!("a schedule `{}` exists already", schedule.id),
                )
                .http(409)
                .label(*first, "defined here")
                .help("rename one of them"),
            ),
        }
    }
}
