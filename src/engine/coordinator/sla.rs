//! The service levels of a coordinator's actions (`SLACoordActionJobEventXCommand`).

use super::job::CoordinatorRun;
use crate::engine::command::{SlaStatus, Watched};
use crate::engine::context::Context;
use crate::engine::sla::{Ending, Level};
use crate::engine::status::ActionStatus;
use crate::plan::coordinator::SlaOutcome;

impl CoordinatorRun {
    /// Watches the service level of an action that is new or run again.
    pub(super) fn register_sla(&mut self, cx: &mut Context<'_>, number: u32, sla: Option<&SlaOutcome>) {
        self.forget_level(cx, number);
        let Some(SlaOutcome::Registered(expected)) = sla else { return };
        let subject = Watched::Action(self.action_id(number));
        self.slas.insert(number, Box::new(Level::watch(cx, subject, expected.clone())));
    }

    /// An action has changed its state.
    pub(super) fn sla_changed(&mut self, cx: &mut Context<'_>, number: u32, status: ActionStatus) {
        let ending = match status {
            ActionStatus::Running => {
                if let Some(level) = self.slas.get_mut(&number) {
                    level.begin(cx);
                }
                return;
            }
            ActionStatus::Skipped => Ending::Skipped,
            _ if !status.is_over() => return,
            ActionStatus::Succeeded => Ending::Well,
            _ => Ending::Badly,
        };
        if let Some(level) = self.slas.remove(&number) {
            level.close(ending, cx);
        }
    }

    /// An action is removed.
    pub(super) fn forget_level(&mut self, cx: &mut Context<'_>, number: u32) {
        if let Some(level) = self.slas.remove(&number) {
            level.forget(cx);
        }
    }

    /// How the service level of an action that is not over stands.
    pub(in crate::engine) fn service_level(&self, number: u32) -> Option<SlaStatus> {
        self.slas.get(&number).map(|level| level.status())
    }

    /// A time of a service level has come.
    pub(in crate::engine) fn sla_due(&mut self, cx: &mut Context<'_>, number: u32) {
        if let Some(level) = self.slas.get_mut(&number) {
            level.judge(cx);
        }
    }
}
