//! A schedule names a program that fits several definitions.
//!
//! Which one is meant is not guessed. Name it under `[programs]` in ankus.toml:
//!
//! ```toml
//! [programs]
//! "Feeds/Download" = "apps/download"
//! ```

use super::{Check, Rule, Sink};
use crate::analysis::schedules::{Lookup, Schedules};
use crate::diag::{Diagnostic, Group, Info, Severity};
use crate::model::schedule::UnitKind;
use std::collections::BTreeSet;

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "schedule-program-ambiguous",
        group: Group::Meaning,
        severity: Severity::Error,
        stage: None,
        mirrors: &[],
        explanation: include_str!("schedule_program_ambiguous.rs"),
    },
    check: Check::Schedules(check),
};

fn check(schedules: &Schedules<'_>, sink: &mut Sink) {
    let mut seen = BTreeSet::new();
    for schedule in schedules.list {
        let triggering = schedule.units().into_iter().filter_map(|unit| match &unit.kind {
            UnitKind::Program { program, program_span, .. } => Some((program, *program_span)),
            _ => None,
        });
        for (program, span) in std::iter::once((&schedule.program, schedule.program_span)).chain(triggering) {
            let Some(Lookup::Ambiguous(files)) = schedules.programs.lookups.get(program) else { continue };
            if seen.insert(program) {
                let files: Vec<_> = files.iter().map(|file| format!("`{file}`")).collect();
                let message = format!("`{program}` fits {}", files.join(" and "));
                let help = "name its definition under `[programs]` in ankus.toml";
                sink.push(Diagnostic::new(&RULE.info, span, message).http(404).help(help));
            }
        }
    }
}
