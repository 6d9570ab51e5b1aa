//! Coordinators: what a submission resolves, and the actions that are created from it.
//!
//! [`submit`] does what `CoordSubmitXCommand` does, [`CoordinatorJob::actions`] what
//! `CoordMaterializeTransitionXCommand` and `CoordActionInputCheckXCommand` do. Nothing is read here and no clock is
//! looked at: included files, the time and what exists are arguments.

mod action;
mod actions;
mod as_written;
mod backwards;
mod bounds;
mod data;
mod dataset;
mod date_parts;
mod event;
mod findings;
mod hcat;
mod input_check;
mod instance_of;
mod instances;
mod job;
mod late;
mod logic;
mod materialize;
mod present;
mod resolver;
mod sample;
mod scope;
mod settings;
mod sla;
mod start;
mod static_check;
mod submit;
mod template;
mod times;
mod uri;
mod uri_syntax;
mod variables;
mod waiting;

pub use super::sla::SlaRegistration;
pub use action::{Action, Event, SlaOutcome, Texts};
pub use actions::{Actions, Materializer, PlanOptions, Properties};
pub use as_written::swapped_range;
pub use data::DataUse;
pub use dataset::{IncludeError, Included, Includes, datasets_alone};
pub use date_parts::near_part;
pub use findings::{
    CONTROL_INVALID, COORDINATOR_EMPTY_RANGE, COORDINATOR_NEVER_RUNS, COORDINATOR_TOO_FREQUENT,
    CRON_FIELD_COUNT, CRON_INVALID, CRON_NEVER_FIRES, DATA_EVENT_DUPLICATE, DATA_EVENT_UNKNOWN,
    DATASET_DUPLICATE, DATASET_FREQUENCY_INVALID, DATASET_INCLUDE_LOOP, DATASET_INCLUDE_MISSING,
    DATASET_INCLUDE_NAMESPACE, DATASET_INCOMPLETE, DATASET_INITIAL_INVALID, DATASET_UNDEFINED,
    DATASET_URI_VARIABLE, DATETIME_INVALID, INPUT_LOGIC_INVALID, INSTANCE_ABSOLUTE_INVALID, INSTANCE_EMPTY,
    INSTANCE_INVALID, INSTANCE_MIXED_RANGE, INSTANCE_RANGE_REVERSED, INSTANCE_TOO_MANY, OUTPUT_UNRESOLVED,
    PARTITION_EXPORT_MANY, TIME_OUT_OF_RANGE, TIMEZONE_UNKNOWN, URI_INVALID,
};
pub use instance_of::{DataSource, Instance};
pub use job::{CoordinatorJob, Execution};
pub use present::{Exists, Present, plain_uri};
pub use settings::{MAX_INCLUDES, MAX_INSTANCES, MAX_PROBES, Settings};
pub use submit::{Submitted, prepare, submit};
pub use template::Fault;
pub use waiting::{Looked, Waiting};
