//! A text of a `hadoop-workflow` looks like an expression and is none, or is written with another sign.
//!
//! Expressions stand between `${` and `}`. `{wf:conf('output')}` and `{$wf:conf('output')}`, as the specification's own examples
//! have them, are plain text. `#{…}`, which its highlights use, is read as `${…}`, which is only a note.

use super::{Check, Rule, Sink};
use crate::analysis::subject::Workflow;
use crate::diag::{Diagnostic, Edit, Group, Info, Severity};
use crate::model::Dialect;
use crate::model::workflow::NodeKind;
use crate::source::Text;
use crate::xml::{Element, Node};

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "expression-misspelt",
        group: Group::Meaning,
        severity: Severity::Warning,
        stage: None,
        mirrors: &[],
        explanation: include_str!("expression_misspelt.rs"),
    },
    check: Check::Workflow(check),
};

/// What begins a call, by which a slip is told from braces that mean something else.
const PREFIXES: [&str; 4] = ["wf:", "hadoop:", "hdfs:", "action:"];

fn check(app: &Workflow<'_>, sink: &mut Sink) {
    if app.model.dialect != Dialect::Hws {
        return;
    }
    for node in &app.model.nodes {
        match &node.kind {
            NodeKind::Kill { message, .. } => message.iter().for_each(|text| judge(text, sink)),
            NodeKind::Decision { cases, .. } => cases.iter().for_each(|case| judge(&case.predicate, sink)),
            NodeKind::Action(action) => {
                if let Some(body) = &action.body {
                    element(&body.element, sink);
                }
            }
            _ => {}
        }
    }
}

fn element(top: &Element, sink: &mut Sink) {
    let mut open = vec![top];
    while let Some(element) = open.pop() {
        element.attributes.iter().for_each(|attribute| judge(&attribute.value, sink));
        for child in &element.children {
            match child {
                Node::Text(text) => judge(text, sink),
                Node::Element(child) => open.push(child),
                Node::Comment(_) => {}
            }
        }
    }
}

fn judge(text: &Text, sink: &mut Sink) {
    for (at, _) in text.value.match_indices('{') {
        let (before, rest) = (&text.value[..at], &text.value[at + 1..]);
        let call = rest.strip_prefix('$').unwrap_or(rest);
        let is_call = PREFIXES.iter().any(|prefix| call.starts_with(prefix));
        let end = rest.find('}').map_or(text.value.len(), |end| at + 1 + end + 1);
        if before.ends_with('#') {
            let span = text.span_of(at - 1..at);
            let message = "`#{…}` is read as `${…}`";
            let finding = Diagnostic::new(&RULE.info, span, message).severity(Severity::Info);
            sink.push(finding.help("write `${`").fix(true, vec![Edit { span, text: "$".to_owned() }]));
        } else if is_call && !before.ends_with('$') {
            let message = format!("`{}` is plain text, not an expression", &text.value[at..end]);
            let length = if rest.starts_with('$') { 2 } else { 1 };
            let place = text.span_of(at..at + length);
            let finding = Diagnostic::new(&RULE.info, text.span_of(at..end), message)
                .help("write `${` before the call");
            sink.push(finding.fix(false, vec![Edit { span: place, text: "${".to_owned() }]));
        }
    }
}
