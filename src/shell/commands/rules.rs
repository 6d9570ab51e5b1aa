//! `ankus rules`: the catalogue of findings.

use std::io::Write;

use crate::report::catalogue;
use crate::shell::{Context, ShellError, Status};

/// The arguments of `ankus rules`.
#[derive(Debug, clap::Args)]
pub struct Args {}

/// Runs `ankus rules`.
pub fn run(_args: Args, context: &mut Context) -> Result<Status, ShellError> {
    let out = &mut context.io.out;
    for info in catalogue::all() {
        let stage = info.stage.map_or("-", |stage| stage.name());
        let codes = if info.mirrors.is_empty() { "-".to_owned() } else { info.mirrors.join(",") };
        let summary = info.explanation();
        let summary = summary.lines().next().unwrap_or_default();
        writeln!(out, "{:<31} {:<8} {:<11} {codes:<12} {summary}", info.name, info.severity.name(), stage)?;
    }
    Ok(Status::Clean)
}
