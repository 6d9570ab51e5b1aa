//! Nothing reads a formal parameter.
//!
//! A submission must give it a value for nothing, or its default misleads. Remove it, or read it. A workflow that hands its
//! configuration down to sub-workflows is left alone, as they may read it, and so are names with dots: those are settings.

use std::collections::BTreeSet;

use super::{Check, Rule, Sink};
use crate::analysis::expressions::{names_read, words};
use crate::analysis::subject::Workflow;
use crate::diag::{Diagnostic, Edit, Info, Severity};
use crate::model::workflow::NodeKind;

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "parameter-unused",
        severity: Severity::Info,
        stage: None,
        mirrors: &[],
        explanation: include_str!("parameter_unused.rs"),
    },
    check: Check::Workflow(check),
};

fn check(app: &Workflow<'_>, sink: &mut Sink) {
    let parameters = &app.model.parameters;
    if parameters.is_empty() || hands_down(app) {
        return;
    }
    let Some(read) = all_read(app) else { return };
    let is_unused = |name: &str| !name.is_empty() && !name.contains('.') && !read.contains(name);
    // A list of parameters may not be empty.
    let mut left = parameters.len();
    for parameter in parameters.iter().filter(|parameter| is_unused(parameter.name.value.trim())) {
        let name = parameter.name.trimmed();
        let finding = Diagnostic::new(
            &RULE.info,
            name.span,
            format!("nothing reads the formal parameter `{}`", name.value),
        )
        .help("remove it, or read it");
        left -= 1;
        sink.push(if left > 0 {
            finding.fix(true, vec![Edit { span: parameter.span, text: String::new() }])
        } else {
            finding
        });
    }
}

fn hands_down(app: &Workflow<'_>) -> bool {
    app.model.nodes.iter().any(|node| match &node.kind {
        NodeKind::Action(action) => action.body.as_ref().is_some_and(|body| {
            body.kind == "sub-workflow" && body.element.child("propagate-configuration").is_some()
        }),
        _ => false,
    })
}

/// Every name that something may read; `None` when a name is only known when it runs.
fn all_read<'a>(app: &'a Workflow<'_>) -> Option<BTreeSet<&'a str>> {
    let mut read = names_read(&app.expressions)?;
    // References between values.
    let defaults = app.model.parameters.iter().filter_map(|parameter| parameter.default.as_ref());
    let values = app.values.conf().iter().map(|(_, value)| value);
    for value in defaults.map(|text| text.value.as_str()).chain(values).filter(|value| value.contains("${")) {
        read.extend(words(value));
    }
    Some(read)
}
