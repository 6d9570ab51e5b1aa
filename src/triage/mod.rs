//! Which findings count: the choice of rules, words in the files that allow one, and a baseline of old ones.
//!
//! Judges findings, never apps. The names of all rules are an argument, so that nothing here depends on the catalogue.

pub mod baseline;
pub mod doubles;
pub mod place;
pub mod placeholders;
pub mod selection;
pub mod suppression;
pub mod templates;

use crate::diag::{Diagnostic, Group, Info, Severity};
use crate::source::Span;

/// A part of the work failed by a fault of our own. Cannot be switched off.
pub static INTERNAL_ERROR: Info = Info {
    name: "internal-error",
    group: Group::Meaning,
    severity: Severity::Error,
    stage: None,
    mirrors: &[],
    explanation: "Checking a file failed by a fault of ankus itself, so nothing is known of this file.\n\n\
                  All other files were checked. Please report it, with the file or the part of it that shows the fault.",
};

/// Whether findings of a rule are told whatever a configuration, a comment or a baseline says.
pub fn is_always_told(rule: &str) -> bool {
    ALWAYS.contains(&rule)
}

/// Where findings tell of a password or a key, which no report shows, whatever hides the finding itself.
pub fn secrets(findings: &[Diagnostic]) -> impl Iterator<Item = Span> {
    findings.iter().filter(|finding| finding.rule.name == "secret-plaintext").map(|finding| finding.span)
}

/// Kinds of findings that no configuration and no comment hides.
const ALWAYS: &[&str] = &[INTERNAL_ERROR.name];
