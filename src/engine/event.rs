//! What happens to jobs: all that the state of the engine is made from.

use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize};

use super::conf::Conf;
use super::id::{ActionId, JobId, NodeId};
use super::semantics::Semantics;
use super::server::Server;
use crate::time::Instant;

/// The version of the events' form.
pub const VERSION: u16 = 1;

/// An event as a journal keeps it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Recorded {
    /// [`VERSION`] when it was written.
    pub version: u16,
    /// When it happened.
    pub at: Instant,
    /// What.
    pub event: Event,
}

/// The name under which a driver knows a definition with its values. The same key stands for the same thing for good.
pub type Key = Arc<str>;

/// What can happen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Event {
    /// Somebody submits a job that planning has accepted.
    Submit(Submit),
    /// Somebody starts a job.
    Start(JobId),
    /// Somebody suspends a job.
    Suspend(JobId),
    /// Somebody resumes a job.
    Resume(JobId),
    /// Somebody kills a job.
    Kill(JobId),
    /// Somebody changes a coordinator or a bundle.
    Change(JobId, Change),
    /// Somebody runs a workflow again.
    RerunWorkflow(JobId, WorkflowRerun),
    /// Somebody runs actions of a coordinator again.
    RerunActions(JobId, ActionsRerun),
    /// Somebody runs coordinators of a bundle again.
    RerunBundle(JobId, BundleRerun),
    /// Somebody kills actions of a coordinator.
    KillActions(JobId, Scope),
    /// Somebody lets a coordinator look at some actions no more.
    IgnoreActions(JobId, Scope),
    /// Time has passed.
    Tick,
    /// The clock was set, or the machine slept: it shows so many milliseconds more than have passed, or fewer. What waits
    /// for a span of time waits for the rest of it; what waits for a time of day waits for that.
    ClockSet {
        /// By how much it was set forward; back where negative.
        millis: i64,
    },
    /// The answer to [`super::Command::PlanCoordinator`].
    CoordinatorPlanned {
        /// The bundle.
        bundle: JobId,
        /// Which of its coordinators.
        child: u32,
        /// The key of a [`super::CoordinatorProgram`], or why it is refused.
        outcome: Result<Key, Fault>,
    },
    /// The answer to [`super::Command::PlanWorkflow`].
    WorkflowPlanned {
        /// Who wants it.
        parent: Parent,
        /// The workflow, or why it is refused.
        outcome: Result<PlannedWorkflow, Fault>,
    },
    /// The answer to [`super::Command::Look`].
    Looked {
        /// Who asked.
        subject: Subject,
        /// What was seen.
        facts: Facts,
    },
    /// An action of a workflow has begun outside.
    NodeStarted {
        /// Which.
        node: NodeId,
        /// The attempt that the command named.
        attempt: u32,
        /// Its id there.
        external_id: Option<Arc<str>>,
        /// Where it runs.
        tracker: Option<Arc<str>>,
    },
    /// An action of a workflow is over outside.
    NodeEnded {
        /// Which.
        node: NodeId,
        /// The attempt that the command named.
        attempt: u32,
        /// How.
        end: NodeEnd,
    },
    /// An action of a workflow could not be started, watched or ended.
    NodeTrouble {
        /// Which.
        node: NodeId,
        /// The attempt that the command named.
        attempt: u32,
        /// What went wrong.
        trouble: Trouble,
    },
    /// An action of a workflow was killed outside.
    NodeKilled {
        /// Which.
        node: NodeId,
        /// The attempt that the command named.
        attempt: u32,
        /// Why that failed, when it did.
        fault: Option<Fault>,
    },
}

impl Event {
    /// The job that it is about; none for a submission, which makes one, and for time, which is for all.
    pub fn job(&self) -> Option<JobId> {
        match self {
            Event::Submit(_) | Event::Tick | Event::ClockSet { .. } => None,
            Event::Start(job)
            | Event::Suspend(job)
            | Event::Resume(job)
            | Event::Kill(job)
            | Event::Change(job, _)
            | Event::RerunWorkflow(job, _)
            | Event::RerunActions(job, _)
            | Event::RerunBundle(job, _)
            | Event::KillActions(job, _)
            | Event::IgnoreActions(job, _) => Some(*job),
            Event::CoordinatorPlanned { bundle, .. } => Some(*bundle),
            Event::WorkflowPlanned { parent: Parent::Action(action), .. }
            | Event::Looked { subject: Subject::Action(action), .. } => Some(action.job()),
            Event::WorkflowPlanned { parent: Parent::Node(node), .. }
            | Event::Looked { subject: Subject::Node(node), .. }
            | Event::NodeStarted { node, .. }
            | Event::NodeEnded { node, .. }
            | Event::NodeTrouble { node, .. }
            | Event::NodeKilled { node, .. } => Some(node.job()),
        }
    }
}

/// A submission.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Submit {
    /// What is submitted.
    pub program: Submission,
    /// A name of the user's own, under which a second submission finds the first.
    pub external_id: Option<Arc<str>>,
    /// Whether it is started at once.
    pub start: bool,
    /// By which rules it is played, with all that comes of it.
    #[serde(default = "Semantics::unsaid")]
    pub semantics: Semantics,
    /// What is set on the server that it lives on; nothing: as the engine has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server: Option<Box<Server>>,
}

impl Submit {
    /// A submission that is played by the rules of today.
    pub fn new(program: Submission, external_id: Option<Arc<str>>, start: bool) -> Submit {
        Submit { program, external_id, start, semantics: Semantics::CURRENT, server: None }
    }
}

/// What is submitted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Submission {
    /// A workflow.
    Workflow(PlannedWorkflow),
    /// The key of a [`super::CoordinatorProgram`].
    Coordinator(Key),
    /// The key of a [`super::BundleProgram`].
    Bundle(Key),
}

/// A workflow that planning has accepted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlannedWorkflow {
    /// The key of a [`crate::plan::workflow::Program`].
    pub program: Key,
    /// The resolved name.
    pub name: Arc<str>,
    /// The job's configuration; `None`: what the command held.
    pub conf: Option<Arc<Conf>>,
}

/// Why something outside was refused or failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// The code, such as `E0707` or `JA018`.
    pub code: Arc<str>,
    /// In words.
    pub message: Arc<str>,
}

impl Fault {
    /// A fault.
    pub fn new(code: &str, message: impl Into<Arc<str>>) -> Fault {
        Fault { code: code.into(), message: message.into() }
    }
}

/// What runs a workflow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Parent {
    /// An action of a coordinator.
    Action(ActionId),
    /// A sub-workflow action.
    Node(NodeId),
}

/// What needs to know of the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Subject {
    /// An action that waits for inputs.
    Action(ActionId),
    /// A node whose expressions ask for files.
    Node(NodeId),
}

/// What was seen of the world.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Facts {
    /// How many more of the inputs were found, in their order.
    #[serde(skip_serializing_if = "is_zero")]
    pub found: u32,
    /// Those URIs that exist among those that were asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub uris: Vec<Arc<str>>,
    /// Files and their lengths; null is a folder.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<(Arc<str>, Option<i64>)>,
    /// The bytes of a block, of those files of which they were asked for and known.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub blocks: Vec<(Arc<str>, i64)>,
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// How an action ended.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct NodeEnd {
    /// Whether it ended well.
    pub ok: bool,
    /// Its status outside, such as `SUCCEEDED` or `KILLED`.
    pub external_status: Option<Arc<str>>,
    /// Its error.
    pub fault: Option<Fault>,
    /// What it captured, as the text of a properties file.
    pub data: Option<Arc<str>>,
    /// Counters, as JSON.
    pub stats: Option<Arc<str>>,
    /// The ids of its children, with commas between.
    pub child_ids: Option<Arc<str>>,
}

/// What went wrong with an action, apart from what it does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trouble {
    /// How bad.
    pub kind: TroubleKind,
    /// When.
    pub during: During,
    /// What.
    pub fault: Fault,
}

/// The kinds of errors of an action (`ActionExecutorException.ErrorType`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TroubleKind {
    /// It may go away by itself.
    Transient,
    /// Somebody must look at it.
    NonTransient,
    /// The action ended with an error.
    Error,
    /// The action failed, and the job with it.
    Failed,
}

/// What was being done with an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum During {
    /// It was started.
    Start,
    /// It was looked after.
    Check,
    /// Its end was taken in.
    End,
}

/// Which actions of a coordinator.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Scope {
    /// By number: `1,3-5`.
    Numbers(Arc<str>),
    /// By nominal time: `T`, `T1::T2`, with commas between.
    Dates(Arc<str>),
}

/// A change of a coordinator or a bundle.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Change {
    /// A new end.
    pub end: Option<Instant>,
    /// A new limit of actions that run at once.
    pub concurrency: Option<i32>,
    /// A new pause time; `Some(None)`: none any more.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "given")]
    pub pause: Option<Option<Instant>>,
    /// `RUNNING` or `IGNORED`.
    pub status: Option<super::status::JobStatus>,
}

/// What is there is given, also when it is null.
fn given<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

/// How a workflow is run again.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct WorkflowRerun {
    /// `oozie.wf.rerun.skip.nodes`
    pub skip: Option<Vec<Arc<str>>>,
    /// `oozie.wf.rerun.failnodes`
    pub failed: bool,
    /// Properties over the old ones.
    pub conf: Option<Conf>,
    /// Another program; `None`: the old one.
    pub program: Option<Key>,
}

/// How actions of a coordinator are run again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ActionsRerun {
    /// Which.
    pub scope: Scope,
    /// Leave outputs where they are.
    pub nocleanup: bool,
    /// Work out inputs once more.
    pub refresh: bool,
    /// Only what failed.
    pub failed: bool,
    /// Properties over those that the actions' workflows get; they stay until others are given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conf: Option<Conf>,
}

impl ActionsRerun {
    /// The actions of a scope as they were, outputs removed.
    pub fn of(scope: Scope) -> ActionsRerun {
        ActionsRerun { scope, nocleanup: false, refresh: false, failed: false, conf: None }
    }
}

/// How coordinators of a bundle are run again.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct BundleRerun {
    /// The names of coordinators; none: all.
    pub coordinators: Vec<Arc<str>>,
    /// Nominal times; without, all of a coordinator.
    pub dates: Option<Arc<str>>,
    /// Leave outputs where they are.
    pub nocleanup: bool,
    /// Work out inputs once more.
    pub refresh: bool,
}
