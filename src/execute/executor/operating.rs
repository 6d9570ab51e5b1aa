//! What people ask for: submissions and operators' commands, from this process and from others.

use super::{Executor, broken};
use crate::engine::{EngineError, Event, JobId, Submit};
use crate::execute::requests::{self, Answer};
use crate::execute::rows;
use crate::execute::stub::Stubs;
use crate::host::ShellError;

impl Executor<'_> {
    /// Submits an app. With a name that is known, the job of that name.
    pub fn submit(&mut self, submit: Submit) -> Result<(JobId, bool), ShellError> {
        let stubs = self.options.stubs.clone();
        self.submit_with(submit, &stubs)
    }

    /// The same, of which some actions are not run.
    pub(super) fn submit_with(&mut self, submit: Submit, stubs: &Stubs) -> Result<(JobId, bool), ShellError> {
        let mut submit = submit;
        submit.server.get_or_insert_with(|| Box::new(self.options.server.clone()));
        if let Some(name) = &submit.external_id
            && let Some(job) = self.store.job_named(name)?
        {
            return Ok((job.id, true));
        }
        let number = self.engine.last_number() + 1;
        if let Some(name) = &submit.external_id {
            self.names.insert(number, name.to_string());
        }
        self.rehearse(number, stubs);
        self.tell(Event::Submit(submit)).map_err(broken)?;
        let job = [JobId::workflow(number), JobId::coordinator(number), JobId::bundle(number)]
            .into_iter()
            .find(|id| rows::is_known(&self.engine, *id))
            .ok_or_else(|| ShellError::usage("the app was not taken"))?;
        self.live.insert(number);
        self.batch.live.push(number);
        self.commit()?;
        Ok((job, false))
    }

    /// Tells the engine of what an operator wants; it is on disk when this returns.
    pub fn operate(&mut self, event: Event) -> Result<Result<(), EngineError>, ShellError> {
        let mut woken = None;
        if let Some(row) = event.job().and_then(|job| self.store.job(job.number).transpose()) {
            let root = row?.root;
            if !self.live.contains(&root) {
                // It was over, and may not be after this.
                if event.job().is_none_or(|job| !rows::is_known(&self.engine, job)) {
                    self.commit()?;
                    self.recall(&[root], false)?;
                }
                self.live.insert(root);
                woken = Some(root);
            }
        }
        let named = event.clone();
        let told = self.tell(event);
        if let Some(root) = woken {
            match told {
                Ok(()) => self.batch.live.push(root),
                Err(_) => drop(self.live.remove(&root)),
            }
        }
        self.commit()?;
        if told.is_ok() {
            self.has_named(&named)?;
        }
        Ok(told)
    }

    /// Answers what other processes ask.
    pub(super) fn serve(&mut self) -> Result<(), ShellError> {
        for (number, body) in self.store.requests()? {
            let answer = match requests::read(&body) {
                Err(words) => Answer::refused(words),
                Ok(request) => self.take(request)?,
            };
            self.batch.answers.push((number, answer.text()));
            self.commit()?;
        }
        Ok(())
    }
}
