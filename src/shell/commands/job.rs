//! `ankus job ID …`: what an operator does with a job, and what can be seen of it.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Subcommand;
use serde_json::json;

use super::jobs::{FormatArg, document};
use super::run::{options, place};
use crate::engine::status::JobStatus;
use crate::engine::{ActionsRerun, BundleRerun, Change, Conf, Event, JobId, JobKind, Scope, WorkflowRerun};
use crate::report::job_text;
use crate::shell::run::clock::SystemClock;
use crate::shell::run::executor::looks::UNREACHED;
use crate::shell::run::open::Place;
use crate::shell::run::stub::Stubs;
use crate::shell::{Context, ShellError, Status, times};

/// The arguments of `ankus job`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The id of a job, such as 0000001-W
    #[arg(value_name = "ID")]
    id: String,
    #[command(subcommand)]
    what: What,
    /// The folder of the store [default: .ankus above the working directory]
    #[arg(long, value_name = "FOLDER", global = true)]
    store: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Show the job, its actions, and what each waits for
    Info {
        /// How it is printed
        #[arg(long, value_name = "FORMAT", default_value = "text")]
        format: FormatArg,
    },
    /// Show what actions wrote to standard output and standard error
    Log {
        /// Only of this action
        #[arg(long, value_name = "NAME")]
        action: Option<String>,
    },
    /// Print the definition with which the job runs
    Definition,
    /// Start a job that was submitted
    Start,
    /// Suspend it: nothing new is started
    Suspend,
    /// Resume it; actions that wait for this are started or ended again
    Resume,
    /// Kill it, or some actions of a coordinator
    Kill {
        /// Actions by number, such as 3-5,8
        #[arg(long, value_name = "NUMBERS")]
        actions: Option<String>,
    },
    /// Pause a coordinator or a bundle: nothing new is made
    Pause {
        /// From this time on [default: now]
        #[arg(long, value_name = "DATETIME")]
        at: Option<String>,
    },
    /// Change a coordinator or a bundle
    Change {
        /// A new end
        #[arg(long, value_name = "DATETIME")]
        end: Option<String>,
        /// A new limit of actions that run at once
        #[arg(long, value_name = "N")]
        concurrency: Option<i32>,
        /// A new pause time, or `none`
        #[arg(long, value_name = "DATETIME")]
        pause: Option<String>,
    },
    /// Run a job, or some actions of a coordinator, again
    Rerun {
        /// Actions of a coordinator by number, such as 3-5,8
        #[arg(long, value_name = "NUMBERS", conflicts_with = "dates")]
        actions: Option<String>,
        /// Actions of a coordinator by nominal time: T1::T2,T3
        #[arg(long, value_name = "DATES")]
        dates: Option<String>,
        /// Coordinators of a bundle, with commas between
        #[arg(long, value_name = "NAMES", value_delimiter = ',')]
        coordinators: Vec<String>,
        /// Nodes of a workflow that are not run again, with commas between
        #[arg(long, value_name = "NODES", value_delimiter = ',')]
        skip: Option<Vec<String>>,
        /// Only what failed
        #[arg(long)]
        failed: bool,
        /// Leave outputs where they are
        #[arg(long)]
        nocleanup: bool,
        /// Work out inputs once more
        #[arg(long)]
        refresh: bool,
    },
    /// Let its parent look at a coordinator, or at some of its actions, no more
    Ignore {
        /// Actions by number, such as 3-5,8
        #[arg(long, value_name = "NUMBERS")]
        actions: Option<String>,
    },
}

/// Runs `ankus job`.
pub fn run(args: Args, context: &mut Context) -> Result<Status, ShellError> {
    let place = place(Path::new("."), args.store.as_deref(), context)?;
    let id = args.id.split('@').next().unwrap_or_default();
    let id: JobId = id.parse().map_err(|error| ShellError::usage(format!("{error}")))?;
    let job = place.read()?.job(id.number)?.filter(|job| job.id == id);
    let job = job.ok_or_else(|| ShellError::usage(format!("the store holds no job `{}`", args.id)))?;
    let own: Vec<(String, String)> = context
        .common
        .definitions()?
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    match &args.what {
        What::Info { format } => info(&place, id, *format, context),
        What::Log { action } => log(&place, id, action.as_deref(), context),
        What::Definition => {
            let store = place.read()?;
            let executor = place.view(store, job.root, &SystemClock)?;
            let text = executor.definition(id).unwrap_or_default();
            context.io.out.write_all(text.as_bytes())?;
            Ok(Status::Clean)
        }
        what => {
            let event = event(what, id, &place, own)?;
            let done = place.operate(event, options(Stubs::default(), 1, &place)?, &SystemClock)?;
            match done {
                Ok(()) => Ok(Status::Clean),
                Err(words) => {
                    writeln!(context.io.err, "refused: {words}")?;
                    Ok(Status::Findings)
                }
            }
        }
    }
}

/// What an operator's command is for the engine.
fn event(what: &What, id: JobId, place: &Place, own: Vec<(String, String)>) -> Result<Event, ShellError> {
    let time = |name: &str, text: &Option<String>| times::option(name, text.as_deref(), place.zone);
    let numbers = |text: &str| Scope::Numbers(text.into());
    let conf = (!own.is_empty()).then(|| Conf::new(own));
    Ok(match what {
        What::Start => Event::Start(id),
        What::Suspend => Event::Suspend(id),
        What::Resume => Event::Resume(id),
        What::Kill { actions: None } => Event::Kill(id),
        What::Kill { actions: Some(actions) } => Event::KillActions(id, numbers(actions)),
        What::Pause { at } => {
            let at = time("--at", at)?.unwrap_or_else(|| crate::shell::run::clock::Clock::now(&SystemClock));
            Event::Change(id, Change { pause: Some(Some(at)), ..Change::default() })
        }
        What::Change { end, concurrency, pause } => {
            let pause = match pause.as_deref() {
                None => None,
                Some("none") => Some(None),
                Some(_) => Some(time("--pause", pause)?),
            };
            let (end, concurrency) = (time("--end", end)?, *concurrency);
            Event::Change(id, Change { end, concurrency, pause, status: None })
        }
        What::Ignore { actions: Some(actions) } => Event::IgnoreActions(id, numbers(actions)),
        What::Ignore { actions: None } => {
            Event::Change(id, Change { status: Some(JobStatus::Ignored), ..Change::default() })
        }
        What::Rerun { actions, dates, coordinators, skip, failed, nocleanup, refresh } => {
            let (nocleanup, refresh, failed) = (*nocleanup, *refresh, *failed);
            match id.kind {
                JobKind::Workflow => {
                    let skip =
                        skip.as_ref().map(|skip| skip.iter().map(|name| Arc::from(name.as_str())).collect());
                    Event::RerunWorkflow(id, WorkflowRerun { skip, failed, conf, program: None })
                }
                JobKind::Coordinator => {
                    let scope = match (actions, dates) {
                        (Some(actions), _) => numbers(actions),
                        (None, Some(dates)) => Scope::Dates(dates.as_str().into()),
                        (None, None) => {
                            let words = "say which actions run again: `--actions` or `--dates`";
                            return Err(ShellError::usage(words));
                        }
                    };
                    Event::RerunActions(id, ActionsRerun { scope, nocleanup, refresh, failed, conf })
                }
                JobKind::Bundle => {
                    let coordinators = coordinators.iter().map(|name| Arc::from(name.as_str())).collect();
                    let dates = dates.as_deref().map(Arc::from);
                    Event::RerunBundle(id, BundleRerun { coordinators, dates, nocleanup, refresh })
                }
            }
        }
        What::Info { .. } | What::Log { .. } | What::Definition => {
            return Err(ShellError::usage("this asks for nothing to be done"));
        }
    })
}

fn info(place: &Place, id: JobId, format: FormatArg, context: &mut Context) -> Result<Status, ShellError> {
    let store = place.read()?;
    let missing = || ShellError::usage("the job is gone");
    let job = store.job(id.number)?.ok_or_else(missing)?;
    let middle = place.settings(&store, &SystemClock)?.id_middle;
    let unreached = store.meta(UNREACHED)?.filter(|words| !words.is_empty());
    let view = place.view(store, job.root, &SystemClock)?;
    let lines = job_text::parts(view.engine(), id, &middle, place.zone);
    match format {
        FormatArg::Json => {
            let mut value = document(&job, &middle, place.zone);
            if let Some(map) = value.as_object_mut() {
                map.insert("version".to_owned(), json!(1));
                map.insert("parts".to_owned(), lines.iter().map(job_text::Part::document).collect());
            }
            writeln!(context.io.out, "{}", serde_json::to_string_pretty(&value).unwrap_or_default())?;
        }
        FormatArg::Text => {
            let time = |at| crate::simulate::moment::shown(at, place.zone);
            let out = &mut context.io.out;
            writeln!(out, "{}  {}  {}", job.id.with_middle(&middle), job.status, job.name)?;
            writeln!(out, "  definition {}", job.app_path)?;
            writeln!(out, "  created {}, last modified {}", time(job.created), time(job.modified))?;
            for line in &lines {
                writeln!(out, "  {line}")?;
            }
            if let Some(words) = unreached {
                writeln!(out, "  storage could not be reached at the last look: {words}")?;
            }
        }
    }
    Ok(Status::Clean)
}

/// What the actions of a workflow wrote.
fn log(place: &Place, id: JobId, action: Option<&str>, context: &mut Context) -> Result<Status, ShellError> {
    let store = place.read()?;
    let missing = || ShellError::usage("the job is gone");
    let job = store.job(id.number)?.ok_or_else(missing)?;
    let view = place.view(store, job.root, &SystemClock)?;
    for (name, attempt) in view.attempts(id) {
        if action.is_some_and(|action| action != name) {
            continue;
        }
        for (what, path) in [("stdout", attempt.stdout()), ("stderr", attempt.stderr())] {
            let bytes = std::fs::read(&path).unwrap_or_default();
            if !bytes.is_empty() {
                writeln!(context.io.out, "== {name}, {what}")?;
                context.io.out.write_all(&bytes)?;
            }
        }
    }
    Ok(Status::Clean)
}
