//! What reaches the executor from outside its own thread.

use crate::engine::NodeId;

use super::attempt::State;
use super::post::Refusal;

/// Something has happened.
#[derive(Clone, Debug)]
pub enum News {
    /// An attempt of an action is no longer run by anybody.
    Over {
        /// The action.
        node: NodeId,
        /// Which attempt.
        attempt: u32,
        /// How it stands now, or why that cannot be told.
        state: Result<State, String>,
    },
    /// What an attempt does elsewhere has begun there.
    Begun {
        /// The action.
        node: NodeId,
        /// Which attempt.
        attempt: u32,
    },
    /// A notification was tried.
    Notified {
        /// Its number among the chores.
        number: i64,
        /// Why it was not taken.
        outcome: Result<(), Refusal>,
    },
    /// An alert was handed to the mail server.
    Alerted {
        /// Its number among the chores.
        number: i64,
        /// Why it was not taken.
        outcome: Result<(), String>,
    },
    /// Somebody wants the executor to stop.
    Interrupted,
}
