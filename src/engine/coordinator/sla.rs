//! Service levels of actions: met or missed (`SLAJobEventXCommand`, `SLACalculatorMemory`).

use super::job::CoordinatorRun;
use crate::engine::command::{Command, SlaEvent, SlaKind};
use crate::engine::context::Context;
use crate::engine::id::ActionId;
use crate::engine::status::ActionStatus;
use crate::engine::wake::Wake;
use crate::plan::coordinator::{SlaOutcome, SlaRegistration};
use crate::time::Instant;

/// The service level of an action that is not over.
#[derive(Clone, Debug)]
pub(super) struct Sla {
    level: SlaRegistration,
    started: Option<Instant>,
    start_told: bool,
    duration_told: bool,
    end_told: bool,
}

impl Sla {
    fn tell(action: ActionId, what: SlaKind, expected: i64, cx: &mut Context<'_>) {
        cx.out.push(Command::Sla(SlaEvent { action, what, expected }));
    }

    /// What is to be told now.
    fn judge(&mut self, action: ActionId, cx: &mut Context<'_>) {
        if let (false, Some(expected)) = (self.start_told, self.level.expected_start) {
            let late = self.started.unwrap_or(cx.now) > expected;
            if self.started.is_some() || late {
                self.start_told = true;
                let what = if late { SlaKind::StartMiss } else { SlaKind::StartMet };
                Sla::tell(action, what, expected.millis(), cx);
            }
        }
        let longest = self.level.expected_duration_millis;
        if let (false, Some(started), true) = (self.duration_told, self.started, longest != -1)
            && cx.now.millis_since(started) > longest
        {
            self.duration_told = true;
            Sla::tell(action, SlaKind::DurationMiss, longest, cx);
        }
        if let (false, Some(expected)) = (self.end_told, self.level.expected_end)
            && cx.now > expected
        {
            self.end_told = true;
            Sla::tell(action, SlaKind::EndMiss, expected.millis(), cx);
        }
    }

    /// What is to be told when the action is over.
    fn close(mut self, action: ActionId, succeeded: bool, cx: &mut Context<'_>) {
        if let (false, Some(expected), Some(started)) =
            (self.start_told, self.level.expected_start, self.started)
        {
            let what = if started > expected { SlaKind::StartMiss } else { SlaKind::StartMet };
            Sla::tell(action, what, expected.millis(), cx);
        }
        let longest = self.level.expected_duration_millis;
        if let (false, Some(started), true) = (self.duration_told, self.started, longest != -1) {
            self.duration_told = true;
            let late = cx.now.millis_since(started) > longest;
            let what = if late { SlaKind::DurationMiss } else { SlaKind::DurationMet };
            Sla::tell(action, what, longest, cx);
        }
        if let (false, Some(expected)) = (self.end_told, self.level.expected_end) {
            let met = succeeded && cx.now <= expected;
            let what = if met { SlaKind::EndMet } else { SlaKind::EndMiss };
            Sla::tell(action, what, expected.millis(), cx);
        }
    }

    fn is_told(&self) -> bool {
        let start = self.start_told || self.level.expected_start.is_none();
        let duration = self.duration_told || self.level.expected_duration_millis == -1;
        start && duration && (self.end_told || self.level.expected_end.is_none())
    }
}

impl CoordinatorRun {
    /// Watches the service level of a new action.
    pub(super) fn register_sla(&mut self, cx: &mut Context<'_>, number: u32, sla: Option<&SlaOutcome>) {
        let Some(SlaOutcome::Registered(level)) = sla else { return };
        let id = self.action_id(number);
        // Missed is what lies behind the time, not at it.
        let behind = |at: Instant| at.plus_millis(1);
        if let Some(start) = level.expected_start {
            cx.wakes.insert((behind(start), Wake::SlaStart(id)));
        }
        if let Some(end) = level.expected_end {
            cx.wakes.insert((behind(end), Wake::SlaEnd(id)));
        }
        let sla = Sla {
            level: level.clone(),
            started: None,
            start_told: false,
            duration_told: false,
            end_told: false,
        };
        self.slas.insert(number, Box::new(sla));
    }

    /// An action has changed its state.
    pub(super) fn sla_changed(&mut self, cx: &mut Context<'_>, number: u32, status: ActionStatus) {
        let Some(mut sla) = self.slas.remove(&number) else { return };
        let id = self.action_id(number);
        match status {
            ActionStatus::Skipped => return self.forget_sla(cx, id, &sla),
            _ if status.is_over() => {
                self.forget_sla(cx, id, &sla);
                return sla.close(id, status == ActionStatus::Succeeded, cx);
            }
            ActionStatus::Running if sla.started.is_none() => {
                sla.started = Some(cx.now);
                let longest = sla.level.expected_duration_millis;
                if longest != -1 {
                    let at = cx.now.plus_millis(longest.saturating_add(1));
                    cx.wakes.insert((at, Wake::SlaDuration(id)));
                }
                sla.judge(id, cx);
            }
            _ => {}
        }
        self.slas.insert(number, sla);
    }

    /// An action is removed.
    pub(super) fn forget_level(&mut self, cx: &mut Context<'_>, number: u32) {
        if let Some(sla) = self.slas.remove(&number) {
            self.forget_sla(cx, self.action_id(number), &sla);
        }
    }

    fn forget_sla(&self, cx: &mut Context<'_>, id: ActionId, sla: &Sla) {
        if let Some(start) = sla.level.expected_start {
            cx.wakes.remove(&(start.plus_millis(1), Wake::SlaStart(id)));
        }
        if let Some(end) = sla.level.expected_end {
            cx.wakes.remove(&(end.plus_millis(1), Wake::SlaEnd(id)));
        }
        if let Some(started) = sla.started {
            let at = started.plus_millis(sla.level.expected_duration_millis.saturating_add(1));
            cx.wakes.remove(&(at, Wake::SlaDuration(id)));
        }
    }

    /// A time of a service level has come.
    pub(in crate::engine) fn sla_due(&mut self, cx: &mut Context<'_>, number: u32) {
        let id = self.action_id(number);
        if let Some(sla) = self.slas.get_mut(&number) {
            sla.judge(id, cx);
            if sla.is_told() {
                self.slas.remove(&number);
            }
        }
    }
}
