//! `ankus convert`: a datetime between zones, with daylight saving told.

use std::io::Write;

use clap::ValueEnum;
use serde_json::json;

use crate::host::ShellError;
use crate::shell::Context;
use crate::shell::Status;
use crate::shell::times;
use crate::time::zone::Wall;
use crate::time::{Instant, ProcessingZone, Zone};

/// The arguments of `ankus convert`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// A datetime of the processing timezone such as `2024-03-10T10:30Z`, or without its ending one of --from
    #[arg(value_name = "DATETIME")]
    datetime: String,
    /// The zone whose wall clocks show the datetime
    #[arg(long, value_name = "ZONE")]
    from: Option<String>,
    /// The zone to convert to [default: the processing timezone]
    #[arg(long, value_name = "ZONE")]
    to: Option<String>,
    /// How the answer is printed
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
}

/// How the answer is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people
    Text,
    /// For programs
    Json,
}

/// Runs `ankus convert`.
pub fn run(args: Args, context: &mut Context) -> Result<Status, ShellError> {
    let processing = times::processing_zone(context)?;
    let from = args.from.as_deref().map_or(Ok(processing.zone()), times::zone)?;
    let to = args.to.as_deref().map_or(Ok(processing.zone()), times::zone)?;
    let wall = read(&args.datetime, args.from.is_some(), from, processing)?;
    let at = match wall {
        Wall::Once(at) | Wall::Twice(_, at) | Wall::Never(at) => at,
    };
    let notes = notes(wall, from, processing);
    let out = &mut context.io.out;
    if args.format == Format::Json {
        let side = |zone: Zone| {
            json!({
                "zone": zone.id(),
                "local": times::local_text(at, zone).get(..16),
                "offset": times::offset_text(zone.offset_millis(at)),
                "dst": zone.is_dst(at),
            })
        };
        let overlap = match wall {
            Wall::Twice(first, second) => Some([first, second].map(|at| processing.format(at))),
            _ => None,
        };
        let answer = json!({
            "version": 1,
            "instant": processing.format(at),
            "from": side(from),
            "to": side(to),
            "gap": matches!(wall, Wall::Never(_)),
            "overlap": overlap,
            "notes": notes,
        });
        writeln!(out, "{answer}")?;
        return Ok(Status::Clean);
    }
    let width = from.id().len().max(to.id().len());
    writeln!(out, "{:<width$}  {}", from.id(), times::local_text(at, from))?;
    writeln!(out, "{:<width$}  {}", to.id(), times::local_text(at, to))?;
    for note in notes {
        writeln!(out, "note: {note}")?;
    }
    Ok(Status::Clean)
}

/// Reads the datetime: one with the processing timezone's ending is an instant, any other a wall time of `from`.
fn read(text: &str, has_from: bool, from: Zone, processing: ProcessingZone) -> Result<Wall, ShellError> {
    let suffix = processing.suffix();
    if text.trim().ends_with(&suffix) {
        if has_from && from.id() != processing.zone().id() {
            let message = format!(
                "`{text}` ends in `{suffix}`, so it is no wall time of {}; leave one away",
                from.id()
            );
            return Err(ShellError::usage(message));
        }
        return Ok(Wall::Once(times::datetime(text, processing)?.instant));
    }
    let parsed = ProcessingZone::UTC
        .parse_datetime(&format!("{}Z", text.trim()))
        .map_err(|error| ShellError::usage(format!("`{text}` is no datetime: {error}")))?;
    Ok(from.wall(parsed.instant.millis()))
}

/// What daylight saving makes of the datetime.
fn notes(wall: Wall, from: Zone, processing: ProcessingZone) -> Vec<String> {
    let shown = |at: Instant| format!("{} ({})", times::local_text(at, from), processing.format(at));
    match wall {
        Wall::Once(_) => Vec::new(),
        Wall::Twice(first, second) => vec![format!(
            "the clocks of {} show this time twice: {} and {}; a server takes the second",
            from.id(),
            shown(first),
            shown(second)
        )],
        Wall::Never(at) => {
            vec![format!("the clocks of {} skip this time; a server takes {}", from.id(), shown(at))]
        }
    }
}
