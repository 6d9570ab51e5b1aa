//! What a server's configuration decides of the course of jobs; the defaults are those of `oozie-default.xml`.

use std::sync::Arc;

use crate::time::{Instant, ProcessingZone};

/// The settings of a server.
#[derive(Clone, Debug)]
pub struct Settings {
    /// What stands in the middle of ids, such as `240101000000000-oozie`; may be empty.
    pub id_middle: Arc<str>,
    /// `oozie.processing.timezone`
    pub processing: ProcessingZone,
    /// Whether jobs show `RUNNINGWITHERROR` and its like
    /// (`oozie.service.StatusTransitService.backward.support.for.states.without.error` is off).
    pub with_error: bool,
    /// `oozie.workflow.parallel.fork.action.start`: the branches of a fork start within one command, and one that
    /// fails the job lets the others be.
    pub parallel_forks: bool,
    /// `oozie.service.StatusTransitService.statusTransit.interval`, in seconds; up to a minute counts as at once.
    pub status_seconds: i64,
    /// `oozie.service.PauseTransitService.PauseTransit.interval`, in seconds; up to a minute counts as at once.
    pub pause_seconds: i64,
    /// `oozie.service.RecoveryService.interval`, in seconds.
    pub recovery_interval_seconds: i64,
    /// `oozie.service.CoordMaterializeTriggerService.lookup.interval`, in seconds.
    pub lookup_seconds: i64,
    /// `oozie.service.CoordMaterializeTriggerService.materialization.window`, in seconds.
    pub window_seconds: i64,
    /// `oozie.service.CoordMaterializeTriggerService.action.batch.size`; -1: no limit.
    pub batch_size: i64,
    /// `oozie.service.coord.input.check.requeue.interval`, in seconds.
    pub input_check_seconds: i64,
    /// `oozie.service.RecoveryService.coord.older.than`, in seconds.
    pub recovery_seconds: i64,
    /// `oozie.coord.execution.none.tolerance`, in minutes.
    pub none_tolerance_minutes: i64,
    /// `oozie.action.retries.max`
    pub transient_retries: u32,
    /// `oozie.action.retry.interval`, in seconds.
    pub transient_seconds: i64,
    /// `oozie.service.LiteWorkflowStoreService.user.retry.max`
    pub user_retry_max: u32,
    /// `oozie.service.LiteWorkflowStoreService.user.retry.inteval`, in minutes.
    pub user_retry_minutes: i64,
    /// Error codes for which an action is run again as its definition says; `ALL` stands for every code.
    pub user_retry_codes: Vec<String>,
    /// `oozie.action.subworkflow.max.depth`
    pub max_depth: u32,
    /// `oozie.action.max.output.data`, in characters.
    pub max_output: usize,
    /// Whether every row that a machine takes is told ([`super::Command::Took`]); a server has nothing like it.
    pub tells_rows: bool,
}

/// A service that comes by each minute or more often is played as one that comes at once.
const AT_ONCE_SECONDS: i64 = 60;

impl Settings {
    /// When `StatusTransitService` finds what has changed now.
    pub(super) fn status_look(&self, now: Instant) -> Instant {
        let at_once = self.status_seconds <= AT_ONCE_SECONDS;
        if at_once { now } else { next_slot(now, self.status_seconds) }
    }

    /// When `PauseTransitService` finds what is due at a time, if nothing but it can have been known since another.
    pub(super) fn pause_look(&self, due: Instant, known: Instant) -> Instant {
        let at_once = self.pause_seconds <= AT_ONCE_SECONDS;
        if at_once { due } else { next_slot(due.max(known), self.pause_seconds) }
    }
}

/// The next multiple of so many seconds.
pub(super) fn next_slot(at: Instant, seconds: i64) -> Instant {
    let step = seconds.max(1) * 1000;
    let rest = at.millis().rem_euclid(step);
    if rest == 0 { at } else { at.plus_millis(step - rest) }
}

impl Default for Settings {
    fn default() -> Settings {
        let codes = ["JA008", "JA009", "JA017", "JA018", "JA019", "FS008", "FS009", "FS014"];
        Settings {
            id_middle: "".into(),
            processing: ProcessingZone::UTC,
            with_error: true,
            parallel_forks: true,
            status_seconds: 60,
            pause_seconds: 60,
            recovery_interval_seconds: 60,
            lookup_seconds: 300,
            window_seconds: 3600,
            batch_size: 10_000,
            input_check_seconds: 60,
            recovery_seconds: 600,
            none_tolerance_minutes: 1,
            transient_retries: 3,
            transient_seconds: 10,
            user_retry_max: 3,
            user_retry_minutes: 10,
            user_retry_codes: codes.map(str::to_owned).into(),
            max_depth: 50,
            max_output: 2_048,
            tells_rows: false,
        }
    }
}
