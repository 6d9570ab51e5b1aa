//! `ankus submit`: an app becomes a job that nobody has started.

use std::io::Write;
use std::path::PathBuf;

use super::run_app::{a_name, options, place, refused, veil_of, will_fail, with_app};
use crate::engine::{Event, Submit};
use crate::execute::clock::SystemClock;
use crate::execute::requests::Request;
use crate::execute::selection::Selection;
use crate::execute::stub::Stubs;
use crate::host::ShellError;
use crate::shell::Context;
use crate::shell::Status;
use crate::shell::preflight::{self, Wanted};

/// The arguments of `ankus submit`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// A folder, a definition, or a properties file that leads to one
    #[arg(value_name = "APP")]
    app: PathBuf,
    /// A name of your own; a second submission under it finds the first job
    #[arg(long, value_name = "NAME", value_parser = a_name)]
    external_id: Option<String>,
    /// Submit the app even if its plan shows that it will fail
    #[arg(long)]
    no_preflight: bool,
    /// The folder of the store [default: .ankus in the project]
    #[arg(long, value_name = "FOLDER")]
    store: Option<PathBuf>,
}

/// Runs `ankus submit`.
pub fn run(args: Args, context: &mut Context) -> Result<Status, ShellError> {
    let place = place(&args.app, args.store.as_deref(), context)?;
    with_app(&args.app, &place, context, |program, loaded, submitted, context| {
        let known = match &args.external_id {
            Some(name) => place.read().and_then(|store| store.job_named(name)).unwrap_or_default(),
            None => None,
        };
        if !args.no_preflight && known.is_none() {
            let failures = preflight::failures(program, loaded, submitted, Wanted::default());
            if !failures.is_empty() {
                return will_fail(&failures, program.library, context);
            }
        }
        place.make()?;
        let deployed = place.definitions()?;
        let program = match deployed.submission_of(loaded, submitted, &Selection::default()) {
            Ok(program) => program,
            Err(fault) => return refused(&fault, &veil_of(submitted), context),
        };
        let recipe = deployed.recipe_text(&program);
        let external_id = args.external_id.map(Into::into);
        let server = Some(Box::new(place.config.server().clone()));
        let submit = Submit { server, ..Submit::new(program, external_id, false) };
        let event = Event::Submit(submit);
        let request = Request { recipe, ..event.into() };
        let answer = place.operate(
            request,
            options(Stubs::default(), 1, &place, context.common.quiet)?,
            &SystemClock,
        )?;
        let (job, existed) = match answer.result() {
            Ok(Some(submitted)) => submitted,
            Ok(None) => return Err(ShellError::usage("the app was not taken")),
            Err(words) => {
                let words = veil_of(submitted).text(&words).into_owned();
                return Err(ShellError::usage(format!("the app is refused: {words}")));
            }
        };
        if existed && !context.common.quiet {
            writeln!(context.io.err, "there is a job of this name already")?;
        }
        let middle = place.settings(&place.read()?, &SystemClock)?.id_middle;
        writeln!(context.io.out, "{}", job.with_middle(&middle))?;
        Ok(Status::Clean)
    })
}
