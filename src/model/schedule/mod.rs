//! Program-status schedules: what starts which program, when another one ends.
//!
//! Two notations, TOML for people and the body of the REST call, become the same [`Schedule`]. Reading never fails;
//! what a schedule names is looked up by others.

mod body;
pub mod build;
mod constraint;
mod duration;
mod fields;
mod file;
mod findings;
mod mapping;
mod name;
mod people;
pub mod sentence;
mod summary;
mod trigger;
mod write;

pub use constraint::{Constraint, Limit, Window};
pub use duration::{duration_millis, duration_text};
pub use file::{Notation, read};
pub use findings::{
    SCHEDULE_CONSTRAINT_INVALID, SCHEDULE_INVALID, SCHEDULE_JSON_COMMA, SCHEDULE_MAPPING_INVALID,
    SCHEDULE_PROGRAM_TYPE, SCHEDULE_STATUS_INVALID,
};
pub use mapping::{MAPPING_PROPERTY, Mapped, Mapping};
pub use name::{
    DEFAULT_NAMESPACE, DEFAULT_VERSION, MAX_NAME_CHARS, Program, ProgramKind, ScheduleName, Status, Written,
};
pub use summary::summary;
pub use trigger::{Condition, MAX_TRIGGER_DEPTH, MAX_UNITS, Trigger, Unit, UnitKind};
pub use write::body;

use crate::source::{Span, Text};

/// How long a job may wait unless its schedule says otherwise.
pub const DEFAULT_TIMEOUT_MILLIS: i64 = 24 * 60 * 60 * 1000;

/// How many properties a schedule may have.
pub const MAX_PROPERTIES: usize = 10_000;

/// One schedule.
#[derive(Clone, Debug, PartialEq)]
pub struct Schedule {
    /// What identifies it.
    pub id: ScheduleName,
    /// Where its name stands; where it has none, the schedule.
    pub name_span: Span,
    /// What it is for.
    pub description: String,
    /// The program that it starts.
    pub program: Program,
    /// Where that is named.
    pub program_span: Span,
    /// What the run is given, the mapping left out.
    pub properties: Vec<Property>,
    /// What the run is given of the payloads under other names.
    pub mapping: Mapping,
    /// When it fires.
    pub trigger: Trigger,
    /// What must hold for a launch.
    pub constraints: Vec<Constraint>,
    /// How long a job may wait.
    pub timeout_millis: i64,
    /// Whether it is enabled once it is added from a file.
    pub is_enabled: bool,
    /// All of it.
    pub span: Span,
}

/// One of the properties that a run is given.
#[derive(Clone, Debug, PartialEq)]
pub struct Property {
    /// Its name.
    pub name: Text,
    /// Its value, which is never evaluated.
    pub value: Text,
}

impl Schedule {
    /// The units of the trigger, in the order in which they are written.
    pub fn units(&self) -> Vec<&Unit> {
        self.trigger.units()
    }

    /// How many runs of the program there may be at once, the least of all limits.
    pub fn concurrency(&self) -> Option<u64> {
        let limits = self.constraints.iter().filter_map(|constraint| match constraint.limit {
            Limit::Concurrency { max } => Some(max),
            _ => None,
        });
        limits.min()
    }
}

#[cfg(test)]
mod tests;
