//! Where findings go and in which forms: `--format`, `--output`, `--statistics`, `--fail-on`.

use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::ValueEnum;

use crate::diag::{Diagnostic, Severity};
use crate::host::ShellError;
use crate::report::findings::{Findings, Style};
use crate::report::{Report, checkstyle, github, gitlab, json, junit, sarif, text};
use crate::shell::Status;
use crate::shell::context::Context;
use crate::shell::library::Library;
use crate::source::Sources;

/// The arguments that say where findings go.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Output")]
pub struct OutputArgs {
    /// How findings are printed
    #[arg(long, value_name = "FORMAT", default_value = "full")]
    pub format: Format,
    /// Write findings to a file as well (repeatable)
    #[arg(long, value_name = "FORMAT=FILE")]
    pub output: Vec<Target>,
    /// Print how often each rule was broken, instead of the findings
    #[arg(long)]
    pub statistics: bool,
    /// The least severity that makes the exit code 1
    #[arg(long, value_name = "SEVERITY", default_value = "error")]
    pub fail_on: FailOn,
}

/// How findings are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// With the lines of the source
    #[default]
    Full,
    /// One line each
    Concise,
    /// One document for programs
    Json,
    /// One finding a line for programs
    Jsonl,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// JUnit XML, for test reports
    Junit,
    /// Annotations of GitHub Actions
    Github,
    /// A code quality report of GitLab
    Gitlab,
    /// Checkstyle XML
    Checkstyle,
}

impl Format {
    /// The word for it.
    fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }

    fn write(self, report: &Report<'_>, out: &mut dyn Write) -> std::io::Result<()> {
        match self {
            Format::Full => text::full(report, out),
            Format::Concise => text::concise(report, out),
            Format::Json => json::write(report, out),
            Format::Jsonl => json::lines(report, out),
            Format::Sarif => sarif::write(report, out),
            Format::Junit => junit::write(report, out),
            Format::Github => github::write(report, out),
            Format::Gitlab => gitlab::write(report, out),
            Format::Checkstyle => checkstyle::write(report, out),
        }
    }

    /// Whether counts by rule have a place in it.
    fn has_statistics(self) -> bool {
        matches!(self, Format::Full | Format::Concise | Format::Json)
    }
}

/// A file to write, and in which form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// In which form.
    pub format: Format,
    /// To where.
    pub path: PathBuf,
}

impl FromStr for Target {
    type Err = String;

    fn from_str(text: &str) -> Result<Target, String> {
        let (format, path) = text.split_once('=').ok_or("it is not of the form FORMAT=FILE")?;
        if path.is_empty() {
            return Err("it names no file".to_owned());
        }
        let format = Format::from_str(format, false).map_err(|_| {
            let names: Vec<_> = Format::value_variants().iter().map(|format| format.name()).collect();
            format!("there is no format `{format}`, only {}", names.join(", "))
        })?;
        Ok(Target { format, path: PathBuf::from(path) })
    }
}

/// The least severity that makes the exit code 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum FailOn {
    /// Errors only
    #[default]
    Error,
    /// Errors and warnings
    Warning,
    /// Everything
    Info,
}

impl FailOn {
    /// As a severity.
    pub fn severity(self) -> Severity {
        match self {
            FailOn::Error => Severity::Error,
            FailOn::Warning => Severity::Warning,
            FailOn::Info => Severity::Info,
        }
    }
}

/// The least severity that people are shown.
pub fn down_to(context: &Context) -> Severity {
    if context.common.verbose > 0 { Severity::Info } else { Severity::Warning }
}

/// The fewest columns that a drawing is made for.
const LEAST_COLUMNS: usize = 40;

/// How many columns drawings take: as many as the terminal has, or as everywhere.
pub fn columns(is_terminal: bool) -> usize {
    let size = if is_terminal { terminal_size::terminal_size() } else { None };
    size.map_or(Style::COLUMNS, |(width, _)| usize::from(width.0).max(LEAST_COLUMNS))
}

impl OutputArgs {
    /// What findings must be made of for these outputs.
    pub fn style(&self, context: &Context) -> Style {
        let prints = self.format == Format::Full && !self.statistics;
        let draws = prints || self.output.iter().any(|target| target.format == Format::Full);
        Style {
            drawn_down_to: draws.then(|| down_to(context)),
            color: prints && context.color_out(),
            columns: columns(prints && context.io.out_is_terminal),
        }
    }

    /// Writes all outputs and says how the check ended. Files come first, so that none is missing when the reader of
    /// standard output goes away.
    pub fn write(
        &self,
        findings: &Findings,
        files: usize,
        context: &mut Context,
    ) -> Result<Status, ShellError> {
        let fail_on = self.fail_on.severity();
        let report = Report {
            findings,
            files,
            down_to: down_to(context),
            fail_on,
            statistics: self.statistics,
            quiet: context.common.quiet,
            color: context.color_out(),
        };
        for target in &self.output {
            let report = Report { color: false, statistics: false, quiet: false, ..report };
            to_file(&target.path, target.format, &report, context)?;
        }
        // A reader that has seen enough changes nothing about what was found.
        let written = self.format.write(&report, &mut context.io.out).and_then(|()| context.io.out.flush());
        if let Err(error) = written
            && error.kind() != ErrorKind::BrokenPipe
        {
            return Err(error.into());
        }
        let failed = findings.any_at_least(fail_on);
        Ok(if failed { Status::Findings } else { Status::Clean })
    }

    /// Refuses what cannot be written as asked, before anything is done: statistics where they have no place, standard
    /// output as a file, a file that is written twice.
    pub fn refuse(&self) -> Result<(), ShellError> {
        if self.statistics && !self.format.has_statistics() {
            return Err(ShellError::usage(format!(
                "`--statistics` has no place in `--format {}`; use `full`, `concise` or `json`",
                self.format.name()
            )));
        }
        for (index, target) in self.output.iter().enumerate() {
            let path = target.path.display();
            if target.path.as_os_str() == "-" {
                let format = target.format.name();
                return Err(ShellError::usage(format!(
                    "`--output` writes files; use `--format {format}` for standard output"
                )));
            }
            if self.output[..index].iter().any(|other| other.path == target.path) {
                return Err(ShellError::usage(format!("two `--output` name the file {path}")));
            }
        }
        Ok(())
    }
}

fn to_file(
    path: &Path,
    format: Format,
    report: &Report<'_>,
    context: &mut Context,
) -> Result<(), ShellError> {
    let fault = |source| ShellError::Write { path: path.to_owned(), source };
    let mut output = context.io.output(Some(path))?;
    format.write(report, &mut output).map_err(fault)?;
    output.finish()
}

/// Prints why an app is not taken, as `check` does.
pub fn refuse(
    findings: &[Diagnostic],
    library: &Library<'_>,
    format: Format,
    context: &mut Context,
) -> Result<Status, ShellError> {
    let args = OutputArgs { format, ..OutputArgs::default() };
    let mut list = Findings::new(args.style(context));
    library.veil(findings);
    let mut findings = findings.to_vec();
    library.name_subjects(&mut findings);
    list.add(&library.sources(), &findings);
    args.write(&list, library.all().count(), context)?;
    Ok(Status::Findings)
}

/// Says on standard error what is odd about an app that is taken all the same.
pub fn remark(
    findings: &[Diagnostic],
    library: &Library<'_>,
    context: &mut Context,
) -> Result<(), ShellError> {
    if context.common.quiet { Ok(()) } else { told(findings, library, context) }
}

/// Prints findings on standard error.
pub fn told(findings: &[Diagnostic], library: &Library<'_>, context: &mut Context) -> Result<(), ShellError> {
    let (down_to, color) = (down_to(context), context.color_err());
    let mut list = Findings::new(Style {
        drawn_down_to: Some(down_to),
        color,
        columns: columns(context.io.err_is_terminal),
    });
    library.veil(findings);
    list.add(&library.sources(), findings);
    context.io.out.flush()?;
    Ok(text::drawn(list.down_to(down_to), color, &mut context.io.err)?)
}

/// Prints findings about sources that no library holds: on standard output in a format, or drawn on standard error.
pub fn print(
    findings: &[Diagnostic],
    sources: &Sources,
    format: Option<Format>,
    context: &mut Context,
) -> Result<(), ShellError> {
    if let Some(format) = format {
        let args = OutputArgs { format, ..OutputArgs::default() };
        let mut list = Findings::new(args.style(context));
        list.add(sources, findings);
        return args.write(&list, 1, context).map(drop);
    }
    let (down_to, color) = (down_to(context), context.color_err());
    let columns = columns(context.io.err_is_terminal);
    let mut list = Findings::new(Style { drawn_down_to: Some(down_to), color, columns });
    list.add(sources, findings);
    context.io.out.flush()?;
    Ok(text::drawn(list.down_to(down_to), color, &mut context.io.err)?)
}
