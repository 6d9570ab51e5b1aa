//! `ankus next`: when a frequency comes.

use std::io::{BufRead, Write};

use clap::ValueEnum;
use serde::Deserialize;
use serde_json::json;

use crate::analysis::functions::World;
use crate::cli::frequency::{self, Fault, Read};
use crate::cli::json_input::{self, Line};
use crate::host::ShellError;
use crate::shell::Context;
use crate::shell::Status;
use crate::shell::times;
use crate::time::cron::{NEVER_RULE, SearchError};
use crate::time::{Instant, ProcessingZone, Schedule, Zone};

/// How many occurrences are given when nothing limits them.
const DEFAULT_COUNT: usize = 10;
/// The most occurrences of one request.
const MAX_COUNT: usize = 1_000_000;

/// The arguments of `ankus next`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// A cron expression, a number of minutes, or a call such as `${coord:days(1)}`
    #[arg(value_name = "FREQUENCY", required_unless_present = "batch", allow_hyphen_values = true)]
    frequency: Option<String>,
    /// The first datetime that counts; it may be an occurrence itself [default: now]
    #[arg(long, value_name = "DATETIME")]
    start: Option<String>,
    /// The datetime before which occurrences lie
    #[arg(long, value_name = "DATETIME")]
    end: Option<String>,
    /// The zone of day, week and month steps, and of local times; cron is in the processing timezone
    #[arg(long, value_name = "ZONE", default_value = "UTC")]
    timezone: String,
    /// How many occurrences at most [default: 10, or all before --end]
    #[arg(long, value_name = "N")]
    count: Option<usize>,
    /// Read requests from standard input, one JSON object a line, and answer each with one line
    #[arg(long, conflicts_with_all = ["frequency", "start", "end", "count"])]
    batch: bool,
    /// How occurrences are printed
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
}

/// How occurrences are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people
    Text,
    /// For programs
    Json,
}

/// One question.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Request {
    frequency: String,
    start: Option<String>,
    end: Option<String>,
    timezone: Option<String>,
    count: Option<usize>,
}

/// One answer.
#[derive(Debug)]
struct Answer {
    schedule: Schedule,
    /// The frequency with its expressions evaluated.
    text: String,
    zone: Zone,
    occurrences: Vec<Instant>,
    /// True when the frequency itself never comes again.
    exhausted: bool,
}

/// What every request of one run shares.
#[derive(Clone, Copy)]
struct Surroundings<'w> {
    processing: ProcessingZone,
    now: Instant,
    /// The variables of expressions.
    world: &'w World,
}

/// Runs `ankus next`.
pub fn run(args: Args, context: &mut Context) -> Result<Status, ShellError> {
    let processing = times::processing_zone(context)?;
    let mut world = World { processing, ..World::default() };
    for (name, value) in context.common.definitions()? {
        world.conf.insert(name.to_owned(), value.to_owned());
    }
    let surroundings = Surroundings { processing, now: times::now(context, processing)?, world: &world };
    if args.batch {
        return batch(&args.timezone, surroundings, context);
    }
    let request = Request {
        frequency: args.frequency.unwrap_or_default(),
        start: args.start,
        end: args.end,
        timezone: Some(args.timezone),
        count: args.count,
    };
    let result = answer(&request, surroundings);
    let status = if result.is_ok() { Status::Clean } else { Status::Findings };
    match (args.format, result) {
        (Format::Json, result) => writeln!(context.io.out, "{}", to_json(&request, result, processing))?,
        (Format::Text, Ok(answer)) => print(&answer, processing, context)?,
        (Format::Text, Err(fault)) => {
            writeln!(context.io.out, "error[{}]: {}", fault.rule, fault.message)?;
            if fault.is_shown {
                let ahead: String = request
                    .frequency
                    .chars()
                    .scan(0, |at, c| {
                        let before = *at < fault.offset;
                        *at += c.len_utf8();
                        before.then_some(if c == '\t' { '\t' } else { ' ' })
                    })
                    .collect();
                writeln!(context.io.out, "  {}\n  {ahead}^", request.frequency)?;
            }
        }
    }
    Ok(status)
}

/// Answers one request a line, in order.
fn batch(
    timezone: &str,
    surroundings: Surroundings<'_>,
    context: &mut Context,
) -> Result<Status, ShellError> {
    let mut status = Status::Clean;
    let mut line = Vec::new();
    loop {
        let found = json_input::next_line(&mut context.io.input, &mut line)?;
        let mut result = Err(Fault::new("request-invalid", json_input::too_long(), 0));
        let mut request = None;
        if found == Line::End {
            return Ok(status);
        }
        if found == Line::Whole && line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        if found == Line::Whole {
            match json_input::object::<Request>(&line) {
                Ok(mut parsed) => {
                    parsed.timezone.get_or_insert_with(|| timezone.to_owned());
                    result = answer(&parsed, surroundings);
                    request = Some(parsed);
                }
                Err(fault) => {
                    let message = format!("the request cannot be read: {}", fault.message);
                    result = Err(Fault::new("request-invalid", message, fault.column - 1));
                }
            }
        }
        if result.is_err() {
            status = Status::Findings;
        }
        let json = match (request, result) {
            (Some(request), result) => to_json(&request, result, surroundings.processing),
            (None, Err(fault)) => fault_json(&fault),
            (None, Ok(_)) => continue,
        };
        writeln!(context.io.out, "{json}")?;
        if found == Line::Endless {
            return Err(json_input::endless());
        }
        // Whoever sends the next request only after this answer must get it.
        if context.io.input.fill_buf().is_ok_and(<[u8]>::is_empty) {
            context.io.out.flush()?;
        }
    }
}

fn answer(request: &Request, surroundings: Surroundings<'_>) -> Result<Answer, Fault> {
    let processing = surroundings.processing;
    let Read { schedule, text } = frequency::read(&request.frequency, surroundings.world)?;
    let zone_id = request.timezone.as_deref().unwrap_or("UTC");
    let zone = Zone::parse(zone_id)
        .map_err(|error| Fault::new("timezone-unknown", times::unknown_zone(&error), 0))?;
    let datetime = |text: &str| {
        processing
            .parse_datetime(&times::with_midnight(text, processing))
            .map(|parsed| parsed.instant)
            .map_err(|error| {
                Fault::new("datetime-invalid", format!("`{text}` is not a datetime: {error}"), error.offset)
            })
    };
    let start = request.start.as_deref().map_or(Ok(surroundings.now), datetime)?;
    let end = request.end.as_deref().map(datetime).transpose()?;
    let count = request.count.unwrap_or(if end.is_some() { MAX_COUNT } else { DEFAULT_COUNT });
    if count > MAX_COUNT {
        let message = format!("at most {MAX_COUNT} occurrences are given at once");
        return Err(Fault::new("request-invalid", message, 0));
    }
    let mut occurrences = Vec::new();
    let mut exhausted = false;
    let mut times = schedule.times(start, zone, processing);
    while occurrences.len() < count {
        match times.next() {
            Some(Ok(at)) if end.is_some_and(|end| at >= end) => break,
            Some(Ok(at)) => occurrences.push(at),
            None => {
                exhausted = true;
                break;
            }
            // A server crashes there, and there are no more times in either case.
            Some(Err(SearchError::Crash { .. })) if !occurrences.is_empty() => {
                exhausted = true;
                break;
            }
            Some(Err(error)) => return Err(Fault::new(NEVER_RULE, error.to_string(), 0)),
        }
    }
    drop(times);
    Ok(Answer { schedule, text, zone, occurrences, exhausted })
}

/// The answer of a request that has none.
fn fault_json(fault: &Fault) -> serde_json::Value {
    json!({"version": 1, "error": {"rule": fault.rule, "message": fault.message, "offset": fault.offset}})
}

fn to_json(
    request: &Request,
    result: Result<Answer, Fault>,
    processing: ProcessingZone,
) -> serde_json::Value {
    match result {
        Err(fault) => fault_json(&fault),
        Ok(answer) => {
            let occurrences: Vec<String> =
                answer.occurrences.iter().map(|at| processing.format(*at)).collect();
            json!({
                "version": 1,
                "frequency": request.frequency,
                "timezone": answer.zone.id(),
                "occurrences": occurrences,
                "exhausted": answer.exhausted,
            })
        }
    }
}

/// Prints occurrences for people: in the processing timezone, and local.
fn print(answer: &Answer, processing: ProcessingZone, context: &mut Context) -> Result<(), ShellError> {
    if let Schedule::Cron(cron) = &answer.schedule {
        for suspicion in cron.suspicions().iter().filter(|_| !context.common.quiet) {
            let piece = answer.text.get(suspicion.range.clone()).unwrap_or_default();
            writeln!(context.io.err, "note: `{piece}`: {}", suspicion.message)?;
        }
    }
    let local = answer.zone.id() != processing.zone().id();
    for at in &answer.occurrences {
        let datetime = processing.format(*at);
        match local {
            true => writeln!(context.io.out, "{datetime}  {}", times::local_text(*at, answer.zone))?,
            false => writeln!(context.io.out, "{datetime}")?,
        }
    }
    if answer.exhausted {
        let more = if answer.occurrences.is_empty() { "it never comes" } else { "it never comes again" };
        writeln!(context.io.out, "{more}")?;
    }
    Ok(())
}
