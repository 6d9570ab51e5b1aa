//! `ankus man`: manual pages, to standard output or into a folder.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::CommandFactory;

use crate::shell::cli::Cli;
use crate::shell::{Context, ShellError, Status};

/// The arguments of `ankus man`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Write a page for each command into this folder, instead of one page to standard output
    #[arg(value_name = "FOLDER")]
    folder: Option<PathBuf>,
}

/// Runs `ankus man`.
pub fn run(args: Args, context: &mut Context) -> Result<Status, ShellError> {
    let mut command = Cli::command();
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
    clap_mangen::Man::new(command).render(&mut page)?;
    Ok(page)
}

fn write(folder: &Path, name: &str, page: &[u8], context: &mut Context) -> Result<(), ShellError> {
    let path = folder.join(format!("{name}.1"));
    let mut output = context.io.output(Some(&path))?;
    output.write_all(page).map_err(|source| ShellError::Write { path: path.clone(), source })?;
    output.finish()
}
