//! `workflow-app` of Oozie, read as `LiteWorkflowAppParser.parse` reads it: nodes by local name.

use std::sync::Arc;

use crate::model::lower::elements::{
    attribute, child, child_text, child_texts, children, configuration, namespace, parameters, properties,
    sla,
};
use crate::model::lower::hws::foreign::in_oozie;
use crate::model::roots::Dialect;
use crate::model::workflow::{
    Action, ActionBody, Case, Credential, Global, Node, NodeKind, START_NAME, Stranger, Workflow,
};
use crate::source::Text;
use crate::xml::{self, Element};

pub(in crate::model) fn workflow(root: &Element) -> Workflow {
    Workflow {
        dialect: Dialect::Oozie,
        span: root.span,
        name_span: root.name_span,
        namespace: namespace(root),
        name: attribute(root, "name"),
        parameters: parameters(root),
        global: root.shared_elements().find(|e| e.name.local == "global").map(global),
        credentials: child(root, "credentials")
            .map(|list| children(list, "credential").map(credential).collect())
            .unwrap_or_default(),
        nodes: nodes(root),
        transitions: Vec::new(),
        foreign: in_oozie(root),
        defaults_without_name: Vec::new(),
        strangers: root.elements().filter_map(stranger).collect(),
        sla: sla(root),
    }
}

fn global(element: &Arc<Element>) -> Global {
    Global {
        span: element.span,
        resource_manager: resource_manager(element),
        name_node: child_text(element, "name-node"),
        job_xml: child_texts(element, "job-xml"),
        configuration: configuration(element),
        element: element.clone(),
        texts: xml::without_comments(element),
    }
}

/// `resource-manager`, else `job-tracker` (`LiteWorkflowAppParser.getResourceManager`).
pub(in crate::model) fn resource_manager(element: &Element) -> Option<Text> {
    child_text(element, "resource-manager").or_else(|| child_text(element, "job-tracker"))
}

fn credential(element: &Element) -> Credential {
    Credential {
        span: element.span,
        name: attribute(element, "name"),
        kind: attribute(element, "type"),
        properties: properties(element),
    }
}

/// The nodes, in document order.
fn nodes(root: &Element) -> Vec<Node> {
    let mut found: Vec<Node> = root.elements().filter_map(node).collect();
    found.shrink_to_fit();
    found
}

/// A named element that is no node.
fn stranger(element: &Element) -> Option<Stranger> {
    const NODES: [&str; 7] = ["start", "end", "kill", "decision", "fork", "join", "action"];
    let name = attribute(element, "name").filter(|_| !NODES.contains(&element.name.local.as_str()))?;
    Some(Stranger { tag_span: element.name_span, name })
}

/// A node; `None` for elements that are none.
fn node(element: &Element) -> Option<Node> {
    let to = |element: &Element| attribute(element, "to");
    let mut name = attribute(element, "name").unwrap_or_else(|| Text::computed("", element.name_span));
    let kind = match element.name.local.as_str() {
        "start" => {
            name = Text::computed(START_NAME, element.name_span);
            NodeKind::Start { to: to(element) }
        }
        "end" => NodeKind::End,
        "kill" => NodeKind::Kill { message: child_text(element, "message"), fails: false },
        "decision" => {
            let switch = child(element, "switch");
            let case = |case: &Element| Case { predicate: case.text(), name: None, to: to(case) };
            NodeKind::Decision {
                cases: switch.into_iter().flat_map(|switch| children(switch, "case")).map(case).collect(),
                default: switch.and_then(|switch| child(switch, "default")).and_then(to),
                default_name: None,
            }
        }
        "fork" => {
            let path = |path: &Element| {
                attribute(path, "start").unwrap_or_else(|| Text::computed("", path.name_span))
            };
            NodeKind::Fork { paths: children(element, "path").map(path).collect() }
        }
        "join" => NodeKind::Join { to: to(element) },
        "action" => NodeKind::Action(Box::new(action(element))),
        _ => return None,
    };
    Some(Node { span: element.span, tag_span: element.name_span, name, kind })
}

fn action(element: &Element) -> Action {
    let transition = |name: &str| element.child(name).and_then(|child| attribute(child, "to"));
    // The server takes the last element that is none of these.
    let other = |e: &&Arc<Element>| !matches!(e.name.local.as_str(), "ok" | "error" | "info" | "credentials");
    Action {
        ok: transition("ok"),
        error: transition("error"),
        credentials: attribute(element, "cred").map(Box::new),
        retry_max: attribute(element, "retry-max").map(Box::new),
        retry_interval: attribute(element, "retry-interval").map(Box::new),
        retry_policy: attribute(element, "retry-policy").map(Box::new),
        body: element.shared_elements().filter(other).last().map(body),
        sla: sla(element).map(Box::new),
    }
}

fn body(element: &Arc<Element>) -> ActionBody {
    ActionBody {
        dialect: Dialect::Oozie,
        kind: element.name.local.clone(),
        namespace: element.name.namespace.clone(),
        element: element.clone(),
        texts: xml::without_comments(element),
    }
}
