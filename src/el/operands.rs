//! Operators that fail whatever comes: `!1`, `true == 1`, `5 % 0`.
//!
//! A value that is not known is stood for by samples of its kind, and an operator that fails on all of them always
//! fails. Text can be anything, so that nothing is said of text that is not known. Evaluates no function.

use super::ast::{Binary, NodeId, NodeKind, Template, Unary};
use super::error::Failure;
use super::evaluate::literal;
use super::operators;
use super::value::{Map, Type, Value};

/// The most values that stand for one node; where there would be more, only the kind is known.
const MAX_SAMPLES: usize = 9;

/// What can be told of a node's value.
#[derive(Clone, Debug)]
pub enum Known {
    /// It is this.
    Value(Value<'static>),
    /// It is of this type, and never null.
    Type(Type),
    /// Nothing.
    Nothing,
}

/// An operator that always fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misfit {
    /// The operator, or the operand that is no boolean where one is wanted.
    pub node: NodeId,
    /// Why, in the words of a finding.
    pub message: String,
    /// It is evaluated whenever its expression is; else what stands before it decides.
    pub is_sure: bool,
}

/// The values that stand for a node's.
#[derive(Clone, Debug)]
struct Samples {
    values: Vec<Value<'static>>,
    /// These are all that there are.
    exact: bool,
}

impl Samples {
    fn of_type(kind: Type) -> Samples {
        let map = || Map { entries: Vec::new(), text: String::new(), class: "java.util.HashMap" };
        let values = match kind {
            // No single number may decide: one of them could be what divides, or what equals.
            Type::Int | Type::Long => vec![Value::Long(7), Value::Long(12)],
            Type::Bool => vec![Value::Bool(true), Value::Bool(false)],
            Type::Map => vec![Value::Map(map().into())],
            Type::String | Type::Any => Vec::new(),
        };
        Samples { values, exact: kind == Type::Bool }
    }

    fn number() -> Samples {
        Samples { values: vec![Value::Long(7), Value::Long(12), Value::Double(7.5)], exact: false }
    }

    fn nothing() -> Samples {
        Samples { values: Vec::new(), exact: false }
    }

    /// Whether the one value is known.
    fn is_one(&self) -> bool {
        self.exact && self.values.len() == 1
    }

    /// In words: the value where there is one, else the kind.
    fn words(&self) -> String {
        match self.values.as_slice() {
            [value] if self.is_one() => format!("`{value}`"),
            [Value::Bool(_), ..] => "a boolean".to_owned(),
            [Value::Map(_), ..] => "a map".to_owned(),
            [Value::String(_), ..] => "this text".to_owned(),
            _ => "a number".to_owned(),
        }
    }
}

/// Every operator that always fails. `known` tells what is known of variables, calls and keys.
pub fn misfits(template: &Template, known: impl Fn(NodeId) -> Known) -> Vec<Misfit> {
    let has_operator = |node: &super::ast::Node| {
        matches!(node.kind, NodeKind::Unary(..) | NodeKind::Binary(..) | NodeKind::Choice { .. })
    };
    if template.broken.is_some() || !template.nodes.iter().any(has_operator) {
        return Vec::new();
    }
    let conditional = conditional(template);
    let mut found = Vec::new();
    let mut all: Vec<Samples> = Vec::with_capacity(template.nodes.len());
    for (index, node) in (0u32..).zip(&template.nodes) {
        let id = NodeId(index);
        // Children stand before their parents.
        let of = |id: NodeId| &all[id.0 as usize];
        let mut fails = |node: NodeId, message: String| {
            let is_sure = conditional[node.0 as usize] == 0;
            found.push(Misfit { node, message, is_sure });
        };
        let samples = match &node.kind {
            NodeKind::Unary(operator, operand) => match unary(template, *operator, of(*operand)) {
                Ok(samples) => samples,
                Err(message) => {
                    fails(id, message);
                    Samples::nothing()
                }
            },
            NodeKind::Binary(Binary::And | Binary::Or, left, right) => {
                for side in [*left, *right] {
                    if let Some(message) = no_boolean(of(side)) {
                        fails(side, message);
                    }
                }
                Samples::of_type(Type::Bool)
            }
            NodeKind::Binary(operator, left, right) => match binary(*operator, of(*left), of(*right)) {
                Ok(samples) => samples,
                Err(message) => {
                    fails(id, message);
                    Samples::nothing()
                }
            },
            NodeKind::Choice { condition, yes, no } => {
                if let Some(message) = no_boolean(of(*condition)) {
                    fails(*condition, message);
                }
                let (yes, no) = (of(*yes), of(*no));
                match yes.values.is_empty() || no.values.is_empty() {
                    true => Samples::nothing(),
                    false => one_of(yes.values.iter().chain(&no.values).cloned(), yes.exact && no.exact)
                        .unwrap_or_else(Samples::nothing),
                }
            }
            NodeKind::Variable(_) | NodeKind::Call { .. } | NodeKind::Property { .. } => match known(id) {
                Known::Value(value) => Samples { values: vec![value], exact: true },
                Known::Type(kind) => Samples::of_type(kind),
                Known::Nothing => Samples::nothing(),
            },
            _ => match literal(template, id) {
                Ok(value) => Samples { values: vec![value.into_owned()], exact: true },
                Err(_) => Samples::nothing(),
            },
        };
        all.push(samples);
    }
    found
}

/// For each node, by how many operands before it its evaluation is decided.
fn conditional(template: &Template) -> Vec<u32> {
    let mut changes = vec![0i64; template.nodes.len() + 1];
    let mut mark = |id: NodeId| {
        let last = id.0 as usize;
        changes[last + 1 - template.node(id).size as usize] += 1;
        changes[last + 1] -= 1;
    };
    for node in &template.nodes {
        match &node.kind {
            NodeKind::Binary(Binary::And | Binary::Or, _, right) => mark(*right),
            NodeKind::Choice { yes, no, .. } => {
                mark(*yes);
                mark(*no);
            }
            _ => {}
        }
    }
    let mut depth = 0i64;
    let depths = changes.iter().take(template.nodes.len()).map(|change| {
        depth += change;
        u32::try_from(depth).unwrap_or(0)
    });
    depths.collect()
}

/// Distinct values, unless they are too many.
fn one_of(values: impl Iterator<Item = Value<'static>>, exact: bool) -> Option<Samples> {
    let mut distinct: Vec<Value<'static>> = Vec::new();
    for value in values {
        if !distinct.contains(&value) {
            if distinct.len() == MAX_SAMPLES {
                return None;
            }
            distinct.push(value);
        }
    }
    Some(Samples { values: distinct, exact })
}

/// Why none of the values is a boolean.
fn no_boolean(samples: &Samples) -> Option<String> {
    let fails = !samples.values.is_empty() && samples.values.iter().all(|value| value.to_bool().is_err());
    fails.then(|| format!("{} is not a boolean", samples.words()))
}

fn unary(template: &Template, operator: Unary, operand: &Samples) -> Result<Samples, String> {
    if operand.values.is_empty() {
        return Ok(match operator {
            Unary::Not | Unary::Empty => Samples::of_type(Type::Bool),
            Unary::Negative => Samples::number(),
        });
    }
    let results = operand.values.iter().map(|value| operators::unary(operator, value, template.engine));
    settle(results, operand.exact, operand.is_one(), || match operator {
        Unary::Not => format!("{} is not a boolean", operand.words()),
        _ => format!("{} is not a number", operand.words()),
    })
}

fn binary(operator: Binary, left: &Samples, right: &Samples) -> Result<Samples, String> {
    let is_arithmetic =
        matches!(operator, Binary::Plus | Binary::Minus | Binary::Times | Binary::Divide | Binary::Modulo);
    let of_kind = || if is_arithmetic { Samples::number() } else { Samples::of_type(Type::Bool) };
    if left.values.is_empty() || right.values.is_empty() {
        return Ok(of_kind());
    }
    let pairs = left.values.iter().flat_map(|a| right.values.iter().map(move |b| (a, b)));
    let results = pairs.map(|(a, b)| operators::binary(operator, a, b));
    let is_one = left.is_one() && right.is_one();
    let samples = settle(results, left.exact && right.exact, is_one, || {
        let (left, right) = (left.words(), right.words());
        match is_arithmetic {
            true => format!("{left} and {right} are not both numbers"),
            false => format!("{left} and {right} cannot be compared"),
        }
    })?;
    // Which of two unknown values is greater, samples cannot tell.
    Ok(if samples.values.is_empty() || !is_arithmetic && !samples.exact { of_kind() } else { samples })
}

/// The values that come out, or why none does. An exception that speaks of no value keeps its words.
fn settle(
    results: impl Iterator<Item = Result<Value<'static>, Failure>>,
    exact: bool,
    is_one: bool,
    words: impl FnOnce() -> String,
) -> Result<Samples, String> {
    let (mut values, mut failure, mut all) = (Vec::new(), None, true);
    for result in results {
        match result {
            Ok(value) => values.push(value),
            Err(error) => {
                all = false;
                failure = failure.or(Some(error));
            }
        }
    }
    match failure {
        Some(failure) if values.is_empty() && (is_one || failure.java == "ArithmeticException") => {
            Err(failure.message)
        }
        Some(_) if values.is_empty() => Err(words()),
        _ => Ok(one_of(values.into_iter(), exact && all).unwrap_or_else(Samples::nothing)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::el::parse;
    use crate::source::{Sources, Span, Text};

    /// What is said of an expression in which `n` is 2.5, `run()` gives a number, `is()` a boolean, `map()` a map and
    /// everything else anything.
    fn said(text: &str) -> Vec<(String, bool)> {
        let file = Sources::new().add("a", text);
        let (template, findings) = parse(&Text::verbatim(text, Span::new(file, 0..text.len())));
        assert!(findings.is_empty(), "{text}");
        let known = |id: NodeId| match &template.node(id).kind {
            NodeKind::Variable(name) if &**name == "n" => Known::Value(Value::from("2.5".to_owned())),
            NodeKind::Call { name, .. } => match &**name {
                "run" => Known::Type(Type::Int),
                "is" => Known::Type(Type::Bool),
                "map" => Known::Type(Type::Map),
                _ => Known::Nothing,
            },
            _ => Known::Nothing,
        };
        misfits(&template, known).into_iter().map(|found| (found.message, found.is_sure)).collect()
    }

    #[test]
    fn what_always_fails_is_found() {
        let check = |text: &str, message: &str, is_sure: bool| {
            assert_eq!(said(text), [(message.to_owned(), is_sure)], "{text}");
        };
        check("${!1}", "`1` is not a boolean", true);
        check("${true == 1}", "`true` is not a whole number", true);
        check("${5 % 0 == 1}", "the remainder of a division by zero has no value", true);
        check("${run() % 0 == 1}", "the remainder of a division by zero has no value", true);
        check("${n gt 5}", "the text `2.5` is not a whole number", true);
        check("${run() eq 'x'}", "a number and `x` cannot be compared", true);
        check("${run() eq '2.5'}", "a number and `2.5` cannot be compared", true);
        check("${run() eq true}", "a number and `true` cannot be compared", true);
        check("${(a eq b) + 1}", "a boolean and `1` are not both numbers", true);
        check("${not run()}", "a number is not a boolean", true);
        check("${map() and true}", "a map is not a boolean", true);
        check("${a and 1}", "`1` is not a boolean", false);
        check("${a ? !1 : 2}", "`1` is not a boolean", false);
        check("${1 ? a : b}", "`1` is not a boolean", true);
        check("${(a and !1) or b}", "`1` is not a boolean", false);
        check("${(a ? 'x' : 'y') gt 5}", "this text and `5` cannot be compared", true);
        check("${is() lt map()}", "a boolean and a map cannot be compared", true);
    }

    #[test]
    fn what_may_be_right_is_let_be() {
        let fine = [
            "${n gt 5.0}",
            "${n + 1 gt 5}",
            "${not 'x'}",
            "${a gt 5}",
            "${a eq true}",
            "${10 % (run() - 7) == 1}",
            "${10 % (run() - 12) == 1}",
            "${run() / 0 gt 1}",
            "${5 / 0 == 1}",
            "${(run() lt 3) eq is()}",
            "${empty map()}",
            "${null + 1 == 1}",
            "${'' + 1 == 1}",
            "${(a ? 1 : b) eq 'x'}",
            "${(a * 1) eq '2.5'}",
            "${!(run() == 12 ? 'x' : is())}",
            "${-n lt 0.5}",
            "${null lt 'x'}",
        ];
        for text in fine {
            assert_eq!(said(text), [], "{text}");
        }
    }
}
