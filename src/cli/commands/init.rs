//! `ankus init`: writes an `ankus.toml` that fits the repository.

use std::fs::File;
use std::io::Write;
use std::path::PathBuf;

use crate::host::ShellError;
use crate::host::files;
use crate::shell::Context;
use crate::shell::Status;
use crate::shell::config::FILE_NAME;
use crate::shell::init;

/// The arguments of `ankus init`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The root of the repository
    #[arg(value_name = "FOLDER", default_value = ".")]
    folder: PathBuf,
    /// Print the file instead of writing it
    #[arg(long)]
    print: bool,
}

/// Runs `ankus init`.
pub fn run(args: Args, context: &mut Context) -> Result<Status, ShellError> {
    let path = args.folder.join(FILE_NAME);
    let shown = files::shown(&path);
    if !args.folder.is_dir() {
        return Err(ShellError::usage(format!("`{}` is no folder", files::shown(&args.folder))));
    }
    if !args.print && path.symlink_metadata().is_ok() {
        return Err(ShellError::usage(format!("`{shown}` is there already; nothing was written")));
    }
    let draft = init::draft(&args.folder)?;
    if args.print {
        context.io.out.write_all(draft.text.as_bytes())?;
        return Ok(Status::Clean);
    }
    let fault = |source| ShellError::Write { path: path.clone(), source };
    // Whoever wrote one meanwhile keeps it.
    let mut file = File::options().write(true).create_new(true).open(&path).map_err(fault)?;
    file.write_all(draft.text.as_bytes()).map_err(fault)?;
    let many = |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
    if !context.common.quiet {
        let (apps, profiles) = (many(draft.apps, "app"), many(draft.profiles, "profile"));
        let paths = many(draft.paths, "mapped path");
        writeln!(context.io.out, "wrote `{shown}`: {apps}, {profiles}, {paths}")?;
        if draft.changes_findings {
            context.io.out.flush()?;
            writeln!(
                context.io.err,
                "with it other things are found than without it: this folder is a root now"
            )?;
        }
    }
    Ok(Status::Clean)
}
