//! Patterns as programs for the machine.

use std::rc::Rc;

use super::class::Set;
use super::node::{Case, Mode, Node, Place, longest};
use super::parse::Parsed;

/// Instructions that a program may have.
const MAX_SIZE: usize = 100_000;

/// One instruction.
#[derive(Clone, Debug)]
pub(super) enum Step {
    /// Takes one character.
    One(Rc<Set>),
    /// Goes on only here.
    Place(Place),
    /// Takes what a group took.
    Reference(usize, Case),
    /// A group with a number ends, which began where the register says.
    Close { group: usize, register: usize },
    /// Tries the first, then the second.
    Split(usize, usize),
    /// Goes on there.
    Jump(usize),
    /// Notes where a turn of a loop or a group begins.
    Begin(usize),
    /// Leaves a loop whose turn took nothing, else goes on there.
    Again { register: usize, target: usize },
    /// Runs what follows up to its end without a way back, then goes on at `end`.
    Atomic { end: usize },
    /// Looks; goes on at `end`.
    Look { behind: Option<usize>, negative: bool, end: usize },
    /// It matches.
    Match,
}

/// A program.
#[derive(Debug)]
pub(super) struct Program {
    pub(super) steps: Vec<Step>,
    /// How many groups have a number, the whole match aside.
    pub(super) groups: usize,
    pub(super) names: Vec<(String, usize)>,
    /// How many loops and groups need a note.
    pub(super) registers: usize,
}

/// Turns a pattern into a program.
pub(super) fn compile(parsed: &Parsed) -> Result<Program, String> {
    let mut compiler = Compiler { steps: Vec::new(), registers: 0 };
    compiler.node(&parsed.node)?;
    compiler.push(Step::Match)?;
    Ok(Program {
        steps: compiler.steps,
        groups: parsed.groups,
        names: parsed.names.clone(),
        registers: compiler.registers,
    })
}

struct Compiler {
    steps: Vec<Step>,
    registers: usize,
}

impl Compiler {
    fn push(&mut self, step: Step) -> Result<usize, String> {
        if self.steps.len() >= MAX_SIZE {
            return Err("its repeats make it too large".to_owned());
        }
        self.steps.push(step);
        Ok(self.steps.len() - 1)
    }

    fn register(&mut self) -> usize {
        self.registers += 1;
        self.registers - 1
    }

    fn here(&self) -> usize {
        self.steps.len()
    }

    /// Patterns nest no deeper than the parser lets them, so this may call itself.
    fn node(&mut self, node: &Node) -> Result<(), String> {
        match node {
            Node::Sequence(nodes) => nodes.iter().try_for_each(|node| self.node(node))?,
            Node::Choice(nodes) => self.choice(nodes)?,
            Node::One(class) => drop(self.push(Step::One(class.clone()))?),
            Node::Place(place) => drop(self.push(Step::Place(*place))?),
            Node::Reference(group, case) => drop(self.push(Step::Reference(*group, *case))?),
            Node::Group(number, node) => {
                let register = self.register();
                self.push(Step::Begin(register))?;
                self.node(node)?;
                self.push(Step::Close { group: *number, register })?;
            }
            Node::Atomic(node) => self.atomic(node)?,
            Node::Look { behind, negative, node } => {
                let behind = if *behind { longest(node) } else { None };
                let look = self.push(Step::Look { behind, negative: *negative, end: 0 })?;
                self.node(node)?;
                self.push(Step::Match)?;
                let end = self.here();
                self.steps[look] = Step::Look { behind, negative: *negative, end };
            }
            Node::Repeat { node, min, max, mode: Mode::Possessive } => {
                let greedy = Node::Repeat { node: node.clone(), min: *min, max: *max, mode: Mode::Greedy };
                self.atomic(&greedy)?;
            }
            Node::Repeat { node, min, max, mode } => self.repeat(node, *min, *max, *mode == Mode::Lazy)?,
        }
        Ok(())
    }

    fn atomic(&mut self, node: &Node) -> Result<(), String> {
        let atomic = self.push(Step::Atomic { end: 0 })?;
        self.node(node)?;
        self.push(Step::Match)?;
        self.steps[atomic] = Step::Atomic { end: self.here() };
        Ok(())
    }

    fn choice(&mut self, nodes: &[Node]) -> Result<(), String> {
        let mut jumps = Vec::new();
        for (index, node) in nodes.iter().enumerate() {
            if index + 1 == nodes.len() {
                self.node(node)?;
                break;
            }
            let split = self.push(Step::Jump(0))?;
            self.node(node)?;
            jumps.push(self.push(Step::Jump(0))?);
            self.steps[split] = Step::Split(split + 1, self.here());
        }
        let end = self.here();
        jumps.into_iter().for_each(|jump| self.steps[jump] = Step::Jump(end));
        Ok(())
    }

    fn repeat(&mut self, node: &Node, min: u32, max: Option<u32>, lazy: bool) -> Result<(), String> {
        for _ in 0..min {
            let begin = self.here();
            self.node(node)?;
            if self.here() == begin {
                // Nothing, however often.
                return Ok(());
            }
        }
        let split = |enter: usize, leave: usize| {
            if lazy { Step::Split(leave, enter) } else { Step::Split(enter, leave) }
        };
        match max {
            None => {
                let register = self.register();
                let start = self.push(Step::Jump(0))?;
                self.push(Step::Begin(register))?;
                self.node(node)?;
                self.push(Step::Again { register, target: start })?;
                self.steps[start] = split(start + 1, self.here());
            }
            Some(max) => {
                let mut splits = Vec::new();
                for _ in min..max {
                    splits.push(self.push(Step::Jump(0))?);
                    self.node(node)?;
                }
                let end = self.here();
                splits.into_iter().for_each(|at| self.steps[at] = split(at + 1, end));
            }
        }
        Ok(())
    }
}
