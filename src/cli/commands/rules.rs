//! `ankus rules`: the catalogue of findings.

use std::io::Write;

use clap::ValueEnum;

use crate::host::ShellError;
use crate::report::rules;
use crate::shell::Context;
use crate::shell::Status;

/// The arguments of `ankus rules`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// How the rules are printed
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
}

/// How the rules are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// One line each
    Text,
    /// For programs
    Json,
    /// With explanations and examples, for a page
    Markdown,
}

/// Runs `ankus rules`.
pub fn run(args: Args, context: &mut Context) -> Result<Status, ShellError> {
    let text = match args.format {
        Format::Text => rules::text(),
        Format::Json => format!("{}\n", rules::json()),
        Format::Markdown => rules::PAGE.to_owned(),
    };
    context.io.out.write_all(text.as_bytes())?;
    Ok(Status::Clean)
}
