//! The control flow of a workflow as the lowering sees it: the nodes that start reaches, transitions as indices.

use std::collections::BTreeSet;

use crate::plan::workflow::{Program, ProgramKind, Target};

/// The control flow of a workflow.
#[derive(Clone, Debug)]
pub struct Shape {
    /// All nodes, as the program numbers them; those that start does not reach have no edges that count.
    pub nodes: Vec<ShapeNode>,
    /// The first node behind start.
    pub first: usize,
    /// The nodes that start reaches by any transition, the start node itself left out.
    pub reached: BTreeSet<usize>,
}

/// A node.
#[derive(Clone, Debug)]
pub struct ShapeNode {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: ShapeKind,
}

/// The kinds of nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ShapeKind {
    /// The start node, which becomes no task.
    Start,
    /// An action with its transitions.
    Action {
        /// After success.
        ok: usize,
        /// After an error.
        error: usize,
    },
    /// A decision: the cases in order, then the default.
    Decision(Vec<usize>),
    /// A fork.
    Fork(Vec<usize>),
    /// A join.
    Join(usize),
    /// An end.
    End,
    /// A kill.
    Kill,
}

impl Shape {
    /// The control flow of a program; nothing where a transition leads nowhere, which no server accepts.
    pub fn of(program: &Program) -> Option<Shape> {
        let to = |target: &Target| target.node.map(|node| node as usize);
        let all = |targets: &mut dyn Iterator<Item = &Target>| targets.map(to).collect::<Option<Vec<_>>>();
        let mut nodes = Vec::with_capacity(program.nodes.len());
        for node in &program.nodes {
            let kind = match &node.kind {
                ProgramKind::Start(_) => ShapeKind::Start,
                ProgramKind::End => ShapeKind::End,
                ProgramKind::Kill { .. } => ShapeKind::Kill,
                ProgramKind::Decision { cases, default } => {
                    let cases = cases.iter().map(|(_, target)| target);
                    ShapeKind::Decision(all(&mut cases.chain([default]))?)
                }
                ProgramKind::Fork(paths) => ShapeKind::Fork(all(&mut paths.iter())?),
                ProgramKind::Join(target) => ShapeKind::Join(to(target)?),
                ProgramKind::Action(action) => {
                    ShapeKind::Action { ok: to(&action.ok)?, error: to(&action.error)? }
                }
            };
            nodes.push(ShapeNode { name: node.name.to_string(), kind });
        }
        let ProgramKind::Start(target) = &program.nodes.get(program.start() as usize)?.kind else {
            return None;
        };
        let mut shape = Shape { nodes, first: to(target)?, reached: BTreeSet::new() };
        shape.reached = shape.reach(shape.first, None);
        Some(shape)
    }

    /// Where a node's transitions lead, in order; the error transition of an action whose failure is not handled too.
    pub fn transitions(&self, node: usize) -> Vec<usize> {
        match &self.nodes[node].kind {
            ShapeKind::Start => vec![self.first],
            ShapeKind::Action { ok, error } => vec![*ok, *error],
            ShapeKind::Decision(targets) | ShapeKind::Fork(targets) => targets.clone(),
            ShapeKind::Join(target) => vec![*target],
            ShapeKind::End | ShapeKind::Kill => Vec::new(),
        }
    }

    /// Whether an action goes on after an error, instead of ending the workflow.
    pub fn is_handled(&self, node: usize) -> bool {
        match self.nodes[node].kind {
            ShapeKind::Action { error, .. } => self.nodes[error].kind != ShapeKind::Kill,
            _ => false,
        }
    }

    /// Where tokens go from a node while the workflow lives: each target once, without errors that end it.
    pub fn edges(&self, node: usize) -> Vec<usize> {
        let mut targets = self.transitions(node);
        if matches!(self.nodes[node].kind, ShapeKind::Action { .. }) && !self.is_handled(node) {
            targets.truncate(1);
        }
        let mut seen = BTreeSet::new();
        targets.retain(|target| seen.insert(*target));
        targets
    }

    /// The nodes that are reached from one, itself included, without going through `closed`.
    pub fn reach(&self, from: usize, closed: Option<usize>) -> BTreeSet<usize> {
        let mut reached = BTreeSet::new();
        let mut open = vec![from];
        while let Some(node) = open.pop() {
            if Some(node) != closed && reached.insert(node) {
                open.extend(self.edges(node));
            }
        }
        reached
    }

    /// Whether some reached node is of a kind.
    pub fn any(&self, is_such: impl Fn(usize) -> bool) -> bool {
        self.reached.iter().any(|node| is_such(*node))
    }

    /// Whether the workflow has a fork.
    pub fn has_fork(&self) -> bool {
        self.any(|node| matches!(self.nodes[node].kind, ShapeKind::Fork(_)))
    }

    /// Whether an action handles its errors.
    pub fn has_handler(&self) -> bool {
        self.any(|node| self.is_handled(node))
    }
}
