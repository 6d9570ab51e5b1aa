//! Service levels: met or missed (`SLAJobEventXCommand`, `SLACalculatorMemory`).
//!
//! A level is watched from when it is registered, or, for an action of a workflow, from when that is entered: a server
//! judges what is in its database. It tells what was met at the event that shows it, and what was missed right behind
//! the expected time.
//!
//! Two things of the server's are left: it looks at levels every thirty seconds only, and takes an action that waits
//! for a retry of its own for one that has ended well.

use super::command::{Alert, Command, SlaEvent, SlaKind, SlaStatus, Watched};
use super::context::Context;
use super::wake::Wake;
use crate::model::sla::DEFAULT_ALERT_EVENT;
use crate::plan::SlaRegistration;
use crate::time::Instant;

/// How what is watched has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// Well, as far as the time allows.
    Well,
    /// Badly.
    Badly,
    /// It had no time to keep: an action that was skipped counts as met.
    Skipped,
}

/// The service level of something that is not over.
#[derive(Clone, Debug)]
pub(super) struct Level {
    subject: Watched,
    expected: SlaRegistration,
    started: Option<Instant>,
    start_told: bool,
    duration_told: bool,
    end_told: bool,
}

/// Missed is what lies behind the time, not at it.
fn behind(at: Instant) -> Instant {
    at.plus_millis(1)
}

impl Level {
    /// Watches a service level from now on.
    pub(super) fn watch(cx: &mut Context<'_>, subject: Watched, expected: SlaRegistration) -> Level {
        let level = Level {
            subject,
            expected,
            started: None,
            start_told: false,
            duration_told: false,
            end_told: false,
        };
        for at in level.times() {
            cx.wakes.insert((at, Wake::Sla(subject)));
        }
        level
    }

    /// When something can be missed.
    fn times(&self) -> impl Iterator<Item = Instant> + use<> {
        let longest = self.longest();
        let duration = self.started.zip(longest).map(|(at, longest)| at.plus_millis(longest));
        [self.expected.expected_start, self.expected.expected_end, duration].into_iter().flatten().map(behind)
    }

    fn longest(&self) -> Option<i64> {
        Some(self.expected.expected_duration_millis).filter(|longest| *longest != -1)
    }

    fn tell(&self, what: SlaKind, expected: i64, cx: &mut Context<'_>) {
        let alert = self.alert(what);
        cx.out.push(Command::Sla(SlaEvent { subject: self.subject, what, expected, alert }));
    }

    /// Who hears of an event by mail: whoever the level names, of what it names (`SLAEmailEventListener`). Of a level that
    /// names no event it is the end that was missed.
    fn alert(&self, what: SlaKind) -> Option<Alert> {
        let named = self.expected.alert_events.as_deref().unwrap_or(DEFAULT_ALERT_EVENT);
        let is_miss = matches!(what, SlaKind::StartMiss | SlaKind::EndMiss | SlaKind::DurationMiss);
        let to = self.expected.alert_contact.as_deref().map(str::trim).filter(|to| !to.is_empty())?;
        (is_miss && named.split(',').any(|event| event.trim() == what.name())).then(|| Alert {
            to: to.to_owned(),
            message: self.expected.notification_msg.clone().unwrap_or_default(),
        })
    }

    /// What is watched has begun; only the first time counts.
    pub(super) fn begin(&mut self, cx: &mut Context<'_>) {
        if self.started.is_none() {
            self.started = Some(cx.now);
            if let Some(longest) = self.longest() {
                cx.wakes.insert((behind(cx.now.plus_millis(longest)), Wake::Sla(self.subject)));
            }
        }
        self.judge(cx);
    }

    /// Tells what is to be told now.
    pub(super) fn judge(&mut self, cx: &mut Context<'_>) {
        if let (false, Some(expected)) = (self.start_told, self.expected.expected_start) {
            let late = self.started.unwrap_or(cx.now) > expected;
            if self.started.is_some() || late {
                self.start_told = true;
                let what = if late { SlaKind::StartMiss } else { SlaKind::StartMet };
                self.tell(what, expected.millis(), cx);
            }
        }
        if let (false, Some(started), Some(longest)) = (self.duration_told, self.started, self.longest())
            && cx.now.millis_since(started) > longest
        {
            self.duration_told = true;
            self.tell(SlaKind::DurationMiss, longest, cx);
        }
        if let (false, Some(expected)) = (self.end_told, self.expected.expected_end)
            && cx.now > expected
        {
            self.end_told = true;
            self.tell(SlaKind::EndMiss, expected.millis(), cx);
        }
    }

    /// How it stands while what is watched is not over.
    pub(super) fn status(&self) -> SlaStatus {
        match (self.end_told, self.started) {
            (true, _) => SlaStatus::Miss,
            (false, Some(_)) => SlaStatus::InProcess,
            (false, None) => SlaStatus::NotStarted,
        }
    }

    /// Tells what is to be told at the end.
    pub(super) fn close(self, ending: Ending, cx: &mut Context<'_>) {
        self.forget(cx);
        if let (false, Some(expected), Some(started)) =
            (self.start_told, self.expected.expected_start, self.started)
        {
            let what = if started > expected { SlaKind::StartMiss } else { SlaKind::StartMet };
            self.tell(what, expected.millis(), cx);
        }
        if let (false, Some(started), Some(longest)) = (self.duration_told, self.started, self.longest()) {
            let late = cx.now.millis_since(started) > longest;
            let what = if late { SlaKind::DurationMiss } else { SlaKind::DurationMet };
            self.tell(what, longest, cx);
        }
        if let (false, Some(expected)) = (self.end_told, self.expected.expected_end) {
            let met = match ending {
                Ending::Well => cx.now <= expected,
                Ending::Badly => false,
                Ending::Skipped => true,
            };
            let what = if met { SlaKind::EndMet } else { SlaKind::EndMiss };
            self.tell(what, expected.millis(), cx);
        }
    }

    /// Watches it no more, and tells nothing.
    pub(super) fn forget(&self, cx: &mut Context<'_>) {
        for at in self.times() {
            cx.wakes.remove(&(at, Wake::Sla(self.subject)));
        }
    }
}
