//! A schedule names a program that the project does not have.
//!
//! A web service answers 404. A program is named under `[programs]` in ankus.toml, or it is a definition: its application is
//! the name of the folder, its name the one in the root element.
//!
//! ```toml
//! [programs]
//! "Feeds/Download" = "apps/download"
//! ```

use super::{Check, Rule, Sink};
use crate::analysis::schedules::{Lookup, Schedules};
use crate::diag::closest;
use crate::diag::{Diagnostic, Group, Info, Severity};
use crate::model::schedule::{Program, SCHEDULE_PROGRAM_TYPE, UnitKind};
use crate::source::Span;
use std::collections::BTreeSet;

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "schedule-program-unknown",
        group: Group::Meaning,
        severity: Severity::Error,
        stage: None,
        mirrors: &[],
        explanation: include_str!("schedule_program_unknown.rs"),
    },
    check: Check::Schedules(check),
};

fn check(schedules: &Schedules<'_>, sink: &mut Sink) {
    for (program, span) in named(schedules) {
        let finding = match schedules.programs.lookups.get(program) {
            Some(Lookup::Unknown) => {
                let names = schedules.programs.names.iter().map(String::as_str);
                let message = format!("the project does not have a {} `{program}`", kind(program));
                let finding = Diagnostic::new(&RULE.info, span, message).http(404);
                match closest(&program.to_string(), names) {
                    Some(near) => finding.help(format!("did you mean `{near}`?")).meant(near),
                    None => finding.help("name its definition under `[programs]` in ankus.toml"),
                }
            }
            Some(Lookup::OtherKind(what)) => {
                let message = format!("`{program}` is not a {}: {what}", kind(program));
                Diagnostic::new(&SCHEDULE_PROGRAM_TYPE, span, message).http(400)
            }
            _ => continue,
        };
        sink.push(finding);
    }
}

fn kind(program: &Program) -> String {
    program.kind.name().to_lowercase()
}

/// The programs that schedules name, each once, with its first place.
fn named<'s>(schedules: &Schedules<'s>) -> Vec<(&'s Program, Span)> {
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    for schedule in schedules.list {
        let triggering = schedule.units().into_iter().filter_map(|unit| match &unit.kind {
            UnitKind::Program { program, program_span, .. } => Some((program, *program_span)),
            _ => None,
        });
        for (program, span) in std::iter::once((&schedule.program, schedule.program_span)).chain(triggering) {
            if seen.insert(program) {
                found.push((program, span));
            }
        }
    }
    found
}
