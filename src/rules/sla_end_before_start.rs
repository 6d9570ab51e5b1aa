//! A service level expects the end before the start.
//!
//! `should-start` and `should-end` count from the same `nominal-time`. Where the end is expected first, the level cannot be met
//! as it is meant: one of the two has the wrong number or the wrong unit.
//!
//! ```xml
//! <sla:should-start>${30 * MINUTES}</sla:should-start><sla:should-end>${2 * MINUTES}</sla:should-end>
//! <sla:should-start>${30 * MINUTES}</sla:should-start><sla:should-end>${2 * HOURS}</sla:should-end>
//! ```

use super::{Check, Rule, Sink};
use crate::analysis::subject::ServiceLevel;
use crate::diag::{Diagnostic, Group, Info, Severity};

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "sla-end-before-start",
        group: Group::Meaning,
        severity: Severity::Warning,
        stage: None,
        mirrors: &[],
        explanation: include_str!("sla_end_before_start.rs"),
    },
    check: Check::ServiceLevel(check),
};

fn check(level: &ServiceLevel<'_>, sink: &mut Sink) {
    let (Some(start), Some(end)) = (level.model.get("should-start"), level.model.get("should-end")) else {
        return;
    };
    let millis = |text| level.values.trimmed(text, level.place)?.parse::<f64>().ok();
    let (Some(from), Some(until)) = (millis(start), millis(end)) else { return };
    if until <= from {
        let finding = Diagnostic::new(&RULE.info, end.trimmed().span, "the end is expected before the start");
        let finding = finding.label(start.trimmed().span, "the start is expected here");
        sink.push(finding.help("give both from the nominal time on, with their units"));
    }
}
