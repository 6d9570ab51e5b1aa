//! What goes wrong in any action of a coordinator, not in the first alone.

use std::collections::BTreeSet;

use crate::diag::Diagnostic;
use crate::plan::coordinator::CoordinatorJob;
use crate::source::Span;

/// What goes wrong when the actions of a job are made and started, each fault once: in the first action, or where the first
/// one passes and a later one does not.
pub(super) fn faults(job: &CoordinatorJob) -> Vec<Diagnostic> {
    let mut seen: BTreeSet<(Span, &'static str)> = BTreeSet::new();
    let mut found = Vec::new();
    job.sample(|made| {
        let (faults, place) = match made {
            Err(fault) => (vec![fault], None),
            Ok(action) => {
                let mut faults: Vec<Diagnostic> = action.error.iter().cloned().collect();
                faults.extend(job.late_outputs(&action));
                faults.extend(job.late_inputs(&action));
                faults.extend(job.refused_logic(&action));
                faults.extend(action.sla_fault().cloned());
                (faults, (action.number > 1).then_some(action.nominal))
            }
        };
        for fault in faults {
            if seen.insert((fault.span, fault.rule.name)) {
                let zone = job.settings.processing;
                let later = place.map(|at| format!("from the action of {} on", zone.format(at)));
                found.push(match (later, &fault.label) {
                    (Some(later), None) => fault.at(later),
                    _ => fault,
                });
            }
        }
    });
    found
}
