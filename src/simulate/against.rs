//! What changes between two simulations of the same app.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::record::{Action, Simulation};
use crate::engine::JobId;
use crate::engine::status::ActionStatus;
use crate::time::Instant;

/// Everything that changes.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// Jobs that end otherwise.
    pub jobs: Vec<JobShift>,
    /// Actions, folded.
    pub actions: Vec<Shift>,
    /// How many actions both have, how many end in another state, how many end later and earlier.
    pub counts: Counts,
    /// How many service levels are missed, before and after.
    pub missed: (usize, usize),
}

/// A job that ends in another state, or a workflow of nobody's that ends at another time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobShift {
    /// Its name.
    pub name: Arc<str>,
    /// The state before; none where there is no such job.
    pub before: Option<&'static str>,
    /// The state after.
    pub after: Option<&'static str>,
    /// How many milliseconds later it ends.
    pub later_millis: i64,
}

/// How many actions change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Actions of both.
    pub both: usize,
    /// Those that end in another state.
    pub otherwise: usize,
    /// Those that end in the same state, but later.
    pub later: usize,
    /// Those that end in the same state, but earlier.
    pub earlier: usize,
    /// Those that only one of the two has.
    pub single: usize,
}

/// Neighbouring actions of a coordinator that change alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shift {
    /// The coordinator's name.
    pub coordinator: Arc<str>,
    /// The number of the first.
    pub first: u32,
    /// The number of the last.
    pub last: u32,
    /// The nominal time of the first.
    pub from: Instant,
    /// The nominal time of the last.
    pub to: Instant,
    /// The state before.
    pub before: Option<ActionStatus>,
    /// The state after.
    pub after: Option<ActionStatus>,
    /// How many milliseconds later they end.
    pub later_millis: i64,
}

/// When an action was over.
fn ended(action: &Action) -> Option<Instant> {
    action.history.last().filter(|since| since.status.is_over()).map(|since| since.at)
}

/// How a job ended, and when, where that is not told by its actions.
type End = (&'static str, Option<Instant>);

fn jobs(simulation: &Simulation) -> BTreeMap<(Arc<str>, u8), End> {
    let bundles = simulation.bundles.iter().map(|job| {
        let status = job.history.last().map_or("PREP", |since| since.status.name());
        ((job.name.clone(), 0), (status, None))
    });
    let coordinators = simulation.coordinators.iter().map(|job| {
        let status = job.history.last().map_or("PREP", |since| since.status.name());
        ((job.name.clone(), 1), (status, None))
    });
    let own = simulation.workflows.iter().filter(|job| job.parent.is_none());
    let workflows = own.map(|job| {
        let last = job.history.last();
        let ended = last.filter(|since| since.status.is_terminal()).map(|since| since.at);
        ((job.name.clone(), 2), (last.map_or("PREP", |since| since.status.name()), ended))
    });
    bundles.chain(coordinators).chain(workflows).collect()
}

/// Compares two simulations.
pub fn compare(before: &Simulation, after: &Simulation) -> Comparison {
    let (one, other) = (jobs(before), jobs(after));
    let names: BTreeMap<_, ()> = one.keys().chain(other.keys()).map(|name| (name.clone(), ())).collect();
    let states = names.into_keys().map(|name| (one.get(&name).copied(), other.get(&name).copied(), name.0));
    let changed = states.filter(|(before, after, _)| before != after);
    let jobs = changed
        .map(|(before, after, name)| {
            let ends = before.and_then(|(_, at)| at).zip(after.and_then(|(_, at)| at));
            let later_millis = ends.map_or(0, |(before, after)| after.millis_since(before));
            let (before, after) = (before.map(|(status, _)| status), after.map(|(status, _)| status));
            JobShift { name, before, after, later_millis }
        })
        .collect();
    let mut counts = Counts::default();
    let mut actions: Vec<Shift> = Vec::new();
    let id_of = |simulation: &Simulation, name: &str| -> Option<JobId> {
        simulation.coordinators.iter().find(|job| *job.name == *name).map(|job| job.id)
    };
    let mut coordinators: Vec<Arc<str>> = before.coordinators.iter().map(|job| job.name.clone()).collect();
    for job in &after.coordinators {
        if !coordinators.contains(&job.name) {
            coordinators.push(job.name.clone());
        }
    }
    for name in coordinators {
        let own = |simulation: &'_ Simulation| -> Vec<Action> {
            let job = id_of(simulation, &name).and_then(|id| simulation.coordinator(id));
            job.map(|job| job.actions.clone()).unwrap_or_default()
        };
        let (old, new) = (own(before), own(after));
        for index in 0..old.len().max(new.len()) {
            let (old, new) = (old.get(index), new.get(index));
            let old = old.filter(|action| !action.is_removed);
            let new = new.filter(|action| !action.is_removed);
            let Some(nominal) = old.or(new).map(|action| action.nominal) else { continue };
            let (was, is) = (old.map(Action::status), new.map(Action::status));
            let later = match (old.and_then(ended), new.and_then(ended)) {
                (Some(old), Some(new)) => new.millis_since(old),
                _ => 0,
            };
            match (was, is) {
                (None, _) | (_, None) => counts.single += 1,
                _ => {
                    counts.both += 1;
                    counts.otherwise += usize::from(was != is);
                    counts.later += usize::from(was == is && later > 0);
                    counts.earlier += usize::from(was == is && later < 0);
                }
            }
            if was == is && later == 0 {
                continue;
            }
            let number = index as u32 + 1;
            match actions.last_mut() {
                Some(shift)
                    if shift.coordinator == name
                        && shift.last + 1 == number
                        && (shift.before, shift.after, shift.later_millis) == (was, is, later) =>
                {
                    shift.last = number;
                    shift.to = nominal;
                }
                _ => actions.push(Shift {
                    coordinator: name.clone(),
                    first: number,
                    last: number,
                    from: nominal,
                    to: nominal,
                    before: was,
                    after: is,
                    later_millis: later,
                }),
            }
        }
    }
    let missed = |simulation: &Simulation| simulation.sla.iter().filter(|sla| sla.is_missed()).count();
    Comparison { jobs, actions, counts, missed: (missed(before), missed(after)) }
}
