//! A bundle is kicked off after a coordinator in it has ended.
//!
//! The coordinator is submitted all the same, and all its actions are made at once, as a catch-up, with the timeout counted from
//! then. Most often one of the two dates has a slip.
//!
//! ```properties
//! kickOff=2025-03-01T00:00Z
//! end=2024-03-04T00:00Z
//! ```

use super::{Check, Rule, Sink};
use crate::analysis::schedule;
use crate::analysis::subject::Package;
use crate::analysis::templates::Place;
use crate::diag::{Diagnostic, Group, Info, Severity};

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "kick-off-after-end",
        group: Group::Meaning,
        severity: Severity::Warning,
        stage: None,
        mirrors: &[],
        explanation: include_str!("kick_off_after_end.rs"),
    },
    check: Check::Package(check),
};

/// How many ends are shown.
const MOST_LABELS: usize = 3;

fn check(program: &Package<'_>, sink: &mut Sink) {
    let Some(bundle) = &program.bundle else { return };
    let Some(text) = &bundle.model.kick_off_time else { return };
    let Some(kick_off) = schedule::datetime(text, Place::Bundle, bundle.values) else { return };
    let late = program
        .coordinators
        .iter()
        .filter(|member| member.app.schedule.end.is_some_and(|end| end <= kick_off));
    let late: Vec<_> = late.collect();
    if let Some(member) = late.first() {
        let zone = bundle.values.zone;
        let message = format!(
            "the bundle is kicked off at {}, when `{}` has ended",
            zone.format(kick_off),
            member.name
        );
        let mut finding = Diagnostic::new(&RULE.info, text.trimmed().span, message);
        for other in late.iter().take(MOST_LABELS) {
            if let Some(end) = &other.app.model.end {
                finding = finding.label(end.span, format!("the end of `{}`", other.name));
            }
        }
        sink.push(finding.help("correct the kick-off time or the end"));
    }
}
