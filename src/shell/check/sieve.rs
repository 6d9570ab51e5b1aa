//! Which findings of a unit count.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::diag::{Diagnostic, Severity};
use crate::host::files;
use crate::rules::{self, Check, Rule};
use crate::schema::Judge;
use crate::shell::config::Config;
use crate::shell::globs::Globs;
use crate::source::{FileId, Sources};
use crate::triage::doubles;
use crate::triage::selection::{self, Layer};
use crate::triage::suppression::{self, Allowed, Suppressions};

/// What the command line chooses.
#[derive(Clone, Debug, Default)]
pub struct Choice {
    /// The rules.
    pub layer: Layer,
    /// Files that are not checked.
    pub exclude: Globs,
    /// Excluded files are left out even when they are named.
    pub force_exclude: bool,
    /// A baseline to apply instead of the configured ones.
    pub baseline: Option<PathBuf>,
    /// A baseline to write, which is then applied instead of all others.
    pub write_baseline: Option<PathBuf>,
    /// The least severity that a baseline hides; none: warnings.
    pub baseline_down_to: Option<Severity>,
    /// Who judges by the schemas.
    pub judge: Judge,
}

/// The choices of the configuration and the command line together.
#[derive(Clone, Copy, Debug)]
pub struct Sieve<'a> {
    /// The configuration.
    pub config: &'a Config,
    /// The command line.
    pub choice: &'a Choice,
    /// The names of all rules, sorted.
    pub names: &'a [&'static str],
}

/// What came of the findings of a unit.
#[derive(Debug, Default)]
pub struct Sifted {
    /// Those that count, as grave as they shall be.
    pub findings: Vec<Diagnostic>,
    /// Those that a comment allows.
    pub suppressed: Vec<Diagnostic>,
    /// What comments allow, with the finding for the case that no unit needs it.
    pub allowed: Vec<Allowance>,
}

/// One rule that a comment allows.
#[derive(Debug)]
pub struct Allowance {
    /// The file, the place of the rule's name in it, and the rule.
    pub mark: Mark,
    /// What is said when nothing needs it; none when something does.
    pub unused: Option<Diagnostic>,
}

/// What names one rule in one comment, in whatever unit its file is looked at.
pub type Mark = (String, u32, &'static str);

impl<'a> Sieve<'a> {
    /// Whether a file is not to be checked.
    pub fn excludes(&self, file: &Path) -> bool {
        self.choice.exclude.matches(file) || self.config.check.exclude.matches(file)
    }

    /// Parts the findings that count from the others. `unit` was asked for, so nothing excludes it; `is_complete`: all
    /// parameters are known.
    pub fn sift(
        &self,
        sources: &Sources,
        unit: &Path,
        is_complete: bool,
        findings: Vec<Diagnostic>,
    ) -> Sifted {
        let mut sifted = Sifted::default();
        let mut files: BTreeMap<FileId, Option<File<'a>>> = BTreeMap::new();
        for file in sources.ids() {
            files.insert(file, self.file(sources, file, unit, &mut sifted.findings));
        }
        let is_told = |finding: &Diagnostic| match files.get(&finding.span.file) {
            Some(Some(file)) => selection::is_on(finding.rule.name, file.layers.iter().copied()),
            _ => false,
        };
        for doubles::Told { finding, rule } in doubles::schema_first(findings, is_told) {
            let Some(Some(file)) = files.get_mut(&finding.span.file) else { continue };
            // The rule that knows the same fault has a say in it.
            let layers = || file.layers.iter().copied();
            let as_rule = rule.map(|(rule, at)| Diagnostic::new(rule, at, ""));
            let by_rule = as_rule.clone().map(|as_rule| selection::judge(as_rule, layers()));
            let Some(finding) = selection::judge(finding, layers()) else { continue };
            let finding = match by_rule {
                None => finding,
                Some(None) => continue,
                Some(Some(by_rule)) if by_rule.severity != by_rule.rule.severity => {
                    finding.severity(by_rule.severity)
                }
                Some(Some(_)) => finding,
            };
            let covering = |finding: &Diagnostic| file.suppressions.covering(finding);
            match as_rule.as_ref().and_then(covering).or_else(|| covering(&finding)) {
                Some(index) => {
                    file.used.insert(index);
                    sifted.suppressed.push(finding);
                }
                None => sifted.findings.push(finding),
            }
        }
        sifted.findings = doubles::without_consequences(sifted.findings);
        for (id, file) in &files {
            let Some(file) = file else { continue };
            for (index, allowed) in file.suppressions.allowed().iter().enumerate() {
                if !selection::is_on(allowed.rule, file.layers.iter().copied()) {
                    continue;
                }
                let unused = (!file.used.contains(&index)).then(|| {
                    let is_sure = self.knows_all_of(allowed, sources.slice(allowed.covers), is_complete);
                    suppression::unused(allowed, is_sure)
                });
                let unused =
                    unused.and_then(|finding| selection::judge(finding, file.layers.iter().copied()));
                if unused.is_some() || file.used.contains(&index) {
                    let mark = (sources.path(*id).to_owned(), allowed.span.start, allowed.rule);
                    sifted.allowed.push(Allowance { mark, unused });
                }
            }
        }
        sifted
    }

    /// What is to know of a file; none when it is excluded.
    fn file(
        &self,
        sources: &Sources,
        file: FileId,
        unit: &Path,
        findings: &mut Vec<Diagnostic>,
    ) -> Option<File<'a>> {
        let layers = self.layers(Path::new(sources.path(file)), unit)?;
        let (suppressions, more) = suppression::read(sources, file, self.names).unwrap_or_default();
        findings
            .extend(more.into_iter().filter_map(|finding| selection::judge(finding, layers.iter().copied())));
        Some(File { layers, suppressions, used: BTreeSet::new() })
    }

    /// Whether a rule would have found what it can find in a stretch of text. Where a value is not known, or only the
    /// whole project shows it, the next look may find more.
    fn knows_all_of(&self, allowed: &Allowed, covered: &str, is_complete: bool) -> bool {
        let is_of_projects =
            |rule: &&&Rule| rule.info.name == allowed.rule && matches!(rule.check, Check::Package(_));
        let is_xml = covered.trim_start().starts_with('<');
        rules::ALL.iter().find(is_of_projects).is_none() && (is_complete || is_xml && !covered.contains("${"))
    }

    /// What chooses the rules for a file; none when it is excluded.
    fn layers(&self, file: &Path, unit: &Path) -> Option<Vec<&'a Layer>> {
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

/// What is to know of a file.
struct File<'a> {
    layers: Vec<&'a Layer>,
    suppressions: Suppressions,
    /// Which of them something needs.
    used: BTreeSet<usize>,
}
