//! The only place that reads files, the environment and arguments, or writes anything.

#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "this module is the rim where I/O lives"
)]

use std::process::ExitCode;

/// Runs the program with the arguments of this process.
pub fn main() -> ExitCode {
    ExitCode::SUCCESS
}
