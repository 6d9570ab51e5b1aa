//! Patterns as trees.

use std::rc::Rc;

use super::class::{Class, Set};

/// A piece of a pattern.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Node {
    /// Several, one after the other.
    Sequence(Vec<Node>),
    /// Any of several, the first that fits.
    Choice(Vec<Node>),
    /// One character of a set.
    One(Rc<Set>),
    /// A place.
    Place(Place),
    /// What a group matched; the flag says how case counts.
    Reference(usize, Case),
    /// A group with a number.
    Group(usize, Box<Node>),
    /// Without a way back once it has matched.
    Atomic(Box<Node>),
    /// What stands ahead or behind.
    Look { behind: bool, negative: bool, node: Box<Node> },
    /// So many times.
    Repeat { node: Box<Node>, min: u32, max: Option<u32>, mode: Mode },
}

/// How a repeat goes about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    Greedy,
    Lazy,
    Possessive,
}

/// Whether case counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Case {
    Counts,
    Ascii,
    Unicode,
}

/// A place between characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// `^`, `\A`
    Start,
    /// `^` with `(?m)`; the flag: `\n` alone ends a line.
    LineStart(bool),
    /// `$`, `\Z`
    End(bool),
    /// `$` with `(?m)`
    LineEnd(bool),
    /// `\z`
    VeryEnd,
    /// `\b`; the flag: letters as Unicode has them.
    Word(bool),
    /// `\B`
    NoWord(bool),
    /// `\G`
    LastEnd,
}

impl Node {
    /// One character of a set.
    pub(super) fn one(class: Class) -> Node {
        Node::One(class.shared())
    }
}

/// The greatest length of what a piece can match, where it has one.
pub(super) fn longest(node: &Node) -> Option<usize> {
    match node {
        Node::Sequence(nodes) => nodes.iter().try_fold(0usize, |sum, node| sum.checked_add(longest(node)?)),
        Node::Choice(nodes) => nodes.iter().try_fold(0, |most, node| Some(most.max(longest(node)?))),
        Node::One(_) => Some(1),
        Node::Place(_) | Node::Look { .. } => Some(0),
        Node::Reference(..) => None,
        Node::Group(_, node) | Node::Atomic(node) => longest(node),
        Node::Repeat { node, max, .. } => longest(node)?.checked_mul((*max)? as usize),
    }
}
