//! Mending files by the fixes of findings: which to take, what the bytes become, whether the outcome is better.
//!
//! Pure: gets bytes and findings, gives bytes and objections. Never reformats; what no edit names stays byte for byte.

pub mod choice;
pub mod diff;
pub mod edits;
pub mod verdict;

use crate::diag::{Group, Info};
use crate::report::record::Record;

/// How early a reader meets a fault. A fault of one level hides those of the later ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// The document cannot be read.
    Xml,
    /// It breaks its schema.
    Schema,
    /// It means something else than was meant.
    Meaning,
}

impl Level {
    /// The level of a rule.
    pub fn of(rule: &Info) -> Level {
        match rule.group {
            Group::Xml | Group::Properties => Level::Xml,
            Group::Schema => Level::Schema,
            Group::Expression | Group::Meaning => Level::Meaning,
        }
    }
}

/// What tells one fix from another, wherever it has moved to meanwhile.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FixKey {
    file: String,
    rule: &'static str,
    message: String,
    line: String,
    texts: Vec<String>,
}

impl FixKey {
    /// The key of a finding's fix.
    pub fn of(record: &Record) -> FixKey {
        FixKey {
            file: record.place.file.to_string(),
            rule: record.rule.name,
            message: record.message.to_string(),
            line: record.line_text.clone(),
            texts: record
                .fix
                .iter()
                .flat_map(|fix| &fix.edits)
                .map(|edit| format!("{}:{}", edit.place.file, edit.text))
                .collect(),
        }
    }
}
