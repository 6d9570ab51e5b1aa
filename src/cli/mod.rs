//! Arguments and commands: reads what a person asks for, hands it down, and prints what comes back.

pub mod arguments;
pub mod commands;
pub mod frequency;
pub mod help;
pub mod json_input;
pub mod mend;
pub mod output;
pub mod planning;
pub mod watch;

use std::process::ExitCode;

use crate::host::io::Io;

/// Runs the program with the arguments of this process. `is_closed`: it was started without a standard output.
pub fn main(is_closed: bool) -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().collect();
    ExitCode::from(arguments::run(arguments, Io::process(is_closed)))
}
