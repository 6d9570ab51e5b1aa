//! What a summary needs of a simulation, worked out once, so that the record of every action can be forgotten.

use std::collections::BTreeMap;

use super::fold::{self, Fold};
use super::oddities::{self, Oddity};
use super::record::{Simulation, Stop};
use super::summary::{self, Backlog, Counts, LONGEST_WAITS, LongWait};
use crate::time::Instant;

/// More folds of one coordinator are counted, not kept, when the record is forgotten.
pub const MAX_FOLDS: usize = 40;

/// With more moments at which the backlog changes, these are told to the minute.
const MAX_CHANGES: usize = 200_000;

/// A simulation and what follows from it.
#[derive(Clone, Debug)]
pub struct Digest {
    /// What happened; without actions and workflows where these are forgotten.
    pub simulation: Simulation,
    /// How the actions of each coordinator ended.
    pub counts: Vec<Counts>,
    /// The timeline of each coordinator, folded, as far as it is kept; and how many lines it has.
    pub folds: Vec<(Vec<Fold>, usize)>,
    /// The longest waits for data.
    pub waits: Vec<LongWait>,
    /// What a server got wrong, in order of time.
    pub oddities: Vec<Oddity>,
    /// By how much the number of actions that are due and not over changes, and when.
    changes: BTreeMap<Instant, i64>,
    /// Of the actions that are not over, the longest waits, while it is not known how long they are.
    open_waits: Vec<LongWait>,
}

/// How long what never ends lasts, as long as that is not known.
const FAR: Instant = Instant::from_millis(1 << 60);

impl Digest {
    /// Of a whole record, which is kept.
    pub fn of(simulation: Simulation) -> Digest {
        let waits = summary::longest_waits(&simulation, LONGEST_WAITS);
        Digest::with_waits(simulation, waits, Vec::new())
    }

    /// Of one part of an app, whose record is dropped. What in it never ends lasts as long as the whole, which
    /// [`Digest::close`] says.
    pub(super) fn of_part(mut simulation: Simulation) -> Digest {
        let end = simulation.end;
        let lasts = simulation.stop == Stop::Complete && !simulation.unfinished.is_empty();
        if lasts {
            simulation.end = FAR;
        }
        let (waits, open_waits) = summary::waits_apart(&simulation);
        let mut digest = Digest::with_waits(simulation, waits, open_waits);
        digest.simulation.end = end;
        digest.forget()
    }

    fn with_waits(simulation: Simulation, waits: Vec<LongWait>, open_waits: Vec<LongWait>) -> Digest {
        let (_, counts) = summary::counts(&simulation);
        let folds = simulation.coordinators.iter().map(|job| fold::fold(&simulation, job));
        let folds = folds.map(|folds| (folds.len(), folds)).map(|(all, folds)| (folds, all)).collect();
        let changes = summary::changes(&simulation);
        let oddities = oddities::of(&simulation);
        Digest { counts, folds, waits, oddities, changes, open_waits, simulation }
    }

    /// Forgets what became of every action.
    pub fn forget(mut self) -> Digest {
        for coordinator in &mut self.simulation.coordinators {
            coordinator.actions = Vec::new();
        }
        self.simulation.workflows = Vec::new();
        for (folds, _) in &mut self.folds {
            folds.truncate(MAX_FOLDS);
            folds.shrink_to_fit();
        }
        self.coarsen();
        self
    }

    /// How many actions were due and not over, in at most so many stretches of time or one more.
    pub fn backlog(&self, most: i64) -> Vec<Backlog> {
        summary::stretches(&self.changes, (self.simulation.begin, self.simulation.end), most)
    }

    /// How all actions ended.
    pub fn all_counts(&self) -> Counts {
        let mut all = Counts::new();
        for (status, count) in self.counts.iter().flatten() {
            *all.entry(*status).or_default() += count;
        }
        all
    }

    /// Takes in another part of the same app, whose coordinators have other numbers.
    pub(super) fn add(&mut self, other: Digest) {
        let (own, more) = (&mut self.simulation, other.simulation);
        own.events += more.events;
        own.end = own.end.max(more.end);
        if more.stop != Stop::Complete {
            own.stop = more.stop;
        }
        own.coordinators.extend(more.coordinators);
        own.sla.extend(more.sla);
        own.unfinished.extend(more.unfinished);
        self.counts.extend(other.counts);
        self.folds.extend(other.folds);
        self.waits.extend(other.waits);
        summary::sort_waits(&mut self.waits);
        self.open_waits.extend(other.open_waits);
        summary::sort_waits(&mut self.open_waits);
        self.oddities.extend(other.oddities);
        self.oddities.sort_by_key(|oddity| (oddity.at, oddity.kind));
        for (at, change) in other.changes {
            *self.changes.entry(at).or_default() += change;
        }
        self.coarsen();
    }

    /// What never ends lasts until the end of all.
    pub(super) fn close(&mut self) {
        let end = self.simulation.end;
        let shorter = FAR.millis_since(end);
        for wait in &mut self.open_waits {
            wait.to = wait.to.min(end);
        }
        self.waits.extend(self.open_waits.drain(..).filter(|wait| wait.to > wait.from));
        summary::sort_waits(&mut self.waits);
        for (folds, all) in &mut self.folds {
            folds.iter_mut().for_each(|fold| fold.course.shorten(shorter));
            let before = folds.len();
            fold::join_alike(folds);
            *all -= before - folds.len();
        }
    }

    fn coarsen(&mut self) {
        if self.changes.len() > MAX_CHANGES {
            let mut coarse = BTreeMap::new();
            for (at, change) in std::mem::take(&mut self.changes) {
                let minute = Instant::from_millis(at.millis().div_euclid(60_000) * 60_000);
                *coarse.entry(minute).or_default() += change;
            }
            self.changes = coarse;
        }
    }
}
