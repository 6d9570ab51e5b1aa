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

/// An operator's command.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Request {
    /// What it is for the engine.
    pub event: Event,
    /// Whether the definition of a workflow that is run again is read again.
    #[serde(default)]
    pub reads: bool,
}

impl From<Event> for Request {
    fn from(event: Event) -> Request {
        Request { event, reads: false }
    }
}

/// An operator's command as text.
pub fn text(request: &Request) -> String {
    serde_json::to_string(request).unwrap_or_default()
}

/// From its text.
pub fn read(text: &str) -> Result<Request, String> {
    serde_json::from_str(text).map_err(|error| format!("the request cannot be read: {error}"))
}
