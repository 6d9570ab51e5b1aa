//! Workflows: nodes that follow each other, fork and join, run actions outside, fail, and are run again.

mod begin;
mod expressions;
mod finish;
mod job;
mod moves;
mod node;
mod notify;
mod operate;
mod over;
mod rerun;
mod retry;
mod run;
mod sla;
mod sub;
mod ways;

pub use job::{JOB_TABLE, JobEvent, WorkflowJob};
pub use node::{NODE_TABLE, NodeEvent, NodeFacts, NodeRun};
pub(super) use sla::register;
