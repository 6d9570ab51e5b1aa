//! `enabled` or `critical` of a coordinator in a bundle is neither `true` nor `false`.
//!
//! A server takes everything but `true` for `false`, so that `enabled="yes"` leaves the coordinator out.
//!
//! ```xml
//! <coordinator name="load" enabled="yes">
//! <coordinator name="load" enabled="true">
//! ```

use super::{Check, Rule, Sink};
use crate::analysis::subject::Bundle;
use crate::analysis::templates::Place;
use crate::diag::{Diagnostic, Group, Info, Severity};

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "bundle-flag-invalid",
        group: Group::Meaning,
        severity: Severity::Warning,
        stage: None,
        mirrors: &[],
        explanation: include_str!("bundle_flag_invalid.rs"),
    },
    check: Check::Bundle(check),
};

/// What is taken as it is meant.
const KNOWN: &[&str] = &["true", "false", "no", "off", "0"];

fn check(app: &Bundle<'_>, sink: &mut Sink) {
    for coordinator in &app.model.coordinators {
        for (name, text) in [("enabled", &coordinator.enabled), ("critical", &coordinator.critical)] {
            let Some(text) = text else { continue };
            let Some(value) = app.values.trimmed(text, Place::Bundle) else { continue };
            if KNOWN.contains(&value.to_lowercase().as_str()) {
                continue;
            }
            let message = format!("`{name}` is `{value}`, which is taken for `false`");
            sink.push(
                Diagnostic::new(&RULE.info, text.trimmed().span, message).help("write `true` or `false`"),
            );
        }
    }
}
