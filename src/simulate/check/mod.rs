//! What must hold after every event of every simulation. Judges by the app and by what the engine says, never by how
//! the engine works it out.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

use crate::engine::status::{ActionStatus, JobStatus, NodeStatus, WorkflowStatus};
use crate::engine::{
    ActionId, Changed, Command, CoordinatorRun, Engine, Event, JobId, JobKind, NodeId, Parent, Plans,
};
use crate::plan::coordinator::{Execution, Materializer, PlanOptions};
use crate::plan::workflow::{Program, ProgramKind};
use crate::simulate::record::{Subject, Unfinished};
use crate::simulate::world::World;
use crate::time::Instant;

/// What must hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Invariant {
    /// No action starts before its nominal time.
    NotBeforeNominal,
    /// No action starts before its inputs are there.
    NotBeforeInputs,
    /// No action is started twice.
    NotTwice,
    /// No more actions run at once than may.
    Concurrency,
    /// No more actions wait than may.
    Throttle,
    /// A join waits for all ways that lead to it.
    JoinWaits,
    /// What is over stays over, unless somebody runs it again.
    OverStaysOver,
    /// A kill leaves nothing running.
    KillEndsAll,
    /// What is suspended starts nothing.
    SuspendedRests,
    /// What never ended is listed with its reason.
    EndsOrListed,
}

impl Invariant {
    /// All of them.
    pub const ALL: [Invariant; 10] = [
        Invariant::NotBeforeNominal,
        Invariant::NotBeforeInputs,
        Invariant::NotTwice,
        Invariant::Concurrency,
        Invariant::Throttle,
        Invariant::JoinWaits,
        Invariant::OverStaysOver,
        Invariant::KillEndsAll,
        Invariant::SuspendedRests,
        Invariant::EndsOrListed,
    ];

    /// In words.
    pub const fn words(self) -> &'static str {
        match self {
            Invariant::NotBeforeNominal => "no action starts before its nominal time",
            Invariant::NotBeforeInputs => "no action starts before its inputs are there",
            Invariant::NotTwice => "no action is started twice",
            Invariant::Concurrency => "no more actions run at once than may",
            Invariant::Throttle => "no more actions wait than may",
            Invariant::JoinWaits => "a join waits for all its branches",
            Invariant::OverStaysOver => "what is over stays over",
            Invariant::KillEndsAll => "a kill leaves nothing running",
            Invariant::SuspendedRests => "what is suspended starts nothing",
            Invariant::EndsOrListed => "every action ends, or is listed with its reason",
        }
    }
}

/// Something that must not happen has happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// What does not hold.
    pub invariant: Invariant,
    /// The number of the event, from 1.
    pub event: u64,
    /// When.
    pub at: Instant,
    /// With what.
    pub what: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = self.invariant.words();
        write!(
            f,
            "it does not hold that {words}: {}, at event {}; this is a fault of Ankus",
            self.what, self.event
        )
    }
}

/// Watches a simulation.
#[derive(Debug, Default)]
pub(super) struct Checker {
    jobs: BTreeMap<JobId, JobStatus>,
    actions: BTreeMap<ActionId, ActionStatus>,
    /// How many actions of each coordinator are in a state.
    counts: BTreeMap<(u32, ActionStatus), i64>,
    /// The last attempt of each node that was started.
    attempts: BTreeMap<NodeId, u32>,
    /// Nodes that run outside.
    running: BTreeSet<NodeId>,
    /// Actions that were run again.
    rerun: BTreeSet<ActionId>,
    /// For each join of a program, the nodes that lead to it.
    before: BTreeMap<(Arc<str>, u32), BTreeSet<u32>>,
}

type Seen = Result<(), (Invariant, String)>;

fn fails(invariant: Invariant, what: impl Into<String>) -> Seen {
    Err((invariant, what.into()))
}

/// Whether an action, a coordinator or a bundle that is over may take another state by this event: somebody opens it
/// again, or kills what has ended. A kill of actions by number asks for no state, a kill of a coordinator takes what was
/// skipped along, and one of a workflow that has failed tells its failure once more.
fn may_change(event: &Event, is_over: bool) -> bool {
    reopens(event) || is_over && matches!(event, Event::Kill(_) | Event::KillActions(..))
}

/// Whether an action of a coordinator, or a coordinator of a bundle, is not over: a workflow that was run again by
/// itself, which the next look at the job finds.
fn is_alive_below<P: Plans>(engine: &Engine<P>, id: JobId) -> bool {
    if id.kind == JobKind::Coordinator {
        let job = engine.coordinator(id);
        return job.is_some_and(|job| job.actions.iter().any(|action| !action.status.is_over()));
    }
    let mut below = engine.coordinators().filter(|job| job.bundle.is_some_and(|(of, _)| of == id.number));
    below.any(|job| !job.status.is_terminal())
}

/// Whether somebody has done this who may open again what is over.
fn reopens(event: &Event) -> bool {
    matches!(
        event,
        Event::RerunActions(..)
            | Event::RerunBundle(..)
            | Event::RerunWorkflow(..)
            | Event::Change(..)
            | Event::IgnoreActions(..)
    )
}

impl Checker {
    /// Looks at an event and what followed.
    pub(super) fn take<P: Plans>(
        &mut self,
        now: Instant,
        number: u64,
        event: &Event,
        commands: &[Command],
        engine: &Engine<P>,
        world: &World<'_>,
    ) -> Result<(), Violation> {
        let seen = self.look(event, commands, engine, world);
        seen.map_err(|(invariant, what)| Violation { invariant, event: number, at: now, what })
    }

    fn look<P: Plans>(
        &mut self,
        event: &Event,
        commands: &[Command],
        engine: &Engine<P>,
        world: &World<'_>,
    ) -> Seen {
        match event {
            Event::NodeEnded { node, .. }
            | Event::NodeTrouble { node, .. }
            | Event::NodeKilled { node, .. } => {
                self.running.remove(node);
            }
            _ => {}
        }
        if let Event::Change(..) = event {
            self.forget_removed(engine);
        }
        for command in commands {
            match command {
                Command::Created { action, .. } => self.created(*action, engine)?,
                Command::Changed(changed) => self.changed(event, *changed, engine, world)?,
                Command::PlanWorkflow { parent: Parent::Action(action), .. }
                    if self.actions.get(action) != Some(&ActionStatus::Submitted) =>
                {
                    return fails(Invariant::NotTwice, format!("`{action}` is submitted out of turn"));
                }
                Command::StartNode { node, attempt, .. } => {
                    let last = self.attempts.insert(*node, *attempt);
                    if !self.running.insert(*node) || last.is_some_and(|last| last >= *attempt) {
                        return fails(Invariant::NotTwice, format!("attempt {attempt} of `{node}`"));
                    }
                }
                Command::KillNode { node, .. } => drop(self.running.remove(node)),
                _ => {}
            }
        }
        for (index, command) in commands.iter().enumerate() {
            let Command::StartNode { node, .. } = command else { continue };
            // What is suspended after the start, by the same event, ran before.
            let later = commands[index..].iter().find_map(|later| match later {
                Command::Changed(Changed::Workflow(id, was, _)) if *id == node.job() => Some(*was),
                _ => None,
            });
            let job = engine.workflow(node.job());
            let status = later.or_else(|| job.map(|job| job.status));
            // The branches of a fork start together, whatever becomes of one of them.
            let together = job.and_then(|job| job.node(node.node)).is_some_and(|run| run.starts_together());
            if together || job.is_some_and(|job| job.has_left_branches) {
                continue;
            }
            if status != Some(WorkflowStatus::Running) && self.running.contains(node) {
                return fails(Invariant::SuspendedRests, format!("`{node}` is started"));
            }
        }
        if let Event::Kill(job) = event {
            self.killed(*job, engine)?;
        }
        Ok(())
    }

    fn count(&mut self, id: ActionId, status: ActionStatus, by: i64) -> i64 {
        let count = self.counts.entry((id.coordinator, status)).or_default();
        *count += by;
        *count
    }

    /// A change of the end or of the pause time removes actions without a word.
    fn forget_removed<P: Plans>(&mut self, engine: &Engine<P>) {
        for job in engine.coordinators() {
            let left = job.actions.len() as u32;
            let first = ActionId { coordinator: job.number, number: left + 1 };
            let last = ActionId { coordinator: job.number, number: u32::MAX };
            let removed: Vec<_> =
                self.actions.range(first..=last).map(|(id, status)| (*id, *status)).collect();
            for (id, status) in removed {
                self.actions.remove(&id);
                self.count(id, status, -1);
            }
        }
    }

    fn is_held(&self, job: JobId) -> bool {
        let status = self.jobs.get(&job);
        let held = [JobStatus::Suspended, JobStatus::SuspendedWithError, JobStatus::PrepSuspended];
        status.is_some_and(|status| held.contains(status))
    }

    fn created<P: Plans>(&mut self, id: ActionId, engine: &Engine<P>) -> Seen {
        self.actions.insert(id, ActionStatus::Waiting);
        let waiting = self.count(id, ActionStatus::Waiting, 1);
        if self.is_held(id.job()) {
            return fails(Invariant::SuspendedRests, format!("`{id}` is created"));
        }
        let Some(job) = engine.coordinator(id.job()) else { return Ok(()) };
        let program = &job.program.job;
        let late = matches!(program.execution, Execution::LastOnly | Execution::None);
        if !late && waiting > i64::from(program.throttle) {
            let what = format!("{waiting} actions of `{}` wait, {} may", program.name, program.throttle);
            return fails(Invariant::Throttle, what);
        }
        Ok(())
    }

    fn changed<P: Plans>(
        &mut self,
        event: &Event,
        changed: Changed,
        engine: &Engine<P>,
        world: &World<'_>,
    ) -> Seen {
        match changed {
            Changed::Job(id, was, status) => {
                self.jobs.insert(id, status);
                let comes_back = was.is_terminal() && !status.is_terminal();
                if comes_back && !reopens(event) && !is_alive_below(engine, id) {
                    return fails(Invariant::OverStaysOver, format!("`{id}` was {was} and is {status}"));
                }
                Ok(())
            }
            Changed::Action(id, was, status) => self.action_changed(event, id, was, status, engine, world),
            Changed::Workflow(id, was, status) => {
                if was.is_terminal() && !reopens(event) && !matches!(event, Event::WorkflowPlanned { .. }) {
                    return fails(Invariant::OverStaysOver, format!("`{id}` was {was} and is {status}"));
                }
                if was.is_terminal() {
                    // What a failed fork has left outside is no longer looked at.
                    self.running.retain(|node| node.job() != id);
                }
                if status.is_terminal() && !self.reopened(id, engine) {
                    return self.nothing_runs(id, engine);
                }
                Ok(())
            }
            Changed::Node(id, was, status) => {
                let failed_kill = (was, status) == (NodeStatus::Killed, NodeStatus::Failed);
                if was.is_over() && !failed_kill && was != NodeStatus::Ok && !reopens(event) {
                    return fails(Invariant::OverStaysOver, format!("`{id}` was {was} and is {status}"));
                }
                match status {
                    NodeStatus::Ok => self.join(id, engine),
                    _ => Ok(()),
                }
            }
        }
    }

    /// Whether a workflow that was over within an event is no longer.
    fn reopened<P: Plans>(&self, id: JobId, engine: &Engine<P>) -> bool {
        engine.workflow(id).is_some_and(|job| !job.status.is_terminal())
    }

    fn nothing_runs<P: Plans>(&self, id: JobId, engine: &Engine<P>) -> Seen {
        let Some(job) = engine.workflow(id) else { return Ok(()) };
        match job.nodes.iter().find(|run| !run.status.is_over()) {
            // Those were never killed.
            Some(_) if job.has_left_branches => Ok(()),
            Some(run) => {
                let what = format!("`{}` of `{id}` is {}", job.node_name(run.node), run.status);
                fails(Invariant::KillEndsAll, what)
            }
            None => Ok(()),
        }
    }

    fn action_changed<P: Plans>(
        &mut self,
        event: &Event,
        id: ActionId,
        was: ActionStatus,
        status: ActionStatus,
        engine: &Engine<P>,
        world: &World<'_>,
    ) -> Seen {
        self.actions.insert(id, status);
        self.count(id, was, -1);
        let now_so = self.count(id, status, 1);
        if was.is_over() && !may_change(event, status.is_over()) {
            return fails(Invariant::OverStaysOver, format!("`{id}` was {was} and is {status}"));
        }
        if was.is_over() && status == ActionStatus::Waiting {
            self.rerun.insert(id);
        }
        let Some(job) = engine.coordinator(id.job()) else { return Ok(()) };
        if was == ActionStatus::Waiting && status == ActionStatus::Ready && !self.rerun.contains(&id) {
            return inputs_there(id, job, world);
        }
        if status != ActionStatus::Submitted {
            return Ok(());
        }
        if let Some(action) = job.action(id.number)
            && action.nominal > world.now
        {
            return fails(Invariant::NotBeforeNominal, format!("`{id}` is submitted"));
        }
        if self.is_held(id.job()) {
            return fails(Invariant::SuspendedRests, format!("`{id}` is submitted"));
        }
        let running =
            now_so + self.counts.get(&(id.coordinator, ActionStatus::Running)).copied().unwrap_or(0);
        if job.concurrency >= 0 && running > i64::from(job.concurrency) {
            let name = &job.program.job.name;
            let what = format!("{running} actions of `{name}` run, {} may", job.concurrency);
            return fails(Invariant::Concurrency, what);
        }
        Ok(())
    }

    /// A join that is over: nothing that leads to it may still run.
    fn join<P: Plans>(&mut self, id: NodeId, engine: &Engine<P>) -> Seen {
        let Some(job) = engine.workflow(id.job()) else { return Ok(()) };
        if !matches!(job.program.nodes[id.node as usize].kind, ProgramKind::Join(_)) {
            return Ok(());
        }
        let before =
            self.before.entry((job.key.clone(), id.node)).or_insert_with(|| before(&job.program, id.node));
        let open = job.nodes.iter().find(|run| !run.status.is_over() && before.contains(&run.node));
        match open {
            Some(run) => {
                let (join, name) = (job.node_name(id.node), job.node_name(run.node));
                fails(Invariant::JoinWaits, format!("`{join}` of `{}` is over, `{name}` is not", id.job()))
            }
            None => Ok(()),
        }
    }

    fn killed<P: Plans>(&self, job: JobId, engine: &Engine<P>) -> Seen {
        let coordinators: Vec<&CoordinatorRun> = match job.kind {
            JobKind::Workflow => return self.nothing_runs(job, engine),
            JobKind::Coordinator => engine.coordinator(job).into_iter().collect(),
            JobKind::Bundle => engine
                .coordinators()
                .filter(|it| it.bundle.is_some_and(|(bundle, _)| bundle == job.number))
                .collect(),
        };
        for coordinator in coordinators {
            for (number, action) in (1..).zip(&coordinator.actions) {
                let id = ActionId { coordinator: coordinator.number, number };
                let workflow =
                    action.workflow.and_then(|workflow| engine.workflow(JobId::workflow(workflow)));
                // What was run again by itself lives on below a job that was over already.
                if workflow.is_some_and(|job| job.run > 0) {
                    continue;
                }
                if !action.status.is_over() {
                    return fails(Invariant::KillEndsAll, format!("`{id}` is {}", action.status));
                }
                if let Some(workflow) = action.workflow.map(JobId::workflow) {
                    if engine.workflow(workflow).is_some_and(|job| !job.status.is_terminal()) {
                        return fails(Invariant::KillEndsAll, format!("`{workflow}` of `{id}` is not over"));
                    }
                    self.nothing_runs(workflow, engine)?;
                }
            }
        }
        Ok(())
    }

    /// Looks at the end.
    pub(super) fn finish<P: Plans>(
        &self,
        now: Instant,
        number: u64,
        engine: &Engine<P>,
        unfinished: &[Unfinished],
    ) -> Result<(), Violation> {
        let listed: BTreeSet<Subject> = unfinished.iter().map(|it| it.subject).collect();
        for coordinator in engine.coordinators() {
            for (number_of, action) in (1..).zip(&coordinator.actions) {
                let id = ActionId { coordinator: coordinator.number, number: number_of };
                if !action.status.is_over() && !listed.contains(&Subject::Action(id)) {
                    let (invariant, what) = (Invariant::EndsOrListed, format!("`{id}` is {}", action.status));
                    return Err(Violation { invariant, event: number, at: now, what });
                }
            }
        }
        Ok(())
    }
}

/// Whether the inputs of an action that has become ready are there, as a plan judges it.
fn inputs_there(id: ActionId, job: &CoordinatorRun, world: &World<'_>) -> Seen {
    let Some(run) = job.action(id.number) else { return Ok(()) };
    let ever = world.ever();
    let options = PlanOptions {
        actual: Some(run.created),
        now: Some(world.now),
        present: Some(&ever),
        ..PlanOptions::default()
    };
    let program = &job.program.job;
    let action = Materializer::after(program, 0).again(program, id.number.into(), run.nominal, options);
    match action {
        Ok(action) if action.ready == Some(false) => {
            fails(Invariant::NotBeforeInputs, format!("`{id}` is ready"))
        }
        _ => Ok(()),
    }
}

/// The nodes from which a node can be reached, without itself.
fn before(program: &Program, node: u32) -> BTreeSet<u32> {
    let leads = |from: &ProgramKind| -> Vec<u32> {
        let targets = match from {
            ProgramKind::Start(to) | ProgramKind::Join(to) => vec![to],
            ProgramKind::Fork(paths) => paths.iter().collect(),
            ProgramKind::Decision { cases, default } => {
                cases.iter().map(|(_, to)| to).chain([default]).collect()
            }
            ProgramKind::Action(action) => vec![&action.ok, &action.error],
            ProgramKind::End | ProgramKind::Kill { .. } => Vec::new(),
        };
        targets.into_iter().filter_map(|target| target.node).collect()
    };
    let edges: Vec<Vec<u32>> = program.nodes.iter().map(|node| leads(&node.kind)).collect();
    let mut found = BTreeSet::new();
    let mut open = vec![node];
    while let Some(to) = open.pop() {
        for (from, targets) in (0..).zip(&edges) {
            if targets.contains(&to) && from != node && found.insert(from) {
                open.push(from);
            }
        }
    }
    found
}
