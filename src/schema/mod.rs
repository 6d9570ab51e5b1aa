//! Is a definition what Oozie's schemas allow, and if not, what is wrong with it in plain words.
//!
//! The schemas are `grammar/xsd`, embedded, composed as the server composes them and compiled into tables, by which
//! [`check`] judges and explains: a document is valid exactly when there is nothing to report. Another [`Engine`] can be
//! asked to judge instead. Schemas are applied to the file as it is, before any parameter is put in. Nothing here looks at
//! what a definition means.

mod attributes;
mod children;
mod engine;
mod explain;
mod files;
mod findings;
mod grammar;
mod late;
mod model;
mod namespaces;
#[cfg(feature = "libxml")]
mod native;
mod order;
mod relatives;
mod repair;
mod row;
mod types;
mod upgrade;
mod value;
pub mod versions;
mod walk;
mod words;

use self::walk::Document;
use crate::diag::Diagnostic;
use crate::xml::Element;

pub use engine::{Complaint, Engine, EngineError, Judge};
pub use files::{SCHEMAS, SchemaFile, Selection};
pub use findings::{
    CHILD_ORDER, FEATURE_VERSION, MISSING_NAMESPACE, MISSPELT_ELEMENT, UNKNOWN_NAMESPACE, VIOLATION,
};
#[cfg(feature = "libxml")]
pub use native::Native;
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
    check_for(root, text, kind, Version::default())
}

/// [`check`] for a given version.
pub fn check_for(root: &Element, text: &str, kind: Kind, version: Version) -> Vec<Diagnostic> {
    let findings = by_tables(root, text, Selection::of(kind, version));
    with_late_parts(findings, root, version)
}

/// [`check`] for a given version and by a given judge. Where another engine cannot do its work, the tables judge, and a
/// finding says why.
pub fn check_by(judge: Judge, root: &Element, text: &str, kind: Kind, version: Version) -> Vec<Diagnostic> {
    match judge {
        Judge::Tables => check_for(root, text, kind, version),
        #[cfg(feature = "libxml")]
        Judge::Libxml => check_with(&Native, root, text, kind, version).unwrap_or_else(|error| {
            let mut findings = check_for(root, text, kind, version);
            findings.insert(0, Diagnostic::new(&VIOLATION, root.name_span, error.to_string()));
            findings
        }),
    }
}

/// [`check`] for a given version by the judgement of another engine; what is wrong with an invalid document is looked up in
/// the tables.
pub fn check_with(
    engine: &dyn Engine,
    root: &Element,
    text: &str,
    kind: Kind,
    version: Version,
) -> Result<Vec<Diagnostic>, EngineError> {
    let all = Selection::of(kind, version);
    let complaints = engine.complaints(all, text)?;
    let mut findings = Vec::new();
    if let Some(complaint) = complaints.first() {
        findings = by_tables(root, text, all);
        if findings.is_empty() {
            findings.push(in_words_of_engine(root, complaint));
        }
    }
    Ok(with_late_parts(findings, root, version))
}

/// All findings of the tables, in the order of the document.
fn by_tables(root: &Element, text: &str, selection: Selection) -> Vec<Diagnostic> {
    let document = Document::new(text, selection);
    let walk = explain::explain(root, &document);
    if walk.faults.is_empty() {
        return Vec::new();
    }
    let full = walk.faults.len() >= explain::MAX_FINDINGS;
    let mut findings = upgrade::findings(walk, root);
    findings.sort_by_key(|finding| finding.span.start);
    if full {
        let message = format!("more than {} faults; only the first are told", explain::MAX_FINDINGS);
        findings.push(Diagnostic::new(&VIOLATION, root.name_span, message));
    }
    findings
}

/// Adds what the schemas of today have and those of the version had not.
fn with_late_parts(mut findings: Vec<Diagnostic>, root: &Element, version: Version) -> Vec<Diagnostic> {
    if version < Version::default() {
        findings.extend(late::late(root, version));
        findings.sort_by_key(|finding| finding.span.start);
    }
    findings
}

/// A finding in the engine's own words.
fn in_words_of_engine(root: &Element, complaint: &Complaint) -> Diagnostic {
    let mut place = root;
    // The innermost element that holds the place.
    while let Some(inner) = place.elements().find(|inner| inner.span.range().contains(&complaint.offset)) {
        place = inner;
    }
    Diagnostic::new(&VIOLATION, place.name_span, complaint.message.clone())
}
