//! What jobs do as time passes: the state machines of bundles, coordinators, workflows and their actions.
//!
//! Pure: no clock, no files, no processes. The time and everything that happens outside are [`Event`]s; what shall be
//! done outside are [`Command`]s. The state is a fold over the events: an engine that is given the same events again
//! is the same engine. Does not know who drives it.
//!
//! Each machine is a file that begins with its transition table; a pair that is in no row is a typed error.

pub mod application;
pub mod bundle;
mod command;
mod conf;
mod context;
pub mod coordinator;
mod error;
mod event;
mod id;
mod join;
mod operate;
mod secrets;
mod semantics;
pub mod server;
mod settings;
mod settle;
mod sla;
pub mod status;
mod submit;
pub mod table;
pub mod transit;
mod unanswered;
mod view;
mod wake;
pub mod workflow;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ops::Deref;
use std::sync::Arc;

pub use bundle::{BundleProgram, BundleRun, ChildProgram};
pub use command::{Alert, Answer, Changed, Command, SlaEvent, SlaKind, SlaStatus, Watched};
pub use conf::Conf;
pub use coordinator::{CoordinatorProgram, CoordinatorRun};
pub use error::{EngineError, Refusal};
pub use event::{
    ActionsRerun, BundleRerun, Change, During, Event, Facts, Fault, Key, NodeEnd, Parent, PlannedWorkflow,
    Recorded, Scope, Subject, Submission, Submit, Trouble, TroubleKind, VERSION, WorkflowRerun,
};
pub use id::{ActionId, BadId, JobId, JobKind, NodeId};
pub use secrets::Secrets;
pub use semantics::Semantics;
pub use server::Server;
pub use settings::Settings;
pub use unanswered::{Asked, Question, Unanswered};
pub use view::Outside;

use crate::plan::workflow::Program;
use crate::time::Instant;
use context::{Context, Notice};
use wake::Wake;
pub use workflow::WorkflowJob;

/// Finds what the keys in events stand for. The same key gives the same thing for good.
pub trait Plans {
    /// A workflow that is ready to run.
    fn workflow(&self, key: &str) -> Option<Arc<Program>>;

    /// A coordinator that planning has accepted.
    fn coordinator(&self, key: &str) -> Option<Arc<CoordinatorProgram>>;

    /// A bundle that planning has accepted.
    fn bundle(&self, key: &str) -> Option<Arc<BundleProgram>>;

    /// What the definition behind a key calls things, as it writes them; none where nobody knows its text.
    fn names(&self, key: &str) -> BTreeSet<String> {
        let _ = key;
        BTreeSet::new()
    }
}

/// Whatever leads to one: a reference, a counted pointer.
impl<D: Deref<Target: Plans>> Plans for D {
    fn workflow(&self, key: &str) -> Option<Arc<Program>> {
        (**self).workflow(key)
    }

    fn coordinator(&self, key: &str) -> Option<Arc<CoordinatorProgram>> {
        (**self).coordinator(key)
    }

    fn bundle(&self, key: &str) -> Option<Arc<BundleProgram>> {
        (**self).bundle(key)
    }

    fn names(&self, key: &str) -> BTreeSet<String> {
        (**self).names(key)
    }
}

/// All jobs and what they wait for.
#[derive(Debug)]
pub struct Engine<P> {
    plans: P,
    settings: Settings,
    now: Instant,
    last_number: u32,
    workflows: BTreeMap<u32, Box<WorkflowJob>>,
    coordinators: BTreeMap<u32, Box<CoordinatorRun>>,
    bundles: BTreeMap<u32, Box<BundleRun>>,
    external_ids: BTreeMap<Arc<str>, JobId>,
    wakes: BTreeSet<(Instant, Wake)>,
    out: Vec<Command>,
    notices: VecDeque<Notice>,
    /// Jobs whose status is worked out anew once nothing else is to be told.
    looks: BTreeSet<Notice>,
}

impl<P: Plans> Engine<P> {
    /// An engine without jobs.
    pub fn new(plans: P, settings: Settings) -> Engine<P> {
        Engine {
            plans,
            settings,
            now: Instant::from_millis(i64::MIN),
            last_number: 0,
            workflows: BTreeMap::new(),
            coordinators: BTreeMap::new(),
            bundles: BTreeMap::new(),
            external_ids: BTreeMap::new(),
            wakes: BTreeSet::new(),
            out: Vec::new(),
            notices: VecDeque::new(),
            looks: BTreeSet::new(),
        }
    }

    /// An engine as it was after these events.
    pub fn replay<'e>(
        plans: P,
        settings: Settings,
        events: impl IntoIterator<Item = &'e Recorded>,
    ) -> Result<Engine<P>, EngineError> {
        let mut engine = Engine::new(plans, settings);
        for recorded in events {
            if recorded.version != VERSION {
                return Err(EngineError::Version(recorded.version));
            }
            engine.handle(recorded.at, recorded.event.clone())?;
        }
        Ok(engine)
    }

    /// Takes an event in. After an error everything is as it was before; the event is then not to be recorded.
    /// A time before that of the last event counts as that, unless the clock was set.
    pub fn handle(&mut self, now: Instant, event: Event) -> Result<Vec<Command>, EngineError> {
        let before = self.now;
        self.now = if matches!(event, Event::ClockSet { .. }) { now } else { before.max(now) };
        let taken = self.take(event);
        if taken.is_err() {
            debug_assert!(
                self.out.is_empty() && self.notices.is_empty(),
                "a refused event has changed something"
            );
            self.now = before;
        }
        self.settle();
        let commands = std::mem::take(&mut self.out);
        taken.map(|()| commands)
    }

    /// The number of the newest job.
    pub fn last_number(&self) -> u32 {
        self.last_number
    }

    /// Lets the next job have the number after this one, at least: a replay of some jobs alone gives each the number
    /// that it had among all.
    pub fn continue_after(&mut self, number: u32) {
        self.last_number = self.last_number.max(number);
    }

    /// When [`Event::Tick`] is wanted next.
    pub fn next_wake(&self) -> Option<Instant> {
        self.wakes.first().map(|(at, _)| *at)
    }

    /// The answer to [`Command::Look`], as an event.
    pub fn look(
        &mut self,
        now: Instant,
        subject: Subject,
        outside: &dyn Outside,
    ) -> Result<Event, EngineError> {
        let now = self.now.max(now);
        let node = match subject {
            Subject::Node(node) => node,
            Subject::Action(action) => {
                let unknown = EngineError::UnknownJob(action.job());
                let job = self.coordinators.get(&action.coordinator).ok_or(unknown)?;
                let facts = job.look(action.number, now, outside);
                let facts = facts.ok_or_else(|| EngineError::UnknownAction(action.to_string()))?;
                return Ok(Event::Looked { subject, facts });
            }
        };
        let job = self.workflows.get(&node.workflow).ok_or(EngineError::UnknownJob(node.job()))?;
        if job.node(node.node).is_none() {
            return Err(EngineError::UnknownAction(node.to_string()));
        }
        let (mut out, mut wakes, mut notices) = (Vec::new(), BTreeSet::new(), VecDeque::new());
        let settings = job.server.as_deref().unwrap_or(&self.settings);
        let cx = Context { settings, now, out: &mut out, wakes: &mut wakes, notices: &mut notices };
        let facts = job.look(node.node, &cx, outside);
        Ok(Event::Looked { subject, facts })
    }

    /// The value of a text that an action brings along in a file, with the expressions of the node as they stand now
    /// (`JavaActionExecutor.parseJobXmlAndConfiguration`); in words why it has none.
    pub fn evaluate(&self, node: NodeId, text: &str, outside: &dyn Outside) -> Result<String, String> {
        let job = self.workflows.get(&node.workflow).ok_or_else(|| format!("{} is not known", node.job()))?;
        let settings = job.server.as_deref().unwrap_or(&self.settings);
        job.evaluate_text(node.node, text, settings, self.now, outside)
    }

    /// A workflow.
    pub fn workflow(&self, id: JobId) -> Option<&WorkflowJob> {
        self.workflows.get(&id.number).filter(|_| id.kind == JobKind::Workflow).map(|job| &**job)
    }

    /// Forgets a workflow to which nothing can happen any more unless somebody asks for it: it has succeeded for an action
    /// of a coordinator, at the first try, with nothing watched or below it. Says whether it did. Whoever calls this runs
    /// nothing again and replays nothing.
    pub fn forget(&mut self, id: JobId) -> bool {
        let is_done = self.workflow(id).is_some_and(WorkflowJob::is_done_for_good);
        if is_done {
            self.workflows.remove(&id.number);
        }
        is_done
    }

    /// All workflows.
    pub fn workflows(&self) -> impl Iterator<Item = &WorkflowJob> {
        self.workflows.values().map(|job| &**job)
    }

    /// A coordinator.
    pub fn coordinator(&self, id: JobId) -> Option<&CoordinatorRun> {
        self.coordinators.get(&id.number).filter(|_| id.kind == JobKind::Coordinator).map(|job| &**job)
    }

    /// All coordinators.
    pub fn coordinators(&self) -> impl Iterator<Item = &CoordinatorRun> {
        self.coordinators.values().map(|job| &**job)
    }

    /// A bundle.
    pub fn bundle(&self, id: JobId) -> Option<&BundleRun> {
        self.bundles.get(&id.number).filter(|_| id.kind == JobKind::Bundle).map(|job| &**job)
    }

    /// All bundles.
    pub fn bundles(&self) -> impl Iterator<Item = &BundleRun> {
        self.bundles.values().map(|job| &**job)
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    fn take(&mut self, event: Event) -> Result<(), EngineError> {
        match event {
            Event::Submit(submit) => self.submit(submit),
            Event::Start(job) => self.start(job),
            Event::Suspend(job) => self.suspend(job),
            Event::Resume(job) => self.resume(job),
            Event::Kill(job) => self.kill(job),
            Event::Change(job, change) => self.change(job, &change),
            Event::RerunWorkflow(job, rerun) => self.rerun_workflow(job, rerun),
            Event::RerunActions(job, rerun) => self.of_coordinator(job, |job, cx| job.rerun(cx, &rerun)),
            Event::RerunBundle(job, rerun) => self.rerun_bundle(job, &rerun),
            Event::KillActions(job, scope) => {
                self.of_coordinator(job, |job, cx| job.kill_actions(cx, &scope))
            }
            Event::IgnoreActions(job, scope) => {
                self.of_coordinator(job, |job, cx| job.ignore_actions(cx, &scope))
            }
            Event::ClockSet { millis } => {
                self.keep_spans(millis);
                Ok(())
            }
            Event::Tick => {
                self.tick();
                Ok(())
            }
            Event::CoordinatorPlanned { bundle, child, outcome } => {
                self.coordinator_planned(bundle, child, outcome)
            }
            Event::WorkflowPlanned { parent, outcome } => self.workflow_planned(parent, outcome),
            Event::Looked { subject: Subject::Node(node), facts } => {
                self.of_workflow(node.job(), |job, cx| job.node_looked(cx, node, &facts))
            }
            Event::Looked { subject: Subject::Action(action), facts } => {
                self.of_coordinator(action.job(), |job, cx| job.looked(cx, action.number, &facts))
            }
            Event::NodeStarted { node, attempt, external_id, tracker } => {
                let outside = (external_id, tracker);
                self.of_workflow(node.job(), |job, cx| job.node_started(cx, node, attempt, outside))
            }
            Event::NodeEnded { node, attempt, end } => {
                self.of_workflow(node.job(), |job, cx| job.node_ended(cx, node, attempt, end))
            }
            Event::NodeTrouble { node, attempt, trouble } => {
                self.of_workflow(node.job(), |job, cx| job.node_trouble(cx, node, attempt, trouble))
            }
            Event::NodeKilled { node, attempt, fault } => {
                self.of_workflow(node.job(), |job, cx| job.node_killed(cx, node, attempt, fault))
            }
        }
    }

    /// How a service level stands of something that is not over; none where nothing is expected of it.
    pub fn service_level(&self, subject: Watched) -> Option<SlaStatus> {
        match subject {
            Watched::Action(action) => self.coordinator(action.job())?.service_level(action.number),
            Watched::Workflow(job) => self.workflow(job)?.service_level(None),
            Watched::Node(node) => self.workflow(node.job())?.service_level(Some(node.node)),
        }
    }

    /// Does something with a workflow.
    fn of_workflow<R>(
        &mut self,
        id: JobId,
        act: impl FnOnce(&mut WorkflowJob, &mut Context<'_>) -> Result<R, EngineError>,
    ) -> Result<R, EngineError> {
        let Engine { settings, now, out, wakes, notices, workflows, .. } = self;
        let job = workflows.get_mut(&id.number).filter(|_| id.kind == JobKind::Workflow);
        let job = job.ok_or(EngineError::UnknownJob(id))?;
        let own = job.server.clone();
        let settings = own.as_deref().unwrap_or(settings);
        act(job, &mut Context { settings, now: *now, out, wakes, notices })
    }

    /// Does something with a coordinator.
    fn of_coordinator<R>(
        &mut self,
        id: JobId,
        act: impl FnOnce(&mut CoordinatorRun, &mut Context<'_>) -> Result<R, EngineError>,
    ) -> Result<R, EngineError> {
        let Engine { settings, now, out, wakes, notices, coordinators, .. } = self;
        let job = coordinators.get_mut(&id.number).filter(|_| id.kind == JobKind::Coordinator);
        let job = job.ok_or(EngineError::UnknownJob(id))?;
        let own = job.server.clone();
        let settings = own.as_deref().unwrap_or(settings);
        act(job, &mut Context { settings, now: *now, out, wakes, notices })
    }

    /// Does something with a bundle.
    fn of_bundle<R>(
        &mut self,
        id: JobId,
        act: impl FnOnce(&mut BundleRun, &mut Context<'_>) -> Result<R, EngineError>,
    ) -> Result<R, EngineError> {
        let Engine { settings, now, out, wakes, notices, bundles, .. } = self;
        let job = bundles.get_mut(&id.number).filter(|_| id.kind == JobKind::Bundle);
        let job = job.ok_or(EngineError::UnknownJob(id))?;
        let own = job.server.clone();
        let settings = own.as_deref().unwrap_or(settings);
        act(job, &mut Context { settings, now: *now, out, wakes, notices })
    }
}
