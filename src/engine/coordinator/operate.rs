//! What operators and the clock do with a coordinator and its actions.

use super::action::ActionEvent;
use super::job::{CoordinatorRun, JobEvent};
use super::scope::{self, Dates};
use crate::engine::command::{Answer, Command};
use crate::engine::context::{Context, Notice};
use crate::engine::error::{EngineError, Refusal};
use crate::engine::event::{Scope, Subject};
use crate::engine::status::{ActionStatus, JobStatus};

/// Which of the actions between two times a command means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Range {
    /// All of them.
    All,
    /// Those that are not over (`GET_ACTIVE_ACTIONS_FOR_DATES`).
    Active,
    /// Those that are over, but for skipped ones (`GET_TERMINATED_ACTIONS_FOR_DATES`).
    Over,
}

impl Range {
    fn has(self, status: ActionStatus) -> bool {
        match self {
            Range::All => true,
            Range::Active => !status.is_over(),
            Range::Over => status.is_rerunnable(),
        }
    }
}

/// A refusal of the server's.
pub(super) fn refused(code: &'static str, message: impl Into<String>) -> EngineError {
    EngineError::Refused(Refusal::new(code, message))
}

impl CoordinatorRun {
    /// `CoordSuspendXCommand`
    pub(in crate::engine) fn suspend(&mut self, cx: &mut Context<'_>) -> Result<(), EngineError> {
        let stands = self.check(JobEvent::Suspend)? == self.status;
        self.move_to(cx, JobEvent::Suspend)?;
        let running = self.numbers_in(ActionStatus::Running);
        if stands && running.is_empty() {
            cx.out.push(Command::Answered(Answer::Nothing));
        }
        self.mark(cx);
        for number in running {
            if let Some(workflow) = self.at(number).workflow {
                cx.notices.push_back(Notice::Suspend(workflow));
            }
            self.set_pending(number, true);
            self.tell_counter(number, |count| count.saturating_add(1));
            self.move_action(cx, number, ActionEvent::Suspend);
        }
        self.schedule(cx);
        Ok(())
    }

    /// `CoordResumeXCommand`
    pub(in crate::engine) fn resume(&mut self, cx: &mut Context<'_>) -> Result<(), EngineError> {
        self.move_to(cx, JobEvent::Resume)?;
        self.mark(cx);
        for number in self.numbers_in(ActionStatus::Suspended) {
            if let Some(workflow) = self.at(number).workflow {
                cx.notices.push_back(Notice::Resume(workflow));
            }
            self.set_pending(number, true);
            self.tell_counter(number, |count| count.saturating_add(1));
            self.move_action(cx, number, ActionEvent::Run);
        }
        Ok(())
    }

    /// What a job that stood still or was over makes up for: nobody looked for its inputs, and no turns were taken.
    pub(in crate::engine) fn go_on(&mut self, cx: &mut Context<'_>) {
        if self.status == JobStatus::Prep && self.is_done && !self.semantics.follows_commands() {
            // Its end was moved before its start while it was held. A server leaves such a job in PREP for good.
            let over = self.move_to(cx, JobEvent::EndBeforeStart);
            debug_assert!(over.is_ok(), "{over:?}");
        }
        for number in self.waits.keys().copied().collect::<Vec<_>>() {
            let action = self.at(number);
            let is_due = action.status == ActionStatus::Waiting && action.nominal <= cx.now;
            let look = Command::Look(Subject::Action(self.action_id(number)));
            if is_due && !cx.out.contains(&look) {
                cx.out.push(look);
            }
        }
        // On a server nobody starts what is ready now, but for the recovery service, which looks for what is ready for
        // long before the new checks of inputs are done.
        if !self.semantics.follows_commands() || self.is_recovered(cx) {
            self.take_turns(cx);
        }
        self.recover_later(cx);
        self.schedule(cx);
    }

    /// `CoordPauseXCommand`, at the pause time.
    pub(in crate::engine) fn pause_due(&mut self, cx: &mut Context<'_>) {
        let is_due = self.pause.is_some() && self.pause_at.is_some_and(|at| at <= cx.now);
        if is_due && self.check(JobEvent::Pause).is_ok() {
            let paused = self.move_to(cx, JobEvent::Pause);
            debug_assert!(paused.is_ok(), "{paused:?}");
            self.schedule(cx);
        }
    }

    /// The pause time of the bundle, when the bundle submits it.
    pub(in crate::engine) fn set_pause(&mut self, cx: &mut Context<'_>, pause: Option<crate::time::Instant>) {
        self.forget_pause(cx);
        self.pause = pause;
        self.await_pause(cx);
        self.pause_due(cx);
    }

    /// `CoordUnpauseXCommand`
    pub(super) fn unpause(&mut self, cx: &mut Context<'_>) {
        if self.check(JobEvent::Unpause).is_ok() {
            let resumed = self.move_to(cx, JobEvent::Unpause);
            debug_assert!(resumed.is_ok(), "{resumed:?}");
        }
    }

    /// `CoordKillXCommand`
    pub(in crate::engine) fn kill(&mut self, cx: &mut Context<'_>) -> Result<(), EngineError> {
        self.move_to(cx, JobEvent::Kill)?;
        self.is_done = true;
        self.mark(cx);
        // Of what was skipped the query knows nothing (`GET_COORD_ACTIONS_NOT_COMPLETED`).
        let kills_skipped = self.semantics.follows_commands();
        for number in 1..=self.actions.len() as u32 {
            let status = self.at(number).status;
            if !status.is_over() || (kills_skipped && status == ActionStatus::Skipped) {
                self.kill_action(cx, number);
            }
        }
        self.schedule(cx);
        Ok(())
    }

    fn kill_action(&mut self, cx: &mut Context<'_>, number: u32) {
        let workflow = self.at(number).workflow;
        self.set_pending(number, workflow.is_some());
        self.tell_counter(number, |count| if workflow.is_some() { count.saturating_add(1) } else { 0 });
        if let Some(workflow) = workflow {
            cx.notices.push_back(Notice::Kill(workflow));
        }
        self.move_action(cx, number, ActionEvent::Kill);
    }

    /// `CoordActionsKillXCommand`: those that are named by number or by their own time, whatever their state, and those
    /// of a range of times that are not over. The first rules took those that were not over.
    pub(in crate::engine) fn kill_actions(
        &mut self,
        cx: &mut Context<'_>,
        scope: &Scope,
    ) -> Result<(), EngineError> {
        use JobStatus::{DoneWithError, Failed, Killed, Succeeded};
        let is_over = matches!(self.status, Succeeded | Failed | DoneWithError | Killed);
        let over =
            |status| EngineError::Dropped(Refusal::new("E1020", format!("the coordinator is {status}")));
        if self.semantics.follows_commands() {
            let named = self.actions_of(scope, Range::Active, cx)?;
            if is_over {
                return Err(over(self.status));
            }
            self.mark(cx);
            if named.is_empty() {
                cx.out.push(Command::Answered(Answer::Nothing));
            }
            for number in named {
                self.kill_action(cx, number);
            }
            return Ok(());
        }
        if is_over {
            return Err(over(self.status));
        }
        let mut named = self.actions_of(scope, Range::All, cx)?;
        named.retain(|number| !self.at(*number).status.is_over());
        if named.is_empty() {
            return Err(refused("E1020", "no action of these can be killed"));
        }
        for number in named {
            self.kill_action(cx, number);
        }
        self.take_turns(cx);
        Ok(())
    }

    /// `CoordActionsIgnoreXCommand`
    pub(in crate::engine) fn ignore_actions(
        &mut self,
        cx: &mut Context<'_>,
        scope: &Scope,
    ) -> Result<(), EngineError> {
        let follows = self.semantics.follows_commands();
        let range = if follows { Range::Over } else { Range::All };
        let named = self.actions_of(scope, range, cx).map_err(|error| match error {
            // What fails while the actions are loaded is told with a code around it.
            EngineError::Refused(Refusal { message, .. }) if follows => refused("E0603", message),
            error => error,
        })?;
        if follows && self.status == JobStatus::Prep {
            let words = "it has not started, so no action can be ignored";
            return Err(EngineError::Dropped(Refusal::new("E1024", words)));
        }
        if named.is_empty() {
            return Err(refused("E1024", "no action of these can be ignored"));
        }
        for number in &named {
            if let Err(EngineError::NotAllowed { state, .. }) =
                self.check_action(*number, ActionEvent::Ignore)
            {
                return Err(refused("E1024", format!("action {number} is {state} and cannot be ignored")));
            }
        }
        for number in named {
            self.set_pending(number, false);
            self.tell_counter(number, |_| 0);
            self.move_action(cx, number, ActionEvent::Ignore);
        }
        Ok(())
    }

    fn numbers_in(&self, status: ActionStatus) -> Vec<u32> {
        if self.tally.of(status) == 0 {
            return Vec::new();
        }
        let numbered = (1..).zip(&self.actions);
        numbered.filter(|(_, action)| action.status == status).map(|(number, _)| number).collect()
    }

    /// The actions that a scope names (`CoordUtils.getCoordActions`): numbers of none are left out, a single time must be
    /// that of an action.
    pub(super) fn actions_of(
        &self,
        scope: &Scope,
        range: Range,
        cx: &Context<'_>,
    ) -> Result<Vec<u32>, EngineError> {
        let mut found = Vec::new();
        match scope {
            Scope::Numbers(text) => {
                for number in scope::numbers(text)? {
                    let number = number.parse::<u32>().ok().filter(|number| self.action(*number).is_some());
                    found.extend(number);
                }
            }
            Scope::Dates(text) => {
                for dates in scope::dates(text, cx.settings.processing)? {
                    let (from, to) = match dates {
                        Dates::At(at) => (at, at),
                        Dates::Between(from, to) => (from, to),
                    };
                    let numbered = (1..).zip(&self.actions);
                    let is_one = matches!(dates, Dates::At(_));
                    let within = numbered.filter(|(_, action)| {
                        (from..=to).contains(&action.nominal) && (is_one || range.has(action.status))
                    });
                    let before = found.len();
                    found.extend(within.map(|(number, _)| number));
                    if matches!(dates, Dates::At(_)) && found.len() == before {
                        let at = cx.settings.processing.format(from);
                        return Err(refused("E0605", format!("no action has the nominal time {at}")));
                    }
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        Ok(found)
    }
}
