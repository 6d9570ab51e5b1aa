//! The condition of a trigger can never hold, so the schedule never fires.

use super::{Check, Rule, Sink};
use crate::analysis::expressions::Predicate;
use crate::analysis::schedules::{Compiled, Schedules};
use crate::diag::{Diagnostic, Group, Info, Severity};
use crate::model::schedule::{Schedule, UnitKind};

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "schedule-condition-never",
        group: Group::Meaning,
        severity: Severity::Error,
        stage: None,
        mirrors: &[],
        explanation: include_str!("schedule_condition_never.rs"),
    },
    check: Check::Schedules(check),
};

fn check(schedules: &Schedules<'_>, sink: &mut Sink) {
    for unit in schedules.list.iter().flat_map(Schedule::units) {
        let UnitKind::Program { condition, .. } = &unit.kind else { continue };
        let Some(expression) = &condition.expression else { continue };
        let (compiled, faults) = Compiled::new(expression);
        let why = match compiled.predicate() {
            Predicate::Never => "it is always false",
            Predicate::NoBoolean(why) => why,
            Predicate::Always | Predicate::Open => continue,
        };
        if faults.is_empty() {
            let message = format!("the condition never holds: {why}");
            sink.push(Diagnostic::new(&RULE.info, expression.span, message));
        }
    }
}
