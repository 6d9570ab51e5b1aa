//! What a simulation comes to in short: how actions ended, what they waited for longest, what piled up when.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::record::{Action, Simulation};
use crate::engine::ActionId;
use crate::engine::status::ActionStatus;
use crate::time::Instant;

/// How many waits are told.
pub const LONGEST_WAITS: usize = 10;

/// Into how many stretches the time is cut to tell the backlog.
pub const BACKLOG_STRETCHES: i64 = 24;

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
    /// The URI that came last or never, and how many others were missing too.
    pub uri: Arc<str>,
    /// How many others it missed.
    pub others: usize,
    /// Whether that came at all.
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

/// How long an action waited for data, and for what last.
pub fn wait_of(simulation: &Simulation, id: ActionId, action: &Action) -> Option<LongWait> {
    let over = |wait: &super::record::Wait| wait.to.unwrap_or(simulation.end);
    let last = action.waits.iter().max_by_key(|wait| (wait.to.is_none(), over(wait)))?;
    let from = action.waits.iter().map(|wait| wait.from).min()?;
    let waiting = super::record::spans(&action.history, simulation.end);
    let stopped = waiting.filter(|(status, ..)| *status == ActionStatus::Waiting).map(|(.., to)| to).max();
    let to = last.to.or(stopped).unwrap_or(simulation.end);
    Some(LongWait {
        action: id,
        from,
        to,
        uri: last.uri.clone(),
        others: action.waits.len() - 1,
        came: last.to.is_some(),
    })
}

/// The longest waits, the longest first.
pub fn longest_waits(simulation: &Simulation, most: usize) -> Vec<LongWait> {
    let waits = simulation.actions().filter_map(|(_, id, action)| wait_of(simulation, id, action));
    let mut waits: Vec<_> = waits.filter(|wait| wait.to > wait.from).collect();
    waits.sort_by_key(|wait| (-wait.to.millis_since(wait.from), wait.from, wait.action));
    waits.truncate(most);
    waits
}

/// How many actions were due and not over, in as many stretches of time.
pub fn backlog(simulation: &Simulation, stretches: i64) -> Vec<Backlog> {
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
    let length = simulation.end.millis_since(simulation.begin).max(1);
    let stretches = stretches.max(1);
    let mut changes = changes.into_iter().peekable();
    let (mut now, mut result) = (0_i64, Vec::new());
    for index in 0..stretches {
        let border = |index: i64| {
            let part = i128::from(length) * i128::from(index) / i128::from(stretches);
            simulation.begin.plus_millis(part as i64)
        };
        let (from, to) = (border(index), border(index + 1));
        let mut most = now;
        while let Some((at, change)) = changes.next_if(|(at, _)| *at < to || index + 1 == stretches) {
            now += change;
            // What is over at the moment at which something else begins does not pile up.
            if changes.peek().is_none_or(|(next, _)| *next > at) {
                most = most.max(now);
            }
        }
        let count = |number: i64| usize::try_from(number).unwrap_or(0);
        result.push(Backlog { from, to, most: count(most), last: count(now) });
    }
    result
}
