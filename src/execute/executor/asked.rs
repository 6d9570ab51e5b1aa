//! What operators ask for, among it submissions that another process has planned, and workflows that are run again as
//! their files are now, which may have been mended since (`ReRunXCommand` reads the definition again too).

use std::sync::Arc;

use super::{Executor, replay};
use crate::engine::{Change, Conf, Event, Fault, JobId, PlannedWorkflow, Submission, Submit, WorkflowRerun};
use crate::execute::requests::{Answer, Request};
use crate::execute::stub::Stubs;
use crate::host::ShellError;

/// The property that leads to a workflow.
const APP_PATH: &str = "oozie.wf.application.path";

/// How soon a pause begins that is to begin now, in milliseconds: a server refuses one that lies in the past (`E1317`).
const SOON_MILLIS: i64 = 1_000;

impl Executor<'_> {
    /// Does what an operator wants, or says why not; it is on disk when this returns.
    pub fn take(&mut self, request: Request) -> Result<Answer, ShellError> {
        let event = match request.event {
            Event::Submit(submit) => return self.take_submission(submit, request.recipe),
            Event::RerunWorkflow(job, rerun) if request.reads => match self.read_again(job, rerun)? {
                Ok(rerun) => Event::RerunWorkflow(job, rerun),
                Err(fault) => return Ok(refused(&fault)),
            },
            Event::Change(job, change) if request.is_now => {
                let pause = Some(Some(self.clock.now().plus_millis(SOON_MILLIS)));
                Event::Change(job, Change { pause, ..change })
            }
            event => event,
        };
        let done = self.operate(event)?;
        self.end_what_is_killed()?;
        Ok(done.map_or_else(|error| Answer::refused(error.to_string()), |()| Answer::done()))
    }

    /// Submits what another process has planned.
    fn take_submission(&mut self, submit: Submit, recipe: Option<String>) -> Result<Answer, ShellError> {
        let read = |text: String| serde_json::from_str(&text).map_err(|error| error.to_string());
        let recipe = match recipe.ok_or_else(|| "it has no recipe".to_owned()).and_then(read) {
            Ok(recipe) => recipe,
            Err(words) => return Ok(Answer::refused(format!("the request cannot be read: {words}"))),
        };
        let key = match self.deployed.keep(recipe) {
            Ok(key) => key,
            Err(fault) => return Ok(refused(&fault)),
        };
        let program = match submit.program {
            Submission::Workflow(planned) => {
                Submission::Workflow(PlannedWorkflow { program: key, ..planned })
            }
            Submission::Coordinator(_) => Submission::Coordinator(key),
            Submission::Bundle(_) => Submission::Bundle(key),
        };
        let (job, existed) = self.submit_with(Submit { program, ..submit }, &Stubs::default())?;
        Ok(Answer::submitted(job, existed))
    }

    /// The rerun with the definition as it is now. Only what differs from the old configuration stays in it.
    fn read_again(
        &self,
        job: JobId,
        rerun: WorkflowRerun,
    ) -> Result<Result<WorkflowRerun, Fault>, ShellError> {
        let unknown = || Ok(Err(Fault::new("E0604", format!("there is no job `{job}`"))));
        let Some(row) = self.store.job(job.number)? else { return unknown() };
        let other;
        // A submission that is over is not at hand.
        let engine = match self.engine.workflow(job) {
            Some(_) => &self.engine,
            None => {
                let settings = self.engine.settings().clone();
                other = replay(&self.store, &self.deployed, settings, &[row.root], false)?.0;
                &other
            }
        };
        let Some(known) = engine.workflow(job) else { return unknown() };
        let old = engine.conf_of(job).unwrap_or_default();
        let mut conf = Conf::over(&old);
        conf.extend(rerun.conf.iter().flat_map(Conf::all));
        let conf = Arc::new(conf);
        let moved = rerun.conf.as_ref().and_then(|own| own.raw(APP_PATH)).map(|_| ());
        let app_path = moved.and_then(|()| conf.get(APP_PATH));
        let planned = match self.deployed.plan_again(&known.key, app_path.as_deref(), &conf) {
            Ok(planned) => planned,
            Err(fault) => return Ok(Err(fault)),
        };
        let new = planned.conf.unwrap_or(conf);
        let differs = |(name, value): &(&str, &str)| old.raw(name) != Some(value);
        let own: Vec<(String, String)> = new
            .all()
            .into_iter()
            .filter(differs)
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect();
        let conf = (!own.is_empty()).then(|| Conf::new(own));
        Ok(Ok(WorkflowRerun { conf, program: Some(planned.program), ..rerun }))
    }
}

fn refused(fault: &Fault) -> Answer {
    Answer::refused(format!("{} ({})", fault.message, fault.code))
}
