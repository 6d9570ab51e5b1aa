//! What checking came to: of one unit, then of all.

use std::collections::{BTreeMap, BTreeSet};

use super::sieve::{Mark, Sifted};
use crate::report::findings::{Findings, Hidden, Style};
use crate::source::Sources;

/// Findings as plain data, and what must be known of all units before it can be said.
#[derive(Debug)]
pub(super) struct Outcome {
    style: Style,
    findings: Findings,
    suppressed: Findings,
    /// What comments allow and some unit needs.
    used: BTreeSet<Mark>,
    /// What comments allow and some unit does not need.
    unused: BTreeMap<Mark, Findings>,
}

impl Outcome {
    /// Nothing yet.
    pub(super) fn new(style: Style) -> Outcome {
        Outcome {
            style,
            findings: Findings::new(style),
            suppressed: Findings::new(Style::DATA),
            used: BTreeSet::new(),
            unused: BTreeMap::new(),
        }
    }

    /// Takes in what one unit came to.
    pub(super) fn add(&mut self, sources: &Sources, sifted: Sifted) {
        self.findings.add(sources, &sifted.findings);
        self.suppressed.add(sources, &sifted.suppressed);
        for allowance in sifted.allowed {
            match allowance.unused {
                None => {
                    self.used.insert(allowance.mark);
                }
                Some(finding) => {
                    let unused = self.unused.entry(allowance.mark);
                    unused.or_insert_with(|| Findings::new(self.style)).add(sources, &[finding]);
                }
            }
        }
    }

    /// Takes in what other units came to.
    pub(super) fn merge(&mut self, other: Outcome) {
        self.findings.merge(other.findings);
        self.suppressed.merge(other.suppressed);
        self.used.extend(other.used);
        for (mark, findings) in other.unused {
            self.unused.entry(mark).or_insert_with(|| Findings::new(self.style)).merge(findings);
        }
    }

    /// The findings, once all units are in.
    pub(super) fn finish(self) -> Findings {
        let mut findings = self.findings;
        for (mark, unused) in self.unused {
            if !self.used.contains(&mark) {
                findings.merge(unused);
            }
        }
        findings.hidden = Hidden { suppressed: self.suppressed.iter().count() };
        findings
    }
}
