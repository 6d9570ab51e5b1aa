//! `hadoop-workflow`: nodes stand in any order, an action is an element of its own, and transitions of decisions and
//! actions have names.

use std::sync::Arc;

use super::foreign;
use crate::model::lower::elements::{attribute, child, child_text, children, namespace};
use crate::model::roots::Dialect;
use crate::model::workflow::{
    Action, ActionBody, Case, NamedTransition, Node, NodeKind, START_NAME, Stranger, Workflow,
};
use crate::source::Text;
use crate::xml::{self, Element, Node as Child};

/// The elements of actions, which are nodes as they stand.
const ACTIONS: [&str; 7] = ["hadoop", "pig", "hdfs", "ssh", "sub-workflow", "http", "email"];
/// The nodes that steer.
const CONTROLS: [&str; 6] = ["start", "end", "fail", "decision", "fork", "join"];

pub(in crate::model) fn workflow(root: &Element) -> Workflow {
    let (mut nodes, mut transitions) = (Vec::new(), Vec::new());
    for element in root.shared_elements() {
        if let Some(node) = node(element, nodes.len(), &mut transitions) {
            nodes.push(node);
        }
    }
    nodes.shrink_to_fit();
    let lacks_name = |element: &Element| {
        child(element, "default").is_some_and(|default| default.attribute("name").is_none())
    };
    let is_node = |element: &&Element| is_node(&element.name.local);
    let of_nodes = root.elements().filter(is_node).enumerate();
    let defaults_without_name =
        of_nodes.filter(|(_, element)| lacks_name(element)).map(|(at, _)| at).collect();
    Workflow {
        dialect: Dialect::Hws,
        span: root.span,
        name_span: root.name_span,
        namespace: namespace(root),
        name: attribute(root, "name"),
        parameters: Vec::new(),
        global: None,
        credentials: Vec::new(),
        nodes,
        transitions,
        foreign: foreign::in_hws(root),
        defaults_without_name,
        strangers: root.elements().filter_map(stranger).collect(),
        sla: None,
    }
}

fn is_node(local: &str) -> bool {
    ACTIONS.contains(&local) || CONTROLS.contains(&local)
}

/// A named element that is no node.
fn stranger(element: &Element) -> Option<Stranger> {
    let name = attribute(element, "name").filter(|_| !is_node(&element.name.local))?;
    Some(Stranger { tag_span: element.name_span, name })
}

/// A node; `None` for elements that are none. The named transitions of decisions and actions go into one list.
fn node(element: &Arc<Element>, index: usize, all: &mut Vec<NamedTransition>) -> Option<Node> {
    let to = |element: &Element| attribute(element, "to");
    let mut name = attribute(element, "name").unwrap_or_else(|| Text::computed("", element.name_span));
    let kind = match element.name.local.as_str() {
        "start" => {
            name = Text::computed(START_NAME, element.name_span);
            NodeKind::Start { to: to(element) }
        }
        "end" => NodeKind::End,
        "fail" => NodeKind::Kill { message: child_text(element, "message"), fails: true },
        "decision" => {
            let own = transitions(element, index, all);
            let target = |name: &Option<Text>| named(own, name.as_ref()?).and_then(|found| found.to.clone());
            let case = |case: &Element| {
                let name = attribute(case, "name");
                Case { predicate: case.text(), to: target(&name), name: name.map(Box::new) }
            };
            let default = child(element, "default").map(|default| attribute(default, "name"));
            NodeKind::Decision {
                cases: children(element, "eval").map(case).collect(),
                default: default.as_ref().and_then(target),
                default_name: default.flatten().map(Box::new),
            }
        }
        "fork" => {
            let path = |path: &Element| to(path).unwrap_or_else(|| Text::computed("", path.name_span));
            NodeKind::Fork { paths: children(element, "transition").map(path).collect() }
        }
        "join" => NodeKind::Join { to: child(element, "transition").and_then(to) },
        local if ACTIONS.contains(&local) => {
            let own = transitions(element, index, all);
            let target = |name: &str| {
                let found = own.iter().find(|it| it.name.as_ref().is_some_and(|it| it.value.trim() == name));
                found.and_then(|found| found.to.clone())
            };
            NodeKind::Action(Box::new(action(element, target("OK"), target("ERROR"))))
        }
        _ => return None,
    };
    Some(Node { span: element.span, tag_span: element.name_span, name, kind })
}

/// Puts the transitions of a node into the list, and gives its own back.
fn transitions<'l>(
    element: &Element,
    node: usize,
    all: &'l mut Vec<NamedTransition>,
) -> &'l [NamedTransition] {
    let first = all.len();
    all.extend(children(element, "transition").map(|it| NamedTransition {
        node,
        tag_span: it.name_span,
        name: attribute(it, "name"),
        to: attribute(it, "to"),
    }));
    &all[first..]
}

/// The first transition of a name.
fn named<'l>(own: &'l [NamedTransition], name: &Text) -> Option<&'l NamedTransition> {
    own.iter().find(|it| it.name.as_ref().is_some_and(|it| it.value.trim() == name.value.trim()))
}

fn action(element: &Arc<Element>, ok: Option<Text>, error: Option<Text>) -> Action {
    let texts = Arc::new(body(&xml::without_comments(element)));
    Action {
        ok,
        error,
        credentials: None,
        retry_max: None,
        retry_interval: None,
        retry_policy: None,
        body: Some(ActionBody {
            dialect: Dialect::Hws,
            kind: element.name.local.clone(),
            namespace: element.name.namespace.clone(),
            element: Arc::new(body(element)),
            texts,
        }),
        sla: None,
    }
}

/// What an action does: its element without what makes it a node, its name and its transitions.
fn body(element: &Element) -> Element {
    let is_name =
        |attribute: &&xml::Attribute| attribute.name.local == "name" && attribute.name.namespace.is_empty();
    let is_transition =
        |child: &&Child| matches!(child, Child::Element(child) if child.name.local == "transition");
    Element {
        attributes: element.attributes.iter().filter(|it| !is_name(it)).cloned().collect(),
        children: element.children.iter().filter(|it| !is_transition(it)).cloned().collect(),
        ..element.clone()
    }
}
