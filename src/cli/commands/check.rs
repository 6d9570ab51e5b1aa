//! `ankus check`.

use std::io::{ErrorKind, Write};
use std::path::PathBuf;
use std::sync::Arc;

use super::check_selection::Selection;
use crate::cli::mend::{self, MendArgs};
use crate::cli::output;
use crate::cli::output::OutputArgs;
use crate::cli::watch::{self, Checked, Session};
use crate::host::ShellError;
use crate::host::{overlay, packages};
use crate::report::findings::Style;
use crate::shell::Context;
use crate::shell::Status;
use crate::shell::check::{Choice, Refused, Work};

/// The arguments of `ankus check`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Definitions, properties files, folders or patterns to search for them, or `-` for standard input [default: the
    /// working directory]
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
pub fn run(mut args: Args, context: &mut Context) -> Result<Status, ShellError> {
    if args.paths.is_empty() {
        args.paths.push(PathBuf::from("."));
    }
    args.output.refuse()?;
    let choice = args.selection.choice(args.output.fail_on.severity())?;
    let overlay = args.selection.overlay(&mut args.paths, &mut context.io.input)?;
    if args.mend.any()? && !overlay.is_empty() {
        return Err(ShellError::usage("what stands on standard input cannot be mended; name a file"));
    }
    if args.selection.watch {
        if args.mend.any()? || !overlay.is_empty() || choice.write_baseline.is_some() {
            return Err(ShellError::usage(
                "`--watch` goes with no fixes, no standard input and no new baseline",
            ));
        }
        return watched(&args, choice, context);
    }
    let opened = packages::open(&mut args.paths)?;
    if args.mend.any()? && !(opened.files.is_empty() && opened.refused.is_empty()) {
        return Err(ShellError::usage("packages cannot be mended; mend the folder and pack it again"));
    }
    let overlay = Arc::new(
        overlay.iter().map(|(path, bytes)| (path.clone(), bytes.clone())).chain(opened.files).collect(),
    );
    overlay::with(overlay, || once(&args, choice, opened.refused, context))
}

fn once(args: &Args, choice: Choice, refused: Refused, context: &mut Context) -> Result<Status, ShellError> {
    let paths = &args.paths;
    if args.mend.any()? {
        let check =
            || Work::gather(paths, choice.clone(), &context.common)?.findings(&context.common, Style::DATA);
        let mended = mend::mend(paths, args.mend, output::down_to(context), &check)?;
        if args.mend.diff {
            let differs = mended.print_diff(context)?;
            let status = if differs { Status::Findings } else { Status::Clean };
            return told(&Work::gather(paths, choice, &context.common)?, status, context);
        }
        mended.write(context)?;
    }
    let work = Work::gather(paths, choice, &context.common)?.with_refused(refused);
    context.announce(work.paths())?;
    let mut findings = work.findings(&context.common, args.output.style(context))?;
    work.write_baseline(&mut findings, context)?;
    let status = args.output.write(&findings, work.files(), context)?;
    told(&work, status, context)
}

/// What could not be looked at is told last, and is graver than any finding.
fn told(work: &Work, status: Status, context: &mut Context) -> Result<Status, ShellError> {
    tell(&work.undone(), context)?;
    Ok(if work.is_incomplete() { Status::Incomplete } else { status })
}

fn tell(undone: &[String], context: &mut Context) -> Result<(), ShellError> {
    match context.io.out.flush() {
        // What was found stays found when nobody reads it.
        Err(error) if error.kind() != ErrorKind::BrokenPipe => return Err(error.into()),
        _ => {}
    }
    for words in undone {
        writeln!(context.io.err, "ankus: {words}")?;
    }
    Ok(())
}

/// Checks again after every change, until the process is ended from outside or nobody reads the output any more.
fn watched(args: &Args, choice: Choice, context: &mut Context) -> Result<Status, ShellError> {
    let style = args.output.style(context);
    let outputs = args.output.output.iter().map(|target| target.path.clone());
    let mut session =
        Session::new(args.paths.clone(), choice, context.common.clone(), style).without(outputs);
    let mut wait = watch::Events::new();
    let how =
        if wait.has_events() { "" } else { " (by looking again and again: the system sends no events)" };
    let mut show = |checked: Result<Checked, ShellError>| {
        if context.io.out_is_terminal {
            // Clears the screen and goes to its beginning.
            context.io.out.raw().write_all(b"\x1b[2J\x1b[H")?;
        }
        match checked {
            Ok(checked) => {
                args.output.write(&checked.findings, checked.files, context)?;
                tell(&checked.undone, context)?;
            }
            Err(error) => writeln!(context.io.err, "ankus: {error}")?,
        }
        context.io.out.flush()?;
        if !context.common.quiet {
            writeln!(context.io.err, "watching for changes{how}; Ctrl-C ends it")?;
        }
        Ok(())
    };
    watch::watch(&mut session, &mut wait, &mut show)?;
    Ok(Status::Clean)
}
