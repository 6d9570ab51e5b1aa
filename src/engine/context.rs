//! What all machines write to while an event is handled.

use std::collections::{BTreeSet, VecDeque};

use super::command::Command;
use super::settings::Settings;
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

/// What one machine has to tell another. All are told before the event is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Notice {
    /// The status of a workflow has changed.
    Workflow(u32),
    /// Kill a workflow.
    Kill(u32),
}
