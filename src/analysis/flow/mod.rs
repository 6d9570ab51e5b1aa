//! The control flow of a workflow: what is reached, in which order, and whether forks and joins fit.
//!
//! Everything here is linear in nodes and transitions and keeps its own stack; nothing recurses. What the server
//! would say is in [`server`]; the facts from which the rules make precise findings are in [`Facts`].

mod before;
pub mod forkjoin;
pub mod graph;
mod hidden;
pub mod order;
pub mod server;
mod sift;
pub mod words;

pub use before::Before;
pub use forkjoin::Fault;
pub use graph::{EdgeId, Flow, Kind, NodeId, Role};
pub use order::levels;

use crate::diag::{Diagnostic, Severity};
use forkjoin::{Found, Sight, Walk};
use server::Counts;

/// What several rules ask about the control flow of a workflow.
#[derive(Clone, Debug)]
pub struct Facts<'a> {
    /// The nodes and transitions.
    pub flow: Flow<'a>,
    /// For each node: a path from start leads to it.
    pub reachable: Vec<bool>,
    /// For each node: a path leads from it to an end or kill node.
    pub finishes: Vec<bool>,
    /// One loop for every group of nodes that reach each other.
    pub loops: Vec<Vec<EdgeId>>,
    /// Forks and joins that start reaches.
    pub counts: Counts,
    /// The walk over forks and joins.
    pub walk: Walk,
    /// The job lets the server look at forks and joins, as it does unless told otherwise.
    pub validates_forks: bool,
}

impl<'a> Facts<'a> {
    /// Works them out.
    pub fn new(flow: Flow<'a>) -> Facts<'a> {
        let reachable = order::reachable(&flow);
        let back = order::back_edges(&flow);
        let mut facts = Facts {
            finishes: order::can_finish(&flow),
            loops: order::loops(&flow, &back),
            counts: Counts::of(&flow, &reachable),
            walk: forkjoin::walk(&flow, &reachable, &back),
            validates_forks: true,
            reachable,
            flow,
        };
        let refused = |found: &Found| found.sight == Sight::Server;
        let turns = |edges: &Vec<EdgeId>| edges.first().is_some_and(|edge| facts.is_reached(edge.from));
        let turns_back = facts.loops.iter().any(turns);
        if !turns_back && !facts.has_loose_end() && !facts.walk.faults.iter().any(refused) {
            let hidden = hidden::hidden(&facts.flow, &facts.reachable, &facts.walk);
            facts.walk.faults.extend(hidden);
        }
        facts
    }

    /// True when start leads to the node.
    pub fn is_reached(&self, node: NodeId) -> bool {
        self.reachable[node.index()]
    }

    /// True when start reaches a transition to a node that does not exist.
    pub fn has_loose_end(&self) -> bool {
        let mut reached = self.flow.ids().filter(|id| self.is_reached(*id));
        reached.any(|id| self.flow.out(id).iter().any(|edge| edge.target.is_none()))
    }

    /// Which nodes are surely done when others start; `None` where loops, loose ends or misfit forks leave no order.
    pub fn before(&self) -> Option<Before<'_>> {
        let turns = |edges: &Vec<EdgeId>| edges.first().is_some_and(|edge| self.is_reached(edge.from));
        let is_ordered = !self.loops.iter().any(turns)
            && !self.flow.ids().any(|id| self.is_reached(id) && self.goes_to_itself(id))
            && !self.has_loose_end()
            && !self.walk.faults.iter().any(Found::is_reached);
        is_ordered.then(|| Before::of(&self.flow, &self.walk, &self.reachable))
    }

    /// True when a transition of the node gives the node's own name.
    pub fn goes_to_itself(&self, node: NodeId) -> bool {
        self.flow.edges(node).any(|(_, edge)| edge.to.value == self.flow.name(node))
    }

    /// A finding at a node, weighed by whether a server ever looks at it: what start does not reach it accepts.
    pub fn weigh(&self, node: NodeId, finding: Diagnostic) -> Diagnostic {
        if self.is_reached(node) { finding } else { finding.stage(None).severity(Severity::Warning) }
    }

    /// A finding about a fault of fork and join, weighed by who sees it.
    ///
    /// A server compares the numbers of forks and joins first, and hides the precise code behind that. A way that it
    /// does not look at is taken only after a failure, so there the finding is a warning.
    pub fn judge(&self, found: &Found, finding: Diagnostic) -> Diagnostic {
        let finding = match found.sight {
            Sight::Server if !self.validates_forks => finding,
            Sight::Server => {
                let coarse = (self.counts.forks != self.counts.joins).then_some("E0730");
                let codes: Vec<_> = coarse.into_iter().chain([found.fault.code()]).collect();
                return finding.oozie(&codes);
            }
            Sight::Unreached => finding,
            Sight::Hidden(entry) => {
                let words = format!("{} leads there, which a server does not follow", self.flow.words(entry));
                finding.label(self.flow.edge(entry).to.span, words)
            }
        };
        finding.stage(None).severity(Severity::Warning)
    }
}
