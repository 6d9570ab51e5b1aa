//! Coordinators: actions that are created in time, wait for inputs and for their turn, and run a workflow each.

mod action;
mod change;
mod inputs;
mod job;
mod materialize;
mod only;
mod operate;
pub mod policy;
mod rerun;
pub mod scope;
mod sla;
mod turn;

pub use action::{ACTION_TABLE, ActionEvent, ActionRun};
pub use inputs::Late;
pub use job::{CoordinatorProgram, CoordinatorRun, JOB_TABLE, JobEvent};
pub use materialize::HeldUp;
pub use only::Only;
