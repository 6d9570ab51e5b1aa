//! Apps as DAGs of Apache Airflow 3, with the proof that nothing has changed.
//!
//! `shape` is the control flow, `lower` makes tasks of it, `states` is a model of how Airflow runs these, and `cases` plays
//! the engine and the model against each other. `expression` and `action` turn texts and actions into Python and Jinja;
//! `python` lays code out as `ruff format` does; `dag` puts a file together, `export` all files.

mod action;
mod cases;
mod dag;
mod expected;
mod export;
mod expression;
mod graph;
mod lower;
mod names;
mod python;
mod shape;
mod states;

pub use cases::{Case, by_engine, cases, stubbed};
pub use dag::is_untouched;
pub use export::{Export, ExportFault, File, Options, Source, WorkflowInput, export};
pub use graph::{Task, TaskGraph, TaskKind, TriggerRule};
pub use losses::{LOSSES, Loss, LossKind};
pub use lower::{Tangled, lower};
pub use shape::{Shape, ShapeKind, ShapeNode};
pub use states::{Course, Ended, Fates, Run, State, Verdict, verdict};

mod losses;
