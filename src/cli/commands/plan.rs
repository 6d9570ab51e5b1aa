//! `ankus plan`.

use crate::shell::submission;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::ValueEnum;

use crate::analysis::parameters::{Explanation, JobConf, explain};
use crate::cli::output;
use crate::cli::output::remark;
use crate::cli::planning::{Format, Planner};
use crate::diag::{Diagnostic, Severity};
use crate::host::files::{self, Content};
use crate::host::{ShellError, overlay, packages};
use crate::plan::coordinator::Present;
use crate::redact::{self, Redactor};
use crate::report::explain_value;
use crate::shell::Context;
use crate::shell::Status;
use crate::shell::app;
use crate::shell::check::program::Program;
use crate::shell::config::Config;
use crate::shell::library::Library;
use crate::shell::project::Project;
use crate::shell::submission::{Submitted, Window};
use crate::shell::times;
use crate::source::Sources;
use crate::time::ProcessingZone;

/// The arguments of `ankus plan`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// A folder, a definition, or a properties file that leads to one
    #[arg(value_name = "APP")]
    app: PathBuf,
    /// Only actions with this nominal time or a later one
    #[arg(long, value_name = "DATETIME")]
    from: Option<String>,
    /// Only actions with a nominal time before this
    #[arg(long, value_name = "DATETIME")]
    to: Option<String>,
    /// At most so many actions of each coordinator
    #[arg(long, value_name = "N")]
    next: Option<u64>,
    /// When actions are created, from which `latest` counts [default: their nominal time]
    #[arg(long, value_name = "DATETIME")]
    actual: Option<String>,
    /// What exists, one URI a line, done-flag files included
    #[arg(long, value_name = "FILE")]
    present: Option<PathBuf>,
    /// Print where the value of a parameter comes from, and no plan
    #[arg(long, value_name = "NAME")]
    explain_value: Option<String>,
    /// How the plan is printed
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: FormatArg,
    /// Print passwords, tokens and the like as they are
    #[arg(long)]
    show_secrets: bool,
    /// Write the plan to a file
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// How the plan is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum FormatArg {
    /// For people
    Text,
    /// One document
    Json,
    /// One action a line
    Jsonl,
    /// A line for each URI, expression or property of an action
    Csv,
}

/// Runs `ankus plan`.
pub fn run(mut args: Args, context: &mut Context) -> Result<Status, ShellError> {
    let package = packages::open_app(&mut args.app)?;
    overlay::with(package, || within(args, context))
}

fn within(args: Args, context: &mut Context) -> Result<Status, ShellError> {
    let common = context.common.clone();
    let config = Config::find(common.config.as_deref(), &args.app)?;
    let version = config.version(common.oozie_version.as_deref())?;
    let zone = config.zone()?;
    let project = Project::of(&args.app, &config);
    let present = args.present.as_deref().map(read_present).transpose()?;
    let window = window(&args, common.now.as_deref(), zone, present)?;
    let mut sources = Sources::new();
    let chosen = app::choose(&args.app, &common, &config, &project, &mut sources)?;
    context.announce(chosen.definition.as_deref())?;
    context.spare(args.output.as_deref(), chosen.definition.iter().chain(&chosen.properties))?;
    let library = Library::new(&project, sources).with_version(version);
    let library = library.ignoring_forks(!config.server().validate_fork_join);
    let server = config.server().clone();
    let program = Program { now: window.now, server, ..Program::new(&library, zone) };
    // A folder stands for the properties file in it; say which.
    if let Some(file) = chosen.properties.as_deref().filter(|file| **file != *args.app && !common.quiet) {
        writeln!(context.io.err, "with the properties of {}", files::shown(file))?;
    }
    let (loaded, submitted, findings) = match submission::accept(&program, chosen)? {
        Ok(accepted) => accepted,
        Err(findings) => return refuse(&findings, &library, args.format, context),
    };
    if let Some(name) = &args.explain_value {
        let confs = submission::configurations(&submitted, &program, loaded, &window);
        return explain_one(name, &confs, &library, &args, context);
    }
    remark(&findings, &library, context)?;
    if let (Submitted::Workflow(_), false) = (&submitted, common.quiet) {
        for option in without_effect(&args) {
            writeln!(
                context.io.err,
                "`{option}` has no effect: a workflow has no nominal times and no inputs"
            )?;
        }
    }
    let format = match args.format {
        FormatArg::Text => Format::Text { verbose: common.verbose > 0 },
        FormatArg::Json => Format::Json,
        FormatArg::Jsonl => Format::Jsonl,
        FormatArg::Csv => Format::Csv,
    };
    let mut output = context.io.output(args.output.as_deref())?;
    let mut planner = Planner {
        program: &program,
        window: &window,
        format,
        out: &mut output,
        remarks: Vec::new(),
        empty: Vec::new(),
        is_partial: false,
        redactor: (!args.show_secrets).then(Redactor::default),
        shows_progress: args.output.is_some() && !common.quiet,
    };
    planner.write(loaded, submitted)?;
    let (remarks, empty, is_partial) = (planner.remarks, planner.empty, planner.is_partial);
    library.finish()?;
    output.finish()?;
    for name in empty.iter().filter(|_| !common.quiet) {
        context.io.out.flush()?;
        writeln!(context.io.err, "coordinator `{name}`: {}", empty_words(&window))?;
    }
    remark(&remarks, &library, context)?;
    let failed = is_partial || remarks.iter().any(|finding| finding.severity == Severity::Error);
    Ok(if failed { Status::Findings } else { Status::Clean })
}

/// The options that say nothing about a workflow.
fn without_effect(args: &Args) -> impl Iterator<Item = &'static str> {
    let given = [
        ("--from", args.from.is_some()),
        ("--to", args.to.is_some()),
        ("--next", args.next.is_some()),
        ("--actual", args.actual.is_some()),
        ("--present", args.present.is_some()),
    ];
    given.into_iter().filter(|(_, is_given)| *is_given).map(|(option, _)| option)
}

/// Why the plan of a coordinator holds no action.
fn empty_words(window: &Window) -> &'static str {
    match (window.next, window.from, window.to) {
        (Some(0), ..) => "no action is asked for by `--next 0`",
        (_, Some(from), Some(to)) if from >= to => "no action, as `--from` is not before `--to`",
        (_, None, None) => "it has no action",
        _ => "no action lies in the range that is asked for",
    }
}

/// Prints why there is no plan, as `check` does.
fn refuse(
    findings: &[Diagnostic],
    library: &Library<'_>,
    format: FormatArg,
    context: &mut Context,
) -> Result<Status, ShellError> {
    let format = match format {
        FormatArg::Text => output::Format::Full,
        FormatArg::Json | FormatArg::Jsonl => output::Format::Json,
        // Whoever reads the columns has no use for findings among them.
        FormatArg::Csv => {
            output::told(findings, library, context)?;
            return Ok(Status::Findings);
        }
    };
    output::refuse(findings, library, format, context)
}

fn explain_one(
    name: &str,
    confs: &[(String, JobConf)],
    library: &Library<'_>,
    args: &Args,
    context: &mut Context,
) -> Result<Status, ShellError> {
    let (format, sources) = (args.format, library.sources());
    let mut known = false;
    let mut shown: Vec<(&str, Vec<Explanation>)> = Vec::new();
    for (index, (of, conf)) in confs.iter().enumerate() {
        let mut parts = explain(conf, name);
        if !args.show_secrets {
            redact::plan::explanations(&mut parts);
        }
        let has = conf.contains(name);
        // Below the app itself only what differs from the level above is worth a word.
        let is_last_word = index + 1 == confs.len() && !known;
        if (!has && !is_last_word) || shown.last().is_some_and(|(_, last)| *last == parts) {
            continue;
        }
        known |= has;
        shown.push((of, parts));
    }
    let out = &mut context.io.out;
    match format {
        FormatArg::Text => {
            for (of, parts) in &shown {
                if confs.len() > 1 {
                    writeln!(out, "{of}")?;
                }
                out.write_all(explain_value::text(parts, &sources).as_bytes())?;
            }
        }
        _ => out.write_all(explain_value::json(&shown, &sources).as_bytes())?,
    }
    Ok(if known { Status::Clean } else { Status::Findings })
}

fn window(
    args: &Args,
    now: Option<&str>,
    zone: ProcessingZone,
    present: Option<Present>,
) -> Result<Window, ShellError> {
    let time = |name: &str, text: Option<&str>| times::option(name, text, zone);
    Ok(Window {
        from: time("--from", args.from.as_deref())?,
        to: time("--to", args.to.as_deref())?,
        next: args.next,
        actual: time("--actual", args.actual.as_deref())?,
        now: time("--now", now)?,
        present,
    })
}

fn read_present(path: &Path) -> Result<Present, ShellError> {
    match files::read(path)? {
        Content::Bytes(bytes) => Ok(Present::from_lines(&String::from_utf8_lossy(&bytes))),
        Content::TooLarge => Err(ShellError::usage(format!(
            "`{}` is larger than {} MiB",
            files::shown(path),
            files::MAX_FILE_BYTES >> 20
        ))),
    }
}
