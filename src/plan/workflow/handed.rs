//! What a sub-workflow needs and its action does not hand to it.

use indexmap::IndexMap;

use super::{Definition, SubWorkflow};
use crate::analysis::parameters::PARAMETER_UNDEFINED;
use crate::diag::{Diagnostic, Edit, Group, Info, Severity, Stage, SubjectKind};
use crate::model::workflow::NodeKind;
use crate::source::Span;
use crate::xml::{Element, Node};

/// A sub-workflow that does not get the properties it reads.
pub static SUBWORKFLOW_CONFIG: Info = Info {
    name: "action-subworkflow-config",
    group: Group::Meaning,
    severity: Severity::Warning,
    stage: Some(Stage::Action),
    mirrors: &["E0738"],
    explanation: "A sub-workflow reads properties that its action does not hand to it.\n\n\
        The job's own properties reach a sub-workflow only with `<propagate-configuration/>`; without it the \
        sub-workflow has what the action's `configuration` gives, what its own `config-default.xml` holds, and its \
        defaults of formal parameters. What else it reads has no value, however the job is submitted, and the \
        action fails.\n\n\
        ```xml\n\
        <sub-workflow>\n  \
          <app-path>${nameNode}/apps/load</app-path>\n  \
          <propagate-configuration/>\n\
        </sub-workflow>\n\
        ```",
};

/// How many names a message lists.
const MOST_NAMES: usize = 5;

/// Tells of an action without `propagate-configuration` whose workflow reads what nothing gives; `span` is the place of
/// its node. What the sub-workflow's submission says of missing parameters is told by this.
pub(super) fn not_handed(parent: Definition<'_>, span: Span, follow: &mut SubWorkflow) {
    let Some(node) = parent.model.nodes.iter().find(|node| node.tag_span == span) else { return };
    let NodeKind::Action(action) = &node.kind else { return };
    let Some(element) = action.body.as_ref().map(|body| &*body.element) else { return };
    let mut missing: IndexMap<String, Span> = IndexMap::new();
    let is_undefined = |finding: &Diagnostic| finding.rule.name == PARAMETER_UNDEFINED.name;
    for finding in follow.findings.iter().filter(|finding| is_undefined(finding)) {
        if let Some(name) = finding.parameter() {
            missing.entry(name.to_owned()).or_insert(finding.span);
        }
    }
    let is_refused = !missing.is_empty();
    follow.findings.retain(|finding| !is_undefined(finding));
    for (name, span) in follow.plan.iter().flat_map(|plan| &plan.missing) {
        missing.entry(name.clone()).or_insert(*span);
    }
    let Some((first, place)) = missing.first() else { return };
    let mut names: Vec<String> = missing.keys().take(MOST_NAMES).map(|name| format!("`{name}`")).collect();
    if missing.len() > MOST_NAMES {
        names.push(format!("{} more", missing.len() - MOST_NAMES));
    }
    let message =
        format!("the sub-workflow reads {}, which its action does not hand to it", names.join(", "));
    let mut finding = Diagnostic::new(&SUBWORKFLOW_CONFIG, element.name_span, message)
        .about(SubjectKind::Parameter, first)
        .help("add `<propagate-configuration/>`, or give them in `configuration`");
    if is_refused {
        finding = finding.severity(Severity::Error);
    } else {
        finding.oozie.clear();
    }
    finding = finding.label(*place, format!("`{first}` is read here"));
    follow.findings.push(match propagate(element) {
        Some(edit) => finding.fix(false, vec![edit]),
        None => finding,
    });
}

/// `propagate-configuration` put in behind `app-path`.
fn propagate(action: &Element) -> Option<Edit> {
    let is_path = |node: &Node| matches!(node, Node::Element(child) if &*child.name.local == "app-path");
    let index = action.children.iter().position(is_path)?;
    let Node::Element(path) = &action.children[index] else { return None };
    if action.name_span.range().len() != action.name.local.len() {
        return None;
    }
    let indent = match index.checked_sub(1).map(|before| &action.children[before]) {
        Some(Node::Text(text)) if text.value.trim().is_empty() => {
            text.value.rfind('\n').map_or("", |at| &text.value[at..])
        }
        _ => "",
    };
    let end = Span { start: path.span.end, ..path.span };
    Some(Edit { span: end, text: format!("{indent}<propagate-configuration/>") })
}
