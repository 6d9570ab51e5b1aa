//! A change of a coordinator (`CoordChangeXCommand`).

use super::job::{CoordinatorRun, JobEvent};
use super::operate::refused;
use crate::engine::command::{Answer, Command};
use crate::engine::context::Context;
use crate::engine::error::EngineError;
use crate::engine::event::Change;
use crate::engine::status::{ActionStatus, JobStatus};
use crate::plan::coordinator::Materializer;
use crate::time::Instant;

impl CoordinatorRun {
    /// Whether a change is possible; changes nothing.
    pub(in crate::engine) fn check_change(&self, change: &Change) -> Result<(), EngineError> {
        use JobStatus::{Failed, Ignored, Killed, Running};
        let other =
            change.end.is_some() || change.concurrency.is_some() || matches!(change.pause, Some(Some(_)));
        if matches!(self.status, Killed | Ignored) && (change.status.is_none() || other) {
            let words = format!("a coordinator that is {} takes a change of its status alone", self.status);
            return Err(refused("E1016", words));
        }
        match change.status {
            None => {}
            Some(Running) if matches!(self.status, Failed | Killed | Ignored) => {}
            Some(Ignored) if matches!(self.status, Failed | Killed) && !self.is_held() => {}
            Some(status @ (Running | Ignored)) => {
                let words = format!("a coordinator that is {} cannot become {status}", self.status);
                return Err(refused("E1015", words));
            }
            Some(_) => return Err(refused("E1015", "the status can be changed to RUNNING or IGNORED")),
        }
        for limit in [change.end.filter(|end| !self.leaves_end(*end)), change.pause.flatten()] {
            self.cut(limit)?;
        }
        Ok(())
    }

    /// Whether the job waits for an answer, as the server has it.
    fn is_held(&self) -> bool {
        if self.semantics.follows_commands() { self.is_marked } else { self.is_pending() }
    }

    /// A later end that lies before what is created already changes nothing.
    fn leaves_end(&self, end: Instant) -> bool {
        self.end < end && self.next.is_some_and(|next| next > end)
    }

    /// How many actions lie before a new end or pause time; those behind it must not have begun
    /// (`processLookaheadActions`).
    fn cut(&self, limit: Option<Instant>) -> Result<usize, EngineError> {
        let mut kept = self.actions.len();
        let Some(limit) = limit else { return Ok(kept) };
        while let Some(action) = self.actions[..kept].last().filter(|action| action.nominal >= limit) {
            if !matches!(action.status, ActionStatus::Waiting | ActionStatus::Ready) {
                let words =
                    format!("the action {} is {} already", self.action_id(kept as u32), action.status);
                return Err(refused("E1022", words));
            }
            kept -= 1;
        }
        Ok(kept)
    }

    /// Removes the actions behind a time; what [`CoordinatorRun::check_change`] has accepted.
    fn remove_behind(&mut self, cx: &mut Context<'_>, limit: Instant) {
        let Ok(kept) = self.cut(Some(limit)) else { return };
        let mut first = None;
        while self.actions.len() > kept {
            let number = self.actions.len() as u32;
            self.forget_wakes(cx, number);
            self.forget_level(cx, number);
            self.waits.remove(&number);
            self.rerun_confs.remove(&number);
            self.ready.remove(&number);
            self.ready_since.remove(&number);
            self.set_pending(number, false);
            self.tell_counter(number, |_| 0);
            if let Some(action) = self.actions.pop() {
                self.tally.remove(action.status);
                first = Some(action.nominal);
            }
        }
        if let Some(first) = first {
            self.next = Some(first);
            self.materializer = Materializer::after(&self.program.job, kept as i64);
            self.is_done = false;
        }
    }

    /// Changes what [`CoordinatorRun::check_change`] has accepted.
    pub(in crate::engine) fn change(
        &mut self,
        cx: &mut Context<'_>,
        change: &Change,
    ) -> Result<(), EngineError> {
        self.check_change(change)?;
        let only_end = Change { end: change.end, ..Change::default() };
        if self.bundle.is_none() && *change == only_end && change.end.is_some_and(|end| self.leaves_end(end))
        {
            cx.out.push(Command::Answered(Answer::Nothing));
        }
        if let Some(end) = change.end.filter(|end| !self.leaves_end(*end)) {
            self.end = end;
            if self.program.job.start >= end {
                if self.status != JobStatus::Prep {
                    self.remove_behind(cx, end);
                }
                if self.check(JobEvent::EndBeforeStart).is_ok() {
                    self.move_to(cx, JobEvent::EndBeforeStart)?;
                    self.is_marked = false;
                }
                self.is_done = true;
            } else {
                self.is_marked = true;
                if self.check(JobEvent::Extend).is_ok() {
                    self.move_to(cx, JobEvent::Extend)?;
                }
                self.is_done = false;
                self.remove_behind(cx, end);
            }
        }
        let follows = self.semantics.follows_commands();
        let grows = change.concurrency.is_some_and(|new| new > self.concurrency || (new < 0 && !follows));
        self.concurrency = change.concurrency.unwrap_or(self.concurrency);
        if let Some(pause) = change.pause {
            self.forget_pause(cx);
            let was = std::mem::replace(&mut self.pause, pause);
            let is_later = was.is_some_and(|was| pause.is_none_or(|pause| pause > was));
            if is_later || pause.is_none_or(|pause| pause > cx.now) {
                self.unpause(cx);
            }
            if let Some(pause) = pause {
                self.remove_behind(cx, pause);
            }
            self.await_pause(cx);
            self.pause_due(cx);
        }
        match change.status {
            Some(JobStatus::Running) => {
                self.move_to(cx, JobEvent::Reopen)?;
                self.is_marked = true;
                if self.next.is_none_or(|next| self.end > next) {
                    self.is_done = false;
                }
            }
            Some(_) => {
                self.move_to(cx, JobEvent::Ignore)?;
                self.is_marked = false;
                self.is_done = true;
            }
            None => {}
        }
        if self.next.is_some_and(|next| self.end <= next) {
            self.is_done = true;
        }
        if follows {
            // The job itself was changed, not its actions.
            if self.is_marked {
                self.mark(cx);
            }
            self.recover_later(cx);
        } else if self.status != JobStatus::Succeeded {
            self.examine(cx);
        }
        if grows {
            self.take_turns(cx);
        }
        self.schedule(cx);
        Ok(())
    }
}
