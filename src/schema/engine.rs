//! Who judges documents: the tables, or another engine.

use super::Selection;

/// What an engine holds against a document, in its own words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Complaint {
    /// About where, in bytes: in or after the start tag of the element concerned.
    pub offset: usize,
    /// The engine's words.
    pub message: String,
}

/// An engine that could not do its work.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EngineError {
    /// The document is no XML for it.
    #[error("the schema engine cannot read the document: {0}")]
    Unreadable(String),
    /// The schemas are refused.
    #[error("the schema engine refuses the schemas: {0}")]
    Schema(String),
}

/// Who judges documents; what is wrong with an invalid one is always looked up in the tables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Judge {
    /// The compiled tables.
    #[default]
    Tables,
    /// libxml2.
    #[cfg(feature = "libxml")]
    Libxml,
}

/// Another XSD 1.0 validator.
pub trait Engine {
    /// Its name.
    fn name(&self) -> &'static str;

    /// What it holds against the document: nothing exactly when the document is valid, else at least one complaint.
    fn complaints(&self, schemas: Selection, text: &str) -> Result<Vec<Complaint>, EngineError>;
}
