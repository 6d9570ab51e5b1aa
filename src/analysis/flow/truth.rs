//! What goes wrong when a workflow runs, whatever a server says of it: the faults that some execution has.
//!
//! An execution is an outcome of every decision and action. Paths of a fork run at the same time; a join waits for all
//! paths of the fork that the arriving path belongs to; a kill node ends its own path, and excuses joins that wait.
//! This goes over the nodes in an order in which each comes after all that lead to it, and keeps for each node the
//! contexts in which a path can reach it: the forks around it, each with the path. Most nodes have one. Two contexts that
//! part at one fork are concurrent: both reach the node in one execution. Others exclude each other, as there is no loop.
//!
//! What lies behind a fork of which two paths already meet is not looked at: whether it can be reached without that
//! depends on more than contexts. For workflows without loops and loose ends.

use std::collections::{BTreeMap, BTreeSet};

use super::before::Entries;
use super::forkjoin::{Fault, Found, Sight, Walk};
use super::graph::{EdgeId, Flow, Kind, NodeId, Role};
use super::order::finished_first;
use super::states::{PerState, StateId};
use super::tree::{ROOT, Tree};

/// Contexts of one node that are looked at; further ones are left out.
const MOST_CONTEXTS: usize = 64;

/// The faults of all executions.
#[derive(Clone, Debug, Default)]
pub struct Truth {
    /// Each at the first node at which it shows.
    pub faults: Vec<True>,
    /// Nothing was left out.
    pub is_whole: bool,
    /// For each node: some execution starts it. End and kill nodes are left out.
    pub starts: Vec<bool>,
}

/// A fault that some execution has.
#[derive(Clone, Debug)]
pub struct True {
    /// The fault.
    pub fault: Fault,
    /// It only comes up after an action has failed.
    pub needs_failure: bool,
    /// The transitions of two paths that show it, each from where they part.
    pub ways: [Vec<EdgeId>; 2],
}

impl Truth {
    /// Puts what is true beside what a server says: it may see less, and it may refuse what never goes wrong.
    pub(super) fn tell(&self, flow: &Flow<'_>, walk: &mut Walk) {
        let seen: Vec<usize> =
            (0..walk.faults.len()).filter(|at| walk.faults[*at].sight == Sight::Server).collect();
        let mut of_place: BTreeMap<NodeId, Vec<usize>> = BTreeMap::new();
        for at in &seen {
            for place in places(&walk.faults[*at].fault, flow) {
                of_place.entry(place).or_default().push(*at);
            }
        }
        let mut is_true = vec![false; walk.faults.len()];
        for found in &self.faults {
            let mut fault = found.fault.clone();
            match fault {
                Fault::NoFork { join, via, .. } => {
                    fault = Fault::NoFork { join, via, fork: walk.fork_of[join.index()] };
                }
                Fault::ManyJoins { fork, first, second } => {
                    fault = stray(flow, walk, fork, [first, second]).unwrap_or(fault);
                }
                _ => {}
            }
            let near: Vec<usize> = places(&fault, flow)
                .iter()
                .flat_map(|place| of_place.get(place).into_iter().flatten().copied())
                .collect();
            near.iter().for_each(|at| is_true[*at] = true);
            let same = |at: &&usize| {
                let other = &walk.faults[**at].fault;
                other.code() == fault.code() && other.node() == fault.node()
            };
            if let Some(at) = near.iter().find(same) {
                let other = &mut walk.faults[*at];
                (other.fault, other.ways) = (fault, Some(found.ways.clone()));
            } else if near.is_empty() && !found.passes(flow, |node| of_place.contains_key(&node)) {
                let entry = found.ways.iter().rev().find_map(|way| way.last());
                let Some(entry) = entry.copied() else { continue };
                let sight = Sight::Hidden { entry, needs_failure: found.needs_failure };
                let ways = Some(found.ways.clone());
                walk.faults.push(Found { fault, sight, is_harmless: false, ways });
            }
        }
        if self.is_whole {
            for at in seen {
                walk.faults[at].is_harmless = !is_true[at];
            }
        }
    }
}

impl True {
    /// Whether a way to it goes through such a node: it may only follow from what is wrong there.
    fn passes(&self, flow: &Flow<'_>, is_such: impl Fn(NodeId) -> bool) -> bool {
        let targets = |edge: &EdgeId| flow.edge(*edge).target.into_iter().chain([edge.from]);
        self.ways.iter().flatten().flat_map(targets).any(is_such)
    }
}

/// Paths that end in different joins, told as a path that goes astray into the join of another fork.
fn stray(flow: &Flow<'_>, walk: &Walk, fork: NodeId, ends: [EdgeId; 2]) -> Option<Fault> {
    let owner = |via: EdgeId| flow.edge(via).target.and_then(|join| walk.fork_of[join.index()]);
    let [first, second] = ends;
    let via = match (owner(first) == Some(fork), owner(second) == Some(fork)) {
        (true, false) => second,
        (false, true) => first,
        _ => return None,
    };
    let join = flow.edge(via).target?;
    let entry = walk.came_by[join.index()]?;
    Some(Fault::ManyForks { join, first: (owner(via)?, entry), second: (fork, via) })
}

/// The nodes that a fault is about; an end node is a place of many.
fn places(fault: &Fault, flow: &Flow<'_>) -> Vec<NodeId> {
    let target = |via: &EdgeId| flow.edge(*via).target;
    match fault {
        Fault::NoJoin { fork, .. } => vec![*fork],
        Fault::EndInside { fork, .. } => vec![*fork],
        Fault::ManyJoins { fork, first, second } => {
            [Some(*fork), target(first), target(second)].into_iter().flatten().collect()
        }
        Fault::ManyForks { join, first, second } => vec![*join, first.0, second.0],
        Fault::NoFork { join, fork, .. } => std::iter::once(*join).chain(*fork).collect(),
        Fault::Concurrent { node, fork, .. } => vec![*node, *fork],
        Fault::SameTarget { fork, first, .. } => std::iter::once(*fork).chain(target(first)).collect(),
    }
}

/// A node in a context.
#[derive(Clone, Copy)]
struct State {
    node: NodeId,
    context: u32,
    /// Another one of the same node.
    next: Option<StateId>,
    came_by: Option<(EdgeId, StateId)>,
    /// Of a join: the fork whose paths it has joined.
    joined: Option<StateId>,
    /// No node on some way to it is reached by a path beside.
    clean: bool,
    /// Some way to it needs no failure.
    ordinary: bool,
    /// Of a fork: the context of its first path.
    first_path: u32,
}

/// A path that has come to a join.
#[derive(Clone, Copy)]
struct Arrival {
    context: u32,
    join: NodeId,
    via: EdgeId,
    from: StateId,
    clean: bool,
    ordinary: bool,
}

struct Search<'f> {
    flow: &'f Flow<'f>,
    states: PerState<State>,
    first: Vec<Option<StateId>>,
    contexts: Tree,
    /// For each context its fork and the path; none for the root.
    paths: Vec<Option<(StateId, EdgeId)>>,
    /// For each context its arrivals at two different joins.
    arrivals: Vec<[Option<Arrival>; 2]>,
    /// For each join what has come to it.
    waiting: Vec<Vec<Arrival>>,
    /// For each state: two paths of this fork meet before they are joined.
    mixed: PerState<bool>,
    survives: Vec<bool>,
    told_ends: BTreeSet<(NodeId, NodeId)>,
    told_outside: Vec<bool>,
    truth: Truth,
}

/// The faults of a workflow without reachable loops or loose ends.
pub fn truth(flow: &Flow<'_>, reachable: &[bool]) -> Truth {
    let Some(start) = flow.start() else { return Truth::default() };
    let mut search = Search {
        flow,
        states: PerState(Vec::with_capacity(flow.len())),
        first: vec![None; flow.len()],
        contexts: Tree::new(),
        paths: vec![None],
        arrivals: vec![[None; 2]],
        waiting: vec![Vec::new(); flow.len()],
        mixed: PerState(Vec::new()),
        survives: survivors(flow, reachable),
        told_ends: BTreeSet::new(),
        told_outside: vec![false; flow.len()],
        truth: Truth { faults: Vec::new(), is_whole: true, starts: Vec::new() },
    };
    search.enter(start, None, ROOT, None, true, true);
    let mut order = finished_first(flow);
    order.retain(|node| reachable[node.index()]);
    for node in order.iter().rev().copied() {
        if flow.kind(node) == Kind::Join {
            search.join(node);
        }
        search.meet(node);
        search.go_on(node);
    }
    search.stuck(&order);
    search.truth.starts = search.first.iter().map(Option::is_some).collect();
    search.truth
}

/// Which nodes have a path to a join or an end: the others only kill.
fn survivors(flow: &Flow<'_>, reachable: &[bool]) -> Vec<bool> {
    let entries = Entries::of(flow, reachable);
    let mut survives = vec![false; flow.len()];
    let mut todo: Vec<_> = flow.ids().filter(|id| matches!(flow.kind(*id), Kind::End | Kind::Join)).collect();
    while let Some(node) = todo.pop() {
        if !std::mem::replace(&mut survives[node.index()], true) {
            todo.extend(entries.of_node(node).iter().map(|edge| edge.from));
        }
    }
    survives
}

impl Search<'_> {
    /// Keeps a state behind another one of its node, or as its first.
    fn add(&mut self, state: State, after: Option<StateId>) {
        let id = Some(StateId::new(self.states.0.len()));
        match after {
            Some(after) => self.states[after].next = id,
            None => self.first[state.node.index()] = id,
        }
        self.states.0.push(state);
        self.mixed.0.push(false);
    }

    /// The states of a node in the order in which they came.
    fn states_of(&self, node: NodeId) -> impl Iterator<Item = StateId> {
        std::iter::successors(self.first[node.index()], |state| self.states[*state].next)
    }

    /// A path comes to a node.
    fn arrive(&mut self, via: EdgeId, context: u32, from: StateId, clean: bool, ordinary: bool) {
        let Some(node) = self.flow.edge(via).target else { return };
        match self.flow.kind(node) {
            Kind::Kill => {}
            Kind::End => self.end(node, via, context, from, ordinary),
            Kind::Join => {
                if context == ROOT {
                    if !std::mem::replace(&mut self.told_outside[node.index()], true) {
                        let way = self.way(from, via, None);
                        self.tell(Fault::NoFork { join: node, via, fork: None }, ordinary, [way, Vec::new()]);
                    }
                    return;
                }
                let arrival = Arrival { context, join: node, via, from, clean, ordinary };
                self.wait(arrival);
            }
            _ => self.enter(node, Some((via, from)), context, None, clean, ordinary),
        }
    }

    fn enter(
        &mut self,
        node: NodeId,
        came_by: Option<(EdgeId, StateId)>,
        context: u32,
        joined: Option<StateId>,
        clean: bool,
        ordinary: bool,
    ) {
        let (mut next, mut last) = (self.first[node.index()], None);
        let mut count = 0;
        while let Some(id) = next {
            let state = &mut self.states[id];
            if state.context == context {
                if ordinary && !state.ordinary {
                    state.came_by = came_by;
                }
                state.clean |= clean;
                state.ordinary |= ordinary;
                return;
            }
            (next, last, count) = (state.next, next, count + 1);
        }
        if count >= MOST_CONTEXTS {
            self.truth.is_whole = false;
            return;
        }
        let state = State { node, context, next: None, came_by, joined, clean, ordinary, first_path: ROOT };
        self.add(state, last);
    }

    fn end(&mut self, end: NodeId, via: EdgeId, context: u32, from: StateId, ordinary: bool) {
        let Some((fork, _)) = self.paths[context as usize] else { return };
        let node = self.states[fork].node;
        if self.told_ends.insert((end, node)) {
            let way = self.way(from, via, Some(fork));
            self.tell(Fault::EndInside { fork: node, end, via }, ordinary, [way, Vec::new()]);
        }
    }

    fn wait(&mut self, arrival: Arrival) {
        let known = &mut self.arrivals[arrival.context as usize];
        for slot in known.iter_mut() {
            match slot {
                Some(known) if known.join == arrival.join => {
                    if arrival.ordinary && !known.ordinary {
                        (known.via, known.from) = (arrival.via, arrival.from);
                    }
                    known.ordinary |= arrival.ordinary;
                    known.clean |= arrival.clean;
                    break;
                }
                Some(_) => {}
                None => {
                    *slot = Some(arrival);
                    break;
                }
            }
        }
        self.waiting[arrival.join.index()].push(arrival);
    }

    /// Lets a join go on for every fork of which all paths can have come to it.
    fn join(&mut self, join: NodeId) {
        let mut waiting = std::mem::take(&mut self.waiting[join.index()]);
        waiting.sort_by_key(|arrival| arrival.context);
        // The best arrival of each path.
        let mut paths: Vec<Arrival> = Vec::new();
        for arrival in waiting {
            match paths.last_mut().filter(|last| last.context == arrival.context) {
                Some(last) => {
                    if arrival.ordinary && !last.ordinary {
                        (last.via, last.from) = (arrival.via, arrival.from);
                    }
                    last.clean |= arrival.clean;
                    last.ordinary |= arrival.ordinary;
                }
                None => paths.push(arrival),
            }
        }
        let mut rest = paths.as_slice();
        while let [first, ..] = rest {
            let fork = self.fork_of(first.context);
            let count = rest.iter().take_while(|arrival| self.fork_of(arrival.context) == fork).count();
            let (group, others) = rest.split_at(count);
            rest = others;
            let whole = group.len() == self.flow.out(self.states[fork].node).len();
            let clean = group.iter().all(|arrival| arrival.clean);
            if !whole || !clean || self.mixed[fork] {
                continue;
            }
            let ordinary = group.iter().all(|arrival| arrival.ordinary);
            let came_by = Some((group[0].via, group[0].from));
            self.enter(join, came_by, self.states[fork].context, Some(fork), clean, ordinary);
        }
    }

    /// The fork that a context is a path of.
    fn fork_of(&self, context: u32) -> StateId {
        self.paths[context as usize].map_or(StateId::new(0), |(fork, _)| fork)
    }

    /// Looks for two paths that meet in a node.
    fn meet(&mut self, node: NodeId) {
        let is_single = |state: StateId| self.states[state].next.is_none();
        if self.first[node.index()].is_none_or(is_single) {
            return;
        }
        let states: Vec<StateId> = self.states_of(node).collect();
        let mut is_told = false;
        let mut shared = vec![false; states.len()];
        for (index, a) in states.iter().enumerate() {
            for (other, b) in states.iter().enumerate().skip(index + 1) {
                let Some(fork) = self.concurrent(*a, *b) else { continue };
                (shared[index], shared[other]) = (true, true);
                self.mixed[fork] |= self.survives[node.index()];
                if !is_told && (self.states[*a].clean || self.states[*b].clean) {
                    is_told = self.tell_meeting(*a, *b, fork);
                }
            }
        }
        for (state, is_shared) in states.into_iter().zip(shared) {
            self.states[state].clean &= !is_shared;
        }
    }

    /// The fork of which two states lie on different paths.
    fn concurrent(&self, a: StateId, b: StateId) -> Option<StateId> {
        let (a, b) = self.contexts.parted(self.states[a].context, self.states[b].context)?;
        let (first, _) = self.paths[a as usize]?;
        let (second, _) = self.paths[b as usize]?;
        (first == second).then_some(first)
    }

    fn tell_meeting(&mut self, a: StateId, b: StateId, fork: StateId) -> bool {
        let (mut first, mut second) = (self.states[a], self.states[b]);
        if first.came_by.map(|(via, _)| via) > second.came_by.map(|(via, _)| via) {
            std::mem::swap(&mut first, &mut second);
        }
        let (Some((via, from)), Some((other, other_from))) = (first.came_by, second.came_by) else {
            return false;
        };
        let parting = self.states[fork].node;
        let fault = match (first.joined, second.joined) {
            (Some(one), Some(two)) => {
                let forks = (self.states[one].node, self.states[two].node);
                Fault::ManyForks { join: first.node, first: (forks.0, via), second: (forks.1, other) }
            }
            _ if via.from == parting && other.from == parting => {
                Fault::SameTarget { fork: parting, first: via, second: other }
            }
            _ => Fault::Concurrent { node: first.node, fork: parting, first: via, second: other },
        };
        let ways = [self.way(from, via, Some(fork)), self.way(other_from, other, Some(fork))];
        self.tell(fault, first.ordinary && second.ordinary, ways);
        true
    }

    fn go_on(&mut self, node: NodeId) {
        let kind = self.flow.kind(node);
        let mut next = self.first[node.index()];
        while let Some(id) = next {
            let state = self.states[id];
            next = state.next;
            if kind == Kind::Fork {
                self.states[id].first_path = self.contexts.len() as u32;
                for (path, _) in self.flow.edges(node) {
                    self.contexts.grow(state.context);
                    self.paths.push(Some((id, path)));
                    self.arrivals.push([None; 2]);
                }
            }
            let first_path = self.states[id].first_path;
            for (via, edge) in self.flow.edges(node) {
                let context = if kind == Kind::Fork { first_path + via.index } else { state.context };
                let ordinary = state.ordinary && edge.role != Role::Error;
                self.arrive(via, context, id, state.clean, ordinary);
            }
        }
    }

    fn tell(&mut self, fault: Fault, ordinary: bool, ways: [Vec<EdgeId>; 2]) {
        self.truth.faults.push(True { fault, needs_failure: !ordinary, ways });
    }

    /// The transitions from a fork, or from start, to the end of one.
    fn way(&self, from: StateId, via: EdgeId, fork: Option<StateId>) -> Vec<EdgeId> {
        let mut edges = vec![via];
        let mut at = from;
        while Some(at) != fork && edges.len() < LONGEST_WAY {
            let Some((via, from)) = self.states[at].came_by else { break };
            edges.push(via);
            at = from;
        }
        edges.reverse();
        edges
    }

    /// Forks whose paths can end in different joins, so that none goes on.
    fn stuck(&mut self, finished_first: &[NodeId]) {
        let is_split = PerState(self.states.ids().map(|id| self.split(id).is_some()).collect());
        let safe = self.safe(&is_split, finished_first);
        let mut doomed = vec![false; self.contexts.len()];
        let mut told = vec![false; self.flow.len()];
        for id in self.states.ids() {
            let state = self.states[id];
            if self.flow.kind(state.node) != Kind::Fork {
                continue;
            }
            let paths = self.paths_of(id);
            let unsafe_paths = paths.clone().filter(|context| !safe[*context as usize]).count();
            for context in paths {
                let beside = unsafe_paths - usize::from(!safe[context as usize]);
                doomed[context as usize] = beside > 0 || doomed[state.context as usize];
            }
            if doomed[state.context as usize] || self.mixed[id] {
                continue;
            }
            if is_split[id]
                && let Some((a, b)) =
                    self.split(id).map(|(a, b)| if a.via <= b.via { (a, b) } else { (b, a) })
                && !std::mem::replace(&mut told[state.node.index()], true)
            {
                let ways = [self.way(a.from, a.via, Some(id)), self.way(b.from, b.via, Some(id))];
                let fault = Fault::ManyJoins { fork: state.node, first: a.via, second: b.via };
                self.tell(fault, a.ordinary && b.ordinary, ways);
            }
        }
    }

    fn paths_of(&self, fork: StateId) -> std::ops::Range<u32> {
        let first = self.states[fork].first_path;
        first..first + self.flow.out(self.states[fork].node).len() as u32
    }

    /// Two paths of a fork that can come to different joins, when each path comes to one.
    fn split(&self, fork: StateId) -> Option<(Arrival, Arrival)> {
        if self.flow.kind(self.states[fork].node) != Kind::Fork {
            return None;
        }
        // Nearly always all paths come to one join.
        let paths = self.paths_of(fork);
        let own = &self.arrivals[paths.start as usize..paths.end as usize];
        let join = own.first()?[0]?.join;
        if own.iter().all(|own| matches!(own, [Some(only), None] if only.join == join)) {
            return None;
        }
        let mut best: Option<(Arrival, Arrival)> = None;
        let mut seen: Vec<Arrival> = Vec::new();
        for context in self.paths_of(fork) {
            let own = self.arrivals[context as usize];
            own[0]?;
            for arrival in own.into_iter().flatten().filter(|arrival| arrival.clean) {
                let other = seen.iter().find(|other| other.context != context && other.join != arrival.join);
                let pair = other.map(|other| (*other, arrival));
                let is_better = |(a, b): (Arrival, Arrival)| {
                    best.is_none_or(|(c, d)| a.ordinary && b.ordinary && !(c.ordinary && d.ordinary))
                };
                if pair.is_some_and(is_better) {
                    best = pair;
                }
            }
            for arrival in own.into_iter().flatten().filter(|arrival| arrival.clean) {
                // Two joins of two paths are enough to compare with.
                if seen.iter().filter(|other| other.join == arrival.join).count() < 2 && seen.len() < 8 {
                    seen.push(arrival);
                }
            }
        }
        best
    }

    /// For each context: what begins there can end without a kill.
    fn safe(&self, is_split: &PerState<bool>, finished_first: &[NodeId]) -> Vec<bool> {
        let mut of_context = vec![true; self.contexts.len()];
        let mut of_state = PerState(vec![true; self.states.0.len()]);
        for id in finished_first.iter().flat_map(|node| self.states_of(*node)) {
            let state = self.states[id];
            let leads = |via: EdgeId, context: u32| {
                let Some(target) = self.flow.edge(via).target else { return true };
                match self.flow.kind(target) {
                    Kind::Kill => false,
                    Kind::End | Kind::Join => true,
                    _ => self.find(target, context).is_none_or(|next| of_state[next]),
                }
            };
            of_state[id] = if !state.clean {
                false // Who knows.
            } else if self.flow.kind(state.node) == Kind::Fork {
                let mut all = true;
                for (context, (via, _)) in self.paths_of(id).zip(self.flow.edges(state.node)) {
                    let is_safe = leads(via, context);
                    of_context[context as usize] = is_safe;
                    all &= is_safe;
                }
                // A fork without paths has no place of its own.
                let arrivals = self.arrivals.get(state.first_path as usize);
                let joined = arrivals.and_then(|arrivals| arrivals[0]).map(|arrival| arrival.join);
                let goes_on = match joined {
                    Some(join) if !is_split[id] => {
                        self.find(join, state.context).is_none_or(|next| of_state[next])
                    }
                    _ => true,
                };
                all && goes_on
            } else {
                self.flow.edges(state.node).any(|(via, _)| leads(via, state.context))
            };
        }
        of_context
    }

    fn find(&self, node: NodeId, context: u32) -> Option<StateId> {
        std::iter::successors(self.first[node.index()], |state| self.states[*state].next)
            .find(|state| self.states[*state].context == context)
    }
}

/// Transitions of a way that are kept; messages show fewer.
const LONGEST_WAY: usize = 1_000;

#[cfg(test)]
#[path = "truth_tests.rs"]
mod tests;
