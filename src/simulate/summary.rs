//! What a simulation comes to in short: how actions ended, what they waited for longest, what piled up when.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::record::{Action, Simulation, spans};
use crate::engine::ActionId;
use crate::engine::status::ActionStatus;
use crate::time::Instant;

/// How many waits are told.
pub const LONGEST_WAITS: usize = 10;

/// Into how many stretches the time is cut at most to tell the backlog.
pub const BACKLOG_STRETCHES: i64 = 32;

/// How long the stretches of a backlog are, in minutes: the shortest that is long enough.
const STRETCH_MINUTES: [i64; 10] = [5, 15, 60, 180, 720, 1440, 2 * 1440, 7 * 1440, 28 * 1440, 364 * 1440];

/// How many actions of a coordinator ended how, in the order of the states.
pub type Counts = BTreeMap<ActionStatus, usize>;

/// An action that waited for data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LongWait {
    /// Which.
    pub action: ActionId,
    /// From when on it missed something.
    pub from: Instant,
    /// Until when.
    pub to: Instant,
    /// The URI that came last or not in time, and how many others were missing too.
    pub uri: Arc<str>,
    /// How many others it missed.
    pub others: usize,
    /// Whether that came while the action waited.
    pub came: bool,
}

/// How many actions were due and not over at most during some time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Backlog {
    /// From when on.
    pub from: Instant,
    /// Until when.
    pub to: Instant,
    /// The most at once.
    pub most: usize,
    /// How many there were at its end.
    pub last: usize,
}

/// How the actions of all coordinators ended, and those of each.
pub fn counts(simulation: &Simulation) -> (Counts, Vec<Counts>) {
    let mut all = Counts::new();
    let each = simulation.coordinators.iter().map(|coordinator| {
        let mut own = Counts::new();
        for action in coordinator.actions.iter().filter(|action| !action.is_removed) {
            *own.entry(action.status()).or_default() += 1;
            *all.entry(action.status()).or_default() += 1;
        }
        own
    });
    let each = each.collect();
    (all, each)
}

/// The longest time that an action waited for data, and for what it waited last. One that is run again waits again.
pub fn wait_of(simulation: &Simulation, id: ActionId, action: &Action) -> Option<LongWait> {
    let waiting =
        spans(&action.history, simulation.end).filter(|(status, ..)| *status == ActionStatus::Waiting);
    let waits = waiting.filter_map(|(_, begun, ended)| {
        let last = action.last_wait(begun, ended)?;
        let of_this = action.waits.iter().filter(|wait| wait.from >= begun && wait.from <= ended);
        let from = of_this.clone().map(|wait| wait.from).min()?;
        let to = last.to.unwrap_or(ended);
        let (uri, others) = (last.uri.clone(), of_this.count() - 1);
        Some(LongWait { action: id, from, to, uri, others, came: last.to.is_some() })
    });
    waits.max_by_key(|wait| wait.to.millis_since(wait.from))
}

/// The longest waits, the longest first; more than [`LONGEST_WAITS`] are not told.
pub fn longest_waits(simulation: &Simulation, most: usize) -> Vec<LongWait> {
    let mut waits = longest(simulation, |_| true);
    waits.truncate(most);
    waits
}

/// The longest waits of actions that are over, and those of actions that are not.
pub(super) fn waits_apart(simulation: &Simulation) -> (Vec<LongWait>, Vec<LongWait>) {
    let is_over = |action: &Action| action.status().is_over();
    (longest(simulation, is_over), longest(simulation, |action| !is_over(action)))
}

fn longest(simulation: &Simulation, is_wanted: impl Fn(&Action) -> bool) -> Vec<LongWait> {
    let wanted = simulation.actions().filter(|(_, _, action)| is_wanted(action));
    let waits = wanted.filter_map(|(_, id, action)| wait_of(simulation, id, action));
    let mut waits: Vec<_> = waits.filter(|wait| wait.to > wait.from).collect();
    sort_waits(&mut waits);
    waits
}

/// The longest waits first, no more than are told.
pub(super) fn sort_waits(waits: &mut Vec<LongWait>) {
    waits.sort_by_key(|wait| (-wait.to.millis_since(wait.from), wait.from, wait.action));
    waits.truncate(LONGEST_WAITS);
}

/// Where the stretches of a simulation begin and end: at round times, so that they can be compared.
fn borders(begin: Instant, end: Instant, most: i64) -> Vec<Instant> {
    let length = end.millis_since(begin).max(1);
    let step = |minutes: i64| minutes * 60_000;
    let last = STRETCH_MINUTES[STRETCH_MINUTES.len() - 1];
    let fits = STRETCH_MINUTES.into_iter().find(|minutes| length / step(*minutes) < most);
    let step = step(fits.unwrap_or(last * (length / step(last) / most + 1)));
    // The first stretch is shorter: before the first action there is nothing to show.
    let first = Instant::from_millis(begin.millis().div_euclid(step) * step);
    let borders = (0..).map(|index: i64| first.plus_millis(index.saturating_mul(step)).max(begin));
    let mut borders: Vec<_> = borders.take_while(|border| *border <= end).collect();
    if let Some(last) = borders.last().copied() {
        borders.push(last.plus_millis(step));
    }
    borders
}

/// How many actions were due and not over, in at most so many stretches of time or one more.
pub fn backlog(simulation: &Simulation, most: i64) -> Vec<Backlog> {
    stretches(&changes(simulation), (simulation.begin, simulation.end), most)
}

/// By how much the number of actions that are due and not over changes, and when.
pub(super) fn changes(simulation: &Simulation) -> BTreeMap<Instant, i64> {
    let mut changes: Vec<(Instant, i64)> = Vec::new();
    for (_, _, action) in simulation.actions() {
        // One that was run again counts each time.
        let mut open = Some(action.due());
        for since in &action.history {
            match (since.status.is_over(), open) {
                (true, Some(from)) => {
                    changes.extend([(from.min(since.at), 1), (since.at, -1)]);
                    open = None;
                }
                (false, None) => open = Some(since.at),
                _ => {}
            }
        }
        changes.extend(open.filter(|from| *from <= simulation.end).map(|from| (from, 1)));
    }
    changes.sort_unstable();
    let mut all = BTreeMap::new();
    // What is over at the moment at which something else begins does not pile up.
    changes.into_iter().for_each(|(at, change)| *all.entry(at).or_default() += change);
    all
}

/// How much has piled up in stretches of time, from changes.
pub(super) fn stretches(
    changes: &BTreeMap<Instant, i64>,
    (begin, end): (Instant, Instant),
    most: i64,
) -> Vec<Backlog> {
    // Before the first action there is nothing to show: a bundle may begin years before its coordinators.
    let begin = changes.first_key_value().map_or(begin, |(at, _)| (*at).max(begin));
    // What is due later has not piled up.
    let mut changes = changes.range(..=end).peekable();
    let (mut now, mut result) = (0_i64, Vec::new());
    for pair in borders(begin, end, most.max(1)).windows(2) {
        let (from, to) = (pair[0], pair[1]);
        let mut most = now;
        while let Some((_, change)) = changes.next_if(|(at, _)| **at < to) {
            now += change;
            most = most.max(now);
        }
        let count = |number: i64| usize::try_from(number).unwrap_or(0);
        result.push(Backlog { from, to, most: count(most), last: count(now) });
    }
    result
}
