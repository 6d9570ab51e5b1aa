//! Where a finding stands, in words that stay the same while lines move.

use std::collections::BTreeMap;

use crate::diag::Diagnostic;
use crate::source::{FileId, Sources};
use crate::xml::{self, Element, Limits};

/// More elements around a place are not named: the innermost ones say where it is.
const MAX_ELEMENTS: usize = 12;

/// Longer names are cut.
const MAX_NAME_CHARS: usize = 80;

/// Names places in the files of one unit; each file is read once.
#[derive(Debug, Default)]
pub struct Places {
    files: BTreeMap<FileId, Vec<Place>>,
}

/// An element, in the order of start tags.
#[derive(Debug)]
struct Place {
    start: u32,
    end: u32,
    parent: Option<usize>,
    label: String,
}

impl Places {
    /// The elements around a finding, `workflow-app/action[copy]/error`, or the key of the property that it stands at.
    /// Never the values of properties: they may be secret. Empty where nothing better is known.
    pub fn of(&mut self, sources: &Sources, finding: &Diagnostic) -> String {
        let (file, at) = (finding.span.file, finding.span.start);
        let text = sources.text(file);
        if !is_xml(text) {
            return key_at(text, at as usize);
        }
        let places = self.files.entry(file).or_insert_with(|| places(file, text));
        let mut index = places.partition_point(|place| place.start <= at).checked_sub(1);
        while let Some(place) = index.map(|index| &places[index]).filter(|place| place.end <= at) {
            index = place.parent;
        }
        let mut labels = Vec::new();
        while let Some(place) = index.map(|index| &places[index]) {
            if labels.len() == MAX_ELEMENTS {
                labels.push("…");
                break;
            }
            labels.push(&place.label);
            index = place.parent;
        }
        labels.reverse();
        labels.join("/")
    }
}

/// Whether a text is a document rather than properties.
pub(super) fn is_xml(text: &str) -> bool {
    text.trim_start_matches(['\u{feff}', ' ', '\n', '\r', '\t']).starts_with('<')
}

fn places(file: FileId, text: &str) -> Vec<Place> {
    let (Some(root), _) = xml::read(file, text, &Limits::default()) else { return Vec::new() };
    let mut places = Vec::new();
    let mut open: Vec<(&Element, Option<usize>)> = vec![(&root, None)];
    while let Some((element, parent)) = open.pop() {
        let own = places.len();
        places.push(Place {
            start: element.span.start,
            end: element.span.end,
            parent,
            // The name of the app says no more than that of the file.
            label: label(element, parent.is_some()),
        });
        let children = open.len();
        open.extend(element.elements().map(|child| (child, Some(own))));
        open[children..].reverse();
    }
    places
}

/// `action[copy]`: by its attribute, or the child, that names it.
fn label(element: &Element, with_name: bool) -> String {
    let local = element.name.local.as_str();
    let attribute = element.attribute("name").map(|attribute| attribute.value.value.clone());
    let name = attribute.or_else(|| element.child("name").map(|child| child.text().value));
    match name.as_deref().map(str::trim).filter(|name| with_name && !name.is_empty()) {
        Some(name) => {
            let name: String = name.chars().take(MAX_NAME_CHARS).collect();
            format!("{local}[{name}]")
        }
        None => local.to_owned(),
    }
}

/// The key of the entry at an offset of a properties file: the beginning of its line, up to what parts it from the
/// value.
fn key_at(text: &str, at: usize) -> String {
    let bytes = text.as_bytes();
    let before = bytes.get(..at.min(bytes.len())).unwrap_or_default();
    let start = memchr::memrchr(b'\n', before).map_or(0, |newline| newline + 1);
    let line = text.get(start..).unwrap_or_default().lines().next().unwrap_or_default().trim_start();
    let key = line.split(['=', ':', ' ', '\t']).next().unwrap_or_default();
    key.chars().take(MAX_NAME_CHARS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::triage::INTERNAL_ERROR;

    #[test]
    fn places_are_named_by_elements_and_keys() {
        let check = |text: &str, needle: &str, expected: &str| {
            let mut sources = Sources::new();
            let file = sources.add("a", text);
            let at = text.find(needle).expect("it is there");
            let span = crate::source::Span::new(file, at..at + needle.len());
            let finding = Diagnostic::new(&INTERNAL_ERROR, span, "x");
            assert_eq!(Places::default().of(&sources, &finding), expected);
        };
        let text =
            "<w name='n'><action name='a'><ok to='x'/><error to='y'/></action><kill name='k'>z</kill></w>";
        check(text, "'x'", "w/action[a]/ok");
        check(text, "'y'", "w/action[a]/error");
        check(text, "z", "w/kill[k]");
        check(text, "name='n'", "w");
        let text = "<c><property><name> p </name><value>1</value></property></c>";
        check(text, "1", "c/property[p]/value");
        check("<c><", "<", "");
        let deep = format!("{}x{}", "<e>".repeat(20), "</e>".repeat(20));
        check(&deep, "x", "…/e/e/e/e/e/e/e/e/e/e/e/e");
        check("a=1\n  password = secret\n", "secret", "password");
        check("# b\n", "b", "#");
        check("", "", "");
    }
}
