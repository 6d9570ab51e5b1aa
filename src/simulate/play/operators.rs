//! What operators of a scenario do while an app is played.

use std::sync::Arc;

use super::{PlayError, Player};
use crate::engine::{Answer, Change, EngineError, Event, JobId};
use crate::simulate::app::Apps;
use crate::simulate::record::Operation;
use crate::simulate::scenario;
use crate::time::Instant;

impl<A: Apps + ?Sized> Player<'_, '_, A> {
    pub(super) fn operate(&mut self, index: usize) -> Result<(), PlayError> {
        let operator = &self.scenario.operators[index];
        let (target, job) = self.target(&operator.target);
        self.answer = None;
        let told = match (&operator.command, job) {
            (scenario::Command::Submit { start, external_id }, _) => {
                self.submit(*start, external_id.clone())?
            }
            (command, Ok(job)) => self.try_tell(event_of(command, job, self.now))?,
            (_, Err(why)) => {
                self.note(index, target, Some(why), false, None);
                return Ok(());
            }
        };
        let (refusal, unmet) = match told.err() {
            // A state in which the command has nothing to do is no refusal.
            Some(error @ (EngineError::NotAllowed { .. } | EngineError::Dropped(_))) => {
                (None, Some(error.to_string()))
            }
            error => (error.map(|error| error.to_string()), None),
        };
        let (refusal, does_nothing) = match self.answer.take() {
            Some(Answer::Refused(told)) => (Some(format!("{} ({})", told.message, told.code)), false),
            Some(Answer::Nothing) => (refusal, true),
            None => (refusal, unmet.is_some()),
        };
        self.note(index, target, refusal, does_nothing, unmet);
        Ok(())
    }

    /// Tells what was answered to the submission that no operator of the scenario makes.
    pub(super) fn note_submission(&mut self) {
        if let Some(Answer::Refused(told)) = self.answer.take() {
            let (at, target) = (self.now, self.app.names.app.to_string());
            let refusal = Some(format!("{} ({})", told.message, told.code));
            let (command, details, does_nothing) = ("submit", String::new(), false);
            let operation = Operation { at, command, target, details, refusal, does_nothing, unmet: None };
            self.recorder.operations.push(operation);
        }
    }

    fn note(
        &mut self,
        index: usize,
        target: String,
        refusal: Option<String>,
        does_nothing: bool,
        unmet: Option<String>,
    ) {
        self.last = self.now;
        let told = &self.scenario.operators[index].command;
        let (command, details) = (told.word(), told.details(self.app.zone));
        let at = self.now;
        let operation = Operation { at, command, target, details, refusal, does_nothing, unmet };
        self.recorder.operations.push(operation);
    }

    /// What an operator means, as it is called and as it is known; else why there is none.
    fn target(&self, target: &scenario::Target) -> (String, Result<JobId, String>) {
        let coordinator = |name: &Arc<str>| {
            let found = self.engine.coordinators().find(|job| job.program.job.name == *name);
            found.map(|job| job.id()).ok_or_else(|| format!("the coordinator `{name}` is not submitted yet"))
        };
        match target {
            scenario::Target::App => {
                let name = self.app.names.app.to_string();
                let job = self.job.ok_or_else(|| format!("`{name}` is not submitted yet"));
                (name, job)
            }
            scenario::Target::Coordinator(name) => (name.to_string(), coordinator(name)),
            scenario::Target::WorkflowOf(name, number) => {
                let shown = format!("{name}@{number}");
                let job = coordinator(name).and_then(|id| {
                    let action = self.engine.coordinator(id).and_then(|job| job.action(*number));
                    let workflow = action.and_then(|action| action.workflow).map(JobId::workflow);
                    workflow.ok_or_else(|| format!("`{shown}` has no workflow yet"))
                });
                (shown, job)
            }
            scenario::Target::Below(above, nodes) => {
                let (mut shown, mut job) = self.target(above);
                for node in nodes {
                    shown = format!("{shown}/{node}");
                    job = job.and_then(|id| {
                        let child = self.child(id, node).map(JobId::workflow);
                        child.ok_or_else(|| format!("`{shown}` runs no workflow yet"))
                    });
                }
                (shown, job)
            }
        }
    }

    /// The workflow that an action runs or ran as a sub-workflow.
    fn child(&self, id: JobId, node: &str) -> Option<u32> {
        let job = self.engine.workflow(id)?;
        job.node(job.program.find(node)?)?.facts.as_ref()?.child
    }
}

fn event_of(command: &scenario::Command, job: JobId, now: Instant) -> Event {
    use scenario::Command as Told;
    match command {
        Told::Submit { .. } | Told::Start => Event::Start(job),
        Told::Suspend => Event::Suspend(job),
        Told::Resume => Event::Resume(job),
        Told::Pause => Event::Change(job, Change { pause: Some(Some(now)), ..Change::default() }),
        Told::Kill => Event::Kill(job),
        Told::KillActions(scope) => Event::KillActions(job, scope.clone()),
        Told::Change(change) => Event::Change(job, change.clone()),
        Told::RerunActions(rerun) => Event::RerunActions(job, rerun.clone()),
        Told::RerunBundle(rerun) => Event::RerunBundle(job, rerun.clone()),
        Told::RerunWorkflow(rerun) => Event::RerunWorkflow(job, rerun.clone()),
        Told::Ignore => {
            let status = Some(crate::engine::status::JobStatus::Ignored);
            Event::Change(job, Change { status, ..Change::default() })
        }
        Told::IgnoreActions(scope) => Event::IgnoreActions(job, scope.clone()),
    }
}
