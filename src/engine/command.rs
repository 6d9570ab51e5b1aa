//! What shall be done outside, and what has changed.

use std::fmt;
use std::sync::Arc;

use super::conf::Conf;
use super::event::{Fault, Key, Parent, Subject};
use super::id::{ActionId, JobId, NodeId};
use super::status::{ActionStatus, JobStatus, NodeStatus, WorkflowStatus};
use super::table::Taken;
use crate::plan::coordinator::Texts;
use crate::time::Instant;

/// What the engine wants or tells.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// A submission has this id; one with a known external id has that of the first.
    Submitted {
        /// The job.
        job: JobId,
        /// Whether it was there before.
        existed: bool,
    },
    /// Plan a coordinator of a bundle, and answer with [`super::Event::CoordinatorPlanned`].
    PlanCoordinator {
        /// The bundle.
        bundle: JobId,
        /// Which of its coordinators.
        child: u32,
    },
    /// Plan a workflow, and answer with [`super::Event::WorkflowPlanned`].
    PlanWorkflow {
        /// Who wants it.
        parent: Parent,
        /// Where it lies.
        app_path: Arc<str>,
        /// What it is submitted with.
        conf: Arc<Conf>,
        /// The program of the workflow that runs it, when it is a sub-workflow.
        above: Option<Key>,
    },
    /// Look at the world now ([`super::Engine::look`]), and answer with [`super::Event::Looked`].
    Look(Subject),
    /// Something is missing. Look again once something may have changed, at the latest after the interval of the
    /// settings.
    Await(Subject),
    /// Start an action.
    StartNode {
        /// Which.
        node: NodeId,
        /// To be named in what is told of it.
        attempt: u32,
        /// Its type.
        kind: Arc<str>,
        /// The element, evaluated.
        definition: Arc<str>,
    },
    /// Tell once more how an action has ended.
    EndNode {
        /// Which.
        node: NodeId,
        /// To be named in what is told of it.
        attempt: u32,
    },
    /// Kill an action, and answer with [`super::Event::NodeKilled`].
    KillNode {
        /// Which.
        node: NodeId,
        /// The attempt that was started.
        attempt: u32,
    },
    /// Remove the outputs of an action that is run again; before anything that follows.
    Clean {
        /// Which.
        action: ActionId,
        /// What.
        uris: Texts,
    },
    /// Tell somebody by HTTP.
    Notify {
        /// The address.
        url: String,
        /// A proxy, as configured.
        proxy: Option<String>,
    },
    /// A service level was met or missed.
    Sla(SlaEvent),
    /// Something has changed its state.
    Changed(Changed),
    /// What a server answers to the operator's command that was just taken, beside doing it.
    Answered(Answer),
    /// A machine has taken a row of its table.
    Took(Taken),
    /// A new action of a coordinator.
    Created {
        /// Which.
        action: ActionId,
        /// The time it is for.
        nominal: Instant,
    },
    /// The workflow of an action or of a sub-workflow action.
    Bound {
        /// Who runs it.
        parent: Parent,
        /// The workflow.
        workflow: JobId,
    },
}

/// What a server answers to a command that it has taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It takes the command, and nothing is done.
    Nothing,
    /// It refuses in part, or has failed after it began; what it did stays done.
    Refused(Fault),
}

/// A change of state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Changed {
    /// Of a bundle or a coordinator.
    Job(JobId, JobStatus, JobStatus),
    /// Of an action of a coordinator.
    Action(ActionId, ActionStatus, ActionStatus),
    /// Of a workflow.
    Workflow(JobId, WorkflowStatus, WorkflowStatus),
    /// Of a node.
    Node(NodeId, NodeStatus, NodeStatus),
}

/// What a service level is asked of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Watched {
    /// An action of a coordinator.
    Action(ActionId),
    /// A workflow.
    Workflow(JobId),
    /// An action of a workflow.
    Node(NodeId),
}

impl fmt::Display for Watched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Watched::Action(action) => action.fmt(f),
            Watched::Workflow(job) => job.fmt(f),
            Watched::Node(node) => node.fmt(f),
        }
    }
}

/// A service level met or missed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlaEvent {
    /// Whose.
    pub subject: Watched,
    /// What.
    pub what: SlaKind,
    /// What was expected: a time, or a duration in milliseconds.
    pub expected: i64,
    /// Who is to hear of it by mail, of what was missed.
    pub alert: Option<Alert>,
}

/// Who hears of a missed service level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alert {
    /// The addresses, with commas between.
    pub to: String,
    /// What the service level says to them.
    pub message: String,
}

/// How a service level stands; its end decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SlaStatus {
    /// What is watched has not begun.
    NotStarted,
    /// It has, and its end is not due.
    InProcess,
    /// It ended well and in time.
    Met,
    /// It did not.
    Miss,
}

impl SlaStatus {
    /// Oozie's name (`SLACalcStatus.SLAStatus`).
    pub const fn name(self) -> &'static str {
        match self {
            SlaStatus::NotStarted => "NOT_STARTED",
            SlaStatus::InProcess => "IN_PROCESS",
            SlaStatus::Met => "MET",
            SlaStatus::Miss => "MISS",
        }
    }
}

/// What can be met or missed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SlaKind {
    /// It started in time.
    StartMet,
    /// It did not.
    StartMiss,
    /// It ended well and in time.
    EndMet,
    /// It did not.
    EndMiss,
    /// It took no longer than expected.
    DurationMet,
    /// It did.
    DurationMiss,
}

impl SlaKind {
    /// Oozie's name.
    pub const fn name(self) -> &'static str {
        match self {
            SlaKind::StartMet => "START_MET",
            SlaKind::StartMiss => "START_MISS",
            SlaKind::EndMet => "END_MET",
            SlaKind::EndMiss => "END_MISS",
            SlaKind::DurationMet => "DURATION_MET",
            SlaKind::DurationMiss => "DURATION_MISS",
        }
    }
}
