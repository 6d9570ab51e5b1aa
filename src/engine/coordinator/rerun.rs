//! Actions that are run again (`CoordRerunXCommand`).

use std::sync::Arc;

use super::action::ActionEvent;
use super::inputs::Wait;
use super::job::{CoordinatorRun, JobEvent};
use super::operate::{Range, refused};
use crate::engine::command::Command;
use crate::engine::context::Context;
use crate::engine::error::EngineError;
use crate::engine::event::ActionsRerun;
use crate::engine::status::{ActionStatus, JobStatus};
use crate::plan::coordinator::{Action, Materializer, Texts};
use crate::time::Instant;

impl CoordinatorRun {
    /// Runs actions again.
    pub(in crate::engine) fn rerun(
        &mut self,
        cx: &mut Context<'_>,
        rerun: &ActionsRerun,
    ) -> Result<(), EngineError> {
        let words = match self.status {
            JobStatus::Prep => Some("it has not started, so no action can be run again"),
            JobStatus::Ignored => Some("it is ignored; change it to RUNNING first"),
            _ => None,
        };
        if let Some(words) = words {
            return Err(refused("E1018", words));
        }
        let follows = self.semantics.follows_commands();
        let range = if follows { Range::Over } else { Range::All };
        let named = self.actions_of(&rerun.scope, range, cx)?;
        if named.is_empty() {
            return Err(refused("E1018", "no action of these is there to be run again"));
        }
        for number in &named {
            let words = match self.action(*number).map(|action| action.status) {
                // By number or by its own time, one that was skipped is over as well.
                Some(status) if status.is_rerunnable() || (follows && status.is_over()) => continue,
                Some(status) => format!("the action {number} is {status}, and cannot be run again"),
                None => format!("there is no action {number} to be run again"),
            };
            return Err(refused("E1018", words));
        }
        self.check(JobEvent::Rerun)?;
        // What is to be made anew is made first, so that a refusal changes nothing.
        let mut fresh = Vec::with_capacity(named.len());
        for number in &named {
            fresh.push(self.action_again(*number, rerun, cx.now)?);
        }
        self.move_to(cx, JobEvent::Rerun)?;
        let conf = rerun.conf.as_ref().filter(|conf| !conf.all().is_empty());
        let conf = conf.map(|conf| Arc::new(conf.clone()));
        for (number, action) in named.iter().copied().zip(fresh) {
            if !rerun.nocleanup && !rerun.failed {
                let uris = self.outputs_of(&action);
                if !uris.is_empty() {
                    cx.out.push(Command::Clean { action: self.action_id(number), uris });
                }
            }
            if let Some(conf) = &conf {
                self.rerun_confs.insert(number, conf.clone());
            }
            self.wait_again(cx, number, action, rerun);
        }
        self.schedule(cx);
        Ok(())
    }

    fn action_again(&self, number: u32, rerun: &ActionsRerun, now: Instant) -> Result<Action, EngineError> {
        let job = &self.program.job;
        let run = self.actions[number as usize - 1];
        let actual = if rerun.refresh { now } else { run.created };
        let options = self.options(actual);
        let action = Materializer::after(job, 0).again(job, number.into(), run.nominal, options);
        action.map_err(|finding| {
            refused(finding.oozie.first().copied().unwrap_or("E1018"), finding.message.as_str())
        })
    }

    /// What a rerun removes: outputs without `nocleanup`.
    fn outputs_of(&self, action: &Action) -> Texts {
        let kept = &self.program.kept_outputs;
        let outputs = action.outputs.iter().filter(|output| !kept.contains(&output.name));
        outputs.flat_map(|output| output.uris.iter().cloned()).collect::<Vec<Arc<str>>>().into()
    }

    fn wait_again(&mut self, cx: &mut Context<'_>, number: u32, action: Action, rerun: &ActionsRerun) {
        self.register_sla(cx, number, action.sla.as_ref());
        let was_ready = self.at(number).was_ready && !rerun.refresh;
        let properties = if was_ready { self.properties_again(number) } else { None };
        let wait = match was_ready {
            true => Wait::satisfied(properties),
            false => Wait::new(&self.program.job, action),
        };
        let now = cx.now;
        let run = self.at(number);
        if run.status == ActionStatus::TimedOut || rerun.refresh {
            run.created = now;
        }
        if !rerun.failed {
            run.workflow = None;
        }
        self.faults.remove(&number);
        if !was_ready {
            self.resolved.remove(&number);
        }
        self.set_pending(number, false);
        self.waits.insert(number, Box::new(wait));
        self.move_action(cx, number, ActionEvent::Rerun);
        self.begin_to_wait(cx, number);
    }
}
