//! Which job `ankus run APP` executes: an unfinished one of the app, or one that is submitted now.

use crate::engine::status::{JobStatus, WorkflowStatus};
use crate::engine::{Event, Fault, JobId, JobKind, Submit};
use crate::execute::executor::Executor;
use crate::execute::rows;
use crate::execute::selection::Selection;
use crate::execute::stub::Stubs;
use crate::host::ShellError;
use crate::shell::library::Loaded;
use crate::shell::submission::Submitted;

/// What is asked for of an app.
pub struct Part<'a> {
    /// How much of it.
    pub selection: &'a Selection,
    /// The user's own name for the job.
    pub external_id: Option<&'a str>,
    /// The actions that are not run.
    pub stubs: &'a Stubs,
    /// Whether it is submitted whatever the store holds.
    pub is_new: bool,
    /// Whether properties were given on the command line.
    pub has_properties: bool,
    /// Whether its plan shows that it will fail, so that it is not submitted.
    pub will_fail: bool,
    /// Whether the time until which it runs is still to come.
    pub may_begin: bool,
}

/// What came of an app.
pub enum Taken {
    /// It is this job.
    Job(JobId),
    /// It is refused.
    Refused(Fault),
    /// It would have to be submitted, and would fail.
    WillFail,
}

/// Goes on with the unfinished job of an app, or submits it; what is worth knowing is said.
pub fn take_up(
    executor: &mut Executor<'_>,
    app: &Loaded,
    submitted: &Submitted,
    part: Part<'_>,
    say: &mut dyn FnMut(&str),
) -> Result<Taken, ShellError> {
    let going = match (part.external_id, part.is_new) {
        (Some(name), _) => named(executor, app, &part, name)?,
        (None, true) => None,
        (None, false) => goes_on(executor, app, &part)?.map(|id| (id, None)),
    };
    let Some((id, over)) = going else {
        if part.will_fail {
            return Ok(Taken::WillFail);
        }
        return take_in(executor, app, submitted, &part);
    };
    if let Some(status) = over {
        say(&format!(
            "the job {id} has this external id and is {status}; `ankus job {id} rerun` runs it again, another name \
             submits the app again"
        ));
        return Ok(Taken::Job(id));
    }
    let new = "`--new` submits the app again";
    say(&match part.external_id {
        Some(_) => format!("goes on with the job {id}, which has this external id"),
        None if part.has_properties => format!("goes on with the unfinished job {id}"),
        None => format!("goes on with the unfinished job {id}; {new}"),
    });
    if part.has_properties {
        let again = match (id.kind, part.external_id) {
            (_, Some(_)) => String::new(),
            _ => format!(", or {new} with them"),
        };
        let rerun = match id.kind {
            JobKind::Workflow => format!("`ankus job {id} kill`, then `ankus job {id} rerun --failed -D …`"),
            _ => format!("`ankus job {id} kill`, then submit it again"),
        };
        say(&format!(
            "ignored: the properties of -c and -D, as the job keeps those that it was submitted with; to apply them: \
             {rerun}{again}"
        ));
    }
    start_prepared(executor, id, &part)?;
    Ok(Taken::Job(id))
}

/// The job that somebody gave this name, and how it ended where it is over; it must be one of the app, and what is asked
/// for.
fn named(
    executor: &Executor<'_>,
    app: &Loaded,
    part: &Part<'_>,
    name: &str,
) -> Result<Option<(JobId, Option<String>)>, ShellError> {
    let Some(row) = executor.store().job_named(name)? else { return Ok(None) };
    let (id, is_live) = (row.id, executor.live().contains(&row.root));
    let other = match is_live {
        _ if row.app_path != app.path.to_string_lossy() => Some(format!("is of the app `{}`", row.app_path)),
        true => differs(executor, id, row.root, part).map(str::to_owned),
        false => None,
    };
    match other {
        Some(words) => Err(ShellError::usage(format!(
            "the job {id} has this external id and {words}; take another name"
        ))),
        None => Ok(Some((id, (!is_live).then_some(row.status)))),
    }
}

/// Starts what was only submitted, which is what who says run means.
fn start_prepared(executor: &mut Executor<'_>, id: JobId, part: &Part<'_>) -> Result<(), ShellError> {
    if !part.may_begin || !is_prepared(executor, id) {
        return Ok(());
    }
    executor.rehearse(id.number, part.stubs);
    executor.operate(Event::Start(id))?.map_err(|error| ShellError::usage(error.to_string()))
}

/// Whether a job was submitted and waits for somebody to start it.
fn is_prepared(executor: &Executor<'_>, id: JobId) -> bool {
    let engine = executor.engine();
    match id.kind {
        JobKind::Workflow => engine.workflow(id).is_some_and(|job| job.status == WorkflowStatus::Prep),
        // A coordinator starts by its time alone, and so does a bundle that has one.
        JobKind::Coordinator => false,
        JobKind::Bundle => engine
            .bundle(id)
            .is_some_and(|job| job.status == JobStatus::Prep && job.program.kick_off.is_none()),
    }
}

/// The unfinished job of an app that runs what is asked for. Where there are only others, the first of them is told.
fn goes_on(executor: &Executor<'_>, app: &Loaded, part: &Part<'_>) -> Result<Option<JobId>, ShellError> {
    let path = app.path.to_string_lossy();
    let mut other = None;
    for root in executor.live() {
        let Some(row) = executor.store().job(*root)?.filter(|row| row.app_path == path) else { continue };
        match differs(executor, row.id, *root, part) {
            None => return Ok(Some(row.id)),
            Some(words) => drop(other.get_or_insert((row.id, words))),
        }
    }
    let Some((id, words)) = other else { return Ok(None) };
    Err(ShellError::usage(format!(
        "the unfinished job {id} of this app {words}; `ankus run` goes on with that, `--new` submits again"
    )))
}

/// Why a job is not what is asked for.
fn differs(executor: &Executor<'_>, id: JobId, root: u32, part: &Part<'_>) -> Option<&'static str> {
    let (selection, stubs) = (part.selection, part.stubs);
    match executor.stubs_of(root) {
        Some(kept) if kept == stubs => {}
        Some(_) => return Some("is a rehearsal, which this would not be, or another one"),
        None if stubs.is_empty() || is_prepared(executor, id) => {}
        None => return Some("is real, and no rehearsal"),
    }
    let key = rows::key_of(executor.engine(), id).cloned().unwrap_or_default();
    let is_same = selection.is_all() || *selection == executor.deployed().selection(&key);
    (!is_same).then_some("runs another part of it")
}

/// Submits an app that planning has accepted, and starts it.
fn take_in(
    executor: &mut Executor<'_>,
    app: &Loaded,
    submitted: &Submitted,
    part: &Part<'_>,
) -> Result<Taken, ShellError> {
    let program = match executor.deployed().submission_of(app, submitted, part.selection) {
        Ok(program) => program,
        Err(fault) => return Ok(Taken::Refused(fault)),
    };
    let external_id = part.external_id.map(Into::into);
    executor.submit(Submit::new(program, external_id, true)).map(|(job, _)| Taken::Job(job))
}
