//! The input logic as one expression, with the `min` and `wait` that really apply to each leaf.
//!
//! Follows `InputLogicParser`: `min` is inherited at every depth, `wait` reaches direct data-ins only, and the data-ins
//! of a `combine` have neither.

use super::LogicError;
use crate::model::coordinator::LogicKind;

/// How deep operators may be nested.
pub const MAX_LOGIC_DEPTH: usize = 100;

/// An operator or a data-in whose attributes are resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogicNode {
    /// What kind it is.
    pub kind: LogicKind,
    /// Its name.
    pub name: Option<String>,
    /// The data-in it names.
    pub dataset: Option<String>,
    /// The `min` attribute.
    pub min: Option<String>,
    /// The `wait` attribute.
    pub wait: Option<String>,
    /// The operands in order.
    pub operands: Vec<LogicNode>,
}

/// The `min` and `wait` of a leaf; -1 stands for none, as in the reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// How many instances are enough.
    pub min: i32,
    /// Minutes to wait for more than `min`.
    pub wait_minutes: i32,
}

/// What is evaluated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LogicExpr {
    /// A data-in.
    Input(String, Bounds),
    /// Several data-ins of which each gives what the ones before it lack.
    Combine(Vec<String>, Bounds),
    /// All of them.
    And(Vec<LogicExpr>),
    /// The first that holds.
    Or(Vec<LogicExpr>),
}

/// Builds the expression of all of `nodes`; `None` when there is none, which always holds.
pub fn expression(nodes: &[LogicNode]) -> Result<Option<LogicExpr>, LogicError> {
    let parts: Vec<&LogicNode> = nodes.iter().collect();
    one(&parts)
}

/// Builds the expression of the node called `name`, as `coord:dataIn(name)` does; it inherits nothing.
pub fn expression_named(nodes: &[LogicNode], name: &str) -> Result<Option<LogicExpr>, LogicError> {
    let mut found = Vec::new();
    find_named(nodes, name, &mut found);
    one(&found)
}

/// The whole expression in words, as it is really evaluated.
pub fn effective(nodes: &[LogicNode]) -> String {
    let mut text = String::new();
    for node in nodes {
        write(node, inherited(node, None), own(&node.wait), &mut text);
    }
    text
}

fn find_named<'a>(nodes: &'a [LogicNode], name: &str, found: &mut Vec<&'a LogicNode>) {
    for node in nodes {
        if node.name.as_deref() == Some(name) {
            found.push(node);
        } else {
            find_named(&node.operands, name, found);
        }
    }
}

/// Two operators side by side are no expression.
fn one(nodes: &[&LogicNode]) -> Result<Option<LogicExpr>, LogicError> {
    match nodes {
        [] => Ok(None),
        [node] => build(node, inherited(node, None), own(&node.wait)).map(Some),
        _ => Err(LogicError::SideBySide),
    }
}

fn own(value: &Option<String>) -> Option<&str> {
    value.as_deref().filter(|text| !text.is_empty())
}

fn inherited<'a>(node: &'a LogicNode, min: Option<&'a str>) -> Option<&'a str> {
    own(&node.min).or(min)
}

fn build(node: &LogicNode, min: Option<&str>, wait: Option<&str>) -> Result<LogicExpr, LogicError> {
    let dataset = |node: &LogicNode| node.dataset.clone().unwrap_or_else(|| "null".to_owned());
    match node.kind {
        LogicKind::DataIn => Ok(LogicExpr::Input(dataset(node), bounds(min, wait)?)),
        LogicKind::Combine => {
            let sets = node.operands.iter().filter(|o| o.kind == LogicKind::DataIn).map(dataset).collect();
            Ok(LogicExpr::Combine(sets, bounds(min, own(&node.wait))?))
        }
        LogicKind::And | LogicKind::Or => {
            if node.operands.is_empty() {
                return Err(LogicError::Empty);
            }
            let operand = |o: &LogicNode| build(o, inherited(o, min), own(&o.wait).or(own(&node.wait)));
            let operands = node.operands.iter().map(operand).collect::<Result<_, _>>()?;
            Ok(if node.kind == LogicKind::And { LogicExpr::And(operands) } else { LogicExpr::Or(operands) })
        }
    }
}

fn bounds(min: Option<&str>, wait: Option<&str>) -> Result<Bounds, LogicError> {
    let min = min.map_or(Ok(-1), |text| number(text).ok_or_else(|| LogicError::Min(text.to_owned())))?;
    let wait_minutes = match wait {
        None => -1,
        Some(text) => number(text).filter(|n| *n >= 0).ok_or_else(|| LogicError::Wait(text.to_owned()))?,
    };
    Ok(Bounds { min, wait_minutes })
}

/// Whole numbers as the reference's expression language writes them; a leading zero means octal.
fn number(text: &str) -> Option<i32> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(rest) => (-1, rest.trim_start()),
        None => (1, text),
    };
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let radix = if digits.len() > 1 && digits.starts_with('0') { 8 } else { 10 };
    i32::from_str_radix(digits, radix).ok().map(|n| sign * n)
}

fn write(node: &LogicNode, min: Option<&str>, wait: Option<&str>, out: &mut String) {
    let dataset = |node: &LogicNode| node.dataset.clone().unwrap_or_else(|| "null".to_owned());
    match node.kind {
        LogicKind::DataIn => {
            out.push_str(&dataset(node));
            write_bounds(min, wait, out);
        }
        LogicKind::Combine => {
            let sets: Vec<String> =
                node.operands.iter().filter(|o| o.kind == LogicKind::DataIn).map(dataset).collect();
            out.push_str("(combine(");
            out.push_str(&sets.join(","));
            out.push(')');
            write_bounds(min, own(&node.wait), out);
            out.push(')');
        }
        LogicKind::And | LogicKind::Or => {
            let word = if node.kind == LogicKind::And { " and " } else { " or " };
            out.push('(');
            for (index, operand) in node.operands.iter().enumerate() {
                if index > 0 {
                    out.push_str(word);
                }
                write(operand, inherited(operand, min), own(&operand.wait).or(own(&node.wait)), out);
            }
            out.push(')');
        }
    }
}

fn write_bounds(min: Option<&str>, wait: Option<&str>, out: &mut String) {
    if min.is_none() && wait.is_none() {
        return;
    }
    out.push('[');
    if let Some(min) = min {
        out.push_str("min=");
        out.push_str(min);
    }
    if let Some(wait) = wait {
        out.push_str(if min.is_some() { " wait=" } else { "wait=" });
        out.push_str(wait);
    }
    out.push(']');
}
