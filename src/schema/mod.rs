//! Is a definition what Oozie's schemas allow, and if not, what is wrong with it in plain words.
//!
//! The schemas are `grammar/xsd`, embedded and composed as the server composes them. Whether a document is valid is an
//! [`Engine`]'s judgement; [`check`] turns that into findings. Schemas are applied to the file as it is, before any
//! parameter is put in. Nothing here looks at what a definition means.

mod attributes;
mod children;
mod engine;
mod files;
mod findings;
mod grammar;
mod late;
mod model;
#[cfg(feature = "libxml")]
mod native;
mod order;
mod pure;
mod repair;
mod upgrade;
pub mod versions;
mod walk;
mod words;

use std::collections::BTreeSet;

use crate::diag::Diagnostic;
use crate::xml::Element;

pub use engine::{Complaint, Engine, EngineError};
pub use files::{SCHEMAS, SchemaFile, Selection};
pub use findings::{
    CHILD_ORDER, FEATURE_VERSION, MISSING_NAMESPACE, MISSPELT_ELEMENT, UNKNOWN_NAMESPACE, VIOLATION,
};
#[cfg(feature = "libxml")]
pub use native::Native;
pub use pure::Pure;
pub use versions::Version;

/// The set of schemas that a definition is held against.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Workflows, with all actions.
    Workflow,
    /// Coordinators, and `datasets` by themselves.
    Coordinator,
    /// Bundles.
    Bundle,
    /// Workflows of 2009, `hadoop-workflow`.
    Hws,
}

/// Every finding of the schemas about a definition: none exactly when the server's validator accepts it.
///
/// `text` is the text that `root` was read from. The codes are those of a definition submitted by itself.
pub fn check(root: &Element, text: &str, kind: Kind) -> Vec<Diagnostic> {
    check_with(&Pure, root, text, kind, Version::default())
}

/// [`check`] for a given version.
pub fn check_for(root: &Element, text: &str, kind: Kind, version: Version) -> Vec<Diagnostic> {
    check_with(&Pure, root, text, kind, version)
}

/// [`check`] by a given engine and for a given version.
pub fn check_with(
    engine: &dyn Engine,
    root: &Element,
    text: &str,
    kind: Kind,
    version: Version,
) -> Vec<Diagnostic> {
    let all = Selection::of(kind, version);
    let mut findings = by_engine(engine, root, text, all);
    if version < Version::default() {
        findings.extend(late::late(root, version));
        findings.sort_by_key(|finding| finding.span.start);
    }
    findings
}

fn by_engine(engine: &dyn Engine, root: &Element, text: &str, all: Selection) -> Vec<Diagnostic> {
    match engine.complaints(needed(root, all), text) {
        Ok(complaints) if complaints.is_empty() => Vec::new(),
        Ok(complaints) => {
            let findings = walk::walk(root, text, all);
            if findings.is_empty() { vec![said_by_engine(root, text, &complaints[0])] } else { findings }
        }
        Err(_) => walk::walk(root, text, all),
    }
}

/// The findings of the tables alone, without an engine: for tests of their agreement.
#[doc(hidden)]
pub fn check_by_tables(root: &Element, text: &str, kind: Kind, version: Version) -> Vec<Diagnostic> {
    walk::walk(root, text, Selection::of(kind, version))
}

/// The schemas whose namespaces occur in a document: the others cannot change its verdict, and each costs time.
pub fn needed(root: &Element, all: Selection) -> Selection {
    let mut spaces: BTreeSet<&str> = BTreeSet::new();
    let mut last = None;
    let mut types_named = false;
    let mut open: Vec<&Element> = vec![root];
    while let Some(element) = open.pop() {
        types_named |= attributes::names_its_type(element);
        let namespace = element.name.namespace.as_str();
        if last != Some(namespace) {
            last = Some(namespace);
            spaces.insert(namespace);
        }
        open.extend(element.elements());
    }
    if types_named { all } else { all.keep(|namespace| spaces.contains(namespace)) }
}

/// A finding in the engine's own words.
fn said_by_engine(root: &Element, text: &str, complaint: &Complaint) -> Diagnostic {
    let mut place = root;
    // The innermost element that holds the place.
    while let Some(inner) = place.elements().find(|inner| inner.span.range().contains(&complaint.offset)) {
        place = inner;
    }
    debug_assert!(complaint.offset <= text.len());
    Diagnostic::new(&VIOLATION, place.name_span, complaint.message.clone())
}
