//! Timelines of coordinators, folded: neighbours to which the same happened stand in one line.

use std::sync::Arc;

use super::record::{Action, Coordinator, Simulation, spans};
use crate::engine::status::ActionStatus;
use crate::time::Instant;

/// The code of a workflow that has reached a kill node.
const REACHED_KILL: &str = "E0729";

/// How an action went, told by durations, so that neighbours can be alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Course {
    /// Its last state.
    pub status: ActionStatus,
    /// How long after its nominal time it was created, in milliseconds.
    pub late: i64,
    /// How long it waited for inputs once it was due, in milliseconds.
    pub waited: i64,
    /// How long it waited for its turn, in milliseconds.
    pub queued: i64,
    /// How long its workflow ran, in milliseconds.
    pub ran: i64,
    /// How long it was suspended, in milliseconds.
    pub suspended: i64,
    /// How often it ran.
    pub runs: usize,
    /// Why it failed: a code, behind the name of the action of its workflow that failed.
    pub code: Option<Arc<str>>,
}

impl Course {
    /// What it does last lasts that much less, where it was taken to last for ever.
    pub(super) fn shorten(&mut self, millis: i64) {
        for lasted in [&mut self.waited, &mut self.queued, &mut self.ran, &mut self.suspended] {
            if *lasted >= FOR_EVER {
                *lasted = (*lasted - millis).max(0);
            }
        }
    }
}

/// No simulation lasts as long, in milliseconds.
const FOR_EVER: i64 = 1 << 58;

/// Actions that follow each other and went alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fold {
    /// The number of the first.
    pub first: u32,
    /// The number of the last.
    pub last: u32,
    /// The nominal time of the first.
    pub from: Instant,
    /// The nominal time of the last.
    pub to: Instant,
    /// How each of them went.
    pub course: Course,
    /// What the first of them waited for last, if it waited.
    pub uri: Option<Arc<str>>,
}

/// How an action went.
pub fn course(simulation: &Simulation, action: &Action) -> Course {
    let due = action.due();
    let (mut waited, mut queued, mut ran, mut suspended) = (0, 0, 0, 0);
    let (mut runs, mut before) = (0, None);
    for (status, from, to) in spans(&action.history, simulation.end) {
        let length = to.millis_since(from);
        match status {
            ActionStatus::Waiting => waited += to.millis_since(from.max(due)).max(0),
            ActionStatus::Ready => queued += length,
            ActionStatus::Submitted | ActionStatus::Running => ran += length,
            ActionStatus::Suspended => suspended += length,
            _ => {}
        }
        // A resume goes on with the same run.
        let begins = status == ActionStatus::Running && before != Some(ActionStatus::Suspended);
        runs += usize::from(begins);
        before = Some(status);
    }
    let status = action.status();
    let last = action.workflows.last().and_then(|id| simulation.workflow(*id));
    let of_workflow = || {
        let last = last?;
        let code = &last.fault.as_ref()?.code;
        // That of a kill node says only that something has failed before.
        let failed = last.runs.iter().rev().filter(|_| &**code == REACHED_KILL).find_map(|run| {
            let fault = run.fault.as_ref().filter(|_| run.status.is_over())?;
            Some(format!("`{}` {}", last.nodes[run.node as usize].name, fault.code).into())
        });
        Some(failed.unwrap_or_else(|| code.clone()))
    };
    let code = action.fault.as_ref().map(|fault| fault.code.clone());
    let code = code.or_else(of_workflow).filter(|_| status.is_bad());
    let late = action.created.millis_since(action.nominal).max(0);
    Course { status, late, waited, queued, ran, suspended, runs, code }
}

/// The actions of a coordinator, folded.
pub fn fold(simulation: &Simulation, coordinator: &Coordinator) -> Vec<Fold> {
    let mut folds: Vec<Fold> = Vec::new();
    for (number, action) in (1..).zip(&coordinator.actions) {
        if action.is_removed {
            continue;
        }
        let course = course(simulation, action);
        match folds.last_mut() {
            Some(fold) if fold.course == course && fold.last + 1 == number => {
                fold.last = number;
                fold.to = action.nominal;
            }
            _ => {
                let uri = action.last_wait(action.created, simulation.end).map(|wait| wait.uri.clone());
                let (from, to) = (action.nominal, action.nominal);
                folds.push(Fold { first: number, last: number, from, to, course, uri });
            }
        }
    }
    folds
}

/// Joins neighbours that have come to be alike.
pub(super) fn join_alike(folds: &mut Vec<Fold>) {
    folds.dedup_by(|next, fold| {
        let is_alike = fold.course == next.course && fold.last + 1 == next.first;
        if is_alike {
            (fold.last, fold.to) = (next.last, next.to);
        }
        is_alike
    });
}
