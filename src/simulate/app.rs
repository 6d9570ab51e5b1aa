//! What is simulated: an app that was submitted, and whoever plans what it leads to.

use std::sync::Arc;

use super::scenario::Names;
use crate::engine::{Conf, CoordinatorProgram, Fault, Key, PlannedWorkflow, Plans, Server, Submission};
use crate::time::{Instant, ProcessingZone};

/// Plans what the engine asks for. The same question has the same answer.
pub trait Apps: Plans {
    /// A coordinator of a bundle.
    fn plan_coordinator(&self, bundle: &str, child: u32) -> Result<Key, Fault>;

    /// A workflow; `above` is the program of the one that runs it as a sub-workflow.
    fn plan_workflow(
        &self,
        app_path: &str,
        conf: &Arc<Conf>,
        above: Option<&str>,
    ) -> Result<PlannedWorkflow, Fault>;

    /// Whether something was deployed with the workflow at a path: a file or folder by its path below that.
    fn deploys(&self, app_path: &str, below: &str) -> bool {
        let _ = (app_path, below);
        false
    }

    /// Hears from time to time how far a play has come.
    fn passes(&self, now: Instant) {
        let _ = now;
    }
}

/// An app.
#[derive(Clone, Debug)]
pub struct App {
    /// What it is called, and what a scenario may name.
    pub names: Names,
    /// Its submission.
    pub submission: Submission,
    /// The coordinators that it runs.
    pub coordinators: Vec<Arc<CoordinatorProgram>>,
    /// The server's processing timezone.
    pub zone: ProcessingZone,
    /// The server that it lives on.
    pub server: Server,
    /// When it is submitted, unless somebody says otherwise.
    pub begin: Instant,
}
