//! What the commands around `ankus run` share: the store that is meant, an app that planning has accepted, and how the
//! executor of a command works.

use crate::shell::submission;
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::cli::output;
use crate::cli::output::remark;
use crate::diag::Diagnostic;
use crate::engine::Fault;
use crate::engine::application::AppStatus;
use crate::execute::applications::Applications;
use crate::execute::executor::Options;
use crate::execute::open::Place;
use crate::execute::store::Store;
use crate::execute::stub::Stubs;
use crate::host::ShellError;
use crate::host::{app_folder, files};
use crate::project::package;
use crate::redact::Redactor;
use crate::shell::Context;
use crate::shell::Status;
use crate::shell::app;
use crate::shell::check::program::Program;
use crate::shell::library::{Library, Loaded};
use crate::shell::project::Project;
use crate::shell::submission::Submitted;
use crate::source::Sources;

/// How long is waited before inputs are looked for again.
const LOOK_MILLIS: i64 = 5_000;

/// How an executor of a command works.
pub fn options(stubs: Stubs, jobs: usize, place: &Place, is_quiet: bool) -> Result<Options, ShellError> {
    let program = std::env::current_exe()?;
    let commands = place.config.run.commands.clone();
    let outward = place.config.outward();
    let (jobs, look_millis) = (jobs.max(1), LOOK_MILLIS);
    Ok(Options {
        shows_progress: !is_quiet,
        stubs,
        jobs,
        commands,
        outward,
        program,
        look_millis,
        stub_millis: 0,
        server: place.config.server().clone(),
    })
}

/// The store that a command means, and what is made from it.
pub fn place(start: &Path, store: Option<&Path>, context: &mut Context) -> Result<Place, ShellError> {
    if context.common.now.is_some() {
        let words =
            "--now is for `check`, `plan` and `eval`: what is executed goes by the clock of this machine";
        return Err(ShellError::usage(words));
    }
    let place =
        Place::of(start, store, context.common.config.as_deref(), context.common.oozie_version.as_deref())?;
    for words in [Store::shut(&place.folder)?, Store::unmarked(&place.folder)?].into_iter().flatten() {
        writeln!(context.io.err, "warning: {words}")?;
    }
    Ok(place)
}

/// What must not be shown of an app before it is a job.
pub fn veil_of(submitted: &Submitted) -> Redactor {
    let conf = match submitted {
        Submitted::Workflow(workflow) => &workflow.conf,
        Submitted::Coordinator(_, conf) => conf,
        Submitted::Bundle(bundle, _) => &bundle.conf,
    };
    let mut veil = Redactor::default();
    veil.learn_all(conf.iter());
    veil
}

/// Says why an app was not taken once it had been planned.
pub fn refused(fault: &Fault, veil: &Redactor, context: &mut Context) -> Result<Status, ShellError> {
    writeln!(context.io.err, "the app is refused: {} ({})", veil.text(&fault.message), fault.code)?;
    Ok(Status::Incomplete)
}

/// Says what keeps an app from being submitted, as `check` does, and how to submit it all the same.
pub fn will_fail(
    failures: &[Diagnostic],
    library: &Library<'_>,
    context: &mut Context,
) -> Result<Status, ShellError> {
    output::refuse(failures, library, output::Format::Full, context)?;
    writeln!(
        context.io.err,
        "nothing was submitted: the app would fail; `--no-preflight` submits it all the same"
    )?;
    Ok(Status::Incomplete)
}

/// Reads a user's own name for a job.
pub fn a_name(text: &str) -> Result<String, String> {
    match text.trim().is_empty() || text.contains(char::is_control) {
        true => Err("a name of one line is needed".to_owned()),
        false => Ok(text.to_owned()),
    }
}

/// Reads and plans an app, and goes on with it unless a server would refuse it.
pub fn with_app(
    argument: &Path,
    place: &Place,
    context: &mut Context,
    go_on: impl for<'l, 'p> FnOnce(
        &Program<'l, 'p>,
        &'l Loaded,
        &Submitted,
        &mut Context,
    ) -> Result<Status, ShellError>,
) -> Result<Status, ShellError> {
    let common = context.common.clone();
    let argument = &of_application(argument, place, context)?;
    let project = Project::of(argument, &place.config);
    let mut sources = Sources::new();
    let chosen = app::choose(argument, &common, &place.config, &project, &mut sources)?;
    context.announce(chosen.definition.as_deref())?;
    let library = Library::new(&project, sources).with_version(place.version);
    let program = Program::new(&library, place.zone);
    if let Some(file) = chosen.properties.as_deref().filter(|file| **file != *argument && !common.quiet) {
        writeln!(context.io.err, "with the properties of {}", files::shown(file))?;
    }
    match submission::accept(&program, chosen)? {
        Ok((loaded, submitted, findings)) => {
            remark(&findings, &library, context)?;
            go_on(&program, loaded, &submitted, context)
        }
        // Nothing was begun, which is not that a job has failed.
        Err(findings) => {
            output::refuse(&findings, &library, output::Format::Full, context).map(|_| Status::Incomplete)
        }
    }
}

/// The folder that an argument means which is the name of a deployed application, or a package; else the argument.
fn of_application(argument: &Path, place: &Place, context: &mut Context) -> Result<PathBuf, ShellError> {
    let applications = Applications::of(&place.folder);
    if !argument.exists() {
        let Some(found) = argument.to_str().map(|name| applications.find(name)).transpose()?.flatten() else {
            return Ok(argument.to_owned());
        };
        let (name, status) = (&found.name, found.status);
        return match status {
            AppStatus::Active => Ok(found.files),
            _ => Err(ShellError::usage(format!(
                "the application `{name}` is {status}: it takes jobs while it is ACTIVE (`ankus app activate {name}`)"
            ))),
        };
    }
    if argument.is_dir() || !package::is_package(&files::head(argument, 4)) {
        return Ok(argument.to_owned());
    }
    let contents = app_folder::read(argument)?;
    place.make()?;
    let folder = applications.keep(&contents)?;
    if !context.common.quiet {
        let shown = files::shown(argument);
        writeln!(context.io.err, "`{shown}` is deployed and activated for this job")?;
    }
    Ok(folder)
}
