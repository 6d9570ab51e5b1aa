//! What operators, the clock and coordinators do with a bundle.

use super::child::{ChildEvent, ChildRun};
use super::job::{BundleRun, JobEvent};
use crate::engine::command::{Answer, Command};
use crate::engine::context::{Context, Notice};
use crate::engine::error::EngineError;
use crate::engine::event::Fault;
use crate::engine::status::JobStatus;
use crate::engine::wake::Wake;
use crate::time::Instant;

impl BundleRun {
    /// What a submission does at once: a wish to start comes before the kick-off time. By the first rules it was the
    /// other way round.
    pub(in crate::engine) fn begin(&mut self, cx: &mut Context<'_>, start: bool) -> Result<(), EngineError> {
        if start && self.semantics.follows_commands() {
            return self.start(cx);
        }
        match self.starts_at(cx.settings) {
            Some(at) if at > cx.now => {
                cx.wakes.insert((at, Wake::KickOff(self.number)));
                Ok(())
            }
            Some(_) => self.start(cx),
            None if start => self.start(cx),
            None => Ok(()),
        }
    }

    /// `BundleStartXCommand`
    pub(in crate::engine) fn start(&mut self, cx: &mut Context<'_>) -> Result<(), EngineError> {
        if self.program.fault.is_some() {
            self.move_to(cx, JobEvent::StartFails)?;
            self.fault = self.program.fault.clone();
            if let Some(fault) = &self.fault {
                cx.out.push(Command::Answered(Answer::Refused(fault.clone())));
            }
            return Ok(());
        }
        self.move_to(cx, JobEvent::Start)?;
        self.is_marked = true;
        let program = self.program.clone();
        for (index, child) in (0..).zip(&program.children) {
            self.children.push(child.enabled.then(ChildRun::new));
            if child.enabled {
                cx.out.push(Command::PlanCoordinator { bundle: self.id(), child: index });
            }
        }
        Ok(())
    }

    /// The kick-off time has come.
    pub(in crate::engine) fn kick_off_due(&mut self, cx: &mut Context<'_>) {
        if self.status == JobStatus::Prep {
            let started = self.start(cx);
            debug_assert!(started.is_ok(), "{started:?}");
        }
    }

    fn is_past_kick_off(&self, cx: &Context<'_>) -> bool {
        self.starts_at(cx.settings).is_some_and(|at| at <= cx.now)
    }

    /// Whether a coordinator waits for its plan.
    pub(in crate::engine) fn awaits_plan(&self, child: u32) -> Result<(), EngineError> {
        let known = self.children.get(child as usize).and_then(Option::as_ref);
        match known {
            Some(child) if child.coordinator.is_none() && child.fault.is_none() && child.pending > 0 => {
                Ok(())
            }
            _ => Err(EngineError::UnknownAction(format!("{}_{child}", self.id()))),
        }
    }

    /// Whether a coordinator that was planned is still wanted.
    pub(in crate::engine) fn wants(&self, child: u32) -> bool {
        let known = self.children.get(child as usize).and_then(Option::as_ref);
        known.is_some_and(|child| !child.status.is_terminal())
    }

    /// A coordinator was submitted, or refused.
    pub(in crate::engine) fn child_planned(
        &mut self,
        cx: &mut Context<'_>,
        child: u32,
        outcome: Result<u32, Fault>,
    ) {
        let critical = self.program.children[child as usize].critical;
        let id = self.id();
        let Some(run) = &mut self.children[child as usize] else { return };
        run.pending = run.pending.saturating_sub(1);
        match outcome {
            Ok(coordinator) => {
                run.coordinator = Some(coordinator);
                if run.status == JobStatus::PrepSuspended {
                    run.pending = run.pending.saturating_sub(1);
                    cx.notices.push_back(Notice::SuspendCoordinator(coordinator));
                }
            }
            Err(fault) => {
                run.fault = Some(fault);
                if !run.status.is_terminal() {
                    run.pending = 0;
                    run.take(cx, id, ChildEvent::Refuse);
                    if critical && self.move_to(cx, JobEvent::CriticalFails).is_ok() {
                        self.is_broken = true;
                        self.kill_children(cx);
                    }
                }
            }
        }
        self.examine(cx);
    }

    /// `BundleStatusUpdateXCommand`: a coordinator has changed, or has done what it was told.
    pub(in crate::engine) fn child_changed(
        &mut self,
        cx: &mut Context<'_>,
        child: u32,
        status: JobStatus,
        answers: bool,
    ) {
        let Some(Some(run)) = self.children.get_mut(child as usize) else { return };
        run.status = status;
        if answers {
            run.pending = run.pending.saturating_sub(1);
        }
        self.examine(cx);
    }

    /// `BundleJobSuspendXCommand`
    pub(in crate::engine) fn suspend(&mut self, cx: &mut Context<'_>) -> Result<(), EngineError> {
        let stands = self.check(JobEvent::Suspend)? == self.status;
        self.move_to(cx, JobEvent::Suspend)?;
        self.is_suspended = true;
        self.is_marked = true;
        let id = self.id();
        let mut is_done = !stands;
        use JobStatus::{Paused, PausedWithError, Prep, Running, RunningWithError};
        for child in self.children.iter_mut().flatten() {
            if !matches!(child.status, Running | RunningWithError | Prep | Paused | PausedWithError) {
                continue;
            }
            is_done = true;
            child.pending += 1;
            match child.coordinator {
                Some(coordinator) => cx.notices.push_back(Notice::SuspendCoordinator(coordinator)),
                None => child.take(cx, id, ChildEvent::Suspend),
            }
        }
        if !is_done {
            cx.out.push(Command::Answered(Answer::Nothing));
        }
        Ok(())
    }

    /// `BundleJobResumeXCommand`
    pub(in crate::engine) fn resume(&mut self, cx: &mut Context<'_>) -> Result<(), EngineError> {
        self.move_to(cx, JobEvent::Resume)?;
        self.is_suspended = false;
        self.is_marked = true;
        let id = self.id();
        use JobStatus::{PrepSuspended, Suspended, SuspendedWithError};
        for child in self.children.iter_mut().flatten() {
            if !matches!(child.status, Suspended | SuspendedWithError | PrepSuspended) {
                continue;
            }
            match child.coordinator {
                Some(coordinator) => {
                    child.pending += 1;
                    cx.notices.push_back(Notice::ResumeCoordinator(coordinator));
                }
                None => {
                    child.pending = child.pending.saturating_sub(1);
                    child.take(cx, id, ChildEvent::Resume);
                }
            }
        }
        if self.is_past_kick_off(cx) {
            self.kick_off_due(cx);
        }
        Ok(())
    }

    /// `BundleKillXCommand`
    pub(in crate::engine) fn kill(&mut self, cx: &mut Context<'_>) -> Result<(), EngineError> {
        self.move_to(cx, JobEvent::Kill)?;
        self.is_marked = true;
        self.kill_children(cx);
        self.examine(cx);
        Ok(())
    }

    fn kill_children(&mut self, cx: &mut Context<'_>) {
        let id = self.id();
        for child in self.children.iter_mut().flatten() {
            if child.status.is_terminal() {
                continue;
            }
            match child.coordinator {
                Some(coordinator) => {
                    child.pending += 1;
                    cx.notices.push_back(Notice::KillCoordinator(coordinator));
                }
                // Its plan may still come in; it is not wanted any more.
                None => {
                    child.pending = child.pending.min(1);
                    child.take(cx, id, ChildEvent::Kill);
                }
            }
        }
    }

    /// The pause time has come (`BundlePauseXCommand`).
    pub(in crate::engine) fn pause_due(&mut self, cx: &mut Context<'_>) {
        let is_due = self.pause.is_some() && self.pause_at.is_some_and(|at| at <= cx.now);
        if is_due && self.check(JobEvent::Pause).is_ok() {
            let paused = self.move_to(cx, JobEvent::Pause);
            debug_assert!(paused.is_ok(), "{paused:?}");
        }
    }

    /// Changes the pause time (`BundleJobChangeXCommand`, `BundleUnpauseXCommand`).
    pub(in crate::engine) fn set_pause(&mut self, cx: &mut Context<'_>, pause: Option<Instant>) {
        self.forget_pause(cx);
        self.pause = pause;
        if pause.is_none_or(|pause| pause > cx.now) && self.check(JobEvent::Unpause).is_ok() {
            let resumed = self.move_to(cx, JobEvent::Unpause);
            debug_assert!(resumed.is_ok(), "{resumed:?}");
            if self.is_past_kick_off(cx) {
                self.kick_off_due(cx);
            }
        }
        self.await_pause(cx);
        self.pause_due(cx);
        self.examine(cx);
    }

    /// The end of coordinators was moved.
    pub(in crate::engine) fn extended(&mut self, cx: &mut Context<'_>) {
        // One whose start failed has nothing that could go on.
        if !self.children.is_empty() && self.check(JobEvent::Extend).is_ok() {
            self.is_broken = false;
            let extended = self.move_to(cx, JobEvent::Extend);
            debug_assert!(extended.is_ok(), "{extended:?}");
        }
        self.examine(cx);
    }

    /// Whether coordinators can be run again; changes nothing.
    pub(in crate::engine) fn check_rerun(&self) -> Result<(), EngineError> {
        self.check(JobEvent::Rerun).map(|_| ())
    }

    /// Coordinators are run again (`BundleRerunXCommand`); a pause time is reset.
    pub(in crate::engine) fn rerun(&mut self, cx: &mut Context<'_>) -> Result<(), EngineError> {
        let is_held = matches!(self.status, JobStatus::Paused | JobStatus::PausedWithError);
        self.move_to(cx, JobEvent::Rerun)?;
        if self.semantics.follows_commands() {
            self.is_marked |= !is_held;
        } else {
            self.forget_pause(cx);
            self.pause = None;
            self.is_suspended = false;
        }
        self.examine(cx);
        Ok(())
    }

    /// A rerun of one of its coordinators is on its way.
    pub(in crate::engine) fn await_rerun(&mut self, child: u32) {
        if let Some(Some(child)) = self.children.get_mut(child as usize) {
            child.pending += 1;
        }
    }
}
