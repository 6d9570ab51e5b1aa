//! What must hold after every event, whatever happens. Judges by events, commands and what the engine shows; works
//! nothing out as the engine does.

use std::collections::{BTreeMap, BTreeSet};

use ankus::engine::coordinator::ActionRun;
use ankus::engine::status::{ActionStatus, JobStatus, NodeStatus, WorkflowStatus};
use ankus::engine::workflow::WorkflowJob;
use ankus::engine::{
    ActionId, Changed, Command, CoordinatorRun, During, Engine, Event, JobId, JobKind, Key, NodeId, Parent,
    Plans, SlaKind, TroubleKind, Watched,
};
use ankus::plan::coordinator::{Execution, Exists, Materializer, PlanOptions};
use ankus::plan::workflow::{Program, ProgramKind, Target};
use ankus::time::Instant;

/// What a watcher knows from what was said so far.
#[derive(Debug, Default)]
pub struct Invariants {
    jobs: BTreeMap<JobId, JobStatus>,
    actions: BTreeMap<ActionId, ActionStatus>,
    workflows: BTreeMap<JobId, WorkflowStatus>,
    /// Actions of workflows that run outside.
    outside: BTreeSet<NodeId>,
    attempts: BTreeMap<NodeId, u32>,
    /// Actions that were run again: their inputs may have been there before.
    rerun: BTreeSet<ActionId>,
    /// For each join of a program, the nodes that lead to it.
    before: BTreeMap<(Key, u32), BTreeSet<u32>>,
    /// Workflows that were run again by themselves, whatever is above them.
    by_hand: BTreeSet<JobId>,
    /// Workflows whose failure has left branches that nobody looks at.
    left: BTreeSet<JobId>,
    /// What was told of service levels since they were registered.
    levels: BTreeSet<(Watched, u8)>,
}

/// What does not hold.
type Held = Result<(), String>;

fn ensure(holds: bool, what: impl FnOnce() -> String) -> Held {
    if holds { Ok(()) } else { Err(what()) }
}

/// What may bring back what is over.
fn reopens(event: &Event) -> bool {
    use Event::{Change, RerunActions, RerunBundle, RerunWorkflow, WorkflowPlanned};
    matches!(
        event,
        RerunActions(..) | RerunBundle(..) | RerunWorkflow(..) | Change(..) | WorkflowPlanned { .. }
    )
}

impl Invariants {
    /// Looks at what an event that was taken has led to. `ever` is all that has ever existed.
    pub fn after<P: Plans>(
        &mut self,
        engine: &Engine<P>,
        now: Instant,
        event: &Event,
        commands: &[Command],
        ever: &dyn Exists,
    ) -> Held {
        match event {
            Event::NodeEnded { node, .. } | Event::NodeKilled { node, .. } => drop(self.outside.remove(node)),
            // What could not be looked after for the moment still runs.
            Event::NodeTrouble { node, trouble, .. }
                if trouble.kind != TroubleKind::Transient || trouble.during != During::Check =>
            {
                self.outside.remove(node);
            }
            Event::RerunWorkflow(job, _) => drop(self.by_hand.insert(*job)),
            _ => {}
        }
        for command in commands {
            match command {
                Command::Changed(change) => self.changed(engine, now, event, *change, ever)?,
                Command::Created { action, nominal } => self.created(engine, *action, *nominal)?,
                Command::StartNode { node, attempt, .. } => {
                    // The branches of a fork start together, whatever becomes of one of them.
                    let job = engine.workflow(node.job());
                    let run = job.and_then(|job| job.node(node.node));
                    let together = run.is_some_and(|run| run.starts_together());
                    self.started(*node, *attempt, together, job.is_some_and(|job| job.has_left_branches))?;
                }
                Command::KillNode { node, .. } => {
                    // Nobody has looked at what a failed fork left, so it may have ended.
                    let runs = self.outside.remove(node) || self.left.contains(&node.job());
                    ensure(runs, || format!("{node} is killed and does not run"))?;
                }
                Command::Bound { parent, workflow } => {
                    self.workflows.insert(*workflow, WorkflowStatus::Prep);
                    self.bound(engine, *parent, *workflow)?;
                }
                Command::Submitted { job, existed } => {
                    ensure(*existed == self.known(*job), || format!("{job} existed: {existed}"))?;
                    self.know(*job);
                }
                Command::Sla(told) => self.level(told.subject, told.what)?,
                _ => {}
            }
        }
        if let Event::Kill(job) = event {
            self.killed(engine, *job)?;
        }
        for job in engine.coordinators() {
            self.consistent(engine, job, now)?;
        }
        engine.workflows().try_for_each(|job| self.sound(job))
    }

    fn known(&self, job: JobId) -> bool {
        self.jobs.contains_key(&job) || self.workflows.contains_key(&job)
    }

    fn know(&mut self, job: JobId) {
        if job.kind == JobKind::Workflow {
            self.workflows.entry(job).or_insert(WorkflowStatus::Prep);
        } else {
            self.jobs.entry(job).or_insert(JobStatus::Prep);
        }
    }

    fn is_suspended(&self, job: JobId) -> bool {
        use JobStatus::{PrepSuspended, Suspended, SuspendedWithError};
        self.jobs
            .get(&job)
            .is_some_and(|status| matches!(status, PrepSuspended | Suspended | SuspendedWithError))
    }

    fn created<P: Plans>(&mut self, engine: &Engine<P>, id: ActionId, nominal: Instant) -> Held {
        self.actions.insert(id, ActionStatus::Waiting);
        self.rerun.remove(&id);
        self.levels.retain(|(subject, _)| *subject != Watched::Action(id));
        let Some(job) = engine.coordinator(id.job()) else { return Err(format!("{id} of no job")) };
        let program = &job.program.job;
        ensure(!self.is_suspended(id.job()), || format!("{id} is created in a suspended job"))?;
        ensure(nominal < job.end, || format!("{id} is created at the end or behind it"))?;
        let late = matches!(program.execution, Execution::LastOnly | Execution::None);
        let waiting = job.count(ActionStatus::Waiting);
        ensure(late || i64::from(waiting) <= i64::from(program.throttle), || {
            format!("{waiting} actions of {} wait, {} may", job.id(), program.throttle)
        })
    }

    /// `together`: with other branches of its fork, one of which may have suspended or failed the job.
    fn started(&mut self, node: NodeId, attempt: u32, together: bool, is_left: bool) -> Held {
        let status = self.workflows.get(&node.job());
        let may = match status {
            Some(WorkflowStatus::Running) => true,
            Some(WorkflowStatus::Suspended) => together,
            Some(WorkflowStatus::Failed) => together || is_left,
            _ => false,
        };
        ensure(may, || format!("{node} is started in a job that is {status:?}"))?;
        ensure(self.outside.insert(node), || format!("{node} is started twice"))?;
        let last = self.attempts.insert(node, attempt);
        ensure(last.is_none_or(|last| last < attempt), || {
            format!("attempt {attempt} of {node} after {last:?}")
        })
    }

    fn bound<P: Plans>(&self, engine: &Engine<P>, parent: Parent, workflow: JobId) -> Held {
        let Parent::Action(id) = parent else { return Ok(()) };
        // An old workflow that somebody ran again by itself is that somebody's affair.
        let others = engine.workflows().filter(|job| job.parent == Some(parent) && job.run == 0);
        let others = others.filter(|job| job.id() != workflow && !job.status.is_terminal());
        let alive: Vec<JobId> = others.map(WorkflowJob::id).collect();
        ensure(alive.is_empty(), || format!("{id} runs {workflow} and {alive:?}"))
    }

    fn level(&mut self, subject: Watched, what: SlaKind) -> Held {
        let kind = match what {
            SlaKind::StartMet | SlaKind::StartMiss => 0,
            SlaKind::DurationMet | SlaKind::DurationMiss => 1,
            SlaKind::EndMet | SlaKind::EndMiss => 2,
        };
        ensure(self.levels.insert((subject, kind)), || format!("{} of {subject} after another", what.name()))
    }

    fn changed<P: Plans>(
        &mut self,
        engine: &Engine<P>,
        now: Instant,
        event: &Event,
        change: Changed,
        ever: &dyn Exists,
    ) -> Held {
        let back =
            |what: String, was: &str, to: &str| format!("{what} was {was} and is {to} after {event:?}");
        match change {
            Changed::Job(id, was, to) => {
                ensure(self.jobs.get(&id).is_none_or(|known| *known == was), || {
                    format!("{id} was not {was}")
                })?;
                self.jobs.insert(id, to);
                // By the first rules a failed job is looked at again when its actions end. What was brought back below
                // brings back what is above.
                let first = was == JobStatus::Failed && is_first(engine, id);
                let stays = !was.is_terminal() || first || to.is_terminal();
                let follows = is_alive_below(engine, id) || reopens(event);
                ensure(stays || follows, || back(id.to_string(), was.name(), to.name()))
            }
            Changed::Workflow(id, was, to) => {
                ensure(self.workflows.insert(id, to) == Some(was), || format!("{id} was not {was}"))?;
                if to == WorkflowStatus::Prep {
                    self.left.remove(&id);
                    if !matches!(event, Event::RerunWorkflow(job, _) if *job == id) {
                        self.by_hand.remove(&id);
                    }
                    self.outside.retain(|node| node.job() != id);
                    let mine = |subject: &Watched| match subject {
                        Watched::Workflow(job) => *job == id,
                        Watched::Node(node) => node.job() == id,
                        Watched::Action(_) => false,
                    };
                    self.levels.retain(|(subject, _)| !mine(subject));
                }
                ensure(!was.is_terminal() || reopens(event), || back(id.to_string(), was.name(), to.name()))
            }
            Changed::Node(id, was, to) => {
                if to == NodeStatus::StartManual {
                    // What could not be looked after too often is given up; a resume starts it anew.
                    self.outside.remove(&id);
                }
                let fails = (was, to) == (NodeStatus::Killed, NodeStatus::Failed)
                    || (was, to) == (NodeStatus::Ok, NodeStatus::Error);
                ensure(!was.is_over() || fails, || back(id.to_string(), was.name(), to.name()))
            }
            Changed::Action(id, was, to) => {
                ensure(self.actions.insert(id, to) == Some(was), || format!("{id} was not {was}"))?;
                let stays = !was.is_over() || to == ActionStatus::Ignored || reopens(event);
                // A kill by number asks for no state, and one of a job takes what was skipped along. What kills a
                // workflow that has failed is told its failure once more.
                let killed = match event {
                    Event::KillActions(..) => to == ActionStatus::Killed,
                    Event::Kill(_) | Event::CoordinatorPlanned { .. } => {
                        (was, to) == (ActionStatus::Skipped, ActionStatus::Killed)
                    }
                    _ => false,
                };
                let failed = matches!(event, Event::Kill(_) | Event::KillActions(..))
                    && (was, to) == (ActionStatus::Killed, ActionStatus::Failed);
                let killed = killed || failed;
                ensure(stays || killed, || back(id.to_string(), was.name(), to.name()))?;
                let job = engine.coordinator(id.job()).ok_or_else(|| format!("{id} of no job"))?;
                if to == ActionStatus::Waiting {
                    self.rerun.insert(id);
                    self.levels.retain(|(subject, _)| *subject != Watched::Action(id));
                }
                if to == ActionStatus::Ready && !self.rerun.contains(&id) {
                    inputs_there(job, id, now, ever)?;
                }
                if to == ActionStatus::Submitted { self.submitted(job, id, now) } else { Ok(()) }
            }
        }
    }

    fn submitted(&self, job: &CoordinatorRun, id: ActionId, now: Instant) -> Held {
        let nominal = job.action(id.number).map(|action| action.nominal);
        ensure(nominal.is_some_and(|nominal| nominal <= now), || format!("{id} starts before its time"))?;
        ensure(!self.is_suspended(id.job()), || format!("{id} starts in a suspended job"))?;
        let runs = |status: &ActionStatus| matches!(status, ActionStatus::Submitted | ActionStatus::Running);
        let mine = self.actions.iter().filter(|(action, _)| action.coordinator == id.coordinator);
        let running = mine.filter(|(_, status)| runs(status)).count();
        ensure(job.concurrency < 0 || running <= job.concurrency as usize, || {
            format!("{running} actions of {} run, {} may", job.id(), job.concurrency)
        })
    }
}

/// Whether an action of a coordinator, or a coordinator of a bundle, is not over.
fn is_alive_below<P: Plans>(engine: &Engine<P>, id: JobId) -> bool {
    if id.kind == JobKind::Coordinator {
        let job = engine.coordinator(id);
        return job.is_some_and(|job| job.actions.iter().any(|action| !action.status.is_over()));
    }
    let mut mine = engine.coordinators().filter(|job| job.bundle.is_some_and(|(of, _)| of == id.number));
    mine.any(|job| !job.status.is_terminal())
}

/// Whether the inputs of an action that has become ready are there, as a plan judges it.
fn inputs_there(job: &CoordinatorRun, id: ActionId, now: Instant, ever: &dyn Exists) -> Held {
    let action = job.action(id.number).ok_or_else(|| format!("there is no {id}"))?;
    let options = PlanOptions {
        actual: Some(action.created),
        now: Some(now),
        present: Some(ever),
        ..PlanOptions::default()
    };
    let program = &job.program.job;
    let planned = Materializer::after(program, 0).again(program, id.number.into(), action.nominal, options);
    let ready = planned.map(|planned| planned.ready);
    ensure(!matches!(ready, Ok(Some(false))), || format!("{id} is ready without its inputs"))
}

/// Whether a coordinator or a bundle is played by the first rules.
fn is_first<P: Plans>(engine: &Engine<P>, id: JobId) -> bool {
    let of_bundle = engine.bundle(id).map(|job| job.semantics);
    let semantics = engine.coordinator(id).map(|job| job.semantics).or(of_bundle);
    semantics.is_some_and(|semantics| !semantics.follows_commands())
}

impl Invariants {
    /// What a kill leaves.
    fn killed<P: Plans>(&self, engine: &Engine<P>, job: JobId) -> Held {
        let below = |job: &CoordinatorRun| -> Held {
            let open = |action: &&ActionRun| !action.status.is_over() && !self.is_again(action);
            let open = job.actions.iter().find(open);
            ensure(open.is_none() && job.status.is_terminal(), || {
                format!("{} is {}: {open:?}", job.id(), job.status)
            })
        };
        match job.kind {
            JobKind::Workflow => Ok(()),
            JobKind::Coordinator => engine.coordinator(job).map_or(Ok(()), below),
            JobKind::Bundle => {
                let mut mine =
                    engine.coordinators().filter(|it| it.bundle.is_some_and(|(of, _)| of == job.number));
                mine.try_for_each(below)
            }
        }
    }

    /// Whether the workflow of an action was run again by itself.
    fn is_again(&self, action: &ActionRun) -> bool {
        action.workflow.is_some_and(|workflow| self.by_hand.contains(&JobId::workflow(workflow)))
    }

    /// The counts of a coordinator are those of its actions, and these are in step with their workflows.
    fn consistent<P: Plans>(&self, engine: &Engine<P>, job: &CoordinatorRun, now: Instant) -> Held {
        let mut counted: BTreeMap<ActionStatus, u32> = BTreeMap::new();
        for (number, action) in (1u32..).zip(&job.actions) {
            *counted.entry(action.status).or_default() += 1;
            let id = || format!("{}@{number}", job.id());
            ensure(action.workflow.is_none() || action.nominal <= now, || {
                format!("{} began before its time", id())
            })?;
            let Some(workflow) =
                action.workflow.and_then(|workflow| engine.workflow(JobId::workflow(workflow)))
            else {
                continue;
            };
            // Nobody looks any more at what is ignored; what waits again has an old workflow.
            use ActionStatus::{Ignored, Running, Suspended};
            let in_step = match action.status {
                Ignored => true,
                Running => matches!(workflow.status, WorkflowStatus::Running | WorkflowStatus::Prep),
                Suspended => workflow.status == WorkflowStatus::Suspended,
                _ => workflow.status.is_terminal(),
            };
            ensure(in_step, || format!("{} is {}, its workflow {}", id(), action.status, workflow.status))?;
        }
        for status in ActionStatus::ALL {
            let (found, known) = (counted.get(status).copied().unwrap_or(0), job.count(*status));
            ensure(found == known, || format!("{} has {found} actions in {status}, not {known}", job.id()))?;
        }
        // What is run again by itself does not bring its job back, nor by the first rules what is suspended at once.
        let first = !job.semantics.follows_commands();
        let rests = |action: &ActionRun| {
            let stands = first && action.status == ActionStatus::Suspended;
            action.status.is_over() || stands || self.is_again(action)
        };
        let rest = job.actions.iter().all(rests);
        ensure(job.status != JobStatus::Killed || rest, || {
            format!("{} is killed and something runs", job.id())
        })
    }

    /// A workflow: what is over is over altogether, and joins have waited.
    fn sound(&mut self, job: &WorkflowJob) -> Held {
        let alive: BTreeSet<u32> =
            job.nodes.iter().filter(|run| !run.status.is_over()).map(|run| run.node).collect();
        let named = |node: &u32| job.node_name(*node).to_string();
        if job.has_left_branches {
            self.left.insert(job.id());
        }
        let rests = alive.is_empty() || job.status == WorkflowStatus::Failed && job.has_left_branches;
        ensure(!job.status.is_terminal() || rests, || {
            format!(
                "{} is {} and {:?} are not over",
                job.id(),
                job.status,
                alive.iter().map(named).collect::<Vec<_>>()
            )
        })?;
        let joins = job.nodes.iter().filter(|run| {
            matches!(job.program.nodes[run.node as usize].kind, ProgramKind::Join(_))
                && run.status == NodeStatus::Ok
                // One that a rerun skips has waited before.
                && (job.run == 0 || run.ended > job.started)
        });
        for join in joins {
            let before = || before(&job.program, join.node);
            let before = self.before.entry((job.key.clone(), join.node)).or_insert_with(before);
            let early: Vec<String> = before.intersection(&alive).map(named).collect();
            ensure(early.is_empty(), || {
                format!("`{}` of {} did not wait for {early:?}", named(&join.node), job.id())
            })?;
        }
        Ok(())
    }
}

/// The nodes from which a node can be reached.
fn before(program: &Program, node: u32) -> BTreeSet<u32> {
    let leads = |kind: &ProgramKind| -> Vec<Target> {
        match kind {
            ProgramKind::Start(to) | ProgramKind::Join(to) => vec![to.clone()],
            ProgramKind::Fork(paths) => paths.clone(),
            ProgramKind::Decision { cases, default } => {
                cases.iter().map(|(_, to)| to).chain([default]).cloned().collect()
            }
            ProgramKind::Action(action) => vec![action.ok.clone(), action.error.clone()],
            ProgramKind::End | ProgramKind::Kill { .. } => Vec::new(),
        }
    };
    let mut found = BTreeSet::new();
    let mut open = vec![node];
    while let Some(to) = open.pop() {
        for (from, kind) in (0..).zip(program.nodes.iter().map(|node| &node.kind)) {
            if leads(kind).iter().any(|target| target.node == Some(to)) && found.insert(from) {
                open.push(from);
            }
        }
    }
    found
}
