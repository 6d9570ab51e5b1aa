//! What the engine waits for in time.

use super::id::NodeId;

/// Why the engine wants to be woken. Where two fall on one instant, the order is that of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Wake {
    /// An action of a workflow that is tried again.
    Retry(NodeId),
}
