//! What a server got wrong in a simulation: played as it is, and told, since nobody would expect it.

use super::record::{Action, Coordinator, Run, Simulation, Since, Subject, Workflow};
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
    /// What ran again below a job that was over ended in another way, and the job stays as it ended.
    StaysAsItEnded,
    /// A workflow succeeded by one branch of a fork, and the others were killed.
    KilledByEnd,
}

impl OddityKind {
    /// Its name in machine formats and in the documentation.
    pub const fn name(self) -> &'static str {
        match self {
            OddityKind::BranchesRunOn => "branches-run-on",
            OddityKind::SuccessKilled => "success-killed",
            OddityKind::SuspendedForGood => "suspended-for-good",
            OddityKind::StaysAsItEnded => "stays-as-it-ended",
            OddityKind::KilledByEnd => "killed-by-end",
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
    all.extend(simulation.workflows.iter().filter_map(ended));
    for coordinator in &simulation.coordinators {
        all.extend(suspended(coordinator));
        all.extend(stays(coordinator));
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
            let status = last.map_or("PREP", |run| run.status.name());
            names.push(format!("`{}` ({status})", node.name));
        }
    }
    if names.is_empty() {
        return None;
    }
    let names = names.join(", ");
    let words = format!(
        "a branch failed at its start, and nobody ends {names}; `kill` the workflow to end what is left"
    );
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
    let ends = coordinator.actions.iter().filter_map(|action| action.history.last());
    let at = ends.map(|end| end.at).chain([since.at]).max()?;
    Some(Oddity { at, subject, kind: OddityKind::SuspendedForGood, words })
}

fn stays(coordinator: &Coordinator) -> Option<Oddity> {
    use JobStatus::{DoneWithError, Failed, Killed, Succeeded};
    let since = coordinator.history.last()?;
    let mut actions = coordinator.actions.iter().filter(|action| !action.is_removed);
    let later = actions.clone().filter_map(|action| action.history.last()).map(|end| end.at).max()?;
    let went_well = actions.all(|action| action.status() == ActionStatus::Succeeded);
    let words = match since.status {
        Killed | Failed | DoneWithError if went_well => "all of its actions have succeeded by now",
        Succeeded if !went_well => "not all of its actions have succeeded any more",
        _ => return None,
    };
    if later <= since.at {
        return None;
    }
    let words = format!("{words}, and it stays {}, since it was over before", since.status);
    let subject = Subject::Job(coordinator.id);
    Some(Oddity { at: later, subject, kind: OddityKind::StaysAsItEnded, words })
}

fn ended(workflow: &Workflow) -> Option<Oddity> {
    let since = workflow.history.last().filter(|since| since.status == WorkflowStatus::Succeeded)?;
    let is_killed = |run: &&Run| run.status == NodeStatus::Killed && run.to == Some(since.at);
    let names =
        workflow.runs.iter().filter(is_killed).filter_map(|run| workflow.nodes.get(run.node as usize));
    let names: Vec<String> = names.map(|node| format!("`{}`", node.name)).collect();
    if names.is_empty() {
        return None;
    }
    let words = format!("it reached its end inside a fork, which killed {}", names.join(", "));
    Some(Oddity { at: since.at, subject: Subject::Job(workflow.id), kind: OddityKind::KilledByEnd, words })
}
