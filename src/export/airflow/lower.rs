//! From the control flow of a workflow to the tasks of a DAG, such that what runs, when, and how the run ends stays the
//! same. Which shape becomes what, and why the obvious one is wrong, is in `docs/airflow.md`.

use std::collections::{BTreeMap, BTreeSet};

use super::graph::{Task, TaskGraph, TaskKind, TriggerRule};
use super::shape::{Shape, ShapeKind};

/// An edge by the nodes at its ends.
type Edge = (usize, usize);

/// A fork or join, by its number, whose branches no DAG can follow: branches of one fork that meet in different joins or go
/// on for themselves, or a join that belongs to no fork or to several. What arrives there is counted over forks, which edges
/// cannot say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tangled(pub usize);

/// The tasks of a workflow.
pub fn lower(shape: &Shape) -> Result<TaskGraph, Tangled> {
    let lowering = Lowering::new(shape);
    if let Some(node) = lowering.tangled() {
        return Err(Tangled(node));
    }
    let mut graph = lowering.graph();
    match graph.sort() {
        true => Ok(graph),
        // A kill that a branch ends in and what is behind its join leads to as well.
        false => Err(Tangled(shape.first)),
    }
}

/// A branch of a fork: the edges by which it enters the join, and the nodes in it.
#[derive(Clone, Debug, Default)]
struct Branch {
    entries: BTreeSet<Edge>,
    nodes: BTreeSet<usize>,
}

struct Lowering<'s> {
    shape: &'s Shape,
    /// The edges into each node, without those into joins.
    entries: BTreeMap<usize, Vec<Edge>>,
    /// The branches that meet in each join, with the fork.
    branches: BTreeMap<usize, (usize, Vec<Branch>)>,
    /// Forks with several joins, a branch that meets no other or two that enter the join by one edge, and joins with several forks.
    doubled: BTreeSet<usize>,
    /// Nodes where branches of one fork meet that is no join.
    shared: BTreeSet<usize>,
    tasks: Vec<Task>,
    names: BTreeSet<String>,
    /// The task that stands for a node's own work.
    own: BTreeMap<usize, usize>,
    /// The tasks from which the edges of a node go out, where these are not its own.
    ports: BTreeMap<usize, Vec<usize>>,
}

impl<'s> Lowering<'s> {
    fn new(shape: &'s Shape) -> Lowering<'s> {
        let mut entries: BTreeMap<usize, Vec<Edge>> = BTreeMap::new();
        for node in &shape.reached {
            for target in shape.edges(*node) {
                entries.entry(target).or_default().push((*node, target));
            }
        }
        let names = shape.nodes.iter().map(|node| node.name.clone()).collect();
        let mut lowering = Lowering {
            shape,
            entries,
            branches: BTreeMap::new(),
            doubled: BTreeSet::new(),
            shared: BTreeSet::new(),
            tasks: Vec::new(),
            names,
            own: BTreeMap::new(),
            ports: BTreeMap::new(),
        };
        lowering.find_branches();
        lowering
    }

    fn kind(&self, node: usize) -> &'s ShapeKind {
        &self.shape.nodes[node].kind
    }

    /// Follows the branches of each fork to its join.
    fn find_branches(&mut self) {
        for fork in self.shape.reached.clone() {
            let ShapeKind::Fork(paths) = self.kind(fork) else { continue };
            let mut joins = BTreeSet::new();
            let branches: Vec<Branch> = paths
                .iter()
                .map(|path| {
                    let mut branch = Branch::default();
                    let mut seen = BTreeSet::new();
                    let mut open = vec![((fork, *path), 0_usize)];
                    while let Some((edge, depth)) = open.pop() {
                        let node = edge.1;
                        if depth == 0 && matches!(self.kind(node), ShapeKind::Join(_)) {
                            branch.entries.insert(edge);
                            joins.insert(node);
                            continue;
                        }
                        // No nesting is deeper than there are nodes, except in a loop.
                        if depth > self.shape.nodes.len() || !seen.insert((node, depth)) {
                            continue;
                        }
                        branch.nodes.insert(node);
                        let below = match self.kind(node) {
                            ShapeKind::Fork(_) => depth + 1,
                            ShapeKind::Join(_) => depth - 1,
                            _ => depth,
                        };
                        open.extend(self.shape.edges(node).into_iter().map(|next| ((node, next), below)));
                    }
                    branch
                })
                .collect();
            self.find_shared(&branches);
            // A branch that enters no join must end in a kill: nothing else keeps what is behind the join from starting.
            let is_kill = |node: &usize| *self.kind(*node) == ShapeKind::Kill;
            let strays = |branch: &Branch| branch.entries.is_empty() && !branch.nodes.iter().any(is_kill);
            let mut entered = BTreeSet::new();
            let is_shared = branches.iter().flat_map(|it| &it.entries).any(|edge| !entered.insert(*edge));
            if joins.len() > 1 || is_shared || branches.iter().any(strays) {
                self.doubled.insert(fork);
            }
            for join in joins {
                if self.branches.insert(join, (fork, branches.clone())).is_some() {
                    self.doubled.insert(join);
                }
            }
        }
    }

    /// The first fork or join whose branches are not its own.
    fn tangled(&self) -> Option<usize> {
        let is_lone = |node: &usize| {
            matches!(self.kind(*node), ShapeKind::Join(_)) && !self.branches.contains_key(node)
        };
        let mut lone = self.shape.reached.iter().copied().filter(is_lone);
        self.doubled.first().copied().or_else(|| lone.next()).or_else(|| self.passed_by())
    }

    /// A join that is reached without its fork.
    fn passed_by(&self) -> Option<usize> {
        let mut seen = BTreeSet::new();
        let mut open = vec![(self.shape.first, 0_usize)];
        while let Some((node, depth)) = open.pop() {
            if depth > self.shape.nodes.len() || !seen.insert((node, depth)) {
                continue;
            }
            let below = match self.kind(node) {
                ShapeKind::Fork(_) => depth + 1,
                ShapeKind::Join(_) if depth == 0 => return Some(node),
                ShapeKind::Join(_) => depth - 1,
                _ => depth,
            };
            open.extend(self.shape.edges(node).into_iter().map(|next| (next, below)));
        }
        None
    }

    /// Nodes that are entered from different branches.
    fn find_shared(&mut self, branches: &[Branch]) {
        let mut owners: BTreeMap<usize, usize> = BTreeMap::new();
        for node in branches.iter().flat_map(|branch| &branch.nodes) {
            *owners.entry(*node).or_default() += 1;
        }
        for (node, _) in owners.into_iter().filter(|(_, count)| *count > 1) {
            if self.entries_of(node).len() > 1 {
                self.shared.insert(node);
            }
        }
    }

    fn name(&mut self, wanted: String) -> String {
        let mut name = wanted.clone();
        let mut number = 2;
        while !self.names.insert(name.clone()) {
            name = format!("{wanted}_{number}");
            number += 1;
        }
        name
    }

    fn add(&mut self, id: String, kind: TaskKind, rule: TriggerRule) -> usize {
        self.tasks.push(Task { id, kind, rule, upstream: Vec::new(), targets: Vec::new() });
        self.tasks.len() - 1
    }

    fn is_branch(&self, node: usize) -> bool {
        match self.kind(node) {
            ShapeKind::Decision(_) => true,
            ShapeKind::Action { ok, error } => ok != error && self.shape.is_handled(node),
            _ => false,
        }
    }

    /// Whether an action goes to one node, however it ends.
    fn goes_on(&self, node: usize) -> bool {
        matches!(self.kind(node), ShapeKind::Action { ok, error } if ok == error)
            && self.shape.is_handled(node)
    }

    fn entries_of(&self, node: usize) -> &[Edge] {
        self.entries.get(&node).map_or(&[], Vec::as_slice)
    }

    /// A fork whose predecessor's edges can fan out needs no task.
    fn is_plain_fork(&self, fork: usize) -> bool {
        match self.entries_of(fork) {
            [(from, _)] if fork != self.shape.first => match self.kind(*from) {
                ShapeKind::Action { .. } => !self.is_branch(*from) && !self.goes_on(*from),
                ShapeKind::Join(_) => true,
                _ => false,
            },
            _ => false,
        }
    }

    /// A join whose entries can go to the node behind it needs no task.
    fn is_plain_join(&self, join: usize) -> bool {
        let ShapeKind::Join(target) = *self.kind(join) else { return false };
        let is_simple = !matches!(self.kind(target), ShapeKind::Fork(_) | ShapeKind::Join(_));
        is_simple && self.entries_of(target).len() == 1 && self.branches.contains_key(&join)
    }

    fn graph(mut self) -> TaskGraph {
        self.make_tasks();
        for node in self.shape.reached.clone() {
            if !matches!(self.kind(node), ShapeKind::Join(_)) {
                self.enter(node);
            } else {
                self.enter_join(node);
            }
        }
        let (has_fork, has_handler) = (self.shape.has_fork(), self.shape.has_handler());
        if has_fork || has_handler {
            let name = self.name("outcome".to_owned());
            let outcome = self.add(name, TaskKind::Outcome, TriggerRule::AllDoneSetupSuccess);
            let is_last = |task: &Task| matches!(task.kind, TaskKind::End(_) | TaskKind::Kill(_));
            self.tasks[outcome].upstream = (0..outcome).filter(|task| is_last(&self.tasks[*task])).collect();
        }
        TaskGraph { tasks: self.tasks, fail_fast: has_fork && !has_handler }
    }

    /// The tasks of the nodes, without what they wait for.
    fn make_tasks(&mut self) {
        for node in self.shape.reached.clone() {
            let id = self.shape.nodes[node].name.clone();
            let (kind, count) = match self.kind(node) {
                ShapeKind::Start => continue,
                ShapeKind::Action { .. } => (TaskKind::Action(node), 1),
                ShapeKind::Decision(targets) => (TaskKind::Decision(node), targets.len()),
                ShapeKind::Fork(_) if self.is_plain_fork(node) => continue,
                ShapeKind::Join(_) if self.is_plain_join(node) => continue,
                ShapeKind::Fork(_) | ShapeKind::Join(_) => (TaskKind::Control(node), 1),
                ShapeKind::End => (TaskKind::End(node), 0),
                ShapeKind::Kill if self.entries_of(node).is_empty() && node != self.shape.first => continue,
                ShapeKind::Kill => (TaskKind::Kill(node), 0),
            };
            let task = self.add(id.clone(), kind, TriggerRule::AllSuccess);
            self.own.insert(node, task);
            if matches!(kind, TaskKind::Decision(_)) {
                self.tasks[task].targets = vec![usize::MAX; count];
            }
            if matches!(kind, TaskKind::Action(_)) && self.is_branch(node) {
                let name = self.name(format!("{id}__next"));
                let next = self.add(name, TaskKind::Next(node), TriggerRule::OneDone);
                self.tasks[next].upstream.push(task);
                self.tasks[next].targets = vec![usize::MAX; 2];
                self.ports.insert(node, vec![next]);
            } else if self.goes_on(node) {
                let ShapeKind::Action { ok, .. } = *self.kind(node) else { continue };
                let is_alone = self.entries_of(ok).len() == 1
                    && !matches!(self.kind(ok), ShapeKind::Join(_) | ShapeKind::Fork(_));
                if !is_alone {
                    let name = self.name(format!("{id}__done"));
                    let done = self.add(name, TaskKind::Empty, TriggerRule::OneDone);
                    self.tasks[done].upstream.push(task);
                    self.ports.insert(node, vec![done]);
                }
            }
        }
    }

    /// The tasks that an edge from a node comes from.
    fn ports_of(&mut self, node: usize) -> Vec<usize> {
        if let Some(ports) = self.ports.get(&node) {
            return ports.clone();
        }
        let ports = match self.own.get(&node) {
            Some(own) => vec![*own],
            None => match self.entries_of(node) {
                // A fork without a task.
                [(from, _)] if matches!(self.kind(node), ShapeKind::Fork(_)) => self.ports_of(*from),
                _ => Vec::new(),
            },
        };
        self.ports.insert(node, ports.clone());
        ports
    }

    /// Ties a node's task to what leads to it.
    fn enter(&mut self, node: usize) {
        let Some(own) = self.own.get(&node).copied() else { return };
        let entries = self.entries_of(node).to_vec();
        let is_first = node == self.shape.first;
        if let [(from, _)] = entries[..] {
            if matches!(self.kind(from), ShapeKind::Join(_)) && !self.own.contains_key(&from) {
                self.arrive(from, own);
                return;
            }
            if self.goes_on(from) && !self.ports.contains_key(&from) {
                self.tasks[own].rule = TriggerRule::OneDone;
            }
        }
        let is_shared = self.shared.contains(&node);
        let has_several = entries.len() + usize::from(is_first) > 1;
        if has_several {
            self.tasks[own].rule =
                if is_shared { TriggerRule::OneSuccess } else { TriggerRule::NoneFailedMinOneSuccess };
        }
        for edge in entries {
            self.tie(edge, own, has_several.then_some(node), is_shared);
        }
    }

    /// Ties a join to its branches.
    fn enter_join(&mut self, join: usize) {
        let Some(own) = self.own.get(&join).copied() else { return };
        self.arrive(join, own);
    }

    /// Lets a task wait for all branches of a join.
    fn arrive(&mut self, join: usize, task: usize) {
        let Some((fork, branches)) = self.branches.get(&join).cloned() else { return };
        for (index, branch) in branches.iter().enumerate() {
            let entries: Vec<Edge> = branch.entries.iter().copied().collect();
            match entries[..] {
                [edge] => self.tie(edge, task, None, false),
                [] => self.never_arrive(branch, task),
                _ => {
                    let name = format!("{}__{}__end", self.shape.nodes[fork].name, index + 1);
                    let name = self.name(name);
                    let end = self.add(name, TaskKind::Empty, TriggerRule::NoneFailedMinOneSuccess);
                    for edge in entries {
                        self.tie(edge, end, Some(join), false);
                    }
                    self.tasks[task].upstream.push(end);
                }
            }
        }
    }

    /// Keeps what is behind a join from starting: no token of this branch enters it, since all are killed, and a task that
    /// kills never succeeds.
    fn never_arrive(&mut self, branch: &Branch, task: usize) {
        let kills = branch.nodes.iter().filter(|node| *self.kind(**node) == ShapeKind::Kill);
        let kills = kills.filter_map(|node| self.own.get(node).copied());
        let new: Vec<usize> = kills.filter(|kill| !self.tasks[task].upstream.contains(kill)).collect();
        self.tasks[task].upstream.extend(new);
    }

    /// Ties a task to one edge that leads to it. `among` is the node, where others lead to it too.
    fn tie(&mut self, (from, to): Edge, task: usize, among: Option<usize>, is_shared: bool) {
        let ports = self.ports_of(from);
        let mut target = task;
        if self.is_branch(from) {
            let must_pass = |node: usize| {
                let without = self.shape.reach(from, Some(node));
                // A kill that is chosen, not failed into, leaves what is behind the branch free to start, and so does a
                // handler: what waits for it sees a failure before it as skipped.
                let is_free = |node: usize| match self.kind(node) {
                    ShapeKind::End | ShapeKind::Kill => true,
                    _ => node != from && self.shape.is_handled(node),
                };
                !without.into_iter().any(is_free)
            };
            if is_shared || among.is_some_and(|node| !must_pass(node)) {
                let names = (&self.shape.nodes[from].name, &self.shape.nodes[to].name);
                let name = self.name(format!("{}__to__{}", names.0, names.1));
                target = self.add(name, TaskKind::Empty, TriggerRule::AllSuccess);
                self.tasks[task].upstream.push(target);
            }
            let slots: Vec<usize> = match self.kind(from) {
                ShapeKind::Action { ok, error } => [*ok, *error].into_iter().collect(),
                _ => self.shape.transitions(from),
            };
            for (slot, _) in slots.iter().enumerate().filter(|(_, target)| **target == to) {
                for port in &ports {
                    self.tasks[*port].targets[slot] = target;
                }
            }
        }
        for port in ports {
            if !self.tasks[target].upstream.contains(&port) {
                self.tasks[target].upstream.push(port);
            }
        }
    }
}
