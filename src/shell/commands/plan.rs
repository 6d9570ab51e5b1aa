//! `ankus plan`.

use crate::shell::{Context, ShellError, Status};

/// The arguments of `ankus plan`.
#[derive(Debug, clap::Args)]
pub struct Args {}

/// Runs `ankus plan`.
pub fn run(_args: Args, _context: &mut Context) -> Result<Status, ShellError> {
    Err(ShellError::usage("`ankus plan` is not there yet"))
}
