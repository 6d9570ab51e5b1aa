//! Planned coordinators for people: a summary, then each action; long lists of URIs are folded.

use crate::diag::Diagnostic;
use crate::plan::SlaRegistration;
use crate::plan::coordinator::{Action, CoordinatorJob, Event, SlaOutcome};
use crate::time::{Instant, ProcessingZone};

/// How many URIs of one event are shown unless all are wanted.
const SHOWN_URIS: usize = 4;

/// What is known before the first action.
pub fn summary(job: &CoordinatorJob, out: &mut String) {
    let every = match job.time_unit {
        crate::time::TimeUnit::Cron => format!("cron `{}`", job.frequency),
        unit => format!("every {} {}", job.frequency, unit.name().to_lowercase()),
    };
    out.push_str(&format!("coordinator {}\n", job.name));
    out.push_str(&format!("  {every}"));
    if job.end_of_duration != crate::time::EndOfDuration::None {
        out.push_str(&format!(", at the {}", job.end_of_duration.name().to_lowercase().replace('_', " ")));
    }
    out.push_str(&format!(", {}\n", job.timezone));
    out.push_str(&format!(
        "  from {} to {}, the end not included\n",
        time(job, job.start),
        time(job, job.end)
    ));
    out.push_str(&format!(
        "  timeout {} min, concurrency {}, throttle {}, {}\n",
        job.timeout_minutes,
        job.concurrency,
        job.throttle,
        job.execution.name()
    ));
    out.push_str(&format!("  workflow {}\n", job.app_path));
}

/// One action. `verbose` shows all URIs.
pub fn action(job: &CoordinatorJob, action: &Action, verbose: bool, out: &mut String) {
    out.push_str(&format!("\n#{} {}", action.number, time(job, action.nominal)));
    if action.actual != action.nominal {
        out.push_str(&format!(", created {}", time(job, action.actual)));
    }
    if let Some(ready) = action.ready {
        out.push_str(if ready { ", ready" } else { ", waiting" });
    }
    out.push('\n');
    action.inputs.iter().for_each(|event| write_event("in ", event, verbose, out));
    action.outputs.iter().for_each(|event| write_event("out", event, verbose, out));
    for (name, value) in action.configuration.iter().flatten() {
        let shown = if verbose { value.to_string() } else { fold(value) };
        out.push_str(&format!("  {name} = {shown}\n"));
    }
    match &action.sla {
        Some(SlaOutcome::Failed(failure)) => out.push_str(&format!("  sla: {}\n", failure.message)),
        Some(SlaOutcome::Registered(sla)) => {
            out.push_str(&format!("  sla{}\n", level(sla, &|at| time(job, at))));
        }
        None => {}
    }
    if let Some(failure) = &action.error {
        out.push_str(&format!("  error: {}\n", failure.message));
    }
}

/// What ended the plan early.
pub fn error(failure: &Diagnostic, out: &mut String) {
    out.push_str(&format!("\nthe plan ends here: {}\n", failure.message));
}

fn write_event(word: &str, event: &Event, verbose: bool, out: &mut String) {
    out.push_str(&format!("  {word} {} ({})\n", event.name, event.dataset));
    let shown = if verbose || event.uris.len() <= SHOWN_URIS { event.uris.len() } else { SHOWN_URIS - 1 };
    for uri in &event.uris[..shown] {
        out.push_str(&format!("      {uri}\n"));
    }
    if shown < event.uris.len() {
        out.push_str(&format!("      … and {} more\n", event.uris.len() - shown));
    }
    for expression in event.unresolved.iter().flat_map(|list| list.iter()) {
        out.push_str(&format!("      {expression}\n"));
    }
}

/// Only the beginning of a long list.
fn fold(value: &str) -> String {
    let count = value.matches(',').count() + 1;
    if value.len() <= 160 || count <= SHOWN_URIS {
        return value.to_owned();
    }
    let first: Vec<&str> = value.splitn(SHOWN_URIS, ',').take(SHOWN_URIS - 1).collect();
    format!("{},… and {} more", first.join(","), count - first.len())
}

/// A datetime, with the local time beside it where the zone is another one.
/// What a service level asks for.
pub(super) fn level(sla: &SlaRegistration, time: &dyn Fn(Instant) -> String) -> String {
    let mut out = String::new();
    if let Some(at) = sla.expected_start {
        out.push_str(&format!(", to start by {}", time(at)));
    }
    if let Some(at) = sla.expected_end {
        out.push_str(&format!(", to end by {}", time(at)));
    }
    if sla.expected_duration_millis >= 0 {
        let seconds = sla.expected_duration_millis / 1_000;
        let longest =
            if seconds % 60 == 0 { plural_of(seconds / 60, "minute") } else { plural_of(seconds, "second") };
        out.push_str(&format!(", to take at most {longest}"));
    }
    out
}

fn plural_of(count: i64, what: &str) -> String {
    super::plural(usize::try_from(count).unwrap_or(usize::MAX), what)
}

fn time(job: &CoordinatorJob, at: Instant) -> String {
    let processing: ProcessingZone = job.settings.processing;
    let text = processing.format(at);
    if job.zone.offset_millis(at) == i64::from(processing.offset_minutes()) * 60_000 {
        return text;
    }
    let local = job.zone.local(at);
    let (date, time) = (local.date, (local.hour, local.minute));
    format!(
        "{text} ({:04}-{:02}-{:02} {:02}:{:02} {})",
        date.year, date.month, date.day, time.0, time.1, job.timezone
    )
}
