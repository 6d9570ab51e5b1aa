//! What a schema allows today and did not in an older version: parts that came after the schema itself.

use super::findings::{FEATURE_VERSION, VIOLATION};
use super::value::Value;
use super::versions::{self, Version, What};
use super::words::quoted;
use crate::diag::Diagnostic;
use crate::xml::Element;

/// Everything in a document that its schemas got only after a version.
pub(super) fn late(root: &Element, version: Version) -> Vec<Diagnostic> {
    let rows: Vec<_> = versions::late_parts().filter(|(since, _)| *since > version).collect();
    let mut findings = Vec::new();
    if rows.is_empty() {
        return findings;
    }
    let mut open: Vec<&Element> = vec![root];
    while let Some(element) = open.pop() {
        let (namespace, local) = (element.name.namespace.as_str(), element.name.local.as_str());
        for (since, what) in &rows {
            findings.extend(match *what {
                What::Element(space, parent, name) if (space, parent) == (namespace, local) => element
                    .elements()
                    .filter(|child| child.name.local == name && child.name.namespace == namespace)
                    .map(|child| came_later(child.name_span, name, local, *since))
                    .collect(),
                What::Attribute(space, holder, name) if (space, holder) == (namespace, local) => {
                    let found = element.attribute(name);
                    found.map(|it| came_later(it.name_span, name, local, *since)).into_iter().collect()
                }
                What::AnyText(space, holder, name) if (space, holder) == (namespace, local) => {
                    let found = element.attribute(name).filter(|it| !Value::Name.takes(&it.value.value));
                    found.map(|it| no_name(it.value.span, name, *since)).into_iter().collect()
                }
                _ => Vec::new(),
            });
        }
        let from = open.len();
        open.extend(element.elements());
        open[from..].reverse();
    }
    findings
}

fn came_later(span: crate::source::Span, name: &str, parent: &str, since: Version) -> Diagnostic {
    let message = format!("{} of {} came with Oozie {since}", quoted(name), quoted(parent));
    Diagnostic::new(&FEATURE_VERSION, span, message)
        .help("leave it out, or choose the version of your server")
}

fn no_name(span: crate::source::Span, attribute: &str, since: Version) -> Diagnostic {
    let message = format!("{} holds a name only before Oozie {since}", quoted(attribute));
    Diagnostic::new(&VIOLATION, span, message)
        .help("begin with a letter and go on with letters, digits, `-` and `_`")
}
