//! What start reaches, in which order, and which transitions close a loop.
//!
//! Every walk keeps its own stack, so that a chain of any length is safe.

use std::collections::VecDeque;

use petgraph::algo::kosaraju_scc;

use super::graph::{EdgeId, Flow, Kind, NodeId};

/// Which nodes a path from start leads to. Without a start node: none.
pub fn reachable(flow: &Flow<'_>) -> Vec<bool> {
    let distances = distances(flow);
    distances.iter().map(Option::is_some).collect()
}

/// For each node the length of the shortest path from start; `None` where there is none.
pub fn distances(flow: &Flow<'_>) -> Vec<Option<usize>> {
    let mut distance = vec![None; flow.len()];
    let mut queue = VecDeque::new();
    if let Some(start) = flow.start() {
        distance[start.index()] = Some(0);
        queue.push_back((start, 0));
    }
    while let Some((node, steps)) = queue.pop_front() {
        for target in flow.edges(node).filter_map(|(_, edge)| edge.target) {
            if distance[target.index()].is_none() {
                distance[target.index()] = Some(steps + 1);
                queue.push_back((target, steps + 1));
            }
        }
    }
    distance
}

/// The nodes in order of possible execution, each with its level.
///
/// The level is the length of the shortest path from the start node, whose own level is 0: the fewest transitions
/// after which the node can begin. Nodes stand by level, then by position in the document; those that start does not
/// reach come last and have no level.
pub fn levels(flow: &Flow<'_>) -> Vec<(NodeId, Option<usize>)> {
    let distance = distances(flow);
    let mut nodes: Vec<_> = flow.ids().map(|id| (id, distance[id.index()])).collect();
    nodes.sort_by_key(|(id, level)| (level.unwrap_or(usize::MAX), *id));
    nodes
}

/// Which nodes have a path to an end or kill node.
pub fn can_finish(flow: &Flow<'_>) -> Vec<bool> {
    // The transitions into each node, node by node: counted first, then put in place.
    let mut ends = vec![0_usize; flow.len() + 1];
    let known = || {
        flow.ids().flat_map(|from| flow.out(from).iter().filter_map(move |edge| Some((from, edge.target?))))
    };
    known().for_each(|(_, target)| ends[target.index() + 1] += 1);
    for index in 0..flow.len() {
        ends[index + 1] += ends[index];
    }
    let mut before = vec![NodeId::new(0); ends[flow.len()]];
    let mut next = ends.clone();
    for (from, target) in known() {
        before[next[target.index()]] = from;
        next[target.index()] += 1;
    }
    let mut finishes = vec![false; flow.len()];
    let mut todo: Vec<_> = flow.ids().filter(|id| matches!(flow.kind(*id), Kind::End | Kind::Kill)).collect();
    while let Some(node) = todo.pop() {
        if !std::mem::replace(&mut finishes[node.index()], true) {
            todo.extend(&before[ends[node.index()]..ends[node.index() + 1]]);
        }
    }
    finishes
}

/// The transitions that lead back to a node of the path that led to them, when the nodes are walked in depth first
/// from start and then from every node not yet seen; by [`Flow::position`]. Without them the graph has no loop.
pub fn back_edges(flow: &Flow<'_>) -> Vec<bool> {
    in_depth(flow).0
}

/// The nodes so that, but for back edges, each comes after all that it leads to.
pub fn finished_first(flow: &Flow<'_>) -> Vec<NodeId> {
    in_depth(flow).1
}

/// Walks all nodes in depth: the back edges, and the nodes in the order in which they are done.
fn in_depth(flow: &Flow<'_>) -> (Vec<bool>, Vec<NodeId>) {
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        New,
        Open,
        Done,
    }
    let mut state = vec![State::New; flow.len()];
    let mut back = vec![false; flow.edge_count()];
    let mut done = Vec::with_capacity(flow.len());
    let mut stack: Vec<EdgeId> = Vec::new();
    for root in flow.start().into_iter().chain(flow.ids()) {
        if state[root.index()] != State::New {
            continue;
        }
        state[root.index()] = State::Open;
        stack.push(EdgeId::first(root));
        while let Some(next) = stack.last_mut() {
            let at = *next;
            let Some(edge) = flow.get(at) else {
                state[at.from.index()] = State::Done;
                done.push(at.from);
                stack.pop();
                continue;
            };
            next.index += 1;
            let Some(target) = edge.target else { continue };
            match state[target.index()] {
                State::Done => {}
                State::Open => back[flow.position(at)] = true,
                State::New => {
                    state[target.index()] = State::Open;
                    stack.push(EdgeId::first(target));
                }
            }
        }
    }
    (back, done)
}

/// One loop for every group of nodes that reach each other, as its transitions in order.
///
/// A loop begins at that node of the group which stands first in the document, and is a shortest one through it.
/// Nodes that only go to themselves are left out.
pub fn loops(flow: &Flow<'_>, back: &[bool]) -> Vec<Vec<EdgeId>> {
    if !back.contains(&true) {
        return Vec::new();
    }
    let mut group = vec![None; flow.len()];
    let mut groups = kosaraju_scc(&flow.graph());
    groups.retain(|nodes| nodes.len() > 1);
    for (number, nodes) in groups.iter().enumerate() {
        for node in nodes {
            group[node.index()] = Some(number);
        }
    }
    let mut firsts: Vec<_> =
        groups.iter().filter_map(|nodes| nodes.iter().map(|node| NodeId::new(node.index())).min()).collect();
    firsts.sort();
    let mut came_by: Vec<Option<EdgeId>> = vec![None; flow.len()];
    firsts.into_iter().map(|first| shortest_loop(flow, first, &group, &mut came_by)).collect()
}

/// The shortest loop through `first` inside its group; `came_by` has no entry for that group yet.
fn shortest_loop(
    flow: &Flow<'_>,
    first: NodeId,
    group: &[Option<usize>],
    came_by: &mut [Option<EdgeId>],
) -> Vec<EdgeId> {
    let mut queue = VecDeque::from([first]);
    'search: while let Some(node) = queue.pop_front() {
        for (id, edge) in flow.edges(node) {
            let Some(target) = edge.target else { continue };
            let inside = group[target.index()] == group[first.index()];
            if inside && target != node && came_by[target.index()].is_none() {
                came_by[target.index()] = Some(id);
                if target == first {
                    break 'search;
                }
                queue.push_back(target);
            }
        }
    }
    let mut edges = Vec::new();
    let mut at = first;
    while let Some(edge) = came_by[at.index()] {
        edges.push(edge);
        at = edge.from;
        if at == first {
            break;
        }
    }
    edges.reverse();
    edges
}

#[cfg(test)]
#[path = "order_tests.rs"]
mod tests;
