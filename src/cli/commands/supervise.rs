//! `ankus supervise`: runs one attempt of an action for an executor. Not for people.

use std::path::PathBuf;

use crate::execute::supervisor;
use crate::host::ShellError;
use crate::shell::Context;
use crate::shell::Status;

/// The arguments of `ankus supervise`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The folder of the attempt
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
}

/// Runs `ankus supervise`.
pub fn run(args: Args, _context: &mut Context) -> Result<Status, ShellError> {
    let done = supervisor::run(&args.folder);
    done.map(|()| Status::Clean).map_err(|source| ShellError::Write { path: args.folder, source })
}
