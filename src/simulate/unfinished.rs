//! What is not over when a simulation is, and why.

use std::collections::BTreeMap;

use super::moment;
use super::record::{Subject, Unfinished};
use super::world::World;
use crate::engine::status::{ActionStatus, JobStatus, NodeStatus, WorkflowStatus};
use crate::engine::workflow::WorkflowJob;
use crate::engine::{ActionId, CoordinatorRun, Engine, JobId, Parent, Plans};
use crate::plan::coordinator::Exists;
use crate::time::ProcessingZone;

/// Lists jobs and actions that are not over, jobs first. What a workflow of an action has not ended is said of the action.
pub(super) fn list<P: Plans>(engine: &Engine<P>, world: &World<'_>, zone: ProcessingZone) -> Vec<Unfinished> {
    let mut all = Vec::new();
    for bundle in engine.bundles().filter(|bundle| !bundle.status.is_terminal()) {
        let children = bundle.children.iter().flatten();
        let open = children.filter(|child| !child.status.is_terminal()).count();
        let reason = match bundle.status {
            JobStatus::Prep => "nobody has started it".to_owned(),
            _ => held(bundle.status)
                .map_or_else(|| format!("{open} of its coordinators are not over"), str::to_owned),
        };
        all.push(job(bundle.id(), bundle.status.name(), reason));
    }
    for coordinator in engine.coordinators().filter(|coordinator| !coordinator.status.is_terminal()) {
        let reason = match held(coordinator.status) {
            _ if coordinator.is_left() => {
                "all its actions are over, but a server looks at it no more until somebody resumes, kills or changes it"
                    .to_owned()
            }
            Some(words) => words.to_owned(),
            None => {
                let open = coordinator.actions.iter().filter(|action| !action.status.is_over()).count();
                let more = if coordinator.is_done { "" } else { ", and not all are created" };
                format!("{open} of its actions are not over{more}")
            }
        };
        all.push(job(coordinator.id(), coordinator.status.name(), reason));
    }
    let open = Open::new(engine);
    for workflow in open.workflows.iter().filter(|workflow| !open.is_of_action(engine, workflow)) {
        all.push(job(workflow.id(), workflow.status.name(), of_workflow(workflow)));
    }
    for coordinator in engine.coordinators() {
        for (number, action) in (1..).zip(&coordinator.actions).filter(|(_, action)| !action.status.is_over())
        {
            let id = ActionId { coordinator: coordinator.number, number };
            let reason = of_action(&open, world, zone, coordinator, id, action.status);
            all.push(Unfinished { subject: Subject::Action(id), status: action.status.name(), reason });
        }
    }
    all
}

fn job(id: JobId, status: &'static str, reason: String) -> Unfinished {
    Unfinished { subject: Subject::Job(id), status, reason }
}

/// Why a job stands still, when somebody holds it.
fn held(status: JobStatus) -> Option<&'static str> {
    use JobStatus::{Paused, PausedWithError, PrepPaused, PrepSuspended, Suspended, SuspendedWithError};
    match status {
        Suspended | SuspendedWithError | PrepSuspended => Some("it is suspended, and nobody has resumed it"),
        Paused | PausedWithError | PrepPaused => Some("it is paused, and its pause time was not reset"),
        _ => None,
    }
}

/// The workflows that are not over, by number.
struct Open<'e> {
    workflows: Vec<&'e WorkflowJob>,
    /// Those that a sub-workflow action runs, by what holds the action.
    below: BTreeMap<u32, Vec<&'e WorkflowJob>>,
}

impl<'e> Open<'e> {
    fn new<P: Plans>(engine: &'e Engine<P>) -> Open<'e> {
        let workflows: Vec<_> =
            engine.workflows().filter(|workflow| !workflow.status.is_terminal()).collect();
        let mut below: BTreeMap<u32, Vec<&WorkflowJob>> = BTreeMap::new();
        for workflow in &workflows {
            if let Some(Parent::Node(node)) = workflow.parent {
                below.entry(node.job().number).or_default().push(workflow);
            }
        }
        Open { workflows, below }
    }

    fn workflow(&self, number: u32) -> Option<&'e WorkflowJob> {
        let at = self.workflows.binary_search_by_key(&number, |workflow| workflow.number).ok()?;
        self.workflows.get(at).copied()
    }

    /// Whether an action of a coordinator that is not over itself runs a workflow, or one above it.
    fn is_of_action<P: Plans>(&self, engine: &Engine<P>, workflow: &WorkflowJob) -> bool {
        let mut above = workflow;
        loop {
            match above.parent {
                Some(Parent::Action(id)) => {
                    let action = engine.coordinator(id.job()).and_then(|job| job.action(id.number));
                    return action.is_some_and(|action| {
                        !action.status.is_over() && action.workflow == Some(above.number)
                    });
                }
                // Numbers grow downwards, so this ends.
                Some(Parent::Node(node)) => match self.workflow(node.job().number) {
                    Some(parent) => above = parent,
                    None => return false,
                },
                None => return false,
            }
        }
    }

    /// Why a workflow has not ended, and those that it runs.
    fn reason(&self, workflow: &WorkflowJob) -> String {
        let mut words = of_workflow(workflow);
        let mut open: Vec<&WorkflowJob> = self.below.get(&workflow.number).cloned().unwrap_or_default();
        while let Some(child) = open.pop() {
            words.push_str(&format!("; `{}`: {}", child.name, of_workflow(child)));
            open.extend(self.below.get(&child.number).into_iter().flatten());
        }
        words
    }
}

fn of_action(
    open: &Open<'_>,
    world: &World<'_>,
    zone: ProcessingZone,
    job: &CoordinatorRun,
    id: ActionId,
    status: ActionStatus,
) -> String {
    let show = |at| moment::shown(at, zone);
    if let (ActionStatus::Waiting | ActionStatus::Ready, Some(words)) = (status, held(job.status)) {
        return format!("of its coordinator: {words}");
    }
    match status {
        ActionStatus::Waiting => {
            let nominal = job.action(id.number).map(|action| action.nominal);
            if let Some(nominal) = nominal.filter(|nominal| *nominal > world.now) {
                return format!("its time, {}, has not come", show(nominal));
            }
            if job.has_choice(id.number) {
                return "not enough of its inputs are there".to_owned();
            }
            let missing: Vec<_> = job.needs(id.number).iter().filter(|uri| !world.exists(uri)).collect();
            match missing.split_first() {
                None => "its inputs are there, and nothing looks at them any more".to_owned(),
                Some((first, rest)) => {
                    let more =
                        if rest.is_empty() { String::new() } else { format!(" and {} more", rest.len()) };
                    format!("it waits for `{first}`{more}: {}", world.why(first, show))
                }
            }
        }
        ActionStatus::Ready => format!("it waits for its turn: {} at once may run", job.concurrency),
        _ => {
            let workflow = job.action(id.number).and_then(|action| action.workflow);
            let workflow = workflow.and_then(|number| open.workflow(number));
            workflow.map_or_else(
                || "its workflow is being submitted".to_owned(),
                |workflow| open.reason(workflow),
            )
        }
    }
}

fn of_workflow(job: &WorkflowJob) -> String {
    let open = job.nodes.iter().filter(|run| !run.status.is_over());
    let mut names: Vec<_> = open.map(|run| (job.node_name(run.node), run.status)).collect();
    names.sort();
    names.dedup();
    let shown: Vec<_> = names.iter().map(|(name, _)| format!("`{name}`")).collect();
    let what = shown.join(", ");
    match job.status {
        WorkflowStatus::Prep => "nobody has started it".to_owned(),
        WorkflowStatus::Suspended => match names
            .iter()
            .find(|(_, status)| matches!(status, NodeStatus::StartManual | NodeStatus::EndManual))
        {
            Some((name, _)) => format!("it is suspended, as `{name}` needs somebody to look at it"),
            None => "it is suspended, and nobody has resumed it".to_owned(),
        },
        _ if names.is_empty() => "it has nothing to do".to_owned(),
        _ => format!("{what} has not ended"),
    }
}
