//! `ankus convert`.

use crate::shell::{Context, ShellError, Status};

/// The arguments of `ankus convert`.
#[derive(Debug, clap::Args)]
pub struct Args {}

/// Runs `ankus convert`.
pub fn run(_args: Args, _context: &mut Context) -> Result<Status, ShellError> {
    Err(ShellError::usage("`ankus convert` is not there yet"))
}
