//! The `sla:info` element of coordinator actions, workflows and workflow actions.

use crate::source::{Span, Text};

/// A service level. Both schema versions are kept in one form: each child element by its name.
#[derive(Clone, Debug)]
pub struct Sla {
    /// The element.
    pub span: Span,
    /// `uri:oozie:sla:0.1` or `0.2`.
    pub namespace: String,
    /// Local name and content of every child, in order.
    pub entries: Vec<(String, Text)>,
}

impl Sla {
    /// The first entry of this name.
    pub fn get(&self, name: &str) -> Option<&Text> {
        self.entries.iter().find(|(entry, _)| entry == name).map(|(_, text)| text)
    }
}
