//! What changes between two simulations, as text and as JSON.

use std::fmt::Write;

use serde_json::{Value, json};

use crate::engine::status::ActionStatus;
use crate::simulate::against::{Comparison, Shift};
use crate::simulate::moment;
use crate::simulate::record::VERSION;
use crate::time::{Instant, ProcessingZone};

/// More lines are counted, unless everything is asked for.
const MAX_LINES: usize = 60;

/// For people. `verbose`: every line.
pub fn text(comparison: &Comparison, zone: ProcessingZone, verbose: bool, out: &mut String) {
    let counts = comparison.counts;
    let _ = writeln!(
        out,
        "of {} actions, {} end in another state, {} end later and {} earlier; {} are in one of the two only",
        counts.both, counts.otherwise, counts.later, counts.earlier, counts.single
    );
    let (before, after) = comparison.missed;
    if before + after > 0 {
        let _ = writeln!(out, "service levels missed: {before}, then {after}");
    }
    for (name, before, after) in &comparison.jobs {
        let _ = writeln!(out, "{name}: {} → {}", before.unwrap_or("none"), after.unwrap_or("none"));
    }
    let most = if verbose { usize::MAX } else { MAX_LINES };
    let mut last = None;
    for shift in comparison.actions.iter().take(most) {
        if last.replace(&shift.coordinator) != Some(&shift.coordinator) {
            let _ = writeln!(out, "\ncoordinator {}", shift.coordinator);
        }
        let time = |at: Instant| moment::shown(at, zone);
        let (numbers, times) = match shift.first == shift.last {
            true => (format!("@{}", shift.first), time(shift.from)),
            false => (
                format!("@{}-{}", shift.first, shift.last),
                format!("{} … {}", time(shift.from), time(shift.to)),
            ),
        };
        let _ = writeln!(out, "  {numbers:<12} {times:<38} {}", words(shift));
    }
    if comparison.actions.len() > most {
        let _ = writeln!(out, "  and {} more (all with -v)", comparison.actions.len() - most);
    }
}

fn words(shift: &Shift) -> String {
    let name = |status: Option<ActionStatus>| status.map_or("none", ActionStatus::name);
    let length = moment::duration(shift.later_millis.abs());
    let later = match shift.later_millis {
        0 => String::new(),
        millis if millis > 0 => format!("{length} later"),
        _ => format!("{length} earlier"),
    };
    if shift.before == shift.after {
        return format!("{} {later}", name(shift.after));
    }
    let gap = if later.is_empty() { "" } else { ", " };
    format!("{} → {}{gap}{later}", name(shift.before), name(shift.after))
}

/// For programs.
pub fn json(comparison: &Comparison, zone: ProcessingZone) -> Value {
    let time = |at: Instant| moment::shown(at, zone);
    let counts = comparison.counts;
    let jobs = comparison
        .jobs
        .iter()
        .map(|(name, before, after)| json!({ "name": &**name, "before": before, "after": after }));
    let actions = comparison.actions.iter().map(|shift| {
        json!({
            "coordinator": &*shift.coordinator,
            "first": shift.first,
            "last": shift.last,
            "from": time(shift.from),
            "to": time(shift.to),
            "before": shift.before.map(ActionStatus::name),
            "after": shift.after.map(ActionStatus::name),
            "laterSeconds": shift.later_millis / 1000,
        })
    });
    json!({
        "version": VERSION,
        "counts": {
            "both": counts.both,
            "otherwise": counts.otherwise,
            "later": counts.later,
            "earlier": counts.earlier,
            "single": counts.single,
        },
        "slaMissed": { "before": comparison.missed.0, "after": comparison.missed.1 },
        "jobs": jobs.collect::<Vec<_>>(),
        "actions": actions.collect::<Vec<_>>(),
    })
}
