//! What reaches the executor from outside its own thread.

use crate::engine::NodeId;

use super::attempt::State;

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
    /// Somebody wants the executor to stop.
    Interrupted,
}
