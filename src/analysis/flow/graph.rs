//! The control flow of one workflow as numbered nodes and edges.
//!
//! Holds names, kinds, transitions and their places, nothing of what an action does. Never judges.

use std::fmt;

use indexmap::IndexMap;
use petgraph::graph::{DiGraph, NodeIndex};

use crate::model::Workflow;
use crate::model::workflow::NodeKind;
use crate::source::{Span, Text};

/// A node, by its position in the document (the same as in `Workflow::nodes`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(u32);

impl NodeId {
    /// The node at this position.
    pub fn new(index: usize) -> NodeId {
        NodeId(u32::try_from(index).expect("fewer than 2^32 nodes"))
    }

    /// The position.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// An edge: the transition at a position of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EdgeId {
    /// Where it starts.
    pub from: NodeId,
    /// Its position among the transitions of that node.
    pub index: usize,
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
#[derive(Clone, Debug)]
pub struct Edge {
    /// What it is for its node.
    pub role: Role,
    /// The name it gives, with its place.
    pub to: Text,
    /// The first node of that name; `None` when there is none.
    pub target: Option<NodeId>,
}

/// A node with its transitions.
#[derive(Clone, Debug)]
pub struct Node {
    /// Its name, with its place.
    pub name: Text,
    /// The name in the start tag.
    pub tag_span: Span,
    /// What it is.
    pub kind: Kind,
    /// The transitions in the order in which the server keeps them.
    pub out: Vec<Edge>,
}

/// The control flow of a workflow.
///
/// Invariant: `graph` has the same nodes, and one edge for every transition with a target.
#[derive(Clone, Debug)]
pub struct Flow {
    nodes: Vec<Node>,
    start: Option<NodeId>,
    by_name: IndexMap<String, NodeId>,
    graph: DiGraph<(), ()>,
}

impl Flow {
    /// Reads the control flow off a workflow. A transition that the document lacks is no edge.
    pub fn new(workflow: &Workflow) -> Flow {
        let mut by_name = IndexMap::with_capacity(workflow.nodes.len());
        for (index, node) in workflow.nodes.iter().enumerate() {
            by_name.entry(node.name.value.clone()).or_insert(NodeId::new(index));
        }
        let mut graph = DiGraph::with_capacity(workflow.nodes.len(), workflow.nodes.len() * 2);
        for _ in &workflow.nodes {
            graph.add_node(());
        }
        let mut nodes = Vec::with_capacity(workflow.nodes.len());
        for (index, node) in workflow.nodes.iter().enumerate() {
            let (kind, transitions) = transitions(&node.kind);
            let edge = |(role, to): (Role, &Text)| {
                let target = by_name.get(&to.value).copied();
                if let Some(target) = target {
                    graph.add_edge(NodeIndex::new(index), NodeIndex::new(target.index()), ());
                }
                Edge { role, to: to.clone(), target }
            };
            let out = transitions.into_iter().map(edge).collect();
            nodes.push(Node { name: node.name.clone(), tag_span: node.tag_span, kind, out });
        }
        let start = nodes.iter().position(|node| node.kind == Kind::Start).map(NodeId::new);
        Flow { nodes, start, by_name, graph }
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// True when there are no nodes.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
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
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// The name of a node.
    pub fn name(&self, id: NodeId) -> &str {
        &self.nodes[id.index()].name.value
    }

    /// The kind of a node.
    pub fn kind(&self, id: NodeId) -> Kind {
        self.nodes[id.index()].kind
    }

    /// The transitions of a node in the server's order.
    pub fn edges(&self, from: NodeId) -> impl Iterator<Item = (EdgeId, &Edge)> {
        self.nodes[from.index()]
            .out
            .iter()
            .enumerate()
            .map(move |(index, edge)| (EdgeId { from, index }, edge))
    }

    /// An edge.
    pub fn edge(&self, id: EdgeId) -> &Edge {
        &self.nodes[id.from.index()].out[id.index]
    }

    /// The first node of this name.
    pub fn find(&self, name: &str) -> Option<NodeId> {
        self.by_name.get(name).copied()
    }

    /// All names, once each, in document order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.by_name.keys().map(String::as_str)
    }

    /// Nodes and known transitions alone; indices are those of [`NodeId`].
    pub fn graph(&self) -> &DiGraph<(), ()> {
        &self.graph
    }
}

/// Kind and transitions of a node, in the order of `LiteWorkflowAppParser.parse`.
fn transitions(kind: &NodeKind) -> (Kind, Vec<(Role, &Text)>) {
    match kind {
        NodeKind::Start { to } => (Kind::Start, to.iter().map(|to| (Role::To, to)).collect()),
        NodeKind::End => (Kind::End, Vec::new()),
        NodeKind::Kill { .. } => (Kind::Kill, Vec::new()),
        NodeKind::Join { to } => (Kind::Join, to.iter().map(|to| (Role::To, to)).collect()),
        NodeKind::Fork { paths } => {
            let path = |(index, to)| (Role::Path(index + 1), to);
            (Kind::Fork, paths.iter().enumerate().map(path).collect())
        }
        NodeKind::Decision { cases, default } => {
            let cases = cases.iter().enumerate();
            let cases = cases.filter_map(|(index, case)| Some((Role::Case(index + 1), case.to.as_ref()?)));
            (Kind::Decision, cases.chain(default.iter().map(|to| (Role::Default, to))).collect())
        }
        NodeKind::Action(action) => {
            let ok = action.ok.iter().map(|to| (Role::Ok, to));
            (Kind::Action, ok.chain(action.error.iter().map(|to| (Role::Error, to))).collect())
        }
    }
}
