//! The control flow of one workflow as numbered nodes and edges.
//!
//! Holds names, kinds, transitions and their places, nothing of what an action does. Never judges.

use std::fmt;
use std::num::NonZeroU32;

use foldhash::fast::RandomState;
use indexmap::IndexMap;
use petgraph::graph::{DiGraph, NodeIndex};

use crate::model::Dialect;
use crate::model::Workflow;
use crate::model::workflow::NodeKind;
use crate::source::{Span, Text};

/// A node, by its position in the document (the same as in `Workflow::nodes`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(NonZeroU32);

impl NodeId {
    /// The node at this position.
    pub fn new(index: usize) -> NodeId {
        let number = u32::try_from(index + 1).ok().and_then(NonZeroU32::new);
        NodeId(number.expect("fewer than 2^32 nodes"))
    }

    /// The position.
    pub fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// An edge: the transition at a position of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EdgeId {
    /// Where it starts.
    pub from: NodeId,
    /// Its position among the transitions of that node.
    pub index: u32,
}

impl EdgeId {
    /// The first transition of a node.
    pub fn first(from: NodeId) -> EdgeId {
        EdgeId { from, index: 0 }
    }
}

/// The kinds of nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `start`
    Start,
    /// `end`
    End,
    /// `kill`
    Kill,
    /// `decision`
    Decision,
    /// `fork`
    Fork,
    /// `join`
    Join,
    /// `action`
    Action,
}

impl Kind {
    /// The element's name.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Start => "start",
            Kind::End => "end",
            Kind::Kill => "kill",
            Kind::Decision => "decision",
            Kind::Fork => "fork",
            Kind::Join => "join",
            Kind::Action => "action",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What a transition is for its node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The only way out of a start node or a join.
    To,
    /// `ok` of an action.
    Ok,
    /// `error` of an action.
    Error,
    /// A case of a decision, counted from 1.
    Case(usize),
    /// `default` of a decision.
    Default,
    /// A path of a fork, counted from 1.
    Path(usize),
}

/// A transition.
#[derive(Clone, Copy, Debug)]
pub struct Edge<'a> {
    /// What it is for its node.
    pub role: Role,
    /// The name it gives, with its place.
    pub to: &'a Text,
    /// The first node of that name; `None` when there is none.
    pub target: Option<NodeId>,
}

/// A node without its transitions.
#[derive(Clone, Copy, Debug)]
pub struct Node<'a> {
    /// Its name, with its place.
    pub name: &'a Text,
    /// The name in the start tag.
    pub tag_span: Span,
    /// What it is.
    pub kind: Kind,
    /// Where its transitions begin among all.
    edges_from: usize,
}

/// The control flow of a workflow.
///
/// Invariant: the transitions of all nodes stand in one list, node by node, and `edges_from` of each node says where
/// its own begin.
#[derive(Clone, Debug)]
pub struct Flow<'a> {
    nodes: Vec<Node<'a>>,
    edges: Vec<Edge<'a>>,
    dialect: Dialect,
    start: Option<NodeId>,
    by_name: IndexMap<&'a str, NodeId, RandomState>,
    duplicates: Vec<(NodeId, NodeId)>,
}

/// How many nodes after a transition are tried before its name is looked up.
const NEARBY: usize = 3;

impl<'a> Flow<'a> {
    /// Reads the control flow off a workflow. A transition that the document lacks is no edge.
    pub fn new(workflow: &'a Workflow) -> Flow<'a> {
        let mut by_name = IndexMap::with_capacity_and_hasher(workflow.nodes.len(), RandomState::default());
        let mut duplicates = Vec::new();
        let mut nodes = Vec::with_capacity(workflow.nodes.len());
        let mut edges: Vec<Edge<'_>> = Vec::with_capacity(workflow.nodes.len() * 2);
        for (index, node) in workflow.nodes.iter().enumerate() {
            let id = NodeId::new(index);
            let first = *by_name.entry(node.name.value.as_str()).or_insert(id);
            if first != id {
                duplicates.push((first, id));
            }
            let edges_from = edges.len();
            let kind = transitions(&node.kind, |role, to| edges.push(Edge { role, to, target: None }));
            nodes.push(Node { name: &node.name, tag_span: node.tag_span, kind, edges_from });
        }
        // Most transitions lead to a node nearby, which costs less to look at than a name costs to look up.
        let nearby = if duplicates.is_empty() { NEARBY } else { 0 };
        let find = |from: usize, name: &str| {
            let mut near = from + 1..nodes.len().min(from + 1 + nearby);
            let found = near.find(|near| nodes[*near].name.value == name).map(NodeId::new);
            found.or_else(|| by_name.get(name).copied())
        };
        // Most failures lead to one kill node, so the last one is kept at hand.
        let mut failure: Option<(&str, Option<NodeId>)> = None;
        for (index, node) in nodes.iter().enumerate() {
            let until = nodes.get(index + 1).map_or(edges.len(), |next| next.edges_from);
            for edge in &mut edges[node.edges_from..until] {
                let name = edge.to.value.as_str();
                edge.target = match failure {
                    Some((last, target)) if edge.role == Role::Error && last == name => target,
                    _ => find(index, name),
                };
                if edge.role == Role::Error {
                    failure = Some((name, edge.target));
                }
            }
        }
        let start = nodes.iter().position(|node| node.kind == Kind::Start).map(NodeId::new);
        Flow { nodes, edges, dialect: workflow.dialect, start, by_name, duplicates }
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// True when there are no nodes.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// How many transitions there are.
    pub fn edge_count(&self) -> usize {
        self.edges.len()
    }

    /// The first start node.
    pub fn start(&self) -> Option<NodeId> {
        self.start
    }

    /// All nodes in document order.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = NodeId> + use<> {
        (0..self.nodes.len()).map(NodeId::new)
    }

    /// A node.
    pub fn node(&self, id: NodeId) -> &Node<'a> {
        &self.nodes[id.index()]
    }

    /// The name of a node.
    pub fn name(&self, id: NodeId) -> &'a str {
        &self.nodes[id.index()].name.value
    }

    /// The kind of a node.
    pub fn kind(&self, id: NodeId) -> Kind {
        self.nodes[id.index()].kind
    }

    /// The element of a node in the language of the workflow.
    pub fn kind_name(&self, id: NodeId) -> &'static str {
        match self.kind(id) {
            Kind::Kill => self.kill_name(),
            kind => kind.name(),
        }
    }

    /// The element of nodes that end the workflow badly.
    pub fn kill_name(&self) -> &'static str {
        self.dialect.kill()
    }

    /// The transitions of a node in the order in which the server keeps them.
    pub fn out(&self, from: NodeId) -> &[Edge<'a>] {
        let end = self.nodes.get(from.index() + 1).map_or(self.edges.len(), |next| next.edges_from);
        &self.edges[self.nodes[from.index()].edges_from..end]
    }

    /// The same with their ids.
    pub fn edges(&self, from: NodeId) -> impl Iterator<Item = (EdgeId, &Edge<'a>)> {
        (0..).zip(self.out(from)).map(move |(index, edge)| (EdgeId { from, index }, edge))
    }

    /// The transition at a position of a node, if there are so many.
    pub fn get(&self, id: EdgeId) -> Option<&Edge<'a>> {
        self.out(id.from).get(id.index as usize)
    }

    /// An edge.
    pub fn edge(&self, id: EdgeId) -> &Edge<'a> {
        &self.edges[self.position(id)]
    }

    /// The number of an edge among all, for a table beside them.
    pub fn position(&self, id: EdgeId) -> usize {
        self.nodes[id.from.index()].edges_from + id.index as usize
    }

    /// The first node of this name.
    pub fn find(&self, name: &str) -> Option<NodeId> {
        self.by_name.get(name).copied()
    }

    /// All names, once each, in document order.
    pub fn names(&self) -> impl Iterator<Item = &'a str> {
        self.by_name.keys().copied()
    }

    /// Nodes whose name an earlier one has: the earlier one, and this.
    pub fn duplicates(&self) -> &[(NodeId, NodeId)] {
        &self.duplicates
    }

    /// Nodes and known transitions alone; indices are those of [`NodeId`].
    pub fn graph(&self) -> DiGraph<(), ()> {
        let mut graph = DiGraph::with_capacity(self.nodes.len(), self.edges.len());
        for _ in &self.nodes {
            graph.add_node(());
        }
        for from in self.ids() {
            for target in self.out(from).iter().filter_map(|edge| edge.target) {
                graph.add_edge(NodeIndex::new(from.index()), NodeIndex::new(target.index()), ());
            }
        }
        graph
    }
}

/// The kind of a node; hands out its transitions in the order of `LiteWorkflowAppParser.parse`.
fn transitions<'a>(kind: &'a NodeKind, mut take: impl FnMut(Role, &'a Text)) -> Kind {
    match kind {
        NodeKind::Start { to } => {
            to.iter().for_each(|to| take(Role::To, to));
            Kind::Start
        }
        NodeKind::End => Kind::End,
        NodeKind::Kill { .. } => Kind::Kill,
        NodeKind::Join { to } => {
            to.iter().for_each(|to| take(Role::To, to));
            Kind::Join
        }
        NodeKind::Fork { paths } => {
            (1..).zip(paths).for_each(|(number, to)| take(Role::Path(number), to));
            Kind::Fork
        }
        NodeKind::Decision { cases, default, .. } => {
            for (number, case) in (1..).zip(cases) {
                case.to.iter().for_each(|to| take(Role::Case(number), to));
            }
            default.iter().for_each(|to| take(Role::Default, to));
            Kind::Decision
        }
        NodeKind::Action(action) => {
            action.ok.iter().for_each(|to| take(Role::Ok, to));
            action.error.iter().for_each(|to| take(Role::Error, to));
            Kind::Action
        }
    }
}

#[cfg(test)]
#[path = "graph_tests.rs"]
mod tests;
