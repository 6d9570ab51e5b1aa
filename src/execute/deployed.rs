//! Definitions under keys: what the engine runs, made from files when it is planned and from recipes ever after.
//!
//! As on a server, a coordinator is read when it is submitted, a workflow each time one is begun.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::recipe::{Bytes, Child, Recipe, What};
use super::selection::{ENTRY, Selection};
use super::store::Store;
use crate::analysis::parameters::{AppKind, Given, JobConf, Layer};
use crate::analysis::project::{Kind, Why};
use crate::analysis::subject::VALIDATE_FORK_JOIN;
use crate::diag::{Diagnostic, Severity};
use crate::engine::coordinator::Only;
use crate::engine::{
    BundleProgram, ChildProgram, Conf, CoordinatorProgram, Fault, Key, PlannedWorkflow, Plans, Server,
    Submission,
};
use crate::host::ShellError;
use crate::host::files::{self, Content};
use crate::host::overlay;
use crate::model::App as Model;
use crate::plan::workflow::{self, Program as WorkflowProgram};
use crate::redact::names::names_in;
use crate::schema::Version;
use crate::shell::check::program::{Program, workflow_definition};
use crate::shell::library::{Library, Loaded};
use crate::shell::project::Project;
use crate::shell::staging;
use crate::shell::staging::{UNREADABLE, fault};
use crate::shell::submission::Submitted;
use crate::source::Sources;
use crate::time::ProcessingZone;

/// What stands for a default file that is not there.
const NO_DEFAULTS: &[u8] = b"<configuration/>";

/// Files that a definition may lead to; more rounds of reading are not made.
const MAX_ROUNDS: usize = 64;

/// All definitions that the engine knows, and how new ones are found.
pub struct Deployed {
    project: Project,
    version: Version,
    zone: ProcessingZone,
    /// Timeout, concurrency and throttle of coordinators that do not say.
    defaults: [i64; 3],
    /// Whether the server looks at no forks and joins of what is submitted from now on.
    ignores_forks: bool,
    /// Where the recipes lie of what is not at hand.
    recipes: Store,
    known: RefCell<Known>,
}

#[derive(Default)]
struct Known {
    workflows: BTreeMap<Key, Arc<WorkflowProgram>>,
    coordinators: BTreeMap<Key, Arc<CoordinatorProgram>>,
    bundles: BTreeMap<Key, Arc<BundleProgram>>,
    recipes: BTreeMap<Key, Arc<Recipe>>,
    keys: BTreeMap<Arc<Recipe>, Key>,
    count: u64,
    /// What is not on disk yet.
    new: Vec<(String, String)>,
    /// Why something could not be read that the store holds.
    fault: Option<ShellError>,
}

impl Deployed {
    /// Definitions of a project, over those that a store knows already.
    pub fn new(
        project: Project,
        version: Version,
        zone: ProcessingZone,
        recipes: Store,
    ) -> Result<Deployed, ShellError> {
        let known = Known { count: recipes.last_key()?, ..Known::default() };
        let defaults = defaults_of(&Server::default());
        Ok(Deployed {
            project,
            version,
            zone,
            defaults,
            ignores_forks: false,
            recipes,
            known: RefCell::new(known),
        })
    }

    /// What is submitted from now on gets the defaults of this server.
    pub fn on(self, server: &Server) -> Deployed {
        Deployed { defaults: defaults_of(server), ignores_forks: !server.validate_fork_join, ..self }
    }

    /// Keys that are new since the last call, with their recipes.
    pub fn take_new(&self) -> Vec<(String, String)> {
        std::mem::take(&mut self.known.borrow_mut().new)
    }

    /// Why a definition could not be had, when the store is to blame.
    pub fn take_fault(&self) -> Option<ShellError> {
        self.known.borrow_mut().fault.take()
    }

    /// The file of the definition behind a key.
    pub fn path(&self, key: &str) -> Option<PathBuf> {
        Some(self.recipe(key)?.path.clone())
    }

    /// The text of the definition behind a key.
    pub fn definition(&self, key: &str) -> Option<String> {
        let recipe = self.recipe(key)?;
        Some(String::from_utf8_lossy(recipe.files.get(&recipe.path)?.as_slice()).into_owned())
    }

    /// An app that planning has accepted, as a submission. Workflows and coordinators are read once more, so that what is
    /// kept is what runs.
    pub fn submission(&self, app: &Loaded, submitted: &Submitted) -> Result<Submission, Fault> {
        self.submission_of(app, submitted, &Selection::default())
    }

    /// A part of an app as a submission.
    pub fn submission_of(
        &self,
        app: &Loaded,
        submitted: &Submitted,
        selection: &Selection,
    ) -> Result<Submission, Fault> {
        Ok(match submitted {
            Submitted::Workflow(submitted) => {
                let conf = Arc::new(Conf::from(&submitted.conf));
                let from = selection.from_node.clone();
                Submission::Workflow(self.of_workflow(&app.path, &conf, None, from)?)
            }
            Submitted::Coordinator(_, conf) => {
                let conf = conf.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
                let only = selection.actions.clone();
                Submission::Coordinator(self.of_coordinator(&app.path, None, conf, only)?)
            }
            Submitted::Bundle(bundle, started) => {
                let only = &selection.coordinators;
                let is_wanted = |name: &String| only.is_empty() || only.contains(name);
                let children = started.children.iter().map(|child| Child {
                    name: child.name.clone(),
                    critical: child.is_critical,
                    enabled: child.is_enabled && is_wanted(&child.name),
                    app_path: child.app_path.clone(),
                    conf: child.conf.to_map(),
                    refused: child.findings.first().map(|finding| {
                        let code = finding.oozie.last().copied().unwrap_or("E1310");
                        (code.to_owned(), finding.message.clone())
                    }),
                });
                let fault = started.error.as_ref().map(|error| {
                    (error.oozie.last().copied().unwrap_or("E1310").to_owned(), error.message.clone())
                });
                let what = What::Bundle {
                    name: bundle.name.clone(),
                    kick_off: bundle.kick_off.map(|at| at.millis()),
                    children: children.collect(),
                    only: only.clone(),
                    fault,
                };
                let files = BTreeMap::from([(app.path.clone(), Bytes::Text(app.text.to_string()))]);
                let (found, conf) = (BTreeMap::new(), bundle.conf.to_map());
                let recipe = Recipe { what, path: app.path.clone(), files, found, conf };
                Submission::Bundle(self.keep(recipe)?)
            }
        })
    }

    /// A coordinator of a bundle.
    pub fn plan_coordinator(&self, bundle: &str, child: u32) -> Result<Key, Fault> {
        let unknown = || Fault::new("E1001", "there is no such coordinator");
        let recipe = self.recipe(bundle).ok_or_else(unknown)?;
        let What::Bundle { children, .. } = &recipe.what else { return Err(unknown()) };
        let child = children.get(child as usize).ok_or_else(unknown)?;
        if let Some((code, message)) = &child.refused {
            return Err(Fault::new(code, message.as_str()));
        }
        if !child.enabled {
            return Err(Fault::new("E1318", "it is not enabled"));
        }
        let path = self.follow(&child.app_path, Kind::Coordinator, &recipe.path)?;
        self.of_coordinator(&path, Some(child.name.clone()), child.conf.clone(), None)
    }

    /// A workflow that a coordinator (`near` is its file) or another workflow (`above`) runs.
    pub fn plan_workflow(
        &self,
        app_path: &str,
        conf: &Arc<Conf>,
        above: Option<&str>,
        near: &Path,
    ) -> Result<PlannedWorkflow, Fault> {
        let path = self.follow(app_path, Kind::Workflow, near)?;
        self.of_workflow(&path, conf, above, None)
    }

    /// A workflow once more, as its files are now, with what was asked of it when it was submitted; `path` leads to it
    /// when that is not where it was.
    pub fn plan_again(
        &self,
        key: &str,
        app_path: Option<&str>,
        conf: &Arc<Conf>,
    ) -> Result<PlannedWorkflow, Fault> {
        let recipe = self.recipe(key).ok_or_else(|| Fault::new(UNREADABLE, "its definition is not known"))?;
        let What::Workflow { above, from } = &recipe.what else {
            return Err(Fault::new(UNREADABLE, "it is no workflow"));
        };
        let path = match app_path {
            Some(uri) => self.follow(uri, Kind::Workflow, &recipe.path)?,
            None => recipe.path.clone(),
        };
        self.of_workflow(&path, conf, above.as_deref(), from.clone())
    }

    fn follow(&self, uri: &str, kind: Kind, near: &Path) -> Result<PathBuf, Fault> {
        let code = if kind == Kind::Workflow { UNREADABLE } else { "E1001" };
        let found = self.project.resolve(uri, kind, near);
        let found = found.map_err(|error| Fault::new(code, error.to_string()))?;
        found.file(uri, kind).map_err(|astray| match astray.why {
            Why::Unknown => {
                let words = format!(
                    "`{uri}` leads to no {} of this project that can be read; `ankus check` tells what is wrong with files",
                    kind.name()
                );
                Fault::new(code, words)
            }
            _ => Fault::new(code, astray.words()),
        })
    }

    fn of_workflow(
        &self,
        path: &Path,
        conf: &Arc<Conf>,
        above: Option<&str>,
        from: Option<String>,
    ) -> Result<PlannedWorkflow, Fault> {
        let (answer, recipe) = self.gather(path, |library| {
            let given = self.job_conf(conf.all().into_iter());
            let loaded = sound(library, path, Some(&given))?;
            let Some(Model::Workflow(model)) = &loaded.definition.app else {
                return Err(broken(library, loaded));
            };
            let definition = workflow_definition(library, loaded, model, &given);
            let definition = definition.ok_or_else(|| broken(library, loaded))?;
            let (submitted, findings) = workflow::submit(definition, given);
            let Some(submitted) = submitted else {
                let refused = || Fault::new("E0803", "it is refused");
                return Err(fault(&findings, "E0803").unwrap_or_else(refused));
            };
            // What a program holds of the configuration are the values of its default file.
            let value =
                |given: &Given| Some((given.name.clone(), submitted.conf.get_raw(&given.name)?.to_owned()));
            let defaults = definition.default_file.iter().filter_map(value).collect();
            Ok((submitted.name.clone(), Conf::from(&submitted.conf), defaults))
        })?;
        let (name, conf, defaults) = answer;
        let what = What::Workflow { above: above.map(str::to_owned), from };
        let key = self.keep(Recipe { what, conf: defaults, ..recipe })?;
        Ok(PlannedWorkflow { program: key, name: name.into(), conf: Some(Arc::new(conf)) })
    }

    fn of_coordinator(
        &self,
        path: &Path,
        name: Option<String>,
        conf: BTreeMap<String, String>,
        only: Option<String>,
    ) -> Result<Key, Fault> {
        let defaults = (self.defaults != defaults_of(&Server::default())).then_some(self.defaults);
        let ((), recipe) = self.gather(path, |library| {
            sound(library, path, None)?;
            self.coordinator(library, path, name.as_deref(), (&conf, defaults), only.as_deref()).map(|_| ())
        })?;
        self.keep(Recipe { what: What::Coordinator { name, only, defaults }, conf, ..recipe })
    }

    /// Submits a coordinator.
    fn coordinator(
        &self,
        library: &Library<'_>,
        path: &Path,
        name: Option<&str>,
        (conf, defaults): (&BTreeMap<String, String>, Option<[i64; 3]>),
        only: Option<&str>,
    ) -> Result<CoordinatorProgram, Fault> {
        let only = only.map(Only::read).transpose();
        let only = only.map_err(|refusal| Fault::new(refusal.code, refusal.message))?;
        let mut program = Program::new(library, self.zone);
        if let Some([timeout, concurrency, throttle]) = defaults {
            let server = &mut program.server;
            (server.default_timeout, server.default_concurrency, server.default_throttle) =
                (timeout, concurrency, throttle);
        }
        let loaded = library.load(path).map_err(|error| Fault::new("E1001", error.to_string()))?;
        let Some(Model::Coordinator(model)) = &loaded.definition.app else {
            return Err(broken(library, loaded));
        };
        let given = self.job_conf(conf.iter().map(|(name, value)| (name.as_str(), value.as_str())));
        let (job, findings) = program.submit_coordinator(loaded, model, given, name);
        if let Some(fault) = fault(&findings, "E1004") {
            return Err(fault);
        }
        let (job, conf) = job.ok_or_else(|| Fault::new("E1004", "it is refused"))?;
        let conf = Arc::new(Conf::from(&conf.stored()));
        Ok(CoordinatorProgram { job, conf, kept_outputs: staging::kept_outputs(model), only })
    }

    /// Does some work with a definition and keeps every file that it needed, as it was read.
    fn gather<T>(
        &self,
        path: &Path,
        work: impl Fn(&Library<'_>) -> Result<T, Fault>,
    ) -> Result<(T, Recipe), Fault> {
        let mut texts = BTreeMap::new();
        let mut found = BTreeMap::new();
        read_with_defaults(path, &mut texts)?;
        for _ in 0..MAX_ROUNDS {
            let (answer, needed, led) = overlay::with(Arc::new(texts.clone()), || {
                let library = Library::new(&self.project, Sources::new());
                let library = library
                    .with_version(self.version)
                    .ignoring_forks(self.ignores_forks)
                    .with_found(found.clone());
                let answer = work(&library);
                let needed: Vec<PathBuf> = library.all().map(|loaded| loaded.path.clone()).collect();
                (answer, needed, library.found())
            });
            let missing: Vec<_> = needed.into_iter().filter(|path| !texts.contains_key(path)).collect();
            if missing.is_empty() {
                let files = texts.into_iter().map(|(path, bytes)| (path, bytes.into())).collect();
                let what = What::Workflow { above: None, from: None };
                let recipe = Recipe { what, path: path.to_owned(), files, found: led, conf: BTreeMap::new() };
                return answer.map(|answer| (answer, recipe));
            }
            found = led;
            for path in missing {
                read_with_defaults(&path, &mut texts)?;
            }
        }
        Err(Fault::new(UNREADABLE, "it leads to too many files"))
    }

    /// Keeps a recipe under a key, the same one each time.
    pub(super) fn keep(&self, recipe: Recipe) -> Result<Key, Fault> {
        if let Some(key) = self.known.borrow().keys.get(&recipe) {
            return Ok(key.clone());
        }
        let paths = || [&recipe.path].into_iter().chain(recipe.files.keys()).chain(recipe.found.values());
        if let Some(path) = paths().find(|path| path.to_str().is_none()) {
            let words =
                format!("the path `{}` is not UTF-8, so it cannot be kept; rename it", path.display());
            return Err(Fault::new(UNREADABLE, words));
        }
        let recipe = Arc::new(recipe);
        let text = serde_json::to_string(&*recipe);
        let text = text.map_err(|error| Fault::new(UNREADABLE, format!("it cannot be kept: {error}")))?;
        let key: Key = (self.known.borrow().count + 1).to_string().into();
        self.make(&key, &recipe)?;
        let mut known = self.known.borrow_mut();
        known.count += 1;
        known.new.push((key.to_string(), text));
        known.keys.insert(recipe.clone(), key.clone());
        known.recipes.insert(key.clone(), recipe);
        Ok(key)
    }

    /// The recipe behind the key of a submission, as text.
    pub fn recipe_text(&self, submission: &Submission) -> Option<String> {
        let key = match submission {
            Submission::Workflow(planned) => &planned.program,
            Submission::Coordinator(key) | Submission::Bundle(key) => key,
        };
        serde_json::to_string(&*self.recipe(key)?).ok()
    }

    pub(super) fn recipe(&self, key: &str) -> Option<Arc<Recipe>> {
        if let Some(recipe) = self.known.borrow().recipes.get(key) {
            return Some(recipe.clone());
        }
        let text = match self.recipes.recipe(key) {
            Ok(text) => text?,
            Err(error) => {
                self.known.borrow_mut().fault = Some(error);
                return None;
            }
        };
        let recipe: Arc<Recipe> = Arc::new(serde_json::from_str(&text).ok()?);
        let mut known = self.known.borrow_mut();
        known.keys.insert(recipe.clone(), key.into());
        known.recipes.insert(key.into(), recipe.clone());
        Some(recipe)
    }

    /// Makes what a recipe is for.
    fn make(&self, key: &Key, recipe: &Recipe) -> Result<(), Fault> {
        match &recipe.what {
            What::Workflow { above, from } => {
                let parent = match above {
                    Some(above) => self.workflow(above),
                    None => None,
                };
                let made = self.with_files(recipe, |library| {
                    let loaded = load(library, &recipe.path)?;
                    let Some(Model::Workflow(model)) = &loaded.definition.app else {
                        return Err(broken(library, loaded));
                    };
                    let values = recipe.conf.iter().map(|(name, value)| (name.as_str(), value.as_str()));
                    let conf = self.job_conf(values.clone());
                    let definition = workflow_definition(library, loaded, model, &conf);
                    let definition = definition.ok_or_else(|| broken(library, loaded))?;
                    // The files may be others by now, and what they gave is known.
                    let defaults: Vec<Given> = values.map(|(name, value)| Given::new(name, value)).collect();
                    let definition = workflow::Definition { default_file: &defaults, ..definition };
                    let (submitted, _) = workflow::resolve(definition, conf);
                    let mut program = WorkflowProgram::new(definition, &submitted, parent.as_deref());
                    if let Some(from) = from {
                        let begins = program.begin_at(from);
                        begins.map_err(|fault| Fault::new(ENTRY, fault.to_string()))?;
                    }
                    Ok(program)
                })?;
                self.known.borrow_mut().workflows.insert(key.clone(), Arc::new(made));
            }
            What::Coordinator { name, only, defaults } => {
                let made = self.with_files(recipe, |library| {
                    let (name, only) = (name.as_deref(), only.as_deref());
                    self.coordinator(library, &recipe.path, name, (&recipe.conf, *defaults), only)
                })?;
                self.known.borrow_mut().coordinators.insert(key.clone(), Arc::new(made));
            }
            What::Bundle { name, kick_off, children, fault, .. } => {
                let child = |child: &Child| ChildProgram {
                    name: child.name.as_str().into(),
                    critical: child.critical,
                    enabled: child.enabled,
                };
                let made = BundleProgram {
                    name: name.as_str().into(),
                    kick_off: What::kick_off(*kick_off),
                    children: children.iter().map(child).collect(),
                    fault: fault.as_ref().map(|(code, message)| Fault::new(code, message.as_str())),
                    conf: Conf::new(recipe.conf.iter().map(|(name, value)| (name.as_str(), value.as_str()))),
                };
                self.known.borrow_mut().bundles.insert(key.clone(), Arc::new(made));
            }
        }
        Ok(())
    }

    /// Does some work with the files of a recipe alone.
    fn with_files<T>(&self, recipe: &Recipe, work: impl FnOnce(&Library<'_>) -> T) -> T {
        let files = recipe.files.iter().map(|(path, bytes)| (path.clone(), bytes.as_slice().to_vec()));
        overlay::with(Arc::new(files.collect()), || {
            let library = Library::new(&self.project, Sources::new());
            work(
                &library
                    .with_version(self.version)
                    .ignoring_forks(self.ignores_forks)
                    .with_found(recipe.found.clone()),
            )
        })
    }

    fn job_conf<'c>(&self, values: impl Iterator<Item = (&'c str, &'c str)>) -> JobConf {
        let mut conf = JobConf::new().on(self.version).in_zone(self.zone);
        conf.set_all(&Layer::File, values.map(|(name, value)| Given::new(name, value)));
        conf.set_aside_awaited()
    }

    /// Makes what stands behind a key, when it is not at hand.
    fn fetch(&self, key: &str) {
        if let Some(recipe) = self.recipe(key) {
            // A recipe has made its program before.
            let made = self.make(&key.into(), &recipe);
            debug_assert!(made.is_ok(), "{made:?}");
        }
    }
}

impl Plans for Deployed {
    fn names(&self, key: &str) -> BTreeSet<String> {
        self.definition(key).map(|text| names_in(&text)).unwrap_or_default()
    }

    fn workflow(&self, key: &str) -> Option<Arc<WorkflowProgram>> {
        let at_hand = || self.known.borrow().workflows.get(key).cloned();
        at_hand().or_else(|| {
            self.fetch(key);
            at_hand()
        })
    }

    fn coordinator(&self, key: &str) -> Option<Arc<CoordinatorProgram>> {
        let at_hand = || self.known.borrow().coordinators.get(key).cloned();
        at_hand().or_else(|| {
            self.fetch(key);
            at_hand()
        })
    }

    fn bundle(&self, key: &str) -> Option<Arc<BundleProgram>> {
        let at_hand = || self.known.borrow().bundles.get(key).cloned();
        at_hand().or_else(|| {
            self.fetch(key);
            at_hand()
        })
    }
}

fn defaults_of(server: &Server) -> [i64; 3] {
    [server.default_timeout, server.default_concurrency, server.default_throttle]
}

fn load<'l>(library: &'l Library<'_>, path: &Path) -> Result<&'l Loaded, Fault> {
    library.load(path).map_err(|error| Fault::new(UNREADABLE, error.to_string()))
}

/// A definition that a server would take as a document.
fn sound<'l>(library: &'l Library<'_>, path: &Path, conf: Option<&JobConf>) -> Result<&'l Loaded, Fault> {
    let loaded = load(library, path)?;
    // A job may keep the server from looking at forks and joins; what can be said without values does not know.
    let told = conf.filter(|conf| matches!(conf.get(VALIDATE_FORK_JOIN), Ok(Some(_))));
    let findings = match told {
        Some(conf) => Program::new(library, ProcessingZone::UTC).as_written(loaded, conf),
        None => loaded.findings(),
    };
    match findings.iter().find(|finding| Program::refuses(finding)) {
        Some(refusal) => {
            let code = refusal.oozie.last().copied().unwrap_or("E0701");
            Err(Fault::new(code, placed(library, refusal)))
        }
        None if loaded.is_sound() => Ok(loaded),
        None => Err(broken(library, loaded)),
    }
}

fn broken(library: &Library<'_>, loaded: &Loaded) -> Fault {
    let findings = loaded.findings();
    let first = findings.iter().find(|finding| finding.severity == Severity::Error);
    let words = first.map(|finding| placed(library, finding));
    Fault::new("E0701", words.unwrap_or_else(|| "it is no such definition".to_owned()))
}

/// What is wrong with a definition, and where.
fn placed(library: &Library<'_>, finding: &Diagnostic) -> String {
    let (sources, span) = (library.sources(), finding.span);
    let line = sources.position(span.file, u32::try_from(span.range().start).unwrap_or(u32::MAX)).line;
    format!("{} (`{}`, line {line})", finding.message, sources.path(span.file))
}

/// Reads a definition and the default files that may stand beside it.
fn read_with_defaults(path: &Path, texts: &mut BTreeMap<PathBuf, Vec<u8>>) -> Result<(), Fault> {
    let unreadable = |words: String| Fault::new(UNREADABLE, words);
    let read = |path: &Path| match files::read(path) {
        Ok(Content::Bytes(bytes)) => Ok(bytes),
        Ok(_) => Err(unreadable(format!("`{}` is too large", files::shown(path)))),
        Err(error) => Err(unreadable(error.to_string())),
    };
    texts.insert(path.to_owned(), read(path)?);
    for kind in AppKind::ALL {
        let beside = path.with_file_name(kind.default_file());
        let bytes = if files::is_file(&beside) { read(&beside)? } else { NO_DEFAULTS.to_vec() };
        texts.insert(beside, bytes);
    }
    Ok(())
}
