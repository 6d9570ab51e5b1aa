//! `ankus completions`: a completion script for a shell.

use std::io::Write;

use crate::cli::help;
use crate::host::ShellError;
use crate::shell::Context;
use crate::shell::Status;

/// The arguments of `ankus completions`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The shell to write for
    shell: clap_complete::Shell,
}

/// Runs `ankus completions`.
pub fn run(args: Args, context: &mut Context) -> Result<Status, ShellError> {
    // The generator stops the program when writing fails, so it writes to memory first.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut help::command(), "ankus", &mut script);
    context.io.out.write_all(&script)?;
    Ok(Status::Clean)
}
