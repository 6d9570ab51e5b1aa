//! The control flow of a workflow: what is reached, in which order, and whether forks and joins fit.
//!
//! Everything here is linear in nodes and transitions and keeps its own stack; nothing recurses. What the server
//! would say is in [`server`]; the facts from which the rules make precise findings are in [`Facts`].

mod before;
pub mod forkjoin;
pub mod graph;
pub mod order;
pub mod server;
mod sift;
mod states;
#[cfg(test)]
mod testing;
mod tree;
pub mod truth;
pub mod words;

pub use before::Before;
pub use forkjoin::Fault;
pub use graph::{EdgeId, Flow, Kind, NodeId, Role};
pub use order::levels;

use crate::diag::{Diagnostic, Severity, Stage};
use crate::model::Dialect;
use forkjoin::{Found, Sight, Walk};
use server::Counts;
use truth::Truth;
use words::Way;

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
    /// The language of the workflow.
    pub dialect: Dialect,
    /// What goes wrong in executions; `None` where loops or loose ends are in the way.
    pub truth: Option<Truth>,
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
            dialect: Dialect::Oozie,
            truth: None,
            reachable,
            flow,
        };
        if facts.is_plain() {
            let truth = truth::truth(&facts.flow, &facts.reachable);
            truth.tell(&facts.flow, &mut facts.walk);
            facts.truth = Some(truth);
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

    /// True when start reaches neither a loop nor a loose end.
    fn is_plain(&self) -> bool {
        let turns = |edges: &Vec<EdgeId>| edges.first().is_some_and(|edge| self.is_reached(edge.from));
        let to_itself = |id: NodeId| self.is_reached(id) && self.goes_to_itself(id);
        !self.loops.iter().any(turns) && !self.has_loose_end() && !self.flow.ids().any(to_itself)
    }

    /// Which nodes are surely done when others start; `None` where loops, loose ends or misfit forks leave no order.
    pub fn before(&self) -> Option<Before<'_>> {
        let truth = self.truth.as_ref()?;
        let is_ordered = truth.is_whole && !self.walk.faults.iter().any(Found::is_reached);
        is_ordered.then(|| Before::of(&self.flow, &self.walk, &truth.starts))
    }

    /// True when a transition of the node gives the node's own name.
    pub fn goes_to_itself(&self, node: NodeId) -> bool {
        if self.flow.duplicates().is_empty() {
            return self.flow.out(node).iter().any(|edge| edge.target == Some(node));
        }
        self.flow.out(node).iter().any(|edge| edge.to.value == self.flow.name(node))
    }

    /// A finding at a node, weighed by whether a server ever looks at it: what start does not reach it accepts.
    pub fn weigh(&self, node: NodeId, finding: Diagnostic) -> Diagnostic {
        // The other dialect demands a graph without faults, reached or not.
        match self.is_reached(node) || self.dialect == Dialect::Hws {
            true => finding,
            false => finding.stage(None).severity(Severity::Warning),
        }
    }

    /// A finding about a fault of fork and join, weighed by who sees it.
    ///
    /// A server compares the numbers of forks and joins first, and hides the precise code behind that. Where it is
    /// stricter or more permissive than need be, the finding says so. What only comes up after a failure and no server
    /// refuses is a warning.
    pub fn judge(&self, found: &Found, mut finding: Diagnostic) -> Diagnostic {
        if self.dialect == Dialect::Hws {
            return self.judge_alone(found, finding);
        }
        match found.sight {
            Sight::Server if !self.validates_forks => {
                finding.message.push_str(", which this server does not look at");
                finding.message.push_str(self.without_validation(found));
                finding.stage(None).severity(Severity::Warning)
            }
            Sight::Server => {
                let coarse = (self.counts.forks != self.counts.joins).then_some("E0730");
                let codes: Vec<_> = coarse.into_iter().chain([found.fault.code()]).collect();
                if found.is_harmless {
                    finding.message.push_str(", which the server refuses although no execution goes wrong");
                }
                finding.oozie(&codes)
            }
            Sight::Unreached => finding.stage(None).severity(Severity::Warning),
            Sight::Hidden { entry, needs_failure } => {
                finding.message.push_str(", which the server does not see");
                let words = format!("{} leads there", self.flow.words(entry));
                let place = self.flow.edge(entry).to.span;
                let is_marked =
                    finding.span == place || finding.labels.iter().any(|label| label.span == place);
                let finding = if is_marked { finding } else { finding.label(place, words) };
                if needs_failure {
                    return finding.stage(None).severity(Severity::Warning);
                }
                match found.fault {
                    Fault::Concurrent { .. } | Fault::SameTarget { .. } | Fault::ManyForks { .. } => {
                        finding.stage(Some(Stage::Action)).oozie(&["E0709"])
                    }
                    Fault::NoFork { .. } => finding.stage(Some(Stage::Action)).oozie(&["E0720"]),
                    _ => finding.stage(None),
                }
            }
        }
    }

    /// A finding about a fault of fork and join where the definition alone counts: what comes up after a failure is a
    /// fault as well, unless nothing comes of it.
    fn judge_alone(&self, found: &Found, finding: Diagnostic) -> Diagnostic {
        match found.sight {
            Sight::Unreached => finding.stage(None).severity(Severity::Warning),
            _ if found.is_harmless => finding.stage(None).severity(Severity::Warning),
            _ => finding,
        }
    }

    /// What a fault leads to where forks and joins are not validated; empty where nothing comes of it.
    fn without_validation(&self, found: &Found) -> &'static str {
        match found.fault {
            Fault::EndInside { .. } => ": it ends the workflow there, and what runs on other paths is killed",
            Fault::Concurrent { .. } | Fault::SameTarget { .. } | Fault::ManyForks { .. }
                if !found.is_harmless =>
            {
                ": the job fails when a second path comes there (E0709)"
            }
            Fault::NoFork { .. } if !found.is_harmless => ": the job fails there (E0720)",
            _ => "",
        }
    }

    /// One of the paths that show a fault, in words: as some execution takes it, or else as the walk went.
    pub fn witness(&self, found: &Found, index: usize, from: NodeId, via: EdgeId) -> String {
        let way = found.ways.as_ref().and_then(|ways| ways.get(index)).filter(|way| way.last() == Some(&via));
        match way.and_then(|way| Some((way.first()?.from, way))) {
            Some((from, way)) => self.way(&Way { from, edges: way.clone() }),
            None => self.path(from, via),
        }
    }
}

#[cfg(test)]
mod tests;
