//! What a server got wrong in a simulation: played as it is, and told, since nobody would expect it.

use super::record::{Action, Coordinator, Simulation, Since, Subject, Workflow};
use crate::engine::ActionId;
use crate::engine::status::{ActionStatus, JobStatus, NodeStatus, WorkflowStatus};
use crate::time::Instant;

/// A kind of what a server gets wrong; `docs/server-oddities.md` has a section of each name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum OddityKind {
    /// A branch of a fork fails at its start; the job is FAILED, and the other branches run on.
    BranchesRunOn,
    /// An action that succeeded is killed afterwards.
    SuccessKilled,
    /// A coordinator stays SUSPENDED though all of its actions have finished.
    SuspendedForGood,
}

impl OddityKind {
    /// Its name in machine formats and in the documentation.
    pub const fn name(self) -> &'static str {
        match self {
            OddityKind::BranchesRunOn => "branches-run-on",
            OddityKind::SuccessKilled => "success-killed",
            OddityKind::SuspendedForGood => "suspended-for-good",
        }
    }
}

/// Something that a server got wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Oddity {
    /// When.
    pub at: Instant,
    /// With what.
    pub subject: Subject,
    /// What.
    pub kind: OddityKind,
    /// What happened and what helps, in words.
    pub words: String,
}

/// All that a server got wrong, in order of time.
pub fn of(simulation: &Simulation) -> Vec<Oddity> {
    let mut all: Vec<Oddity> = simulation.workflows.iter().filter_map(branches).collect();
    for coordinator in &simulation.coordinators {
        all.extend(suspended(coordinator));
        for (number, action) in (1..).zip(&coordinator.actions) {
            all.extend(killed(ActionId { coordinator: coordinator.id.number, number }, action));
        }
    }
    all.sort_by_key(|oddity| (oddity.at, oddity.kind));
    all
}

fn branches(workflow: &Workflow) -> Option<Oddity> {
    let since = workflow.history.last().filter(|since| since.status == WorkflowStatus::Failed)?;
    let is_open = |status| {
        use NodeStatus::{Done, EndManual, EndRetry, Running, StartManual, StartRetry, UserRetry};
        matches!(status, Running | Done | StartRetry | StartManual | UserRetry | EndRetry | EndManual)
    };
    let mut names = Vec::new();
    for (index, node) in workflow.nodes.iter().enumerate() {
        let last = workflow.runs.iter().rev().find(|run| run.node as usize == index);
        if last.is_some_and(|run| is_open(run.status)) {
            names.push(format!("`{}`", node.name));
        }
    }
    if names.is_empty() {
        return None;
    }
    let names = names.join(", ");
    let words =
        format!("a branch failed at its start, and {names} go on outside; `kill` the workflow to end them");
    Some(Oddity { at: since.at, subject: Subject::Job(workflow.id), kind: OddityKind::BranchesRunOn, words })
}

fn killed(id: ActionId, action: &Action) -> Option<Oddity> {
    let pairs = action.history.iter().zip(action.history.iter().skip(1));
    let was = |since: &Since<ActionStatus>| since.status == ActionStatus::Succeeded;
    let (_, since) = pairs.rev().find(|(from, to)| was(from) && to.status == ActionStatus::Killed)?;
    let words =
        "it had succeeded, and was killed afterwards; that counts as an error of its coordinator".to_owned();
    Some(Oddity { at: since.at, subject: Subject::Action(id), kind: OddityKind::SuccessKilled, words })
}

fn suspended(coordinator: &Coordinator) -> Option<Oddity> {
    use JobStatus::{Suspended, SuspendedWithError};
    let since =
        coordinator.history.last().filter(|since| matches!(since.status, Suspended | SuspendedWithError))?;
    let mut actions = coordinator.actions.iter().filter(|action| !action.is_removed).peekable();
    if actions.peek().is_none() || !actions.all(|action| action.status().is_over()) {
        return None;
    }
    let words =
        "all of its actions have finished, and no service looks at it any more; `resume` it".to_owned();
    let subject = Subject::Job(coordinator.id);
    Some(Oddity { at: since.at, subject, kind: OddityKind::SuspendedForGood, words })
}
