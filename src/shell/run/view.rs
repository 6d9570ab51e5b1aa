//! The jobs of one submission as their journal tells, for whoever only looks.

use std::path::PathBuf;
use std::rc::Rc;

use super::attempt::Attempt;
use super::deployed::Deployed;
use super::rows;
use crate::engine::{Engine, JobId};

/// Jobs that are looked at.
pub struct View {
    engine: Engine<Rc<Deployed>>,
    deployed: Rc<Deployed>,
    folder: PathBuf,
}

impl View {
    /// What an engine says after a replay, of a store in a folder.
    pub fn new(engine: Engine<Rc<Deployed>>, deployed: Rc<Deployed>, folder: PathBuf) -> View {
        View { engine, deployed, folder }
    }

    /// The engine.
    pub fn engine(&self) -> &Engine<Rc<Deployed>> {
        &self.engine
    }

    /// The text of a job's definition.
    pub fn definition(&self, id: JobId) -> Option<String> {
        self.deployed.definition(rows::key_of(&self.engine, id)?)
    }

    /// The attempts of a workflow's actions that are known, with the actions' names.
    pub fn attempts(&self, id: JobId) -> Vec<(String, Attempt)> {
        let Some(job) = self.engine.workflow(id) else { return Vec::new() };
        let folder = self.folder.join("work").join(id.number.to_string());
        let begun = job.nodes.iter().filter(|run| run.attempt > 0);
        begun
            .map(|run| {
                (job.node_name(run.node).to_string(), Attempt::new(folder.join(run.attempt.to_string())))
            })
            .collect()
    }
}
