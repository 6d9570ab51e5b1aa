//! The only place that reads files, the environment and arguments, or writes anything.
//!
//! Decides nothing that a lower layer could: it finds files, hands them down, and prints what comes back.

#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "this module is the rim where I/O lives"
)]

pub mod app;
pub mod check;
pub mod cli;
pub mod commands;
pub mod config;
pub mod context;
pub mod discovery;
pub mod disk;
pub mod error;
pub mod files;
pub mod frequency;
pub mod globs;
pub mod help;
pub mod init;
pub mod io;
pub mod json_input;
pub mod library;
pub mod lineage;
pub mod load;
pub mod mend;
pub mod output;
pub mod overlay;
pub mod parameters;
pub mod planning;
pub mod preflight;
pub mod progress;
pub mod project;
pub mod run;
pub mod staging;
pub mod times;
pub mod watch;

use std::process::ExitCode;

pub use context::{Context, Status};
pub use error::ShellError;

/// Runs the program with the arguments of this process. `is_closed`: it was started without a standard output.
pub fn main(is_closed: bool) -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().collect();
    ExitCode::from(cli::run(arguments, io::Io::process(is_closed)))
}
