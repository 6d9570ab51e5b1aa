//! The definitions of one program, each read once and kept while the program is looked at.

use std::cell::{Cell, OnceCell, Ref, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::analysis::about::name_subjects;
use crate::analysis::app_files::{self, AppFiles, ByPath};
use crate::analysis::parameters::{APP_PATH_MISSING, AppKind, Given, JobConf};
use crate::analysis::project::{Astray, Kind, Why};
use crate::analysis::templates;
use crate::analysis::values::Values;
use crate::diag::{Diagnostic, Group, Severity, Stage};
use crate::host::discovery;
use crate::host::error::ShellError;
use crate::host::files;
use crate::model::coordinator::Datasets;
use crate::model::{self, App};
use crate::project::causes;
use crate::redact::{self, Redactor};
use crate::rules::{self, Rule};
use crate::schema::{Judge, Version};
use crate::shell::check::verdict;
use crate::shell::load::{self, Definition};
use crate::shell::parameters;
use crate::shell::project::{Found, Project};
use crate::source::{FileId, Sources, Span, Text};
use crate::triage;
use crate::xml::Element;

/// A definition with what stands beside it.
#[derive(Debug)]
pub struct Loaded {
    /// Its path.
    pub path: PathBuf,
    /// What was read.
    pub definition: Definition,
    /// Its text, which [`Sources`] holds as well; kept here because sources grow while this is in use.
    pub text: Arc<str>,
    /// The properties of the default file beside it.
    pub default_file: Vec<Given>,
    /// The scripts beside a workflow that its pig and hive actions run.
    scripts: BTreeMap<String, Text>,
    /// What can be said of it as a document.
    pub document: Vec<Diagnostic>,
    /// The rules that look at it.
    rules: &'static [&'static Rule],
    /// The server's version.
    version: Version,
    /// Whether the server looks at no forks and joins.
    ignores_forks: bool,
    /// What lies in its folder, when it names anything there.
    files: OnceCell<Option<AppFiles>>,
    /// What the rules say without any value.
    alone: OnceCell<Vec<Diagnostic>>,
    /// What the rules say with the values of each program that leads here; `None`: no program does.
    judged: RefCell<Option<Told>>,
}

/// Findings in order of finding, each once.
#[derive(Debug, Default)]
struct Told {
    findings: Vec<Diagnostic>,
    seen: BTreeSet<(Span, &'static str, String)>,
}

impl Loaded {
    /// What its root element says it is.
    pub fn kind(&self) -> Option<Kind> {
        Some(Kind::of_root(&self.definition.root.as_ref()?.name.local))
    }

    /// Whether it is whole enough to be submitted: a document that breaks its schema never gets so far.
    pub fn is_sound(&self) -> bool {
        let breaks = |finding: &Diagnostic| {
            matches!(finding.rule.group, Group::Xml | Group::Schema) && finding.severity == Severity::Error
        };
        self.definition.root.is_some() && !self.document.iter().any(breaks)
    }

    /// Lets the rules look at it with the values of one program, and with the files of datasets that it includes there.
    pub fn judge(&self, values: &Values, included: &[&Datasets]) {
        self.judge_among(values, included, &ByPath::new());
    }

    /// As [`Loaded::judge`], with what is known of files by their whole paths.
    pub fn judge_among(&self, values: &Values, included: &[&Datasets], elsewhere: &ByPath) {
        let Some(app) = &self.definition.app else { return };
        let mut judged = self.judged.borrow_mut();
        let told = judged.get_or_insert_default();
        let mut findings = verdict::by_rules(self.rules, app, values, included, (self.files(), elsewhere));
        let templates = || {
            let included = included.iter().flat_map(|datasets| templates::of_datasets(datasets));
            templates::templates(app).into_iter().chain(included).collect()
        };
        causes::to_values(&mut findings, templates, values.conf());
        for finding in findings {
            if told.seen.insert((finding.span, finding.rule.name, finding.message.clone())) {
                told.findings.push(finding);
            }
        }
    }

    /// What lies in the folder of a workflow that names anything there.
    fn files(&self) -> Option<&AppFiles> {
        let look = || match &self.definition.app {
            Some(App::Workflow(model)) if app_files::names_any(model) => {
                let files = discovery::app_files(&self.path)?;
                Some(AppFiles { scripts: self.scripts.clone(), ..files })
            }
            _ => None,
        };
        self.files.get_or_init(look).as_ref()
    }

    /// What can be said of it without any value.
    pub fn findings(&self) -> Vec<Diagnostic> {
        let alone = self.alone.get_or_init(|| {
            let app = self.definition.app.as_ref();
            app.map_or(Vec::new(), |app| {
                let mut values = Values::alone_for(app, self.version);
                values.ignores_forks = self.ignores_forks;
                verdict::by_rules(self.rules, app, &values, &[], (self.files(), &ByPath::new()))
            })
        });
        self.document.iter().chain(alone).cloned().collect()
    }

    /// What can be said of it with all values that it was judged with; without any, where it was judged with none.
    pub fn verdict(&self) -> Vec<Diagnostic> {
        match &*self.judged.borrow() {
            Some(told) => self.document.iter().chain(&told.findings).cloned().collect(),
            None => self.findings(),
        }
    }
}

/// Of more scripts the names are not looked at.
const MAX_SCRIPTS: usize = 200;

/// The property that names default files of workflows (`OozieClient.CONFIG_PATH`).
const CONFIG_PATH: &str = "oozie.default.configuration.path";

/// Shorter secrets are not taken out of the messages of findings.
const LEAST_SECRET_CHARS: usize = 4;

/// Everything that one program has read so far.
pub struct Library<'p> {
    pub(super) project: &'p Project,
    rules: &'static [&'static Rule],
    version: Version,
    judge: Judge,
    ignores_forks: bool,
    pub(super) sources: RefCell<Sources>,
    /// What of the sources must not be shown.
    redactor: RefCell<Redactor>,
    loaded: Shelf<Loaded>,
    by_path: RefCell<BTreeMap<PathBuf, usize>>,
    /// The first error of reading; a search in the middle of a plan cannot return it.
    fault: RefCell<Option<ShellError>>,
    /// A path has led nowhere, or to several files.
    has_missed: Cell<bool>,
    /// Where paths are to lead, wherever they stand.
    known: BTreeMap<String, PathBuf>,
    /// Where paths have led so far, by what names them: the same path may mean another file elsewhere.
    found: RefCell<BTreeMap<(String, Kind, PathBuf), PathBuf>>,
    findings: RefCell<Vec<Diagnostic>>,
    /// The scripts that were read; none for what is no text, or too long.
    pub(super) scripts: RefCell<BTreeMap<PathBuf, Option<Text>>>,
    /// What workflows get from default files where the configuration names more than the one beside them.
    defaults: Shelf<Vec<Given>>,
    defaults_by: RefCell<BTreeMap<(PathBuf, String), usize>>,
    /// Of the default files that the configuration names, some are not in the project.
    lacks_defaults: Cell<bool>,
}

impl<'p> Library<'p> {
    /// Nothing read yet. `sources` may hold the properties already.
    pub fn new(project: &'p Project, sources: Sources) -> Library<'p> {
        Library {
            project,
            rules: rules::ALL,
            version: Version::default(),
            judge: Judge::default(),
            ignores_forks: false,
            sources: RefCell::new(sources),
            redactor: RefCell::default(),
            loaded: Shelf::new(),
            by_path: RefCell::default(),
            fault: RefCell::default(),
            has_missed: Cell::new(false),
            known: BTreeMap::new(),
            found: RefCell::default(),
            findings: RefCell::default(),
            scripts: RefCell::default(),
            defaults: Shelf::new(),
            defaults_by: RefCell::default(),
            lacks_defaults: Cell::new(false),
        }
    }

    /// With other rules than all.
    pub fn with_rules(self, rules: &'static [&'static Rule]) -> Library<'p> {
        Library { rules, ..self }
    }

    /// With paths whose ends are known already.
    pub fn with_found(self, found: BTreeMap<String, PathBuf>) -> Library<'p> {
        Library { known: found, ..self }
    }

    /// Where paths have led so far, with those that were known before. Of a path that led to several files, by what
    /// named it, none is taken.
    pub fn found(&self) -> BTreeMap<String, PathBuf> {
        let mut led: BTreeMap<String, Option<PathBuf>> = BTreeMap::new();
        for ((uri, ..), path) in self.found.borrow().iter() {
            let known = led.entry(uri.clone()).or_insert_with(|| Some(path.clone()));
            if known.as_ref() != Some(path) {
                *known = None;
            }
        }
        let led = led.into_iter().filter_map(|(uri, path)| Some((uri, path?)));
        self.known.clone().into_iter().chain(led).collect()
    }

    /// Every path that was followed, with the file that it led to.
    pub fn followed(&self) -> Vec<(String, PathBuf)> {
        self.found.borrow().iter().map(|((uri, ..), path)| (uri.clone(), path.clone())).collect()
    }

    /// For a server of another version.
    pub fn with_version(self, version: Version) -> Library<'p> {
        Library { version, ..self }
    }

    /// With another judge of the schemas.
    pub fn with_judge(self, judge: Judge) -> Library<'p> {
        Library { judge, ..self }
    }

    /// For a server that looks at no forks and joins, or does.
    pub fn ignoring_forks(self, ignores_forks: bool) -> Library<'p> {
        Library { ignores_forks, ..self }
    }

    /// Whether the server looks at no forks and joins.
    pub fn ignores_forks(&self) -> bool {
        self.ignores_forks
    }

    /// The server's version.
    pub fn version(&self) -> Version {
        self.version
    }

    /// The rules that look at what is read.
    pub fn rules(&self) -> &'static [&'static Rule] {
        self.rules
    }

    /// The texts that spans refer to.
    pub fn sources(&self) -> Ref<'_, Sources> {
        self.sources.borrow()
    }

    /// Names what findings in the definitions that were read are about.
    pub fn name_subjects(&self, findings: &mut [Diagnostic]) {
        let roots: BTreeMap<FileId, &Element> = self
            .all()
            .filter_map(|loaded| Some((loaded.definition.file, loaded.definition.root.as_ref()?)))
            .collect();
        for finding in findings {
            if let Some(root) = roots.get(&finding.span.file) {
                name_subjects(root, std::slice::from_mut(finding));
            }
        }
    }

    /// Keeps the secrets of everything that was read, and those that findings speak of, from being shown.
    pub fn veil(&self, findings: &[Diagnostic]) {
        if findings.is_empty() {
            return;
        }
        let mut sources = self.sources.borrow_mut();
        let mut redactor = self.redactor.borrow_mut();
        let places = sources.ids().flat_map(|file| redact::places_in(file, sources.text(file)));
        let places: Vec<Span> = places.chain(triage::secrets(findings)).collect();
        for span in places {
            redactor.learn_written(sources.slice(span));
            sources.veil(span);
        }
        if redactor.is_empty() {
            return;
        }
        for file in sources.ids() {
            let text = sources.text(file);
            if text.trim_start().starts_with('<') {
                redactor.learn_names(sources.path(file), || redact::names::names_in(text));
            }
        }
        sources.redact_with(Box::new(redactor.clone()));
    }

    /// Keeps secrets among properties from being shown, whatever they look like.
    pub fn veil_given(&self, conf: &JobConf) {
        let mut sources = self.sources.borrow_mut();
        for (name, value) in conf.iter() {
            self.redactor.borrow_mut().keep_name(name.to_owned());
            // Findings hold too many words for what is shorter.
            if value.trim().chars().count() >= LEAST_SECRET_CHARS {
                self.redactor.borrow_mut().learn(name, value);
            }
            let Some(span) = conf.span(name) else { continue };
            let (places, start) = (redact::places(name, value), span.start as usize);
            if sources.slice(span) == value {
                let spans =
                    places.into_iter().map(|at| Span::new(span.file, start + at.start..start + at.end));
                spans.for_each(|span| sources.veil(span));
            } else if !places.is_empty() {
                // Written with escapes, so places in the value are none in the text.
                sources.veil(span);
            }
        }
    }

    /// Reads a definition, or returns it when it was read before.
    pub fn load(&self, path: &Path) -> Result<&Loaded, ShellError> {
        let path = files::absolute(path);
        if let Some(index) = self.by_path.borrow().get(&path) {
            return Ok(self.loaded.get(*index).expect("it was shelved"));
        }
        let mut sources = self.sources.borrow_mut();
        let definition = load::definition(&path, &mut sources)?;
        let text = sources.shared_text(definition.file);
        let document = verdict::alone(self.rules, self.version, self.judge, &definition, &sources);
        let kind = match &definition.app {
            Some(App::Bundle(_)) => Some(AppKind::Bundle),
            Some(App::Coordinator(_)) => Some(AppKind::Coordinator),
            Some(App::Workflow(_)) => Some(AppKind::Workflow),
            Some(App::Datasets(_)) | None => None,
        };
        let mut default_file = Vec::new();
        if let Some(kind) = kind {
            let dialect = definition.app.as_ref().map(App::dialect).unwrap_or_default();
            let beside = path.with_file_name(kind.default_file_in(dialect));
            self.project.holds(&beside)?;
            let (given, more) = parameters::default_file(&beside, &mut sources)?;
            default_file = given;
            self.findings.borrow_mut().extend(more);
        }
        let mut scripts = BTreeMap::new();
        if let Some(App::Workflow(model)) = &definition.app {
            let more = self.settings_of(&path, model, &mut sources);
            self.findings.borrow_mut().extend(more);
            scripts = self.scripts_of(&path, model, &mut sources);
        }
        let (files, alone, judged) = (OnceCell::new(), OnceCell::new(), RefCell::default());
        let (rules, version) = (self.rules, self.version);
        let loaded = Loaded {
            path: path.clone(),
            definition,
            text,
            default_file,
            scripts,
            document,
            rules,
            version,
            ignores_forks: self.ignores_forks,
            files,
            alone,
            judged,
        };
        let index = self.loaded.push(loaded);
        self.by_path.borrow_mut().insert(path, index);
        Ok(self.loaded.get(index).expect("it was shelved"))
    }

    /// What is wrong with the `job-xml` files of a workflow that lie beside it: an action reads them when it starts.
    fn settings_of(&self, path: &Path, model: &model::Workflow, sources: &mut Sources) -> Vec<Diagnostic> {
        let named = app_files::references(model, Values::unknown()).into_iter();
        let named = named.filter(|reference| reference.use_of == app_files::Use::JobXml);
        let paths: BTreeSet<String> = named.map(|reference| reference.path).collect();
        let folder = path.parent().unwrap_or(Path::new(""));
        let mut found = Vec::new();
        for name in paths {
            let file = folder.join(name);
            // What leads out of the project, or cannot be read, is refused when the action starts.
            if !files::is_file(&file) || self.project.holds(&file).is_err() {
                continue;
            }
            let Ok((_, findings)) = parameters::default_file(&file, sources) else { continue };
            found.extend(findings.into_iter().map(|finding| match finding.stage {
                Some(Stage::Submit) => finding.stage(Some(Stage::Action)).oozie(&[]),
                _ => finding,
            }));
        }
        found
    }

    /// The scripts beside a workflow that its pig and hive actions run.
    fn scripts_of(
        &self,
        path: &Path,
        model: &model::Workflow,
        sources: &mut Sources,
    ) -> BTreeMap<String, Text> {
        let named = app_files::references(model, Values::unknown()).into_iter();
        let named = named.filter(|reference| reference.use_of == app_files::Use::Script);
        let paths: BTreeSet<String> = named.map(|reference| reference.path).take(MAX_SCRIPTS).collect();
        let folder = path.parent().unwrap_or(Path::new(""));
        let mut found = BTreeMap::new();
        for name in paths {
            let file = folder.join(&name);
            if !files::is_file(&file) || self.project.holds(&file).is_err() {
                continue;
            }
            let Some(text) = self.script(&file, sources) else { continue };
            found.insert(name, text);
        }
        found
    }

    /// What a workflow gets from default files when it is submitted with a configuration, later ones of a name before
    /// earlier ones: those that `oozie.default.configuration.path` names come before the one beside it, the first of them
    /// before the others (`SubmitXCommand.execute`, `XConfiguration.injectDefaults`). What an action gets of a name that
    /// several files have is the last one's there; here it is what the expressions see.
    pub fn defaults<'l>(&'l self, app: &'l Loaded, conf: &JobConf) -> &'l [Given] {
        let named = match &app.definition.app {
            Some(App::Workflow(_)) => conf.get_lenient(CONFIG_PATH).filter(|paths| !paths.trim().is_empty()),
            _ => None,
        };
        let Some(paths) = named else { return &app.default_file };
        let key = (app.path.clone(), paths);
        let known = self.defaults_by.borrow().get(&key).copied();
        let index = known.unwrap_or_else(|| {
            let place =
                conf.span(CONFIG_PATH).or_else(|| app.definition.root.as_ref().map(|root| root.name_span));
            let mut all = app.default_file.clone();
            let paths: Vec<&str> = key.1.split(',').map(str::trim).filter(|path| !path.is_empty()).collect();
            for path in paths.into_iter().rev() {
                all.extend(self.configured(path, &app.path, place));
            }
            let index = self.defaults.push(all);
            self.defaults_by.borrow_mut().insert(key, index);
            index
        });
        self.defaults.get(index).map_or(&app.default_file[..], |all| &all[..])
    }

    /// The properties of a default file that a configuration names. A server passes over one that is not there.
    fn configured(&self, path: &str, near: &Path, place: Option<Span>) -> Vec<Given> {
        let read = self.project.resolve(path, Kind::Configuration, near).and_then(|found| {
            match found.file(path, Kind::Configuration) {
                Ok(file) => {
                    let read = self.project.holds(&file);
                    read.and_then(|()| parameters::default_file(&file, &mut self.sources.borrow_mut()))
                        .map(Ok)
                }
                Err(astray) => Ok(Err(astray)),
            }
        });
        match read {
            Ok(Ok((given, more))) => {
                self.findings.borrow_mut().extend(more);
                return given;
            }
            Ok(Err(astray)) => {
                self.lacks_defaults.set(true);
                let severity = if astray.why == Why::Unknown { Severity::Info } else { Severity::Warning };
                self.findings.borrow_mut().extend(place.map(|place| {
                    Diagnostic::new(&APP_PATH_MISSING, place, astray.words())
                        .severity(severity)
                        .stage(None)
                        .help("map the path under `[paths]` in ankus.toml; a server passes over a file that is not there")
                }));
            }
            Err(error) => drop(self.fault.borrow_mut().get_or_insert(error)),
        }
        Vec::new()
    }

    /// Whether default files that a configuration names are not in the project, so that what they define is not known.
    pub fn lacks_defaults(&self) -> bool {
        self.lacks_defaults.get()
    }

    /// The properties of all default files that were read.
    pub fn all_defaults(&self) -> impl Iterator<Item = &Given> {
        let configured = (0..).map_while(|index| self.defaults.get(index)).flatten();
        self.all().flat_map(|loaded| &loaded.default_file).chain(configured)
    }

    /// Where an application path leads.
    pub fn resolve(&self, uri: &str, kind: Kind, near: &Path) -> Result<Found, ShellError> {
        self.project.resolve(uri, kind, near)
    }

    /// The definition that an application path leads to, if it leads to exactly one. An error of reading is kept for
    /// [`Library::finish`].
    pub fn find(&self, uri: &str, kind: Kind, near: &Path) -> Option<&Loaded> {
        self.follow(uri, kind, near).ok()
    }

    /// As [`Library::find`], and says why there is none.
    pub fn follow(&self, uri: &str, kind: Kind, near: &Path) -> Result<&Loaded, Astray> {
        let key = (uri.to_owned(), kind, near.to_owned());
        let known = self.known.get(uri).cloned().or_else(|| self.found.borrow().get(&key).cloned());
        let found =
            known.map_or_else(|| self.project.resolve(uri, kind, near), |path| Ok(Found::known(path)));
        let loaded = match found {
            Ok(found) => {
                let path = found.file(uri, kind).inspect_err(|_| self.has_missed.set(true))?;
                self.found.borrow_mut().insert(key, path.clone());
                self.project.holds(&path).and_then(|()| self.load(&path))
            }
            Err(error) => Err(error),
        };
        loaded.map_err(|error| {
            self.fault.borrow_mut().get_or_insert(error);
            Astray::unknown(uri, kind)
        })
    }

    /// True when a search has found no file, so that something of the program may not be known.
    pub fn has_missed(&self) -> bool {
        self.has_missed.get()
    }

    /// What was read so far, in order.
    pub fn all(&self) -> impl Iterator<Item = &Loaded> {
        (0..).map_while(|index| self.loaded.get(index))
    }

    /// What reading default files found.
    pub fn findings(&self) -> Vec<Diagnostic> {
        self.findings.borrow().clone()
    }

    /// The error that a search met, if any.
    pub fn finish(&self) -> Result<(), ShellError> {
        self.fault.borrow_mut().take().map_or(Ok(()), Err)
    }
}

/// A list that only grows, so that what it lends stays where it is.
struct Shelf<T> {
    chunks: [OnceCell<Box<[OnceCell<T>]>>; Shelf::<()>::CHUNKS],
    length: Cell<usize>,
}

impl<T> Shelf<T> {
    /// Chunk `n` holds `16 << n` values.
    const CHUNKS: usize = 24;
    const FIRST: usize = 16;

    fn new() -> Shelf<T> {
        Shelf { chunks: std::array::from_fn(|_| OnceCell::new()), length: Cell::new(0) }
    }

    /// The chunk that holds a value, and its place in there.
    fn place(index: usize) -> (usize, usize) {
        let chunk = ((index / Self::FIRST) + 1).ilog2() as usize;
        (chunk, index - Self::FIRST * ((1 << chunk) - 1))
    }

    fn push(&self, value: T) -> usize {
        let index = self.length.get();
        let (chunk, offset) = Self::place(index);
        let cells = self.chunks[chunk]
            .get_or_init(|| (0..Self::FIRST << chunk).map(|_| OnceCell::new()).collect::<Vec<_>>().into());
        assert!(cells[offset].set(value).is_ok(), "a place is filled once");
        self.length.set(index + 1);
        index
    }

    fn get(&self, index: usize) -> Option<&T> {
        let (chunk, offset) = Self::place(index);
        self.chunks.get(chunk)?.get()?.get(offset)?.get()
    }
}

#[cfg(test)]
mod tests {
    use super::Shelf;

    #[test]
    fn what_is_shelved_stays() {
        let shelf = Shelf::new();
        let first = (shelf.push(0), shelf.get(0).expect("there"));
        for n in 1..1000 {
            assert_eq!(shelf.push(n), n);
        }
        assert_eq!(first, (0, &0));
        assert!((0..1000).all(|n| shelf.get(n) == Some(&n)));
        assert_eq!(shelf.get(1000), None);
    }
}
