//! Hadoop configuration XML: `configuration`, `property`, `name`, `value`, `final`.
//!
//! As `XConfiguration.processNodes` (server) and `OozieCLI.parseDocument` (client) read it: of a name or value the first
//! piece of text counts, a property without name or value is passed over, other elements make the file a bad one.

use super::findings::{CONFIGURATION_INVALID, PROPERTY_UNREAD, VALUE_CUT};
use super::{Entry, Properties};
use crate::diag::Diagnostic;
use crate::source::{FileId, Sources, Text};
use crate::xml::{self, Decoding, Element, Limits, Node};

/// Whose rules a file is read by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reader {
    /// The server: names are trimmed, `configuration` may stand in `configuration`.
    Server,
    /// The client's `-config FILE.xml`: names stay as they are.
    Client,
}

/// Takes a configuration file in and reads it.
pub fn read_bytes(
    sources: &mut Sources,
    path: &str,
    bytes: &[u8],
    reader: Reader,
    limits: &Limits,
) -> (FileId, Properties, Vec<Diagnostic>) {
    let (file, root, mut found) = xml::read_bytes(sources, path, bytes, Decoding::Declared, limits);
    let Some(root) = root else { return (file, Properties::default(), found) };
    let (properties, more) = properties(&root, reader);
    found.extend(more);
    (file, properties, found)
}

/// The properties under a `configuration` element.
pub fn properties(root: &Element, reader: Reader) -> (Properties, Vec<Diagnostic>) {
    let mut collected = (Properties::default(), Vec::new());
    let (_, found) = &mut collected;
    if root.name.local != "configuration" {
        let message = format!("a configuration file starts with `configuration`, not `{}`", root.name.local);
        found.push(Diagnostic::new(&CONFIGURATION_INVALID, root.name_span, message));
        return collected;
    }
    // Configurations within configurations, innermost last; they nest no deeper than elements may.
    let mut open = vec![root.elements()];
    while let Some(elements) = open.last_mut() {
        let Some(element) = elements.next() else {
            open.pop();
            continue;
        };
        let (properties, found) = &mut collected;
        match element.name.local.as_str() {
            "property" => properties.entries.extend(property(element, reader, found)),
            "configuration" if reader == Reader::Server => open.push(element.elements()),
            other => {
                let message = format!("`{other}` stands where only `property` belongs");
                found.push(Diagnostic::new(&CONFIGURATION_INVALID, element.name_span, message));
            }
        }
    }
    collected
}

/// What a property may hold; other elements are passed over.
const KNOWN: &[&str] = &["name", "value", "final", "description", "source"];

/// A property; `None` when name or value has no text at all, which leaves it unset.
fn property(element: &Element, reader: Reader, found: &mut Vec<Diagnostic>) -> Option<Entry> {
    let (mut key, mut value, mut is_final) = (None, None, false);
    for field in element.elements() {
        match field.name.local.as_str() {
            "name" => key = first_text(field, found).or(key),
            "value" => value = first_text(field, found).or(value),
            "final" => is_final = field.text().trimmed().value == "true",
            _ => {}
        }
    }
    for name in ["name", "value"].into_iter().filter(|name| element.child(name).is_none()) {
        let message = format!("this property has no `{name}`, so it is passed over");
        let mut stray = element.elements().filter(|field| !KNOWN.contains(&field.name.local.as_str()));
        let place = stray.next().map_or(element.name_span, |field| field.name_span);
        let finding = Diagnostic::new(&PROPERTY_UNREAD, place, message);
        found.push(finding.help(format!("write `<{name}>`")));
    }
    let key = key?;
    let key = if reader == Reader::Server { key.trimmed() } else { key };
    Some(Entry { span: element.span, key, value: value?, is_final })
}

/// The first text node as the Java parser would make it: comments do not part texts, CDATA and all else do.
fn first_text(field: &Element, found: &mut Vec<Diagnostic>) -> Option<Text> {
    let mut pieces: Vec<Text> = Vec::new();
    let mut cut = None;
    let mut after_text = false;
    for node in &field.children {
        match node {
            Node::Comment(_) => after_text = false,
            // Two texts side by side: a processing instruction stood between them.
            Node::Text(text) if after_text => {
                cut = Some(text.span);
                break;
            }
            Node::Text(text) => {
                let run = text.first_run();
                let whole = run.value.len() == text.value.len();
                pieces.push(run);
                if !whole {
                    cut = Some(text.span_of(pieces[pieces.len() - 1].value.len()..text.value.len()));
                    break;
                }
                after_text = true;
            }
            Node::Element(element) => {
                let message = format!("`{}` stands where only text belongs", element.name.local);
                found.push(Diagnostic::new(&CONFIGURATION_INVALID, element.name_span, message));
                break;
            }
        }
    }
    if let Some(span) = cut {
        let message = format!("this part of the {} is not read", field.name.local);
        let help = "write all of it as text, or as one CDATA section with nothing before it";
        found.push(Diagnostic::new(&VALUE_CUT, span, message).help(help));
    }
    (!pieces.is_empty()).then(|| Text::joined(&pieces))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(inner: &str, reader: Reader, expected: &[(&str, &str)], rules: &[&str]) {
        let mut sources = Sources::new();
        let text = format!("<configuration>{inner}</configuration>");
        let (_, properties, found) =
            read_bytes(&mut sources, "a.xml", text.as_bytes(), reader, &Limits::default());
        let read: Vec<_> =
            properties.entries.iter().map(|e| (e.key.value.as_str(), e.value.value.as_str())).collect();
        assert_eq!(read, expected, "{inner}");
        assert_eq!(found.iter().map(|d| d.rule.name).collect::<Vec<_>>(), rules, "{inner}");
    }

    #[test]
    fn properties_are_read_as_servers_and_clients_do() {
        let pair = |name: &str, value: &str| {
            format!("<property><name>{name}</name><value>{value}</value></property>")
        };
        check(&pair(" a ", " b "), Reader::Server, &[("a", " b ")], &[]);
        check(&pair(" a ", " b "), Reader::Client, &[(" a ", " b ")], &[]);
        check(&pair("a", ""), Reader::Server, &[], &[]);
        check(&pair("a", "<![CDATA[x]]>"), Reader::Server, &[("a", "x")], &[]);
        check(&pair("a", "\n<![CDATA[x]]>"), Reader::Server, &[("a", "\n")], &["configuration-value-cut"]);
        check(&pair("a", "x<!-- c -->y"), Reader::Server, &[("a", "xy")], &[]);
        check(&pair("a", "x<?p?>y"), Reader::Server, &[("a", "x")], &["configuration-value-cut"]);
        let nested = format!("<configuration>{}</configuration>", pair("a", "b"));
        check(&nested, Reader::Server, &[("a", "b")], &[]);
        check(&nested, Reader::Client, &[], &["configuration-invalid"]);
        check("<x/>", Reader::Server, &[], &["configuration-invalid"]);
    }
}
