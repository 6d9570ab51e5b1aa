//! Checking many files: each by itself on all cores, with findings kept as text only.

mod all_actions;
pub mod baseline;
mod below;
mod handed;
mod input;
mod isolation;
mod layers;
mod outcome;
pub mod parts;
pub mod program;
mod scheduled;
pub mod sieve;
mod stand_in;
pub mod supply;
pub mod threads;
mod twice;
pub mod verdict;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use crate::analysis::parameters::{Submission, is_its_own_value};
use crate::analysis::project::Kind;
use crate::diag::{Diagnostic, Severity};
use crate::host::error::ShellError;
use crate::host::progress::Progress;
use crate::host::{discovery, files};
use crate::model::{Dialect, definition_roots};
use crate::project::package::{PACKAGE_INVALID, PackageFault};
use crate::report::catalogue;
use crate::report::findings::{Findings, Style};
use crate::rules::{self, Rule};
use crate::schema;
use crate::shell::app;
use crate::shell::config::Config;
use crate::shell::context::{Common, Context};
use crate::shell::library::{Library, Loaded};
use crate::shell::parameters;
use crate::shell::project::Project;
use crate::shell::times;
use crate::source::{Sources, Span};
use crate::triage::placeholders::{BUILD_PLACEHOLDER, Placeholders};
use crate::triage::templates;
use crate::triage::{INTERNAL_ERROR, selection};
use baseline::BaselineFile;
use input::Input;
use outcome::Outcome;
use program::{Program, as_may_be};
use sieve::Sifted;
pub use sieve::{Choice, Sieve};

/// What is looked at by itself.
#[derive(Debug)]
struct Unit {
    /// A definition, or a properties file that leads to one.
    path: PathBuf,
    /// All parameters are known, so that a missing one is an error.
    complete: bool,
    /// It is a properties file.
    is_properties: bool,
    /// The profile that it is a part of: its other files and its definitions count too.
    profile: Option<String>,
    /// What kind of definition it is.
    kind: Option<Kind>,
    /// The files of schedules of a project, when it is these; the path is that of the first.
    schedules: Vec<PathBuf>,
    /// Which of the projects it belongs to.
    project: usize,
}

impl Unit {
    const LAST_STAGE: usize = 3;

    /// What tells it apart from the others: a properties file may be looked at under several profiles.
    fn key(&self) -> PathBuf {
        match &self.profile {
            Some(profile) => PathBuf::from(format!("profile {profile}")).join(&self.path),
            None => self.path.clone(),
        }
    }

    /// When it is looked at: what was met before is not looked at again, but for what comes with parameters.
    fn stage(&self) -> usize {
        match self.kind {
            _ if self.complete || self.is_properties || !self.schedules.is_empty() => 0,
            Some(Kind::Bundle) => 1,
            Some(Kind::Coordinator) => 2,
            _ => Unit::LAST_STAGE,
        }
    }
}

/// Says that a prefix under `[paths]` leads to no folder.
fn lost_path((prefix, folder): (&str, PathBuf)) -> String {
    format!("ankus.toml maps `{prefix}` to `{}`, which is not there", files::shown(&folder))
}

/// What one unit came to.
#[derive(Clone, Debug)]
struct Judged {
    outcome: Outcome,
    /// The definitions that it led to.
    definitions: Vec<PathBuf>,
    /// What could not be done for it.
    undone: Vec<String>,
}

/// What units came to, kept from one check to the next.
#[derive(Debug, Default)]
pub struct Kept {
    judged: BTreeMap<PathBuf, Judged>,
}

impl Kept {
    /// Forgets the units that read one of these files, and those that could not be looked at.
    pub fn forget(&mut self, changed: &BTreeSet<PathBuf>) {
        self.judged.retain(|_, judged| {
            judged.undone.is_empty() && judged.outcome.files().all(|file| !changed.contains(file))
        });
    }

    /// The files that the units read.
    pub fn files(&self) -> impl Iterator<Item = &PathBuf> {
        self.judged.values().flat_map(|judged| judged.outcome.files())
    }

    /// How many units are kept.
    pub fn len(&self) -> usize {
        self.judged.len()
    }

    /// Whether none is.
    pub fn is_empty(&self) -> bool {
        self.judged.is_empty()
    }
}

/// Everything that is to be checked.
pub struct Work {
    /// The names of all rules, sorted.
    names: Vec<&'static str>,
    rules: &'static [&'static Rule],
    choice: Choice,
    projects: Vec<(Arc<Config>, Project)>,
    units: Vec<Unit>,
    /// What cannot be looked at, in words.
    faults: BTreeSet<String>,
    /// That, and what the last check could not do.
    undone: Mutex<BTreeSet<String>>,
    /// Folders in which nothing was found.
    empty: Vec<PathBuf>,
    /// Archives that are no packages, and why.
    refused: Refused,
    /// The definitions that were looked at.
    looked_at: Mutex<BTreeSet<PathBuf>>,
}

impl Work {
    /// Gathers what paths stand for: a file is itself, a folder all definitions in and below it and the properties
    /// files that lead to one, a pattern what it matches. What cannot be read keeps nothing else from being checked,
    /// and is told by [`Work::undone`].
    pub fn gather(paths: &[PathBuf], choice: Choice, common: &Common) -> Result<Work, ShellError> {
        common.definitions()?;
        let mut input = Input::new(&choice, common);
        for path in paths {
            input.take(path)?;
        }
        input.finish();
        let Input { projects, units, faults, empty, .. } = input;
        let names = catalogue::all().into_iter().map(|info| info.name).collect();
        let faults: BTreeSet<String> = faults.iter().map(ToString::to_string).collect();
        if units.is_empty() && !faults.is_empty() {
            return Err(ShellError::usage(faults.into_iter().collect::<Vec<_>>().join("\nankus: ")));
        }
        let (undone, looked_at) = (Mutex::new(faults.clone()), Mutex::default());
        let refused = Vec::new();
        Ok(Work {
            names,
            rules: rules::ALL,
            choice,
            projects,
            units,
            faults,
            undone,
            empty,
            refused,
            looked_at,
        })
    }

    /// What was not done, a line each; gathered so far, or by the last check.
    pub fn undone(&self) -> Vec<String> {
        let undone = self.undone.lock().expect("nobody panics while holding it");
        let empty = self.empty.iter().map(|folder| format!("`{}` holds no definition", files::shown(folder)));
        let lost: BTreeSet<String> =
            self.projects.iter().flat_map(|(config, _)| config.lost_paths().map(lost_path)).collect();
        undone.iter().cloned().chain(empty).chain(lost).collect()
    }

    /// Whether something was not done, or there was nothing to do.
    pub fn is_incomplete(&self) -> bool {
        let has_faults = !self.undone.lock().expect("nobody panics while holding it").is_empty();
        has_faults || (self.units.is_empty() && !self.empty.is_empty())
    }

    fn sieve(&self, project: usize) -> Sieve<'_> {
        Sieve { config: &self.projects[project].0, choice: &self.choice, names: &self.names }
    }

    /// With archives that are refused.
    pub fn with_refused(self, refused: Refused) -> Work {
        Work { refused, ..self }
    }

    /// With other rules than all.
    pub fn with_rules(self, rules: &'static [&'static Rule]) -> Work {
        Work { rules, ..self }
    }

    /// The files that are looked at by themselves.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.units.iter().map(|unit| unit.path.as_path())
    }

    /// How many definitions were looked at, those included that others led to.
    pub fn files(&self) -> usize {
        let looked_at = self.looked_at.lock().expect("nobody panics while holding it").len();
        looked_at.max(usize::from(!self.units.is_empty())) + self.refused.len()
    }

    /// Checks all of it: first what comes with parameters, then the definitions that none of that has led to, bundles
    /// before coordinators before workflows, since each hands values to what it leads to.
    pub fn findings(&self, common: &Common, style: Style) -> Result<Findings, ShellError> {
        self.all(common, style, None)
    }

    /// Checks what is not kept, and keeps what it comes to.
    pub fn findings_again(
        &self,
        common: &Common,
        style: Style,
        kept: &mut Kept,
    ) -> Result<Findings, ShellError> {
        self.all(common, style, Some(kept))
    }

    fn all(
        &self,
        common: &Common,
        style: Style,
        mut kept: Option<&mut Kept>,
    ) -> Result<Findings, ShellError> {
        let baselines = self.baselines();
        let keeps_files = !baselines.is_empty() || self.choice.write_baseline.is_some() || kept.is_some();
        let mut judge = |units: &[&Unit]| -> Vec<Judged> {
            let progress = Progress::new("checked", units.len() as u64, !common.quiet && kept.is_none());
            let done = AtomicU64::new(0);
            let judge = |unit: &&Unit| {
                let judged = self.isolated(unit, common, style, keeps_files);
                progress.step(done.fetch_add(1, Ordering::Relaxed) + 1);
                judged
            };
            match &mut kept {
                None => threads::map(units, judge),
                Some(kept) => {
                    let new: Vec<&Unit> =
                        units.iter().copied().filter(|unit| !kept.judged.contains_key(&unit.key())).collect();
                    for (unit, judged) in new.iter().zip(threads::map(&new, judge)) {
                        kept.judged.insert(unit.key(), judged);
                    }
                    units.iter().filter_map(|unit| kept.judged.get(&unit.key()).cloned()).collect()
                }
            }
        };
        let mut all = Outcome::new(style, keeps_files);
        self.refused.iter().for_each(|(path, faults)| all.merge(refused(path, faults, style, keeps_files)));
        let (mut seen, mut undone) = (BTreeSet::new(), self.faults.clone());
        for stage in 0..=Unit::LAST_STAGE {
            let is_open = |unit: &&Unit| stage == 0 || !seen.contains(&files::absolute(&unit.path));
            let units: Vec<&Unit> =
                self.units.iter().filter(|unit| unit.stage() == stage).filter(is_open).collect();
            for judged in judge(&units) {
                all.merge(judged.outcome);
                seen.extend(judged.definitions);
                undone.extend(judged.undone);
            }
        }
        let definitions = self.units.iter().filter(|unit| !unit.is_properties);
        seen.extend(definitions.map(|unit| files::absolute(&unit.path)));
        *self.looked_at.lock().expect("nobody panics while holding it") = seen;
        *self.undone.lock().expect("nobody panics while holding it") = undone;
        let (mut findings, looked_at) = all.finish();
        // What a build fills in is said once, not for each file.
        let mut told = BTreeSet::new();
        findings.retain(|record| {
            record.rule.name != BUILD_PLACEHOLDER.name
                || told.insert((record.severity, record.message.clone()))
        });
        let down_to = self.baseline_down_to();
        for baseline in baselines {
            let baseline = BaselineFile::read(&baseline)?;
            baseline.apply(&mut findings, down_to, |file, rule| looked_at.contains(file) && self.is_on(rule));
        }
        Ok(findings)
    }

    /// The files that were gathered, and those that say how to judge them.
    pub fn inputs(&self) -> impl Iterator<Item = PathBuf> {
        self.units
            .iter()
            .map(|unit| files::absolute(&unit.path))
            .chain(self.baselines().into_iter().map(|path| files::absolute(&path)))
    }

    /// The baselines that hide old findings: the one of the command line, else the configured ones.
    fn baselines(&self) -> Vec<PathBuf> {
        let choice = &self.choice;
        if choice.write_baseline.is_some() {
            return Vec::new();
        }
        let configured = self.projects.iter().filter_map(|(config, _)| {
            Some(config.folder.clone().unwrap_or_default().join(config.check.baseline.as_ref()?))
        });
        match &choice.baseline {
            Some(path) => vec![path.clone()],
            None => configured.collect::<BTreeSet<_>>().into_iter().collect(),
        }
    }

    /// The least severity that a baseline hides.
    fn baseline_down_to(&self) -> Severity {
        self.choice.baseline_down_to.map_or(Severity::Warning, |severity| severity.max(Severity::Warning))
    }

    /// Whether a rule is on where no path has a choice of its own.
    fn is_on(&self, rule: &str) -> bool {
        let layers = self.projects.iter().map(|(config, _)| &config.check.layer);
        layers.into_iter().any(|layer| selection::is_on(rule, [layer, &self.choice.layer]))
    }

    /// Writes the baseline that the command line asks for, and takes what it holds out of the findings.
    pub fn write_baseline(&self, findings: &mut Findings, context: &mut Context) -> Result<(), ShellError> {
        let Some(path) = &self.choice.write_baseline else {
            return Ok(());
        };
        let baseline = BaselineFile::of(findings, self.baseline_down_to(), path);
        baseline.write(context)?;
        baseline.apply(findings, self.baseline_down_to(), |_, _| false);
        Ok(())
    }

    /// Checks one unit; a fault of our own becomes a finding about its file, so that the others are still checked.
    fn isolated(&self, unit: &Unit, common: &Common, style: Style, keeps_files: bool) -> Judged {
        let judged = isolation::catch(|| self.one(unit, common, style, keeps_files));
        let judged = judged.unwrap_or_else(|panic| {
            let mut sources = Sources::new();
            let start = Span::new(sources.add(files::shown(&unit.path), ""), 0..0);
            let message = format!("ankus fails on this file: {panic}");
            let finding = Diagnostic::new(&INTERNAL_ERROR, start, message)
                .help("report this fault of ankus, with the file or the part of it that shows it");
            let mut outcome = Outcome::new(style, keeps_files);
            outcome.add(&sources, Sifted { findings: vec![finding], ..Sifted::default() });
            Ok(Judged { outcome, definitions: Vec::new(), undone: Vec::new() })
        });
        // What cannot be done for one is told at the end, after what is found in the others.
        judged.unwrap_or_else(|error| Judged {
            outcome: Outcome::new(style, keeps_files),
            definitions: Vec::new(),
            undone: vec![error.to_string()],
        })
    }

    /// Checks one unit; the paths are those of the definitions that were looked at.
    fn one(
        &self,
        unit: &Unit,
        common: &Common,
        style: Style,
        keeps_files: bool,
    ) -> Result<Judged, ShellError> {
        if !unit.schedules.is_empty() {
            return self.scheduled(unit, common, style, keeps_files);
        }
        let (config, project) = &self.projects[unit.project];
        let profile = unit.profile.clone().or_else(|| common.profile.clone());
        let common = &Common { profile, ..common.clone() };
        let mut sources = Sources::new();
        let (definition, conf, mut found) = if unit.is_properties {
            let chosen = app::choose(&unit.path, common, config, project, &mut sources)?;
            (chosen.definition, chosen.conf, chosen.findings)
        } else {
            let (mut submission, found) = if unit.complete {
                parameters::submission(common, config, None, &mut sources)?
            } else {
                (Submission { user: config.user.clone(), ..Submission::default() }, Vec::new())
            };
            submission.app = app::app_of(&unit.path, project);
            (Some(unit.path.clone()), submission.job_conf().set_aside_awaited(), found)
        };
        let version = config.version(common.oozie_version.as_deref())?;
        let library = Library::new(project, sources).with_rules(self.rules).with_version(version);
        let library =
            library.with_judge(self.choice.judge).ignoring_forks(!config.server().validate_fork_join);
        let zone = config.zone()?;
        let now = match &common.now {
            Some(text) => Some(times::datetime(text, zone)?.instant),
            None => None,
        };
        let server = config.server().clone();
        let mut program = Program { complete: unit.complete, now, server, ..Program::new(&library, zone) };
        let given: BTreeSet<String> = conf.iter().map(|(name, _)| name.to_owned()).collect();
        let mut awaited: BTreeSet<String> = conf.awaited().map(|(name, _)| name.to_owned()).collect();
        if let Some(path) = definition {
            let loaded = library.load(&path)?;
            library.defaults(loaded, &conf);
            program.complete &= !library.lacks_defaults();
            found.extend(unknown_root(loaded));
            library.veil_given(&conf);
            found.extend(as_may_be(program.judge(loaded, conf)));
            without_codes(&library, &mut found);
        }
        let open = library.all_defaults().filter(|given| is_its_own_value(&given.name, &given.value));
        awaited.extend(open.map(|given| given.name.clone()));
        awaited.extend(config.check.supplied.iter().cloned());
        if unit.is_properties && unit.profile.is_none() {
            awaited.extend(layers::names(&unit.path, &found));
        }
        found.retain(|finding| !supply::is_awaited(finding, &awaited));
        found.retain(|finding| !supply::is_deployed(finding, &library.sources(), &config.check.deployed));
        let is_given = |name: &str| given.contains(name);
        let placeholders = Placeholders { patterns: &config.check.placeholders };
        let found = placeholders.gather(&library.sources(), found, &is_given);
        let found = templates::gather(&library.sources(), found);
        let undone = library.finish().err().map(|error| error.to_string());
        let mut outcome = Outcome::new(style, keeps_files);
        library.veil(&found);
        let sources = library.sources();
        let mut sifted = self.sieve(unit.project).sift(&sources, &unit.path, unit.complete, found);
        library.name_subjects(&mut sifted.findings);
        outcome.add(&sources, sifted);
        if unit.is_properties {
            match &unit.profile {
                Some(profile) => outcome.hold_under(&format!("profile {profile}"), &sources),
                None => outcome.hold_under(&files::shown(&unit.path), &sources),
            }
        }
        let definitions = library.all().map(|loaded| loaded.path.clone()).collect();
        drop(sources);
        Ok(Judged { outcome, definitions, undone: undone.into_iter().collect() })
    }
}

/// Archives that are no packages, with why.
pub type Refused = Vec<(PathBuf, Vec<PackageFault>)>;

/// What is said of an archive that is no package.
fn refused(path: &Path, faults: &[PackageFault], style: Style, keeps_files: bool) -> Outcome {
    let mut sources = Sources::new();
    let start = Span::new(sources.add(files::shown(path), ""), 0..0);
    let finding = |fault: &PackageFault| {
        let finding = Diagnostic::new(&PACKAGE_INVALID, start, fault.message.clone());
        match &fault.help {
            Some(help) => finding.help(help.clone()),
            None => finding,
        }
    };
    let mut outcome = Outcome::new(style, keeps_files);
    outcome.add(&sources, Sifted { findings: faults.iter().map(finding).collect(), ..Sifted::default() });
    outcome
}

/// Takes the codes of Oozie's servers out of findings about definitions of another dialect, which they never read.
fn without_codes(library: &Library<'_>, findings: &mut [Diagnostic]) {
    // What cannot be read has a root all the same, as far as it goes.
    let is_other = |loaded: &&Loaded| match &loaded.definition.app {
        Some(app) => app.dialect() != Dialect::Oozie,
        None => discovery::dialect(&loaded.path) == Some(Dialect::Hws),
    };
    let files: Vec<_> = library.all().filter(is_other).map(|loaded| loaded.definition.file).collect();
    for finding in findings.iter_mut().filter(|finding| files.contains(&finding.span.file)) {
        finding.oozie.clear();
    }
}

/// The finding for a file that is named as a definition and is none.
fn unknown_root(loaded: &Loaded) -> Option<Diagnostic> {
    let root = loaded.definition.root.as_ref().filter(|_| loaded.kind() == Some(Kind::Other))?;
    let message = format!("`{}` is no bundle, coordinator or workflow", root.name.local);
    let mut names = definition_roots();
    let finding = Diagnostic::new(&schema::VIOLATION, root.name_span, message);
    // The namespace says it best.
    let family = root.name.namespace.split(':').nth(2).unwrap_or_default();
    Some(match names.find(|name| name.strip_suffix("-app") == Some(family)) {
        Some(name) => finding.help(format!("did you mean `{name}`?")),
        None => finding.help_did_you_mean(&root.name.local, definition_roots()),
    })
}
