//! A name of a `hadoop-workflow` holds an expression.
//!
//! Expressions are evaluated when a node is executed, and names are what leads there: the name of the definition and of its
//! nodes, `to` and `name` of transitions, the names in `eval` and `default`. They are plain text.

use super::{Check, Rule, Sink};
use crate::analysis::subject::Workflow;
use crate::diag::{Diagnostic, Group, Info, Severity, Stage};
use crate::model::Dialect;
use crate::model::workflow::NodeKind;
use crate::source::Text;

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "expression-in-name",
        group: Group::Meaning,
        severity: Severity::Error,
        stage: Some(Stage::Submit),
        mirrors: &[],
        explanation: include_str!("expression_in_name.rs"),
    },
    check: Check::Workflow(check),
};

fn check(app: &Workflow<'_>, sink: &mut Sink) {
    if app.model.dialect != Dialect::Hws {
        return;
    }
    let mut texts: Vec<&Text> = app.model.name.iter().collect();
    for node in &app.model.nodes {
        texts.push(&node.name);
        match &node.kind {
            NodeKind::Start { to } | NodeKind::Join { to } => texts.extend(to),
            NodeKind::Fork { paths } => texts.extend(paths),
            NodeKind::Decision { cases, default_name, .. } => {
                texts.extend(cases.iter().filter_map(|case| case.name.as_deref()));
                texts.extend(default_name.as_deref());
            }
            NodeKind::Action(_) | NodeKind::End | NodeKind::Kill { .. } => {}
        }
    }
    texts.extend(app.model.transitions.iter().flat_map(|it| it.name.iter().chain(&it.to)));
    for text in texts.into_iter().filter(|text| text.value.contains("${") || text.value.contains("#{")) {
        let message = format!("`{}` holds an expression, and names are plain text", text.value);
        sink.push(Diagnostic::new(&RULE.info, text.span, message).help("write the name itself"));
    }
}
