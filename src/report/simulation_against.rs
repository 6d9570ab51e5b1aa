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
    if counts.both + counts.single > 0 {
        let _ = writeln!(
            out,
            "of {} actions, {} end in another state, {} end later and {} earlier; {} are in one of the two only",
            counts.both, counts.otherwise, counts.later, counts.earlier, counts.single
        );
    } else if comparison.jobs.is_empty() {
        out.push_str("no job ends in another state or at another time\n");
    }
    let (before, after) = comparison.missed;
    if before + after > 0 {
        let _ = writeln!(out, "service levels missed: {before}, then {after}");
    }
    for job in &comparison.jobs {
        let words = change(job.before, job.after, job.later_millis);
        let _ = writeln!(out, "{}: {words}", job.name);
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
    let name = |status: Option<ActionStatus>| status.map(ActionStatus::name);
    change(name(shift.before), name(shift.after), shift.later_millis)
}

/// From one state to another, and how much later.
fn change(before: Option<&str>, after: Option<&str>, later_millis: i64) -> String {
    let (one, other) = (before.unwrap_or("none"), after.unwrap_or("none"));
    let length = moment::duration(later_millis.abs());
    let later = match later_millis {
        0 => String::new(),
        millis if millis > 0 => format!("{length} later"),
        _ => format!("{length} earlier"),
    };
    if before == after {
        return format!("{other} {later}");
    }
    let gap = if later.is_empty() { "" } else { ", " };
    format!("{one} → {other}{gap}{later}")
}

/// For programs.
pub fn json(comparison: &Comparison, zone: ProcessingZone) -> Value {
    let time = |at: Instant| moment::shown(at, zone);
    let counts = comparison.counts;
    let jobs = comparison.jobs.iter().map(|job| {
        let later = job.later_millis / 1000;
        json!({ "name": &*job.name, "before": job.before, "after": job.after, "laterSeconds": later })
    });
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
