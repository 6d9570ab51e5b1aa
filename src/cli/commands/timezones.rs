//! `ankus timezones`: the names of zones, and what they do now.

use std::io::Write;

use clap::ValueEnum;
use serde_json::json;

use crate::diag::closest;
use crate::host::ShellError;
use crate::shell::Context;
use crate::shell::Status;
use crate::shell::times;
use crate::time::Zone;
use crate::time::zone::{DATA_RELEASE, differences};

/// The arguments of `ankus timezones`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Only names that contain this, in any case
    #[arg(value_name = "TEXT")]
    filter: Option<String>,
    /// How zones are printed
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
}

/// How zones are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people
    Text,
    /// For programs
    Json,
}

/// Runs `ankus timezones`.
pub fn run(args: Args, context: &mut Context) -> Result<Status, ShellError> {
    let processing = times::processing_zone(context)?;
    let now = times::now(context, processing)?;
    let filter = args.filter.unwrap_or_default().to_lowercase();
    let matches = |id: &str| id.to_lowercase().contains(&filter);
    let zones: Vec<Zone> =
        Zone::ids().filter(|id| matches(id)).filter_map(|id| Zone::parse(id).ok()).collect();
    let differences: Vec<_> = differences().iter().filter(|entry| matches(entry.id)).collect();
    let is_none = zones.is_empty() && differences.is_empty();
    let status = if is_none { Status::Findings } else { Status::Clean };
    let out = &mut context.io.out;
    if args.format == Format::Json {
        let zones: Vec<_> = zones
            .iter()
            .map(|zone| {
                json!({
                    "id": zone.id(),
                    "offset": times::offset_text(zone.offset_millis(now)),
                    "offsetSeconds": zone.offset_millis(now) / 1000,
                    "dst": zone.is_dst(now),
                    "usesDst": zone.uses_dst(),
                })
            })
            .collect();
        let differences: Vec<_> =
            differences.iter().map(|entry| json!({"id": entry.id, "reason": entry.reason})).collect();
        let answer = json!({
            "version": 1,
            "release": DATA_RELEASE,
            "at": processing.format(now),
            "zones": zones,
            "differences": differences,
        });
        writeln!(out, "{answer}")?;
        return Ok(status);
    }
    if is_none {
        let near = closest(&filter, Zone::ids()).map(|near| format!("; did you mean `{near}`?"));
        let near = near.unwrap_or_default();
        writeln!(context.io.err, "no name of a zone contains `{filter}`{near}")?;
        return Ok(status);
    }
    writeln!(out, "zone data {DATA_RELEASE}; offsets at {}", processing.format(now))?;
    for zone in &zones {
        let dst = match (zone.is_dst(now), zone.uses_dst()) {
            (true, _) => "  daylight saving now",
            (false, true) => "  has daylight saving",
            (false, false) => "",
        };
        let line = format!("{:<33} {:<9}{dst}", zone.id(), times::offset_text(zone.offset_millis(now)));
        writeln!(out, "{}", line.trim_end())?;
    }
    if filter.is_empty() {
        writeln!(out, "also GMT+hh:mm and GMT+hhmm, such as GMT+05:30")?;
    }
    if !differences.is_empty() {
        writeln!(out, "\nwhat a server with Java 17 and the zone data 2025a answers differently:")?;
    }
    for entry in differences {
        writeln!(out, "{:<33} {}", entry.id, entry.reason)?;
    }
    Ok(status)
}
