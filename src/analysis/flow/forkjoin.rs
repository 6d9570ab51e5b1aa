//! Forks and their joins: the walk of `LiteWorkflowValidator.validateForkJoin`, gone on with after each fault.
//!
//! The walk goes over the nodes in depth and keeps for each step the fork it is inside, the eldest decision above it
//! and whether only `ok` transitions led here. A node is walked on from once; joins and ends are judged at every
//! arrival; what comes after a join is walked when its fork is done, as if it came after the fork. Up to the first
//! fault this is, step for step, what the server does, so the first fault is the server's. After a fault the walk
//! goes on; faults that only follow from a broken fork on the way are dropped again.

use std::collections::BTreeSet;

use super::graph::{EdgeId, Flow, Kind, NodeId, Role};
use super::order::{back_edges, reachable};
use super::server::Counts;

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

/// A fault, and whether start leads to it.
#[derive(Clone, Debug)]
pub struct Found {
    /// The fault.
    pub fault: Fault,
    /// False in a part that the server never looks at.
    pub reached: bool,
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
}

/// Walks the whole workflow.
pub fn walk(flow: &Flow) -> Walk {
    let mut walker = Walker::new(flow);
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
    fork: Option<NodeId>,
    decision: Option<NodeId>,
    ok: bool,
    link: Option<usize>,
}

/// A node being walked on from.
struct Frame {
    node: NodeId,
    way: Way,
    next: usize,
    /// Of a fork that is done: the transitions of its joins.
    after: Option<Vec<EdgeId>>,
}

/// The step from a fork past one of its joins.
struct Link {
    fork: NodeId,
    join: NodeId,
    before: Option<usize>,
}

/// The first arrival on `ok` transitions alone.
#[derive(Clone, Copy)]
struct Arrival {
    via: EdgeId,
    decision: Option<NodeId>,
    link: Option<usize>,
}

struct Walker<'a> {
    flow: &'a Flow,
    reachable: Vec<bool>,
    back: Vec<Vec<bool>>,
    stack: Vec<Frame>,
    reached: bool,
    visited: Vec<bool>,
    came_by: Vec<Option<EdgeId>>,
    /// When the walk first came to a node.
    entered: Vec<usize>,
    clock: usize,
    first_ok: Vec<Option<Arrival>>,
    /// Of a join: its fork and the first transition into it.
    owner: Vec<Option<(NodeId, EdgeId)>>,
    /// Of a fork: the transitions into its joins, one for each join.
    joins: Vec<Vec<EdgeId>>,
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
    faults: Vec<(Found, [Option<usize>; 2])>,
}

impl<'a> Walker<'a> {
    fn new(flow: &'a Flow) -> Walker<'a> {
        let count = flow.len();
        Walker {
            flow,
            reachable: reachable(flow),
            back: back_edges(flow),
            stack: Vec::new(),
            reached: true,
            visited: vec![false; count],
            came_by: vec![None; count],
            entered: vec![usize::MAX; count],
            clock: 0,
            first_ok: vec![None; count],
            owner: vec![None; count],
            joins: vec![Vec::new(); count],
            continued: vec![false; count],
            contested: vec![false; count],
            hole: vec![false; count],
            split: vec![false; count],
            leaf: vec![None; count],
            links: Vec::new(),
            outside: vec![false; count],
            concurrent: vec![false; count],
            refused: BTreeSet::new(),
            faults: Vec::new(),
        }
    }

    fn run(&mut self, root: NodeId) {
        self.visited[root.index()] = true;
        self.stamp(root);
        let way = Way { fork: None, decision: None, ok: true, link: None };
        self.push(root, way);
        while let Some(top) = self.stack.last_mut() {
            let (node, way) = (top.node, top.way);
            if let Some(after) = &mut top.after {
                match after.pop() {
                    Some(edge) => self.follow_join(edge, node, way),
                    None => drop(self.stack.pop()),
                }
                continue;
            }
            let edge = EdgeId { from: node, index: top.next };
            if edge.index < self.flow.node(node).out.len() {
                top.next += 1;
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
            self.check_targets(node, way);
        }
        self.stack.push(Frame { node, way, next: 0, after: None });
    }

    fn stamp(&mut self, node: NodeId) {
        self.entered[node.index()] = self.clock;
        self.clock += 1;
    }

    fn report(&mut self, fault: Fault, links: [Option<usize>; 2]) {
        self.faults.push((Found { fault, reached: self.reached }, links));
    }

    /// `checkForkTransitions`: each node once, but for joins and kills.
    fn check_targets(&mut self, fork: NodeId, way: Way) {
        for (first, second) in repeated_targets(self.flow, fork) {
            self.report(Fault::SameTarget { fork, first, second }, [way.link, None]);
        }
    }

    /// Follows a transition of the node on top of the stack.
    fn follow(&mut self, via: EdgeId, way: Way) {
        let edge = self.flow.edge(via);
        let inside = match self.flow.kind(via.from) {
            Kind::Fork => Way { fork: Some(via.from), ..way },
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
        !judged && self.came_by[target.index()].is_some_and(|by| by.from == via.from && by.index < via.index)
    }

    /// Follows the transition of a join after its fork is done.
    fn follow_join(&mut self, via: EdgeId, fork: NodeId, way: Way) {
        self.links.push(Link { fork, join: via.from, before: way.link });
        let link = Some(self.links.len() - 1);
        self.step(via, Way { link, ..way });
    }

    fn step(&mut self, via: EdgeId, way: Way) {
        let target = self.flow.edge(via).target;
        let target = target.filter(|_| !self.back[via.from.index()][via.index]);
        match target {
            Some(target) if self.reached || !self.reachable[target.index()] => self.arrive(target, via, way),
            _ => {
                if let Some(fork) = way.fork {
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
            self.stamp(node);
        }
        match kind {
            Kind::Join => self.arrive_at_join(node, via, way),
            Kind::End | Kind::Kill => {
                let Some(fork) = way.fork else { return };
                self.leaf[fork.index()].get_or_insert(via);
                if kind == Kind::End {
                    self.report(Fault::EndInside { fork, end: node, via }, [way.link, None]);
                }
            }
            _ => self.push(node, way),
        }
    }

    /// At most one way of `ok` transitions leads to a node, unless all begin at one decision.
    fn check_single_path(&mut self, node: NodeId, via: EdgeId, way: Way) {
        let Some(first) = self.first_ok[node.index()] else {
            self.first_ok[node.index()] = Some(Arrival { via, decision: way.decision, link: way.link });
            return;
        };
        let exclusive = first.decision.is_some() && first.decision == way.decision;
        if !exclusive && !std::mem::replace(&mut self.concurrent[node.index()], true) {
            let fork = self.parting(first.via.from);
            let fault = Fault::Concurrent { node, fork, first: first.via, second: via };
            self.report(fault, [way.link, first.link]);
        }
    }

    /// The deepest node on the way to here that also lies on the way to `other`.
    ///
    /// A node still on the stack was entered before everything that was reached through it.
    fn parting(&self, other: NodeId) -> NodeId {
        let time = self.entered[other.index()];
        let above = self.stack.partition_point(|frame| self.entered[frame.node.index()] <= time);
        self.stack[above.saturating_sub(1)].node
    }

    fn arrive_at_join(&mut self, join: NodeId, via: EdgeId, way: Way) {
        let Some(fork) = way.fork else {
            if std::mem::replace(&mut self.outside[join.index()], true) {
                return;
            }
            // A part that start does not reach may begin in the middle of a fork's path.
            if self.reached {
                self.report(Fault::NoFork { join, via, fork: None }, [way.link, None]);
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
                self.joins[fork.index()].push(via);
            }
            Some((owner, _)) if owner == fork => {}
            Some(first) => {
                self.contested[join.index()] = true;
                self.hole[fork.index()] = true;
                if self.refused.insert((join, fork)) {
                    self.report(Fault::ManyForks { join, first, second: (fork, via) }, [way.link, None]);
                }
            }
        }
    }

    /// `checkJoins`, after all paths of a fork were walked; gives the transitions to go on with, last first.
    fn finish_fork(&mut self, fork: NodeId, way: Way) -> Vec<EdgeId> {
        let joins = std::mem::take(&mut self.joins[fork.index()]);
        match joins[..] {
            [] => {
                if !self.hole[fork.index()] {
                    let leaf = self.leaf[fork.index()];
                    self.report(Fault::NoJoin { fork, leaf }, [way.link, None]);
                }
                if let Some(outer) = way.fork {
                    self.hole[outer.index()] = true;
                }
            }
            [_] => {}
            [first, second, ..] => {
                self.split[fork.index()] = true;
                self.report(Fault::ManyJoins { fork, first, second }, [way.link, None]);
            }
        }
        let mut after = Vec::with_capacity(joins.len());
        for join in joins.iter().filter_map(|via| self.flow.edge(*via).target) {
            if !std::mem::replace(&mut self.continued[join.index()], true) {
                after.extend(self.flow.edges(join).map(|(edge, _)| edge));
            }
        }
        after.reverse();
        after
    }

    /// Drops the faults that only follow from others.
    ///
    /// Where forks and joins are equal in number the first fault is what the server says, so it stays; else the
    /// server says E0730, for which any one stands.
    fn finish(self) -> Walk {
        let counts = Counts::of(self.flow, &self.reachable);
        let mut broken: Vec<bool> = Vec::with_capacity(self.links.len());
        for link in &self.links {
            let before = link.before.is_some_and(|before| broken[before]);
            broken.push(before || self.split[link.fork.index()] || self.contested[link.join.index()]);
        }
        let follows = |links: &[Option<usize>; 2]| links.iter().flatten().any(|link| broken[*link]);
        let all_follow =
            self.faults.iter().filter(|(found, _)| found.reached).all(|(_, links)| follows(links));
        let first_stays = counts.forks == counts.joins || all_follow;
        let all = self.faults.into_iter().enumerate();
        let kept = all.filter(|(index, (_, links))| *index == 0 && first_stays || !follows(links));
        let mut faults: Vec<Found> = kept.map(|(_, (found, _))| found).collect();
        let fork_of: Vec<_> = self.owner.iter().map(|owner| owner.map(|(fork, _)| fork)).collect();
        for found in &mut faults {
            if let Fault::NoFork { join, fork, .. } = &mut found.fault {
                *fork = fork_of[join.index()];
            }
        }
        Walk { faults, came_by: self.came_by, fork_of }
    }
}

/// Paths of a fork that name a node an earlier path names, but for joins and kills: once for each such node.
pub fn repeated_targets(flow: &Flow, fork: NodeId) -> Vec<(EdgeId, EdgeId)> {
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
