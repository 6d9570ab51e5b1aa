//! `ankus check`.

use std::io::Write;
use std::path::PathBuf;

use clap::ValueEnum;

use crate::diag::Severity;
use crate::report::findings::{Findings, Style};
use crate::shell::check::Work;
use crate::shell::{Context, ShellError, Status};

/// The arguments of `ankus check`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Definitions, properties files, or folders to search for them [default: the working directory]
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// How findings are printed
    #[arg(long, value_name = "FORMAT", default_value = "full")]
    format: Format,
    /// The least severity that makes the exit code 1
    #[arg(long, value_name = "SEVERITY", default_value = "error")]
    fail_on: FailOn,
}

/// How findings are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// With the lines of the source
    Full,
    /// For programs
    Json,
}

/// The least severity that makes the exit code 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum FailOn {
    Error,
    Warning,
    Info,
}

impl FailOn {
    fn severity(self) -> Severity {
        match self {
            FailOn::Error => Severity::Error,
            FailOn::Warning => Severity::Warning,
            FailOn::Info => Severity::Info,
        }
    }
}

/// Runs `ankus check`.
pub fn run(args: Args, context: &mut Context) -> Result<Status, ShellError> {
    let paths = if args.paths.is_empty() { vec![PathBuf::from(".")] } else { args.paths };
    let style = match args.format {
        Format::Full => Style::Full { color: context.color_out() },
        Format::Json => Style::Json,
    };
    let work = Work::gather(&paths, &context.common)?;
    let findings = work.findings(&context.common, style)?;
    print(&findings, work.files(), style, context)?;
    let failed = findings.any_at_least(args.fail_on.severity());
    Ok(if failed { Status::Findings } else { Status::Clean })
}

/// Prints findings and the summary of `files` files.
pub fn print(
    findings: &Findings,
    files: usize,
    style: Style,
    context: &mut Context,
) -> Result<(), ShellError> {
    let counts = findings.counts();
    let verbose = context.common.verbose > 0;
    let quiet = context.common.quiet;
    let out = &mut context.io.out;
    if style == Style::Json {
        out.write_all(b"{\"version\":1,\"findings\":[")?;
        for (index, text) in findings.texts(Severity::Info).enumerate() {
            if index > 0 {
                out.write_all(b",")?;
            }
            out.write_all(text.as_bytes())?;
        }
        let (errors, warnings, infos) = (counts.errors, counts.warnings, counts.infos);
        writeln!(
            out,
            "],\"summary\":{{\"files\":{files},\"errors\":{errors},\"warnings\":{warnings},\"infos\":{infos}}}}}"
        )?;
        return Ok(());
    }
    let down_to = if verbose { Severity::Info } else { Severity::Warning };
    for text in findings.texts(down_to) {
        writeln!(out, "{text}")?;
    }
    if !quiet {
        let hidden = if counts.infos > 0 && !verbose { " (shown with -v)" } else { "" };
        writeln!(
            out,
            "{} checked: {}, {}, {}{hidden}",
            many(files, "file"),
            many(counts.errors, "error"),
            many(counts.warnings, "warning"),
            many(counts.infos, "info"),
        )?;
    }
    Ok(())
}

/// `1 file`, `2 files`.
fn many(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}
