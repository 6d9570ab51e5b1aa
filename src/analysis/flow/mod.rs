//! The control flow of a workflow: what is reached, in which order, and whether forks and joins fit.
//!
//! Everything here is linear in nodes and transitions and keeps its own stack; nothing recurses. What the server
//! would say is in [`server`]; the facts from which the rules make precise findings are in [`Facts`].

pub mod forkjoin;
pub mod graph;
pub mod order;
pub mod server;

use indexmap::IndexMap;

pub use forkjoin::Fault;
pub use graph::{EdgeId, Flow, Kind, NodeId, Role};
pub use order::levels;

use forkjoin::Walk;
use server::Counts;

/// What several rules ask about the control flow of a workflow.
#[derive(Clone, Debug)]
pub struct Facts {
    /// The nodes and transitions.
    pub flow: Flow,
    /// For each node: a path from start leads to it.
    pub reachable: Vec<bool>,
    /// For each node: a path leads from it to an end or kill node.
    pub finishes: Vec<bool>,
    /// Nodes whose name an earlier one has: the earlier one, and this.
    pub duplicates: Vec<(NodeId, NodeId)>,
    /// One loop for every group of nodes that reach each other.
    pub loops: Vec<Vec<EdgeId>>,
    /// Forks and joins that start reaches.
    pub counts: Counts,
    /// The walk over forks and joins.
    pub walk: Walk,
}

impl Facts {
    /// Works them out.
    pub fn new(flow: Flow) -> Facts {
        let reachable = order::reachable(&flow);
        let mut names = IndexMap::with_capacity(flow.len());
        let mut duplicates = Vec::new();
        for id in flow.ids() {
            let first = *names.entry(flow.name(id)).or_insert(id);
            if first != id {
                duplicates.push((first, id));
            }
        }
        Facts {
            finishes: order::can_finish(&flow),
            duplicates,
            loops: order::loops(&flow),
            counts: Counts::of(&flow, &reachable),
            walk: forkjoin::walk(&flow),
            reachable,
            flow,
        }
    }

    /// True when start leads to the node.
    pub fn is_reached(&self, node: NodeId) -> bool {
        self.reachable[node.index()]
    }

    /// The codes that a server raises for a fault of fork and join: it compares the numbers of both first.
    pub fn codes(&self, fault: &Fault) -> Vec<&'static str> {
        let coarse = (self.counts.forks != self.counts.joins).then_some("E0730");
        coarse.into_iter().chain([fault.code()]).collect()
    }

    /// The way from a node to the end of a transition, as the walk went.
    pub fn path(&self, from: NodeId, via: EdgeId) -> Path {
        let mut nodes: Vec<NodeId> = self.flow.edge(via).target.into_iter().collect();
        let mut at = via.from;
        while at != from && nodes.len() < LONGEST_PATH {
            nodes.push(at);
            match self.walk.came_by[at.index()] {
                Some(edge) => at = edge.from,
                None => break,
            }
        }
        let is_cut = at != from;
        nodes.push(from);
        nodes.reverse();
        Path { nodes, is_cut }
    }
}

/// The longest path that a message shows in full, in nodes.
pub const LONGEST_PATH: usize = 12;

/// A way through the workflow, as a message shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    /// The nodes in order.
    pub nodes: Vec<NodeId>,
    /// True when nodes were left out after the first.
    pub is_cut: bool,
}

impl Path {
    /// The names with arrows between.
    pub fn show(&self, flow: &Flow) -> String {
        let mut text = String::new();
        for (index, node) in self.nodes.iter().enumerate() {
            match index {
                0 => {}
                1 if self.is_cut => text.push_str(" → … → "),
                _ => text.push_str(" → "),
            }
            text.push('`');
            text.push_str(shown_name(flow.name(*node)));
            text.push('`');
        }
        text
    }
}

/// A node's name as messages show it: the start node has none in the file.
pub fn shown_name(name: &str) -> &str {
    if name == ":start:" { "start" } else { name }
}
