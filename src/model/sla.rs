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

/// The events that may be told (`EventStatus`).
pub const ALERT_EVENTS: [&str; 6] =
    ["START_MET", "START_MISS", "DURATION_MET", "DURATION_MISS", "END_MET", "END_MISS"];

/// What a server tells in place of an event that it does not know (`SLAOperations.createSlaRegistrationEvent`).
pub const DEFAULT_ALERT_EVENT: &str = "END_MISS";

/// The event of this name, blanks and case aside.
pub fn alert_event(name: &str) -> Option<&'static str> {
    let name = name.trim().to_uppercase();
    ALERT_EVENTS.into_iter().find(|known| *known == name)
}
