//! `ankus eval`: evaluates an expression.

use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use serde::Deserialize;
use serde_json::json;

use crate::analysis::functions::{InPhase, World};
use crate::cli::json_input::{self, Line};
use crate::diag::closest;
use crate::el::{self, EvalError, Value};
use crate::host::ShellError;
use crate::host::files::{self, Content};
use crate::model::functions::{self, Phase};
use crate::schema::Version;
use crate::shell::Context;
use crate::shell::Status;
use crate::shell::config::Config;
use crate::shell::times;
use crate::source::{Sources, Span, Text};
use crate::time::{Instant, ProcessingZone};

/// The arguments of `ankus eval`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// A text with expressions, such as '${a + b}'
    #[arg(value_name = "TEMPLATE", required_unless_present = "batch", conflicts_with = "batch")]
    template: Option<String>,
    /// The place in the XML, by its phase of evaluation
    #[arg(long, value_name = "PHASE", default_value = "workflow", value_parser = phase)]
    phase: Phase,
    /// Read the surroundings of the expression from a JSON file
    #[arg(long, value_name = "FILE")]
    context: Option<PathBuf>,
    /// Read requests from standard input, one JSON object per line, and answer each in one line
    #[arg(long)]
    batch: bool,
    /// How the value is printed
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
}

/// How the value is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// The value alone
    Text,
    /// For programs
    Json,
}

/// A line of `--batch`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Request {
    expr: String,
    phase: Option<String>,
    context: Option<World>,
}

/// An answer: value and type, or what is wrong.
type Answer = Result<(String, &'static str), Wrong>;

/// Why there is no value.
struct Wrong {
    rule: &'static str,
    message: String,
    /// The byte in the template.
    offset: usize,
    help: Option<String>,
}

fn phase(name: &str) -> Result<Phase, String> {
    Phase::from_name(name).ok_or_else(|| {
        let names: Vec<_> = Phase::ALL.into_iter().map(Phase::name).collect();
        match closest(name, names.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("the phases are {}", names.join(", ")),
        }
    })
}

/// Runs `ankus eval`.
pub fn run(args: Args, context: &mut Context) -> Result<Status, ShellError> {
    let now = present(context)?;
    let common = &context.common;
    let config = Config::find(common.config.as_deref(), Path::new("."))?;
    let version = config.version(common.oozie_version.as_deref())?;
    let mut base = match &args.context {
        Some(path) => read_world(path)?,
        None => World::default(),
    };
    for (name, value) in context.common.definitions()? {
        base.conf.insert(name.to_owned(), value.to_owned());
    }
    base.now = Some(now);
    if args.batch {
        return batch(&args, &base, version, context);
    }
    let answer = evaluate(&args.template.unwrap_or_default(), &base, args.phase, version);
    let status = if answer.is_ok() { Status::Clean } else { Status::Findings };
    let out = &mut context.io.out;
    match (args.format, answer) {
        (Format::Json, answer) => writeln!(out, "{}", as_json(answer))?,
        (Format::Text, Ok((value, _))) => writeln!(out, "{value}")?,
        (Format::Text, Err(wrong)) => {
            out.flush()?;
            writeln!(context.io.err, "error[{}]: {} (at byte {})", wrong.rule, wrong.message, wrong.offset)?;
            if let Some(help) = wrong.help {
                writeln!(context.io.err, "help: {help}")?;
            }
        }
    }
    Ok(status)
}

fn batch(args: &Args, base: &World, version: Version, context: &mut Context) -> Result<Status, ShellError> {
    let mut line = Vec::new();
    loop {
        let found = json_input::next_line(&mut context.io.input, &mut line)?;
        let answer = match found {
            Line::End => return Ok(Status::Clean),
            Line::TooLong | Line::Endless => Err(request_wrong(json_input::too_long())),
            Line::Whole => match json_input::object::<Request>(&line) {
                Ok(request) => answer(request, args, base, version),
                Err(fault) => {
                    let message = format!("the request cannot be read: {}", fault.message);
                    Err(Wrong { offset: fault.column - 1, ..request_wrong(message) })
                }
            },
        };
        writeln!(context.io.out, "{}", as_json(answer))?;
        if found == Line::Endless {
            return Err(json_input::endless());
        }
        // Whoever sends the next request only after this answer must get it.
        if context.io.input.fill_buf().is_ok_and(<[u8]>::is_empty) {
            context.io.out.flush()?;
        }
    }
}

fn answer(request: Request, args: &Args, base: &World, version: Version) -> Answer {
    let phase = match request.phase.as_deref().map(phase) {
        None => args.phase,
        Some(Ok(phase)) => phase,
        Some(Err(message)) => return Err(request_wrong(format!("there is no such phase: {message}"))),
    };
    let Some(mut world) = request.context else { return evaluate(&request.expr, base, phase, version) };
    world.now = base.now;
    world.processing = base.processing;
    for (name, value) in &base.conf {
        world.conf.entry(name.clone()).or_insert_with(|| value.clone());
    }
    evaluate(&request.expr, &world, phase, version)
}

fn request_wrong(message: String) -> Wrong {
    Wrong { rule: "request-invalid", message, offset: 0, help: None }
}

fn evaluate(expr: &str, world: &World, phase: Phase, version: Version) -> Answer {
    let mut sources = Sources::new();
    let span = Span::new(sources.add("TEMPLATE", expr), 0..expr.len());
    let (template, mut findings) = el::parse_for(&Text::verbatim(expr, span), functions::engine(version));
    findings.extend(functions::too_new(&template, phase, version));
    if let Some(finding) = findings.into_iter().next() {
        let offset = finding.span.start as usize;
        return Err(Wrong { rule: finding.rule.name, message: finding.message, offset, help: finding.help });
    }
    let surroundings = InPhase::new(world, phase);
    let result = el::evaluate_value(&template, &surroundings);
    match result {
        Ok((value, false)) => Ok((value.to_string(), value.type_name())),
        // What is left to a later phase prints as the expression that it is.
        Ok((value, true)) => Ok((format!("${{{value}}}"), Value::from("").type_name())),
        Err(error) => Err(wrong(&template, error, phase)),
    }
}

/// An error of the evaluation, with the way out that the checker knows.
fn wrong(template: &el::Template, error: EvalError, phase: Phase) -> Wrong {
    let start = error.range.start;
    let found = functions::check(template, phase).into_iter().find(|finding| {
        finding.rule.name == error.rule() && finding.span.start as usize == start && finding.help.is_some()
    });
    Wrong { rule: error.rule(), message: error.message, offset: start, help: found.and_then(|f| f.help) }
}

fn as_json(answer: Answer) -> serde_json::Value {
    match answer {
        Ok((value, kind)) => json!({ "version": 1, "value": value, "type": kind }),
        Err(wrong) => {
            let mut error = json!({ "rule": wrong.rule, "message": wrong.message, "offset": wrong.offset });
            if let Some(help) = wrong.help {
                error["help"] = help.into();
            }
            json!({ "version": 1, "error": error })
        }
    }
}

fn read_world(path: &Path) -> Result<World, ShellError> {
    let shown = files::shown(path);
    let Content::Bytes(bytes) = files::read(path)? else {
        return Err(ShellError::usage(format!(
            "`{shown}` is larger than {} MiB",
            files::MAX_FILE_BYTES >> 20
        )));
    };
    json_input::object(&bytes).map_err(|fault| {
        let (line, column) = (fault.line, fault.column);
        ShellError::usage(format!("`{shown}` is no context: line {line}, column {column}: {}", fault.message))
    })
}

/// `--now`, else the clock.
fn present(context: &Context) -> Result<Instant, ShellError> {
    match &context.common.now {
        Some(text) => Ok(times::datetime(text, ProcessingZone::UTC)?.instant),
        None => {
            let since =
                std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
            Ok(Instant::from_millis(i64::try_from(since.as_millis()).unwrap_or(i64::MAX)))
        }
    }
}
