//! A coordinator has a cron frequency and a `timezone` whose clocks differ from the server's.
//!
//! A cron runs in the server's processing timezone (UTC unless the server is set otherwise), not in the coordinator's
//! `timezone`: `0 10 * * *` means ten o'clock UTC. The `timezone` has one effect only: where a cron rests for a day or
//! more, its times follow daylight saving. Write the hours in UTC, or count in days with `coord:days` from a `start`
//! that lies at the right local time.
//!
//! ```xml
//! <coordinator-app frequency="0 10 * * *" timezone="America/New_York" …>              <!-- 05:00 in New York -->
//! <coordinator-app frequency="${coord:days(1)}" start="2024-01-01T15:00Z" timezone="America/New_York" …>  <!-- 10:00 -->
//! ```

use super::{Check, Rule, Sink};
use crate::analysis::dates::{changes, time};
use crate::analysis::subject::Coordinator;
use crate::analysis::templates::Place;
use crate::diag::{Diagnostic, Group, Info, Severity};
use crate::source::Text;
use crate::time::cron::Cron;
use crate::time::nominal::Rhythm;
use crate::time::{Instant, Zone};

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "cron-timezone",
        group: Group::Meaning,
        severity: Severity::Warning,
        stage: None,
        mirrors: &[],
        explanation: include_str!("cron_timezone.rs"),
    },
    check: Check::Coordinator(check),
};

fn check(app: &Coordinator<'_>, sink: &mut Sink) {
    let (Some(every), Some(zone)) = (&app.schedule.every, app.schedule.zone) else { return };
    let (Rhythm::Cron(cron), Some(text)) = (&every.rhythm, &app.model.frequency) else { return };
    let processing = app.values.zone;
    let start = app.schedule.start.unwrap_or(A_WINTER_DAY);
    let end = app.schedule.end.unwrap_or(start.plus_minutes(366 * 24 * 60));
    if !differs(zone, processing.zone(), start, end) || names_no_hour(app, text, cron, zone, start) {
        return;
    }
    let server = processing.id();
    let message = format!("the cron runs in {server}, not in `{}`", zone.id());
    let first = cron.next_after(start.plus_minutes(-1), processing).ok();
    let mut finding = Diagnostic::new(&RULE.info, text.span, message);
    if let Some(first) = first {
        let (there, here) = (processing.zone().local(first), zone.local(first));
        finding = finding.at(format!("{} {server} is {} in `{}`", time(there), time(here), zone.id()));
    }
    if let Some(timezone) = &app.model.timezone {
        let has_effect = !changes(zone, start, end).is_empty();
        let effect = if has_effect {
            "this only lets times follow daylight saving"
        } else {
            "this has no effect on a cron"
        };
        finding = finding.label(timezone.span, effect);
    }
    sink.push(finding.help(format!("write the hours in {server}, or count in days with `coord:days`")));
}

/// 1 January 2024: where the start is not known.
const A_WINTER_DAY: Instant = Instant::from_seconds(1_704_067_200);

fn differs(zone: Zone, server: Zone, start: Instant, end: Instant) -> bool {
    let differ = |at: Instant| zone.offset_millis(at) != server.offset_millis(at);
    differ(start) || changes(zone, start, end).iter().any(|change| differ(change.at))
}

/// A cron that says `*` for everything but the minutes is the same in all zones that differ by whole hours.
fn names_no_hour(app: &Coordinator<'_>, text: &Text, cron: &Cron, zone: Zone, start: Instant) -> bool {
    let value = app.values.trimmed(text, Place::Frequency).unwrap_or_default();
    let mut fields = cron.fields()[1..].iter().map(|range| value.get(range.clone()).unwrap_or(""));
    fields.all(|field| matches!(field, "*" | "?" | "*/1" | "0/1"))
        && zone.offset_millis(start) % 3_600_000 == 0
}
