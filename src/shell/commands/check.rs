//! `ankus check`.

use std::path::PathBuf;

use super::check_selection::Selection;
use crate::report::findings::Style;
use crate::shell::check::Work;
use crate::shell::mend::{self, MendArgs};
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
    #[command(flatten)]
    mend: MendArgs,
}

/// Runs `ankus check`.
pub fn run(args: Args, context: &mut Context) -> Result<Status, ShellError> {
    let paths = if args.paths.is_empty() { vec![PathBuf::from(".")] } else { args.paths };
    let choice = args.selection.choice(args.output.fail_on.severity())?;
    if args.mend.any()? {
        let check =
            || Work::gather(&paths, choice.clone(), &context.common)?.findings(&context.common, Style::DATA);
        let mended = mend::mend(&paths, args.mend, &check)?;
        if args.mend.diff {
            let differs = mended.print_diff(context)?;
            return Ok(if differs { Status::Findings } else { Status::Clean });
        }
        mended.write(context)?;
    }
    let work = Work::gather(&paths, choice, &context.common)?;
    let mut findings = work.findings(&context.common, args.output.style(context))?;
    work.write_baseline(&mut findings, context)?;
    args.output.write(&findings, work.files(), context)
}
