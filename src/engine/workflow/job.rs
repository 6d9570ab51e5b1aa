//! A workflow: its table first, then what is known of it.

use std::collections::VecDeque;
use std::sync::Arc;

use super::node::NodeRun;
use super::run::Step;
use super::sla::Levels;
use crate::engine::conf::Conf;
use crate::engine::event::{Fault, Key, Parent};
use crate::engine::id::JobId;
use crate::engine::semantics::Semantics;
use crate::engine::settings::Settings;
use crate::engine::status::WorkflowStatus::{self, Failed, Killed, Prep, Running, Succeeded, Suspended};
use crate::engine::table::{Row, events, row};
use crate::plan::workflow::Program;
use crate::time::Instant;

/// What a workflow may do (`StartXCommand`, `SuspendXCommand`, `ResumeXCommand`, `KillXCommand`, `SignalXCommand`,
/// `ReRunXCommand`).
pub const JOB_TABLE: &[Row<WorkflowStatus, JobEvent>] = &[
    row(Prep, JobEvent::Start, Running),
    row(Prep, JobEvent::Kill, Killed),
    row(Running, JobEvent::Suspend, Suspended),
    row(Running, JobEvent::ReachEnd, Succeeded),
    row(Running, JobEvent::ReachKill, Killed),
    row(Running, JobEvent::Kill, Killed),
    row(Running, JobEvent::Fail, Failed),
    row(Suspended, JobEvent::Resume, Running),
    row(Suspended, JobEvent::Kill, Killed),
    row(Suspended, JobEvent::Fail, Failed),
    row(Succeeded, JobEvent::Rerun, Prep),
    row(Killed, JobEvent::Rerun, Prep),
    row(Failed, JobEvent::Rerun, Prep),
];

events! {
    /// What can happen to a workflow.
    JobEvent {
        /// It is started.
        Start = "start",
        /// It is suspended: by a user, before a node, or because an action needs somebody to look at it.
        Suspend = "suspend",
        /// It is resumed.
        Resume = "resume",
        /// It is killed.
        Kill = "kill",
        /// It reaches an end node.
        ReachEnd = "an end node",
        /// It reaches a kill node.
        ReachKill = "a kill node",
        /// An action fails, or the control flow breaks.
        Fail = "a failure",
        /// It is run again.
        Rerun = "rerun",
    }
}

/// A workflow job.
#[derive(Clone, Debug)]
pub struct WorkflowJob {
    /// Its number.
    pub number: u32,
    /// The key of its program.
    pub key: Key,
    /// Its program.
    pub program: Arc<Program>,
    /// Its name.
    pub name: Arc<str>,
    /// Its configuration; nothing once it is over, when its coordinator can make it again.
    pub conf: Option<Arc<Conf>>,
    /// What runs it.
    pub parent: Option<Parent>,
    /// How many workflows stand above it.
    pub depth: u32,
    /// By which rules it is played.
    pub semantics: Semantics,
    /// The settings of the server that it lives on, when its submission has its own.
    pub(in crate::engine) server: Option<Arc<Settings>>,
    /// Its state.
    pub status: WorkflowStatus,
    /// How often it was run again.
    pub run: u32,
    /// When it was submitted.
    pub created: Instant,
    /// When it was started.
    pub started: Option<Instant>,
    /// When it was over.
    pub ended: Option<Instant>,
    /// Its nodes in the order in which they were entered.
    pub nodes: Vec<NodeRun>,
    /// The indices of the nodes that are over, in the order in which they ended.
    pub finished: Vec<u32>,
    /// Why it broke off, when no node can say it.
    pub fault: Option<Fault>,
    /// Whether a branch has failed it at its start, and the others were left to run on outside.
    pub has_left_branches: bool,
    /// Forks whose ways have not all come to the join.
    pub(super) forks: Vec<Fork>,
    /// Nodes that a rerun skips, sorted.
    pub(super) skip: Vec<u32>,
    /// Sub-workflow actions that a rerun runs again under their old workflow, sorted.
    pub(super) kept: Vec<u32>,
    /// Steps to be made once the job is resumed.
    pub(super) put_off: Vec<Step>,
    /// The service levels that are watched.
    pub(super) levels: Option<Box<Levels>>,
    /// Nodes of which the start is not answered.
    pub(super) starting: Vec<usize>,
    /// Nodes that begin once nothing else is being started: commands of one job wait for each other.
    pub(super) due: VecDeque<usize>,
    /// Counts what is started, so that late news of something older are recognized.
    pub(super) attempts: u32,
}

/// A fork under way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fork {
    /// The fork around it.
    pub(super) parent: Option<u32>,
    /// The ways that have not come to the join.
    pub(super) open: u32,
}

impl WorkflowJob {
    /// A job in PREP.
    #[allow(clippy::too_many_arguments, reason = "each is a field of its own")]
    pub(in crate::engine) fn new(
        number: u32,
        key: Key,
        program: Arc<Program>,
        name: Arc<str>,
        conf: Option<Arc<Conf>>,
        parent: Option<Parent>,
        (depth, semantics): (u32, Semantics),
        now: Instant,
    ) -> WorkflowJob {
        WorkflowJob {
            number,
            key,
            program,
            name,
            conf,
            parent,
            depth,
            semantics,
            server: None,
            status: Prep,
            run: 0,
            created: now,
            started: None,
            ended: None,
            nodes: Vec::new(),
            finished: Vec::new(),
            fault: None,
            has_left_branches: false,
            forks: Vec::new(),
            skip: Vec::new(),
            kept: Vec::new(),
            put_off: Vec::new(),
            levels: None,
            starting: Vec::new(),
            due: VecDeque::new(),
            attempts: 0,
        }
    }

    /// Its id.
    pub fn id(&self) -> JobId {
        JobId::workflow(self.number)
    }

    /// Whether it has succeeded for an action of a coordinator, and no due time, child or branch can still concern it.
    pub(in crate::engine) fn is_done_for_good(&self) -> bool {
        let is_still = |run: &NodeRun| {
            let has_child = run.facts.as_ref().is_some_and(|facts| facts.child.is_some());
            run.status.is_over() && run.retries == 0 && run.user_retries == 0 && !has_child
        };
        self.status == Succeeded
            && matches!(self.parent, Some(Parent::Action(_)))
            && self.levels.is_none()
            && !self.has_left_branches
            && self.nodes.iter().all(is_still)
    }

    /// The last run of a node.
    pub fn node(&self, node: u32) -> Option<&NodeRun> {
        self.nodes.iter().rev().find(|run| run.node == node)
    }

    /// Where the last run of a node stands.
    pub(super) fn position(&self, node: u32) -> Option<usize> {
        self.nodes.iter().rposition(|run| run.node == node)
    }

    /// The name of a node.
    pub fn node_name(&self, node: u32) -> &Arc<str> {
        &self.program.nodes[node as usize].name
    }
}
