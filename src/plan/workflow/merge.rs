//! What an action gets from `global`, from the default file and from its `launcher` element
//! (`LiteWorkflowAppParser.handleDefaultsAndGlobal`, `LauncherConfigHandler`).

use std::sync::Arc;

use indexmap::IndexMap;

use crate::analysis::parameters::java_trim;
use crate::plan::serialize::first_piece;
use crate::source::{Span, Text};
use crate::xml::{Element, Name, Node, Symbol};

/// The children of `launcher` and the properties that they become.
const LAUNCHER: &[(&str, &str)] = &[
    ("memory.mb", "oozie.launcher.memory.mb"),
    ("vcores", "oozie.launcher.vcores"),
    ("priority", "oozie.launcher.priority"),
    ("java-opts", "oozie.launcher.javaopts"),
    ("env", "oozie.launcher.env"),
    ("queue", "oozie.launcher.queue"),
    ("sharelib", "oozie.launcher.sharelib"),
    ("view-acl", "oozie.launcher.view.acl"),
    ("modify-acl", "oozie.launcher.modify.acl"),
];

/// Types of actions that run no Hadoop job and take nothing from `global`.
const PLAIN: &[&str] = &["email", "ssh"];

/// Properties by name, in the order in which they were first set.
pub(super) type Properties = IndexMap<String, Text>;

/// What `global` gives to the actions.
#[derive(Clone, Debug, Default)]
pub(super) struct Global {
    /// The resource manager, and whether it is called `resource-manager` or `job-tracker`.
    resource_manager: Option<(Text, bool)>,
    name_node: Option<Text>,
    job_xml: Vec<Text>,
    properties: Properties,
}

impl Global {
    /// Reads the element, over what a parent workflow handed down.
    pub(super) fn new(element: &Element, inherited: Option<&Global>, file: &str) -> Global {
        let mut merged = element.clone();
        if let Some(inherited) = inherited {
            merge(&mut merged, inherited, &Properties::new(), file);
        }
        let newer = child(&merged, "resource-manager");
        let resource_manager = newer.or_else(|| child(&merged, "job-tracker"));
        let mut properties =
            child(&merged, "configuration").map(|it| properties(it, file)).unwrap_or_default();
        properties.extend(child(&merged, "launcher").map(launcher).unwrap_or_default());
        Global {
            resource_manager: resource_manager.map(|element| (element.text(), newer.is_some())),
            name_node: child(&merged, "name-node").map(Element::text),
            job_xml: children(&merged, "job-xml").map(Element::text).collect(),
            properties,
        }
    }

    /// The same for a workflow in another file: everything is said to stand at `place` there.
    pub(super) fn handed_down(&self, place: Span) -> Global {
        let text = |text: &Text| Text::computed(text.value.clone(), place);
        Global {
            resource_manager: self.resource_manager.as_ref().map(|(it, _)| (text(it), false)),
            name_node: self.name_node.as_ref().map(text),
            job_xml: self.job_xml.iter().map(text).collect(),
            properties: self.properties.iter().map(|(name, value)| (name.clone(), text(value))).collect(),
        }
    }
}

/// An action's element with everything put in that it does not set itself.
pub(super) fn merged(
    element: &Element,
    global: Option<&Global>,
    defaults: &Properties,
    file: &str,
) -> Element {
    let mut merged = element.clone();
    let nothing = Global::default();
    let defaults = if &*element.name.local == "sub-workflow" { &Properties::new() } else { defaults };
    merge(&mut merged, global.unwrap_or(&nothing), defaults, file);
    merged
}

fn merge(element: &mut Element, global: &Global, defaults: &Properties, file: &str) {
    let kind = element.name.local.to_string();
    if PLAIN.contains(&&*kind) {
        return;
    }
    if child(element, "name-node").is_none()
        && let Some(name_node) = &global.name_node
    {
        push(element, "name-node", name_node);
    }
    let own = child(element, "resource-manager").or_else(|| child(element, "job-tracker"));
    if let (None, Some((text, newer)), false) = (own, &global.resource_manager, kind == "fs") {
        push(element, if *newer { "resource-manager" } else { "job-tracker" }, text);
    }
    let own: Vec<_> = children(element, "job-xml").map(|own| own.text().value).collect();
    let foreign: Vec<_> = global.job_xml.iter().filter(|text| !own.contains(&text.value)).cloned().collect();
    for (index, text) in foreign.iter().enumerate() {
        let made = made(element, "job-xml", vec![Node::Text(Box::new(text.clone()))]);
        element.children.insert(index, made);
    }
    merge_configuration(element, global, defaults, file);
}

fn merge_configuration(element: &mut Element, global: &Global, defaults: &Properties, file: &str) {
    let mut all = defaults.clone();
    all.extend(global.properties.iter().map(|(name, value)| (name.clone(), value.clone())));
    if &*element.name.local != "global" {
        all.extend(child(element, "launcher").map(launcher).unwrap_or_default());
    }
    if all.is_empty() {
        return;
    }
    let own = child(element, "configuration").map(|own| properties(own, file));
    all.extend(own.into_iter().flatten());
    let property = |(name, value): (&String, &Text)| {
        let place = value.span;
        let name = made_at(
            element,
            "name",
            place,
            vec![Node::Text(Box::new(Text::computed(name.clone(), element.name_span)))],
        );
        let value = made_at(element, "value", place, vec![Node::Text(Box::new(value.clone()))]);
        made_at(element, "property", place, vec![name, value])
    };
    let made = made(element, "configuration", all.iter().map(property).collect());
    let is_own =
        |node: &Node| matches!(node, Node::Element(child) if is_child(element, child, "configuration"));
    match element.children.iter().position(is_own) {
        Some(index) => element.children[index] = made,
        None => element.children.push(made),
    }
}

/// The properties of a configuration as `XConfiguration` reads them from pretty-printed XML.
pub(super) fn properties(configuration: &Element, file: &str) -> Properties {
    let property = |element: &Element| {
        let name = first_piece(element.child("name")?, file)?;
        let value = first_piece(element.child("value")?, file)?;
        Some((java_trim(&name.value).to_owned(), value))
    };
    configuration.children_named("property").filter_map(property).collect()
}

fn launcher(element: &Element) -> Properties {
    let setting = |(tag, name): &(&str, &str)| child(element, tag).map(|it| ((*name).to_owned(), it.text()));
    LAUNCHER.iter().filter_map(setting).collect()
}

fn is_child(parent: &Element, element: &Element, local: &str) -> bool {
    element.name.local == local && element.name.namespace == parent.name.namespace
}

/// The children of this name in the parent's namespace.
pub(super) fn children<'e>(parent: &'e Element, local: &'e str) -> impl Iterator<Item = &'e Element> {
    parent.elements().filter(move |element| is_child(parent, element, local))
}

/// The first of [`children`].
pub(super) fn child<'e>(parent: &'e Element, local: &'e str) -> Option<&'e Element> {
    children(parent, local).next()
}

fn push(parent: &mut Element, local: &str, text: &Text) {
    let made = made_at(parent, local, text.span, vec![Node::Text(Box::new(text.clone()))]);
    parent.children.push(made);
}

fn made(parent: &Element, local: &str, children: Vec<Node>) -> Node {
    made_at(parent, local, parent.name_span, children)
}

/// An element of the parent's namespace that stands nowhere in the file.
fn made_at(parent: &Element, local: &str, place: Span, children: Vec<Node>) -> Node {
    let name = Name { namespace: parent.name.namespace.clone(), local: Symbol::from(local) };
    let element = Element {
        name,
        span: place,
        name_span: place,
        start_tag: place,
        declaration: None,
        attributes: Vec::new(),
        children,
    };
    Node::Element(Arc::new(element))
}
