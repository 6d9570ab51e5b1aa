//! Which findings of a unit count.

use std::path::Path;

use crate::diag::Diagnostic;
use crate::shell::config::Config;
use crate::shell::files;
use crate::shell::globs::Globs;
use crate::source::{FileId, Sources};
use crate::triage::selection::{self, Layer};

/// What the command line chooses.
#[derive(Clone, Debug, Default)]
pub struct Choice {
    /// The rules.
    pub layer: Layer,
    /// Files that are not checked.
    pub exclude: Globs,
    /// Excluded files are left out even when they are named.
    pub force_exclude: bool,
}

/// The choices of the configuration and the command line together.
#[derive(Clone, Copy, Debug)]
pub struct Sieve<'a> {
    /// The configuration.
    pub config: &'a Config,
    /// The command line.
    pub choice: &'a Choice,
}

impl<'a> Sieve<'a> {
    /// Whether a file is not to be checked.
    pub fn excludes(&self, file: &Path) -> bool {
        self.choice.exclude.matches(file) || self.config.check.exclude.matches(file)
    }

    /// The findings that count, as grave as they shall be. `unit` was asked for, so nothing excludes it.
    pub fn sift(&self, sources: &Sources, unit: &Path, findings: Vec<Diagnostic>) -> Vec<Diagnostic> {
        let mut last: Option<(FileId, Vec<&Layer>)> = None;
        let judge = |finding: Diagnostic| {
            let file = finding.span.file;
            if last.as_ref().is_none_or(|(known, _)| *known != file) {
                last = Some((file, self.layers(Path::new(sources.path(file)), unit)?));
            }
            let (_, layers) = last.as_ref()?;
            selection::judge(finding, layers.iter().copied())
        };
        findings.into_iter().filter_map(judge).collect()
    }

    /// What chooses the rules for a file; none when it is excluded.
    pub fn layers(&self, file: &Path, unit: &Path) -> Option<Vec<&'a Layer>> {
        if self.excludes(file) && files::absolute(file) != files::absolute(unit) {
            return None;
        }
        let check = &self.config.check;
        let fitting = check.overrides.iter().filter(|(globs, _)| globs.matches(file));
        let mut layers = vec![&check.layer];
        layers.extend(fitting.map(|(_, layer)| layer));
        layers.push(&self.choice.layer);
        Some(layers)
    }
}
