//! Workflows that are run again as their files are now, which may have been mended since (`ReRunXCommand` reads the
//! definition again too).

use std::sync::Arc;

use super::{Executor, replay};
use crate::engine::{Conf, Event, Fault, JobId, WorkflowRerun};
use crate::shell::ShellError;
use crate::shell::run::requests::Request;

/// The property that leads to a workflow.
const APP_PATH: &str = "oozie.wf.application.path";

impl Executor<'_> {
    /// Does what an operator wants, or says why not; it is on disk when this returns.
    pub fn take(&mut self, request: Request) -> Result<Result<(), String>, ShellError> {
        let event = match request.event {
            Event::RerunWorkflow(job, rerun) if request.reads => match self.read_again(job, rerun)? {
                Ok(rerun) => Event::RerunWorkflow(job, rerun),
                Err(fault) => return Ok(Err(format!("{} ({})", fault.message, fault.code))),
            },
            event => event,
        };
        Ok(self.operate(event)?.map_err(|error| error.to_string()))
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
                other = replay(&self.store, &self.deployed, settings, &[row.root])?.0;
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
