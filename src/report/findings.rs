//! Findings made ready for output: rendered, in order, without doubles, counted.
//!
//! A finding is rendered while its sources are at hand; afterwards only its text is kept, so that the memory needed
//! does not grow with the files.

use std::collections::BTreeMap;

use crate::diag::{Diagnostic, Severity, Stage};
use crate::report::{full, json};
use crate::source::Sources;

/// How findings are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// With the lines of the source, for people.
    Full {
        /// With colours.
        color: bool,
    },
    /// The objects of `check --format json`.
    Json,
}

/// The order of findings, and what makes two of them the same.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    path: String,
    start: u32,
    end: u32,
    rule: &'static str,
    message: String,
}

/// What is kept of a finding.
#[derive(Clone, Debug)]
struct Rendered {
    severity: Severity,
    stage: Option<Stage>,
    text: String,
}

/// How many findings of each severity there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Errors.
    pub errors: usize,
    /// Warnings.
    pub warnings: usize,
    /// Infos.
    pub infos: usize,
}

/// Findings ready for output.
#[derive(Clone, Debug)]
pub struct Findings {
    style: Style,
    rendered: BTreeMap<Key, Rendered>,
}

impl Findings {
    /// None yet.
    pub fn new(style: Style) -> Findings {
        Findings { style, rendered: BTreeMap::new() }
    }

    /// Takes findings in. Of two that say the same of one place the graver stays.
    pub fn add(&mut self, sources: &Sources, findings: &[Diagnostic]) {
        for finding in findings {
            let key = Key {
                path: sources.path(finding.span.file).to_owned(),
                start: finding.span.start,
                end: finding.span.end,
                rule: finding.rule.name,
                message: finding.message.clone(),
            };
            let text = match self.style {
                Style::Full { color } => full::finding(sources, finding, color),
                Style::Json => json::finding(sources, finding).to_string(),
            };
            self.insert(key, Rendered { severity: finding.severity, stage: finding.stage, text });
        }
    }

    /// Takes in what another collection holds.
    pub fn merge(&mut self, other: Findings) {
        for (key, rendered) in other.rendered {
            self.insert(key, rendered);
        }
    }

    fn insert(&mut self, key: Key, rendered: Rendered) {
        let graveness = |r: &Rendered| (r.severity, r.stage.is_none(), r.stage);
        match self.rendered.get(&key) {
            Some(old) if graveness(old) <= graveness(&rendered) => {}
            _ => {
                self.rendered.insert(key, rendered);
            }
        }
    }

    /// True when there are none.
    pub fn is_empty(&self) -> bool {
        self.rendered.is_empty()
    }

    /// How many there are.
    pub fn counts(&self) -> Counts {
        let count = |severity| self.rendered.values().filter(|r| r.severity == severity).count();
        Counts {
            errors: count(Severity::Error),
            warnings: count(Severity::Warning),
            infos: count(Severity::Info),
        }
    }

    /// True when one is at least as grave as this.
    pub fn any_at_least(&self, severity: Severity) -> bool {
        self.rendered.values().any(|rendered| rendered.severity <= severity)
    }

    /// True when a server would refuse the submission.
    pub fn refused(&self) -> bool {
        self.rendered.values().any(|r| r.severity == Severity::Error && r.stage == Some(Stage::Submit))
    }

    /// The texts in order of file and place, down to this severity.
    pub fn texts(&self, down_to: Severity) -> impl Iterator<Item = &str> {
        self.rendered.values().filter(move |r| r.severity <= down_to).map(|r| r.text.as_str())
    }
}
