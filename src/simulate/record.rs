//! What a simulation has come to, as data: what was when in which state, what it waited for, how it ended.
//!
//! Everything else is worked out from this: summaries, timelines, comparisons, pages. Nothing here is text for people.

use std::sync::Arc;

use crate::engine::status::{ActionStatus, JobStatus, NodeStatus, WorkflowStatus};
use crate::engine::{ActionId, Fault, JobId, JobKind, Parent, SlaKind, Watched};
use crate::model::Dialect;
use crate::time::{Instant, ProcessingZone};

/// The version of the machine format.
pub const VERSION: u32 = 1;

/// One app, played from its submission to its end.
#[derive(Clone, Debug)]
pub struct Simulation {
    /// The resolved name of the app.
    pub app: Arc<str>,
    /// What the app is.
    pub kind: JobKind,
    /// The zone in which times are shown.
    pub zone: ProcessingZone,
    /// The seed of everything that was drawn.
    pub seed: u64,
    /// When it began.
    pub begin: Instant,
    /// When it was over: the time of the last event, or the time until which it was asked for.
    pub end: Instant,
    /// Why it was over.
    pub stop: Stop,
    /// How many events the engine was told.
    pub events: u64,
    /// The bundles.
    pub bundles: Vec<Bundle>,
    /// The coordinators, by number.
    pub coordinators: Vec<Coordinator>,
    /// The workflows, by number.
    pub workflows: Vec<Workflow>,
    /// Service levels met and missed, in order.
    pub sla: Vec<Sla>,
    /// What operators did, in order.
    pub operations: Vec<Operation>,
    /// What never ended, and why.
    pub unfinished: Vec<Unfinished>,
}

/// Why a simulation is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// Nothing more would ever happen.
    Complete,
    /// The time until which it was asked for.
    Until,
    /// No time was asked for, and its coordinators go on beyond [`super::HORIZON_DAYS`].
    HorizonDays,
    /// No time was asked for, and [`super::HORIZON_ACTIONS`] actions were created.
    HorizonActions,
}

impl Stop {
    /// The word in machine formats.
    pub const fn name(self) -> &'static str {
        match self {
            Stop::Complete => "complete",
            Stop::Until => "until",
            Stop::HorizonDays => "horizon-days",
            Stop::HorizonActions => "horizon-actions",
        }
    }
}

/// A state that begins; it lasts until the next one begins, the last one until the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Since<S> {
    /// From when on.
    pub at: Instant,
    /// In which state.
    pub status: S,
}

/// The states of something, one after the other: state, beginning, end.
pub fn spans<S: Copy>(history: &[Since<S>], end: Instant) -> impl Iterator<Item = (S, Instant, Instant)> {
    let ends = history.iter().skip(1).map(|next| next.at).chain([end]);
    history.iter().zip(ends).map(|(since, to)| (since.status, since.at, to.max(since.at)))
}

/// A bundle.
#[derive(Clone, Debug)]
pub struct Bundle {
    /// Its id.
    pub id: JobId,
    /// Its name.
    pub name: Arc<str>,
    /// Its states.
    pub history: Vec<Since<JobStatus>>,
    /// Why it failed.
    pub fault: Option<Fault>,
    /// Its coordinators that were refused: name and reason.
    pub refused: Vec<(Arc<str>, Fault)>,
}

/// A coordinator.
#[derive(Clone, Debug)]
pub struct Coordinator {
    /// Its id.
    pub id: JobId,
    /// Its name.
    pub name: Arc<str>,
    /// The bundle that runs it.
    pub bundle: Option<JobId>,
    /// Its states.
    pub history: Vec<Since<JobStatus>>,
    /// Why it failed.
    pub fault: Option<Fault>,
    /// Its actions; the first has the number 1.
    pub actions: Vec<Action>,
}

/// An action of a coordinator.
#[derive(Clone, Debug)]
pub struct Action {
    /// The time it is for.
    pub nominal: Instant,
    /// When it was created first.
    pub created: Instant,
    /// Its states.
    pub history: Vec<Since<ActionStatus>>,
    /// What it waited for, in the order in which it was looked for.
    pub waits: Vec<Wait>,
    /// Its workflows, one for each time that it ran.
    pub workflows: Vec<JobId>,
    /// Why it failed.
    pub fault: Option<Fault>,
    /// Whether it was removed again, by a change of its coordinator's end or pause time.
    pub is_removed: bool,
}

impl Action {
    /// Its last state.
    pub fn status(&self) -> ActionStatus {
        self.history.last().map_or(ActionStatus::Waiting, |since| since.status)
    }

    /// What decided how long it waited between two times: what came last or never; of those of which one will do, the
    /// one that came.
    pub fn last_wait(&self, from: Instant, to: Instant) -> Option<&Wait> {
        let waits = self.waits.iter().filter(|wait| wait.from >= from && wait.from <= to);
        waits.max_by_key(|wait| (wait.to.is_some() == wait.is_choice, wait.to))
    }

    /// From when on it could have run, had everything been there.
    pub fn due(&self) -> Instant {
        self.nominal.max(self.created)
    }
}

/// What an action waited for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wait {
    /// What was missing.
    pub uri: Arc<str>,
    /// From when on it was missed.
    pub from: Instant,
    /// Until when; `None`: it was missed to the end, or as long as the action waited.
    pub to: Option<Instant>,
    /// True when others would have done as well: instances of `latest` and `future`, and alternatives of input logic.
    pub is_choice: bool,
}

/// A workflow.
#[derive(Clone, Debug)]
pub struct Workflow {
    /// Its id.
    pub id: JobId,
    /// Its name.
    pub name: Arc<str>,
    /// What runs it.
    pub parent: Option<Parent>,
    /// The language of its definition.
    pub dialect: Dialect,
    /// Its states.
    pub history: Vec<Since<WorkflowStatus>>,
    /// Why it failed or was killed.
    pub fault: Option<Fault>,
    /// The nodes of its definition.
    pub nodes: Arc<[Node]>,
    /// What was started, in order.
    pub runs: Vec<Run>,
}

/// A node of a workflow's definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// Its name.
    pub name: Arc<str>,
    /// `fork`, `decision` and so on, or the type of its action.
    pub kind: Arc<str>,
}

impl Workflow {
    /// The word for its state.
    pub fn status_word(&self) -> &'static str {
        self.history.last().map_or(self.dialect.submitted(), |since| since.status.name_in(self.dialect))
    }
}

impl Node {
    /// Whether it is an action; the other kinds steer.
    pub fn is_action(&self) -> bool {
        !matches!(&*self.kind, "start" | "end" | "kill" | "fail" | "decision" | "fork" | "join")
    }
}

/// One attempt of a node that is an action.
#[derive(Clone, Debug)]
pub struct Run {
    /// The node's index in [`Workflow::nodes`].
    pub node: u32,
    /// How often it was started in this workflow, this time included; 0: it was entered and never started.
    pub attempt: u32,
    /// When it was started.
    pub from: Instant,
    /// When it was over.
    pub to: Option<Instant>,
    /// What became of it.
    pub status: NodeStatus,
    /// Why it failed.
    pub fault: Option<Box<Fault>>,
    /// The workflow that a sub-workflow action runs.
    pub child: Option<JobId>,
}

/// A service level met or missed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sla {
    /// When it was told.
    pub at: Instant,
    /// Of what.
    pub subject: Watched,
    /// What.
    pub what: SlaKind,
    /// What was expected.
    pub expected: Expected,
}

/// What a service level expects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// Something at this time at the latest.
    At(Instant),
    /// No longer than so many milliseconds.
    Millis(i64),
}

impl Sla {
    /// Whether it was missed.
    pub const fn is_missed(&self) -> bool {
        matches!(self.what, SlaKind::StartMiss | SlaKind::EndMiss | SlaKind::DurationMiss)
    }
}

/// Something that an operator did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation {
    /// When.
    pub at: Instant,
    /// The command, such as `suspend`.
    pub command: &'static str,
    /// With which job, and which of its actions.
    pub target: String,
    /// What else it was told, in words; may be empty.
    pub details: String,
    /// Why it was refused, if so.
    pub refusal: Option<String>,
    /// Whether it was taken though there was nothing to do.
    pub does_nothing: bool,
    /// Why there was nothing to do, where that is known: the server drops the command, and the caller does not hear of it
    /// (`XCommand.call`, which keeps a `PreconditionException` to itself).
    pub unmet: Option<String>,
}

/// Something that was not over when the simulation was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unfinished {
    /// What.
    pub subject: Subject,
    /// Oozie's name of its state.
    pub status: &'static str,
    /// Why it has not ended.
    pub reason: String,
}

/// A job, or an action of a coordinator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    /// A job.
    Job(JobId),
    /// An action.
    Action(ActionId),
}

impl Simulation {
    /// A coordinator.
    pub fn coordinator(&self, id: JobId) -> Option<&Coordinator> {
        self.coordinators.iter().find(|coordinator| coordinator.id == id)
    }

    /// An action of a coordinator.
    pub fn action(&self, id: ActionId) -> Option<&Action> {
        self.coordinator(id.job())?.actions.get((id.number as usize).checked_sub(1)?)
    }

    /// A workflow.
    pub fn workflow(&self, id: JobId) -> Option<&Workflow> {
        let at = self.workflows.binary_search_by(|workflow| workflow.id.number.cmp(&id.number)).ok()?;
        self.workflows.get(at)
    }

    /// The actions of all coordinators in order, without those that were removed again.
    pub fn actions(&self) -> impl Iterator<Item = (&Coordinator, ActionId, &Action)> {
        self.coordinators.iter().flat_map(|coordinator| {
            let numbered = (1..).zip(&coordinator.actions).filter(|(_, action)| !action.is_removed);
            numbered.map(move |(number, action)| {
                (coordinator, ActionId { coordinator: coordinator.id.number, number }, action)
            })
        })
    }

    /// A name for an action that people know: `coordinator@number`.
    pub fn name_of(&self, id: ActionId) -> String {
        let name =
            self.coordinator(id.job()).map_or_else(|| id.job().to_string(), |job| job.name.to_string());
        format!("{name}@{}", id.number)
    }

    /// A name that people know for what has a service level: `coordinator@3`, `workflow`, `workflow/node`.
    pub fn name_of_watched(&self, watched: Watched) -> String {
        let workflow =
            |id: JobId| self.workflow(id).map_or_else(|| id.to_string(), |job| job.name.to_string());
        match watched {
            Watched::Action(id) => self.name_of(id),
            Watched::Workflow(id) => workflow(id),
            Watched::Node(id) => {
                let node = self.workflow(id.job()).and_then(|job| job.nodes.get(id.node as usize));
                format!("{}/{}", workflow(id.job()), node.map_or("", |node| &node.name))
            }
        }
    }
}
