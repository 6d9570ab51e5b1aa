//! What kinds of values expressions give, as far as that is sure whatever the parameters are.

use crate::el::{Binary, NodeId, NodeKind, Template, Type, Unary};
use crate::model::functions::{self, ConstantValue, Phase};

/// The kind of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Text: every parameter is.
    Text,
    /// A number.
    Number,
    /// A boolean.
    Bool,
    /// A map.
    Map,
    /// Null.
    Null,
    /// One or the other.
    Any,
}

/// The kind of each node's value, by the node's number.
pub fn kinds(template: &Template, phase: Phase) -> Vec<Kind> {
    let mut kinds: Vec<Kind> = Vec::with_capacity(template.nodes.len());
    for node in &template.nodes {
        // Children stand before their parents.
        let of = |id: &NodeId| kinds.get(id.0 as usize).copied().unwrap_or(Kind::Any);
        let kind = match &node.kind {
            NodeKind::Null => Kind::Null,
            NodeKind::Bool(_) => Kind::Bool,
            NodeKind::Long(_) | NodeKind::TooLong(_) | NodeKind::Double(_) => Kind::Number,
            NodeKind::String(_) => Kind::Text,
            NodeKind::Variable(name) => match functions::constant(phase, name).map(|found| found.value) {
                Some(ConstantValue::Long(_)) => Kind::Number,
                Some(ConstantValue::Text(_)) | None => Kind::Text,
            },
            NodeKind::Call { prefix, name, .. } => of_call(phase, prefix, name),
            NodeKind::Unary(Unary::Negative, _) => Kind::Number,
            NodeKind::Unary(Unary::Not | Unary::Empty, _) => Kind::Bool,
            NodeKind::Binary(operator, ..) => match operator {
                Binary::Plus | Binary::Minus | Binary::Times | Binary::Divide | Binary::Modulo => {
                    Kind::Number
                }
                _ => Kind::Bool,
            },
            NodeKind::Choice { yes, no, .. } if of(yes) == of(no) => of(yes),
            NodeKind::Choice { .. } => Kind::Any,
            NodeKind::Property { base, .. } => of_property(template, *base),
        };
        kinds.push(kind);
    }
    kinds
}

fn of_call(phase: Phase, prefix: &str, name: &str) -> Kind {
    match functions::find_for(phase, prefix, name).map(|found| found.signature.result) {
        Some(Type::String) => Kind::Text,
        Some(Type::Int | Type::Long) => Kind::Number,
        Some(Type::Bool) => Kind::Bool,
        Some(Type::Map) => Kind::Map,
        Some(Type::Any) | None => Kind::Any,
    }
}

/// Captured output holds text; counters are numbers in groups.
fn of_property(template: &Template, base: NodeId) -> Kind {
    let call = |id: NodeId| match &template.node(id).kind {
        NodeKind::Call { prefix, name, .. } => Some((&**prefix, &**name)),
        _ => None,
    };
    match &template.node(base).kind {
        NodeKind::Property { base, .. } if call(*base) == Some(("hadoop", "counters")) => Kind::Number,
        _ => match call(base) {
            Some(("wf", "actionData")) => Kind::Text,
            Some(("hadoop", "counters")) => Kind::Map,
            _ => Kind::Any,
        },
    }
}

/// The value of an expression that holds numbers and operators between them alone.
pub fn number(template: &Template, id: NodeId) -> Option<f64> {
    let last = id.0 as usize;
    let first = last + 1 - template.node(id).size as usize;
    let mut values: Vec<Option<f64>> = Vec::with_capacity(last + 1 - first);
    for node in &template.nodes[first..=last] {
        let of = |id: &NodeId| values.get(id.0 as usize - first).copied().flatten();
        let value = match &node.kind {
            NodeKind::Long(number) => Some(*number as f64),
            NodeKind::Double(number) => Some(*number),
            NodeKind::Unary(Unary::Negative, operand) => of(operand).map(|number| -number),
            NodeKind::Binary(operator, left, right) => of(left).zip(of(right)).and_then(|(a, b)| {
                Some(match operator {
                    Binary::Plus => a + b,
                    Binary::Minus => a - b,
                    Binary::Times => a * b,
                    Binary::Divide => a / b,
                    Binary::Modulo => a % b,
                    _ => return None,
                })
            }),
            _ => None,
        };
        values.push(value);
    }
    values.pop().flatten()
}
