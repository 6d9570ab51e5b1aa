//! Who only looks at what happens: the engine as it stands, and what runs in processes.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::Executor;
use crate::engine::status::{JobStatus, NodeStatus};
use crate::engine::workflow::NodeRun;
use crate::engine::{Engine, JobId, JobKind, NodeId};
use crate::execute::attempt::LOST;
use crate::execute::deployed::Deployed;
use crate::execute::rows;
use crate::redact::Redactor;
use crate::report::waits::{self, Style};
use crate::time::Instant;

/// What is to be seen.
pub struct Glance<'g> {
    /// The jobs.
    pub engine: &'g Engine<Rc<Deployed>>,
    /// Actions that run in processes, with their attempts.
    pub running: &'g BTreeMap<NodeId, u32>,
    /// How many may.
    pub jobs: usize,
    /// The present.
    pub now: Instant,
    /// What must not be shown.
    pub veil: &'g Redactor,
}

/// Looks whenever the executor is about to wait; it decides itself how often that matters.
pub type Glancer<'g> = &'g mut dyn FnMut(Glance<'_>);

impl<'x> Executor<'x> {
    /// Lets somebody look.
    pub fn let_look(&mut self, glancer: Glancer<'x>) {
        self.glancer = Some(glancer);
    }

    /// What must not be shown of the jobs that are known.
    pub fn veil(&self) -> &Redactor {
        self.secrets.veil()
    }

    /// The jobs of what is looked after, in order.
    pub fn jobs(&self) -> Vec<JobId> {
        let numbers =
            self.roots.iter().filter(|(_, root)| self.live.contains(root)).map(|(number, _)| *number);
        numbers.filter_map(|number| rows::id_of(&self.engine, number)).collect()
    }

    /// What jobs wait for as a whole, a line each. A coordinator or a bundle that stands still because an action was lost
    /// goes on when the workflow of that action is named: to resume it changes nothing.
    pub fn waiting(&self, style: Style<'_>) -> String {
        let is_lost = |run: &NodeRun| {
            let fault = run.facts.as_ref().and_then(|facts| facts.fault.as_ref());
            run.status == NodeStatus::StartManual && fault.is_some_and(|fault| &*fault.code == LOST)
        };
        let mut lost = BTreeMap::new();
        for job in self.engine.workflows().filter(|job| job.nodes.iter().any(is_lost)) {
            if let Some(root) = self.roots.get(&job.number) {
                lost.entry(*root).or_insert(job.id());
            }
        }
        let mut lines = String::new();
        for id in self.jobs() {
            let Some(mut what) = waits::of_job(&self.engine, id, style) else { continue };
            let below = self.roots.get(&id.number).and_then(|root| lost.get(root));
            if let (Some(workflow), JobKind::Coordinator | JobKind::Bundle) = (below, id.kind) {
                what = format!(
                    "somebody to look at the lost action of {workflow}, then `ankus job {workflow} resume`"
                );
            }
            lines.push_str(&format!("\n  {id} waits for {}", self.veil().text(&what)));
        }
        lines
    }

    /// Whether a coordinator of a submission has finished in another way than by success.
    pub fn has_failed_below(&self, root: u32) -> bool {
        let of_root = |number: u32| self.roots.get(&number) == Some(&root);
        let has_failed = |status: JobStatus| status.is_terminal() && status != JobStatus::Succeeded;
        self.engine.coordinators().any(|job| of_root(job.id().number) && has_failed(job.status))
    }

    pub(super) fn glance(&mut self) {
        if let Some(glancer) = &mut self.glancer {
            let (running, jobs, now) = (&self.running, self.options.jobs, self.clock.now());
            glancer(Glance { engine: &self.engine, running, jobs, now, veil: self.secrets.veil() });
        }
    }
}
