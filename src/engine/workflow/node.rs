//! A node of a workflow: its table first, then what is known of it.

use std::sync::Arc;

use crate::engine::conf::Conf;
use crate::engine::event::Fault;
use crate::engine::status::NodeStatus::{
    self, Done, EndManual, EndRetry, Error, Failed, Killed, Ok, Prep, Running, StartManual, StartRetry,
    UserRetry,
};
use crate::engine::table::{Row, events, row};
use crate::time::Instant;

/// What a node may do (`ActionStartXCommand`, `ActionCheckXCommand`, `ActionEndXCommand`, `ActionKillXCommand`,
/// `ActionXCommand` for what goes wrong).
pub const NODE_TABLE: &[Row<NodeStatus, NodeEvent>] = &[
    row(Prep, NodeEvent::Pass, Ok),
    row(Prep, NodeEvent::Begin, Running),
    row(Prep, NodeEvent::StartTransient, StartRetry),
    row(Prep, NodeEvent::StartManual, StartManual),
    row(Prep, NodeEvent::Retry, UserRetry),
    row(Prep, NodeEvent::Finish, Done),
    row(Prep, NodeEvent::Fail, Failed),
    row(Prep, NodeEvent::Kill, Killed),
    row(StartRetry, NodeEvent::Pass, Ok),
    row(StartRetry, NodeEvent::Begin, Running),
    row(StartRetry, NodeEvent::StartTransient, StartRetry),
    row(StartRetry, NodeEvent::StartManual, StartManual),
    row(StartRetry, NodeEvent::Retry, UserRetry),
    row(StartRetry, NodeEvent::Finish, Done),
    row(StartRetry, NodeEvent::Fail, Failed),
    row(StartRetry, NodeEvent::Kill, Killed),
    row(StartManual, NodeEvent::Pass, Ok),
    row(StartManual, NodeEvent::Begin, Running),
    row(StartManual, NodeEvent::StartTransient, StartRetry),
    row(StartManual, NodeEvent::StartManual, StartManual),
    row(StartManual, NodeEvent::Retry, UserRetry),
    row(StartManual, NodeEvent::Finish, Done),
    row(StartManual, NodeEvent::Fail, Failed),
    row(StartManual, NodeEvent::Kill, Killed),
    row(UserRetry, NodeEvent::Begin, Running),
    row(UserRetry, NodeEvent::StartTransient, StartRetry),
    row(UserRetry, NodeEvent::StartManual, StartManual),
    row(UserRetry, NodeEvent::Retry, UserRetry),
    row(UserRetry, NodeEvent::Finish, Done),
    row(UserRetry, NodeEvent::Fail, Failed),
    row(UserRetry, NodeEvent::Kill, Killed),
    row(Running, NodeEvent::Finish, Done),
    row(Running, NodeEvent::CheckTransient, Running),
    row(Running, NodeEvent::StartManual, StartManual),
    row(Running, NodeEvent::Retry, UserRetry),
    row(Running, NodeEvent::Fail, Failed),
    row(Running, NodeEvent::Kill, Killed),
    row(Done, NodeEvent::EndOk, Ok),
    row(Done, NodeEvent::EndError, Error),
    row(Done, NodeEvent::Retry, UserRetry),
    row(Done, NodeEvent::EndTransient, EndRetry),
    row(Done, NodeEvent::EndManual, EndManual),
    row(Done, NodeEvent::Fail, Failed),
    row(Done, NodeEvent::Kill, Killed),
    row(EndRetry, NodeEvent::EndOk, Ok),
    row(EndRetry, NodeEvent::EndError, Error),
    row(EndRetry, NodeEvent::Retry, UserRetry),
    row(EndRetry, NodeEvent::EndTransient, EndRetry),
    row(EndRetry, NodeEvent::EndManual, EndManual),
    row(EndRetry, NodeEvent::Fail, Failed),
    row(EndRetry, NodeEvent::Kill, Killed),
    row(EndManual, NodeEvent::EndOk, Ok),
    row(EndManual, NodeEvent::EndError, Error),
    row(EndManual, NodeEvent::Retry, UserRetry),
    row(EndManual, NodeEvent::EndTransient, EndRetry),
    row(EndManual, NodeEvent::EndManual, EndManual),
    row(EndManual, NodeEvent::Fail, Failed),
    row(EndManual, NodeEvent::Kill, Killed),
    row(Killed, NodeEvent::KillFails, Failed),
    row(Ok, NodeEvent::MessageFails, Error),
];

events! {
    /// What can happen to a node.
    NodeEvent {
        /// It does nothing outside: a control node is passed, a decision has decided.
        Pass = "a pass",
        /// What it does has begun.
        Begin = "a start",
        /// Its start failed for the moment.
        StartTransient = "a transient error at the start",
        /// Its start failed, and somebody must look at it.
        StartManual = "a non-transient error at the start",
        /// It could not be looked after for the moment.
        CheckTransient = "a transient error at a check",
        /// It is run again, as its definition says.
        Retry = "a retry",
        /// What it does is over.
        Finish = "an end",
        /// It ended well.
        EndOk = "a good end",
        /// It ended with an error.
        EndError = "a bad end",
        /// Its end could not be taken in for the moment.
        EndTransient = "a transient error at the end",
        /// Its end could not be taken in, and somebody must look at it.
        EndManual = "a non-transient error at the end",
        /// It fails, and the job with it.
        Fail = "a failure",
        /// It is killed.
        Kill = "kill",
        /// It could not be killed.
        KillFails = "a kill that fails",
        /// The message of a kill node has no value.
        MessageFails = "a message without a value",
    }
}

/// A node that was entered.
#[derive(Clone, Debug)]
pub struct NodeRun {
    /// Which.
    pub node: u32,
    /// Its state.
    pub status: NodeStatus,
    /// Whether something is about to happen to it: an answer from outside, a retry, a transition.
    pub pending: bool,
    /// The fork that it lies in.
    pub(super) fork: Option<u32>,
    /// Whether it starts together with its siblings, behind a fork (`ForkedActionStartXCommand`).
    pub(super) is_forked: bool,
    /// The number under which it was started last; 0: it never was.
    pub attempt: u32,
    /// How often what failed for the moment was tried again.
    pub retries: u8,
    /// How often it was run again as its definition says.
    pub user_retries: u8,
    /// When it was entered.
    pub entered: Instant,
    /// When it began.
    pub started: Option<Instant>,
    /// When it was over.
    pub ended: Option<Instant>,
    /// Where it went.
    pub transition: Option<u32>,
    /// When it is tried again.
    pub retry_at: Option<Instant>,
    /// What is known from outside.
    pub facts: Option<Box<NodeFacts>>,
}

/// What an action has told.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NodeFacts {
    /// The id of what it runs.
    pub external_id: Option<Arc<str>>,
    /// The status of what it runs.
    pub external_status: Option<Arc<str>>,
    /// Where that runs.
    pub tracker: Option<Arc<str>>,
    /// What it captured, as the text of a properties file.
    pub data: Option<Arc<str>>,
    /// Counters, as JSON.
    pub stats: Option<Arc<str>>,
    /// The ids of its children, with commas between.
    pub child_ids: Option<Arc<str>>,
    /// Its error.
    pub fault: Option<Fault>,
    /// Whether it ended well; known from when it is over outside.
    pub ok: Option<bool>,
    /// The workflow that a sub-workflow action runs.
    pub child: Option<u32>,
    /// What that is submitted with, while its plan is on its way.
    pub asked: Option<Arc<Conf>>,
}

impl NodeRun {
    pub(super) fn new(node: u32, fork: Option<u32>, now: Instant) -> NodeRun {
        NodeRun {
            node,
            status: Prep,
            pending: true,
            fork,
            is_forked: false,
            attempt: 0,
            retries: 0,
            user_retries: 0,
            entered: now,
            started: None,
            ended: None,
            transition: None,
            retry_at: None,
            facts: None,
        }
    }

    /// Whether it starts together with the other branches of its fork, whatever becomes of these.
    pub fn starts_together(&self) -> bool {
        self.is_forked
    }

    /// What is known from outside, to be changed.
    pub(super) fn facts_mut(&mut self) -> &mut NodeFacts {
        self.facts.get_or_insert_default()
    }

    /// Whether something of it may run outside.
    pub(super) fn is_outside(&self) -> bool {
        self.attempt > 0
            && matches!(self.status, Prep | StartRetry | StartManual | Running | UserRetry)
            && self.pending
    }
}
