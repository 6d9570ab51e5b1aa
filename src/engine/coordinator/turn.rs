//! Whose turn it is (`CoordActionReadyXCommand`), and what its workflow gets (`CoordActionStartXCommand`).

use std::sync::Arc;

use super::action::ActionEvent;
use super::inputs::Wait;
use super::job::CoordinatorRun;
use crate::analysis::parameters::AppKind;
use crate::engine::command::Command;
use crate::engine::conf::Conf;
use crate::engine::context::{Context, Notice};
use crate::engine::error::EngineError;
use crate::engine::event::{Fault, Parent};
use crate::engine::status::{ActionStatus, JobStatus};
use crate::engine::wake::Wake;
use crate::plan::coordinator::{Execution, Materializer, Properties};
use crate::time::Instant;

/// The property that holds an action's nominal time in milliseconds.
const NOMINAL_TIME: &str = "oozie.coord.action.nominal_time";

impl CoordinatorRun {
    /// Starts actions that are ready, as many as may run.
    pub(super) fn take_turns(&mut self, cx: &mut Context<'_>) {
        use JobStatus::{Paused, PausedWithError, Running, RunningWithError, Succeeded};
        if !matches!(self.status, Running | RunningWithError | Succeeded | Paused | PausedWithError) {
            return;
        }
        let execution = self.program.job.execution;
        if matches!(execution, Execution::LastOnly | Execution::None) {
            for number in self.ready.iter().copied().collect::<Vec<_>>() {
                self.skip_if_late(cx, number);
            }
        }
        while self.has_room() {
            let next = match execution {
                Execution::Fifo => self.ready.first(),
                _ => self.ready.last(),
            };
            let Some(number) = next.copied() else { break };
            self.submit_action(cx, number);
        }
        self.recover_later(cx);
    }

    /// Whether one more action may run.
    fn has_room(&self) -> bool {
        let running = self.tally.of(ActionStatus::Running) + self.tally.of(ActionStatus::Submitted);
        self.concurrency < 0 || i64::from(running) < i64::from(self.concurrency)
    }

    /// Asks for a wake when the recovery service starts what is ready though nobody took turns, or skips what is late
    /// (`RecoveryService.runCoordActionRecovery`: ready for some minutes, in a job that runs).
    pub(super) fn recover_later(&mut self, cx: &mut Context<'_>) {
        use JobStatus::{Running, RunningWithError};
        if !self.semantics.follows_commands() || (self.ready.is_empty() && self.recovery_at.is_none()) {
            return;
        }
        let runs = matches!(self.status, Running | RunningWithError);
        let old = cx.settings.recovery_seconds * 1000;
        let minute = |at: Instant| at.plus_millis((60_000 - at.millis().rem_euclid(60_000)) % 60_000);
        let late = matches!(self.program.job.execution, Execution::LastOnly | Execution::None);
        let first = self.ready_since.values().min().map(|since| since.plus_millis(old).max(cx.now));
        let at = match runs {
            true if self.has_room() => first.map(minute),
            true if late => {
                let limits = self.ready_since.iter().filter_map(|(number, since)| {
                    let limit = self.limit_of(*number, cx)?.plus_millis(1);
                    Some(minute(limit.max(since.plus_millis(old)).max(cx.now)))
                });
                limits.min()
            }
            _ => None,
        };
        if at == self.recovery_at {
            return;
        }
        let wake = Wake::Recovery(self.number);
        if let Some(old) = std::mem::replace(&mut self.recovery_at, at) {
            cx.wakes.remove(&(old, wake));
        }
        if let Some(at) = at {
            cx.wakes.insert((at, wake));
        }
    }

    /// Whether something is ready for so long that the recovery service would start it.
    pub(super) fn is_recovered(&self, cx: &Context<'_>) -> bool {
        use JobStatus::{Running, RunningWithError};
        let limit = cx.now.plus_millis(-cx.settings.recovery_seconds * 1000);
        matches!(self.status, Running | RunningWithError)
            && self.ready_since.values().any(|since| *since <= limit)
    }

    /// The recovery service comes by.
    pub(in crate::engine) fn recovery_due(&mut self, cx: &mut Context<'_>) {
        self.recovery_at = None;
        self.take_turns(cx);
    }

    fn submit_action(&mut self, cx: &mut Context<'_>, number: u32) {
        self.move_action(cx, number, ActionEvent::Submit);
        let wait = self.waits.get_mut(&number);
        let is_kept = wait.as_ref().is_some_and(|wait| wait.is_kept);
        let properties = wait.and_then(|wait| wait.properties.take());
        if let (true, Some(properties)) = (is_kept, &properties) {
            self.resolved.insert(number, properties.clone());
        }
        let conf = self.conf_with(number, properties.unwrap_or_default());
        let wait = self.waits.entry(number).or_insert_with(|| Box::new(Wait::satisfied(None)));
        wait.conf = Some(conf.clone());
        self.set_pending(number, true);
        // A rerun may lead to another workflow.
        let is_moved = self.rerun_confs.contains_key(&number);
        let app_path = is_moved.then(|| conf.raw(AppKind::Workflow.property()).map(Arc::from)).flatten();
        cx.out.push(Command::PlanWorkflow {
            parent: Parent::Action(self.action_id(number)),
            app_path: app_path.unwrap_or_else(|| self.program.job.app_path.clone()),
            conf,
            above: None,
        });
    }

    /// The job's configuration under the action's own, and what a rerun gave over both (`mergeConfig`).
    fn conf_with(&self, number: u32, properties: Properties) -> Arc<Conf> {
        let mut conf = Conf::over(&self.program.conf);
        conf.extend(properties);
        conf.set(AppKind::Workflow.property(), self.program.job.app_path.clone());
        let nominal = self.action(number).map_or(0, |action| action.nominal.millis());
        conf.set(NOMINAL_TIME, nominal.to_string());
        if let Some(given) = self.rerun_confs.get(&number) {
            conf.extend(given.all());
        }
        Arc::new(conf)
    }

    /// What the workflow of an action got, worked out again.
    pub(in crate::engine) fn conf_again(&self, number: u32) -> Option<Arc<Conf>> {
        if let Some(conf) = self.waits.get(&number).and_then(|wait| wait.conf.clone()) {
            return Some(conf);
        }
        Some(self.conf_with(number, self.properties_again(number)?))
    }

    /// What an action's configuration came to, worked out again.
    pub(super) fn properties_again(&self, number: u32) -> Option<Properties> {
        if let Some(kept) = self.resolved.get(&number) {
            return Some(kept.clone());
        }
        let run = self.action(number)?;
        let job = &self.program.job;
        let options = self.options(run.created);
        let action = Materializer::after(job, 0).again(job, number.into(), run.nominal, options).ok()?;
        action.configuration
    }

    /// Whether an action waits for the plan of its workflow.
    pub(in crate::engine) fn awaits_plan(&self, number: u32) -> Result<Option<u32>, EngineError> {
        self.check_action(number, ActionEvent::Fail)?;
        match self.action(number) {
            // One that waits for inputs may fail too, but asks for no plan.
            Some(action) if action.status == ActionStatus::Waiting => Err(EngineError::NotAllowed {
                subject: self.action_id(number).to_string(),
                machine: "action",
                state: action.status.name(),
                event: "a plan of its workflow",
            }),
            action => Ok(action.and_then(|action| action.workflow)),
        }
    }

    /// What the workflow of an action is submitted with.
    pub(in crate::engine) fn conf_of(&self, number: u32) -> Option<Arc<Conf>> {
        self.waits.get(&number)?.conf.clone()
    }

    /// The workflow of an action was submitted and started, or refused.
    pub(in crate::engine) fn planned(
        &mut self,
        cx: &mut Context<'_>,
        number: u32,
        outcome: Result<u32, Fault>,
    ) {
        self.set_pending(number, false);
        match outcome {
            Ok(workflow) => {
                self.at(number).workflow = Some(workflow);
                self.waits.remove(&number);
                self.move_action(cx, number, ActionEvent::Run);
                use JobStatus::{Suspended, SuspendedWithError};
                if matches!(self.status, Suspended | SuspendedWithError) {
                    cx.notices.push_back(Notice::Suspend(workflow));
                }
            }
            Err(fault) => {
                self.faults.insert(number, fault);
                self.move_action(cx, number, ActionEvent::Fail);
                self.take_turns(cx);
            }
        }
    }
}
