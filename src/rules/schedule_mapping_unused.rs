//! A mapping gives an argument that the program does not read.
//!
//! The name occurs nowhere in its definition. Correct the name, or remove the entry.

use super::{Check, Rule, Sink};
use crate::analysis::schedules::Schedules;
use crate::diag::{Diagnostic, Group, Info, Severity};

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "schedule-mapping-unused",
        group: Group::Meaning,
        severity: Severity::Info,
        stage: None,
        mirrors: &[],
        explanation: include_str!("schedule_mapping_unused.rs"),
    },
    check: Check::Schedules(check),
};

fn check(schedules: &Schedules<'_>, sink: &mut Sink) {
    for schedule in schedules.list {
        let Some(known) = schedules.programs.known(&schedule.program) else { continue };
        for entry in &schedule.mapping.entries {
            let target = &entry.target;
            if known.may_read(&target.value) {
                continue;
            }
            let message = format!("`{}` does not read an argument `{}`", schedule.program, target.value);
            let reads = known.reads();
            let finding = Diagnostic::new(&RULE.info, target.span, message);
            sink.push(finding.help_did_you_mean(&target.value, reads.iter().map(String::as_str)));
        }
    }
}
