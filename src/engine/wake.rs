//! What the engine waits for in time.

use super::command::Watched;
use super::id::{ActionId, NodeId};

/// Why the engine wants to be woken. Where two fall on one instant, the order is that of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Wake {
    /// The pause time of a bundle.
    BundlePause(u32),
    /// The kick-off time of a bundle.
    KickOff(u32),
    /// The pause time of a coordinator.
    CoordinatorPause(u32),
    /// New actions of a coordinator.
    Materialize(u32),
    /// The recovery service starts what is ready.
    Recovery(u32),
    /// The nominal time of an action that waits.
    Nominal(ActionId),
    /// The end of an action's patience.
    Deadline(ActionId),
    /// An action of a workflow that is tried again.
    Retry(NodeId),
    /// A service level may be missed from now on.
    Sla(Watched),
    /// The status service looks at a coordinator.
    CoordinatorStatus(u32),
    /// The status service looks at a bundle.
    BundleStatus(u32),
}
