//! Bundles: coordinators that are started, suspended, resumed, paused and killed together.

mod child;
mod job;
mod operate;

pub use child::{CHILD_TABLE, ChildEvent, ChildRun};
pub use job::{BundleProgram, BundleRun, ChildProgram, JOB_TABLE, JobEvent};
