//! An action of a coordinator: its table first, then what is known of it.

use crate::engine::status::ActionStatus::{
    self, Failed, Ignored, Killed, Ready, Running, Skipped, Submitted, Succeeded, Suspended, TimedOut,
    Waiting,
};
use crate::engine::table::{Before, Row, events, row};
use crate::time::Instant;

/// What an action may do (`004` 6.1.3; `CoordActionInputCheckXCommand`, `CoordActionReadyXCommand`,
/// `CoordActionStartXCommand`, `CoordActionUpdateXCommand`, `CoordActionTimeOutXCommand`, `CoordActionSkipXCommand`,
/// `CoordActionsKillXCommand`, `CoordActionsIgnoreXCommand`, `CoordRerunXCommand`).
pub const ACTION_TABLE: &[Row<ActionStatus, ActionEvent>] = &[
    row(Waiting, ActionEvent::InputsThere, Ready),
    row(Waiting, ActionEvent::TimeOut, TimedOut),
    row(Waiting, ActionEvent::Skip, Skipped),
    row(Waiting, ActionEvent::Fail, Failed),
    row(Waiting, ActionEvent::Kill, Killed),
    row(Ready, ActionEvent::Submit, Submitted),
    row(Ready, ActionEvent::Skip, Skipped),
    row(Ready, ActionEvent::Kill, Killed),
    row(Submitted, ActionEvent::Run, Running),
    row(Submitted, ActionEvent::Fail, Failed),
    row(Submitted, ActionEvent::Kill, Killed),
    row(Running, ActionEvent::Run, Running),
    row(Running, ActionEvent::Succeed, Succeeded),
    row(Running, ActionEvent::WorkflowFails, Failed),
    row(Running, ActionEvent::WorkflowIsKilled, Killed),
    row(Running, ActionEvent::Suspend, Suspended),
    row(Running, ActionEvent::Kill, Killed),
    row(Suspended, ActionEvent::Run, Running),
    row(Suspended, ActionEvent::Suspend, Suspended),
    row(Suspended, ActionEvent::Succeed, Succeeded),
    row(Suspended, ActionEvent::WorkflowFails, Failed),
    row(Suspended, ActionEvent::WorkflowIsKilled, Killed),
    row(Suspended, ActionEvent::Kill, Killed),
    // By number whatever its state; one that was skipped with its job.
    row(Succeeded, ActionEvent::Kill, Killed),
    row(Failed, ActionEvent::Kill, Killed),
    row(Killed, ActionEvent::Kill, Killed),
    row(TimedOut, ActionEvent::Kill, Killed),
    row(Ignored, ActionEvent::Kill, Killed),
    row(Skipped, ActionEvent::Kill, Killed),
    row(Failed, ActionEvent::Ignore, Ignored),
    row(Killed, ActionEvent::Ignore, Ignored),
    row(TimedOut, ActionEvent::Ignore, Ignored),
    row(TimedOut, ActionEvent::Rerun, Waiting),
    row(Succeeded, ActionEvent::Rerun, Waiting),
    row(Killed, ActionEvent::Rerun, Waiting),
    row(Failed, ActionEvent::Rerun, Waiting),
    row(Ignored, ActionEvent::Rerun, Waiting),
    row(Skipped, ActionEvent::Rerun, Waiting),
    // The workflow itself was run again, which the action follows whatever it waits for.
    row(Waiting, ActionEvent::Run, Running),
    row(Ready, ActionEvent::Run, Running),
    row(TimedOut, ActionEvent::Run, Running),
    row(Skipped, ActionEvent::Run, Running),
    row(Succeeded, ActionEvent::Run, Running),
    row(Killed, ActionEvent::Run, Running),
    row(Failed, ActionEvent::Run, Running),
    // A kill of a workflow that has failed tells its failure once more.
    row(Killed, ActionEvent::WorkflowFails, Failed),
    row(Ignored, ActionEvent::Run, Running),
];

/// What the first rules did otherwise: what is over was not killed, what was skipped not run again, and what was ignored
/// followed its workflow no more.
pub(super) const ACTION_BEFORE: &[Before<ActionStatus, ActionEvent>] = &[
    (Succeeded, ActionEvent::Kill, None),
    (Failed, ActionEvent::Kill, None),
    (Killed, ActionEvent::Kill, None),
    (TimedOut, ActionEvent::Kill, None),
    (Ignored, ActionEvent::Kill, None),
    (Skipped, ActionEvent::Kill, None),
    (Skipped, ActionEvent::Rerun, None),
    (Ignored, ActionEvent::Run, None),
    (Killed, ActionEvent::WorkflowFails, None),
];

events! {
    /// What can happen to an action.
    ActionEvent {
        /// Its inputs are there.
        InputsThere = "inputs that are there",
        /// Its inputs did not come in time.
        TimeOut = "the timeout",
        /// Its time has passed.
        Skip = "a skip",
        /// It is its turn.
        Submit = "its turn",
        /// Its workflow runs.
        Run = "a workflow that runs",
        /// Its configuration cannot be evaluated, or its workflow is refused.
        Fail = "a failure",
        /// Its workflow has succeeded.
        Succeed = "a workflow that has succeeded",
        /// Its workflow has failed.
        WorkflowFails = "a workflow that has failed",
        /// Its workflow was killed.
        WorkflowIsKilled = "a workflow that was killed",
        /// Its workflow was suspended.
        Suspend = "a workflow that is suspended",
        /// It is killed.
        Kill = "kill",
        /// It is to be ignored.
        Ignore = "ignore",
        /// It is run again.
        Rerun = "rerun",
    }
}

/// An action of a coordinator.
#[derive(Clone, Copy, Debug)]
pub struct ActionRun {
    /// The time it is for.
    pub nominal: Instant,
    /// When it was created.
    pub created: Instant,
    /// Its state.
    pub status: ActionStatus,
    /// Whether an answer of its workflow is on its way.
    pub pending: bool,
    /// The server's counter of what it waits for; not the same, since commands forget to take it back.
    pub(super) count: u8,
    /// Whether its inputs were there once.
    pub(super) was_ready: bool,
    /// The number of its workflow.
    pub workflow: Option<u32>,
}

impl ActionRun {
    pub(super) fn new(nominal: Instant, now: Instant) -> ActionRun {
        ActionRun {
            nominal,
            created: now,
            status: Waiting,
            pending: false,
            count: 0,
            was_ready: false,
            workflow: None,
        }
    }
}
