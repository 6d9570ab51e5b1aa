//! What is to be known of schedules: the programs that they name, conditions over payloads, what a run hands on, and
//! when constraints are met.
//!
//! Everything is a function of its arguments; `plan`, the engine and the rules use the same ones.

pub mod condition;
pub mod cycles;
pub mod launch;
pub mod programs;
pub mod run;
pub mod times;

pub use condition::Compiled;
pub use programs::{Definition, Known, Lookup, Programs};
pub use run::{Keys, Run, Stage};

use crate::model::schedule::Schedule;
use crate::time::ProcessingZone;

/// All schedules of a project under analysis.
#[derive(Debug)]
pub struct Schedules<'a> {
    /// The schedules, file by file, in their order there.
    pub list: &'a [Schedule],
    /// The programs that they name.
    pub programs: &'a Programs<'a>,
    /// The processing timezone.
    pub zone: ProcessingZone,
}

#[cfg(test)]
mod tests;
