//! What all machines write to while an event is handled.

use std::collections::{BTreeSet, VecDeque};

use super::command::Command;
use super::settings::Settings;
use super::status::{JobStatus, WorkflowStatus};
use super::table::{Named, Taken};
use super::wake::Wake;
use crate::time::Instant;

/// Where a machine puts what follows from an event.
pub(super) struct Context<'a> {
    pub(super) settings: &'a Settings,
    pub(super) now: Instant,
    pub(super) out: &'a mut Vec<Command>,
    pub(super) wakes: &'a mut BTreeSet<(Instant, Wake)>,
    pub(super) notices: &'a mut VecDeque<Notice>,
}

impl Context<'_> {
    /// Tells of a row that was taken, when somebody wants to know.
    pub(super) fn took<S: Named, T: Named>(&mut self, machine: &'static str, from: S, on: T) {
        if self.settings.tells_rows {
            self.out.push(Command::Took(Taken::new(machine, from, on)));
        }
    }
}

/// What one machine has to tell another. All are told before the event is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Notice {
    /// The status of a workflow has changed to this one; by now it may have gone on.
    Workflow(u32, WorkflowStatus),
    /// Kill a workflow.
    Kill(u32),
    /// Suspend a workflow.
    Suspend(u32),
    /// Resume a workflow.
    Resume(u32),
    /// The status of a coordinator has changed from this one.
    CoordinatorStatus(u32, JobStatus),
    /// A coordinator that stood still or was over goes on.
    GoOn(u32),
    /// Work the status of a coordinator out anew.
    Examine(u32),
    /// Suspend a coordinator of a bundle.
    SuspendCoordinator(u32),
    /// Resume a coordinator of a bundle.
    ResumeCoordinator(u32),
    /// Kill a coordinator of a bundle.
    KillCoordinator(u32),
    /// Work the status of a bundle out anew.
    ExamineBundle(u32),
}
