//! `ankus man`: manual pages, to standard output or into a folder.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};

use crate::cli::help::{self, examples};
use crate::host::ShellError;
use crate::shell::Context;
use crate::shell::Status;

/// The arguments of `ankus man`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Write a page for each command into this folder, instead of one page to standard output
    #[arg(value_name = "FOLDER")]
    folder: Option<PathBuf>,
}

/// Runs `ankus man`.
pub fn run(args: Args, context: &mut Context) -> Result<Status, ShellError> {
    let mut command = help::command();
    command.build();
    match &args.folder {
        None => context.io.out.write_all(&page(command)?)?,
        Some(folder) => {
            let names: Vec<String> = command.get_subcommands().map(|sub| sub.get_name().to_owned()).collect();
            for name in names {
                if let Some(sub) = command.find_subcommand(&name) {
                    write(folder, &format!("ankus-{name}"), &page(sub.clone())?, context)?;
                }
            }
            write(folder, "ankus", &page(command)?, context)?;
        }
    }
    Ok(Status::Clean)
}

fn page(command: clap::Command) -> Result<Vec<u8>, ShellError> {
    let mut page = Vec::new();
    let names: Vec<&str> =
        command.get_display_name().unwrap_or(command.get_name()).split('-').skip(1).collect();
    let of_command: Vec<_> = examples::ALL.iter().filter(|known| of(&names, known.command)).collect();
    let has_version = command.get_version().is_some() || command.get_long_version().is_some();
    let has_subcommands = command.get_subcommands().any(|sub| !sub.is_hide_set());
    // The page of the whole program shows one example of each command; they have a section of their own.
    let most = if names.is_empty() { 1 } else { usize::MAX };
    let man = Man::new(command.after_help(None::<&str>));
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    if has_subcommands {
        man.render_subcommands_section(&mut page)?;
    }
    table("EXIT STATUS", help::EXIT_STATUS).to_writer(&mut page)?;
    table("ENVIRONMENT", help::ENVIRONMENT).to_writer(&mut page)?;
    if !of_command.is_empty() {
        let mut section = Roff::new();
        section.control("SH", ["EXAMPLES"]);
        for (line, purpose) in
            of_command.into_iter().flat_map(|known| &known.lines[..most.min(known.lines.len())])
        {
            section.control("TP", []);
            section.text([bold(*line)]);
            section.text([roman(*purpose)]);
        }
        section.to_writer(&mut page)?;
    }
    if has_version {
        man.render_version_section(&mut page)?;
    }
    Ok(page)
}

/// Whether examples belong on the page of a command: its own and those of what is below it.
fn of(names: &[&str], examples: &str) -> bool {
    names.is_empty() && !examples.contains(' ') || names.first() == examples.split(' ').next().as_ref()
}

/// A section of terms and what they mean.
fn table(title: &str, rows: &[(&str, &str)]) -> Roff {
    let mut section = Roff::new();
    section.control("SH", [title]);
    for (term, meaning) in rows {
        section.control("TP", []);
        section.text([bold(*term)]);
        section.text([roman(*meaning)]);
    }
    section
}

fn write(folder: &Path, name: &str, page: &[u8], context: &mut Context) -> Result<(), ShellError> {
    let path = folder.join(format!("{name}.1"));
    let mut output = context.io.output(Some(&path))?;
    output.write_all(page).map_err(|source| ShellError::Write { path: path.clone(), source })?;
    output.finish()
}
