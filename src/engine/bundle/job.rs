//! A bundle: its table first, then what is known of it.

use std::sync::Arc;

use super::child::ChildRun;
use crate::engine::command::{Changed, Command};
use crate::engine::conf::Conf;
use crate::engine::context::{Context, Notice};
use crate::engine::error::EngineError;
use crate::engine::event::{Fault, Key};
use crate::engine::id::JobId;
use crate::engine::semantics::Semantics;
use crate::engine::settings::Settings;
use crate::engine::status::JobStatus::{
    self, DoneWithError, Failed, Killed, Paused, PausedWithError, Prep, PrepPaused, PrepSuspended, Running,
    RunningWithError, Succeeded, Suspended, SuspendedWithError,
};
use crate::engine::table::{Before, Row, events, row, step_by};
use crate::engine::transit::{self, BundleView, Tally};
use crate::engine::wake::Wake;
use crate::time::Instant;

/// What a bundle may do by itself or by an operator's hand (`000`, State Transition; `BundleStartXCommand`,
/// `BundleKillXCommand`, `BundleJobSuspendXCommand`, `BundleJobResumeXCommand`, `BundlePauseXCommand`,
/// `BundleUnpauseXCommand`, `BundleRerunXCommand`, `BundleJobChangeXCommand`). What follows from its coordinators is
/// [`crate::engine::transit::bundle`].
pub const JOB_TABLE: &[Row<JobStatus, JobEvent>] = &[
    row(Prep, JobEvent::Start, Running),
    row(Prep, JobEvent::StartFails, Failed),
    row(Prep, JobEvent::Pause, PrepPaused),
    row(Prep, JobEvent::Suspend, PrepSuspended),
    row(Prep, JobEvent::Kill, Killed),
    row(PrepPaused, JobEvent::Unpause, Prep),
    row(PrepPaused, JobEvent::Suspend, PrepSuspended),
    row(PrepPaused, JobEvent::Kill, Killed),
    row(PrepSuspended, JobEvent::Suspend, PrepSuspended),
    row(PrepSuspended, JobEvent::Resume, Prep),
    row(PrepSuspended, JobEvent::Kill, Killed),
    row(Running, JobEvent::Suspend, Suspended),
    row(Running, JobEvent::Pause, Paused),
    row(Running, JobEvent::CriticalFails, Failed),
    row(Running, JobEvent::Kill, Killed),
    row(Running, JobEvent::Rerun, Running),
    row(RunningWithError, JobEvent::Suspend, SuspendedWithError),
    row(RunningWithError, JobEvent::Pause, PausedWithError),
    row(RunningWithError, JobEvent::CriticalFails, Failed),
    row(RunningWithError, JobEvent::Kill, Killed),
    row(RunningWithError, JobEvent::Rerun, RunningWithError),
    row(Paused, JobEvent::Unpause, Running),
    row(Paused, JobEvent::Suspend, Suspended),
    row(Paused, JobEvent::CriticalFails, Failed),
    row(Paused, JobEvent::Kill, Killed),
    row(Paused, JobEvent::Rerun, Paused),
    row(PausedWithError, JobEvent::Unpause, RunningWithError),
    row(PausedWithError, JobEvent::Suspend, SuspendedWithError),
    row(PausedWithError, JobEvent::CriticalFails, Failed),
    row(PausedWithError, JobEvent::Kill, Killed),
    row(PausedWithError, JobEvent::Rerun, PausedWithError),
    row(Suspended, JobEvent::Suspend, Suspended),
    row(Suspended, JobEvent::Resume, Running),
    row(Suspended, JobEvent::CriticalFails, Failed),
    row(Suspended, JobEvent::Kill, Killed),
    row(Suspended, JobEvent::Rerun, Running),
    row(SuspendedWithError, JobEvent::Suspend, SuspendedWithError),
    row(SuspendedWithError, JobEvent::Resume, RunningWithError),
    row(SuspendedWithError, JobEvent::CriticalFails, Failed),
    row(SuspendedWithError, JobEvent::Kill, Killed),
    row(SuspendedWithError, JobEvent::Rerun, RunningWithError),
    row(Succeeded, JobEvent::Rerun, Running),
    row(Succeeded, JobEvent::Extend, Running),
    row(DoneWithError, JobEvent::Rerun, RunningWithError),
    row(DoneWithError, JobEvent::Extend, RunningWithError),
    row(Failed, JobEvent::Extend, RunningWithError),
];

/// What the first rules did otherwise: they refused to suspend what stands still, and a rerun ended a pause.
const JOB_BEFORE: &[Before<JobStatus, JobEvent>] = &[
    (PrepSuspended, JobEvent::Suspend, None),
    (Suspended, JobEvent::Suspend, None),
    (SuspendedWithError, JobEvent::Suspend, None),
    (Paused, JobEvent::Rerun, Some(Running)),
    (PausedWithError, JobEvent::Rerun, Some(RunningWithError)),
];

events! {
    /// What can happen to a bundle.
    JobEvent {
        /// Somebody starts it, or its kick-off time has come.
        Start = "start",
        /// Its start fails.
        StartFails = "a start that fails",
        /// Its pause time has come.
        Pause = "the pause time",
        /// It has no pause time any more, or a later one.
        Unpause = "a reset of the pause time",
        /// It is suspended.
        Suspend = "suspend",
        /// It is resumed.
        Resume = "resume",
        /// A critical coordinator could not be submitted.
        CriticalFails = "a critical coordinator that is refused",
        /// It is killed.
        Kill = "kill",
        /// Coordinators are run again.
        Rerun = "rerun",
        /// The end of its coordinators is moved while it is over.
        Extend = "a change of the end",
    }
}

/// A bundle that planning has accepted.
#[derive(Clone, Debug)]
pub struct BundleProgram {
    /// Its name.
    pub name: Arc<str>,
    /// When it starts by itself.
    pub kick_off: Option<Instant>,
    /// Its coordinators.
    pub children: Vec<ChildProgram>,
    /// Why its start fails, when it does.
    pub fault: Option<Fault>,
    /// What it was submitted with; nothing that it does depends on it any more.
    pub conf: Conf,
}

/// A coordinator of a bundle, before it is submitted.
#[derive(Clone, Debug)]
pub struct ChildProgram {
    /// Its name.
    pub name: Arc<str>,
    /// Whether the bundle fails when it is refused.
    pub critical: bool,
    /// Whether it is submitted at all.
    pub enabled: bool,
}

/// A bundle job.
#[derive(Clone, Debug)]
pub struct BundleRun {
    /// Its number.
    pub number: u32,
    /// The key of its program.
    pub key: Key,
    /// What was submitted.
    pub program: Arc<BundleProgram>,
    /// By which rules it is played.
    pub semantics: Semantics,
    /// The settings of the server that it lives on, when its submission has its own.
    pub(in crate::engine) server: Option<Arc<Settings>>,
    /// Its state.
    pub status: JobStatus,
    /// When it was submitted.
    pub created: Instant,
    /// When it is paused.
    pub pause: Option<Instant>,
    /// When the pause service finds that its time has come.
    pub(super) pause_at: Option<Instant>,
    /// Why it failed.
    pub fault: Option<Fault>,
    /// Its coordinators; those that are not enabled are `None`. Empty before its start.
    pub children: Vec<Option<ChildRun>>,
    /// Whether somebody suspended it.
    pub(super) is_suspended: bool,
    /// Whether a critical coordinator was refused.
    pub(super) is_broken: bool,
    /// Whether the bundle itself has the server's pending flag: then it is looked at in whatever state.
    pub(super) is_marked: bool,
}

impl BundleRun {
    pub(in crate::engine) fn new(
        number: u32,
        key: Key,
        program: Arc<BundleProgram>,
        semantics: Semantics,
        now: Instant,
    ) -> BundleRun {
        BundleRun {
            number,
            key,
            program,
            semantics,
            server: None,
            status: Prep,
            created: now,
            pause: None,
            pause_at: None,
            fault: None,
            children: Vec::new(),
            is_suspended: false,
            is_broken: false,
            is_marked: false,
        }
    }

    /// Its id.
    pub fn id(&self) -> JobId {
        JobId::bundle(self.number)
    }

    /// Whether some coordinator has an answer on its way.
    pub fn is_pending(&self) -> bool {
        self.children.iter().flatten().any(|child| child.pending > 0)
    }

    pub(super) fn check(&self, event: JobEvent) -> Result<JobStatus, EngineError> {
        let tables = (JOB_TABLE, JOB_BEFORE);
        step_by(tables, self.semantics, "bundle", || self.id().to_string(), self.status, event)
    }

    pub(super) fn move_to(&mut self, cx: &mut Context<'_>, event: JobEvent) -> Result<(), EngineError> {
        let next = self.check(event)?;
        cx.took("bundle", self.status, event);
        self.set_status(cx, next);
        Ok(())
    }

    fn set_status(&mut self, cx: &mut Context<'_>, status: JobStatus) {
        let status = if cx.settings.with_error { status } else { status.plain() };
        let was = std::mem::replace(&mut self.status, status);
        if was != status {
            cx.out.push(Command::Changed(Changed::Job(self.id(), was, status)));
            // The pause time may have passed while the job could not be paused (`PauseTransitService`).
            if self.check(JobEvent::Pause).is_ok() {
                self.await_pause(cx);
            }
            self.forget_wakes(cx);
        }
    }

    /// Wants no more to be woken for what cannot matter any more.
    fn forget_wakes(&mut self, cx: &mut Context<'_>) {
        let is_begun = !matches!(self.status, Prep | PrepPaused | PrepSuspended);
        if let Some(at) = self.starts_at(cx.settings).filter(|_| is_begun) {
            cx.wakes.remove(&(at, Wake::KickOff(self.number)));
        }
        if self.status.is_terminal() {
            self.forget_pause(cx);
        }
    }

    /// When it starts by itself. One without a kick-off time is one whose kick-off time has passed to
    /// `PauseTransitService`, which comes by a minute after the submission, or at its next turn.
    pub(super) fn starts_at(&self, settings: &Settings) -> Option<Instant> {
        let soon = || self.semantics.follows_commands().then(|| self.created.plus_millis(60_000));
        let at = self.program.kick_off.or_else(soon)?;
        Some(settings.pause_look(at, self.created))
    }

    /// Wants no more to be woken at the pause time.
    pub(super) fn forget_pause(&mut self, cx: &mut Context<'_>) {
        if let Some(at) = self.pause_at.take() {
            cx.wakes.remove(&(at, Wake::BundlePause(self.number)));
        }
    }

    /// `BundleStatusTransitXCommand`
    pub(in crate::engine) fn transit(&mut self, cx: &mut Context<'_>) {
        if self.children.is_empty() || self.is_broken || !self.is_looked_at() {
            return;
        }
        // A server shows a killed bundle as running until all have answered; nobody is meant to see that.
        if self.status == Killed && self.is_pending() {
            return;
        }
        let mut children = Tally::default();
        for child in self.children.iter().flatten() {
            children.add(child.status);
        }
        self.is_marked = self.is_pending();
        let view = BundleView {
            status: self.status,
            is_pending: self.is_pending(),
            has_pause: self.pause.is_some(),
            is_suspended: self.is_suspended,
            children: &children,
        };
        let status = transit::bundle(view, cx.settings.with_error);
        self.set_status(cx, status);
    }

    /// Whether `StatusTransitService` finds the bundle once one of its coordinators has changed
    /// (`GET_BUNDLE_IDS_FOR_STATUS_TRANSIT`): what is over is left as it is, unless it has the pending flag.
    fn is_looked_at(&self) -> bool {
        let is_alive = matches!(
            self.status,
            Running | RunningWithError | Paused | PausedWithError | Suspended | SuspendedWithError
        );
        is_alive || self.is_marked || !self.semantics.follows_commands()
    }

    /// Has the status worked out anew from the coordinators.
    pub(super) fn examine(&self, cx: &mut Context<'_>) {
        cx.notices.push_back(Notice::ExamineBundle(self.number));
    }

    /// Asks for a wake at the pause time.
    pub(super) fn await_pause(&mut self, cx: &mut Context<'_>) {
        self.forget_pause(cx);
        if let Some(pause) = self.pause.filter(|_| !self.status.is_terminal()) {
            let at = cx.settings.pause_look(pause, cx.now);
            cx.wakes.insert((at, Wake::BundlePause(self.number)));
            self.pause_at = Some(at);
        }
    }
}
