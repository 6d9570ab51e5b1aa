//! `ankus simulate`.

use crate::shell::submission;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::ValueEnum;

use super::simulate_parts;
use crate::cli::output;
use crate::cli::output::remark;
use crate::engine::server::Server;
use crate::host::files::{self, Content};
use crate::host::progress::Progress;
use crate::host::{ShellError, overlay, packages};
use crate::report::{
    page, simulation_against, simulation_explain, simulation_json, simulation_lines, simulation_text,
};
use crate::shell::Context;
use crate::shell::Status;
use crate::shell::app;
use crate::shell::check::program::Program;
use crate::shell::config::{Config, shown_place};
use crate::shell::library::Library;
use crate::shell::project::Project;
use crate::shell::staging::Stage;
use crate::shell::times;
use crate::simulate::digest::Digest;
use crate::simulate::scenario::{Fault, Scenario};
use crate::simulate::{
    App, Apps, Listener, Options, PlayError, Simulation, Told, against, explain, moment, play,
};
use crate::source::Sources;
use crate::time::Instant;

/// How many bytes of lines are gathered before they are written.
const CHUNK_BYTES: usize = 128 * 1024;

/// The arguments of `ankus simulate`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// A folder, a definition, or a properties file that leads to one
    #[arg(value_name = "APP")]
    pub(super) app: PathBuf,
    /// When data appear, how actions end, what operators do [default: all on time, five minutes an action]
    #[arg(long, value_name = "FILE")]
    scenario: Option<PathBuf>,
    /// Play no further than this [default: until nothing more would happen, at most 400 days or 10,000 actions]
    #[arg(long, value_name = "DATETIME", visible_alias = "to")]
    until: Option<String>,
    /// The seed of what is drawn [default: that of the scenario, else 0]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Say why an action waited, and for what at each time
    #[arg(long, value_name = "COORDINATOR@NUMBER", conflicts_with = "against")]
    explain: Option<String>,
    /// Say what changes with another scenario
    #[arg(long, value_name = "FILE")]
    against: Option<PathBuf>,
    /// Check after every event that nothing impossible has happened
    #[arg(long)]
    check: bool,
    /// Play parts of a bundle that share no data on so many threads, for a summary [default: all cores when it is large]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(super) jobs: Option<u16>,
    /// How the simulation is printed
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: FormatArg,
    /// Write the simulation to a file
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// How a simulation is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum FormatArg {
    /// For people
    Text,
    /// One document
    Json,
    /// One event a line
    Jsonl,
    /// A page for a browser that stands by itself
    Html,
}

/// The text of a scenario.
struct Text {
    path: PathBuf,
    text: String,
}

/// A scenario with its text, for places in it.
pub(super) struct Read {
    path: PathBuf,
    text: String,
    pub(super) scenario: Scenario,
}

/// Runs `ankus simulate`.
pub fn run(mut args: Args, context: &mut Context) -> Result<Status, ShellError> {
    let package = packages::open_app(&mut args.app)?;
    overlay::with(package, || within(args, context))
}

fn within(args: Args, context: &mut Context) -> Result<Status, ShellError> {
    let common = context.common.clone();
    let config = Config::find(common.config.as_deref(), &args.app)?;
    let version = config.version(common.oozie_version.as_deref())?;
    let zone = config.zone()?;
    let now = times::option("--now", common.now.as_deref(), zone)?;
    let until = times::option("--until", args.until.as_deref(), zone)?;
    if args.explain.is_some() || args.against.is_some() {
        let reason = match args.format {
            FormatArg::Text | FormatArg::Json => None,
            FormatArg::Jsonl => Some("`--format jsonl` is for events; `--explain` and `--against` have none"),
            FormatArg::Html => {
                Some("`--format html` shows a whole simulation; `--explain` and `--against` do not")
            }
        };
        if let Some(reason) = reason {
            return Err(ShellError::usage(reason));
        }
    }
    let project = Project::of(&args.app, &config);
    let mut sources = Sources::new();
    let chosen = app::choose(&args.app, &common, &config, &project, &mut sources)?;
    context.announce(chosen.definition.as_deref())?;
    let text = text_of(args.scenario.as_deref())?;
    let against_text = args.against.as_deref().map(|path| text_of(Some(path))).transpose()?;
    let server = server_of(&text, against_text.as_ref(), config.server())?;
    let library = Library::new(&project, sources).with_version(version);
    let library = library.ignoring_forks(!server.validate_fork_join);
    let program = Program { now, server: server.clone(), ..Program::new(&library, zone) };
    let read_as_well =
        [args.scenario.clone(), args.against.clone(), chosen.properties.clone(), chosen.definition.clone()];
    context.spare(args.output.as_deref(), read_as_well.iter().flatten())?;
    if let Some(file) = chosen.properties.as_deref().filter(|file| **file != *args.app && !common.quiet) {
        writeln!(context.io.err, "with the properties of {}", files::shown(file))?;
    }
    if let Some(file) = app::left_aside(&args.app, &common).filter(|_| !common.quiet) {
        let file = files::shown(&file);
        writeln!(
            context.io.err,
            "without the properties of {file}, as `-D` is given; `-c {file}` adds them"
        )?;
    }
    let (loaded, submitted, findings) = match submission::accept(&program, chosen)? {
        Ok(accepted) => accepted,
        Err(findings) => {
            let format = match args.format {
                FormatArg::Text | FormatArg::Html => output::Format::Full,
                FormatArg::Json | FormatArg::Jsonl => output::Format::Json,
            };
            return output::refuse(&findings, &library, format, context);
        }
    };
    remark(&findings, &library, context)?;
    let (mut stage, app) = Stage::new(&program, loaded, submitted, now);
    library.finish()?;
    let scenario = read(text, &app, now)?;
    let other = against_text.map(|text| read(text, &app, now)).transpose()?;
    let is_summary = args.format == FormatArg::Text && args.explain.is_none() && other.is_none();
    let is_summary = is_summary && common.verbose == 0;
    let playing = Playing { stage: &stage, app: &app, args: &args, until, is_summary };
    let options = playing.options(&scenario);
    simulate_parts::announce(&app, &options, context)?;
    let mut output = context.io.output(args.output.as_deref())?;
    if is_summary && let Some(digest) = simulate_parts::digest(&args, &common, &server, &playing, &scenario)?
    {
        let mut text = String::new();
        simulation_text::write(&digest, false, &mut text);
        output.write_all(text.as_bytes())?;
        output.finish()?;
        library.finish()?;
        remarks(&stage, common.quiet, context)?;
        return Ok(Status::Clean);
    }
    if let (Some(until), false) = (options.until, common.quiet) {
        let (progress, begin) = (Progress::through_time("simulated", true), options.begin);
        stage.watched_by(move |now| {
            progress.at(now, begin, until, || format!("to {}", moment::shown(now, zone)));
        });
    }
    // Lines are written as things happen, so that the record need not keep what is over.
    let is_lines = args.format == FormatArg::Jsonl && args.explain.is_none() && other.is_none();
    let is_summary = is_summary || is_lines;
    let playing = Playing { stage: &stage, app: &app, args: &args, until, is_summary };
    let (mut number, mut lines, mut fault) = (0, String::new(), None);
    let mut listen = |told: Told<'_>| {
        if fault.is_some() {
            return;
        }
        number += 1;
        simulation_lines::line(number, &told, &|_| simulation_lines::Known::default(), zone, &mut lines);
        if lines.len() >= CHUNK_BYTES {
            fault = output.write_all(lines.as_bytes()).err();
            lines.clear();
        }
    };
    let simulation = playing.play(&scenario, (args.format == FormatArg::Jsonl).then_some(&mut listen))?;
    if let Some(fault) = fault {
        return Err(fault.into());
    }
    let (mut text, mut left_out) = (lines, page::LeftOut::default());
    match (&args.explain, other, args.format) {
        (_, Some(other), format) => {
            let after = playing.play(&other, None)?;
            let comparison = against::compare(&simulation, &after);
            match format {
                FormatArg::Text => {
                    simulation_against::text(&comparison, zone, common.verbose > 0, &mut text);
                }
                _ => text = format!("{}\n", simulation_against::json(&comparison, zone)),
            }
        }
        (Some(action), None, format) => {
            let id = explain::find(&simulation, action).map_err(ShellError::usage)?;
            if let Some(explanation) = explain::explain(&simulation, id) {
                match format {
                    FormatArg::Text => simulation_explain::text(&simulation, &explanation, &mut text),
                    _ => text = format!("{}\n", simulation_explain::json(&simulation, &explanation)),
                }
            }
        }
        (None, None, FormatArg::Text) => {
            simulation_text::write(&Digest::of(simulation), common.verbose > 0, &mut text);
        }
        (None, None, FormatArg::Json) => simulation_json::write(&simulation, &mut text),
        (None, None, FormatArg::Jsonl) => {}
        (None, None, FormatArg::Html) => {
            left_out = page::write(&simulation, &page::Limits::PAGE, &mut text);
        }
    }
    output.write_all(text.as_bytes())?;
    output.finish()?;
    library.finish()?;
    if !left_out.is_nothing() && !common.quiet {
        writeln!(context.io.err, "the page would be too large: it leaves out {left_out}")?;
    }
    remarks(&stage, common.quiet, context)?;
    Ok(Status::Clean)
}

/// What could not be followed, in words.
fn remarks(stage: &Stage<'_, '_, '_>, quiet: bool, context: &mut Context) -> Result<(), ShellError> {
    if quiet {
        return Ok(());
    }
    for words in stage.unclear() {
        context.io.out.flush()?;
        writeln!(
            context.io.err,
            "{words}; the action that needs it fails here, so map it under `[paths]` in ankus.toml"
        )?;
    }
    for path in stage.strangers() {
        context.io.out.flush()?;
        writeln!(context.io.err, "`{path}` is not in the project; it was played as one action")?;
    }
    Ok(())
}

pub(super) struct Playing<'s, A: Apps> {
    pub(super) stage: &'s A,
    pub(super) app: &'s App,
    pub(super) args: &'s Args,
    pub(super) until: Option<Instant>,
    /// Only a summary is printed.
    pub(super) is_summary: bool,
}

impl<A: Apps> Playing<'_, A> {
    /// What a scenario and the arguments say.
    pub(super) fn options(&self, read: &Read) -> Options {
        let options = Options::of(self.app, &read.scenario, self.args.seed, self.until);
        Options { check: self.args.check, is_summary: self.is_summary, ..options }
    }

    fn play(&self, read: &Read, listen: Option<Listener<'_>>) -> Result<Simulation, ShellError> {
        let options = self.options(read);
        if let Some(until) = options.until.filter(|until| *until < options.begin) {
            let show = |at| moment::shown(at, self.app.zone);
            let message = format!("{} lies before the beginning, {}", show(until), show(options.begin));
            return Err(ShellError::usage(message));
        }
        let played = play(self.stage, self.app, &read.scenario, options, listen);
        played.map_err(|error| self.failed(&error, read))
    }

    /// Why a simulation broke off, in words.
    pub(super) fn failed(&self, error: &PlayError, read: &Read) -> ShellError {
        match error {
            PlayError::Overlap { rules, .. } => {
                let faults =
                    rules.0.iter().map(|range| Fault { message: error.to_string(), range: range.clone() });
                refused(&read.path, &read.text, &faults.collect::<Vec<_>>())
            }
            PlayError::TooLong { at, .. } | PlayError::TooFar { at, .. } => {
                ShellError::usage(format!("{error}; it came to {}", moment::shown(*at, self.app.zone)))
            }
            _ => ShellError::usage(error.to_string()),
        }
    }
}

fn text_of(path: Option<&Path>) -> Result<Text, ShellError> {
    let Some(path) = path else { return Ok(Text { path: PathBuf::new(), text: String::new() }) };
    let fault = |message: &str| ShellError::Config { path: files::shown(path), message: message.to_owned() };
    let Content::Bytes(bytes) = files::read(path)? else { return Err(fault("it is too large")) };
    let text = String::from_utf8(bytes).map_err(|_| fault("it is not UTF-8"))?;
    Ok(Text { path: path.to_owned(), text })
}

fn read(Text { path, text }: Text, app: &App, now: Option<Instant>) -> Result<Read, ShellError> {
    match Scenario::read(&text, app.zone, &app.names, app.begin, now) {
        Ok(scenario) => Ok(Read { path, text, scenario }),
        Err(faults) => Err(refused(&path, &text, &faults)),
    }
}

/// The server that the scenarios are played on. Two that are compared are played with one submission.
fn server_of(own: &Text, against: Option<&Text>, configured: &Server) -> Result<Server, ShellError> {
    let server = Scenario::server_of(&own.text, configured);
    let other = against.map(|other| Scenario::server_of(&other.text, configured));
    match other.and_then(|other| server.other_submission(&other)) {
        None => Ok(server),
        Some(key) => Err(ShellError::usage(format!(
            "`{key}` differs between the two scenarios; it decides what is submitted, so `--against` cannot compare \
             them: simulate each by itself"
        ))),
    }
}

/// All that is wrong with a scenario, each with file, line and column.
fn refused(path: &Path, text: &str, faults: &[Fault]) -> ShellError {
    let shown = faults.iter().map(|fault| {
        let (place, line) = shown_place(text, &fault.range);
        format!("{}:{}:{}: {}\n{line}", files::shown(path), place.line, place.column, fault.message)
    });
    ShellError::usage(shown.collect::<Vec<_>>().join("\n"))
}
