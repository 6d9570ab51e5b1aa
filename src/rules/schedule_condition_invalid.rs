//! The condition of a trigger cannot be evaluated.
//!
//! A condition is a boolean expression of the workflow's language over the keys of the payload; `value` is that of `key`, and
//! `conf['a.b']` reads keys with dots. Functions about a job, such as `wf:id()`, do not exist there.

use super::{Check, Rule, Sink};
use crate::analysis::schedules::{Compiled, Schedules};
use crate::diag::{Diagnostic, Group, Info, Severity};
use crate::model::schedule::{Schedule, UnitKind};

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "schedule-condition-invalid",
        group: Group::Meaning,
        severity: Severity::Error,
        stage: None,
        mirrors: &[],
        explanation: include_str!("schedule_condition_invalid.rs"),
    },
    check: Check::Schedules(check),
};

fn check(schedules: &Schedules<'_>, sink: &mut Sink) {
    for unit in schedules.list.iter().flat_map(Schedule::units) {
        let UnitKind::Program { condition, .. } = &unit.kind else { continue };
        let Some(expression) = &condition.expression else { continue };
        for finding in Compiled::new(expression).1 {
            let Diagnostic { span, message, help, .. } = finding;
            let finding = Diagnostic::new(&RULE.info, span, format!("the condition is not valid: {message}"));
            sink.push(Diagnostic { help, ..finding }.http(400));
        }
    }
}
