//! Nominal times shift, double or vanish where the clocks of the coordinator's zone change.
//!
//! A daily coordinator at 02:30 has no such time on the day on which clocks go from 02:00 to 03:00: Java moves the
//! action by an hour. A cron that rests for a day or more follows daylight saving, a denser one does not; where one cron does
//! both, some of its times follow and others stay, and two of them may even fall together. The finding lists the dates
//! within the coordinator's range. Where a coordinator runs many times a day it only notes (as an info) which local
//! times are left out or come twice. Choose a local time outside the hours in which clocks change, or UTC.
//!
//! ```xml
//! <coordinator-app frequency="${coord:days(1)}" start="2024-01-01T10:30Z" timezone="America/Los_Angeles" …>  <!-- 02:30 -->
//! <coordinator-app frequency="${coord:days(1)}" start="2024-01-01T12:30Z" timezone="America/Los_Angeles" …>  <!-- 04:30 -->
//! ```

use super::{Check, Rule, Sink};
use crate::analysis::dates::{changes, day, day_and_time, list, time as clock};
use crate::analysis::subject::Coordinator;
use crate::diag::{Diagnostic, Group, Info, Severity};
use crate::time::civil::Local;
use crate::time::nominal::Rhythm;
use crate::time::zone::Wall;
use crate::time::{EndOfDuration, Instant, Unit, Zone};

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "dst-gap",
        group: Group::Meaning,
        severity: Severity::Warning,
        stage: None,
        mirrors: &[],
        explanation: include_str!("dst_gap.rs"),
    },
    check: Check::Coordinator(check),
};

/// How many nominal times are looked at.
const MAX_TIMES: usize = 20_000;
/// How many dates are kept for the count of them.
const MAX_KEPT: usize = 1_000;
const DAY_MILLIS: i64 = 86_400_000;

/// What happens to nominal times, each with its dates.
#[derive(Default)]
struct Found {
    shifted: Vec<String>,
    twice: Vec<String>,
    left_out: Vec<String>,
    together: Vec<String>,
    following: Vec<String>,
    staying: Vec<String>,
}

fn check(app: &Coordinator<'_>, sink: &mut Sink) {
    let schedule = &app.schedule;
    let (Some(every), Some(zone), Some(start), Some(text)) =
        (&schedule.every, schedule.zone, schedule.start, &app.model.frequency)
    else {
        return;
    };
    let Some(end) = schedule.end else { return };
    let mut found = Found::default();
    match &every.rhythm {
        Rhythm::Steps { count, unit: Unit::Minute } => {
            let step = i64::from(*count) * 60_000;
            // Times of day only: others wander through the day anyhow.
            if step < DAY_MILLIS && DAY_MILLIS % step == 0 {
                found.of_a_day(start, end, step, zone);
            }
        }
        Rhythm::Steps { .. } => found.of_the_calendar(app, zone, every.end),
        Rhythm::Cron(_) => found.of_a_cron(app, zone, start),
    }
    let Some((message, is_grave)) = found.message(zone) else { return };
    let severity = if is_grave { Severity::Warning } else { Severity::Info };
    let mut finding = Diagnostic::new(&RULE.info, text.span, message).severity(severity);
    if let Some(timezone) = &app.model.timezone {
        finding = finding.label(timezone.span, "clocks change here");
    }
    sink.push(if is_grave {
        finding.help("choose a local time at which clocks do not change")
    } else {
        finding
    });
}

impl Found {
    /// Steps of minutes within a day: which local times are left out, and which come twice.
    fn of_a_day(&mut self, start: Instant, end: Instant, step: i64, zone: Zone) {
        for change in changes(zone, start, end) {
            let moved = (change.after - change.before).abs();
            let steps = (change.at.millis_since(start) + step - 1) / step;
            let first = start.plus_millis(steps * step);
            let hits = (0..).map(|index| first.plus_millis(index * step));
            let hits = hits.take_while(|at| at.millis_since(change.at) < moved && *at < end);
            for at in hits.take(MAX_KEPT) {
                if change.after > change.before {
                    self.left_out.push(day_and_time(Local::at_offset(at, change.before)));
                } else if moved % step == 0 {
                    self.twice.push(day_and_time(zone.local(at)));
                }
            }
        }
    }

    /// Steps of days or more: which times the zone skips or has twice.
    fn of_the_calendar(&mut self, app: &Coordinator<'_>, zone: Zone, end: EndOfDuration) {
        let Some(times) = app.schedule.times(app.values) else { return };
        let mut usual: Option<Local> = None;
        for time in times.take(MAX_TIMES).map_while(Result::ok) {
            let local = zone.local(time.at);
            // The start of a period is midnight, even where the first one is not.
            let hour = match end {
                EndOfDuration::None => *usual.get_or_insert(local),
                _ => Local { hour: 0, minute: 0, second: 0, milli: 0, ..local },
            };
            let wanted = Local { date: local.date, ..hour };
            if wanted.millis_of_day() != local.millis_of_day() {
                if self.shifted.len() < MAX_KEPT {
                    self.shifted.push(format!("{} at {}", day(local), clock(local)));
                }
            } else if matches!(zone.wall(local.local_millis()), Wall::Twice(..))
                && self.twice.len() < MAX_KEPT
            {
                self.twice.push(day_and_time(local));
            }
        }
    }

    /// A cron: whether some times follow daylight saving and others do not, and whether some fall together.
    fn of_a_cron(&mut self, app: &Coordinator<'_>, zone: Zone, start: Instant) {
        let Some(times) = app.schedule.times(app.values) else { return };
        let is_dst = zone.is_dst(start);
        let mut before: Option<Instant> = None;
        for time in times.take(MAX_TIMES).map_while(Result::ok) {
            let text = || day_and_time(zone.local(time.at));
            if before.is_some_and(|before| time.at <= before) && self.together.len() < MAX_KEPT {
                self.together.push(text());
            }
            before = Some(time.at);
            if zone.is_dst(time.uncorrected) != is_dst {
                let list = if time.at == time.uncorrected { &mut self.staying } else { &mut self.following };
                if list.len() < MAX_KEPT {
                    list.push(text());
                }
            }
        }
    }

    /// The message, and whether it is more than a note.
    fn message(&self, zone: Zone) -> Option<(String, bool)> {
        let id = zone.id();
        let grave = |text: String| Some((text, true));
        if !self.shifted.is_empty() {
            let dates = list(&self.shifted);
            return grave(format!("clocks in `{id}` skip the time of some actions, which move: {dates}"));
        }
        if !self.together.is_empty() {
            let dates = list(&self.together);
            return grave(format!(
                "daylight saving in `{id}` puts two times of the cron on one, or in the wrong order: {dates}"
            ));
        }
        if !self.following.is_empty() && !self.staying.is_empty() {
            let (following, staying) = (list(&self.following), list(&self.staying));
            return grave(format!(
                "some times of the cron follow daylight saving in `{id}` ({following}) and others do not ({staying})"
            ));
        }
        let mut notes = Vec::new();
        if !self.left_out.is_empty() {
            notes.push(format!("left out: {}", list(&self.left_out)));
        }
        if !self.twice.is_empty() {
            notes.push(format!("twice: {}", list(&self.twice)));
        }
        let text = format!("local times in `{id}` where clocks change; {}", notes.join("; "));
        (!notes.is_empty()).then_some((text, false))
    }
}
