//! The control flow in the words of a message: places, transitions and paths.

use std::collections::{BTreeMap, VecDeque};

use super::{EdgeId, Facts, Flow, Kind, NodeId, Role};
use crate::source::Span;

/// The longest path that a message shows in full, in transitions.
const LONGEST_PATH: usize = 12;

/// The name of the start node, which has none in the file.
const START: &str = "start";

impl Flow<'_> {
    /// A node's name as messages show it.
    pub fn shown(&self, node: NodeId) -> &str {
        if self.kind(node) == Kind::Start { START } else { self.name(node) }
    }

    /// The place for a finding about a node: its name, or its tag where it has none.
    pub fn place(&self, node: NodeId) -> Span {
        let found = self.node(node);
        if found.name.value.is_empty() || found.kind == Kind::Start {
            found.tag_span
        } else {
            found.name.span
        }
    }

    /// A transition, such as "`ok` of `a`".
    pub fn words(&self, edge: EdgeId) -> String {
        let name = self.shown(edge.from);
        match self.edge(edge).role {
            Role::To if self.kind(edge.from) == Kind::Start => "start".to_owned(),
            Role::To => format!("join `{name}`"),
            Role::Ok => format!("`ok` of `{name}`"),
            Role::Error => format!("`error` of `{name}`"),
            Role::Case(number) => format!("case {number} of `{name}`"),
            Role::Default => format!("`default` of `{name}`"),
            Role::Path(number) => format!("path {number} of `{name}`"),
        }
    }
}

/// Names with arrows between; `…` where a path was cut.
pub fn arrows<'a>(names: impl IntoIterator<Item = Option<&'a str>>) -> String {
    let names = names.into_iter().map(|name| name.map_or_else(|| "…".to_owned(), |name| format!("`{name}`")));
    names.collect::<Vec<_>>().join(" → ")
}

/// Transitions one after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Way {
    /// Where it begins.
    pub from: NodeId,
    /// The transitions.
    pub edges: Vec<EdgeId>,
}

impl Facts<'_> {
    /// The way from a node to the end of a transition as the walk went, such as "`fork` → `a` → `join`".
    pub fn path(&self, from: NodeId, via: EdgeId) -> String {
        let mut names: Vec<_> =
            self.flow.edge(via).target.map(|node| Some(self.flow.shown(node))).into_iter().collect();
        let mut at = via.from;
        while at != from && names.len() < LONGEST_PATH {
            names.push(Some(self.flow.shown(at)));
            match self.walk.came_by[at.index()] {
                Some(edge) => at = edge.from,
                None => break,
            }
        }
        if at != from {
            names.push(None);
        }
        names.push(Some(self.flow.shown(from)));
        arrows(names.into_iter().rev())
    }

    /// A shortest way from a node to another one that leaves a third out, such as "`a` → `b`"; `None` when there is none.
    /// `steps` counts the nodes that were looked at.
    pub fn way_past(
        &self,
        from: NodeId,
        to: NodeId,
        without: Option<NodeId>,
        steps: &mut usize,
    ) -> Option<Way> {
        let mut came_by: BTreeMap<NodeId, EdgeId> = BTreeMap::new();
        let mut queue = VecDeque::from([from]);
        while let Some(node) = queue.pop_front().filter(|node| *node != to) {
            *steps += 1;
            for (id, edge) in self.flow.edges(node) {
                let Some(target) = edge.target.filter(|target| Some(*target) != without) else { continue };
                if target != from && !came_by.contains_key(&target) {
                    came_by.insert(target, id);
                    if target == to {
                        queue.clear();
                        break;
                    }
                    queue.push_back(target);
                }
            }
        }
        let mut edges: Vec<EdgeId> =
            std::iter::successors(came_by.get(&to), |edge| came_by.get(&edge.from)).copied().collect();
        edges.reverse();
        (from == to || !edges.is_empty()).then_some(Way { from, edges })
    }

    /// A way in words; where it goes on after a failure, the arrow says so.
    pub fn way(&self, way: &Way) -> String {
        /// What is shown of each end of a longer way.
        const HALF: usize = LONGEST_PATH / 2;
        let mut text = format!("`{}`", self.flow.shown(way.from));
        for (index, edge) in way.edges.iter().enumerate() {
            if (HALF..way.edges.len().saturating_sub(HALF)).contains(&index) {
                if index == HALF {
                    text.push_str(" → …");
                }
                continue;
            }
            let edge = self.flow.edge(*edge);
            text.push_str(if edge.role == Role::Error { " → error → " } else { " → " });
            let name = edge.target.map_or(edge.to.value.as_str(), |node| self.flow.shown(node));
            text.push_str(&format!("`{name}`"));
        }
        text
    }

    /// A loop, such as "`a` → `b` → `a`".
    pub fn whole_loop(&self, edges: &[EdgeId]) -> String {
        let name = |edge: &EdgeId| Some(self.flow.shown(edge.from));
        let mut names: Vec<_> = edges.iter().map(name).collect();
        names.extend(edges.first().map(name));
        if names.len() > LONGEST_LOOP {
            let tail = names.split_off(names.len() - LONGEST_LOOP / 2);
            names.truncate(LONGEST_LOOP / 2);
            names.push(None);
            names.extend(tail);
        }
        arrows(names)
    }
}

/// The longest loop that a message shows in full, in nodes.
const LONGEST_LOOP: usize = 100;

#[cfg(test)]
#[path = "words_tests.rs"]
mod tests;
