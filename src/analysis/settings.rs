//! The texts of a definition or a properties file, each with the name that says what it is for.

use crate::properties::Properties;
use crate::source::Text;
use crate::xml::{Element, Node};

/// A text and its name.
#[derive(Clone, Debug)]
pub struct Setting<'a> {
    /// The property, the attribute, the option before it, or the element that holds it.
    pub name: &'a str,
    /// The text as decoded.
    pub value: &'a Text,
    /// It is the value of a property: nothing else stands in the text.
    pub is_property: bool,
}

/// The entries of a properties file.
pub fn of_properties(properties: &Properties) -> impl Iterator<Item = Setting<'_>> {
    properties.entries.iter().map(|entry| Setting {
        name: entry.key.value.trim(),
        value: &entry.value,
        is_property: true,
    })
}

/// The attributes and texts of a document, in order; comments are none.
pub fn of_document(root: &Element) -> Vec<Setting<'_>> {
    let mut found = Vec::new();
    let mut open = vec![root];
    while let Some(element) = open.pop() {
        for attribute in &element.attributes {
            found.push(Setting { name: &attribute.name.local, value: &attribute.value, is_property: false });
        }
        if &*element.name.local == "property" {
            found.extend(property(element));
            continue;
        }
        let mut option = None;
        for node in &element.children {
            match node {
                Node::Text(text) if !text.value.trim().is_empty() => {
                    found.push(Setting { name: &element.name.local, value: text, is_property: false });
                }
                Node::Element(child) if matches!(&*child.name.local, "arg" | "argument") => {
                    let text = only_text(child);
                    if let (Some(name), Some(value)) = (option, text) {
                        found.push(Setting { name, value, is_property: true });
                    }
                    option = text.map(|text| text.value.trim()).filter(|text| text.starts_with('-'));
                }
                _ => {}
            }
        }
        let from = open.len();
        open.extend(element.elements());
        open[from..].reverse();
    }
    found
}

fn property(element: &Element) -> Option<Setting<'_>> {
    let name = only_text(element.child("name")?)?.value.trim();
    Some(Setting { name, value: only_text(element.child("value")?)?, is_property: true })
}

/// The text of an element that holds one piece of it.
fn only_text(element: &Element) -> Option<&Text> {
    element.children.iter().find_map(|node| match node {
        Node::Text(text) => Some(text),
        _ => None,
    })
}
