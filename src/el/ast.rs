//! What the reader makes of a text with expressions: a [`Template`] of literal and expression parts.
//!
//! The nodes of all expressions of a template lie in one list, children before their parents and each subtree in one
//! piece, so that nothing here is recursive: dropping, copying and walking a deep tree is a loop.

use std::ops::Range;

use crate::source::{Span, Text};

use super::program::Op;

/// The engine that a server evaluates with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Engine {
    /// That of Tomcat, since Oozie 5.2.
    #[default]
    Current,
    /// Commons EL 1.0, up to 5.1: knows no `#{…}`, no backslash before `${`, no calls of methods, and takes an empty
    /// text behind a minus for 0.
    Legacy,
}

/// A text whose expressions have been read. Texts without any expression are templates too.
#[derive(Clone, Debug)]
pub struct Template {
    /// The text as it was read.
    pub text: Text,
    /// Its parts in order; no two literal parts are neighbours.
    pub parts: Vec<Part>,
    /// All nodes of all expressions, children first.
    pub nodes: Vec<Node>,
    /// Where reading failed, as a byte offset in the text: evaluating such a template is an error.
    pub broken: Option<Broken>,
    /// The engine that it was read for.
    pub engine: Engine,
    /// How to evaluate each expression part.
    pub(super) program: Vec<Op>,
    /// The calls among the nodes: the engine looks all of them up before it evaluates anything.
    pub(super) calls: Vec<NodeId>,
}

/// Why a template cannot be evaluated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// The byte in the text at which it went wrong.
    pub offset: usize,
    /// What is wrong, in the words of the finding.
    pub message: String,
}

/// A part of a template.
#[derive(Clone, Debug, PartialEq)]
pub enum Part {
    /// Text as it is printed, escapes resolved.
    Literal {
        /// What it prints.
        value: String,
        /// Its bytes in the text.
        range: Range<usize>,
    },
    /// `${…}` or `#{…}`
    Expression {
        /// The expression.
        root: NodeId,
        /// Its bytes in the text, braces included.
        range: Range<usize>,
        /// Its operations in the program.
        ops: Range<usize>,
    },
}

/// The place of a node in [`Template::nodes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NodeId(pub u32);

/// One node of an expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// What it is.
    pub kind: NodeKind,
    /// Its bytes in the text.
    pub range: Range<u32>,
    /// How many nodes its subtree has, itself included: they end at the node itself.
    pub size: u32,
}

/// The kinds of nodes.
#[derive(Clone, Debug, PartialEq)]
pub enum NodeKind {
    /// `null`
    Null,
    /// `true`, `false`
    Bool(bool),
    /// A whole number.
    Long(i64),
    /// A whole number that does not fit: an error once it is evaluated.
    TooLong(Box<str>),
    /// A number with a fraction or an exponent.
    Double(f64),
    /// Quoted text, escapes resolved.
    String(Box<str>),
    /// A name.
    Variable(Box<str>),
    /// `prefix:name(arguments)`; the prefix may be empty.
    Call {
        /// What stands before the colon.
        prefix: Box<str>,
        /// The function's own name.
        name: Box<str>,
        /// The arguments in order.
        arguments: Box<[NodeId]>,
    },
    /// An operator before its operand.
    Unary(Unary, NodeId),
    /// An operator between its operands; `and` and `or` too.
    Binary(Binary, NodeId, NodeId),
    /// `condition ? yes : no`
    Choice {
        /// What decides.
        condition: NodeId,
        /// The value when it is true.
        yes: NodeId,
        /// The value when it is false.
        no: NodeId,
    },
    /// `base.key` or `base[key]`; with a list, the call of a method, which never gives a value.
    Property {
        /// What is looked into.
        base: NodeId,
        /// The key.
        key: NodeId,
        /// The arguments of a method, evaluated and then ignored.
        arguments: Option<Box<[NodeId]>>,
    },
}

/// Operators before one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unary {
    /// `-`
    Negative,
    /// `!`, `not`
    Not,
    /// `empty`
    Empty,
}

/// Operators between two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binary {
    /// `||`, `or`
    Or,
    /// `&&`, `and`
    And,
    /// `==`, `eq`
    Equal,
    /// `!=`, `ne`
    NotEqual,
    /// `<`, `lt`
    Less,
    /// `>`, `gt`
    Greater,
    /// `<=`, `le`
    LessEqual,
    /// `>=`, `ge`
    GreaterEqual,
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `*`
    Times,
    /// `/`, `div`
    Divide,
    /// `%`, `mod`
    Modulo,
}

impl Binary {
    /// The sign, or the word where there is only one.
    pub fn sign(self) -> &'static str {
        match self {
            Binary::Or => "or",
            Binary::And => "and",
            Binary::Equal => "==",
            Binary::NotEqual => "!=",
            Binary::Less => "<",
            Binary::Greater => ">",
            Binary::LessEqual => "<=",
            Binary::GreaterEqual => ">=",
            Binary::Plus => "+",
            Binary::Minus => "-",
            Binary::Times => "*",
            Binary::Divide => "/",
            Binary::Modulo => "%",
        }
    }

    /// How tightly it binds; a choice binds with 0, an operator before its operand with 7.
    pub fn strength(self) -> u8 {
        match self {
            Binary::Or => 1,
            Binary::And => 2,
            Binary::Equal | Binary::NotEqual => 3,
            Binary::Less | Binary::Greater | Binary::LessEqual | Binary::GreaterEqual => 4,
            Binary::Plus | Binary::Minus => 5,
            Binary::Times | Binary::Divide | Binary::Modulo => 6,
        }
    }
}

impl Template {
    /// The node at a place.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    /// Where a node stands in the file.
    pub fn span(&self, id: NodeId) -> Span {
        let range = &self.node(id).range;
        self.text.span_of(range.start as usize..range.end as usize)
    }

    /// The text when the template holds no expression and no error: what it prints, whatever the world.
    pub fn literal(&self) -> Option<&str> {
        match (self.broken.is_some(), self.parts.as_slice()) {
            (false, []) => Some(""),
            (false, [Part::Literal { value, .. }]) => Some(value),
            _ => None,
        }
    }

    /// True when it has at least one expression.
    pub fn has_expressions(&self) -> bool {
        self.parts.iter().any(|part| matches!(part, Part::Expression { .. }))
    }

    /// The names of all variables, each with its place, in order.
    pub fn variables(&self) -> impl Iterator<Item = (NodeId, &str)> {
        self.nodes.iter().enumerate().filter_map(|(index, node)| match &node.kind {
            NodeKind::Variable(name) => Some((NodeId(index as u32), &**name)),
            _ => None,
        })
    }

    /// All calls: the node, prefix, name and arguments, in order of their ends.
    pub fn calls(&self) -> impl Iterator<Item = Call<'_>> {
        self.calls.iter().filter_map(|id| match &self.node(*id).kind {
            NodeKind::Call { prefix, name, arguments } => Some(Call { node: *id, prefix, name, arguments }),
            _ => None,
        })
    }
}

/// A call as it was written.
#[derive(Clone, Copy, Debug)]
pub struct Call<'a> {
    /// The node.
    pub node: NodeId,
    /// What stands before the colon, or nothing.
    pub prefix: &'a str,
    /// The function's own name.
    pub name: &'a str,
    /// The arguments.
    pub arguments: &'a [NodeId],
}
