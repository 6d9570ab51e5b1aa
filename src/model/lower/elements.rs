//! What all dialects share: looking into elements, configurations, parameters, service levels.

use crate::model::sla::Sla;
use crate::model::{Configuration, Namespace, Parameter, Property};
use crate::source::Text;
use crate::xml::Element;

/// The value of an attribute.
pub(super) fn attribute(element: &Element, name: &str) -> Option<Text> {
    element.attribute(name).map(|attribute| attribute.value.clone())
}

/// The children of this name in the parent's own namespace, as `getChildren(name, ns)` of JDOM finds them.
pub(super) fn children<'a>(parent: &'a Element, name: &'a str) -> impl Iterator<Item = &'a Element> {
    parent.elements().filter(move |e| e.name.local == name && e.name.namespace == parent.name.namespace)
}

/// The first of [`children`].
pub(super) fn child<'a>(parent: &'a Element, name: &'a str) -> Option<&'a Element> {
    children(parent, name).next()
}

/// The text of the first child of this name.
pub(super) fn child_text(parent: &Element, name: &str) -> Option<Text> {
    child(parent, name).map(Element::text)
}

/// The texts of all children of this name.
pub(super) fn child_texts(parent: &Element, name: &str) -> Vec<Text> {
    children(parent, name).map(Element::text).collect()
}

/// The namespace of an element, and where it is declared.
pub(super) fn namespace(element: &Element) -> Namespace {
    let declaration = element.declaration.as_deref();
    Namespace {
        value: element.name.namespace.to_string(),
        span: declaration.map_or(element.start_tag, |it| it.value),
        declaration: declaration.cloned(),
    }
}

/// The `configuration` child; empty when there is none.
pub(in crate::model) fn configuration(parent: &Element) -> Configuration {
    Configuration { properties: child(parent, "configuration").map(properties).unwrap_or_default() }
}

/// The `property` children.
pub(super) fn properties(parent: &Element) -> Vec<Property> {
    children(parent, "property").map(property).collect()
}

fn property(element: &Element) -> Property {
    let nothing = || Text::computed("", element.name_span);
    let is_final = child_text(element, "final").is_some_and(|text| text.trimmed().value == "true");
    Property {
        span: element.span,
        name: child_text(element, "name").unwrap_or_else(nothing),
        value: child_text(element, "value").unwrap_or_else(nothing),
        is_final,
    }
}

/// The formal parameters.
pub(super) fn parameters(parent: &Element) -> Vec<Parameter> {
    let Some(element) = child(parent, "parameters") else { return Vec::new() };
    children(element, "property")
        .map(|property| Parameter {
            span: property.span,
            name: child_text(property, "name").unwrap_or_else(|| Text::computed("", property.name_span)),
            default: child_text(property, "value"),
        })
        .collect()
}

/// The `info` child in a namespace of its own.
pub(super) fn sla(parent: &Element) -> Option<Sla> {
    let info = parent.elements().find(|e| e.name.local == "info")?;
    Some(Sla {
        span: info.span,
        namespace: info.name.namespace.to_string(),
        entries: info.elements().map(|entry| (entry.name.local.to_string(), entry.text())).collect(),
    })
}
