//! Findings made ready for output: in order, without doubles, counted.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::diag::{Diagnostic, Severity, Stage};
pub use crate::report::record::Style;
use crate::report::record::{Paths, Record, Under};
use crate::source::Sources;
use crate::triage::place::Places;

/// How many places findings that are put together point at.
const MOST_LABELS: usize = 12;

/// The order of findings, and what makes two of them the same.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    path: Arc<str>,
    start: usize,
    end: usize,
    rule: &'static str,
    message: Arc<str>,
}

impl Key {
    fn of(record: &Record) -> Key {
        Key {
            path: Arc::clone(&record.place.file),
            start: record.place.start.offset,
            end: record.place.end.offset,
            rule: record.rule.name,
            message: Arc::clone(&record.message),
        }
    }
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

/// How many findings there are that do not count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hidden {
    /// A comment allows them.
    pub suppressed: usize,
    /// A baseline knows them.
    pub baseline: usize,
}

/// Findings ready for output.
#[derive(Clone, Debug)]
pub struct Findings {
    /// Those that were left out.
    pub hidden: Hidden,
    style: Style,
    records: BTreeMap<Key, Record>,
}

impl Findings {
    /// None yet.
    pub fn new(style: Style) -> Findings {
        Findings { hidden: Hidden::default(), style, records: BTreeMap::new() }
    }

    /// Takes findings in. Of two that say the same of one place the graver stays.
    pub fn add(&mut self, sources: &Sources, findings: &[Diagnostic]) {
        let mut paths = Paths::default();
        for finding in findings {
            self.push(Record::with_paths(sources, finding, self.style, &mut paths));
        }
    }

    /// Takes findings in with the places that a baseline knows them by.
    pub fn add_at(&mut self, sources: &Sources, findings: &[Diagnostic], places: &mut Places) {
        let mut paths = Paths::default();
        for finding in findings {
            let mut record = Record::with_paths(sources, finding, self.style, &mut paths);
            record.at = Some(places.of(sources, finding));
            self.push(record);
        }
    }

    /// Takes in what another collection holds.
    pub fn merge(&mut self, other: Findings) {
        for record in other.records.into_values() {
            self.push(record);
        }
    }

    /// Takes one record in.
    pub fn push(&mut self, record: Record) {
        let graveness = |record: &Record| (record.severity, record.stage.is_none(), record.stage);
        let key = Key::of(&record);
        match self.records.get_mut(&key) {
            Some(old) if graveness(old) == graveness(&record) => {
                // Each set of properties may have its own place for the same cause.
                for label in record.labels {
                    if old.labels.len() < MOST_LABELS && !old.labels.contains(&label) {
                        old.labels.push(label);
                    }
                }
                old.under = match (old.under.take(), record.under) {
                    (Some(old), Some(more)) => Some(old.with(more)),
                    _ => None,
                };
            }
            Some(old) if graveness(old) < graveness(&record) => {}
            _ => {
                self.records.insert(key, record);
            }
        }
    }

    /// Says of all findings that they hold under one set of properties.
    pub fn hold_under(&mut self, properties: &Arc<str>) {
        for record in self.records.values_mut() {
            record.under = Some(Under { files: BTreeSet::from([Arc::clone(properties)]), of: 1 });
        }
    }

    /// Counts for each finding the sets of properties that lead to its file; what holds under all of them holds whatever
    /// they are.
    pub fn count_under(&mut self, leading: &BTreeMap<Arc<str>, BTreeSet<Arc<str>>>) {
        for record in self.records.values_mut() {
            let Some(under) = &mut record.under else { continue };
            under.of = leading.get(&record.place.file).map_or(0, BTreeSet::len);
            if under.files.len() >= under.of {
                record.under = None;
            }
        }
    }

    /// Keeps the records that `keep` is true of.
    pub fn retain(&mut self, mut keep: impl FnMut(&Record) -> bool) {
        self.records.retain(|_, record| keep(record));
    }

    /// True when there are none.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// How many there are.
    pub fn counts(&self) -> Counts {
        let count = |severity| self.iter().filter(|record| record.severity == severity).count();
        Counts {
            errors: count(Severity::Error),
            warnings: count(Severity::Warning),
            infos: count(Severity::Info),
        }
    }

    /// How many findings of each rule there are.
    pub fn counts_by_rule(&self) -> BTreeMap<&'static str, Counts> {
        let mut counts: BTreeMap<&'static str, Counts> = BTreeMap::new();
        for record in self.iter() {
            let of_rule = counts.entry(record.rule.name).or_default();
            *match record.severity {
                Severity::Error => &mut of_rule.errors,
                Severity::Warning => &mut of_rule.warnings,
                Severity::Info => &mut of_rule.infos,
            } += 1;
        }
        counts
    }

    /// True when one is at least as grave as this.
    pub fn any_at_least(&self, severity: Severity) -> bool {
        self.iter().any(|record| record.severity <= severity)
    }

    /// True when a server would refuse the submission.
    pub fn refused(&self) -> bool {
        self.iter().any(|record| record.severity == Severity::Error && record.stage == Some(Stage::Submit))
    }

    /// All of them, in order of file and place.
    pub fn iter(&self) -> impl Iterator<Item = &Record> {
        self.records.values()
    }

    /// Those of at least this severity, in order of file and place.
    pub fn down_to(&self, severity: Severity) -> impl Iterator<Item = &Record> {
        self.iter().filter(move |record| record.severity <= severity)
    }

    /// All of them with their fingerprints; no two are the same. `name` says how a file is called in them, which must
    /// not depend on where the program runs.
    pub fn with_fingerprints(&self, name: impl Fn(&str) -> String) -> impl Iterator<Item = (u128, &Record)> {
        let mut seen: BTreeMap<u128, usize> = BTreeMap::new();
        self.iter().map(move |record| {
            let file = name(&record.place.file);
            let nth = seen.entry(record.fingerprint(&file, 0)).or_default();
            *nth += 1;
            (record.fingerprint(&file, *nth - 1), record)
        })
    }
}
