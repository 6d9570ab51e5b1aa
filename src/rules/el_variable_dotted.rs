//! A name with a dot or a dash stands in an expression as if it were one variable.
//!
//! `${a.b}` asks for what the variable `a` holds under `b`, and `${a-b}` takes `b` from `a`; neither reads the property
//! whose name is `a.b` or `a-b`, so the evaluation fails (E1004, or a failed action). Ask for such a property by its name:
//!
//! ```xml
//! <delete path="/tmp/${user.name}"/>                <!-- fails -->
//! <delete path="/tmp/${wf:conf('user.name')}"/>     <!-- in a workflow -->
//! <value>${coord:conf('user.name')}</value>         <!-- in a coordinator -->
//! ```
//!
//! In a file that a build fills in before it is shipped (Maven's filters write `${a.b}` too) the expression is none of
//! Oozie's: allow the rule there.

use std::collections::BTreeSet;

use super::{Check, Rule, Sink};
use crate::analysis::expressions::Expression;
use crate::analysis::subject::Expressions;
use crate::diag::{Diagnostic, Edit, Group, Info, Severity, Stage};
use crate::el::{Binary, NodeId, NodeKind, Part, Template};
use crate::model::functions::{self, Treatment};

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "el-variable-dotted",
        group: Group::Expression,
        severity: Severity::Error,
        stage: Some(Stage::Submit),
        mirrors: &["E1004"],
        explanation: include_str!("el_variable_dotted.rs"),
    },
    check: Check::El(check),
};

fn check(app: &Expressions<'_>, sink: &mut Sink) {
    let mut lone: Option<BTreeSet<&str>> = None;
    for expression in app.list {
        let parsed = &expression.parsed;
        // The outermost node comes last.
        let mut end = u32::MAX;
        for (index, node) in parsed.nodes.iter().enumerate().rev() {
            let id = NodeId(index as u32);
            if node.range.start >= end {
                continue;
            }
            let name = written(parsed, id);
            if is_dotted(parsed, id) {
                sink.push(finding(expression, id, name));
            } else if is_dashed(parsed, id) {
                let lone = lone.get_or_insert_with(|| lone_names(app));
                if !name.split('-').any(|part| lone.contains(part)) {
                    sink.push(finding(expression, id, name).severity(Severity::Warning));
                }
            } else {
                continue;
            }
            end = node.range.start;
        }
    }
}

fn written(parsed: &Template, id: NodeId) -> &str {
    let range = &parsed.node(id).range;
    &parsed.text.value[range.start as usize..range.end as usize]
}

/// `a.b.c`, perhaps with dashes: looks into a variable, which never holds anything. A text does have `empty` and `blank`.
fn is_dotted(parsed: &Template, id: NodeId) -> bool {
    let name = written(parsed, id);
    let quirk = |name: &str| name.split_once('.').is_some_and(|(_, key)| key == "empty" || key == "blank");
    match &parsed.node(id).kind {
        NodeKind::Property { arguments: None, .. } => is_name(name) && !name.contains('-') && !quirk(name),
        NodeKind::Binary(Binary::Minus, ..) => is_whole(parsed, id) && is_name(name) && name.contains('.'),
        _ => false,
    }
}

/// `a-b` as all of an expression, without a blank.
fn is_dashed(parsed: &Template, id: NodeId) -> bool {
    matches!(parsed.node(id).kind, NodeKind::Binary(Binary::Minus, ..))
        && is_whole(parsed, id)
        && is_name(written(parsed, id))
}

fn is_whole(parsed: &Template, id: NodeId) -> bool {
    parsed.parts.iter().any(|part| matches!(part, Part::Expression { root, .. } if *root == id))
}

/// Words with dots or dashes between, each beginning with a letter or `_`.
fn is_name(text: &str) -> bool {
    let is_word = |word: &str| {
        word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    text.split(['.', '-']).all(is_word)
}

/// Formal parameters, and variables that stand for themselves somewhere: a dash between such is meant as minus.
fn lone_names<'a>(app: &'a Expressions<'_>) -> BTreeSet<&'a str> {
    let mut names: BTreeSet<&str> = app.parameters.iter().map(|one| one.name.value.trim()).collect();
    for expression in app.list {
        let parsed = &expression.parsed;
        let dashed = parsed.parts.iter().any(|part| match part {
            Part::Expression { root, .. } => is_dashed(parsed, *root),
            Part::Literal { .. } => false,
        });
        if !dashed {
            names.extend(parsed.variables().map(|(_, name)| name));
        }
    }
    names
}

fn finding(expression: &Expression<'_>, id: NodeId, name: &str) -> Diagnostic {
    let parsed = &expression.parsed;
    let message = if name.contains('.') {
        format!("`{name}` is not read as one name: it looks into `{}`, which holds nothing", first_word(name))
    } else {
        format!("`{name}` is not read as one name: it is a subtraction")
    };
    let finding = expression.placed(Diagnostic::new(&RULE.info, parsed.span(id), message));
    let phase = expression.template.place.phase();
    let exists = |prefix: &&str| {
        functions::find(prefix, "conf").is_some_and(|found| found.in_phase(phase) != Treatment::Refused)
    };
    match ["wf", "coord", "bundle"].into_iter().find(exists) {
        Some(prefix) => {
            let text = format!("{prefix}:conf('{name}')");
            finding
                .help(format!("write `${{{text}}}`"))
                .fix(false, vec![Edit { span: parsed.span(id), text }])
        }
        None => finding.help("give the property a name of letters, digits and `_`"),
    }
}

fn first_word(name: &str) -> &str {
    name.split(['.', '-']).next().unwrap_or(name)
}
