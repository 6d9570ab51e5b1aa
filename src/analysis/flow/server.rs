//! The verdict of the server, node by node in its own order.
//!
//! Behaves as `LiteWorkflowApp.addNode` and then `LiteWorkflowValidator.validateWorkflow`, which recurse; this keeps
//! its own stack and takes time linear in nodes and transitions. Says only what the server says first: the precise
//! findings are made elsewhere, and the tests hold both against each other.

use std::collections::BTreeSet;

use super::forkjoin::{self, Fault, Sight};
use super::graph::{EdgeId, Flow, Kind, NodeId};
use super::order::{back_edges, reachable};

/// The longest name of a node, `ParamChecker.MAX_NODE_NAME_LEN`.
pub const LONGEST_NAME: usize = 128;

/// Why a server refuses a workflow whose document its schema accepts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The error code.
    pub code: &'static str,
    /// The node at which it shows; `None` where the server names none.
    pub node: Option<NodeId>,
}

/// What the server says first about a workflow; `None` when it accepts.
///
/// `validate_fork_join` is what `oozie.wf.validate.ForkJoin` and `oozie.validate.ForkJoin` say together.
pub fn verdict(flow: &Flow<'_>, validate_fork_join: bool) -> Option<Refusal> {
    added(flow).or_else(|| {
        let counts = match basic(flow) {
            Ok(counts) => counts,
            Err(refusal) => return Some(refusal),
        };
        if !validate_fork_join {
            return None;
        }
        if counts.forks != counts.joins {
            return Some(Refusal { code: "E0730", node: None });
        }
        let faults = forkjoin::walk(flow, &reachable(flow), &back_edges(flow)).faults;
        faults
            .first()
            .filter(|found| found.sight == Sight::Server)
            .map(|found| Refusal { code: found.fault.code(), node: Some(found.fault.node()) })
    })
}

/// `LiteWorkflowApp.addNode`, for each node in document order.
fn added(flow: &Flow<'_>) -> Option<Refusal> {
    let mut names = BTreeSet::new();
    for id in flow.ids() {
        let node = flow.node(id);
        if !names.insert(node.name.value.as_str()) {
            return Some(Refusal { code: "E0705", node: Some(id) });
        }
        if flow.out(id).iter().any(|edge| edge.to.value == node.name.value) {
            return Some(Refusal { code: "E0706", node: Some(id) });
        }
    }
    None
}

/// How many forks and joins start reaches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Forks.
    pub forks: usize,
    /// Joins.
    pub joins: usize,
}

impl Counts {
    /// Counts the nodes for which `reachable` holds.
    pub fn of(flow: &Flow<'_>, reachable: &[bool]) -> Counts {
        let count = |kind| flow.ids().filter(|id| reachable[id.index()] && flow.kind(*id) == kind).count();
        Counts { forks: count(Kind::Fork), joins: count(Kind::Join) }
    }
}

/// `LiteWorkflowValidator.performBasicValidation`: names, loops and unknown targets along a walk in depth.
fn basic(flow: &Flow<'_>) -> Result<Counts, Refusal> {
    let mut counts = Counts::default();
    let Some(start) = flow.start() else { return Ok(counts) };
    let mut seen = vec![false; flow.len()];
    let mut open = vec![false; flow.len()];
    let mut stack = vec![EdgeId::first(start)];
    seen[start.index()] = true;
    open[start.index()] = true;
    while let Some(next) = stack.last_mut() {
        let at = *next;
        let Some(edge) = flow.get(at) else {
            open[at.from.index()] = false;
            stack.pop();
            continue;
        };
        next.index += 1;
        let Some(target) = edge.target else {
            return Err(Refusal { code: "E0708", node: Some(at.from) });
        };
        if open[target.index()] {
            return Err(Refusal { code: "E0707", node: Some(target) });
        }
        if std::mem::replace(&mut seen[target.index()], true) {
            continue;
        }
        if !name_is_accepted(flow.name(target)) {
            return Err(Refusal { code: "E0724", node: Some(target) });
        }
        match flow.kind(target) {
            Kind::Fork => counts.forks += 1,
            Kind::Join => counts.joins += 1,
            _ => {}
        }
        open[target.index()] = true;
        stack.push(EdgeId::first(target));
    }
    Ok(counts)
}

/// `ParamChecker.validateActionName`.
pub fn name_is_accepted(name: &str) -> bool {
    name.len() <= LONGEST_NAME && name_fits_pattern(name)
}

/// The pattern of node names in every version of the schema, `IDENTIFIER`; the length does not matter to it.
pub fn name_fits_pattern(name: &str) -> bool {
    // What is no ASCII is in no byte of these.
    let is_first = |byte: u8| byte.is_ascii_alphabetic() || byte == b'_';
    let is_other = |byte: u8| is_first(byte) || byte.is_ascii_digit() || byte == b'-';
    name.bytes().next().is_some_and(is_first) && name.bytes().all(is_other)
}

impl Fault {
    /// The code that `validateForkJoin` raises for it.
    pub fn code(&self) -> &'static str {
        match self {
            Fault::NoJoin { .. } => "E0733",
            Fault::EndInside { .. } => "E0737",
            Fault::NoFork { .. } => "E0742",
            Fault::Concurrent { .. } => "E0743",
            Fault::SameTarget { .. } => "E0744",
            Fault::ManyJoins { .. } => "E0757",
            Fault::ManyForks { .. } => "E0758",
        }
    }
}

#[cfg(test)]
#[path = "server_tests.rs"]
mod tests;
