//! A graph as data: what every renderer draws. Texts are clean and short here, so that renderers only escape.

use super::text;
use crate::redact::Redactor;

/// A graph with all its texts.
#[derive(Clone, Debug)]
pub struct Graph {
    /// What it shows, such as "workflow load".
    pub title: String,
    /// The same in a sentence or two, for those who cannot see it.
    pub about: String,
    /// Where edges lead.
    pub direction: Direction,
    /// The nodes in the order of the files.
    pub nodes: Vec<Node>,
    /// The edges, by source.
    pub edges: Vec<Edge>,
}

impl Graph {
    /// Puts stars for secrets into all texts. The title and the words about the whole are our own, with names in them.
    pub fn redact(&mut self, redactor: &Redactor) {
        let of_nodes = self.nodes.iter_mut().flat_map(|node| {
            std::iter::once(&mut node.name).chain(&mut node.lines).chain(std::iter::once(&mut node.about))
        });
        let of_edges = self.edges.iter_mut();
        let of_edges =
            of_edges.flat_map(|edge| edge.label.iter_mut().chain(std::iter::once(&mut edge.about)));
        for text in of_nodes.chain(of_edges) {
            *text = redactor.text(text).into_owned();
        }
        let shown = Redactor::default();
        for text in [&mut self.title, &mut self.about] {
            *text = shown.text(text).into_owned();
        }
    }
}

/// Where edges lead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From top to bottom.
    Down,
    /// From left to right.
    Right,
}

impl Direction {
    /// As DOT and Mermaid name it.
    pub fn word(self) -> &'static str {
        match self {
            Direction::Down => "TB",
            Direction::Right => "LR",
        }
    }
}

/// A node.
#[derive(Clone, Debug)]
pub struct Node {
    /// What it is.
    pub kind: Kind,
    /// Its name, shortened.
    pub name: String,
    /// What else its box says, shortened, line by line.
    pub lines: Vec<String>,
    /// Everything, for the tooltip; may hold line breaks.
    pub about: String,
    /// What is odd about it.
    pub marks: Vec<Mark>,
}

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Where a workflow starts.
    Start,
    /// Where it ends well.
    End,
    /// Where it ends badly.
    Kill,
    /// A choice.
    Decision,
    /// Where paths part.
    Fork,
    /// Where they meet.
    Join,
    /// Work.
    Action,
    /// Work that another workflow does.
    SubWorkflow,
    /// A coordinator.
    Coordinator,
    /// A dataset.
    Dataset,
}

impl Kind {
    /// A short name, for classes.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Start => "start",
            Kind::End => "end",
            Kind::Kill => "kill",
            Kind::Decision => "decision",
            Kind::Fork => "fork",
            Kind::Join => "join",
            Kind::Action => "action",
            Kind::SubWorkflow => "sub",
            Kind::Coordinator => "coordinator",
            Kind::Dataset => "dataset",
        }
    }
}

/// What is odd about a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mark {
    /// Something leads to it, but it does not exist.
    Missing,
    /// An earlier one has the same name.
    Duplicate,
    /// Nothing leads to it from the start.
    Unreached,
    /// No way leads from it to an end.
    Endless,
    /// The project does not hold it.
    Absent,
    /// A server would refuse it.
    Refused,
    /// It is switched off.
    Disabled,
    /// It takes the others with it when it fails.
    Critical,
}

impl Mark {
    /// What the box says.
    pub fn words(self) -> &'static str {
        match self {
            Mark::Missing => "not defined",
            Mark::Duplicate => "name already used",
            Mark::Unreached => "never reached",
            Mark::Endless => "reaches no end",
            Mark::Absent => "not in the project",
            Mark::Refused => "would be refused",
            Mark::Disabled => "not enabled",
            Mark::Critical => "critical",
        }
    }

    /// Whether something is wrong, rather than out of use or remarkable.
    pub fn is_fault(self) -> bool {
        matches!(self, Mark::Missing | Mark::Duplicate | Mark::Endless | Mark::Absent | Mark::Refused)
    }

    /// Whether the node plays no part.
    pub fn is_dead(self) -> bool {
        matches!(self, Mark::Unreached | Mark::Disabled)
    }
}

impl Node {
    /// Whether something is wrong with it.
    pub fn is_faulty(&self) -> bool {
        self.marks.iter().any(|mark| mark.is_fault())
    }

    /// Whether it plays no part.
    pub fn is_dead(&self) -> bool {
        self.marks.iter().any(|mark| mark.is_dead())
    }

    /// The words of all marks, or nothing.
    pub fn mark_words(&self) -> Option<String> {
        let words: Vec<_> = self.marks.iter().map(|mark| mark.words()).collect();
        (!words.is_empty()).then(|| words.join(", "))
    }
}

/// An edge.
#[derive(Clone, Debug)]
pub struct Edge {
    /// The node where it starts.
    pub from: usize,
    /// The node where it ends.
    pub to: usize,
    /// What it means.
    pub line: Line,
    /// What stands beside it, shortened.
    pub label: Option<String>,
    /// Everything, for the tooltip.
    pub about: String,
    /// Whether it closes or belongs to a loop that must not be.
    pub is_cyclic: bool,
}

/// What an edge means, and so how it is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Line {
    /// The way that is meant.
    Plain,
    /// The way after a failure, to a node that goes on.
    Error,
    /// The way after a failure, to a kill node; there are many, so they are drawn lightly.
    Failure,
}

impl Graph {
    /// Whether an edge plays no part, because one of its ends plays none.
    pub fn is_dead(&self, edge: &Edge) -> bool {
        [edge.from, edge.to].iter().any(|end| self.nodes[*end].is_dead())
    }

    /// How many nodes have this mark.
    pub fn count(&self, mark: Mark) -> usize {
        self.nodes.iter().filter(|node| node.marks.contains(&mark)).count()
    }

    /// Says how much there is and what is marked: "3 nodes, 2 edges; 1 node never reached".
    pub fn summary(&self) -> String {
        let mut parts = vec![format!(
            "{}, {}",
            text::count(self.nodes.len(), "node"),
            text::count(self.edges.len(), "edge")
        )];
        let faults = [
            Mark::Missing,
            Mark::Duplicate,
            Mark::Unreached,
            Mark::Endless,
            Mark::Absent,
            Mark::Refused,
            Mark::Disabled,
        ];
        for mark in faults {
            let count = self.count(mark);
            if count > 0 {
                parts.push(format!("{count} {}", mark.words()));
            }
        }
        if self.edges.iter().any(|edge| edge.is_cyclic) {
            parts.push("a loop".to_owned());
        }
        parts.join("; ")
    }
}
