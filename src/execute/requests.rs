//! What one process asks of the executor that another one runs, and the answer.

use serde::{Deserialize, Serialize};

use crate::engine::{Event, JobId};

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    /// Why it was refused; none when it was done.
    pub refusal: Option<String>,
    /// The job that was submitted, and whether it was there before.
    #[serde(default)]
    pub job: Option<(JobId, bool)>,
}

impl Answer {
    /// It was done.
    pub fn done() -> Answer {
        Answer { refusal: None, job: None }
    }

    /// It was refused.
    pub fn refused(words: String) -> Answer {
        Answer { refusal: Some(words), job: None }
    }

    /// It was submitted.
    pub fn submitted(job: JobId, existed: bool) -> Answer {
        Answer { refusal: None, job: Some((job, existed)) }
    }

    /// What was done, or why not.
    pub fn result(self) -> Result<Option<(JobId, bool)>, String> {
        self.refusal.map_or(Ok(self.job), Err)
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
    /// The recipe of what is submitted, as text. Its key in the event is that of whoever asks, and another one here.
    #[serde(default)]
    pub recipe: Option<String>,
    /// Whether a pause begins when the executor hears of it, whatever time the event names.
    #[serde(default)]
    pub is_now: bool,
}

impl From<Event> for Request {
    fn from(event: Event) -> Request {
        Request { event, reads: false, recipe: None, is_now: false }
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
