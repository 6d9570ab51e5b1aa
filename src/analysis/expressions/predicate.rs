//! What the predicate of a decision can come to.
//!
//! A case is taken when the text of its predicate, without the white space around it, is exactly `true`
//! (`DecisionActionExecutor.start`).

use super::kinds::{Kind, kinds};
use crate::analysis::templates::Place;
use crate::analysis::values::Values;
use crate::el::{NodeKind, Part, Residual, Template};
use crate::model::functions::Phase;

/// What a predicate can come to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Predicate {
    /// `true`, always.
    Always,
    /// `false`, always.
    Never,
    /// Something that is neither: why it is never `true`.
    NoBoolean(&'static str),
    /// That depends.
    Open,
}

/// What a predicate comes to with these values.
pub fn predicate(template: &Template, values: &Values) -> Predicate {
    match values.partial(template, Place::WorkflowNode) {
        Some(Residual::Value(value)) => of_text(&value.to_text(), template.has_expressions()),
        Some(Residual::Template(_)) if texts(template).is_some_and(|texts| !texts.contains(&"true")) => {
            match texts(template).is_some_and(|texts| texts.iter().all(|text| *text == "false")) {
                true => Predicate::Never,
                false => Predicate::NoBoolean("none of the texts that it chooses from is `true`"),
            }
        }
        Some(Residual::Template(_)) => unfit(template, Place::of_nodes(values.dialect).phase())
            .map_or(Predicate::Open, Predicate::NoBoolean),
        // What is wrong is told where it is found.
        None => Predicate::Open,
    }
}

fn of_text(text: &str, is_computed: bool) -> Predicate {
    match text.trim_matches([' ', '\t', '\r', '\n']) {
        "true" => Predicate::Always,
        "false" => Predicate::Never,
        _ if is_computed => Predicate::NoBoolean("it always gives the same text, which is not `true`"),
        _ => Predicate::NoBoolean("it is plain text, not an expression"),
    }
}

/// What a choice between texts that are written out can print, without the blanks around; nothing for anything else.
fn texts(template: &Template) -> Option<Vec<&str>> {
    let mut roots = template.parts.iter().filter_map(|part| match part {
        Part::Expression { root, .. } => Some(Some(*root)),
        Part::Literal { value, .. } if value.trim().is_empty() => None,
        Part::Literal { .. } => Some(None),
    });
    let (Some(Some(root)), None) = (roots.next(), roots.next()) else { return None };
    let (mut open, mut found) = (vec![root], Vec::new());
    while let Some(id) = open.pop() {
        found.push(match &template.node(id).kind {
            NodeKind::Choice { yes, no, .. } => {
                open.extend([*no, *yes]);
                continue;
            }
            NodeKind::String(text) => text.trim_matches([' ', '\t', '\r', '\n']),
            NodeKind::Bool(value) => {
                if *value {
                    "true"
                } else {
                    "false"
                }
            }
            NodeKind::Null => "",
            NodeKind::Long(_) | NodeKind::Double(_) => "a number",
            _ => return None,
        });
    }
    Some(found)
}

/// Why a template can never print `true`, whatever its variables are.
fn unfit(template: &Template, phase: Phase) -> Option<&'static str> {
    let kinds = kinds(template, phase);
    let roots = template.parts.iter().filter_map(|part| match part {
        Part::Expression { root, .. } => kinds.get(root.0 as usize).copied(),
        Part::Literal { .. } => None,
    });
    let around: String = template
        .parts
        .iter()
        .filter_map(|part| match part {
            Part::Literal { value, .. } => Some(value.as_str()),
            Part::Expression { .. } => None,
        })
        .collect();
    let mut booleans = 0;
    for kind in roots {
        match kind {
            Kind::Number => return Some("a number is never `true`"),
            Kind::Map => return Some("a map is never `true`"),
            Kind::Bool => booleans += 1,
            Kind::Null | Kind::Text | Kind::Any => {}
        }
    }
    // What stands around has to be a part of the word.
    let mut word = "true".chars();
    if !around.trim().chars().all(|c| word.any(|other| other == c)) {
        return Some("what stands outside `${…}` is text, so that all of it is never `true`");
    }
    (booleans > 1 || booleans == 1 && !around.trim().is_empty())
        .then_some("a boolean with more text beside it is never `true`")
}

/// The same predicate has the same text, however it is written.
pub fn normal_form(template: &Template) -> Option<String> {
    let pure = template.nodes.iter().all(|node| !matches!(&node.kind, NodeKind::TooLong(_)));
    (template.broken.is_none() && pure && template.has_expressions())
        .then(|| template.to_string().trim().to_owned())
}
