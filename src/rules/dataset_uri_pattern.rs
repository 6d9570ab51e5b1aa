//! A URI template writes the parts of a date as another language does: `yyyy/MM/dd`, `%Y-%m-%d`, `$YEAR`.
//!
//! A server knows `${YEAR}`, `${MONTH}`, `${DAY}`, `${HOUR}` and `${MINUTE}` and nothing else: letters stay letters, so
//! that all instances have one URI, which nobody writes.
//!
//! ```xml
//! <uri-template>hdfs://nn/clicks/yyyy/MM/dd</uri-template>   <!-- wrong -->
//! <uri-template>hdfs://nn/clicks/${YEAR}/${MONTH}/${DAY}</uri-template>
//! ```

use super::{Check, Rule, Sink};
use crate::analysis::subject::Coordinator;
use crate::diag::{Diagnostic, Group, Info, Severity};

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "dataset-uri-pattern",
        group: Group::Meaning,
        severity: Severity::Warning,
        stage: None,
        mirrors: &[],
        explanation: include_str!("dataset_uri_pattern.rs"),
    },
    check: Check::Coordinator(check),
};

/// How a year begins a date in other languages, and what follows it there.
const PATTERNS: &[(&str, &str)] =
    &[("yyyy", "MM"), ("YYYY", "MM"), ("yyyy", "mm"), ("YYYY", "mm"), ("%Y", "%m"), ("%Y", "%j")];
/// The parts that a server knows.
const PARTS: &[&str] = &["YEAR", "MONTH", "DAY", "HOUR", "MINUTE"];
/// What stands between the parts of a date.
const SEPARATORS: &[char] = &['/', '-', '_', '.'];

fn check(app: &Coordinator<'_>, sink: &mut Sink) {
    for dataset in app.datasets.values() {
        let Some(text) = &dataset.model.uri_template else { continue };
        let written = text.value.as_str();
        let by_pattern = || PATTERNS.iter().find_map(|(year, month)| pattern(written, year, month));
        let Some((start, end)) = by_pattern().or_else(|| unbraced(written)) else { continue };
        let message = format!("`{}` is no part of a date here, but text", &written[start..end]);
        sink.push(
            Diagnostic::new(&RULE.info, text.span_of(start..end), message)
                .help("write `${YEAR}`, `${MONTH}`, `${DAY}`, `${HOUR}` and `${MINUTE}`"),
        );
    }
}

/// Where a part stands behind a `$` without braces.
fn unbraced(text: &str) -> Option<(usize, usize)> {
    text.match_indices('$').find_map(|(at, _)| {
        let rest = &text[at + 1..];
        let length = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        PARTS.contains(&&rest[..length]).then(|| (at, at + 1 + length))
    })
}

/// Where a year stands before a month, nothing but a separator between them.
fn pattern(text: &str, year: &str, month: &str) -> Option<(usize, usize)> {
    text.match_indices(year).find_map(|(at, _)| {
        let rest = &text[at + year.len()..];
        // `/year=yyyy/month=MM`
        let name = |c: char| c.is_ascii_alphabetic() && c.is_ascii_lowercase();
        let behind = rest.trim_start_matches(SEPARATORS);
        let behind = match behind.split_once('=') {
            Some((key, value)) if rest.len() > behind.len() && key.chars().all(name) => value,
            _ => behind,
        };
        let is_word = text[..at].ends_with(|c: char| c.is_ascii_alphanumeric());
        (behind.starts_with(month) && !is_word).then(|| (at, at + year.len()))
    })
}
