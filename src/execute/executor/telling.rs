//! Events into the engine, and what has happened onto the disk.

use std::collections::BTreeSet;

use super::{Executor, broken, chores};
use crate::engine::status::NodeStatus;
use crate::engine::{Changed, Command, EngineError, Event, JobId, Question, Recorded, VERSION};
use crate::execute::rows;
use crate::execute::store::{Entry, JobRow};
use crate::host::ShellError;
use crate::report::run_lines::Heard;

impl Executor<'_> {
    /// Tells the engine something, and remembers it for the next batch.
    pub(super) fn tell(&mut self, event: Event) -> Result<(), EngineError> {
        let now = self.clock.now();
        let last = self.engine.last_number();
        let kept = event.clone();
        let commands = self.engine.handle(now, event)?;
        self.unanswered.take(now, &kept, &commands);
        self.secrets.hear(&kept);
        self.secrets.carry_out(&commands, &self.engine);
        let newest = self.engine.last_number();
        let root = match kept.job() {
            Some(job) => self.roots.get(&job.number).copied(),
            None if newest > last => Some(last + 1),
            None => None,
        };
        for number in last + 1..=newest {
            self.roots.insert(number, root.unwrap_or(number));
            self.changed.insert(number);
        }
        for command in &commands {
            match command {
                Command::Changed(changed) => {
                    self.changed.insert(job_of(*changed).number);
                    if let Changed::Node(node, _, NodeStatus::Killed) = changed {
                        self.killed.push(*node);
                    }
                }
                Command::Clean { .. } | Command::Notify { .. } => {
                    if let Some(body) = chores::chore(command) {
                        self.batch.chores.push((root.unwrap_or_default(), body));
                    }
                }
                Command::Submitted { .. }
                | Command::Took(_)
                | Command::Answered(_)
                | Command::Created { .. }
                | Command::Bound { .. } => {}
                Command::Sla(event) => {
                    let body = self.alert(event).map(|body| (root.unwrap_or_default(), body));
                    self.batch.chores.extend(body);
                }
                command => self.open.push_back(command.clone()),
            }
        }
        if let Some(job) = kept.job() {
            self.changed.insert(job.number);
        }
        let recorded = Recorded { version: VERSION, at: now, event: kept };
        self.batch.entries.push(Entry { root, last, recorded: recorded.clone() });
        if self.listen.is_some() {
            self.told.push((recorded, commands));
        }
        Ok(())
    }

    /// Tells the engine news that may be too late to matter.
    pub(super) fn tell_or_drop(&mut self, event: Event) -> Result<(), ShellError> {
        match self.tell(event) {
            Ok(()) | Err(EngineError::Stale { .. } | EngineError::NotAllowed { .. }) => Ok(()),
            Err(error) => Err(broken(error)),
        }
    }

    /// Puts what has happened on disk.
    pub(super) fn commit(&mut self) -> Result<(), ShellError> {
        self.batch.programs = self.deployed.take_new();
        let changed = std::mem::take(&mut self.changed);
        self.secrets.look(&self.engine);
        for number in changed {
            let root = self.roots.get(&number).copied().unwrap_or(number);
            let name = self.names.remove(&number);
            let row =
                rows::row(&self.engine, &self.deployed, number, root, name, self.clock.now()).map(|row| {
                    // Rows are for lists; a list does not look through the journal for what it must not show.
                    let shown = self.secrets.veil().text(&row.name).into_owned();
                    JobRow { name: shown, ..row }
                });
            self.batch.jobs.extend(row);
        }
        if self.batch.is_empty() {
            return Ok(());
        }
        let batch = std::mem::take(&mut self.batch);
        self.store.commit(&batch)?;
        for (recorded, commands) in std::mem::take(&mut self.told) {
            if let Some(listen) = &mut self.listen {
                let (engine, veil) = (&self.engine, self.secrets.veil());
                let said = &self.said;
                listen(Heard { recorded: &recorded, commands: &commands, engine, veil, said });
            }
        }
        self.said.clear();
        for node in std::mem::take(&mut self.killed) {
            self.end_left(node);
        }
        if !batch.chores.is_empty() {
            self.chores()?;
            if !self.batch.done.is_empty() {
                // Nobody does it once more.
                return self.commit();
            }
        }
        Ok(())
    }

    /// Takes leave of what is over.
    pub fn retire(&mut self) -> Result<(), ShellError> {
        let over: Vec<u32> =
            self.live.iter().copied().filter(|root| rows::is_over(&self.engine, *root)).collect();
        let busy: BTreeSet<u32> = if over.is_empty() {
            BTreeSet::new()
        } else {
            let asked = self.unanswered.in_order().into_iter().map(|(question, _)| question);
            // What somebody would have looked at or planned for it matters no more.
            let asked = asked
                .filter(|asked| matches!(asked, Question::Run(_) | Question::End(_) | Question::Kill(_)));
            let asked = asked.filter_map(|question| self.roots.get(&question.job().number).copied());
            // A job that is over stays so while one below it runs again.
            let open = rows::open(&self.engine).filter_map(|number| self.roots.get(&number).copied());
            asked.chain(open).collect()
        };
        for root in over {
            if !busy.contains(&root) {
                self.live.remove(&root);
                self.batch.over.push(root);
            }
        }
        self.commit()
    }
}

fn job_of(changed: Changed) -> JobId {
    match changed {
        Changed::Job(job, ..) | Changed::Workflow(job, ..) => job,
        Changed::Action(action, ..) => action.job(),
        Changed::Node(node, ..) => node.job(),
    }
}
