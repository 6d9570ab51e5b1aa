//! Why the engine does not take an event.

use super::id::{BadId, JobId};

/// A refusal with the code under which a server refuses the same.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message} ({code})")]
pub struct Refusal {
    /// The server's code, or the name of a Java exception where it has none.
    pub code: &'static str,
    /// Why, in words.
    pub message: String,
}

impl Refusal {
    /// A refusal.
    pub fn new(code: &'static str, message: impl Into<String>) -> Refusal {
        Refusal { code, message: message.into() }
    }
}

/// An event that does not fit the state. The state is as it was before.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EngineError {
    /// There is no such job.
    #[error("there is no job `{0}`")]
    UnknownJob(JobId),
    /// There is no such action or node.
    #[error("there is no action `{0}`")]
    UnknownAction(String),
    /// The pair of state and event stands in no row of the machine's table.
    #[error("`{subject}` is {state}; {event} is not possible then")]
    NotAllowed {
        /// Which job or action.
        subject: String,
        /// Which machine.
        machine: &'static str,
        /// Its state.
        state: &'static str,
        /// What was asked or said.
        event: &'static str,
    },
    /// A command that a server would refuse.
    #[error("{0}")]
    Refused(#[from] Refusal),
    /// A command whose precondition does not hold: a server writes the reason into its log and answers as if it had
    /// done what it was asked (`PreconditionException` in `XCommand.call`).
    #[error("{0}")]
    Dropped(Refusal),
    /// News of something that was started and is no longer looked at.
    #[error("attempt {attempt} of `{node}` is no longer looked at")]
    Stale {
        /// Which node.
        node: String,
        /// The attempt that was named.
        attempt: u32,
    },
    /// An event in a form that this version does not read.
    #[error("events of version {0} cannot be read")]
    Version(u16),
    /// A text that is no id.
    #[error("{0}")]
    BadId(#[from] BadId),
    /// The driver knows no definition under this key.
    #[error("there is no definition `{0}`")]
    UnknownProgram(String),
}
