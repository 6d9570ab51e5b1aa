//! From arguments to what is looked at: files, folders, patterns, a text from standard input.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::sieve::{Choice, Sieve};
use super::{Unit, threads};
use crate::analysis::project::Kind;
use crate::host::ShellError;
use crate::host::discovery;
use crate::host::files;
use crate::shell::config::Config;
use crate::shell::context::Common;
use crate::shell::parameters;
use crate::shell::project::Project;

/// What is gathered so far.
pub(super) struct Input<'a> {
    common: &'a Common,
    choice: &'a Choice,
    /// The projects, each once however many arguments lie in it, with the place of its `ankus.toml`.
    pub(super) projects: Vec<(Arc<Config>, Project)>,
    by_roots: BTreeMap<(Option<PathBuf>, Vec<PathBuf>), usize>,
    configs: BTreeMap<Option<PathBuf>, Arc<Config>>,
    /// What is looked at.
    pub(super) units: Vec<Unit>,
    /// What cannot be looked at, and why.
    pub(super) faults: Vec<ShellError>,
    /// Folders in which nothing was found.
    pub(super) empty: Vec<PathBuf>,
}

impl<'a> Input<'a> {
    /// Nothing yet.
    pub(super) fn new(choice: &'a Choice, common: &'a Common) -> Input<'a> {
        Input {
            common,
            choice,
            projects: Vec::new(),
            by_roots: BTreeMap::new(),
            configs: BTreeMap::new(),
            units: Vec::new(),
            faults: Vec::new(),
            empty: Vec::new(),
        }
    }

    /// Takes an argument in: a file is itself, a folder all definitions in and below it and the properties files that
    /// lead to one, a pattern what it matches.
    pub(super) fn take(&mut self, path: &Path) -> Result<(), ShellError> {
        // A text that stands in for the file is enough.
        if files::is_file(path) {
            return self.file(path);
        }
        match std::fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => self.folder(path),
            Ok(_) => self.file(path),
            Err(_) if discovery::is_pattern(path) => self.pattern(path),
            Err(source) => {
                self.faults.push(ShellError::Read { path: path.to_owned(), source });
                Ok(())
            }
        }
    }

    /// Sorts what was taken and drops doubles.
    pub(super) fn finish(&mut self) {
        self.units
            .sort_by(|a, b| (&a.path, &a.profile, !a.complete).cmp(&(&b.path, &b.profile, !b.complete)));
        let mut seen = BTreeSet::new();
        self.units.retain(|unit| seen.insert((files::absolute(&unit.path), unit.profile.clone())));
    }

    fn file(&mut self, path: &Path) -> Result<(), ShellError> {
        let config = self.config(path)?;
        let roots = Project::roots_of(path, &config.1);
        let project = self.project(config, roots);
        if self.choice.force_exclude && self.excludes(project, path) {
            return Ok(());
        }
        if discovery::notation(path).is_some() {
            self.schedules(path, project);
            return Ok(());
        }
        let is_properties = is_properties(path);
        if is_properties && !is_called_properties(path) && !discovery::reads_as_properties(path) {
            let path = files::shown(path);
            let fault = format!("`{path}` is neither a definition nor a properties file");
            self.faults.push(ShellError::usage(fault));
            return Ok(());
        }
        let complete = is_properties || parameters::any(self.common);
        self.units.push(Unit {
            path: path.to_owned(),
            complete,
            is_properties,
            profile: None,
            kind: discovery::kind(path),
            schedules: Vec::new(),
            project,
        });
        Ok(())
    }

    /// The schedules of a project are looked at together, since names and loops are a matter of all of them.
    fn schedules(&mut self, path: &Path, project: usize) {
        let own = self.units.iter_mut().find(|unit| unit.project == project && !unit.schedules.is_empty());
        match own {
            Some(unit) if unit.schedules.iter().any(|known| files::is_same(known, path)) => {}
            Some(unit) => unit.schedules.push(path.to_owned()),
            None => self.units.push(Unit {
                path: path.to_owned(),
                complete: false,
                is_properties: false,
                profile: None,
                kind: None,
                schedules: vec![path.to_owned()],
                project,
            }),
        }
    }

    fn folder(&mut self, folder: &Path) -> Result<(), ShellError> {
        let config = self.config(folder)?;
        let roots = Project::roots_of(folder, &config.1);
        let project = self.project(config, roots);
        let candidates = discovery::candidates(folder)?;
        self.faults.extend(candidates.faults);
        if !self.found(candidates.files, project) {
            self.empty.push(folder.to_owned());
        }
        self.profiles(folder, project);
        Ok(())
    }

    /// Takes in the profiles whose files lie in a folder, each a program of its own. A file that a profile lays others over
    /// is no program by itself.
    fn profiles(&mut self, folder: &Path, project: usize) {
        if parameters::any(self.common) {
            return;
        }
        let config = Arc::clone(&self.projects[project].0);
        let base = config.folder.clone().unwrap_or_default();
        let folder = files::absolute(folder);
        for (name, profile) in &config.profiles {
            let paths: Vec<PathBuf> = profile.properties.iter().map(|path| base.join(path)).collect();
            let named = paths.iter().find(|path| may_name_app(path) && discovery::names_app(path));
            let Some(path) = named.filter(|path| files::absolute(path).starts_with(&folder)) else {
                continue;
            };
            if (paths.len() < 2 && profile.define.is_empty()) || self.excludes(project, path) {
                continue;
            }
            self.units.retain(|unit| {
                unit.profile.is_some() || !unit.is_properties || !files::is_same(&unit.path, path)
            });
            self.units.push(Unit {
                path: path.clone(),
                complete: true,
                is_properties: true,
                profile: Some(name.clone()),
                kind: None,
                schedules: Vec::new(),
                project,
            });
        }
    }

    fn pattern(&mut self, pattern: &Path) -> Result<(), ShellError> {
        let found = discovery::matching(pattern)?;
        if found.is_empty() {
            let pattern = files::slashed(pattern);
            self.faults.push(ShellError::usage(format!("`{pattern}` matches no file")));
            return Ok(());
        }
        let (folders, found): (Vec<_>, Vec<_>) = found.into_iter().partition(|path| path.is_dir());
        for folder in folders {
            self.folder(&folder)?;
        }
        // Files of several projects may match.
        let mut by_project: BTreeMap<usize, Vec<PathBuf>> = BTreeMap::new();
        for path in found {
            let config = self.config(&path)?;
            let roots = Project::roots_of(&path, &config.1);
            by_project.entry(self.project(config, roots)).or_default().push(path);
        }
        for (project, found) in by_project {
            self.found(found, project);
        }
        Ok(())
    }

    /// Takes of several files those that are definitions, and those properties files that lead to one. With parameters,
    /// the app that they are for is known whole: the one that they name, else the topmost ones. False when there was
    /// none, excluded ones included.
    fn found(&mut self, mut found: Vec<PathBuf>, project: usize) -> bool {
        let candidates = found.len();
        found.retain(|path| !self.excludes(project, path));
        let mut is_any = found.len() < candidates;
        for path in found.extract_if(.., |path| discovery::is_called_schedules(path)) {
            is_any = true;
            self.schedules(&path, project);
        }
        let kinds = threads::map(&found, |path| match discovery::extension(path) {
            Some("xml") => match discovery::kind(path) {
                // Its name says what it is; that nothing can be made of it must be told.
                None => discovery::is_named_as_definition(path).then_some(Kind::Other),
                kind => kind.filter(|kind| kind.is_app_file() || discovery::claims_a_definition(path)),
            },
            _ => None,
        });
        let top = kinds.iter().flatten().min().copied().filter(|kind| *kind != Kind::Datasets);
        let given = parameters::any(self.common);
        for (path, kind) in found.into_iter().zip(kinds) {
            if kind.is_none_or(|kind| kind == Kind::Other)
                && let Some(fault) = files::fault(&path)
            {
                self.faults.push(fault);
                is_any = true;
                continue;
            }
            match kind {
                Some(kind) => {
                    is_any = true;
                    let complete = given && Some(kind) == top;
                    self.units.push(Unit {
                        path,
                        complete,
                        is_properties: false,
                        profile: None,
                        kind: Some(kind),
                        schedules: Vec::new(),
                        project,
                    });
                }
                None if !given && may_name_app(&path) && discovery::names_app(&path) => {
                    is_any = true;
                    self.units.push(Unit {
                        path,
                        complete: true,
                        is_properties: true,
                        profile: None,
                        kind: None,
                        schedules: Vec::new(),
                        project,
                    });
                }
                None => {}
            }
        }
        is_any
    }

    fn excludes(&self, project: usize, path: &Path) -> bool {
        Sieve { config: &self.projects[project].0, choice: self.choice, names: &[] }.excludes(path)
    }

    /// The configuration for a path, read once.
    fn config(&mut self, path: &Path) -> Result<(Option<PathBuf>, Arc<Config>), ShellError> {
        let place = Config::locate(self.common.config.as_deref(), path);
        if let Some(config) = self.configs.get(&place) {
            return Ok((place, Arc::clone(config)));
        }
        if let (None, Some(path)) = (&self.common.config, &place) {
            Config::is_own(path)?;
        }
        let config = Config::read_or_default(place.as_deref())?;
        config.version(self.common.oozie_version.as_deref())?;
        config.profile(self.common.profile.as_deref())?;
        config.zone()?;
        let config = Arc::new(config);
        self.configs.insert(place.clone(), Arc::clone(&config));
        Ok((place, config))
    }

    fn project(&mut self, (place, config): (Option<PathBuf>, Arc<Config>), roots: Vec<PathBuf>) -> usize {
        let next = self.projects.len();
        let index = *self.by_roots.entry((place, roots.clone())).or_insert(next);
        if index == next {
            let project = Project::rooted(roots, &config);
            self.projects.push((config, project));
        }
        index
    }
}

/// Whether a file that the user names is taken for properties.
fn is_properties(path: &Path) -> bool {
    let kind = discovery::kind(path);
    let is_xml = match path.extension() {
        Some(extension) => extension == "xml",
        // Standard input, perhaps.
        None => files::head(path, 64).trim_ascii_start().starts_with(b"<"),
    };
    if is_xml {
        kind == Some(Kind::Configuration) && discovery::names_app(path)
    } else {
        !kind.is_some_and(Kind::is_app_file)
    }
}

/// Whether a file may lead to an app by its extension.
fn may_name_app(path: &Path) -> bool {
    matches!(discovery::extension(path), Some("xml" | "properties"))
}

/// Whether a file is called as properties files are, also those that a template engine or a build fills.
fn is_called_properties(path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default();
    let has_extension = name.contains('.');
    !has_extension
        || name.ends_with(".xml")
        || name.split('.').skip(1).any(|part| matches!(part, "properties" | "props" | "prop"))
}
