//! Expressions as a list of operations on a stack, so that evaluating one is a loop and not a recursion.

use super::ast::{Binary, Node, NodeId, NodeKind, Unary};

/// One operation. Targets are places in the program.
#[derive(Clone, Copy, Debug)]
pub(super) enum Op {
    /// Puts a whole number on the stack.
    Long(i64),
    /// Puts the value of any other literal or of a variable on the stack.
    Push(NodeId),
    /// Replaces the top.
    Unary(Unary, NodeId),
    /// Replaces the two on top.
    Binary(Binary, NodeId),
    /// Of `and` and `or`, the node: when the top, as a boolean, equals `stop`, leaves that and jumps; else drops it.
    Decide { node: NodeId, stop: bool, target: u32 },
    /// Replaces the top by its boolean.
    ToBool(NodeId),
    /// Of `<` and `>`, the node: when the top is null, leaves false and jumps, so that the right side is not evaluated.
    StopNull { node: NodeId, target: u32 },
    /// Of a choice, the node: drops the top; jumps when it is false. The jump over the other branch stands before there.
    Branch { node: NodeId, target: u32 },
    /// Jumps.
    Jump(u32),
    /// Replaces the arguments on top by the outcome of the call.
    Call { node: NodeId, count: u32 },
    /// When the top is null, jumps, since neither key nor arguments are evaluated then.
    SkipNull(u32),
    /// Replaces base and key by what the base holds there.
    Property(NodeId),
    /// Replaces base, key and arguments by null.
    Method { node: NodeId, count: u32 },
    /// Ends a chain of properties: a null is an error when nothing was looked up on the way.
    EndChain(NodeId),
}

/// What is still to be done while a tree is turned into operations.
enum Task {
    Visit(NodeId),
    Emit(Op),
    /// Sets the target of the last marked operation to the present place.
    Patch,
    /// Emits an operation whose target is not known yet, and marks it.
    Mark(Op),
    /// As `Mark` and then `Patch` of the mark before: from one branch over the other.
    Swap,
    /// Takes `n` marks off and sets them all.
    PatchMany(u32),
}

/// Appends the operations that evaluate `root`.
pub(super) fn compile(nodes: &[Node], root: NodeId, program: &mut Vec<Op>) {
    let mut tasks = vec![Task::Visit(root)];
    let mut marks: Vec<usize> = Vec::new();
    while let Some(task) = tasks.pop() {
        match task {
            Task::Emit(op) => program.push(op),
            Task::Mark(op) => {
                marks.push(program.len());
                program.push(op);
            }
            Task::Patch => patch(program, &mut marks),
            Task::PatchMany(count) => (0..count).for_each(|_| patch(program, &mut marks)),
            Task::Swap => {
                program.push(Op::Jump(0));
                patch(program, &mut marks);
                marks.push(program.len() - 1);
            }
            Task::Visit(id) => visit(nodes, id, &mut tasks),
        }
    }
}

fn patch(program: &mut [Op], marks: &mut Vec<usize>) {
    let here = program.len() as u32;
    if let Some(
        Op::Decide { target, .. }
        | Op::StopNull { target, .. }
        | Op::Branch { target, .. }
        | Op::Jump(target)
        | Op::SkipNull(target),
    ) = marks.pop().and_then(|mark| program.get_mut(mark))
    {
        *target = here;
    }
}

/// Puts down what a node needs, the last step first.
fn visit(nodes: &[Node], id: NodeId, tasks: &mut Vec<Task>) {
    match &nodes[id.0 as usize].kind {
        NodeKind::Unary(op, operand) => tasks.extend([Task::Emit(Op::Unary(*op, id)), Task::Visit(*operand)]),
        NodeKind::Binary(op @ (Binary::And | Binary::Or), left, right) => {
            let decide = Op::Decide { node: id, stop: *op == Binary::Or, target: 0 };
            tasks.extend([
                Task::Patch,
                Task::Emit(Op::ToBool(*right)),
                Task::Visit(*right),
                Task::Mark(decide),
                Task::Visit(*left),
            ]);
        }
        NodeKind::Binary(op @ (Binary::Less | Binary::Greater), left, right) => tasks.extend([
            Task::Patch,
            Task::Emit(Op::Binary(*op, id)),
            Task::Visit(*right),
            Task::Mark(Op::StopNull { node: id, target: 0 }),
            Task::Visit(*left),
        ]),
        NodeKind::Binary(op, left, right) => {
            tasks.extend([Task::Emit(Op::Binary(*op, id)), Task::Visit(*right), Task::Visit(*left)]);
        }
        NodeKind::Choice { condition, yes, no } => tasks.extend([
            Task::Patch,
            Task::Visit(*no),
            Task::Swap,
            Task::Visit(*yes),
            Task::Mark(Op::Branch { node: id, target: 0 }),
            Task::Visit(*condition),
        ]),
        NodeKind::Call { arguments, .. } => {
            tasks.push(Task::Emit(Op::Call { node: id, count: arguments.len() as u32 }));
            tasks.extend(arguments.iter().rev().map(|argument| Task::Visit(*argument)));
        }
        NodeKind::Property { .. } => visit_chain(nodes, id, tasks),
        NodeKind::Long(number) => tasks.push(Task::Emit(Op::Long(*number))),
        _ => tasks.push(Task::Emit(Op::Push(id))),
    }
}

/// A chain `a.b[c].d` as a whole: a null on the way leaves it at once.
fn visit_chain(nodes: &[Node], id: NodeId, tasks: &mut Vec<Task>) {
    tasks.push(Task::Emit(Op::EndChain(id)));
    let links = tasks.len();
    tasks.push(Task::PatchMany(0));
    let (mut count, mut at) = (0, id);
    while let NodeKind::Property { base, key, arguments } = &nodes[at.0 as usize].kind {
        count += 1;
        match arguments {
            None => tasks.push(Task::Emit(Op::Property(at))),
            Some(arguments) => {
                tasks.push(Task::Emit(Op::Method { node: at, count: arguments.len() as u32 }));
                tasks.extend(arguments.iter().rev().map(|argument| Task::Visit(*argument)));
            }
        }
        tasks.extend([Task::Visit(*key), Task::Mark(Op::SkipNull(0))]);
        at = *base;
    }
    tasks[links] = Task::PatchMany(count);
    tasks.push(Task::Visit(at));
}
