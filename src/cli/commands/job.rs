//! `ankus job ID …`: what an operator does with a job, and what can be seen of it.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Subcommand, ValueEnum};

use super::jobs::FormatArg;
use super::run_again::{self, Again};
use super::run_app::{options, place};
use super::{job_info, job_log, job_rerun};
use crate::engine::status::{JobStatus, WorkflowStatus};
use crate::engine::{Change, Event, JobId, JobKind, Scope};
use crate::execute::clock::SystemClock;
use crate::execute::open::Place;
use crate::execute::requests::Request;
use crate::execute::store::{JobRow, Store};
use crate::execute::stub::Stubs;
use crate::host::ShellError;
use crate::shell::Context;
use crate::shell::Status;
use crate::shell::times;

/// The arguments of `ankus job`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The id of a job, such as 0000001-W, or of an action: 0000002-C@3
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
    Log(job_log::Args),
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
        /// Of a coordinator: looked at again, or no more
        #[arg(long, value_name = "STATUS")]
        status: Option<StatusArg>,
    },
    /// Run a job, or some actions of a coordinator, again; a workflow as its file is now, with `-c` and `-D` over its properties
    Rerun(job_rerun::Args),
    /// Let its parent look at a coordinator, or at some of its actions, no more
    Ignore {
        /// Actions by number, such as 3-5,8
        #[arg(long, value_name = "NUMBERS")]
        actions: Option<String>,
    },
}

/// What the status of a coordinator is changed to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum StatusArg {
    /// Looked at again
    #[value(alias = "RUNNING")]
    Running,
    /// Looked at no more
    #[value(alias = "IGNORED")]
    Ignored,
}

impl What {
    /// Whether an action of a coordinator can be meant alone.
    fn is_for_actions(&self) -> bool {
        matches!(self, What::Kill { actions: None } | What::Ignore { actions: None })
    }

    /// Of what a workflow does not know: its name, and what there is instead.
    fn not_for_workflows(&self) -> Option<(&'static str, &'static str)> {
        match self {
            What::Pause { .. } => Some(("pause", "`suspend` stops it")),
            What::Change { .. } => Some(("change", "`rerun -D` runs it again with other properties")),
            What::Ignore { .. } => Some(("ignore", "`kill` ends it")),
            _ => None,
        }
    }
}

/// A job, or a part of it, that the command line names.
pub struct Named {
    /// The job.
    pub row: JobRow,
    /// The action or node behind `@`.
    pub part: Option<String>,
}

/// Runs `ankus job`.
pub fn run(args: Args, context: &mut Context) -> Result<Status, ShellError> {
    let place = place(Path::new("."), args.store.as_deref(), context)?;
    let (id, part) = match args.id.split_once('@') {
        None => (args.id.as_str(), None),
        Some((id, part)) => (id, Some(part.to_owned())),
    };
    let id: JobId = id.parse().map_err(|error| ShellError::usage(format!("{error}")))?;
    let store = place.read()?;
    let middle = place.settings(&store, &SystemClock)?.id_middle;
    let row = store.job(id.number)?.filter(|job| job.id == id && is_of_here(&args.id, id, &middle));
    let row = row.ok_or_else(|| ShellError::usage(format!("the store holds no job `{}`", args.id)))?;
    let named = Named { row, part };
    let request = match &args.what {
        What::Info { format } => return job_info::run(&place, &named, *format, context),
        What::Log(args) => return job_log::run(&place, &named, args, context),
        What::Definition => {
            let view = place.view(place.read()?, named.row.root, &SystemClock)?;
            let text = view.definition(id).unwrap_or_default();
            context.io.exact().write_all(text.as_bytes())?;
            return Ok(Status::Clean);
        }
        What::Rerun(args) => match job_rerun::request(&place, &named, args, context)? {
            Some(request) => request,
            None => return Ok(Status::Findings),
        },
        what => {
            let is_now = matches!(what, What::Pause { at: None });
            Request { is_now, ..event(what, &named, &place)?.into() }
        }
    };
    let done = place
        .operate(request, options(Stubs::default(), 1, &place, context.common.quiet)?, &SystemClock)?
        .result();
    match (done, &args.what) {
        (Ok(_), What::Rerun(rerun)) => runs_again(&place, rerun.and_run, context),
        (Ok(_), _) => Ok(Status::Clean),
        (Err(words), what) => {
            writeln!(context.io.err, "refused: {words}")?;
            if let (What::Rerun(_), JobKind::Workflow) = (what, id.kind)
                && !WorkflowStatus::ALL.iter().any(|it| it.name() == named.row.status && it.is_terminal())
            {
                let words = "a job that has not finished cannot be run again";
                let kill = format!("`ankus job {id} kill`, then `ankus job {id} rerun --failed` with `-D`");
                writeln!(context.io.err, "{words}; {kill} runs it with other properties")?;
            }
            Ok(Status::Findings)
        }
    }
}

/// What follows a rerun: the executor that is at work takes it up; else one is begun, or the command for that is named.
fn runs_again(place: &Place, and_run: bool, context: &mut Context) -> Result<Status, ShellError> {
    if Store::is_held(&place.folder) {
        return Ok(Status::Clean);
    }
    if and_run {
        return super::run::go_on(place, context);
    }
    let again = Again { jobs: None, format: None, no_live: false };
    let command = run_again::command(place, &again, context)?;
    if !context.common.quiet {
        writeln!(context.io.out, "next: `{command}`")?;
    }
    Ok(Status::Clean)
}

/// Whether a whole id is one of this store; of a short one number and letter count.
fn is_of_here(text: &str, id: JobId, middle: &str) -> bool {
    let text = text.split('@').next().unwrap_or_default();
    let whole = id.with_middle(middle);
    text.matches('-').count() == 1 || text.trim_start_matches('0') == whole.trim_start_matches('0')
}

/// What an operator's command is for the engine.
fn event(what: &What, named: &Named, place: &Place) -> Result<Event, ShellError> {
    let id = named.row.id;
    let time = |name: &str, text: &Option<String>| times::option(name, text.as_deref(), place.zone);
    let numbers = |text: &str| Scope::Numbers(text.into());
    let part = named.part.as_deref().filter(|_| id.kind == JobKind::Coordinator);
    if let (Some(part), None) = (&named.part, part.filter(|_| what.is_for_actions())) {
        return Err(ShellError::usage(format!("this is for a whole job; leave `@{part}` away")));
    }
    if id.kind == JobKind::Workflow
        && let Some((name, instead)) = what.not_for_workflows()
    {
        let words = format!("`{name}` is for coordinators and bundles, and {id} is a workflow; {instead}");
        return Err(ShellError::usage(words));
    }
    Ok(match what {
        What::Start => Event::Start(id),
        What::Suspend => Event::Suspend(id),
        What::Resume => Event::Resume(id),
        What::Kill { actions } => match actions.as_deref().or(part) {
            Some(actions) => Event::KillActions(id, numbers(actions)),
            None => Event::Kill(id),
        },
        What::Pause { at } => {
            let at = time("--at", at)?.unwrap_or_else(|| crate::execute::clock::Clock::now(&SystemClock));
            Event::Change(id, Change { pause: Some(Some(at)), ..Change::default() })
        }
        What::Change { end: None, concurrency: None, pause: None, status: None } => {
            return Err(ShellError::usage(
                "say what is to be changed: --end, --concurrency, --pause or --status",
            ));
        }
        What::Change { end, concurrency, pause, status } => {
            let pause = match pause.as_deref() {
                None => None,
                Some("none") => Some(None),
                Some(_) => Some(time("--pause", pause)?),
            };
            let (end, concurrency) = (time("--end", end)?, *concurrency);
            let status = status.map(|status| match status {
                StatusArg::Running => JobStatus::Running,
                StatusArg::Ignored => JobStatus::Ignored,
            });
            Event::Change(id, Change { end, concurrency, pause, status })
        }
        What::Ignore { actions } => match actions.as_deref().or(part) {
            Some(actions) => Event::IgnoreActions(id, numbers(actions)),
            None => Event::Change(id, Change { status: Some(JobStatus::Ignored), ..Change::default() }),
        },
        What::Info { .. } | What::Log(_) | What::Rerun(_) | What::Definition => {
            return Err(ShellError::usage("this asks for nothing to be done"));
        }
    })
}
