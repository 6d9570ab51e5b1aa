//! A bundle in parts that have nothing to do with each other: coordinators that share no data are played apart, each part
//! is folded into what a summary needs, and what is left of them is put together in order.
//!
//! Parts do not depend on who plays them, nor on when: whoever has them in any order puts the same bytes together.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::app::{App, Apps};
use super::digest::Digest;
use super::oddities;
use super::play::{Options, PlayError, play_part};
use super::record::{Simulation, Since, Stop, Subject};
use super::scenario::Scenario;
use super::world::World;
use crate::engine::status::JobStatus;
use crate::engine::transit::{self, BundleView, Tally};
use crate::engine::{
    BundleProgram, Conf, CoordinatorProgram, Fault, JobId, JobKind, Key, PlannedWorkflow, Plans, Settings,
    Submission,
};
use crate::plan::workflow::Program;
use crate::time::Instant;

/// Which coordinators of a bundle are played together, by their places in [`App::coordinators`]; every part begins with its
/// first one. `None`: the app is played as a whole.
pub fn split<A: Apps + ?Sized>(
    apps: &A,
    app: &App,
    scenario: &Scenario,
    options: &Options,
) -> Option<Vec<Vec<usize>>> {
    let Submission::Bundle(key) = &app.submission else { return None };
    let bundle = apps.bundle(key)?;
    let all = bundle.children.iter().filter(|child| child.enabled).count();
    // One that is refused may end its bundle, an operator may stop it; without a time the horizon is one of all together.
    let is_whole = all == app.coordinators.len() && bundle.fault.is_none() && all > 1;
    if !is_whole || !scenario.operators.is_empty() || options.until.is_none() || options.check {
        return None;
    }
    let mut group: Vec<usize> = (0..app.coordinators.len()).collect();
    for (reader, writer) in World::new(app, scenario, 0).shares(app) {
        let (one, other) = (group[reader], group[writer]);
        if one != other {
            let (low, high) = (one.min(other), one.max(other));
            group.iter_mut().filter(|it| **it == high).for_each(|it| *it = low);
        }
    }
    let mut parts: Vec<Vec<usize>> = Vec::new();
    let mut place = vec![usize::MAX; group.len()];
    for (index, own) in group.iter().enumerate() {
        if place[*own] == usize::MAX {
            place[*own] = parts.len();
            parts.push(Vec::new());
        }
        parts[place[*own]].push(index);
    }
    (parts.len() > 1).then_some(parts)
}

/// The apps of one part: in its bundle the other coordinators are not enabled.
#[derive(Debug)]
struct Part<'a, A: ?Sized> {
    apps: &'a A,
    bundle: Arc<BundleProgram>,
}

impl<A: Apps + ?Sized> Plans for Part<'_, A> {
    fn workflow(&self, key: &str) -> Option<Arc<Program>> {
        self.apps.workflow(key)
    }

    fn coordinator(&self, key: &str) -> Option<Arc<CoordinatorProgram>> {
        self.apps.coordinator(key)
    }

    fn bundle(&self, _: &str) -> Option<Arc<BundleProgram>> {
        Some(self.bundle.clone())
    }
}

impl<A: Apps + ?Sized> Apps for Part<'_, A> {
    fn plan_coordinator(&self, bundle: &str, child: u32) -> Result<Key, Fault> {
        self.apps.plan_coordinator(bundle, child)
    }

    fn plan_workflow(
        &self,
        app_path: &str,
        conf: &Arc<Conf>,
        above: Option<&str>,
    ) -> Result<PlannedWorkflow, Fault> {
        self.apps.plan_workflow(app_path, conf, above)
    }

    fn deploys(&self, app_path: &str, below: &str) -> bool {
        self.apps.deploys(app_path, below)
    }
}

/// What has become of a part.
#[derive(Debug)]
pub enum Played {
    /// What a summary needs.
    Folded(Box<Digest>),
    /// It cannot be told apart from the others: it looks at files, or has what a summary must name by its number.
    Entangled,
}

/// Plays the coordinators of a part.
pub fn play_one<A: Apps + ?Sized>(
    apps: &A,
    app: &App,
    scenario: &Scenario,
    options: Options,
    part: &[usize],
) -> Result<Played, PlayError> {
    let Submission::Bundle(key) = &app.submission else { return Ok(Played::Entangled) };
    let Some(bundle) = apps.bundle(key) else { return Ok(Played::Entangled) };
    let mut bundle = BundleProgram::clone(&bundle);
    let enabled = bundle.children.iter_mut().filter(|child| child.enabled).enumerate();
    enabled.for_each(|(index, child)| child.enabled = part.contains(&index));
    let own = App {
        names: app.names.clone(),
        submission: app.submission.clone(),
        coordinators: part.iter().map(|index| app.coordinators[*index].clone()).collect(),
        zone: app.zone,
        server: app.server.clone(),
        begin: app.begin,
    };
    let (mut simulation, used_files) =
        play_part(&Part { apps, bundle: Arc::new(bundle) }, &own, scenario, options)?;
    let is_named = |it: &super::record::Unfinished| match it.subject {
        Subject::Job(id) => id.kind == JobKind::Workflow,
        Subject::Action(_) => false,
    };
    let is_odd = simulation.coordinators.len() != part.len()
        || simulation.bundles.len() != 1
        || !oddities::of(&simulation).is_empty();
    if used_files || is_odd || !simulation.sla.is_empty() || simulation.unfinished.iter().any(is_named) {
        return Ok(Played::Entangled);
    }
    renumber(&mut simulation, part);
    Ok(Played::Folded(Box::new(Digest::of_part(simulation))))
}

/// Gives coordinators the numbers that they have among all: the bundle has the first, they have those that follow.
fn renumber(simulation: &mut Simulation, part: &[usize]) {
    let old: Vec<u32> = simulation.coordinators.iter().map(|job| job.id.number).collect();
    let new = |number: u32| {
        let place = old.iter().position(|old| *old == number).unwrap_or(0);
        part[place] as u32 + 2
    };
    for it in &mut simulation.unfinished {
        it.subject = match it.subject {
            Subject::Job(id) if id.kind == JobKind::Coordinator => {
                Subject::Job(JobId::coordinator(new(id.number)))
            }
            Subject::Job(id) => Subject::Job(id),
            Subject::Action(mut id) => {
                id.coordinator = new(id.coordinator);
                Subject::Action(id)
            }
        };
    }
    for coordinator in &mut simulation.coordinators {
        coordinator.id = JobId::coordinator(new(coordinator.id.number));
    }
}

/// Parts that are put together as they come, so that only what is left of them takes memory.
#[derive(Debug, Default)]
pub struct Joined {
    all: Option<Digest>,
    /// How many were put together, in their order.
    count: usize,
    /// What came before those that stand before it.
    early: BTreeMap<usize, Digest>,
    is_entangled: bool,
}

impl Joined {
    /// Takes in a part by its place.
    pub fn add(&mut self, place: usize, part: Played) {
        match part {
            Played::Folded(digest) => drop(self.early.insert(place, *digest)),
            Played::Entangled => self.is_entangled = true,
        }
        while let Some(digest) = self.early.remove(&self.count) {
            self.count += 1;
            match &mut self.all {
                None => self.all = Some(digest),
                Some(all) => all.add(digest),
            }
        }
    }

    /// What all parts come to. `None`: one is missing, or cannot be told apart.
    pub fn finish(self, parts: usize, app: &App, scenario: &Scenario, options: &Options) -> Option<Digest> {
        if self.is_entangled || self.count < parts {
            return None;
        }
        let mut all = self.all?;
        all.close();
        // In the order of their numbers, as they were submitted.
        let mut order: Vec<usize> = (0..all.simulation.coordinators.len()).collect();
        order.sort_by_key(|index| all.simulation.coordinators[*index].id.number);
        let Digest { simulation, counts, folds, .. } = &mut all;
        *counts = order.iter().map(|index| counts[*index].clone()).collect();
        *folds = order.iter().map(|index| std::mem::take(&mut folds[*index])).collect();
        simulation.coordinators.sort_by_key(|job| job.id.number);
        let settings = scenario.server(&app.server).over(&Settings::default());
        bundle(simulation, settings.with_error, options);
        Some(all)
    }
}

/// The states of the bundle follow from those of its coordinators.
fn bundle(simulation: &mut Simulation, with_error: bool, options: &Options) {
    let Some(bundle) = simulation.bundles.first_mut() else { return };
    let begun = bundle.history.iter().position(|since| since.status == JobStatus::Running);
    let Some(begun) = begun else { return };
    bundle.history.truncate(begun + 1);
    let mut status = JobStatus::Running;
    let mut tally = Tally::default();
    simulation.coordinators.iter().for_each(|_| tally.add(JobStatus::Prep));
    let mut changes: Vec<(Instant, usize, usize)> = Vec::new();
    for (index, job) in simulation.coordinators.iter().enumerate() {
        changes.extend((1..job.history.len()).map(|nth| (job.history[nth].at, index, nth)));
    }
    changes.sort_unstable();
    for (at, index, nth) in changes {
        let history = &simulation.coordinators[index].history;
        tally.remove(history[nth - 1].status);
        tally.add(history[nth].status);
        let view =
            BundleView { status, is_pending: false, has_pause: false, is_suspended: false, children: &tally };
        let next = transit::bundle(view, with_error);
        if next != status {
            status = next;
            bundle.history.push(Since { at, status });
        }
    }
    let id = bundle.id;
    let open = simulation
        .coordinators
        .iter()
        .filter(|job| job.history.last().is_none_or(|since| !since.status.is_terminal()));
    let open = open.count();
    let (bundles, mut others): (Vec<_>, Vec<_>) =
        std::mem::take(&mut simulation.unfinished).into_iter().partition(|it| it.subject == Subject::Job(id));
    // Jobs come before actions, each kind by number.
    others.sort_by_key(|it| it.subject);
    if let Some(mut own) = bundles.into_iter().next()
        && !status.is_terminal()
    {
        own.status = status.name();
        own.reason = format!("{open} of its coordinators are not over");
        simulation.unfinished.push(own);
    }
    simulation.unfinished.extend(others);
    if simulation.stop == Stop::Until {
        simulation.end = options.until.unwrap_or(simulation.end);
    }
}
