//! `ankus jobs`: what a store holds, newest first.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Subcommand, ValueEnum};
use serde_json::json;

use super::run_app::place;
use crate::engine::JobKind;
use crate::engine::status::{JobStatus, WorkflowStatus};
use crate::execute::clock::{Clock, SystemClock};
use crate::execute::open::Place;
use crate::execute::store::{Filter, JobRow};
use crate::host::ShellError;
use crate::host::progress::Progress;
use crate::model::Dialect;
use crate::report::one_line::one_line;
use crate::report::plural;
use crate::shell::Context;
use crate::shell::Status;
use crate::simulate::moment;
use crate::time::ProcessingZone;

/// The most jobs that are listed unless somebody asks for more.
const MOST: u32 = 50;

/// The arguments of `ankus jobs`.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    what: Option<What>,
    /// The folder of the store [default: .ankus above the working directory]
    #[arg(long, value_name = "FOLDER", global = true)]
    store: Option<PathBuf>,
    /// Only jobs in this status, such as RUNNING (repeatable, or with commas between)
    #[arg(long, value_name = "STATUS", value_delimiter = ',')]
    status: Vec<String>,
    /// Only jobs of this name (repeatable)
    #[arg(long, value_name = "NAME")]
    name: Vec<String>,
    /// Only jobs of this user (repeatable)
    #[arg(long, value_name = "USER")]
    user: Vec<String>,
    /// Only jobs of this type (repeatable)
    #[arg(long = "type", visible_alias = "jobtype", value_name = "TYPE")]
    kind: Vec<KindArg>,
    /// Leave so many of the newest out
    #[arg(long, value_name = "N", default_value_t = 0)]
    offset: u32,
    /// At most so many jobs
    #[arg(long, value_name = "N", default_value_t = MOST)]
    len: u32,
    /// How they are printed
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: FormatArg,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Remove jobs that are over from the store, with what their actions wrote
    Purge {
        /// Only those that were last changed so long ago: a number and s, m, h or d
        #[arg(long, value_name = "AGE")]
        older_than: String,
    },
    /// Compare everything in the store: pages, indexes, rows, and each event with the one before it
    Verify,
}

/// A type of jobs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum KindArg {
    /// Workflows
    #[value(alias = "wf")]
    Workflow,
    /// Coordinators
    #[value(alias = "coord")]
    Coordinator,
    /// Bundles
    Bundle,
}

/// How jobs are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FormatArg {
    /// For people
    Text,
    /// One document
    Json,
}

/// The names of statuses; refuses one that no job ever has.
fn statuses(given: &[String]) -> Result<Vec<String>, ShellError> {
    let names = JobStatus::ALL.iter().map(|status| status.name());
    let of_workflows = [Dialect::Oozie, Dialect::Hws]
        .into_iter()
        .flat_map(|dialect| WorkflowStatus::ALL.iter().map(move |status| status.name_in(dialect)));
    let names: BTreeSet<&str> = names.chain(of_workflows).collect();
    let one = |status: &String| {
        let name = status.trim().to_ascii_uppercase();
        if names.contains(&*name) {
            return Ok(name);
        }
        let names: Vec<&str> = names.iter().copied().collect();
        Err(ShellError::usage(format!(
            "--status {status}: no job is ever in it; there are {}",
            names.join(", ")
        )))
    };
    given.iter().map(one).collect()
}

/// Runs `ankus jobs`.
pub fn run(args: Args, context: &mut Context) -> Result<Status, ShellError> {
    let place = place(Path::new("."), args.store.as_deref(), context)?;
    let store = place.read()?;
    match &args.what {
        Some(What::Purge { older_than }) => return purge(&place, older_than, context),
        Some(What::Verify) => {
            let verified = store.verify()?;
            let (events, jobs) = (verified.events, verified.jobs);
            let counted = |number: u64, word| plural(usize::try_from(number).unwrap_or(usize::MAX), word);
            writeln!(context.io.out, "sound: {} of {}", counted(events, "event"), counted(jobs, "job"))?;
            return Ok(Status::Clean);
        }
        None => {}
    }
    let kind = |kind: &KindArg| match kind {
        KindArg::Workflow => JobKind::Workflow,
        KindArg::Coordinator => JobKind::Coordinator,
        KindArg::Bundle => JobKind::Bundle,
    };
    let jobs = store.find(&Filter {
        statuses: statuses(&args.status)?,
        names: args.name.clone(),
        users: args.user.clone(),
        kinds: args.kind.iter().map(kind).collect(),
        offset: args.offset,
        len: args.len,
    })?;
    let middle = place.settings(&store, &SystemClock)?.id_middle;
    let out = &mut context.io.out;
    match args.format {
        FormatArg::Json => {
            let jobs: Vec<_> = jobs.iter().map(|job| document(job, &middle, place.zone)).collect();
            let text = serde_json::to_string_pretty(&json!({ "version": 1, "jobs": jobs }));
            writeln!(out, "{}", text.unwrap_or_default())?;
        }
        FormatArg::Text if jobs.is_empty() => writeln!(out, "no jobs")?,
        FormatArg::Text => {
            for job in &jobs {
                let id = job.id.with_middle(&middle);
                let created = moment::shown(job.created, place.zone);
                writeln!(out, "{id}  {:<18}  {created}  {}", job.status, one_line(&job.name))?;
            }
        }
    }
    Ok(Status::Clean)
}

/// A job as a document.
pub fn document(job: &JobRow, middle: &str, zone: ProcessingZone) -> serde_json::Value {
    let time = |at| moment::shown(at, zone);
    json!({
        "type": job.id.kind.word(),
        "id": job.id.with_middle(middle),
        "name": job.name,
        "appPath": job.app_path,
        "status": job.status,
        "user": job.user,
        "parent": job.parent,
        "externalId": job.external_id,
        "created": time(job.created),
        "started": job.started.map(time),
        "ended": job.ended.map(time),
        "modified": time(job.modified),
    })
}

fn purge(place: &Place, age: &str, context: &mut Context) -> Result<Status, ShellError> {
    let bad =
        || ShellError::usage(format!("--older-than `{age}` is no age; write a number and s, m, h or d"));
    let unit = age.chars().next_back().ok_or_else(bad)?;
    let seconds = match unit {
        's' => 1,
        'm' => 60,
        'h' => 3_600,
        'd' => 86_400,
        _ => return Err(bad()),
    };
    let number: i64 = age[..age.len() - 1].parse().map_err(|_| bad())?;
    let millis = number.checked_mul(seconds * 1_000).filter(|millis| *millis >= 0).ok_or_else(bad)?;
    let busy = || ShellError::usage("an executor works on this store; purge when it has stopped");
    let mut store = place.lock()?.ok_or_else(busy)?;
    let before = SystemClock.now().plus_millis(-millis);
    let purged = store.purge(before)?;
    let progress = Progress::new("removed", purged.jobs.len() as u64, !context.common.quiet);
    for (done, job) in purged.jobs.iter().enumerate() {
        progress.step(done as u64);
        let folder = place.folder.join("work").join(job.to_string());
        match std::fs::remove_dir_all(&folder) {
            Err(source) if source.kind() != std::io::ErrorKind::NotFound => {
                return Err(ShellError::Write { path: folder, source });
            }
            _ => {}
        }
    }
    drop(progress);
    let (jobs, submissions) = (plural(purged.jobs.len(), "job"), plural(purged.submissions, "submission"));
    writeln!(context.io.out, "removed {jobs} of {submissions}")?;
    if purged.kept > 0 {
        let words = "over but kept: notifications to deliver or outputs to remove; `ankus run` does it";
        writeln!(context.io.out, "{} {words}", plural(purged.kept, "submission"))?;
    }
    Ok(Status::Clean)
}
