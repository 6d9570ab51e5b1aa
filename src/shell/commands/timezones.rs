//! `ankus timezones`.

use crate::shell::{Context, ShellError, Status};

/// The arguments of `ankus timezones`.
#[derive(Debug, clap::Args)]
pub struct Args {}

/// Runs `ankus timezones`.
pub fn run(_args: Args, _context: &mut Context) -> Result<Status, ShellError> {
    Err(ShellError::usage("`ankus timezones` is not there yet"))
}
