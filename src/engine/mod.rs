//! What jobs do as time passes: the state machines of bundles, coordinators, workflows and their actions.
//!
//! Pure: no clock, no files, no processes. The time and everything that happens outside are [`Event`]s; what shall be
//! done outside are [`Command`]s. The state is a fold over the events: an engine that is given the same events again
//! is the same engine. Does not know who drives it.
//!
//! Each machine is a file that begins with its transition table; a pair that is in no row is a typed error.

mod command;
mod conf;
mod context;
pub mod coordinator;
mod error;
mod event;
mod id;
mod settings;
pub mod status;
pub mod table;
pub mod transit;
mod view;
mod wake;
pub mod workflow;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

pub use command::{Changed, Command, SlaEvent, SlaKind};
pub use conf::Conf;
pub use error::{EngineError, Refusal};
pub use event::{
    ActionsRerun, BundleRerun, Change, During, Event, Facts, Fault, Key, NodeEnd, Parent, PlannedWorkflow,
    Recorded, Scope, Subject, Submission, Submit, Trouble, TroubleKind, VERSION, WorkflowRerun,
};
pub use id::{ActionId, BadId, JobId, JobKind, NodeId};
pub use settings::Settings;
pub use view::Outside;

use crate::plan::workflow::Program;
use crate::time::Instant;
use context::{Context, Notice};
use wake::Wake;
use workflow::WorkflowJob;

/// Finds what the keys in events stand for. The same key gives the same thing for good.
pub trait Plans {
    /// A workflow that is ready to run.
    fn workflow(&self, key: &str) -> Option<Arc<Program>>;
}

/// All jobs and what they wait for.
#[derive(Debug)]
pub struct Engine<P> {
    plans: P,
    settings: Settings,
    now: Instant,
    last_number: u32,
    workflows: BTreeMap<u32, Box<WorkflowJob>>,
    external_ids: BTreeMap<Arc<str>, JobId>,
    wakes: BTreeSet<(Instant, Wake)>,
    out: Vec<Command>,
    notices: VecDeque<Notice>,
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
            external_ids: BTreeMap::new(),
            wakes: BTreeSet::new(),
            out: Vec::new(),
            notices: VecDeque::new(),
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
    /// A time before that of the last event counts as that.
    pub fn handle(&mut self, now: Instant, event: Event) -> Result<Vec<Command>, EngineError> {
        let before = self.now;
        self.now = before.max(now);
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
        let Subject::Node(node) = subject else { return Err(EngineError::UnknownAction(String::new())) };
        let job = self.workflows.get(&node.workflow).ok_or(EngineError::UnknownJob(node.job()))?;
        if job.node(node.node).is_none() {
            return Err(EngineError::UnknownAction(node.to_string()));
        }
        let (mut out, mut wakes, mut notices) = (Vec::new(), BTreeSet::new(), VecDeque::new());
        let settings = &self.settings;
        let cx = Context { settings, now, out: &mut out, wakes: &mut wakes, notices: &mut notices };
        let facts = job.look(node.node, &cx, outside);
        Ok(Event::Looked { subject, facts })
    }

    /// A workflow.
    pub fn workflow(&self, id: JobId) -> Option<&WorkflowJob> {
        self.workflows.get(&id.number).filter(|_| id.kind == JobKind::Workflow).map(|job| &**job)
    }

    /// All workflows.
    pub fn workflows(&self) -> impl Iterator<Item = &WorkflowJob> {
        self.workflows.values().map(|job| &**job)
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    fn take(&mut self, event: Event) -> Result<(), EngineError> {
        match event {
            Event::Submit(submit) => self.submit(submit),
            Event::Start(job) => self.operate(job, |job, cx| job.start(cx)),
            Event::Suspend(job) => self.operate(job, |job, cx| job.suspend_by_hand(cx)),
            Event::Resume(job) => self.operate(job, |job, cx| job.resume(cx)),
            Event::Kill(job) => self.operate(job, |job, cx| job.kill(cx)),
            Event::RerunWorkflow(job, rerun) => self.rerun_workflow(job, rerun),
            Event::Tick => {
                self.tick();
                Ok(())
            }
            Event::WorkflowPlanned { parent, outcome } => self.workflow_planned(parent, outcome),
            Event::Looked { subject: Subject::Node(node), facts } => {
                self.operate(node.job(), |job, cx| job.node_looked(cx, node, &facts))
            }
            Event::NodeStarted { node, attempt, external_id, tracker } => self
                .operate(node.job(), |job, cx| job.node_started(cx, node, attempt, (external_id, tracker))),
            Event::NodeEnded { node, attempt, end } => {
                self.operate(node.job(), |job, cx| job.node_ended(cx, node, attempt, end))
            }
            Event::NodeTrouble { node, attempt, trouble } => {
                self.operate(node.job(), |job, cx| job.node_trouble(cx, node, attempt, trouble))
            }
            Event::NodeKilled { node, attempt, fault } => {
                self.operate(node.job(), |job, cx| job.node_killed(cx, node, attempt, fault))
            }
            other => Err(EngineError::UnknownAction(format!("{other:?}"))),
        }
    }

    /// Does something with a workflow.
    fn operate<R>(
        &mut self,
        id: JobId,
        act: impl FnOnce(&mut WorkflowJob, &mut Context<'_>) -> Result<R, EngineError>,
    ) -> Result<R, EngineError> {
        let Engine { settings, now, out, wakes, notices, workflows, .. } = self;
        let job = workflows.get_mut(&id.number).filter(|_| id.kind == JobKind::Workflow);
        let job = job.ok_or(EngineError::UnknownJob(id))?;
        act(job, &mut Context { settings, now: *now, out, wakes, notices })
    }

    fn number(&mut self) -> u32 {
        self.last_number += 1;
        self.last_number
    }

    fn submit(&mut self, submit: Submit) -> Result<(), EngineError> {
        if let Some(job) = submit.external_id.as_ref().and_then(|id| self.external_ids.get(id)) {
            self.out.push(Command::Submitted { job: *job, existed: true });
            return Ok(());
        }
        let job = match submit.program {
            Submission::Workflow(planned) => self.add_workflow(planned, None, None)?,
            Submission::Coordinator(key) | Submission::Bundle(key) => {
                return Err(EngineError::UnknownProgram(key.to_string()));
            }
        };
        self.out.push(Command::Submitted { job, existed: false });
        if let Some(external_id) = submit.external_id {
            self.external_ids.insert(external_id, job);
        }
        match submit.start {
            true => self.operate(job, |job, cx| job.start(cx)),
            false => Ok(()),
        }
    }

    fn program(&self, key: &Key) -> Result<Arc<Program>, EngineError> {
        self.plans.workflow(key).ok_or_else(|| EngineError::UnknownProgram(key.to_string()))
    }

    /// A workflow in PREP.
    fn add_workflow(
        &mut self,
        planned: PlannedWorkflow,
        parent: Option<Parent>,
        given: Option<Arc<Conf>>,
    ) -> Result<JobId, EngineError> {
        let program = self.program(&planned.program)?;
        let number = self.number();
        let depth = match parent {
            Some(Parent::Node(node)) => self.workflows.get(&node.workflow).map_or(0, |above| above.depth + 1),
            _ => 0,
        };
        let conf = planned.conf.or(given);
        let job =
            WorkflowJob::new(number, planned.program, program, planned.name, conf, parent, depth, self.now);
        self.workflows.insert(number, Box::new(job));
        if let Some(parent) = parent {
            self.out.push(Command::Bound { parent, workflow: JobId::workflow(number) });
        }
        Ok(JobId::workflow(number))
    }

    fn rerun_workflow(&mut self, id: JobId, rerun: WorkflowRerun) -> Result<(), EngineError> {
        let unknown = EngineError::UnknownJob(id);
        let job = self.workflow(id).ok_or(unknown)?;
        let skip = job.check_rerun(&rerun)?;
        let key = rerun.program.clone().unwrap_or_else(|| job.key.clone());
        let program = self.program(&key)?;
        let old = job.conf.clone().unwrap_or_default();
        let conf = match rerun.conf {
            None => old,
            Some(own) => {
                let mut conf = Conf::over(&old);
                conf.extend(own.all());
                Arc::new(conf)
            }
        };
        self.operate(id, |job, cx| {
            job.prepare_rerun(cx, &skip, rerun.failed, conf, (key, program))?;
            job.start(cx)
        })
    }

    fn workflow_planned(
        &mut self,
        parent: Parent,
        outcome: Result<PlannedWorkflow, Fault>,
    ) -> Result<(), EngineError> {
        let Parent::Node(node) = parent else {
            return Err(EngineError::UnknownAction(format!("{parent:?}")));
        };
        self.operate(node.job(), |job, _| job.awaits_child(node))?;
        let planned = match outcome {
            Ok(planned) => planned,
            Err(fault) => {
                return self.operate(node.job(), |job, cx| job.child_planned(cx, node, Err(fault)));
            }
        };
        let old = self.workflow(node.job()).and_then(|job| job.old_child(node));
        let child = match old.map(JobId::workflow).filter(|old| self.workflow(*old).is_some()) {
            Some(old) => {
                let program = Some(planned.program);
                let conf = planned.conf.map(Arc::unwrap_or_clone);
                let rerun = WorkflowRerun { skip: None, failed: true, conf, program };
                self.rerun_workflow(old, rerun)?;
                old
            }
            None => {
                let child = self.add_workflow(planned, Some(parent), None)?;
                self.operate(child, |job, cx| job.start(cx))?;
                child
            }
        };
        self.operate(node.job(), |job, cx| job.child_planned(cx, node, Ok(child.number)))
    }

    /// Does what is due.
    fn tick(&mut self) {
        while let Some((at, wake)) = self.wakes.first().copied() {
            if at > self.now {
                break;
            }
            self.wakes.remove(&(at, wake));
            {
                let Wake::Retry(node) = wake;
                let done = self.operate(node.job(), |job, cx| {
                    job.retry_due(cx, node);
                    Ok(())
                });
                debug_assert!(done.is_ok(), "a wake of a job that does not exist");
            }
            self.settle();
        }
    }

    /// Tells machines what others have to tell them, until nobody has anything to tell.
    fn settle(&mut self) {
        while let Some(notice) = self.notices.pop_front() {
            match notice {
                Notice::Workflow(number) => self.workflow_changed(number),
                Notice::Kill(number) => {
                    let id = JobId::workflow(number);
                    if self.workflow(id).is_some_and(|job| !job.status.is_terminal()) {
                        let killed = self.operate(id, |job, cx| job.kill(cx));
                        debug_assert!(killed.is_ok(), "{killed:?}");
                    }
                }
            }
        }
    }

    fn workflow_changed(&mut self, number: u32) {
        let Some(job) = self.workflows.get(&number) else { return };
        let (status, parent) = (job.status, job.parent);
        if let Some(Parent::Node(node)) = parent {
            let told = self.operate(node.job(), |job, cx| {
                job.child_changed(cx, node, number, status);
                Ok(())
            });
            debug_assert!(told.is_ok(), "a workflow without the one above it");
        }
    }
}
