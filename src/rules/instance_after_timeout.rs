//! An action waits for an instance that lies behind the default timeout.
//!
//! An action waits from its nominal time on for two hours where no `timeout` is written. An instance of a time after that
//! has no data yet when the action gives up, so every action times out unless it is made late. Name an earlier instance,
//! or write a timeout that is long enough; whether a written one is, `instance-never` says.
//!
//! ```xml
//! <instance>${coord:current(24)}</instance>   <!-- of an hourly dataset, in a daily coordinator -->
//! <instance>${coord:current(-1)}</instance>
//! ```

use super::{Check, Rule, Sink};
use crate::analysis::schedule::{Named, gather};
use crate::analysis::subject::Coordinator;
use crate::diag::{Diagnostic, Group, Info, Severity};

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "instance-after-timeout",
        group: Group::Meaning,
        severity: Severity::Warning,
        stage: None,
        mirrors: &[],
        explanation: include_str!("instance_after_timeout.rs"),
    },
    check: Check::Coordinator(check),
};

/// `oozie.service.coord.normal.default.timeout`
const DEFAULT_TIMEOUT_MINUTES: i64 = 120;
/// How many instances of one range are looked at.
const MAX_INSTANCES: usize = 5_000;

fn check(app: &Coordinator<'_>, sink: &mut Sink) {
    // A timeout that is written out is what `instance-never` looks at.
    if app.model.controls.timeout.is_some() {
        return;
    }
    let timeout = DEFAULT_TIMEOUT_MINUTES;
    let Some(first) = app.schedule.times(app.values).and_then(|mut times| times.next()?.ok()) else { return };
    for event in &app.inputs {
        let Some(series) = app.datasets.get(event.dataset.as_str()).and_then(|it| it.series.as_ref()) else {
            continue;
        };
        let ranges = event.named.iter().filter_map(|(named, span)| match named {
            Some(Named::Current(start, end)) => Some(((*start, *end), *span)),
            _ => None,
        });
        // Where the beginning of a range is not known, its end may be.
        let ends = event.last.filter(|_| event.named.iter().any(|(named, _)| named.is_none()));
        for (range, span) in ranges.chain(ends.map(|(end, span)| ((end, end), span))) {
            let instances = gather(series, &[range], std::iter::once(first.at), MAX_INSTANCES);
            let Some(last) = instances.last().filter(|last| **last > first.at.plus_minutes(timeout)) else {
                continue;
            };
            let zone = app.values.zone;
            let message = format!(
                "`{}` names the instance of {} for the action of {}, which waits {timeout} minutes",
                event.name,
                zone.format(*last),
                zone.format(first.at)
            );
            sink.push(
                Diagnostic::new(&RULE.info, span, message)
                    .help("name an earlier instance, or write a longer timeout"),
            );
        }
    }
}
