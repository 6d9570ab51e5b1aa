//! What a job, an action or a coordinator of a bundle waits for, in an operator's words.

use crate::engine::bundle::BundleRun;
use crate::engine::coordinator::CoordinatorRun;
use crate::engine::status::{ActionStatus, JobStatus, NodeStatus, WorkflowStatus};
use crate::engine::workflow::NodeRun;
use crate::engine::{Engine, JobId, JobKind, Plans, WorkflowJob};
use crate::simulate::moment;
use crate::time::{Instant, ProcessingZone};

/// How ids and times are written.
#[derive(Clone, Copy, Debug)]
pub struct Style<'s> {
    /// What stands in the middle of ids.
    pub middle: &'s str,
    /// The zone of times.
    pub zone: ProcessingZone,
    /// The present.
    pub now: Instant,
}

impl Style<'_> {
    /// A time.
    pub fn time(&self, at: Instant) -> String {
        moment::shown(at, self.zone)
    }

    /// An id.
    pub fn id(&self, job: JobId) -> String {
        job.with_middle(self.middle)
    }

    /// An id of something within a job.
    pub fn part(&self, job: JobId, part: impl std::fmt::Display) -> String {
        format!("{}@{part}", self.id(job))
    }
}

/// What an operator types.
fn command(id: JobId, what: &str) -> String {
    format!("`ankus job {id} {what}`")
}

/// What a job waits for as a whole.
pub fn of_job<P: Plans>(engine: &Engine<P>, id: JobId, style: Style<'_>) -> Option<String> {
    let (status, start) = match id.kind {
        JobKind::Workflow => match engine.workflow(id)?.status {
            WorkflowStatus::Prep => return Some(command(id, "start")),
            WorkflowStatus::Suspended => return Some(command(id, "resume")),
            _ => return None,
        },
        JobKind::Coordinator => {
            let job = engine.coordinator(id)?;
            // While actions are under way, they tell what they wait for.
            let is_between = !job.actions.is_empty() && job.actions.iter().all(|it| it.status.is_over());
            if let (true, Some(at)) = (is_between, job.next_pass()) {
                return Some(format!("its next actions, to be made at {}", style.time(at)));
            }
            (job.status, Some(job.program.job.start))
        }
        JobKind::Bundle => {
            let job = engine.bundle(id)?;
            (job.status, job.program.kick_off)
        }
    };
    use JobStatus::{
        Paused, PausedWithError, Prep, PrepPaused, PrepSuspended, Suspended, SuspendedWithError,
    };
    match status {
        Prep => Some(match start {
            Some(at) => format!("its start at {}", style.time(at)),
            None => command(id, "start"),
        }),
        Suspended | SuspendedWithError | PrepSuspended => Some(command(id, "resume")),
        Paused | PausedWithError | PrepPaused => Some(command(id, "change --pause none")),
        _ => None,
    }
}

/// What a node of a workflow waits for; nothing while it runs in a process, and when it is over.
pub fn of_node(job: &WorkflowJob, run: &NodeRun, style: Style<'_>) -> Option<String> {
    use NodeStatus::{Done, EndManual, EndRetry, Killed, Prep, StartManual, StartRetry, UserRetry};
    let child = run.facts.as_ref().and_then(|facts| facts.child);
    match run.status {
        StartManual | EndManual => {
            Some(format!("somebody to look at it, then {}", command(job.id(), "resume")))
        }
        StartRetry | EndRetry | UserRetry | Prep | Done if job.status == WorkflowStatus::Suspended => {
            Some(command(job.id(), "resume"))
        }
        StartRetry | EndRetry | UserRetry => {
            run.retry_at.map(|at| format!("its next try at {}", style.time(at)))
        }
        Prep if run.attempt > 0 && child.is_none() => {
            Some("a free place among the actions that run".to_owned())
        }
        Prep => Some("its beginning".to_owned()),
        Done => Some("its end to be taken in".to_owned()),
        Killed if run.pending => Some("its end, since it is killed".to_owned()),
        _ => None,
    }
}

/// What an action of a coordinator waits for.
pub fn of_action(job: &CoordinatorRun, number: u32, style: Style<'_>) -> Option<String> {
    let action = job.action(number)?;
    use JobStatus::{Prep, Running, RunningWithError};
    let stands = !matches!(job.status, Prep | Running | RunningWithError);
    match action.status {
        ActionStatus::Waiting if action.nominal > style.now => {
            Some(format!("its time {}", style.time(action.nominal)))
        }
        ActionStatus::Waiting => {
            let late = job.late(number).iter();
            let late =
                late.map(|it| format!("{} of the dataset `{}` for `{}`", it.asks, it.dataset, it.input));
            let mut what = job.needs(number).iter().map(|uri| uri.to_string()).chain(late);
            Some(match (what.next(), what.count()) {
                (Some(first), 0) => first,
                (Some(first), more) => format!("{first} and {more} more"),
                (None, _) if job.has_choice(number) => {
                    "inputs that its input logic has still to find".to_owned()
                }
                (None, _) => "a first look at its inputs".to_owned(),
            })
        }
        ActionStatus::Ready if stands => Some("its coordinator, which stands still".to_owned()),
        ActionStatus::Ready => {
            let runs = job.count(ActionStatus::Running) + job.count(ActionStatus::Submitted);
            Some(format!("its turn: {runs} run, and {} may at once", job.concurrency))
        }
        ActionStatus::Submitted => Some("its workflow to be begun".to_owned()),
        ActionStatus::Suspended => {
            Some(command(action.workflow.map_or_else(|| job.id(), JobId::workflow), "resume"))
        }
        _ => None,
    }
}

/// What a coordinator of a bundle waits for before it is submitted.
pub fn of_child(job: &BundleRun, child: usize, style: Style<'_>) -> Option<String> {
    if !job.program.children.get(child)?.enabled {
        return None;
    }
    match job.children.get(child) {
        None if job.status.is_terminal() => None,
        None => Some(match job.program.kick_off.filter(|at| *at > style.now) {
            Some(at) => format!("the kick-off of its bundle at {}", style.time(at)),
            None => "the start of its bundle".to_owned(),
        }),
        Some(Some(run)) if run.coordinator.is_none() && run.fault.is_none() && !run.status.is_terminal() => {
            Some("its submission".to_owned())
        }
        _ => None,
    }
}
