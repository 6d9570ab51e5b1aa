//! Materialization: from a model and parameters to actions, as an iterator.

pub mod bundle;
pub mod coordinator;
mod end_of_day;
mod evaluate;
pub mod fs;
pub mod hdfs;
pub mod input_logic;
mod near_datetime;
mod resolved;
pub(crate) mod serialize;
mod sla;
pub mod workflow;

pub use end_of_day::{DATETIME_END_OF_DAY, end_of_day};
pub use sla::{SLA_INVALID, SlaRegistration};
