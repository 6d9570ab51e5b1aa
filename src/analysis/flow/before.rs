//! Which nodes have surely come to their end when another one starts.
//!
//! A node is before another when every path leads through it; and a join waits for all paths of its fork, so what lies
//! on every way along one of them is before what follows the join. For workflows without loops whose forks and joins
//! fit: others have no such order.
//!
//! Dominators of a graph without loops: in an order in which each node comes after all that lead to it, the immediate
//! dominator of a node is the nearest common ancestor of its predecessors in the tree of dominators. That is found in a
//! logarithmic number of steps, so that the whole is all but linear.

use super::forkjoin::Walk;
use super::graph::{EdgeId, Flow, Kind, NodeId};
use super::order::finished_first;
use super::tree::{ROOT, Tree};

/// Forks around a node that a question climbs; deeper ones are taken to be before.
const MAX_CLIMB: usize = 1_000;

/// The order of the nodes of one workflow.
#[derive(Debug)]
pub struct Before<'f> {
    flow: &'f Flow<'f>,
    walk: &'f Walk,
    dominators: Tree,
    /// The places in the tree of the nodes, then, for each path of a fork, of its arrival at the join.
    places: Vec<Option<u32>>,
    join_of: Vec<Option<NodeId>>,
    entries: Entries,
    /// The nodes that start reaches, each after all that lead to it.
    order: Vec<NodeId>,
    /// Some node is reached both inside a fork and outside of it, or from two forks: the tree then knows too little.
    is_mixed: bool,
}

impl<'f> Before<'f> {
    /// Works it out.
    pub fn of(flow: &'f Flow<'f>, walk: &'f Walk, reachable: &[bool]) -> Before<'f> {
        let mut join_of = vec![None; flow.len()];
        for join in flow.ids() {
            if let Some(fork) = walk.fork_of[join.index()] {
                join_of[fork.index()] = Some(join);
            }
        }
        let places = vec![None; flow.len() + flow.edge_count()];
        let mut order = finished_first(flow);
        order.retain(|node| reachable[node.index()]);
        order.reverse();
        let entries = Entries::of(flow, reachable);
        let dominators = Tree::new();
        let mut before = Before { flow, walk, dominators, places, join_of, entries, order, is_mixed: false };
        let Some(start) = flow.start() else { return before };
        before.places[start.index()] = Some(ROOT);
        for index in 0..before.order.len() {
            let node = before.order[index];
            if node != start {
                let entries = before.entries.of_node(node).to_vec();
                before.place(node, &entries);
            }
        }
        before
    }

    fn place(&mut self, node: NodeId, entries: &[EdgeId]) {
        if self.flow.kind(node) != Kind::Join {
            let mut paths = entries.iter().map(|edge| path_after(self.flow, self.walk, *edge));
            let first = paths.next().flatten();
            self.is_mixed |= paths.any(|path| path != first);
            self.hang(node.index(), entries.iter().map(|edge| edge.from.index()));
            return;
        }
        let mut arrivals: Vec<(usize, usize)> = entries
            .iter()
            .filter_map(|edge| {
                let path = path_after(self.flow, self.walk, *edge)?;
                Some((self.flow.len() + self.flow.position(path), edge.from.index()))
            })
            .collect();
        arrivals.sort_unstable();
        for same in arrivals.chunk_by(|a, b| a.0 == b.0) {
            self.hang(same[0].0, same.iter().map(|arrival| arrival.1));
        }
        self.hang(node.index(), arrivals.iter().map(|arrival| arrival.0));
    }

    /// Puts a place below the nearest that all of its predecessors lie below.
    fn hang(&mut self, place: usize, after: impl Iterator<Item = usize>) {
        let parent = after.filter_map(|from| self.places[from]).reduce(|a, b| self.dominators.common(a, b));
        self.places[place] = parent.map(|parent| self.dominators.grow(parent));
    }

    fn dominates(&self, first: usize, second: usize) -> bool {
        self.places[first].zip(self.places[second]).is_some_and(|(a, b)| self.dominators.holds(a, b))
    }

    /// True when `first` has come to its end whenever `second` starts.
    pub fn is_before(&self, first: NodeId, second: NodeId) -> bool {
        let is_known = self.follows_from_tree(first, second);
        is_known || self.is_mixed && first != second && !self.can_skip(first, second)
    }

    /// True when an execution starts `second` that never starts `first`: without it, a node can still start when one that
    /// leads to it can, and a join when all paths of its fork can come to it.
    fn can_skip(&self, first: NodeId, second: NodeId) -> bool {
        let mut starts = vec![false; self.flow.len()];
        for node in self.order.iter().copied().filter(|node| *node != first) {
            let entries = self.entries.of_node(node).iter().filter(|edge| starts[edge.from.index()]);
            starts[node.index()] = match self.walk.fork_of[node.index()] {
                _ if Some(node) == self.flow.start() => true,
                Some(fork) => {
                    let mut paths: Vec<_> =
                        entries.map(|edge| path_after(self.flow, self.walk, *edge)).collect();
                    paths.sort_unstable();
                    paths.dedup();
                    paths.len() == self.flow.out(fork).len()
                }
                None => entries.count() > 0,
            };
        }
        starts[second.index()]
    }

    fn follows_from_tree(&self, first: NodeId, second: NodeId) -> bool {
        if first == second || self.places[first.index()].is_none() {
            return false;
        }
        let (mut at, mut path) = (first, self.walk.path_of[first.index()]);
        if self.flow.kind(first) == Kind::Join {
            path = self.outer(first);
        }
        for _ in 0..MAX_CLIMB {
            if self.dominates(at.index(), second.index()) {
                return true;
            }
            let Some(on) = path else { return false };
            let Some(join) = self.join_of[on.from.index()] else { return true };
            let arrival = self.flow.len() + self.flow.position(on);
            // Of a path that never arrives nothing is before: its join never goes on.
            if !self.dominates(at.index(), arrival) {
                return false;
            }
            (at, path) = (join, self.outer(join));
        }
        true
    }

    /// The path around the fork of a join.
    fn outer(&self, join: NodeId) -> Option<EdgeId> {
        self.walk.fork_of[join.index()].and_then(|fork| self.walk.path_of[fork.index()])
    }

    /// The fork of which two nodes lie on different paths, so that they can run at the same time.
    pub fn parting(&self, first: NodeId, second: NodeId) -> Option<NodeId> {
        let around = |node: NodeId| {
            let own = if self.flow.kind(node) == Kind::Join {
                self.outer(node)
            } else {
                self.walk.path_of[node.index()]
            };
            std::iter::successors(own, |path| self.walk.path_of[path.from.index()]).take(MAX_CLIMB)
        };
        let paths: std::collections::BTreeMap<NodeId, EdgeId> =
            around(first).map(|path| (path.from, path)).collect();
        around(second).find_map(|path| {
            let other = paths.get(&path.from)?;
            Some((*other != path).then_some(path.from))
        })?
    }
}

/// The path on which a node runs that a transition leads to.
pub(super) fn path_after(flow: &Flow<'_>, walk: &Walk, edge: EdgeId) -> Option<EdgeId> {
    match flow.kind(edge.from) {
        Kind::Fork => Some(edge),
        Kind::Join => walk.fork_of[edge.from.index()].and_then(|fork| walk.path_of[fork.index()]),
        _ => walk.path_of[edge.from.index()],
    }
}

/// The transitions into each node.
#[derive(Debug)]
pub(super) struct Entries {
    edges: Vec<EdgeId>,
    begins: Vec<usize>,
}

impl Entries {
    /// Those of nodes that start reaches.
    pub(super) fn of(flow: &Flow<'_>, reachable: &[bool]) -> Entries {
        let known = || {
            let reached = flow.ids().filter(|id| reachable[id.index()]);
            reached.flat_map(|from| flow.edges(from).filter_map(|(id, edge)| Some((id, edge.target?))))
        };
        let mut begins = vec![0_usize; flow.len() + 1];
        known().for_each(|(_, target)| begins[target.index() + 1] += 1);
        for index in 0..flow.len() {
            begins[index + 1] += begins[index];
        }
        let mut edges = vec![EdgeId::first(NodeId::new(0)); begins[flow.len()]];
        let mut next = begins.clone();
        for (id, target) in known() {
            edges[next[target.index()]] = id;
            next[target.index()] += 1;
        }
        Entries { edges, begins }
    }

    /// Those into one node.
    pub(super) fn of_node(&self, node: NodeId) -> &[EdgeId] {
        &self.edges[self.begins[node.index()]..self.begins[node.index() + 1]]
    }
}

#[cfg(test)]
#[path = "before_tests.rs"]
mod tests;
