//! `ankus check`.

use std::path::PathBuf;

use super::check_selection::Selection;
use crate::shell::check::Work;
use crate::shell::output::OutputArgs;
use crate::shell::{Context, ShellError, Status};

/// The arguments of `ankus check`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Definitions, properties files, or folders to search for them [default: the working directory]
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten)]
    selection: Selection,
}

/// Runs `ankus check`.
pub fn run(args: Args, context: &mut Context) -> Result<Status, ShellError> {
    let paths = if args.paths.is_empty() { vec![PathBuf::from(".")] } else { args.paths };
    let work = Work::gather(&paths, args.selection.choice(args.output.fail_on.severity())?, &context.common)?;
    let mut findings = work.findings(&context.common, args.output.style(context))?;
    work.write_baseline(&mut findings, context)?;
    args.output.write(&findings, work.files(), context)
}
