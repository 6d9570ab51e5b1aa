//! What checking came to: of one unit, then of all.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::sieve::{Mark, Sifted};
use crate::host::files;
use crate::report::findings::{Findings, Hidden, Style};
use crate::source::Sources;
use crate::triage::place::Places;

/// Findings as plain data, and what must be known of all units before it can be said.
#[derive(Clone, Debug)]
pub(super) struct Outcome {
    style: Style,
    /// The files that were looked at, when a baseline or the next check asks for them.
    files: Option<BTreeSet<PathBuf>>,
    findings: Findings,
    suppressed: Findings,
    /// The sets of properties that lead to each file, by the names that are shown.
    leading: BTreeMap<Arc<str>, BTreeSet<Arc<str>>>,
    /// What comments allow and some unit needs.
    used: BTreeSet<Mark>,
    /// What comments allow and some unit does not need.
    unused: BTreeMap<Mark, Findings>,
}

impl Outcome {
    /// Nothing yet.
    pub(super) fn new(style: Style, keeps_files: bool) -> Outcome {
        Outcome {
            style,
            files: keeps_files.then(BTreeSet::new),
            findings: Findings::new(style),
            suppressed: Findings::new(Style::DATA),
            leading: BTreeMap::new(),
            used: BTreeSet::new(),
            unused: BTreeMap::new(),
        }
    }

    /// Takes in what one unit came to.
    pub(super) fn add(&mut self, sources: &Sources, sifted: Sifted) {
        let mut places = Places::default();
        match &mut self.files {
            Some(files) => {
                self.findings.add_at(sources, &sifted.findings, &mut places);
                files.extend(sources.ids().map(|id| files::absolute(Path::new(sources.path(id)))));
            }
            None => self.findings.add(sources, &sifted.findings),
        }
        self.suppressed.add(sources, &sifted.suppressed);
        for allowance in sifted.allowed {
            match allowance.unused {
                None => {
                    self.used.insert(allowance.mark);
                }
                Some(finding) => {
                    let unused = self.unused.entry(allowance.mark);
                    let unused = unused.or_insert_with(|| Findings::new(self.style));
                    match self.files {
                        Some(_) => unused.add_at(sources, &[finding], &mut places),
                        None => unused.add(sources, &[finding]),
                    }
                }
            }
        }
    }

    /// Says that all of it holds under one set of properties, which led to these files.
    pub(super) fn hold_under(&mut self, properties: &str, sources: &Sources) {
        let properties: Arc<str> = properties.into();
        self.findings.hold_under(&properties);
        let led_to = sources.ids().map(|id| sources.path(id));
        self.leading.extend(led_to.map(|file| (file.into(), BTreeSet::from([Arc::clone(&properties)]))));
    }

    /// Takes note of more files that were looked at.
    pub(super) fn read(&mut self, more: impl IntoIterator<Item = PathBuf>) {
        if let Some(files) = &mut self.files {
            files.extend(more);
        }
    }

    /// Takes in what other units came to.
    pub(super) fn merge(&mut self, other: Outcome) {
        self.findings.merge(other.findings);
        for (file, properties) in other.leading {
            self.leading.entry(file).or_default().extend(properties);
        }
        if let (Some(files), Some(more)) = (&mut self.files, other.files) {
            files.extend(more);
        }
        self.suppressed.merge(other.suppressed);
        self.used.extend(other.used);
        for (mark, findings) in other.unused {
            self.unused.entry(mark).or_insert_with(|| Findings::new(self.style)).merge(findings);
        }
    }

    /// The files that were looked at.
    pub(super) fn files(&self) -> impl Iterator<Item = &PathBuf> {
        self.files.iter().flatten()
    }

    /// The findings, once all units are in, and the files that were looked at.
    pub(super) fn finish(self) -> (Findings, BTreeSet<PathBuf>) {
        let mut findings = self.findings;
        findings.count_under(&self.leading);
        for (mark, unused) in self.unused {
            if !self.used.contains(&mark) {
                findings.merge(unused);
            }
        }
        findings.hidden = Hidden { suppressed: self.suppressed.iter().count(), baseline: 0 };
        (findings, self.files.unwrap_or_default())
    }
}
