//! Evaluation of as much of an expression as is known: the known operands of an unknown one become literals.

use std::ops::Range;

use crate::el::{self, EvalError, NodeId, NodeKind, Template, Value, World};
use crate::source::Text;

/// What is left of an expression.
pub(super) enum Rest {
    /// Nothing: its value.
    Value(String),
    /// An expression, with braces.
    Expression(String),
}

/// A fault in a part that is known.
pub(super) struct Fault {
    /// The text that was evaluated.
    pub(super) text: Text,
    /// What is wrong with it.
    pub(super) error: EvalError,
}

/// Resolves a template that is one expression. `is_late` says of a variable or a call that only the run knows it; the
/// world must refuse what is late.
pub(super) fn partial<W: World>(
    template: &Template,
    world: &W,
    is_late: impl Fn(&Template, NodeId) -> bool,
) -> Result<Rest, Box<Fault>> {
    let value = el::evaluate(template, world).map(|value| value.to_text().into_owned());
    let late: Vec<usize> = counts(template, &is_late);
    let error = match value {
        // Also when what is late was never looked at, as behind `false and …`.
        Ok(text) => return Ok(Rest::Value(text)),
        Err(error) => error,
    };
    let Some(root) = template.nodes.len().checked_sub(1).map(|index| NodeId(index as u32)) else {
        return Err(Box::new(Fault { text: template.text.clone(), error }));
    };
    if !has_late(template, &late, root) {
        return Err(Box::new(Fault { text: template.text.clone(), error }));
    }
    let mut known: Vec<(Range<usize>, String)> = Vec::new();
    let mut open = vec![root];
    while let Some(id) = open.pop() {
        let node = template.node(id);
        if has_late(template, &late, id) {
            open.extend(operands(&node.kind));
            continue;
        }
        if is_literal(&node.kind) {
            continue;
        }
        let range = node.range.start as usize..node.range.end as usize;
        if let Some(literal) = folded(template, &range, world)? {
            known.push((range, literal));
        }
    }
    known.sort_by_key(|(range, _)| range.start);
    let source = &template.text.value;
    let (mut text, mut at) = (String::with_capacity(source.len()), 0);
    for (range, literal) in known {
        text.push_str(&source[at..range.start]);
        text.push_str(&literal);
        at = range.end;
    }
    text.push_str(&source[at..]);
    Ok(Rest::Expression(text))
}

/// For each node, how many late nodes come before it and at it, in the order of the list.
fn counts(template: &Template, is_late: &impl Fn(&Template, NodeId) -> bool) -> Vec<usize> {
    let mut sum = 0;
    let late = (0..template.nodes.len()).map(|index| is_late(template, NodeId(index as u32)));
    late.map(|late| {
        sum += usize::from(late);
        sum
    })
    .collect()
}

/// Whether anything in the subtree of a node is late: a subtree is one piece of the list that ends at its node.
fn has_late(template: &Template, counts: &[usize], id: NodeId) -> bool {
    let end = id.0 as usize;
    let before = (end + 1).checked_sub(template.node(id).size as usize);
    counts[end] > before.and_then(|start| start.checked_sub(1)).map_or(0, |last| counts[last])
}

fn is_literal(kind: &NodeKind) -> bool {
    use NodeKind::{Bool, Double, Long, Null, String, TooLong};
    matches!(kind, Null | Bool(_) | Long(_) | TooLong(_) | Double(_) | String(_))
}

fn operands(kind: &NodeKind) -> Vec<NodeId> {
    match kind {
        NodeKind::Unary(_, operand) => vec![*operand],
        NodeKind::Binary(_, left, right) => vec![*left, *right],
        NodeKind::Choice { condition, yes, no } => vec![*condition, *yes, *no],
        NodeKind::Call { arguments, .. } => arguments.to_vec(),
        NodeKind::Property { base, key, arguments } => {
            [*base, *key].into_iter().chain(arguments.iter().flatten().copied()).collect()
        }
        _ => Vec::new(),
    }
}

/// The literal that stands for a known part; `None` when there is none, as for a map.
fn folded<W: World>(
    template: &Template,
    range: &Range<usize>,
    world: &W,
) -> Result<Option<String>, Box<Fault>> {
    let source = format!("${{{}}}", &template.text.value[range.clone()]);
    let text = Text::computed(source, template.text.span_of(range.clone()));
    let (alone, _) = el::parse_for(&text, template.engine);
    match el::evaluate(&alone, world) {
        Ok(value) => Ok(literal(&value)),
        Err(error) => {
            drop(alone);
            Err(Box::new(Fault { text, error }))
        }
    }
}

fn literal(value: &Value<'_>) -> Option<String> {
    match value {
        Value::Null => Some("null".to_owned()),
        Value::Bool(value) => Some(value.to_string()),
        Value::Long(number) if *number < 0 => number.checked_neg().map(|positive| format!("(-{positive})")),
        Value::Long(number) => Some(number.to_string()),
        Value::Double(number) if number.is_finite() => {
            let text = value.to_text().into_owned();
            Some(if *number < 0.0 { format!("({text})") } else { text })
        }
        Value::String(text) => Some(format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"))),
        _ => None,
    }
}
