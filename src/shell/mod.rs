//! The only place that reads files, the environment and arguments, or writes anything.
//!
//! Decides nothing that a lower layer could: it finds files, hands them down, and prints what comes back.

pub mod app;
pub mod check;
pub mod config;
pub mod context;
pub mod elsewhere;
pub mod globs;
pub mod init;
pub mod library;
pub mod lineage;
pub mod load;
pub mod parameters;
pub mod preflight;
pub mod project;
pub mod schedules;
pub mod staging;
pub mod submission;
pub mod times;

pub use context::{Context, Status};
