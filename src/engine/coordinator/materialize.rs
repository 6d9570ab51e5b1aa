//! When actions are created, and how many (`CoordMaterializeTriggerService`, `CoordMaterializeTransitionXCommand`).

use super::action::ActionEvent;
use super::inputs::Wait;
use super::job::{CoordinatorRun, JobEvent};
use crate::engine::command::Command;
use crate::engine::context::Context;
use crate::engine::event::{Fault, Subject};
use crate::engine::settings::next_slot;
use crate::engine::status::{ActionStatus, JobStatus};
use crate::engine::wake::Wake;
use crate::plan::coordinator::{CoordinatorJob, Execution, Materializer, PlanOptions};
use crate::time::{Instant, calendar};

/// How far behind the end of a coordinator its next action is looked for: with any frequency but the oddest it lies before.
const FAR_MINUTES: i64 = 5 * 366 * 24 * 60;

/// Why a coordinator that is behind its time creates nothing for now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeldUp {
    /// The nominal time of the action that is next.
    pub next: Instant,
    /// How many actions may wait for their inputs at once.
    pub throttle: i64,
    /// When it creates the next ones; nothing while as many wait as may.
    pub until: Option<Instant>,
}

impl CoordinatorRun {
    /// Whether its throttle keeps it from catching up.
    pub fn held_up(&self, now: Instant) -> Option<HeldUp> {
        let next = self.next.filter(|next| *next < now)?;
        let is_paused = self.pause.is_some_and(|pause| next >= pause);
        let is_late = matches!(self.program.job.execution, Execution::LastOnly | Execution::None);
        let is_due = self.pass_at.is_some_and(|at| at <= now);
        let held = HeldUp { next, throttle: self.throttle(), until: self.pass_at };
        (self.is_throttled && self.creates() && !is_paused && !is_late && !is_due).then_some(held)
    }

    fn creates(&self) -> bool {
        use JobStatus::{Prep, Running, RunningWithError};
        matches!(self.status, Prep | Running | RunningWithError) && !self.is_done
    }

    /// The time from which actions are created next.
    fn next_time(&self) -> Instant {
        self.next.unwrap_or(self.program.job.start)
    }

    /// When actions are made next, as far as nothing forbids it.
    pub fn next_pass(&self) -> Option<Instant> {
        self.pass_at
    }

    fn throttle(&self) -> i64 {
        i64::from(self.program.job.throttle)
    }

    /// Asks for a wake when actions can be created next: nothing is asked for while the throttle, the pause time or
    /// the status forbids it.
    pub(super) fn schedule(&mut self, cx: &mut Context<'_>) {
        let next = self.next_time();
        let full = i64::from(self.tally.of(ActionStatus::Waiting)) >= self.throttle() && self.next.is_some();
        let late = matches!(self.program.job.execution, Execution::LastOnly | Execution::None);
        let paused = self.pause.is_some_and(|pause| next >= pause);
        let at = (self.creates() && !paused && (!full || late)).then(|| {
            let lookup = cx.settings.lookup_seconds;
            // Strictly later than the lookahead before the time itself.
            let first = next.plus_millis(1 - lookup * 1000).max(cx.now);
            let slot = next_slot(first, lookup);
            match self.last_pass {
                Some(last) if slot <= last => next_slot(last.plus_millis(1), lookup),
                _ => slot,
            }
        });
        if at == self.pass_at {
            return;
        }
        let wake = Wake::Materialize(self.number);
        if let Some(old) = self.pass_at {
            cx.wakes.remove(&(old, wake));
        }
        if let Some(at) = at {
            cx.wakes.insert((at, wake));
        }
        self.pass_at = at;
    }

    /// What a submission does at once.
    pub(in crate::engine) fn begin(&mut self, cx: &mut Context<'_>) {
        if self.creates() && self.program.job.start < cx.now.plus_millis(cx.settings.lookup_seconds * 1000) {
            self.pass(cx);
        }
        self.schedule(cx);
    }

    /// The wake for new actions.
    pub(in crate::engine) fn pass_due(&mut self, cx: &mut Context<'_>) {
        self.pass_at = None;
        if self.creates() {
            self.pass(cx);
        }
        self.schedule(cx);
    }

    /// `getMaterializationTimeForCatchUp`
    fn window_end(&self, cx: &Context<'_>) -> Instant {
        let job = &self.program.job;
        let start = self.next_time();
        let window = start.plus_millis(cx.settings.window_seconds * 1000);
        if window > cx.now {
            return window;
        }
        if matches!(job.execution, Execution::LastOnly | Execution::None) {
            return cx.now;
        }
        let (Ok(frequency), Some(unit)) = (job.frequency.parse::<i64>(), job.time_unit.unit()) else {
            return self.end;
        };
        let (mut before, mut at) = (start, None);
        for index in 1..=self.throttle().max(0) {
            let step = calendar::add(start, index.saturating_mul(frequency), unit, job.zone);
            if step >= cx.now {
                return before.max(window);
            }
            before = step;
            at = Some(step);
        }
        at.unwrap_or(window)
    }

    /// Whether the next action is one that somebody wants.
    fn wants_next(&self) -> bool {
        self.program.only.as_ref().is_none_or(|only| only.wants(self.materializer.number() + 1))
    }

    /// Whether all actions are made that somebody wants.
    fn has_all_wanted(&self) -> bool {
        self.program.only.as_ref().is_some_and(|only| self.materializer.number() >= only.last())
    }

    /// The time of the action that would be next, were the end not before it (`setNextMaterializedTime`): a later end that
    /// does not reach it changes nothing.
    fn beyond(&self, job: &CoordinatorJob) -> Instant {
        if !self.semantics.follows_commands() || self.has_all_wanted() {
            return self.end;
        }
        let next = self.materializer.peek(job, self.end.plus_minutes(FAR_MINUTES));
        next.and_then(Result::ok).map_or(self.end, |next| next.max(self.end))
    }

    /// One pass.
    fn pass(&mut self, cx: &mut Context<'_>) {
        let program = self.program.clone();
        let job = &program.job;
        if self.pause.is_some_and(|pause| self.next_time() >= pause) {
            return;
        }
        self.last_pass = Some(cx.now);
        let window = self.window_end(cx);
        // Who names actions wants those that are due now, however many lie before them.
        let window = if program.only.is_some() { window.max(cx.now) } else { window };
        let window = window.min(self.end);
        let late = matches!(job.execution, Execution::LastOnly | Execution::None);
        let waiting = i64::from(self.tally.of(ActionStatus::Waiting));
        let mut most = match late && window < cx.now {
            true if cx.settings.batch_size < 0 => i64::MAX,
            true => cx.settings.batch_size,
            false => self.throttle() - waiting,
        };
        let before = self.materializer.number();
        let mut made = Vec::new();
        let mut fault = None;
        while most > 0 && !self.has_all_wanted() {
            if !self.wants_next() {
                match self.materializer.leave_out(job, self.end) {
                    Some(Ok(nominal)) => made.push((nominal, None)),
                    Some(Err(finding)) => {
                        fault = Some(finding);
                        break;
                    }
                    None => break,
                }
                continue;
            }
            match self.materializer.peek(job, self.end) {
                Some(Ok(nominal)) if nominal < window && self.pause.is_none_or(|pause| nominal < pause) => {}
                Some(Err(finding)) => {
                    fault = Some(finding);
                    break;
                }
                _ => break,
            }
            let options =
                PlanOptions { actual: Some(cx.now), job_id: Some(&self.full_id), ..PlanOptions::default() };
            match self.materializer.next(job, self.end, options) {
                Some(Ok(action)) => made.push((action.nominal, Some(action))),
                Some(Err(finding)) => {
                    fault = Some(finding);
                    break;
                }
                None => break,
            }
            most -= 1;
        }
        if let Some(finding) = fault {
            // What this pass has made is dropped.
            self.materializer = Materializer::after(job, before);
            let code = finding.oozie.first().copied().unwrap_or("E1012");
            self.fault = Some(Fault::new(code, finding.message));
            self.is_marked = false;
            if self.move_to(cx, JobEvent::Fail).is_ok() && !self.actions.is_empty() {
                self.examine(cx);
            }
            return;
        }
        self.is_throttled = most <= 0;
        self.next = match self.materializer.peek(job, self.end) {
            Some(Ok(next)) if !self.has_all_wanted() => Some(next),
            _ => {
                self.is_done = true;
                Some(self.beyond(job))
            }
        };
        let moved = self.move_to(cx, JobEvent::Materialize);
        debug_assert!(moved.is_ok(), "{moved:?}");
        self.is_marked = true;
        for (nominal, action) in made {
            let number = self.add_action(cx, nominal);
            let Some(action) = action else {
                self.move_action(cx, number, ActionEvent::Skip);
                continue;
            };
            self.register_sla(cx, number, action.sla.as_ref());
            let wait = Wait::new(job, action);
            self.waits.insert(number, Box::new(wait));
            self.begin_to_wait(cx, number);
        }
        self.examine(cx);
    }

    /// An action begins to wait: it is looked at from its nominal time on.
    pub(super) fn begin_to_wait(&mut self, cx: &mut Context<'_>, number: u32) {
        let id = self.action_id(number);
        let nominal = self.at(number).nominal;
        if nominal > cx.now {
            cx.wakes.insert((nominal, Wake::Nominal(id)));
        } else {
            cx.out.push(Command::Look(Subject::Action(id)));
        }
    }
}
