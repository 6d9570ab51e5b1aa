//! Bundles: coordinators that are started, suspended, resumed, paused and killed together.

mod job;
mod operate;

pub use job::{BundleProgram, BundleRun, ChildProgram, ChildRun, JOB_TABLE, JobEvent};
