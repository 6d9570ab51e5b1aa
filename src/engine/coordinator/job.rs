//! A coordinator: its table first, then what is known of it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::action::{ACTION_BEFORE, ACTION_TABLE, ActionEvent, ActionRun};
use super::inputs::Wait;
use super::only::Only;
use crate::engine::command::{Changed, Command};
use crate::engine::conf::Conf;
use crate::engine::context::{Context, Notice};
use crate::engine::error::EngineError;
use crate::engine::event::{Fault, Key};
use crate::engine::id::{ActionId, JobId};
use crate::engine::semantics::Semantics;
use crate::engine::settings::Settings;
use crate::engine::sla::Level;
use crate::engine::status::JobStatus::{
    self, DoneWithError, Failed, Ignored, Killed, Paused, PausedWithError, Prep, PrepPaused, PrepSuspended,
    Running, RunningWithError, Succeeded, Suspended, SuspendedWithError,
};
use crate::engine::status::{ActionStatus, WorkflowStatus};
use crate::engine::table::{Before, Row, events, row, step_by};
use crate::engine::transit::{self, CoordinatorView, Tally};
use crate::engine::wake::Wake;
use crate::plan::coordinator::{CoordinatorJob, Materializer, PlanOptions, Properties};
use crate::time::Instant;

/// What a coordinator may do by itself or by an operator's hand (`004` 6.1.2; `CoordMaterializeTransitionXCommand`,
/// `SuspendTransitionXCommand`, `ResumeTransitionXCommand`, `PauseTransitionXCommand`, `UnpauseTransitionXCommand`,
/// `CoordKillXCommand`, `CoordChangeXCommand`, `CoordRerunXCommand`). What follows from its actions is
/// [`crate::engine::transit::coordinator`].
pub const JOB_TABLE: &[Row<JobStatus, JobEvent>] = &[
    row(Prep, JobEvent::Materialize, Running),
    row(Prep, JobEvent::Suspend, PrepSuspended),
    row(Prep, JobEvent::Pause, PrepPaused),
    row(Prep, JobEvent::Kill, Killed),
    row(Prep, JobEvent::Fail, Failed),
    row(Prep, JobEvent::EndBeforeStart, Succeeded),
    row(Running, JobEvent::Materialize, Running),
    row(Running, JobEvent::Suspend, Suspended),
    row(Running, JobEvent::Pause, Paused),
    row(Running, JobEvent::Kill, Killed),
    row(Running, JobEvent::Fail, Failed),
    row(Running, JobEvent::Rerun, Running),
    row(Running, JobEvent::EndBeforeStart, Succeeded),
    row(RunningWithError, JobEvent::Materialize, RunningWithError),
    row(RunningWithError, JobEvent::Suspend, SuspendedWithError),
    row(RunningWithError, JobEvent::Pause, PausedWithError),
    row(RunningWithError, JobEvent::Kill, Killed),
    row(RunningWithError, JobEvent::Fail, Failed),
    row(RunningWithError, JobEvent::Rerun, RunningWithError),
    row(PrepSuspended, JobEvent::Suspend, PrepSuspended),
    row(PrepSuspended, JobEvent::Resume, Prep),
    row(PrepSuspended, JobEvent::Kill, Killed),
    row(PrepPaused, JobEvent::Unpause, Prep),
    row(PrepPaused, JobEvent::Suspend, PrepSuspended),
    row(PrepPaused, JobEvent::Kill, Killed),
    row(Suspended, JobEvent::Suspend, Suspended),
    row(Suspended, JobEvent::Resume, Running),
    row(Suspended, JobEvent::Kill, Killed),
    row(Suspended, JobEvent::Rerun, Running),
    row(SuspendedWithError, JobEvent::Suspend, SuspendedWithError),
    row(SuspendedWithError, JobEvent::Resume, RunningWithError),
    row(SuspendedWithError, JobEvent::Kill, Killed),
    row(SuspendedWithError, JobEvent::Rerun, RunningWithError),
    row(Paused, JobEvent::Unpause, Running),
    row(Paused, JobEvent::Suspend, Suspended),
    row(Paused, JobEvent::Kill, Killed),
    row(Paused, JobEvent::Rerun, Paused),
    row(PausedWithError, JobEvent::Unpause, RunningWithError),
    row(PausedWithError, JobEvent::Suspend, SuspendedWithError),
    row(PausedWithError, JobEvent::Kill, Killed),
    row(PausedWithError, JobEvent::Rerun, PausedWithError),
    row(Succeeded, JobEvent::Rerun, Running),
    row(Succeeded, JobEvent::Extend, Running),
    row(DoneWithError, JobEvent::Suspend, DoneWithError),
    row(DoneWithError, JobEvent::Rerun, RunningWithError),
    row(DoneWithError, JobEvent::Extend, RunningWithError),
    row(Failed, JobEvent::Rerun, RunningWithError),
    row(Failed, JobEvent::Extend, RunningWithError),
    row(Failed, JobEvent::Ignore, Ignored),
    row(Failed, JobEvent::Reopen, Running),
    row(Killed, JobEvent::Rerun, RunningWithError),
    row(Killed, JobEvent::Ignore, Ignored),
    row(Killed, JobEvent::Reopen, Running),
    row(Ignored, JobEvent::Reopen, Running),
];

/// What the first rules did otherwise: they refused to suspend what stands still or is over.
const JOB_BEFORE: &[Before<JobStatus, JobEvent>] = &[
    (PrepSuspended, JobEvent::Suspend, None),
    (Suspended, JobEvent::Suspend, None),
    (SuspendedWithError, JobEvent::Suspend, None),
    (DoneWithError, JobEvent::Suspend, None),
];

events! {
    /// What can happen to a coordinator.
    JobEvent {
        /// Actions are created.
        Materialize = "materialization",
        /// It is suspended.
        Suspend = "suspend",
        /// It is resumed.
        Resume = "resume",
        /// Its pause time has come.
        Pause = "the pause time",
        /// It has no pause time any more, or a later one.
        Unpause = "a reset of the pause time",
        /// It is killed.
        Kill = "kill",
        /// An action cannot be created.
        Fail = "a failed materialization",
        /// Its end is moved to its start or before it.
        EndBeforeStart = "an end before the start",
        /// Its end is moved while it is over.
        Extend = "a change of the end",
        /// Actions are run again.
        Rerun = "rerun",
        /// It is to be ignored.
        Ignore = "ignore",
        /// It is to be looked at again.
        Reopen = "a change to RUNNING",
    }
}

/// A coordinator that planning has accepted.
#[derive(Clone, Debug)]
pub struct CoordinatorProgram {
    /// What was submitted.
    pub job: CoordinatorJob,
    /// The configuration as stored.
    pub conf: Arc<Conf>,
    /// The names of outputs that a rerun leaves where they are (`nocleanup`).
    pub kept_outputs: Vec<Arc<str>>,
    /// The actions that somebody wants; none: all.
    pub only: Option<Only>,
}

/// A coordinator job.
#[derive(Debug)]
pub struct CoordinatorRun {
    /// Its number.
    pub number: u32,
    /// Its id in full, as its actions are told it.
    pub(super) full_id: String,
    /// The key of its program.
    pub key: Key,
    /// What was submitted.
    pub program: Arc<CoordinatorProgram>,
    /// The bundle that it belongs to, and which of its coordinators it is.
    pub bundle: Option<(u32, u32)>,
    /// By which rules it is played.
    pub semantics: Semantics,
    /// The settings of the server that it lives on, when its submission has its own.
    pub(in crate::engine) server: Option<Arc<Settings>>,
    /// Its state.
    pub status: JobStatus,
    /// When it was submitted.
    pub created: Instant,
    /// When it ends; no action has this time.
    pub end: Instant,
    /// From when on nothing is created.
    pub pause: Option<Instant>,
    /// When the pause service finds that its time has come.
    pub(super) pause_at: Option<Instant>,
    /// How many actions run at once; negative: any number.
    pub concurrency: i32,
    /// Whether all actions are created.
    pub is_done: bool,
    /// Why it failed.
    pub fault: Option<Fault>,
    /// Its actions; the first has the number 1.
    pub actions: Vec<ActionRun>,
    pub(super) next: Option<Instant>,
    pub(super) materializer: Materializer,
    pub(super) tally: Tally,
    /// Whether the last pass created as many actions as the throttle let it.
    pub(super) is_throttled: bool,
    /// How many actions have their pending flag set.
    pub(super) pendings: u32,
    /// How many actions have the server's counter above zero.
    pub(super) counted: u32,
    /// Whether the job itself has the server's pending flag: then it is looked at in whatever state.
    pub(super) is_marked: bool,
    pub(super) ready: BTreeSet<u32>,
    /// Since when actions are ready.
    pub(super) ready_since: BTreeMap<u32, Instant>,
    /// When the recovery service starts what is ready.
    pub(super) recovery_at: Option<Instant>,
    pub(super) waits: BTreeMap<u32, Box<Wait>>,
    /// What actions got whose inputs only their start could resolve.
    pub(super) resolved: BTreeMap<u32, Properties>,
    /// What reruns gave for actions, over all else.
    pub(super) rerun_confs: BTreeMap<u32, Arc<Conf>>,
    pub(super) faults: BTreeMap<u32, Fault>,
    pub(super) slas: BTreeMap<u32, Box<Level>>,
    /// When actions were created last.
    pub(super) last_pass: Option<Instant>,
    /// When actions are to be created next.
    pub(super) pass_at: Option<Instant>,
}

impl CoordinatorRun {
    pub(in crate::engine) fn new(
        number: u32,
        key: Key,
        program: Arc<CoordinatorProgram>,
        bundle: Option<(u32, u32)>,
        semantics: Semantics,
        (now, id_middle): (Instant, &str),
    ) -> CoordinatorRun {
        let job = &program.job;
        CoordinatorRun {
            number,
            full_id: JobId::coordinator(number).with_middle(id_middle),
            bundle,
            semantics,
            server: None,
            status: Prep,
            created: now,
            end: job.end,
            pause: None,
            pause_at: None,
            concurrency: job.concurrency,
            is_done: false,
            fault: None,
            actions: Vec::new(),
            next: None,
            materializer: Materializer::after(job, 0),
            tally: Tally::default(),
            is_throttled: false,
            pendings: 0,
            counted: 0,
            is_marked: false,
            ready: BTreeSet::new(),
            ready_since: BTreeMap::new(),
            recovery_at: None,
            waits: BTreeMap::new(),
            resolved: BTreeMap::new(),
            rerun_confs: BTreeMap::new(),
            faults: BTreeMap::new(),
            slas: BTreeMap::new(),
            last_pass: None,
            pass_at: None,
            key,
            program,
        }
    }

    /// Its id.
    pub fn id(&self) -> JobId {
        JobId::coordinator(self.number)
    }

    /// How an action is made that is created at a time.
    pub(super) fn options(&self, created: Instant) -> PlanOptions<'_> {
        PlanOptions { actual: Some(created), job_id: Some(&self.full_id), ..PlanOptions::default() }
    }

    /// Whether some action waits for an answer.
    pub fn is_pending(&self) -> bool {
        if self.semantics.follows_commands() { self.counted > 0 } else { self.pendings > 0 }
    }

    /// How many actions are in a state.
    pub fn count(&self, status: ActionStatus) -> u32 {
        self.tally.of(status)
    }

    /// An action.
    pub fn action(&self, number: u32) -> Option<&ActionRun> {
        self.actions.get((number as usize).checked_sub(1)?)
    }

    /// Why an action failed.
    pub fn fault_of(&self, number: u32) -> Option<&Fault> {
        self.faults.get(&number)
    }

    pub(super) fn at(&mut self, number: u32) -> &mut ActionRun {
        &mut self.actions[number as usize - 1]
    }

    pub(super) fn action_id(&self, number: u32) -> ActionId {
        ActionId { coordinator: self.number, number }
    }

    /// Takes a row of the table of jobs.
    pub(super) fn move_to(&mut self, cx: &mut Context<'_>, event: JobEvent) -> Result<(), EngineError> {
        let next = self.check(event)?;
        cx.took("coordinator", self.status, event);
        self.set_status(cx, next);
        Ok(())
    }

    /// What the table of jobs has; changes nothing.
    pub(super) fn check(&self, event: JobEvent) -> Result<JobStatus, EngineError> {
        let tables = (JOB_TABLE, JOB_BEFORE);
        step_by(tables, self.semantics, "coordinator", || self.id().to_string(), self.status, event)
    }

    pub(super) fn set_status(&mut self, cx: &mut Context<'_>, status: JobStatus) {
        let status = if cx.settings.with_error { status } else { status.plain() };
        let was = std::mem::replace(&mut self.status, status);
        if was != status {
            cx.out.push(Command::Changed(Changed::Job(self.id(), was, status)));
            cx.notices.push_back(Notice::CoordinatorStatus(self.number, was));
            let goes = |status| matches!(status, Prep | Running | RunningWithError);
            if goes(status) && !goes(was) {
                cx.notices.push_back(Notice::GoOn(self.number));
            }
            // The pause time may have passed while the job could not be paused (`PauseTransitService`).
            if self.check(JobEvent::Pause).is_ok() {
                self.await_pause(cx);
            }
            if status.is_terminal() {
                self.forget_pause(cx);
            }
        }
    }

    /// Whether the table of actions has a row; changes nothing.
    pub(super) fn check_action(&self, number: u32, event: ActionEvent) -> Result<ActionStatus, EngineError> {
        let id = self.action_id(number);
        let unknown = || EngineError::UnknownAction(id.to_string());
        let action = self.action(number).ok_or_else(unknown)?;
        let tables = (ACTION_TABLE, ACTION_BEFORE);
        step_by(tables, self.semantics, "action", || id.to_string(), action.status, event)
    }

    /// Takes a row of the table of actions.
    pub(super) fn move_action(&mut self, cx: &mut Context<'_>, number: u32, event: ActionEvent) {
        match self.check_action(number, event) {
            Ok(status) => {
                cx.took("action", self.at(number).status, event);
                self.set_action(cx, number, status);
            }
            Err(error) => debug_assert!(false, "{error}"),
        }
    }

    fn set_action(&mut self, cx: &mut Context<'_>, number: u32, status: ActionStatus) {
        let id = self.action_id(number);
        let action = self.at(number);
        let was = std::mem::replace(&mut action.status, status);
        if was == status {
            return;
        }
        self.tally.remove(was);
        self.tally.add(status);
        if was == ActionStatus::Ready {
            self.ready.remove(&number);
            self.ready_since.remove(&number);
        }
        if was == ActionStatus::Waiting {
            self.forget_wakes(cx, number);
        }
        if status == ActionStatus::Ready {
            self.ready.insert(number);
            self.ready_since.insert(number, cx.now);
        }
        if status.is_over() || status == ActionStatus::Running {
            self.waits.remove(&number);
        }
        cx.out.push(Command::Changed(Changed::Action(id, was, status)));
        self.notify(cx, number);
        self.sla_changed(cx, number, status);
        self.examine(cx);
        if was == ActionStatus::Waiting {
            self.schedule(cx);
        }
    }

    /// Has the status worked out anew from the actions.
    pub(super) fn examine(&self, cx: &mut Context<'_>) {
        let notice = Notice::Examine(self.number);
        if cx.notices.back() != Some(&notice) {
            cx.notices.push_back(notice);
        }
    }

    /// `CoordStatusTransitXCommand`
    pub(in crate::engine) fn transit(&mut self, cx: &mut Context<'_>) {
        if !self.is_looked_at() {
            return;
        }
        let view = CoordinatorView {
            status: self.status,
            is_done: self.is_done,
            is_pending: self.is_pending(),
            actions: &self.tally,
        };
        self.is_marked = view.is_pending;
        let status = transit::coordinator(view, cx.settings.with_error);
        if status != self.status {
            self.set_status(cx, status);
            self.schedule(cx);
        }
    }

    /// Whether `StatusTransitService` finds the job once an action has changed (`GET_COORD_IDS_FOR_STATUS_TRANSIT`):
    /// what stands still or is over is left as it is, unless it has the pending flag.
    fn is_looked_at(&self) -> bool {
        if !self.semantics.follows_commands() {
            return !matches!(self.status, Prep | PrepPaused | PrepSuspended | Ignored);
        }
        let is_alive = matches!(self.status, Running | RunningWithError | Paused | PausedWithError);
        (is_alive || self.is_marked) && self.status != Ignored
    }

    /// Whether a server leaves it as it is for good though all its actions are over: `StatusTransitService` does not
    /// find it any more, until a command of somebody's touches it.
    pub fn is_left(&self) -> bool {
        let is_over = self.actions.iter().all(|action| action.status.is_over());
        let is_alive = !self.status.is_terminal();
        self.semantics.follows_commands() && is_alive && self.is_done && !self.is_marked && is_over
    }

    /// A command has set the pending flag of the job: it is looked at once all is materialized
    /// (`GET_COORD_JOBS_CHANGED`).
    pub(super) fn mark(&mut self, cx: &mut Context<'_>) {
        self.is_marked = true;
        if self.semantics.follows_commands() && self.is_done {
            self.examine(cx);
        }
    }

    /// Sets the pending flag of an action.
    pub(super) fn set_pending(&mut self, number: u32, pending: bool) {
        let action = self.at(number);
        let was = std::mem::replace(&mut action.pending, pending);
        self.pendings = self.pendings + u32::from(pending) - u32::from(was);
    }

    /// Changes the server's counter of an action (`incrementAndGetPending`, `decrementAndGetPending`).
    pub(super) fn tell_counter(&mut self, number: u32, change: impl FnOnce(u8) -> u8) {
        let action = self.at(number);
        let was = action.count;
        action.count = change(was);
        let is = action.count;
        self.counted = self.counted + u32::from(is > 0) - u32::from(was > 0);
    }

    /// The workflow of an action has changed (`CoordActionUpdateXCommand`).
    pub(in crate::engine) fn workflow_changed(
        &mut self,
        cx: &mut Context<'_>,
        number: u32,
        workflow: u32,
        status: WorkflowStatus,
    ) {
        if self.action(number).is_none_or(|action| action.workflow != Some(workflow)) {
            return;
        }
        if self.semantics.follows_commands() && !self.hears(number, status) {
            return;
        }
        let event = match status {
            WorkflowStatus::Succeeded => ActionEvent::Succeed,
            WorkflowStatus::Failed => ActionEvent::WorkflowFails,
            WorkflowStatus::Killed => ActionEvent::WorkflowIsKilled,
            WorkflowStatus::Suspended => ActionEvent::Suspend,
            WorkflowStatus::Running | WorkflowStatus::Prep => ActionEvent::Run,
        };
        self.set_pending(number, false);
        // An action that was killed or ignored meanwhile stays so.
        if self.check_action(number, event).is_ok() {
            self.move_action(cx, number, event);
        } else {
            self.examine(cx);
        }
        if status.is_terminal() || (status == WorkflowStatus::Prep && self.semantics.follows_commands()) {
            self.take_turns(cx);
        } else {
            self.recover_later(cx);
        }
    }

    /// What a change of a workflow does to the counter of its action; false where the action has heard it already and
    /// waits for nothing (`CoordActionUpdateXCommand.verifyPrecondition`).
    fn hears(&mut self, number: u32, status: WorkflowStatus) -> bool {
        let action = self.at(number);
        let is_known = match status {
            WorkflowStatus::Succeeded => action.status == ActionStatus::Succeeded,
            WorkflowStatus::Failed => action.status == ActionStatus::Failed,
            WorkflowStatus::Killed => action.status == ActionStatus::Killed,
            WorkflowStatus::Suspended => action.status == ActionStatus::Suspended,
            WorkflowStatus::Running => action.status == ActionStatus::Running,
            WorkflowStatus::Prep => false,
        };
        if is_known && action.count == 0 {
            return false;
        }
        match status {
            // `SuspendXCommand` tells it twice.
            WorkflowStatus::Suspended => self.tell_counter(number, |count| count.saturating_sub(2)),
            WorkflowStatus::Running | WorkflowStatus::Prep => {
                self.tell_counter(number, |count| count.saturating_sub(1));
            }
            _ => self.tell_counter(number, |_| 0),
        }
        true
    }

    /// `CoordActionNotificationXCommand`
    fn notify(&self, cx: &mut Context<'_>, number: u32) {
        let conf = &self.program.conf;
        let Some(url) = conf.get("oozie.coord.action.notification.url") else { return };
        let id = format!("{}@{number}", self.full_id);
        let status = self.action(number).map_or("", |action| action.status.name());
        let proxy = conf.get("oozie.coord.action.notification.proxy");
        let url = url.replace("$actionId", &id).replace("$status", status);
        cx.out.push(Command::Notify { url, proxy });
    }

    /// Adds an action that waits.
    pub(super) fn add_action(&mut self, cx: &mut Context<'_>, nominal: Instant) -> u32 {
        self.actions.push(ActionRun::new(nominal, cx.now));
        self.tally.add(ActionStatus::Waiting);
        let number = self.actions.len() as u32;
        cx.out.push(Command::Created { action: self.action_id(number), nominal });
        self.notify(cx, number);
        number
    }

    /// Asks for a wake at the pause time.
    pub(super) fn await_pause(&mut self, cx: &mut Context<'_>) {
        self.forget_pause(cx);
        if let Some(pause) = self.pause.filter(|_| !self.status.is_terminal()) {
            let at = cx.settings.pause_look(pause, cx.now);
            cx.wakes.insert((at, Wake::CoordinatorPause(self.number)));
            self.pause_at = Some(at);
        }
    }

    /// Wants no more to be woken at the pause time.
    pub(super) fn forget_pause(&mut self, cx: &mut Context<'_>) {
        if let Some(at) = self.pause_at.take() {
            cx.wakes.remove(&(at, Wake::CoordinatorPause(self.number)));
        }
    }
}
