//! Drops the faults of fork and join that only follow from another fault.
//!
//! After a fault the walk goes on with a guess. Where the guess makes new faults, the user would hunt for mistakes
//! that vanish with the first. Faults in other places stay, however many there are.

use std::collections::BTreeSet;

use super::forkjoin::{Fault, Found, Link, LinkId, Report, Sight};
use super::graph::NodeId;

/// The faults that stand for themselves, in order.
///
/// `fork_of`: for each join its fork. `split`: for each fork, it has several joins. `contested`: for each join, several
/// forks reach it. Where forks and joins are `in_pair` the first fault is what the server says, so it stays; else the
/// server says E0730, for which any one stands.
pub(super) fn sift(
    reports: Vec<Report>,
    links: &[Link],
    fork_of: &[Option<NodeId>],
    split: &[bool],
    contested: &[bool],
    in_pair: bool,
) -> Vec<Found> {
    let after = Aftermath::of(links, split, contested);
    let joinless = |report: &Report| match report.found.fault {
        Fault::NoJoin { fork, .. } => Some(fork),
        _ => None,
    };
    let joinless: BTreeSet<NodeId> = reports.iter().filter_map(joinless).collect();
    let is_split = |fork: Option<NodeId>| fork.is_some_and(|fork| split[fork.index()]);
    let follows = |report: &Report| match &report.found.fault {
        // The paths of a fork without a join have to end somewhere.
        Fault::EndInside { fork, .. } => after.misplaced(report.link) || joinless.contains(fork),
        // A join of a split fork that comes after another join of it.
        Fault::NoFork { join, .. } => after.split(report.link) && is_split(fork_of[join.index()]),
        Fault::ManyForks { first, .. } => {
            after.misplaced(report.link) || after.split(report.link) && is_split(Some(first.0))
        }
        // Both ways lead past joins of a split fork: its paths part for good and meet again.
        Fault::Concurrent { fork, .. } => {
            split[fork.index()] && report.link.is_some() && report.other.is_some()
        }
        Fault::NoJoin { .. } | Fault::ManyJoins { .. } | Fault::SameTarget { .. } => false,
    };
    let reached = reports.iter().filter(|report| report.found.sight == Sight::Server);
    let first_stays = in_pair || reached.clone().all(follows);
    let mut kept = Vec::with_capacity(reports.len());
    for (index, report) in reports.into_iter().enumerate() {
        if index == 0 && first_stays || !follows(&report) {
            kept.push(report.found);
        }
    }
    kept
}

/// What lies behind each link, as far as the walk stays inside the same fork.
struct Aftermath {
    /// A fork with several joins.
    split: Vec<bool>,
    /// A join that belongs to a fork around, so that the walk is no longer where it thinks.
    misplaced: Vec<bool>,
}

impl Aftermath {
    fn of(links: &[Link], split: &[bool], contested: &[bool]) -> Aftermath {
        let mut after = Aftermath { split: Vec::new(), misplaced: Vec::new() };
        for link in links {
            // A link stands after the one before it.
            let is_split = after.split(link.before) || split[link.fork.index()];
            let is_misplaced =
                after.misplaced(link.before) || link.outer.is_some() && contested[link.join.index()];
            after.split.push(is_split);
            after.misplaced.push(is_misplaced);
        }
        after
    }

    fn split(&self, link: Option<LinkId>) -> bool {
        link.is_some_and(|link| self.split[link.get() as usize - 1])
    }

    fn misplaced(&self, link: Option<LinkId>) -> bool {
        link.is_some_and(|link| self.misplaced[link.get() as usize - 1])
    }
}

#[cfg(test)]
#[path = "sift_tests.rs"]
mod tests;
