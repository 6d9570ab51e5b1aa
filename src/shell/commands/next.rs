//! `ankus next`.

use crate::shell::{Context, ShellError, Status};

/// The arguments of `ankus next`.
#[derive(Debug, clap::Args)]
pub struct Args {}

/// Runs `ankus next`.
pub fn run(_args: Args, _context: &mut Context) -> Result<Status, ShellError> {
    Err(ShellError::usage("`ankus next` is not there yet"))
}
