//! `prepare`: what is deleted and made before the action runs (`PrepareActionsHandler`).

use super::paths;
use crate::execute::files::Operation;
use crate::xml::Element;

/// Its operations, in order; elements without a path are passed over.
pub(super) fn operations(root: &Element) -> Vec<Operation> {
    let operation = |element: &Element| {
        let path = paths::uri(root, element.attribute("path")?.value.value.trim());
        match element.name.local.as_str() {
            "delete" => Some(Operation::Delete(path)),
            "mkdir" => Some(Operation::Mkdir(path)),
            _ => None,
        }
    };
    root.child("prepare").into_iter().flat_map(Element::elements).filter_map(operation).collect()
}
