//! Coordinators: actions that are created in time, wait for inputs and for their turn, and run a workflow each.

pub mod policy;
pub mod scope;
