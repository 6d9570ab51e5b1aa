//! Templates as text: what is printed reads as the same template again.

use std::fmt::{self, Write as _};

use super::ast::{NodeId, NodeKind, Part, Template, Unary};

/// Binds tighter than any operator.
const TIGHT: u8 = 8;
/// Operators before their operand.
const PREFIX: u8 = 7;

impl fmt::Display for Template {
    /// The template written out: the same parts, blanks and signs of operators aside. A broken one prints its text.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.broken.is_some() {
            return f.write_str(&self.text.value);
        }
        for (index, part) in self.parts.iter().enumerate() {
            match part {
                Part::Literal { value, .. } => {
                    let before_expression =
                        matches!(self.parts.get(index + 1), Some(Part::Expression { .. }));
                    literal(f, value, before_expression)?;
                }
                Part::Expression { root, .. } => {
                    f.write_str("${")?;
                    f.write_str(&self.expression_text(*root))?;
                    f.write_str("}")?;
                }
            }
        }
        Ok(())
    }
}

/// Text outside of expressions.
fn literal(f: &mut fmt::Formatter<'_>, value: &str, before_expression: bool) -> fmt::Result {
    let (value, ends_in_backslash) = match value.strip_suffix('\\') {
        // `\${` would make text of the expression that follows.
        Some(rest) if before_expression => (rest, true),
        _ => (value, false),
    };
    f.write_str(&value.replace("${", "\\${").replace("#{", "\\#{"))?;
    if ends_in_backslash { f.write_str("${'\\\\'}") } else { Ok(()) }
}

enum Task {
    Text(&'static str),
    Node(NodeId, u8),
}

impl Template {
    /// One expression as text, without `${` and `}`.
    pub fn expression_text(&self, root: NodeId) -> String {
        let mut out = String::new();
        let mut tasks = vec![Task::Node(root, 0)];
        while let Some(task) = tasks.pop() {
            match task {
                Task::Text(text) => out.push_str(text),
                Task::Node(id, least) => {
                    let strength = self.strength(id);
                    if strength < least {
                        out.push('(');
                        tasks.push(Task::Text(")"));
                    }
                    self.print(id, strength, &mut out, &mut tasks);
                }
            }
        }
        out
    }

    fn strength(&self, id: NodeId) -> u8 {
        match &self.node(id).kind {
            NodeKind::Choice { .. } => 0,
            NodeKind::Binary(operator, ..) => operator.strength(),
            NodeKind::Unary(..) => PREFIX,
            NodeKind::Double(number) if number.is_nan() || number.is_sign_negative() => 0,
            // `5.k` would read as a fraction.
            NodeKind::Long(_) | NodeKind::TooLong(_) | NodeKind::Double(_) => PREFIX,
            _ => TIGHT,
        }
    }

    /// Prints what comes first and puts down the rest, the last first.
    fn print(&self, id: NodeId, strength: u8, out: &mut String, tasks: &mut Vec<Task>) {
        match &self.node(id).kind {
            NodeKind::Null => out.push_str("null"),
            NodeKind::Bool(bool) => out.push_str(if *bool { "true" } else { "false" }),
            NodeKind::Long(i64::MIN) => out.push_str("(-9223372036854775807 - 1)"),
            NodeKind::Long(number) => drop(write!(out, "{number}")),
            NodeKind::TooLong(digits) => out.push_str(digits),
            NodeKind::Double(number) => out.push_str(&double(*number)),
            NodeKind::String(text) => quote(text, out),
            NodeKind::Variable(name) => out.push_str(name),
            NodeKind::Call { prefix, name, arguments } => {
                if !prefix.is_empty() {
                    out.push_str(prefix);
                    out.push(':');
                }
                out.push_str(name);
                list(arguments, out, tasks);
            }
            NodeKind::Unary(operator, operand) => {
                out.push_str(match operator {
                    Unary::Negative => "-",
                    Unary::Not => "!",
                    Unary::Empty => "empty ",
                });
                tasks.push(Task::Node(*operand, PREFIX));
            }
            NodeKind::Binary(operator, left, right) => tasks.extend([
                Task::Node(*right, strength + 1),
                Task::Text(" "),
                Task::Text(operator.sign()),
                Task::Text(" "),
                Task::Node(*left, strength),
            ]),
            NodeKind::Choice { condition, yes, no } => tasks.extend([
                Task::Node(*no, 0),
                Task::Text(" : "),
                // `a ? b : f(c)` would read as a call of `b:f`.
                Task::Text(if self.is_name_before_call(*yes, *no) { ")" } else { "" }),
                Task::Node(*yes, 0),
                Task::Text(if self.is_name_before_call(*yes, *no) { "(" } else { "" }),
                Task::Text(" ? "),
                Task::Node(*condition, 1),
            ]),
            NodeKind::Property { base, key, arguments } => {
                if let Some(arguments) = arguments {
                    // Printed behind the key, so it has to be put down first.
                    let mut open = String::new();
                    list(arguments, &mut open, tasks);
                    tasks.push(Task::Text("("));
                }
                tasks.extend([
                    Task::Text("]"),
                    Task::Node(*key, 0),
                    Task::Text("["),
                    Task::Node(*base, TIGHT),
                ]);
            }
        }
    }

    /// Does the text of one end in a bare name, and that of the other begin with a call without a prefix?
    fn is_name_before_call(&self, yes: NodeId, no: NodeId) -> bool {
        let mut last = yes;
        loop {
            last = match &self.node(last).kind {
                NodeKind::Variable(_) => break,
                NodeKind::Binary(_, _, right) => *right,
                NodeKind::Unary(_, operand) => *operand,
                NodeKind::Choice { no, .. } => *no,
                _ => return false,
            };
        }
        let mut first = no;
        loop {
            first = match &self.node(first).kind {
                NodeKind::Call { prefix, .. } => return prefix.is_empty(),
                NodeKind::Binary(_, left, _) => *left,
                NodeKind::Choice { condition, .. } => *condition,
                NodeKind::Property { base, .. } => *base,
                _ => return false,
            };
        }
    }
}

/// `(a, b)`
fn list(arguments: &[NodeId], out: &mut String, tasks: &mut Vec<Task>) {
    out.push('(');
    tasks.push(Task::Text(")"));
    for (index, argument) in arguments.iter().enumerate().rev() {
        tasks.push(Task::Node(*argument, 0));
        if index > 0 {
            tasks.push(Task::Text(", "));
        }
    }
}

fn double(number: f64) -> String {
    match number {
        n if n.is_nan() => "0 / 0".to_owned(),
        f64::INFINITY => "1e999".to_owned(),
        f64::NEG_INFINITY => "-1e999".to_owned(),
        n => format!("{n:?}"),
    }
}

fn quote(text: &str, out: &mut String) {
    out.push('\'');
    for c in text.chars() {
        if matches!(c, '\'' | '\\') {
            out.push('\\');
        }
        out.push(c);
    }
    out.push('\'');
}
