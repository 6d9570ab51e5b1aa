//! Forks and their joins: the walk of `LiteWorkflowValidator.validateForkJoin`, gone on with after each fault.
//!
//! The walk goes over the nodes in depth and keeps for each step the fork it is inside, the eldest decision above it
//! and whether only `ok` transitions led here. A node is walked on from once; joins and ends are judged at every
//! arrival; what comes after a join is walked when its fork is done, as if it came after the fork. Up to the first
//! fault this is, step for step, what the server does, so the first fault is the server's. After a fault the walk
//! goes on; faults that only follow from a broken fork on the way are dropped again.

use std::collections::BTreeSet;
use std::num::NonZeroU32;

use super::graph::{EdgeId, Flow, Kind, NodeId, Role};
use super::server::Counts;
use super::sift::sift;

/// A fault of fork and join.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// No path of the fork reaches a join.
    NoJoin {
        /// The fork.
        fork: NodeId,
        /// The transition by which the first of its paths comes to an end.
        leaf: Option<EdgeId>,
    },
    /// Paths of one fork end in different joins.
    ManyJoins {
        /// The fork.
        fork: NodeId,
        /// The transition into the first join.
        first: EdgeId,
        /// The transition into another one.
        second: EdgeId,
    },
    /// Paths of different forks end in one join.
    ManyForks {
        /// The join.
        join: NodeId,
        /// The fork that reached it first, and the transition.
        first: (NodeId, EdgeId),
        /// Another fork, and the transition.
        second: (NodeId, EdgeId),
    },
    /// A join is reached outside any fork.
    NoFork {
        /// The join.
        join: NodeId,
        /// The transition into it.
        via: EdgeId,
        /// The fork whose paths it joins otherwise.
        fork: Option<NodeId>,
    },
    /// An end node is reached inside a fork.
    EndInside {
        /// The innermost fork.
        fork: NodeId,
        /// The end node.
        end: NodeId,
        /// The transition into it.
        via: EdgeId,
    },
    /// Two paths that run at the same time lead to one node.
    Concurrent {
        /// The node.
        node: NodeId,
        /// Where the paths part.
        fork: NodeId,
        /// The transition by which the first arrives.
        first: EdgeId,
        /// The transition by which the second arrives.
        second: EdgeId,
    },
    /// A fork names one node twice.
    SameTarget {
        /// The fork.
        fork: NodeId,
        /// The first path.
        first: EdgeId,
        /// The second.
        second: EdgeId,
    },
}

impl Fault {
    /// The node at which it shows.
    pub fn node(&self) -> NodeId {
        match self {
            Fault::NoJoin { fork, .. } | Fault::ManyJoins { fork, .. } | Fault::SameTarget { fork, .. } => {
                *fork
            }
            Fault::EndInside { end, .. } => *end,
            Fault::NoFork { join, .. } | Fault::ManyForks { join, .. } => *join,
            Fault::Concurrent { node, .. } => *node,
        }
    }
}

/// Who sees a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sight {
    /// The server, at submission.
    Server,
    /// Nobody: it lies in a part that start does not reach.
    Unreached,
    /// Nobody: it comes up when the workflow runs.
    Hidden {
        /// A transition that leads to it.
        entry: EdgeId,
        /// An action has to fail first.
        needs_failure: bool,
    },
}

/// A fault, and who sees it.
#[derive(Clone, Debug)]
pub struct Found {
    /// The fault.
    pub fault: Fault,
    /// Who sees it.
    pub sight: Sight,
    /// It comes up in no execution, and no other fault does there.
    pub is_harmless: bool,
    /// The transitions of two paths that show it in an execution, each from where they part.
    pub ways: Option<[Vec<EdgeId>; 2]>,
}

impl Found {
    /// True when start leads to it, whether the server looks there or not.
    pub fn is_reached(&self) -> bool {
        self.sight != Sight::Unreached
    }
}

/// What the walk found.
#[derive(Clone, Debug)]
pub struct Walk {
    /// In the order of the walk.
    pub faults: Vec<Found>,
    /// For each node the transition by which the walk first came to it.
    pub came_by: Vec<Option<EdgeId>>,
    /// For each join its fork.
    pub fork_of: Vec<Option<NodeId>>,
    /// For each node the path of the innermost fork on which the walk first came to it.
    pub path_of: Vec<Option<EdgeId>>,
    /// The forks in the order of the walk: outer ones before inner ones.
    pub forks: Vec<NodeId>,
}

/// Walks the whole workflow.
pub fn walk(flow: &Flow<'_>, reachable: &[bool], back: &[bool]) -> Walk {
    let mut walker = Walker::new(flow, reachable, back);
    if let Some(start) = flow.start() {
        walker.run(start);
    }
    walker.reached = false;
    let mut entered_by_any = vec![false; flow.len()];
    for (_, edge) in flow.ids().flat_map(|id| flow.edges(id)) {
        if let Some(target) = edge.target {
            entered_by_any[target.index()] = true;
        }
    }
    for root in flow.ids().filter(|id| !entered_by_any[id.index()] && Some(*id) != flow.start()) {
        if !matches!(flow.kind(root), Kind::Join | Kind::End | Kind::Kill) {
            walker.run(root);
        }
    }
    walker.finish()
}

/// What a step of the walk knows about the way to it.
#[derive(Clone, Copy)]
struct Way {
    /// The path of the innermost fork.
    path: Option<EdgeId>,
    decision: Option<NodeId>,
    ok: bool,
    /// The last join on the way since the fork.
    link: Option<LinkId>,
}

impl Way {
    fn fork(self) -> Option<NodeId> {
        self.path.map(|path| path.from)
    }
}

/// A node being walked on from.
struct Frame {
    node: NodeId,
    way: Way,
    next: EdgeId,
    /// Of a fork whose paths are done: its joins that are still to be gone on from, by a transition into the next.
    after: Option<Option<EdgeId>>,
}

/// A [`Link`], counted from 1.
pub(super) type LinkId = NonZeroU32;

/// The step from a fork past one of its joins.
pub(super) struct Link {
    pub(super) fork: NodeId,
    pub(super) join: NodeId,
    /// The fork around.
    pub(super) outer: Option<NodeId>,
    /// The same step before, within the same fork around.
    pub(super) before: Option<LinkId>,
}

/// A fault with the last joins on the ways to it.
pub(super) struct Report {
    pub(super) found: Found,
    pub(super) link: Option<LinkId>,
    /// Of two paths that meet: that of the other.
    pub(super) other: Option<LinkId>,
}

/// The first arrival on `ok` transitions alone.
#[derive(Clone, Copy)]
struct Arrival {
    via: EdgeId,
    decision: Option<NodeId>,
    link: Option<LinkId>,
}

struct Walker<'a> {
    flow: &'a Flow<'a>,
    reachable: &'a [bool],
    back: &'a [bool],
    stack: Vec<Frame>,
    reached: bool,
    visited: Vec<bool>,
    came_by: Vec<Option<EdgeId>>,
    path_of: Vec<Option<EdgeId>>,
    forks: Vec<NodeId>,
    /// When the walk first came to a node.
    entered: Vec<u32>,
    clock: u32,
    first_ok: Vec<Option<Arrival>>,
    /// Of a join: its fork and the first transition into it.
    owner: Vec<Option<(NodeId, EdgeId)>>,
    /// Of a fork: the transitions into its first and its last join.
    joins: Vec<Option<(EdgeId, EdgeId)>>,
    /// Of a join: the transition into the next join of the same fork.
    next_join: Vec<Option<EdgeId>>,
    /// Of a join: what comes after it was walked.
    continued: Vec<bool>,
    /// Of a join: several forks reach it.
    contested: Vec<bool>,
    /// Of a fork: something on its paths keeps us from saying that it has no join.
    hole: Vec<bool>,
    /// Of a fork: it has several joins.
    split: Vec<bool>,
    leaf: Vec<Option<EdgeId>>,
    links: Vec<Link>,
    outside: Vec<bool>,
    concurrent: Vec<bool>,
    refused: BTreeSet<(NodeId, NodeId)>,
    reports: Vec<Report>,
}

impl<'a> Walker<'a> {
    fn new(flow: &'a Flow<'a>, reachable: &'a [bool], back: &'a [bool]) -> Walker<'a> {
        let count = flow.len();
        Walker {
            flow,
            reachable,
            back,
            stack: Vec::new(),
            reached: true,
            visited: vec![false; count],
            came_by: vec![None; count],
            path_of: vec![None; count],
            forks: Vec::new(),
            entered: vec![u32::MAX; count],
            clock: 0,
            first_ok: vec![None; count],
            owner: vec![None; count],
            joins: vec![None; count],
            next_join: vec![None; count],
            continued: vec![false; count],
            contested: vec![false; count],
            hole: vec![false; count],
            split: vec![false; count],
            leaf: vec![None; count],
            links: Vec::new(),
            outside: vec![false; count],
            concurrent: vec![false; count],
            refused: BTreeSet::new(),
            reports: Vec::new(),
        }
    }

    fn run(&mut self, root: NodeId) {
        self.visited[root.index()] = true;
        self.stamp(root);
        let way = Way { path: None, decision: None, ok: true, link: None };
        self.push(root, way);
        while let Some(top) = self.stack.last_mut() {
            let (node, way) = (top.node, top.way);
            if let Some(after) = &mut top.after {
                match *after {
                    Some(via) => {
                        let join = self.flow.edge(via).target.expect("a join was reached by it");
                        *after = self.next_join[join.index()];
                        self.follow_join(join, node, way);
                    }
                    None => drop(self.stack.pop()),
                }
                continue;
            }
            let edge = top.next;
            if self.flow.get(edge).is_some() {
                top.next.index += 1;
                self.follow(edge, way);
            } else if self.flow.kind(node) == Kind::Fork {
                let after = self.finish_fork(node, way);
                self.stack.last_mut().expect("the fork is on the stack").after = Some(after);
            } else {
                self.stack.pop();
            }
        }
    }

    fn push(&mut self, node: NodeId, way: Way) {
        if self.flow.kind(node) == Kind::Fork {
            self.forks.push(node);
            self.check_targets(node, way);
        }
        self.stack.push(Frame { node, way, next: EdgeId::first(node), after: None });
    }

    fn stamp(&mut self, node: NodeId) {
        self.entered[node.index()] = self.clock;
        self.clock += 1;
    }

    fn report(&mut self, fault: Fault, way: Way) {
        self.report_meeting(fault, way, None);
    }

    fn report_meeting(&mut self, fault: Fault, way: Way, other: Option<LinkId>) {
        let sight = if self.reached { Sight::Server } else { Sight::Unreached };
        let found = Found { fault, sight, is_harmless: false, ways: None };
        self.reports.push(Report { found, link: way.link, other });
    }

    /// `checkForkTransitions`: each node once, but for joins and kills.
    fn check_targets(&mut self, fork: NodeId, way: Way) {
        for (first, second) in repeated_targets(self.flow, fork) {
            self.report(Fault::SameTarget { fork, first, second }, way);
        }
    }

    /// Follows a transition of the node on top of the stack.
    fn follow(&mut self, via: EdgeId, way: Way) {
        let edge = self.flow.edge(via);
        let inside = match self.flow.kind(via.from) {
            Kind::Fork => Way { path: Some(via), link: None, ..way },
            Kind::Decision => Way { decision: way.decision.or(Some(via.from)), ..way },
            _ => Way { ok: way.ok && edge.role != Role::Error, ..way },
        };
        if self.flow.kind(via.from) == Kind::Fork && self.is_repeated(via) {
            return;
        }
        self.step(via, inside);
    }

    /// True when an earlier path of the fork goes to the same node, and that is a fault of its own.
    fn is_repeated(&self, via: EdgeId) -> bool {
        let Some(target) = self.flow.edge(via).target else { return false };
        let judged = matches!(self.flow.kind(target), Kind::Join | Kind::Kill);
        // The walk came to the target first by an earlier path, or not by this fork at all.
        !judged && self.came_by[target.index()].is_some_and(|by| by.from == via.from)
    }

    /// Goes on after a join whose fork is done, unless that was done before.
    fn follow_join(&mut self, join: NodeId, fork: NodeId, way: Way) {
        let via = EdgeId::first(join);
        if std::mem::replace(&mut self.continued[join.index()], true) || self.flow.get(via).is_none() {
            return;
        }
        self.links.push(Link { fork, join, outer: way.fork(), before: way.link });
        let link = u32::try_from(self.links.len()).ok().and_then(LinkId::new);
        self.step(via, Way { link, ..way });
    }

    fn step(&mut self, via: EdgeId, way: Way) {
        let target = self.flow.edge(via).target;
        let target = target.filter(|_| !self.back[self.flow.position(via)]);
        match target {
            Some(target) if self.reached || !self.reachable[target.index()] => self.arrive(target, via, way),
            _ => {
                if let Some(fork) = way.fork() {
                    self.hole[fork.index()] = true;
                }
            }
        }
    }

    fn arrive(&mut self, node: NodeId, via: EdgeId, way: Way) {
        let kind = self.flow.kind(node);
        if way.ok && !matches!(kind, Kind::Join | Kind::End | Kind::Kill) {
            self.check_single_path(node, via, way);
        }
        match kind {
            Kind::Join | Kind::End => {}
            _ if self.visited[node.index()] => return,
            _ => self.visited[node.index()] = true,
        }
        if self.came_by[node.index()].is_none() {
            self.came_by[node.index()] = Some(via);
            self.path_of[node.index()] = way.path;
            self.stamp(node);
        }
        match kind {
            Kind::Join => self.arrive_at_join(node, via, way),
            Kind::End | Kind::Kill => {
                let Some(fork) = way.fork() else { return };
                self.leaf[fork.index()].get_or_insert(via);
                if kind == Kind::End {
                    self.report(Fault::EndInside { fork, end: node, via }, way);
                }
            }
            _ => self.push(node, way),
        }
    }

    /// At most one way of `ok` transitions leads to a node, unless all begin at one decision.
    fn check_single_path(&mut self, node: NodeId, via: EdgeId, way: Way) {
        // Nothing parts this from what was walked from another root, of a part that start does not reach.
        let first =
            self.first_ok[node.index()].and_then(|first| Some((first, self.parting(first.via.from)?)));
        let Some((first, fork)) = first else {
            self.first_ok[node.index()] = Some(Arrival { via, decision: way.decision, link: way.link });
            return;
        };
        let exclusive = first.decision.is_some() && first.decision == way.decision;
        if !exclusive && !std::mem::replace(&mut self.concurrent[node.index()], true) {
            let fault = Fault::Concurrent { node, fork, first: first.via, second: via };
            self.report_meeting(fault, way, first.link);
        }
    }

    /// The deepest node on the way to here that also lies on the way to `other`; `None` when that was walked from
    /// another root.
    ///
    /// A node still on the stack was entered before everything that was reached through it.
    fn parting(&self, other: NodeId) -> Option<NodeId> {
        let time = self.entered[other.index()];
        let above = self.stack.partition_point(|frame| self.entered[frame.node.index()] <= time);
        Some(self.stack[above.checked_sub(1)?].node)
    }

    fn arrive_at_join(&mut self, join: NodeId, via: EdgeId, way: Way) {
        let Some(fork) = way.fork() else {
            if std::mem::replace(&mut self.outside[join.index()], true) {
                return;
            }
            // A part that start does not reach may begin in the middle of a fork's path.
            if self.reached {
                self.report(Fault::NoFork { join, via, fork: None }, way);
            }
            if !std::mem::replace(&mut self.continued[join.index()], true) {
                self.stamp(join);
                self.push(join, way);
            }
            return;
        };
        match self.owner[join.index()] {
            None => {
                self.owner[join.index()] = Some((fork, via));
                let joins = &mut self.joins[fork.index()];
                if let Some((_, last)) = *joins {
                    let last = self.flow.edge(last).target.expect("a join was reached by it");
                    self.next_join[last.index()] = Some(via);
                }
                *joins = Some((joins.map_or(via, |(first, _)| first), via));
            }
            Some((owner, _)) if owner == fork => {}
            Some(first) => {
                self.contested[join.index()] = true;
                self.hole[fork.index()] = true;
                if self.refused.insert((join, fork)) {
                    self.report(Fault::ManyForks { join, first, second: (fork, via) }, way);
                }
            }
        }
    }

    /// `checkJoins`, after all paths of a fork were walked; gives the transition into the first join to go on from.
    fn finish_fork(&mut self, fork: NodeId, way: Way) -> Option<EdgeId> {
        let joins = self.joins[fork.index()];
        match joins {
            None => {
                if !self.hole[fork.index()] {
                    let leaf = self.leaf[fork.index()];
                    self.report(Fault::NoJoin { fork, leaf }, way);
                }
                if let Some(outer) = way.fork() {
                    self.hole[outer.index()] = true;
                }
            }
            Some((first, last)) if first != last => {
                self.split[fork.index()] = true;
                self.report(Fault::ManyJoins { fork, first, second: last }, way);
            }
            Some(_) => {}
        }
        joins.map(|(first, _)| first)
    }

    fn finish(self) -> Walk {
        let fork_of: Vec<_> = self.owner.iter().map(|owner| owner.map(|(fork, _)| fork)).collect();
        let counts = Counts::of(self.flow, self.reachable);
        let in_pair = counts.forks == counts.joins;
        let mut faults = sift(self.reports, &self.links, &fork_of, &self.split, &self.contested, in_pair);
        for found in &mut faults {
            if let Fault::NoFork { join, fork, .. } = &mut found.fault {
                *fork = fork_of[join.index()];
            }
        }
        Walk { faults, came_by: self.came_by, fork_of, path_of: self.path_of, forks: self.forks }
    }
}

/// Paths of a fork that name a node an earlier path names, but for joins and kills: once for each such node.
pub fn repeated_targets(flow: &Flow<'_>, fork: NodeId) -> Vec<(EdgeId, EdgeId)> {
    if let [first, second] = flow.out(fork)
        && first.target != second.target
    {
        return Vec::new();
    }
    let judged = |target: &NodeId| !matches!(flow.kind(*target), Kind::Join | Kind::Kill);
    let targets = flow.edges(fork).filter_map(|(id, edge)| Some((edge.target.filter(judged)?, id)));
    let mut by_target: Vec<(NodeId, EdgeId)> = targets.collect();
    by_target.sort();
    let mut repeated: Vec<_> = by_target
        .chunk_by(|a, b| a.0 == b.0)
        .filter_map(|same| Some((same.first()?.1, same.get(1)?.1)))
        .collect();
    repeated.sort();
    repeated
}

#[cfg(test)]
#[path = "forkjoin_tests.rs"]
mod tests;
