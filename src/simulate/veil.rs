//! Takes secrets out of what became of an app: URIs and the messages of errors may hold them. Whoever shows a simulation
//! need not think of it.

use std::borrow::Cow;
use std::sync::Arc;

use super::record::Simulation;
use crate::engine::Fault;
use crate::redact::Redactor;

impl Simulation {
    /// Puts stars in the place of secrets.
    pub(super) fn veil(&mut self, veil: &Redactor) {
        let of_text = |text: &mut Arc<str>| {
            if let Cow::Owned(stars) = veil.text(text) {
                *text = stars.into();
            }
        };
        let of_fault = |fault: &mut Fault| of_text(&mut fault.message);
        of_text(&mut self.app);
        for bundle in &mut self.bundles {
            of_text(&mut bundle.name);
            let refused = bundle.refused.iter_mut().map(|(_, fault)| fault);
            bundle.fault.iter_mut().chain(refused).for_each(of_fault);
        }
        for coordinator in &mut self.coordinators {
            of_text(&mut coordinator.name);
            coordinator.fault.iter_mut().for_each(of_fault);
            for action in &mut coordinator.actions {
                action.fault.iter_mut().for_each(of_fault);
                action.waits.iter_mut().map(|wait| &mut wait.uri).for_each(of_text);
            }
        }
        for workflow in &mut self.workflows {
            of_text(&mut workflow.name);
            workflow.fault.iter_mut().for_each(of_fault);
            workflow.runs.iter_mut().filter_map(|run| run.fault.as_deref_mut()).for_each(of_fault);
        }
        for it in &mut self.unfinished {
            if let Cow::Owned(stars) = veil.text(&it.reason) {
                it.reason = stars;
            }
        }
    }
}
