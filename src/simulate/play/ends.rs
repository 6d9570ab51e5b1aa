//! How actions end, what is forgotten while an app is played, and what is gathered when that is over.

use super::{PlayError, Player};
use crate::engine::{Event, JobId, NodeEnd, NodeId};
use crate::plan::workflow::{ProgramKind, counters_of};
use crate::simulate::app::Apps;
use crate::simulate::record::{Simulation, Stop};
use crate::simulate::scenario::Way;
use crate::simulate::unfinished;

impl<A: Apps + ?Sized> Player<'_, '_, A> {
    /// Lets the engine forget workflows that are done for good, which the record knows. They go in the order of their
    /// numbers, as far as all are over, so that secrets are learnt in the order in which they are learnt without this.
    pub(super) fn forget(&mut self) {
        if self.checker.is_some() || !self.scenario.operators.is_empty() {
            return;
        }
        while self.forgotten < self.engine.last_number() {
            let number = self.forgotten + 1;
            let id = JobId::workflow(number);
            if self.engine.workflow(id).is_some_and(|job| !job.status.is_terminal()) {
                break;
            }
            self.secrets.look_to(number, &self.engine);
            if self.engine.forget(id) && self.options.is_summary {
                self.recorder.drop_ordinary(id);
            }
            self.forgotten = number;
        }
    }

    /// How an action ends.
    pub(super) fn end(&self, node: NodeId, attempt: u32) -> Result<Event, PlayError> {
        let fate = self.fate(node, self.recorder.attempts(node))?;
        let ok = fate.way == Way::Ok;
        // What it is after an end that is well the engine knows by itself.
        let job = self.engine.workflow(node.job());
        let external_status = (!ok).then(|| super::hadoop::failed(job));
        let stats = fate.counters.or_else(|| match &job?.program.nodes.get(node.node as usize)?.kind {
            ProgramKind::Action(action) => counters_of(&action.kind, ok).map(Into::into),
            _ => None,
        });
        let (fault, data) = (fate.fault, fate.output);
        let end = NodeEnd { ok, external_status, fault, data, stats, ..NodeEnd::default() };
        Ok(Event::NodeEnded { node, attempt, end })
    }

    pub(super) fn finish(mut self, stop: Stop) -> Result<Simulation, PlayError> {
        let end = match stop {
            // What has come since, such as the end of an action that was killed, has changed nothing.
            Stop::Complete => self.last,
            Stop::Until | Stop::HorizonDays | Stop::HorizonActions => self.now.max(self.options.begin),
        };
        self.world.now = end;
        self.note_ends();
        let unfinished = unfinished::list(&self.engine, &self.world, self.app.zone);
        if let Some(checker) = &self.checker {
            checker.finish(end, self.events, &self.engine, &unfinished).map_err(PlayError::Violation)?;
        }
        let mut recorder = self.recorder;
        recorder.move_together();
        let mut simulation = Simulation {
            app: self.app.names.app.clone(),
            kind: self.app.names.kind,
            zone: self.app.zone,
            seed: self.options.seed,
            begin: self.options.begin,
            end,
            stop,
            events: self.events,
            bundles: recorder.bundles,
            coordinators: recorder.coordinators,
            workflows: recorder.workflows,
            sla: recorder.sla,
            operations: recorder.operations,
            unfinished,
        };
        match self.listen {
            Some(_) => self.secrets.look(&self.engine),
            // Actions of jobs that are known may have captured something since.
            None => self.secrets.look_again(&self.engine),
        }
        simulation.veil(self.secrets.veil());
        Ok(simulation)
    }

    /// What is known of jobs only in the end: why they failed, and which actions were removed again.
    fn note_ends(&mut self) {
        self.recorder.note_open(&self.engine);
        for coordinator in &mut self.recorder.coordinators {
            let Some(job) = self.engine.coordinator(coordinator.id) else { continue };
            coordinator.fault = job.fault.clone();
            for action in coordinator.actions.iter_mut().skip(job.actions.len()) {
                action.is_removed = true;
            }
        }
        for bundle in &mut self.recorder.bundles {
            let Some(job) = self.engine.bundle(bundle.id) else { continue };
            bundle.fault = job.fault.clone();
            for (child, run) in job.program.children.iter().zip(&job.children) {
                let fault = run.as_ref().and_then(|run| run.fault.clone());
                bundle.refused.extend(fault.map(|fault| (child.name.clone(), fault)));
            }
        }
    }
}
