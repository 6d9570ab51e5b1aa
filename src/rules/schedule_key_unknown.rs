//! A condition or mapping reads a key that the triggering program never hands on.
//!
//! A run hands on its arguments, its own properties (`programRunId`, `programRunStatus`, `startTs`, `runTs`, `stopTs`, `runcount`)
//! and what its actions captured. Where `[programs]` in ankus.toml declares what a program `emits`, any other key is an error;
//! else it is a warning where no action captures anything and nothing names such an argument.

use super::{Check, Rule, Sink};
use crate::analysis::schedules::programs::Given;
use crate::analysis::schedules::run::{LOGICAL_START_TIME, RUN_PROPERTIES};
use crate::analysis::schedules::{Compiled, Known, Schedules};
use crate::diag::{Diagnostic, Group, Info, Severity};
use crate::model::schedule::{Program, UnitKind};
use crate::source::Span;

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "schedule-key-unknown",
        group: Group::Meaning,
        severity: Severity::Warning,
        stage: None,
        mirrors: &[],
        explanation: include_str!("schedule_key_unknown.rs"),
    },
    check: Check::Schedules(check),
};

fn check(schedules: &Schedules<'_>, sink: &mut Sink) {
    for schedule in schedules.list {
        let units: Vec<_> = schedule
            .units()
            .into_iter()
            .filter_map(|unit| match &unit.kind {
                UnitKind::Program { program, condition, .. } => Some((program, condition)),
                _ => None,
            })
            .collect();
        for (program, condition) in &units {
            let Some(known) = schedules.programs.known(program) else { continue };
            let key = condition.key.as_ref().map(|key| (key.value.clone(), key.span));
            let compiled = condition.expression.as_ref().map(|expression| Compiled::new(expression).0);
            let read = compiled.iter().flat_map(|compiled| {
                compiled.keys().map(|(id, name)| (name.to_owned(), compiled.span(id))).collect::<Vec<_>>()
            });
            for (key, span) in key.into_iter().chain(read) {
                let severity = lacks(schedules, program, known, &key);
                sink.extend(severity.map(|severity| finding(&key, span, &program.to_string(), severity)));
            }
        }
        for entry in schedule.mapping.entries.iter().filter(|entry| entry.stage.is_none()) {
            let asked: Vec<_> = units
                .iter()
                .map(|(program, _)| *program)
                .filter(|program| {
                    entry.of.as_ref().is_none_or(|(namespace, application)| {
                        program.namespace == *namespace && program.application == *application
                    })
                })
                .collect();
            let key = &entry.source.value;
            let lacking: Option<Vec<Severity>> = asked
                .iter()
                .map(|program| lacks(schedules, program, schedules.programs.known(program)?, key))
                .collect();
            if let Some(least) = lacking.and_then(|all| all.into_iter().max()) {
                let names: Vec<_> = asked.iter().map(ToString::to_string).collect();
                sink.push(finding(key, entry.source.span, &names.join("` and `"), least));
            }
        }
    }
}

fn finding(key: &str, span: Span, programs: &str, severity: Severity) -> Diagnostic {
    let message = format!("`{programs}` never hands on a key `{key}`");
    let help = match severity {
        Severity::Error => "add the key to `emits` under `[programs]`, or read one that stands there",
        _ => "capture the output of an action, or read another key",
    };
    Diagnostic::new(&RULE.info, span, message).severity(severity).help(help)
}

/// How bad it is that a program lacks a key; none where it may have it.
fn lacks(schedules: &Schedules<'_>, program: &Program, known: &Known<'_>, key: &str) -> Option<Severity> {
    let is_given = RUN_PROPERTIES.contains(&key)
        || key == LOGICAL_START_TIME
        || known.reads().contains(key)
        || schedules.list.iter().filter(|other| other.program == *program).any(|other| {
            other.properties.iter().any(|property| property.name.value == key)
                || other.mapping.entries.iter().any(|entry| entry.target.value == key)
        });
    match known.gives() {
        _ if is_given => None,
        Given::Declared(keys) => (!keys.contains(key)).then_some(Severity::Error),
        Given::Captured => None,
        Given::Nothing => Some(Severity::Warning),
    }
}
