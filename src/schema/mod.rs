//! Is a definition what Oozie's schemas allow, and if not, what is wrong with it in plain words.
//!
//! The schemas are `grammar/xsd`, embedded and composed as the server composes them. Whether a document is valid is an
//! [`Engine`]'s judgement; [`check`] turns that into findings. Schemas are applied to the file as it is, before any
//! parameter is put in. Nothing here looks at what a definition means.

mod engine;
mod files;
#[cfg(feature = "libxml")]
mod native;
mod pure;

use crate::diag::{Diagnostic, Info, Severity, Stage};
use crate::source::Span;
use crate::xml::Element;

pub use engine::{Complaint, Engine, EngineError};
pub use files::{Profile, SCHEMAS, SchemaFile, Selection};
#[cfg(feature = "libxml")]
pub use native::Native;
pub use pure::Pure;

/// The set of schemas that a definition is held against.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Workflows, with all actions.
    Workflow,
    /// Coordinators, and `datasets` by themselves.
    Coordinator,
    /// Bundles.
    Bundle,
}

impl Kind {
    /// The kind of a definition by the local name of its root.
    pub fn of_root(local: &str) -> Option<Kind> {
        match local {
            "workflow-app" => Some(Kind::Workflow),
            "coordinator-app" | "datasets" => Some(Kind::Coordinator),
            "bundle-app" => Some(Kind::Bundle),
            _ => None,
        }
    }
}

/// The document breaks its schema.
pub static VIOLATION: Info = Info {
    name: "schema-violation",
    severity: Severity::Error,
    stage: Some(Stage::Submit),
    mirrors: &["E0701"],
    explanation: "The definition breaks its schema: an element, an attribute, a value or text that is not allowed where it \
                  stands, or one that is missing. The server refuses it at submission.",
};

/// Every finding of the schemas about a definition: none exactly when the server's validator accepts it.
///
/// `text` is the text that `root` was read from. The codes are those of a definition submitted by itself.
pub fn check(root: &Element, text: &str, kind: Kind) -> Vec<Diagnostic> {
    check_with(&Pure, root, text, kind, Profile::default())
}

/// [`check`] by a given engine and for a given version.
pub fn check_with(
    engine: &dyn Engine,
    root: &Element,
    text: &str,
    kind: Kind,
    profile: Profile,
) -> Vec<Diagnostic> {
    let all = Selection::of(kind, profile);
    match engine.complaints(all, text) {
        Ok(complaints) => complaints.iter().map(|complaint| said_by_engine(root, complaint)).collect(),
        Err(error) => vec![Diagnostic::new(&VIOLATION, root.name_span, error.to_string())],
    }
}

/// A finding in the engine's own words.
fn said_by_engine(root: &Element, complaint: &Complaint) -> Diagnostic {
    let place = Span::new(root.span.file, complaint.offset..complaint.offset + 1);
    Diagnostic::new(&VIOLATION, place, complaint.message.clone())
}
