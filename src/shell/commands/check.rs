//! `ankus check`.

use crate::shell::{Context, ShellError, Status};

/// The arguments of `ankus check`.
#[derive(Debug, clap::Args)]
pub struct Args {}

/// Runs `ankus check`.
pub fn run(_args: Args, _context: &mut Context) -> Result<Status, ShellError> {
    Err(ShellError::usage("`ankus check` is not there yet"))
}
