//! A program of another namespace triggers the schedule.
//!
//! That is allowed; whoever owns the other namespace should know of it.

use super::{Check, Rule, Sink};
use crate::analysis::schedules::Schedules;
use crate::diag::{Diagnostic, Group, Info, Severity};
use crate::model::schedule::UnitKind;

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "schedule-cross-namespace",
        group: Group::Meaning,
        severity: Severity::Info,
        stage: None,
        mirrors: &[],
        explanation: include_str!("schedule_cross_namespace.rs"),
    },
    check: Check::Schedules(check),
};

fn check(schedules: &Schedules<'_>, sink: &mut Sink) {
    for schedule in schedules.list {
        for unit in schedule.units() {
            let UnitKind::Program { program, program_span, .. } = &unit.kind else { continue };
            if program.namespace != schedule.program.namespace {
                let (own, other) = (&schedule.program.namespace, &program.namespace);
                let message = format!("a program of namespace `{other}` triggers one of `{own}`");
                sink.push(Diagnostic::new(&RULE.info, *program_span, message));
            }
        }
    }
}
