//! The nodes of one workflow, resolved.

use std::borrow::Cow;

use indexmap::IndexSet;

use super::evaluate::{NodeWorld, Resolved};
use super::merge::{Global, merged};
use super::submit::Submitted;
use super::{Definition, PlannedAction, PlannedNode};
use crate::analysis::flow::{Flow, Role, levels};
use crate::diag::{Diagnostic, Stage};
use crate::model::Dialect;
use crate::model::workflow::{ActionBody, Case, NodeKind};
use crate::plan::bundle::VALUE_BREAKS_XML;
use crate::plan::serialize::{escaped_text, pretty, with_plain_expressions};
use crate::source::{Sources, Text};
use crate::xml::{self, Element};

/// An action's element once everything known is put in, for those who look into it.
pub(super) struct Built {
    /// The index of the node in the plan.
    pub(super) node: usize,
    /// The element, read again; its spans lie in no file.
    pub(super) element: Element,
    /// The text it was read from.
    pub(super) text: String,
}

/// The nodes in order of possible execution, and the sub-workflow actions among them.
pub(super) fn nodes(
    definition: Definition<'_>,
    submitted: &Submitted,
    global: Option<&Global>,
    world: &NodeWorld<'_>,
) -> (Vec<PlannedNode>, Vec<Built>) {
    let flow = Flow::new(definition.model);
    let mut planned = Vec::with_capacity(flow.len());
    let mut built = Vec::new();
    for (id, level) in levels(&flow) {
        let node = &definition.model.nodes[id.index()];
        let mut plan = PlannedNode {
            name: node.name.value.clone(),
            kind: flow.kind_name(id),
            level,
            to: flow.edges(id).map(|(_, edge)| (role(edge.role), edge.to.value.clone())).collect(),
            cases: Vec::new(),
            message: None,
            action: None,
            deferred: Vec::new(),
            findings: Vec::new(),
            span: node.tag_span,
        };
        match &node.kind {
            NodeKind::Kill { message: Some(message), .. } => {
                let resolved = world.resolve(message);
                plan.message = Some(take(&mut plan, resolved));
            }
            NodeKind::Decision { cases, .. } => {
                for (index, Case { predicate, .. }) in cases.iter().enumerate() {
                    let predicate = predicate_text(definition, predicate);
                    let resolved = world.resolve(&predicate);
                    let text = take(&mut plan, resolved);
                    plan.cases.push((role(Role::Case(index + 1)), text));
                }
            }
            NodeKind::Action(action) => {
                if let Some(body) = &action.body {
                    let element = action_element(definition, body, global, submitted);
                    plan.action = Some(resolve_action(body, &element, definition, world, &mut plan.findings));
                    built.extend(read_again(&plan, planned.len()));
                }
            }
            _ => {}
        }
        planned.push(plan);
    }
    (planned, built)
}

/// The text of a predicate as it is evaluated: in Oozie the switch is XML by then, so that `<` is `&lt;`.
pub(super) fn predicate_text(definition: Definition<'_>, predicate: &Text) -> Text {
    match definition.model.dialect {
        Dialect::Oozie => escaped_text(predicate, definition.text).trimmed(),
        Dialect::Hws => predicate.trimmed(),
    }
}

/// The element of an action with what it gets from elsewhere; in a `hadoop-workflow` it holds all that it needs.
pub(super) fn action_element(
    definition: Definition<'_>,
    body: &ActionBody,
    global: Option<&Global>,
    submitted: &Submitted,
) -> Element {
    match definition.model.dialect {
        Dialect::Oozie => merged(&body.element, global, &submitted.defaults, definition.text),
        Dialect::Hws => Element::clone(&body.texts),
    }
}

/// The element of an action as the text that is evaluated.
pub(super) fn action_text(definition: Definition<'_>, element: &Element) -> Text {
    match definition.model.dialect {
        Dialect::Oozie => pretty(element, definition.text),
        Dialect::Hws => with_plain_expressions(element, definition.text),
    }
}

fn role(role: Role) -> Cow<'static, str> {
    match role {
        Role::To => "to".into(),
        Role::Ok => "ok".into(),
        Role::Error => "error".into(),
        Role::Default => "default".into(),
        Role::Case(number) => format!("case {number}").into(),
        Role::Path(number) => format!("path {number}").into(),
    }
}

fn take(plan: &mut PlannedNode, resolved: Resolved) -> String {
    plan.deferred.extend(resolved.deferred);
    plan.findings.extend(resolved.findings);
    resolved.text
}

fn resolve_action(
    body: &ActionBody,
    element: &Element,
    definition: Definition<'_>,
    world: &NodeWorld<'_>,
    findings: &mut Vec<Diagnostic>,
) -> PlannedAction {
    let printed = action_text(definition, element);
    let mut resolved = world.resolve_action(&printed);
    // What nothing was put into can be read, as it was before.
    let is_changed = resolved.text != printed.value;
    if is_changed && resolved.findings.is_empty() && resolved.deferred.is_empty() {
        let file = Sources::new().add("", "");
        if let (None, faults) = xml::read(file, &resolved.text, &xml::Limits::default()) {
            let why = faults.first().map_or("it cannot be read", |fault| &fault.message);
            let message = format!("the action is no XML once values are put in: {why}");
            let found = Diagnostic::new(&VALUE_BREAKS_XML, element.name_span, message).oozie(&[]);
            findings.push(
                found
                    .stage(Some(Stage::Action))
                    .help("write `&lt;` for `<` and `&amp;` for `&` in the value"),
            );
        }
    }
    findings.append(&mut resolved.findings);
    // Each once, in the order in which they stand.
    let deferred: IndexSet<String> = resolved.deferred.into_iter().collect();
    PlannedAction {
        kind: body.kind.clone(),
        namespace: body.namespace.clone(),
        definition: resolved.text,
        deferred: deferred.into_iter().collect(),
        child: None,
    }
}

/// A sub-workflow action read again, when it is one and can be read.
fn read_again(plan: &PlannedNode, node: usize) -> Option<Built> {
    let action = plan.action.as_ref().filter(|action| action.kind.as_str() == "sub-workflow")?;
    let text = action.definition.clone();
    let file = Sources::new().add("", "");
    let element = xml::read(file, &text, &xml::Limits::default()).0?;
    Some(Built { node, element, text })
}
