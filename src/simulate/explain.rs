//! Why an action waited, and for what at each time.

use super::record::{Coordinator, Run, Simulation, Wait, spans};
use crate::diag::closest;
use crate::engine::status::ActionStatus;
use crate::engine::{ActionId, JobId};
use crate::time::Instant;

/// More actions that were ahead are not named.
pub const MAX_AHEAD: usize = 5;

/// What became of one action.
#[derive(Clone, Debug)]
pub struct Explanation<'s> {
    /// Which.
    pub id: ActionId,
    /// Its coordinator.
    pub coordinator: &'s Coordinator,
    /// The time it is for.
    pub nominal: Instant,
    /// Its last state.
    pub status: ActionStatus,
    /// State by state.
    pub steps: Vec<Step<'s>>,
}

/// A state of an action.
#[derive(Clone, Debug)]
pub struct Step<'s> {
    /// The state.
    pub status: ActionStatus,
    /// From when on.
    pub from: Instant,
    /// Until when; the last one lasts.
    pub to: Option<Instant>,
    /// What it waited for.
    pub waits: Vec<&'s Wait>,
    /// The actions of its coordinator that ran while it waited for its turn, and how many others.
    pub ahead: (Vec<ActionId>, usize),
    /// The workflow that it ran, and what that started.
    pub workflow: Option<(JobId, Vec<(&'s str, &'s Run)>)>,
}

/// Finds an action by `name@number`, by its id, or by its number where there is one coordinator.
pub fn find(simulation: &Simulation, text: &str) -> Result<ActionId, String> {
    let (name, number) = text.rsplit_once('@').unwrap_or(("", text));
    let wrong = || format!("`{text}` names no action; write it like `coordinator@3`");
    let number: u32 = number.parse().map_err(|_| wrong())?;
    let named = |coordinator: &&Coordinator| {
        *coordinator.name == *name || name.parse::<JobId>().is_ok_and(|id| id == coordinator.id)
    };
    let coordinator = match (&*simulation.coordinators, name) {
        ([only], "") => Some(only),
        ([], _) => return Err("there is no coordinator here, so no action waits for anything".to_owned()),
        (_, "") => return Err(wrong()),
        (all, _) => all.iter().find(named),
    };
    let Some(coordinator) = coordinator else {
        let names = simulation.coordinators.iter().map(|coordinator| &*coordinator.name);
        return Err(match closest(name, names.clone()) {
            Some(near) => format!("there is no coordinator `{name}`; did you mean `{near}`?"),
            None => {
                let names: Vec<_> = names.map(|name| format!("`{name}`")).collect();
                format!("there is no coordinator `{name}`; there are {}", names.join(", "))
            }
        });
    };
    let id = ActionId { coordinator: coordinator.id.number, number };
    match simulation.action(id) {
        Some(_) => Ok(id),
        None => {
            let many = coordinator.actions.len();
            Err(format!("`{}` has no action {number}; it has {many} in this simulation", coordinator.name))
        }
    }
}

/// Explains an action.
pub fn explain(simulation: &Simulation, id: ActionId) -> Option<Explanation<'_>> {
    let coordinator = simulation.coordinator(id.job())?;
    let action = simulation.action(id)?;
    let mut workflows = action.workflows.iter();
    let mut current = None;
    let last = action.history.len();
    let mut steps: Vec<Step<'_>> = Vec::new();
    for (index, (status, from, to)) in spans(&action.history, simulation.end).enumerate() {
        let to = (index + 1 < last).then_some(to);
        let until = to.unwrap_or(simulation.end);
        let waits = match status {
            ActionStatus::Waiting => {
                let within = |wait: &&Wait| wait.from >= from && (wait.from < until || until == from);
                action.waits.iter().filter(within).collect()
            }
            _ => Vec::new(),
        };
        let ahead = match status {
            ActionStatus::Ready if until > from => ahead(simulation, coordinator, id, from, until),
            _ => (Vec::new(), 0),
        };
        if status == ActionStatus::Submitted {
            current = None;
        }
        let workflow = match status {
            ActionStatus::Running if current.is_none() => {
                current = workflows.next().copied();
                current.and_then(|id| {
                    let workflow = simulation.workflow(id)?;
                    let runs =
                        workflow.runs.iter().map(|run| (&*workflow.nodes[run.node as usize].name, run));
                    Some((id, runs.collect()))
                })
            }
            _ => None,
        };
        steps.push(Step { status, from, to, waits, ahead, workflow });
    }
    Some(Explanation { id, coordinator, nominal: action.nominal, status: action.status(), steps })
}

/// The actions of a coordinator that ran at some time.
fn ahead(
    simulation: &Simulation,
    coordinator: &Coordinator,
    id: ActionId,
    from: Instant,
    to: Instant,
) -> (Vec<ActionId>, usize) {
    let (mut found, mut others) = (Vec::new(), 0);
    for (number, action) in (1..).zip(&coordinator.actions).filter(|(number, _)| *number != id.number) {
        let mut ran = spans(&action.history, simulation.end)
            .filter(|(status, ..)| matches!(status, ActionStatus::Running | ActionStatus::Submitted));
        if ran.any(|(_, begun, ended)| begun < to && ended > from) {
            match found.len() < MAX_AHEAD {
                true => found.push(ActionId { coordinator: id.coordinator, number }),
                false => others += 1,
            }
        }
    }
    (found, others)
}
