//! What `ankus run` says at its end, and whether it went well.

use std::collections::BTreeSet;

use crate::engine::status::JobStatus;
use crate::execute::clock::{Clock, SystemClock};
use crate::execute::executor::{Executor, Stop};
use crate::host::ShellError;
use crate::report::run_summary::Stands;
use crate::report::waits::Style;
use crate::time::ProcessingZone;

/// How jobs stand when an executor has stopped.
pub struct Ending {
    /// Whether all jobs that were asked for have succeeded.
    pub is_well: bool,
    /// How each of them stands.
    pub jobs: Vec<Stands>,
    /// A line for each that ended otherwise.
    ended: Vec<String>,
    /// What jobs wait for as a whole, a line each.
    waiting: String,
}

impl Ending {
    /// How the jobs stand that were unfinished before, and those that were asked for.
    pub fn of(
        executor: &Executor<'_>,
        unfinished: &BTreeSet<u32>,
        asked_for: &BTreeSet<u32>,
        zone: ProcessingZone,
    ) -> Result<Ending, ShellError> {
        let (mut is_well, mut ended, mut jobs) = (true, Vec::new(), Vec::new());
        for root in unfinished | asked_for {
            let Some(row) = executor.store().job(root)? else { continue };
            // A job stays as it ended when one below it is run again; how that ended counts too.
            let has_succeeded = row.status == JobStatus::Succeeded.name() && !executor.has_failed_below(root);
            is_well &= has_succeeded || !asked_for.contains(&root);
            jobs.push(Stands { id: row.id.to_string(), status: row.status.clone(), is_well: has_succeeded });
            if !has_succeeded && !executor.live().contains(&root) {
                let (id, status) = (row.id, &row.status);
                ended
                    .push(format!("{id} ended {status}; see `ankus job {id} info` and `ankus job {id} log`"));
            }
        }
        let style = Style { middle: "", zone, now: SystemClock.now() };
        Ok(Ending { is_well, jobs, ended, waiting: executor.waiting(style) })
    }

    /// The command that helps where a job has not succeeded; none where another line names the one that goes on.
    pub fn next(&self, stop: Stop) -> Option<String> {
        let job = self.jobs.iter().find(|job| !job.is_well)?;
        matches!(stop, Stop::Done | Stop::Stuck).then(|| format!("ankus job {} info", job.id))
    }

    /// What is said. `again` is the command line that goes on; a summary names what ended.
    pub fn words(
        &self,
        stop: Stop,
        is_idle: bool,
        again: impl Fn() -> Result<String, ShellError>,
        is_quiet: bool,
        has_summary: bool,
    ) -> Result<Vec<String>, ShellError> {
        let last = match stop {
            Stop::Done if is_idle && !is_quiet => {
                Some("there is no unfinished job; `ankus run APP` submits one".to_owned())
            }
            Stop::Done => None,
            Stop::Until => Some(format!("stopped at the time that was asked for; go on with `{}`", again()?)),
            Stop::Interrupted => {
                let words =
                    "interrupted; what runs in processes runs on, and nothing new is begun; go on with";
                Some(format!("{words} `{}`", again()?))
            }
            Stop::Stuck => {
                Some(format!("nothing will happen any more by itself; see `ankus jobs`{}", self.waiting))
            }
        };
        let ended = self.ended.iter().filter(|_| !is_quiet && !has_summary).cloned();
        Ok(ended.chain(last).collect())
    }
}
