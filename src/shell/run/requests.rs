//! What one process asks of the executor that another one runs, and the answer.

use serde::{Deserialize, Serialize};

use crate::engine::Event;

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    /// Why it was refused; none when it was done.
    pub refusal: Option<String>,
}

impl Answer {
    /// It was done.
    pub fn done() -> Answer {
        Answer { refusal: None }
    }

    /// It was refused.
    pub fn refused(words: String) -> Answer {
        Answer { refusal: Some(words) }
    }

    /// As text.
    pub fn text(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// From its text.
    pub fn read(text: &str) -> Result<Answer, String> {
        serde_json::from_str(text).map_err(|error| error.to_string())
    }
}

/// An operator's command as text.
pub fn text(event: &Event) -> String {
    serde_json::to_string(event).unwrap_or_default()
}

/// From its text.
pub fn read(text: &str) -> Result<Event, String> {
    serde_json::from_str(text).map_err(|error| format!("the request cannot be read: {error}"))
}
