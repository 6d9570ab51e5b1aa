//! Faults of fork and join that the server does not see.
//!
//! `validateForkJoin` walks on from a node once. Where a second way leads to the node on another path of a fork, it
//! does not ask whether both can run at the same time, nor where the second way goes on to. This asks, for a workflow
//! that the server accepts. Each node is told once.

use std::cell::LazyCell;

use super::before::path_after;
use super::forkjoin::{Fault, Found, Sight, Walk};
use super::graph::{EdgeId, Flow, Kind, NodeId};
use super::order::finished_first;

/// The faults, in document order of the transitions that make them.
pub(super) fn hidden(flow: &Flow<'_>, reachable: &[bool], walk: &Walk) -> Vec<Found> {
    // Most workflows need neither.
    let nesting = LazyCell::new(|| Nesting::of(flow, walk));
    let exits = LazyCell::new(|| exits(flow, reachable, walk));
    let mut told = vec![false; flow.len()];
    let mut faults = Vec::new();
    for from in flow.ids().filter(|id| reachable[id.index()]) {
        for (entry, edge) in flow.edges(from) {
            let Some(node) = edge.target.filter(|node| !told[node.index()]) else { continue };
            // A join or end is judged at every arrival, a kill node may be reached from everywhere.
            if matches!(flow.kind(node), Kind::Join | Kind::End | Kind::Kill) {
                continue;
            }
            let (first, second) = (walk.path_of[node.index()], path_after(flow, walk, entry));
            let fault = if first == second {
                None
            } else if let Some(fork) = nesting.parting(first, second) {
                walk.came_by[node.index()].map(|came_by| Fault::Concurrent {
                    node,
                    fork,
                    first: came_by,
                    second: entry,
                })
            } else {
                exits[node.index()].fault(flow, walk, second)
            };
            if let Some(fault) = fault {
                told[node.index()] = true;
                faults.push(Found { fault, sight: Sight::Hidden(entry) });
            }
        }
    }
    faults
}

/// How forks lie in each other.
struct Nesting<'w> {
    walk: &'w Walk,
    depth: Vec<u32>,
    /// For each fork one around it, chosen so that a few jumps lead to any (skew-binary jump pointers).
    jump: Vec<Option<NodeId>>,
}

impl<'w> Nesting<'w> {
    fn of(flow: &Flow<'_>, walk: &'w Walk) -> Nesting<'w> {
        let mut nesting = Nesting { walk, depth: vec![0; flow.len()], jump: vec![None; flow.len()] };
        for fork in walk.forks.iter().copied() {
            let Some(outer) = nesting.outer(fork) else { continue };
            nesting.depth[fork.index()] = nesting.depth[outer.index()] + 1;
            let depth = |fork: Option<NodeId>| fork.map(|fork| nesting.depth[fork.index()]);
            let far = nesting.jump[outer.index()];
            let farther = far.and_then(|far| nesting.jump[far.index()]);
            let even = far.is_some() && farther.is_some() && {
                let (near, middle, end) = (nesting.depth[outer.index()], depth(far), depth(farther));
                middle.zip(end).is_some_and(|(middle, end)| near - middle == middle - end)
            };
            nesting.jump[fork.index()] = if even { farther } else { Some(outer) };
        }
        nesting
    }

    /// The fork around a fork.
    fn outer(&self, fork: NodeId) -> Option<NodeId> {
        self.walk.path_of[fork.index()].map(|path| path.from)
    }

    /// The fork at a depth around a path, and the path of it.
    fn rise(&self, mut path: EdgeId, depth: u32) -> EdgeId {
        while self.depth[path.from.index()] > depth {
            // Jump to a fork that is still inside the one looked for, so that its path there can be read off.
            let far = self.jump[path.from.index()].filter(|far| self.depth[far.index()] > depth);
            let inner = far.unwrap_or(path.from);
            match self.walk.path_of[inner.index()] {
                Some(outer) => path = outer,
                None => break,
            }
        }
        path
    }

    /// The fork of which two paths, or forks on them, are different paths: they can run at the same time.
    fn parting(&self, first: Option<EdgeId>, second: Option<EdgeId>) -> Option<NodeId> {
        let (mut first, mut second) = (first?, second?);
        let depth = self.depth[first.from.index()].min(self.depth[second.from.index()]);
        (first, second) = (self.rise(first, depth), self.rise(second, depth));
        while first.from != second.from {
            let jumps = (self.jump[first.from.index()]?, self.jump[second.from.index()]?);
            // Both are equally deep, so both jump equally far.
            (first, second) = if jumps.0 == jumps.1 {
                (self.walk.path_of[first.from.index()]?, self.walk.path_of[second.from.index()]?)
            } else {
                (self.walk.path_of[jumps.0.index()]?, self.walk.path_of[jumps.1.index()]?)
            };
        }
        (first != second).then_some(first.from)
    }
}

/// Where the ways from a node go on to in the end, past the forks that begin behind it.
#[derive(Clone, Copy, Default)]
struct Exits {
    /// Transitions into two different joins.
    joins: [Option<EdgeId>; 2],
    /// A transition into an end node.
    end: Option<EdgeId>,
}

impl Exits {
    fn add(&mut self, flow: &Flow<'_>, other: Exits) {
        self.end = self.end.or(other.end);
        for via in other.joins.into_iter().flatten() {
            let join = |via: &EdgeId| flow.edge(*via).target;
            if self.joins.iter().flatten().all(|own| join(own) != join(&via))
                && let Some(free) = self.joins.iter_mut().find(|own| own.is_none())
            {
                *free = Some(via);
            }
        }
    }

    /// What is wrong with them on a path.
    fn fault(&self, flow: &Flow<'_>, walk: &Walk, path: Option<EdgeId>) -> Option<Fault> {
        if let (Some(via), Some(path)) = (self.end, path) {
            return Some(Fault::EndInside { fork: path.from, end: flow.edge(via).target?, via });
        }
        self.joins.into_iter().flatten().find_map(|via| {
            let join = flow.edge(via).target?;
            let fork = walk.fork_of[join.index()]?;
            match path {
                None => Some(Fault::NoFork { join, via, fork: Some(fork) }),
                Some(path) if path.from == fork => None,
                Some(path) => Some(Fault::ManyForks { join, first: (fork, via), second: (path.from, via) }),
            }
        })
    }
}

/// The exits of every node that start reaches.
fn exits(flow: &Flow<'_>, reachable: &[bool], walk: &Walk) -> Vec<Exits> {
    let mut join_of = vec![None; flow.len()];
    for join in flow.ids() {
        if let Some(fork) = walk.fork_of[join.index()] {
            join_of[fork.index()] = Some(join);
        }
    }
    let mut exits = vec![Exits::default(); flow.len()];
    for node in finished_first(flow).into_iter().filter(|node| reachable[node.index()]) {
        let mut own = Exits::default();
        // What a fork starts ends at its join.
        let from = if flow.kind(node) == Kind::Fork { join_of[node.index()] } else { Some(node) };
        for (via, edge) in from.into_iter().flat_map(|from| flow.edges(from)) {
            let Some(target) = edge.target else { continue };
            own.add(
                flow,
                match flow.kind(target) {
                    Kind::Join => Exits { joins: [Some(via), None], end: None },
                    Kind::End => Exits { joins: [None, None], end: Some(via) },
                    _ => exits[target.index()],
                },
            );
        }
        exits[node.index()] = own;
    }
    exits
}
