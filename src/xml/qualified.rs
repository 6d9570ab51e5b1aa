//! Values that are qualified names: what their prefixes mean where they stand. A tree does not keep that, since next to no
//! document has any.

use std::collections::BTreeMap;

use roxmltree::Document;

use super::{Name, Symbol};

/// The values of an attribute that are qualified names, by the start of the element that has it. Values that are not names,
/// and those whose prefix is not declared, are left out; of a document that cannot be read there are none.
pub fn qualified_values(text: &str, namespace: &str, local: &str) -> BTreeMap<u32, Name> {
    let mut values = BTreeMap::new();
    let Ok(document) = Document::parse(text) else { return values };
    for node in document.root_element().descendants() {
        let Some(value) = node.attribute((namespace, local)) else { continue };
        let value = value.trim_matches([' ', '\t', '\n', '\r']);
        let (prefix, name) = match value.split_once(':') {
            Some((prefix, name)) => (Some(prefix), name),
            None => (None, value),
        };
        let namespace = match (node.lookup_namespace_uri(prefix), prefix) {
            (Some(namespace), _) => namespace,
            (None, None) => "",
            (None, Some(_)) => continue,
        };
        let start = u32::try_from(node.range().start).unwrap_or(u32::MAX);
        values.insert(start, Name { namespace: Symbol::from(namespace), local: Symbol::from(name) });
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes_mean_what_they_mean_where_they_stand() {
        let text = "<a xmlns='urn:1' xmlns:p='urn:p' p:t=' b '><b p:t='p:c' xmlns:p='urn:p'/><c xmlns='' p:t='q:d'/><d xmlns='' p:t='e'/></a>";
        let values = qualified_values(text, "urn:p", "t");
        let of = |tag: &str| {
            let at = text.find(tag).expect("it is there") as u32;
            values.get(&at).map(|name| format!("{} {}", name.namespace.as_str(), name.local.as_str()))
        };
        assert_eq!(of("<a"), Some("urn:1 b".into()));
        assert_eq!(of("<b"), Some("urn:p c".into()));
        assert_eq!(of("<c"), None);
        assert_eq!(of("<d"), Some(" e".into()));
    }
}
