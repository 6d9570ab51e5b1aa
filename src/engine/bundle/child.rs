//! A bundle action, which is a coordinator as its bundle knows it: its table first, then what is known of it.

use crate::engine::context::Context;
use crate::engine::event::Fault;
use crate::engine::id::JobId;
use crate::engine::status::JobStatus::{self, Failed, Killed, Prep, PrepSuspended};
use crate::engine::table::{Row, events, row, step};

/// What a bundle action may do before its coordinator is submitted (`BundleStartXCommand`, `BundleJobSuspendXCommand`,
/// `BundleJobResumeXCommand`, `BundleKillXCommand`, `BundleCoordSubmitXCommand`). From then on it has the state of its
/// coordinator (`BundleStatusUpdateXCommand`).
pub const CHILD_TABLE: &[Row<JobStatus, ChildEvent>] = &[
    row(Prep, ChildEvent::Suspend, PrepSuspended),
    row(Prep, ChildEvent::Refuse, Failed),
    row(Prep, ChildEvent::Kill, Killed),
    row(PrepSuspended, ChildEvent::Resume, Prep),
    row(PrepSuspended, ChildEvent::Refuse, Failed),
    row(PrepSuspended, ChildEvent::Kill, Killed),
];

events! {
    /// What can happen to a bundle action whose coordinator is not submitted.
    ChildEvent {
        /// The bundle is suspended.
        Suspend = "suspend",
        /// The bundle is resumed.
        Resume = "resume",
        /// Its coordinator is refused.
        Refuse = "a refusal",
        /// The bundle is killed, or fails.
        Kill = "kill",
    }
}

/// A coordinator of a bundle.
#[derive(Clone, Debug)]
pub struct ChildRun {
    /// Its state, as the bundle knows it.
    pub status: JobStatus,
    /// How many answers are on their way.
    pub pending: u32,
    /// Its number, once it is submitted.
    pub coordinator: Option<u32>,
    /// Why it was refused.
    pub fault: Option<Fault>,
}

impl ChildRun {
    /// One whose coordinator is asked for.
    pub(super) fn new() -> ChildRun {
        ChildRun { status: Prep, pending: 1, coordinator: None, fault: None }
    }

    /// Takes a row of the table. A pair without a row is a fault of this program.
    pub(super) fn take(&mut self, cx: &mut Context<'_>, bundle: JobId, event: ChildEvent) {
        match step(CHILD_TABLE, "bundle action", || bundle.to_string(), self.status, event) {
            Err(error) => debug_assert!(false, "{error}"),
            Ok(status) => {
                cx.took("bundle action", self.status, event);
                self.status = status;
            }
        }
    }
}
