//! Gathers what becomes of everything, from what the engine says.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::record::{
    Action, Bundle, Coordinator, Expected, Node, Operation, Run, Since, Sla, Wait, Workflow,
};
use super::world::{When, World};
use crate::engine::status::{ActionStatus, NodeStatus, WorkflowStatus};
use crate::engine::{
    ActionId, Changed, Command, Engine, Fault, JobId, JobKind, NodeId, Parent, Plans, SlaKind, Subject,
};
use crate::plan::workflow::{Program, ProgramKind};
use crate::time::Instant;

/// Fewer dropped workflows are left where they are.
const LEAST_DROPPED: usize = 1_000;

/// More alternatives than this are not remembered of one action that waits.
const MAX_CHOICES: usize = 32;

/// What was gathered so far.
#[derive(Debug, Default)]
pub(super) struct Recorder {
    pub(super) bundles: Vec<Bundle>,
    pub(super) coordinators: Vec<Coordinator>,
    pub(super) workflows: Vec<Workflow>,
    pub(super) sla: Vec<Sla>,
    pub(super) operations: Vec<Operation>,
    /// Where each job stands in its list, by its number; numbers are dense.
    places: Vec<u32>,
    /// The nodes of each program.
    nodes: BTreeMap<Arc<str>, Arc<[Node]>>,
    /// How many of the workflows were dropped and still take their place.
    dropped: usize,
}

/// The place of what was dropped, or has none.
const NOWHERE: u32 = u32::MAX;

fn nodes_of(program: &Program) -> Arc<[Node]> {
    let node = |node: &crate::plan::workflow::ProgramNode| Node {
        name: node.name.clone(),
        kind: match &node.kind {
            ProgramKind::Action(action) => action.kind.clone(),
            kind => kind.name().into(),
        },
    };
    program.nodes.iter().map(node).collect()
}

/// A history that will be so long in most cases.
fn begun<S>(first: Since<S>, length: usize) -> Vec<Since<S>> {
    let mut history = Vec::with_capacity(length);
    history.push(first);
    history
}

/// Why a workflow ended badly: its own words, else those of the node that failed or ended it.
fn fault_of<P: Plans>(id: JobId, engine: &Engine<P>) -> Option<Fault> {
    let job = engine.workflow(id)?;
    let of_node = || {
        let mut faults = job.nodes.iter().rev().filter(|run| {
            let kind = &job.program.nodes[run.node as usize].kind;
            run.status == NodeStatus::Failed || matches!(kind, ProgramKind::Kill { .. })
        });
        faults.find_map(|run| run.facts.as_ref()?.fault.clone())
    };
    job.fault.clone().or_else(of_node)
}

impl Recorder {
    fn place(&self, id: JobId) -> Option<usize> {
        self.places.get(id.number as usize).map(|place| *place as usize)
    }

    fn settle(&mut self, id: JobId, place: usize) {
        let number = id.number as usize;
        if self.places.len() <= number {
            self.places.resize(number + 1, NOWHERE);
        }
        self.places[number] = place as u32;
    }

    fn knows(&self, id: JobId) -> bool {
        self.place(id).is_some_and(|place| place != NOWHERE as usize)
    }

    pub(super) fn coordinator(&mut self, id: JobId) -> Option<&mut Coordinator> {
        let place = self.place(id)?;
        self.coordinators.get_mut(place).filter(|coordinator| coordinator.id == id)
    }

    pub(super) fn action(&mut self, id: ActionId) -> Option<&mut Action> {
        self.coordinator(id.job())?.actions.get_mut((id.number as usize).checked_sub(1)?)
    }

    pub(super) fn workflow(&mut self, id: JobId) -> Option<&mut Workflow> {
        let place = self.place(id)?;
        self.workflows.get_mut(place).filter(|workflow| workflow.id == id)
    }

    /// Drops a workflow of an action that has succeeded as most do, of which a summary says nothing. Those that are left
    /// move together once they are the fewer ones, so that this costs no time and memory stays with what is kept.
    pub(super) fn drop_ordinary(&mut self, id: JobId) {
        let Some(workflow) = self.workflow(id) else { return };
        let is_ordinary = matches!(workflow.parent, Some(Parent::Action(_)))
            && workflow.history.last().is_some_and(|since| since.status == WorkflowStatus::Succeeded)
            && workflow.runs.iter().all(|run| run.status == NodeStatus::Ok && run.child.is_none());
        if !is_ordinary {
            return;
        }
        (workflow.runs, workflow.history) = (Vec::new(), Vec::new());
        self.places[id.number as usize] = NOWHERE;
        self.dropped += 1;
        if 2 * self.dropped > self.workflows.len() + LEAST_DROPPED {
            self.move_together();
        }
    }

    /// Removes workflows that were dropped.
    pub(super) fn move_together(&mut self) {
        let places = &mut self.places;
        self.workflows.retain(|workflow| places[workflow.id.number as usize] != NOWHERE);
        for (place, workflow) in self.workflows.iter().enumerate() {
            places[workflow.id.number as usize] = place as u32;
        }
        self.dropped = 0;
    }

    /// How often a node was started in its workflow.
    pub(super) fn attempts(&self, node: NodeId) -> u32 {
        let place = self.place(node.job());
        let workflow = place.and_then(|place| self.workflows.get(place));
        let last = workflow.and_then(|it| it.runs.iter().rev().find(|run| run.node == node.node));
        last.map_or(0, |run| run.attempt)
    }

    /// Takes in what the engine said.
    pub(super) fn take<P: Plans>(
        &mut self,
        now: Instant,
        commands: &[Command],
        engine: &Engine<P>,
        world: &World<'_>,
    ) {
        for command in commands {
            match command {
                Command::Submitted { job, existed: false } => self.add(now, *job, engine),
                Command::Created { action, nominal } => self.created(now, *action, *nominal, engine),
                Command::Bound { parent, workflow } => self.bound(now, *parent, *workflow, engine),
                Command::PlanWorkflow { parent: Parent::Node(node), .. } => self.begin(now, *node),
                Command::StartNode { node, .. } => self.begin(now, *node),
                Command::Changed(changed) => self.changed(now, *changed, engine, world),
                Command::Sla(event) => {
                    let expected = match event.what {
                        SlaKind::DurationMet | SlaKind::DurationMiss => Expected::Millis(event.expected),
                        _ => Expected::At(Instant::from_millis(event.expected)),
                    };
                    self.sla.push(Sla { at: now, subject: event.subject, what: event.what, expected });
                }
                _ => {}
            }
        }
    }

    fn add<P: Plans>(&mut self, now: Instant, id: JobId, engine: &Engine<P>) {
        if self.knows(id) {
            return;
        }
        match id.kind {
            JobKind::Bundle => {
                let Some(job) = engine.bundle(id) else { return };
                self.settle(id, self.bundles.len());
                let status = crate::engine::status::JobStatus::Prep;
                self.bundles.push(Bundle {
                    id,
                    name: job.program.name.clone(),
                    history: vec![Since { at: now, status }],
                    fault: None,
                    refused: Vec::new(),
                });
            }
            JobKind::Coordinator => {
                let Some(job) = engine.coordinator(id) else { return };
                self.settle(id, self.coordinators.len());
                let status = crate::engine::status::JobStatus::Prep;
                self.coordinators.push(Coordinator {
                    id,
                    name: job.program.job.name.clone(),
                    bundle: job.bundle.map(|(number, _)| JobId::bundle(number)),
                    history: vec![Since { at: now, status }],
                    fault: None,
                    actions: Vec::new(),
                });
            }
            JobKind::Workflow => {
                let Some(job) = engine.workflow(id) else { return };
                self.settle(id, self.workflows.len());
                let known = self.nodes.entry(job.key.clone());
                let nodes = known.or_insert_with(|| nodes_of(&job.program)).clone();
                self.workflows.push(Workflow {
                    id,
                    name: job.name.clone(),
                    parent: job.parent,
                    dialect: job.program.dialect,
                    history: begun(Since { at: now, status: WorkflowStatus::Prep }, 3),
                    fault: None,
                    runs: Vec::with_capacity(nodes.iter().filter(|node| node.is_action()).count()),
                    nodes,
                });
            }
        }
    }

    fn created<P: Plans>(&mut self, now: Instant, id: ActionId, nominal: Instant, engine: &Engine<P>) {
        self.add(now, id.job(), engine);
        let history = begun(Since { at: now, status: ActionStatus::Waiting }, 5);
        let action = Action {
            nominal,
            created: now,
            history,
            waits: Vec::new(),
            workflows: Vec::new(),
            fault: None,
            is_removed: false,
        };
        let Some(coordinator) = self.coordinator(id.job()) else { return };
        let at = (id.number as usize).saturating_sub(1);
        match coordinator.actions.get_mut(at) {
            // A change of the end has removed one of this number.
            Some(old) => *old = action,
            None => coordinator.actions.push(action),
        }
    }

    fn bound<P: Plans>(&mut self, now: Instant, parent: Parent, id: JobId, engine: &Engine<P>) {
        self.add(now, id, engine);
        match parent {
            Parent::Action(action) => {
                if let Some(action) = self.action(action) {
                    // Most run once.
                    action.workflows.reserve_exact(1);
                    action.workflows.push(id);
                }
            }
            Parent::Node(node) => {
                if let Some(run) = self.run(node) {
                    run.child = Some(id);
                }
            }
        }
    }

    /// The last attempt of a node.
    fn run(&mut self, node: NodeId) -> Option<&mut Run> {
        self.workflow(node.job())?.runs.iter_mut().rev().find(|run| run.node == node.node)
    }

    fn begin(&mut self, now: Instant, node: NodeId) {
        self.enter(now, node, self.attempts(node) + 1);
    }

    /// A run of a node, which may never be started.
    fn enter(&mut self, now: Instant, node: NodeId, attempt: u32) {
        let Some(workflow) = self.workflow(node.job()) else { return };
        workflow.runs.push(Run {
            node: node.node,
            attempt,
            from: now,
            to: None,
            status: NodeStatus::Running,
            fault: None,
            child: None,
        });
    }

    fn changed<P: Plans>(&mut self, now: Instant, changed: Changed, engine: &Engine<P>, world: &World<'_>) {
        match changed {
            Changed::Job(id, _, status) => {
                self.add(now, id, engine);
                let since = Since { at: now, status };
                let place = self.place(id);
                match id.kind {
                    JobKind::Bundle => {
                        if let Some(bundle) = place.and_then(|place| self.bundles.get_mut(place)) {
                            bundle.history.push(since);
                        }
                    }
                    _ => {
                        if let Some(coordinator) = self.coordinator(id) {
                            coordinator.history.push(since);
                        }
                    }
                }
            }
            Changed::Action(id, was, status) => {
                let fault = match status {
                    ActionStatus::Failed => {
                        engine.coordinator(id.job()).and_then(|job| job.fault_of(id.number)).cloned()
                    }
                    _ => None,
                };
                let Some(action) = self.action(id) else { return };
                let since = action.history.last().map(|since| since.at);
                action.history.push(Since { at: now, status });
                action.fault = fault;
                if was == ActionStatus::Waiting {
                    let of_now = action.waits.iter_mut().filter(|wait| Some(wait.from) >= since);
                    for wait in of_now {
                        wait.to = match world.when(&wait.uri) {
                            When::At(at) if at <= now => Some(at.max(wait.from)),
                            _ => None,
                        };
                    }
                }
                if status.is_over() {
                    action.history.shrink_to_fit();
                }
            }
            Changed::Workflow(id, _, status) => {
                self.add(now, id, engine);
                let fault = match status {
                    WorkflowStatus::Killed | WorkflowStatus::Failed => fault_of(id, engine),
                    _ => None,
                };
                let Some(workflow) = self.workflow(id) else { return };
                workflow.history.push(Since { at: now, status });
                workflow.fault = fault;
                if status.is_terminal() {
                    workflow.history.shrink_to_fit();
                    workflow.runs.shrink_to_fit();
                }
            }
            Changed::Node(id, _, status) => self.node_changed(now, id, status, engine),
        }
    }

    /// The states in which actions stand that have not ended.
    pub(super) fn note_open<P: Plans>(&mut self, engine: &Engine<P>) {
        for workflow in &mut self.workflows {
            if workflow.history.last().is_some_and(|since| since.status == WorkflowStatus::Succeeded) {
                continue;
            }
            let Some(job) = engine.workflow(workflow.id) else { continue };
            for node in job.nodes.iter().filter(|node| !node.status.is_over()) {
                match workflow.runs.iter_mut().rev().find(|run| run.node == node.node) {
                    Some(run) => run.status = node.status,
                    // It was entered, and nothing has started it.
                    None if workflow.nodes[node.node as usize].is_action() => workflow.runs.push(Run {
                        node: node.node,
                        attempt: 0,
                        from: node.entered,
                        to: None,
                        status: node.status,
                        fault: None,
                        child: None,
                    }),
                    None => {}
                }
            }
        }
    }

    fn node_changed<P: Plans>(&mut self, now: Instant, id: NodeId, status: NodeStatus, engine: &Engine<P>) {
        use NodeStatus::{Error, Failed, Killed, Ok, StartManual, StartRetry, UserRetry};
        let closes = matches!(status, Ok | Error | Failed | Killed | UserRetry | StartRetry | StartManual);
        let is_action = |workflow: &mut Workflow| workflow.nodes[id.node as usize].is_action();
        if !closes || !self.workflow(id.job()).is_some_and(is_action) {
            return;
        }
        let fault = match status {
            Ok | Killed => None,
            _ => {
                let run = engine.workflow(id.job()).and_then(|job| job.node(id.node));
                run.and_then(|run| run.facts.as_ref()?.fault.clone())
            }
        };
        if self.run(id).is_none_or(|run| run.to.is_some()) {
            if matches!(status, Ok | Error | Killed) {
                // What waited for a retry or for somebody is killed with its job.
                match self.run(id) {
                    Some(run) if status == Killed => {
                        run.status = status;
                        return;
                    }
                    None if status == Killed => {}
                    _ => return,
                }
            }
            // It ended before anything was started: its expressions have no value, or its job is killed.
            self.enter(now, id, self.attempts(id));
        }
        if let Some(run) = self.run(id) {
            run.to = Some(now);
            run.status = status;
            run.fault = fault.map(Box::new);
        }
    }

    /// An action waits: `asked` is what was looked for in vain.
    pub(super) fn waits<P: Plans>(
        &mut self,
        now: Instant,
        subject: Subject,
        asked: &[Arc<str>],
        engine: &Engine<P>,
        world: &World<'_>,
    ) {
        let Subject::Action(id) = subject else { return };
        let Some(job) = engine.coordinator(id.job()) else { return };
        let is_choice = job.has_choice(id.number);
        let needs = job.needs(id.number);
        let Some(action) = self.action(id) else { return };
        // What it missed before it was run again is another matter.
        let since = action.history.last().map(|since| since.at);
        let wait = |uri: &Arc<str>, is_choice| Wait { uri: uri.clone(), from: now, to: None, is_choice };
        if is_choice {
            for uri in asked {
                let known = action.waits.iter().any(|wait| wait.uri == *uri && Some(wait.from) >= since);
                if !known && action.waits.len() < MAX_CHOICES {
                    action.waits.push(wait(uri, true));
                }
            }
            return;
        }
        if action.waits.iter().any(|wait| Some(wait.from) >= since) {
            return;
        }
        let missing = needs.iter().filter(|uri| !matches!(world.when(uri), When::At(at) if at <= now));
        action.waits.extend(missing.map(|uri| wait(uri, false)));
    }
}
