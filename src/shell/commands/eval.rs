//! `ankus eval`.

use crate::shell::{Context, ShellError, Status};

/// The arguments of `ankus eval`.
#[derive(Debug, clap::Args)]
pub struct Args {}

/// Runs `ankus eval`.
pub fn run(_args: Args, _context: &mut Context) -> Result<Status, ShellError> {
    Err(ShellError::usage("`ankus eval` is not there yet"))
}
