//! `ankus app`: applications of 2009 as they are shipped and deployed.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use serde_json::json;

use super::run_app::place;
use super::upgrade::refuse_broken;
use crate::engine::application::{AppCommand, AppStatus};
use crate::engine::status::WorkflowStatus;
use crate::execute::applications::{AppError, Application, Applications};
use crate::execute::open::Place;
use crate::execute::store::Filter;
use crate::host::{ShellError, app_folder, discovery, files, io, overlay, packages};
use crate::project::package::{self, DEFINITION};
use crate::shell::{Context, Status};

/// The arguments of `ankus app`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// What is done.
    #[command(subcommand)]
    action: Action,
    /// The folder of the store [default: .ankus in the project]
    #[arg(long, value_name = "FOLDER", global = true)]
    store: Option<PathBuf>,
}

/// What is done with an application.
#[derive(Debug, clap::Subcommand)]
enum Action {
    /// Pack a folder into a ZIP archive
    Pack(PackArgs),
    /// Deploy a package or a folder; the application is INACTIVE then
    Deploy {
        /// A package, or a folder that holds workflow.xml
        #[arg(value_name = "APP")]
        app: PathBuf,
    },
    /// Remove an INACTIVE application; its jobs stay
    Undeploy(Named),
    /// Take jobs
    Activate(Named),
    /// Take no new jobs
    Suspend(Named),
    /// Take a SUSPENDED application out of use, once its jobs have finished
    Deactivate(Named),
    /// Show an application
    Info {
        /// Its name
        #[arg(value_name = "NAME")]
        name: String,
        /// How it is printed
        #[arg(long, value_name = "FORMAT", default_value = "text")]
        format: FormatArg,
    },
    /// List the deployed applications
    List {
        /// Only those in this state
        #[arg(long, value_name = "STATUS")]
        status: Option<String>,
        /// How they are printed
        #[arg(long, value_name = "FORMAT", default_value = "text")]
        format: FormatArg,
    },
}

/// An application by its name.
#[derive(Debug, clap::Args)]
struct Named {
    /// Its name
    #[arg(value_name = "NAME")]
    name: String,
}

/// How applications are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum FormatArg {
    /// For people
    Text,
    /// One document
    Json,
}

/// The arguments of `ankus app pack`.
#[derive(Debug, clap::Args)]
struct PackArgs {
    /// The folder that holds workflow.xml
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    /// The archive to write [default: the name of the folder, with .zip]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Runs `ankus app`.
pub fn run(args: Args, context: &mut Context) -> Result<Status, ShellError> {
    let store = args.store.as_deref();
    match args.action {
        Action::Pack(args) => pack(args, context),
        Action::Deploy { app } => deploy(&app, store, context),
        Action::Undeploy(named) => change(&named.name, AppCommand::Undeploy, store, context),
        Action::Activate(named) => change(&named.name, AppCommand::Activate, store, context),
        Action::Suspend(named) => change(&named.name, AppCommand::Suspend, store, context),
        Action::Deactivate(named) => change(&named.name, AppCommand::Deactivate, store, context),
        Action::Info { name, format } => info(&name, format, store, context),
        Action::List { status, format } => list(status.as_deref(), format, store, context),
    }
}

fn here(store: Option<&Path>, context: &mut Context) -> Result<(Place, Applications), ShellError> {
    let place = place(Path::new("."), store, context)?;
    let applications = Applications::of(&place.folder);
    Ok((place, applications))
}

/// What is refused says why and changes nothing.
fn refused(error: AppError, context: &mut Context) -> Result<Status, ShellError> {
    match error {
        AppError::Io(error) => Err(error),
        error => {
            writeln!(context.io.err, "refused: {error}")?;
            Ok(Status::Findings)
        }
    }
}

fn deploy(app: &Path, store: Option<&Path>, context: &mut Context) -> Result<Status, ShellError> {
    let (place, applications) = here(store, context)?;
    let contents = app_folder::read(app)?;
    let shown = files::shown(app);
    if !contents.contains_key(DEFINITION) {
        return Err(ShellError::usage(format!("`{shown}` holds no `{DEFINITION}`")));
    }
    let mut path = app.to_owned();
    let package = packages::open_app(&mut path)?;
    if path.is_dir() {
        path = path.join(DEFINITION);
    }
    let name = overlay::with(package, || {
        refuse_broken(&path, context)?;
        let none = || ShellError::usage(format!("`{shown}` is not an app of 2009: only those have names"));
        discovery::application_name(&path).ok_or_else(none)
    })?;
    place.make()?;
    match applications.deploy(&name, &contents) {
        Ok(application) => {
            writeln!(context.io.out, "{} {}", application.name, application.status)?;
            Ok(Status::Clean)
        }
        Err(error) => refused(error, context),
    }
}

/// The ids of the jobs of an application that have not finished.
fn open_jobs(place: &Place, name: &str) -> Result<Vec<String>, ShellError> {
    let Ok(store) = place.read() else { return Ok(Vec::new()) };
    let filter = Filter { names: vec![name.to_owned()], len: u32::MAX, ..Filter::default() };
    let is_over = |status: &str| WorkflowStatus::parse(status).is_some_and(WorkflowStatus::is_terminal);
    let jobs = store.find(&filter)?;
    Ok(jobs.into_iter().filter(|job| !is_over(&job.status)).map(|job| job.id.to_string()).collect())
}

fn change(
    name: &str,
    command: AppCommand,
    store: Option<&Path>,
    context: &mut Context,
) -> Result<Status, ShellError> {
    let (place, applications) = here(store, context)?;
    let open = open_jobs(&place, name)?;
    match applications.change(name, command, open) {
        Ok(Some(status)) => writeln!(context.io.out, "{name} {status}")?,
        Ok(None) => writeln!(context.io.out, "{name} is undeployed")?,
        Err(error) => return refused(error, context),
    }
    Ok(Status::Clean)
}

fn document(application: &Application) -> serde_json::Value {
    json!({ "name": application.name, "status": application.status.name() })
}

fn info(
    name: &str,
    format: FormatArg,
    store: Option<&Path>,
    context: &mut Context,
) -> Result<Status, ShellError> {
    let (place, applications) = here(store, context)?;
    let Some(application) = applications.find(name)? else {
        return refused(AppError::Unknown(name.to_owned()), context);
    };
    let definition = application.files.join(DEFINITION);
    let open = open_jobs(&place, name)?;
    match format {
        FormatArg::Text => {
            writeln!(context.io.out, "{}  {}", application.name, application.status)?;
            writeln!(context.io.out, "definition  {}", files::shown(&definition))?;
            if !open.is_empty() {
                writeln!(context.io.out, "unfinished jobs  {}", open.join(", "))?;
            }
        }
        FormatArg::Json => {
            let text = match files::read(&definition)? {
                files::Content::Bytes(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
                files::Content::TooLarge => String::new(),
            };
            let mut document = document(&application);
            document["definition"] = text.into();
            document["openJobs"] = json!(open);
            document["version"] = 1.into();
            writeln!(context.io.out, "{document:#}")?;
        }
    }
    Ok(Status::Clean)
}

fn list(
    status: Option<&str>,
    format: FormatArg,
    store: Option<&Path>,
    context: &mut Context,
) -> Result<Status, ShellError> {
    let wanted = match status {
        None => None,
        Some(text) => {
            let word = text.trim().to_ascii_uppercase();
            let found = AppStatus::ALL.into_iter().find(|status| status.name() == word);
            let names = AppStatus::ALL.map(AppStatus::name).join(", ");
            Some(found.ok_or_else(|| ShellError::usage(format!("--status {text}: there are {names}")))?)
        }
    };
    let (_, applications) = here(store, context)?;
    let mut all = applications.list()?;
    all.retain(|application| wanted.is_none_or(|wanted| application.status == wanted));
    match format {
        FormatArg::Text if all.is_empty() => writeln!(context.io.out, "no applications")?,
        FormatArg::Text => {
            for application in &all {
                writeln!(context.io.out, "{:<9}  {}", application.status, application.name)?;
            }
        }
        FormatArg::Json => {
            let all: Vec<_> = all.iter().map(document).collect();
            writeln!(context.io.out, "{:#}", json!({ "version": 1, "apps": all }))?;
        }
    }
    Ok(Status::Clean)
}

fn pack(args: PackArgs, context: &mut Context) -> Result<Status, ShellError> {
    let shown = files::shown(&args.folder);
    if !args.folder.is_dir() {
        return Err(ShellError::usage(format!("`{shown}` is not a folder")));
    }
    let output = match args.output {
        Some(path) => path,
        None => {
            let absolute = files::absolute(&args.folder);
            let name = absolute.file_name().map(|name| name.to_string_lossy().into_owned());
            let name = name.ok_or_else(|| ShellError::usage("`-o` is required: the folder has no name"))?;
            PathBuf::from(format!("{name}.zip"))
        }
    };
    let mut contents = app_folder::read(&args.folder)?;
    // An archive that lies in the folder is not part of it.
    let own = files::absolute(&output);
    if let Ok(inside) = own.strip_prefix(files::absolute(&args.folder)) {
        contents.remove(&files::slashed(inside));
    }
    let bytes = package::write(&contents).map_err(|why| ShellError::usage(format!("`{shown}`: {why}")))?;
    io::exact_file(&output, &bytes)?.finish()?;
    if !context.common.quiet {
        let count = contents.len();
        writeln!(context.io.out, "{}: {count} files", files::shown(&output))?;
    }
    Ok(Status::Clean)
}
