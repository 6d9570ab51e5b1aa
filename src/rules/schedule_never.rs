//! No run of the triggering program can end in the way that the trigger waits for.
//!
//! A workflow that never reaches an end node does not complete, and one without actions, decisions and kill nodes does not fail.

use super::{Check, Rule, Sink};
use crate::analysis::schedules::Schedules;
use crate::diag::{Diagnostic, Group, Info, Severity};
use crate::model::schedule::{Schedule, Status, UnitKind};

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "schedule-never",
        group: Group::Meaning,
        severity: Severity::Warning,
        stage: None,
        mirrors: &[],
        explanation: include_str!("schedule_never.rs"),
    },
    check: Check::Schedules(check),
};

fn check(schedules: &Schedules<'_>, sink: &mut Sink) {
    let kill_node = schedules.programs.kill_node.unwrap_or(Status::Failed);
    for unit in schedules.list.iter().flat_map(Schedule::units) {
        let UnitKind::Program { program, program_span, statuses, .. } = &unit.kind else { continue };
        let Some(known) = schedules.programs.known(program) else { continue };
        if statuses.is_disjoint(&known.ends(kill_node)) {
            let names: Vec<_> = statuses.iter().copied().map(Status::name).collect();
            let message = format!("`{program}` never ends as {}", names.join(" or "));
            sink.push(Diagnostic::new(&RULE.info, *program_span, message));
        }
    }
}
