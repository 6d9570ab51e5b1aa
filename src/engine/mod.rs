//! What jobs do as time passes: the state machines of bundles, coordinators, workflows and their actions.
//!
//! Pure: no clock, no files, no processes. The time and everything that happens outside are events; what shall be done
//! outside are commands. Does not know who drives it.

pub mod coordinator;
pub mod error;
pub mod id;
pub mod status;
pub mod transit;
