//! Several actions write the same instance of a dataset.
//!
//! An hourly coordinator whose output is a daily dataset writes one folder twenty-four times: each action replaces what
//! the one before has written, or fails because it is there. Give the dataset the coordinator's frequency, or let the
//! coordinator run as seldom as there is an instance.
//!
//! ```xml
//! <coordinator-app frequency="${coord:hours(1)}" …> … <dataset name="report" frequency="${coord:days(1)}" …>
//! <coordinator-app frequency="${coord:hours(1)}" …> … <dataset name="report" frequency="${coord:hours(1)}" …>
//! ```

use super::{Check, Rule, Sink};
use crate::analysis::schedule::gather;
use crate::analysis::subject::Coordinator;
use crate::diag::{Diagnostic, Group, Info, Severity};
use crate::time::Instant;

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "output-overwritten",
        group: Group::Meaning,
        severity: Severity::Warning,
        stage: None,
        mirrors: &[],
        explanation: include_str!("output_overwritten.rs"),
    },
    check: Check::Coordinator(check),
};

/// How many actions are looked at.
const MAX_ACTIONS: usize = 50;
/// How many instances one action may write to be looked at.
const MAX_INSTANCES: usize = 1_000;

fn check(app: &Coordinator<'_>, sink: &mut Sink) {
    let Some(times) = app.schedule.times(app.values) else { return };
    let times: Vec<Instant> = times.take(MAX_ACTIONS).map_while(|time| Some(time.ok()?.at)).collect();
    for event in &app.outputs {
        let Some(dataset) = app.datasets.get(event.dataset.as_str()) else { continue };
        let (Some(series), Some(ranges)) = (&dataset.series, event.currents()) else { continue };
        // Ranges of one action overlap those of the next on purpose; a single instance does not.
        let [(_, span)] = event.named.as_slice() else { continue };
        if ranges.iter().any(|(start, end)| start != end) {
            continue;
        }
        let written = |at: Instant| gather(series, &ranges, std::iter::once(at), MAX_INSTANCES);
        let same = times.windows(2).find_map(|pair| {
            let (one, other) = (written(pair[0]), written(pair[1]));
            let instance = *one.first().filter(|_| one == other)?;
            Some((pair[0], pair[1], instance))
        });
        let Some((first, second, instance)) = same else { continue };
        let zone = app.values.zone;
        let message = format!(
            "the actions of {} and {} both write the instance of {}",
            zone.format(first),
            zone.format(second),
            zone.format(instance)
        );
        let mut finding = Diagnostic::new(&RULE.info, *span, message);
        for (place, words) in [
            (&app.model.frequency, "how often there is an action"),
            (&dataset.model.frequency, "how often there is an instance"),
        ] {
            if let Some(text) = place {
                finding = finding.label(text.span, words);
            }
        }
        sink.push(finding.help("give the dataset the frequency of the coordinator"));
    }
}
