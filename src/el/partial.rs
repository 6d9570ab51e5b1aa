//! Evaluates what can be evaluated now and keeps the rest as a template.
//!
//! What follows a residue within `and`, `or`, `<`, `>` and a choice is kept as it was written: whether it is evaluated at
//! all depends on the residue. The keys behind a residue are evaluated, though a null in its place would leave them out.

use super::ast::{Binary, Node, NodeId, NodeKind, Part, Template};
use super::error::EvalError;
use super::evaluate::{
    check_first, coerce_arguments, left, literal, locate, property, raised, unknown_function,
    unknown_variable,
};
use super::operators;
use super::program::{self, Op};
use super::value::Value;
use super::world::{Function, MAX_TEXT_BYTES, Outcome, World, too_long};

/// What is left of a template.
#[derive(Clone, Debug)]
pub enum Residual<'a> {
    /// Nothing was deferred: its value.
    Value(Value<'a>),
    /// Something was: a template for a later phase. Its text and its ranges are those of the original.
    Template(Box<Template>),
}

impl std::fmt::Display for Residual<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Residual::Value(value) => value.fmt(f),
            Residual::Template(template) => template.fmt(f),
        }
    }
}

/// Evaluates a template as far as it goes. Evaluating what is left, in a world that defers nothing and is the same
/// otherwise, gives what evaluating the whole would have given.
pub fn partial<'a, W: World + ?Sized>(
    template: &'a Template,
    world: &'a W,
) -> Result<Residual<'a>, EvalError> {
    check_first(template, world)?;
    let mut machine = Machine { template, world, stack: Vec::new(), nodes: Vec::new(), resolved: false };
    let mut slots = Vec::new();
    for part in &template.parts {
        slots.push(match part {
            Part::Literal { value, .. } => Slot::Value(Value::from(value.as_str())),
            Part::Expression { ops, .. } => machine.run(ops.start, ops.end)?,
        });
    }
    if slots.iter().all(|slot| matches!(slot, Slot::Value(_))) {
        let mut values = slots.into_iter().filter_map(|slot| match slot {
            Slot::Value(value) => Some(value),
            Slot::Node(_) => None,
        });
        return Ok(Residual::Value(match (values.next(), template.parts.len()) {
            (None, _) => Value::from(""),
            (Some(value), 1) => value,
            (Some(first), _) => {
                let mut text = first.to_string();
                values.for_each(|value| text.push_str(&value.to_text()));
                Value::from(text)
            }
        }));
    }
    let nodes = std::mem::take(&mut machine.nodes);
    Ok(Residual::Template(Box::new(assemble(template, slots, nodes))))
}

fn assemble(template: &Template, slots: Vec<Slot<'_>>, nodes: Vec<Node>) -> Template {
    let (mut parts, mut program): (Vec<Part>, Vec<Op>) = (Vec::new(), Vec::new());
    for (slot, part) in slots.into_iter().zip(&template.parts) {
        let (Part::Literal { range, .. } | Part::Expression { range, .. }) = part;
        match (slot, parts.last_mut()) {
            (Slot::Node(root), _) => {
                let first = program.len();
                program::compile(&nodes, root, &mut program);
                parts.push(Part::Expression { root, range: range.clone(), ops: first..program.len() });
            }
            (Slot::Value(value), Some(Part::Literal { value: before, range: place })) => {
                before.push_str(&value.to_text());
                place.end = range.end;
            }
            (Slot::Value(value), _) => {
                parts.push(Part::Literal { value: value.to_string(), range: range.clone() });
            }
        }
    }
    let is_call = |node: &Node| matches!(node.kind, NodeKind::Call { .. });
    let calls = (0u32..).zip(&nodes).filter(|(_, node)| is_call(node)).map(|(id, _)| NodeId(id)).collect();
    Template {
        text: template.text.clone(),
        parts,
        nodes,
        broken: None,
        engine: template.engine,
        program,
        calls,
    }
}

/// A value, or a residue among the new nodes.
#[derive(Clone, Debug)]
enum Slot<'a> {
    Value(Value<'a>),
    Node(NodeId),
}

struct Machine<'a, W: ?Sized> {
    template: &'a Template,
    world: &'a W,
    stack: Vec<Slot<'a>>,
    /// The nodes of all residues: each subtree in one piece, its root last.
    nodes: Vec<Node>,
    resolved: bool,
}

impl<'a, W: World + ?Sized> Machine<'a, W> {
    fn run(&mut self, start: usize, end: usize) -> Result<Slot<'a>, EvalError> {
        let (template, mut at) = (self.template, start);
        while at < end {
            let op = template.program[at];
            at += 1;
            if let Some(target) = self.step(op, template)? {
                at = target as usize;
            }
        }
        Ok(self.pop())
    }

    /// Does one operation; returns where to go on, when that is not the next one.
    fn step(&mut self, op: Op, template: &'a Template) -> Result<Option<u32>, EvalError> {
        match op {
            Op::Long(number) => self.stack.push(Slot::Value(Value::Long(number))),
            Op::Push(id) => {
                let slot = self.leaf(id)?;
                self.stack.push(slot);
            }
            Op::Unary(operator, id) => {
                let slot = match self.pop() {
                    Slot::Value(operand) => Slot::Value(
                        operators::unary(operator, &operand, template.engine)
                            .map_err(|e| locate(template, id, e))?,
                    ),
                    Slot::Node(operand) => self.add(id, NodeKind::Unary(operator, operand), &[operand]),
                };
                self.stack.push(slot);
            }
            Op::Binary(operator, id) => {
                let (right, left) = (self.pop(), self.pop());
                let slot = match (left, right) {
                    (Slot::Value(left), Slot::Value(right)) => Slot::Value(
                        operators::binary(operator, &left, &right).map_err(|e| locate(template, id, e))?,
                    ),
                    (left, right) => self.add_binary(id, operator, left, right),
                };
                self.stack.push(slot);
            }
            Op::StopNull { node, target } => match self.pop() {
                Slot::Value(Value::Null) => {
                    self.stack.push(Slot::Value(Value::Bool(false)));
                    return Ok(Some(target));
                }
                value @ Slot::Value(_) => self.stack.push(value),
                residue => {
                    self.keep_right(node, residue);
                    return Ok(Some(target));
                }
            },
            Op::Decide { node, stop, target } => match self.pop() {
                Slot::Value(value) => {
                    let bool = value.to_bool().map_err(|e| locate(template, left(template, node), e))?;
                    if bool == stop {
                        self.stack.push(Slot::Value(Value::Bool(bool)));
                        return Ok(Some(target));
                    }
                }
                residue => {
                    self.keep_right(node, residue);
                    return Ok(Some(target));
                }
            },
            Op::ToBool(node) => {
                let slot = match self.pop() {
                    Slot::Value(value) => {
                        Slot::Value(Value::Bool(value.to_bool().map_err(|e| locate(template, node, e))?))
                    }
                    // Still to become a boolean.
                    residue => self.add_binary(node, Binary::And, Slot::Value(Value::Bool(true)), residue),
                };
                self.stack.push(slot);
            }
            Op::Branch { node, target } => match self.pop() {
                Slot::Value(value) => {
                    if !value.to_bool().map_err(|e| locate(template, node, e))? {
                        return Ok(Some(target));
                    }
                }
                Slot::Node(condition) => {
                    if let NodeKind::Choice { yes, no, .. } = template.node(node).kind {
                        let (yes, no) = (self.copy(yes), self.copy(no));
                        let kind = NodeKind::Choice { condition, yes, no };
                        let slot = self.add(node, kind, &[condition, yes, no]);
                        self.stack.push(slot);
                    }
                    let Some(Op::Jump(end)) = template.program.get(target as usize - 1) else {
                        return Ok(None);
                    };
                    return Ok(Some(*end));
                }
            },
            Op::Jump(target) => return Ok(Some(target)),
            Op::Call { node, count } => self.call(node, count as usize)?,
            Op::SkipNull(target) => {
                if matches!(self.stack.last(), Some(Slot::Value(Value::Null))) {
                    return Ok(Some(target));
                }
            }
            Op::Property(id) => {
                let (key, base) = (self.pop(), self.pop());
                let slot = match (base, key) {
                    (Slot::Value(base), Slot::Value(key)) => {
                        Slot::Value(property(base, &key).map_err(|e| locate(template, id, e))?)
                    }
                    (base, key) => {
                        let (base, key) = (self.lift(id, base), self.lift(id, key));
                        self.add(id, NodeKind::Property { base, key, arguments: None }, &[base, key])
                    }
                };
                self.resolved = true;
                self.stack.push(slot);
            }
            Op::Method { node, count } => self.method(node, count as usize),
            Op::EndChain(id) => {
                let is_value = matches!(self.stack.last(), Some(Slot::Value(_)));
                if is_value && !self.resolved {
                    return Err(locate(
                        template,
                        id,
                        super::evaluate::no_property("null has no such key".to_owned()),
                    ));
                }
            }
        }
        Ok(None)
    }

    fn pop(&mut self) -> Slot<'a> {
        self.stack.pop().unwrap_or(Slot::Value(Value::Null))
    }

    fn leaf(&mut self, id: NodeId) -> Result<Slot<'a>, EvalError> {
        let NodeKind::Variable(name) = &self.template.node(id).kind else {
            return literal(self.template, id).map(Slot::Value);
        };
        self.resolved = true;
        if self.world.is_deferred(name) {
            return Ok(Slot::Node(self.copy(id)));
        }
        match self.world.variable(name) {
            Some(value) => Ok(Slot::Value(value)),
            None => Err(unknown_variable(self.template, id, name)),
        }
    }

    fn call(&mut self, id: NodeId, count: usize) -> Result<(), EvalError> {
        let template = self.template;
        let NodeKind::Call { prefix, name, .. } = &template.node(id).kind else { return Ok(()) };
        let slots = self.stack.split_off(self.stack.len().saturating_sub(count));
        let (signature, is_echo) = match self.world.function(prefix, name) {
            Function::Known(signature) => (signature, false),
            Function::Echoed(signature) => (signature, true),
            Function::Elsewhere(_) | Function::Unknown => return Err(unknown_function(template, id, None)),
        };
        let values: Option<Vec<Value<'a>>> = slots.iter().map(Slot::value).collect();
        if let Some(mut arguments) = values {
            coerce_arguments(template, id, signature, is_echo, &mut arguments)?;
            let outcome = self.world.call(signature, arguments).map_err(|e| raised(template, id, e))?;
            if let Outcome::Value(value) = outcome {
                if matches!(&value, Value::String(text) if text.len() > MAX_TEXT_BYTES) {
                    return Err(raised(template, id, too_long()));
                }
                self.stack.push(Slot::Value(value));
                return Ok(());
            }
        }
        let arguments: Box<[NodeId]> = slots.into_iter().map(|slot| self.lift(id, slot)).collect();
        let children = arguments.clone();
        let kind = NodeKind::Call { prefix: prefix.clone(), name: name.clone(), arguments };
        let slot = self.add(id, kind, &children);
        self.stack.push(slot);
        Ok(())
    }

    fn method(&mut self, id: NodeId, count: usize) {
        let slots = self.stack.split_off(self.stack.len().saturating_sub(count + 2));
        if slots.iter().all(|slot| matches!(slot, Slot::Value(_))) {
            self.stack.push(Slot::Value(Value::Null));
            return;
        }
        let children: Vec<NodeId> = slots.into_iter().map(|slot| self.lift(id, slot)).collect();
        if let [base, key, arguments @ ..] = children.as_slice() {
            let kind = NodeKind::Property { base: *base, key: *key, arguments: Some(arguments.into()) };
            let slot = self.add(id, kind, &children);
            self.stack.push(slot);
        }
    }

    /// A residue on the left of an operator whose right side stays as it was written.
    fn keep_right(&mut self, id: NodeId, residue: Slot<'a>) {
        if let NodeKind::Binary(operator, _, right) = self.template.node(id).kind {
            let right = Slot::Node(self.copy(right));
            let slot = self.add_binary(id, operator, residue, right);
            self.stack.push(slot);
        }
    }

    fn add_binary(&mut self, id: NodeId, operator: Binary, left: Slot<'a>, right: Slot<'a>) -> Slot<'a> {
        let (left, right) = (self.lift(id, left), self.lift(id, right));
        self.add(id, NodeKind::Binary(operator, left, right), &[left, right])
    }

    /// Adds a node in the place of an old one. Its children are the last things that were added.
    fn add(&mut self, old: NodeId, kind: NodeKind, children: &[NodeId]) -> Slot<'a> {
        let id = self.nodes.len() as u32;
        let begin = |child: &NodeId| child.0 + 1 - self.nodes[child.0 as usize].size;
        let first = children.iter().map(begin).min().unwrap_or(id);
        let range = self.template.node(old).range.clone();
        self.nodes.push(Node { kind, range, size: id + 1 - first });
        Slot::Node(NodeId(id))
    }

    /// A node for a slot; values become literals.
    fn lift(&mut self, old: NodeId, slot: Slot<'a>) -> NodeId {
        let kind = match slot {
            Slot::Node(id) => return id,
            Slot::Value(Value::Null) => NodeKind::Null,
            Slot::Value(Value::Bool(bool)) => NodeKind::Bool(bool),
            Slot::Value(Value::Long(number)) => NodeKind::Long(number),
            Slot::Value(Value::Double(number)) => NodeKind::Double(number),
            Slot::Value(Value::String(text)) => NodeKind::String(text.into()),
            // Nothing can be written that gives a map; it stands as its text.
            Slot::Value(Value::Map(map)) => NodeKind::String(map.text.as_str().into()),
        };
        match self.add(old, kind, &[]) {
            Slot::Node(id) => id,
            Slot::Value(_) => old,
        }
    }

    /// Copies a subtree as it was written.
    fn copy(&mut self, root: NodeId) -> NodeId {
        let size = self.template.node(root).size;
        let (from, to) = (root.0 + 1 - size, self.nodes.len() as u32);
        let moved = |id: NodeId| NodeId(id.0 - from + to);
        for node in &self.template.nodes[from as usize..=root.0 as usize] {
            let mut node = node.clone();
            match &mut node.kind {
                NodeKind::Unary(_, operand) => *operand = moved(*operand),
                NodeKind::Binary(_, left, right) => (*left, *right) = (moved(*left), moved(*right)),
                NodeKind::Choice { condition, yes, no } => {
                    (*condition, *yes, *no) = (moved(*condition), moved(*yes), moved(*no));
                }
                NodeKind::Call { arguments, .. } => arguments.iter_mut().for_each(|id| *id = moved(*id)),
                NodeKind::Property { base, key, arguments } => {
                    (*base, *key) = (moved(*base), moved(*key));
                    arguments.iter_mut().flatten().for_each(|id| *id = moved(*id));
                }
                _ => {}
            }
            self.nodes.push(node);
        }
        moved(root)
    }
}

impl<'a> Slot<'a> {
    fn value(&self) -> Option<Value<'a>> {
        match self {
            Slot::Value(value) => Some(value.clone()),
            Slot::Node(_) => None,
        }
    }
}
