//! An app made ready for an engine: programs under keys, and an answer to each question for a plan.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

use crate::analysis::parameters::{Given, JobConf, Layer};
use crate::analysis::project::{Kind, Why};
use crate::analysis::subject::VALIDATE_FORK_JOIN;
use crate::diag::{Diagnostic, Severity};
use crate::engine::{
    BundleProgram, ChildProgram, Conf, CoordinatorProgram, Fault, JobKind, Key, PlannedWorkflow, Plans,
    Submission,
};
use crate::model::{self, App as Model};
use crate::plan::coordinator::{CoordinatorJob, PlanOptions};
use crate::plan::workflow::{self, Definition, Program as WorkflowProgram, WorkflowPlan};
use crate::redact::names::names_in;
use crate::shell::check::program::{Program, workflow_conf, workflow_definition};
use crate::shell::library::Loaded;
use crate::shell::submission::Submitted;
use crate::simulate::scenario::{Names, WorkflowNames};
use crate::simulate::{App, Apps};
use crate::source::Sources;
use crate::time::Instant;
use crate::xml;

/// The key of the app itself, and of a bundle.
const APP: &str = "app";

/// More actions of sub-workflows below each other are not looked at for their names.
const MAX_WORKFLOWS: usize = 10_000;

/// A server's code for a workflow that cannot be read.
pub const UNREADABLE: &str = "E0710";

/// An app on the stage.
pub struct Stage<'a, 'l, 'p> {
    program: &'a Program<'l, 'p>,
    app: &'l Loaded,
    bundle: Option<Arc<BundleProgram>>,
    /// The answers for the coordinators of the bundle.
    children: Vec<Result<Key, Fault>>,
    coordinators: BTreeMap<Key, Arc<CoordinatorProgram>>,
    /// Where the coordinators stand that lead to these paths.
    near: BTreeMap<Arc<str>, PathBuf>,
    workflows: RefCell<BTreeMap<Key, Arc<WorkflowProgram>>>,
    /// The files of what stands under keys.
    texts: RefCell<BTreeMap<Key, &'l Loaded>>,
    /// Answers that do not depend on the configuration.
    settled: RefCell<BTreeMap<Place, Result<PlannedWorkflow, Fault>>>,
    /// Paths of workflows that the project does not hold.
    strangers: RefCell<BTreeSet<String>>,
    /// Why paths of workflows could not be followed, though a server could.
    unclear: RefCell<BTreeSet<String>>,
    /// Who hears how far a play has come.
    watch: Option<Watch<'a>>,
}

/// Hears how far a play has come.
type Watch<'a> = Box<dyn Fn(Instant) + 'a>;

/// A workflow by its path, and the program above it.
type Place = (Arc<str>, Option<Arc<str>>);

/// What a refusal comes down to.
pub fn fault(findings: &[Diagnostic], otherwise: &str) -> Option<Fault> {
    let refusal = findings.iter().find(|finding| Program::refuses(finding))?;
    let code = refusal.oozie.last().copied().unwrap_or(otherwise);
    Some(Fault::new(code, refusal.message.as_str()))
}

/// The names of the outputs that a rerun leaves where they are.
pub fn kept_outputs(model: &model::Coordinator) -> Vec<Arc<str>> {
    let is_kept = |output: &&model::coordinator::DataOut| {
        output.nocleanup.as_ref().is_some_and(|nocleanup| nocleanup.value == "true")
    };
    let kept = model.outputs.iter().filter(is_kept);
    kept.filter_map(|output| output.name.as_ref()).map(|name| name.value.as_str().into()).collect()
}

impl<'a, 'l, 'p> Stage<'a, 'l, 'p> {
    /// Lets somebody hear how far a play has come.
    pub fn watched_by(&mut self, watch: impl Fn(Instant) + 'a) {
        self.watch = Some(Box::new(watch));
    }

    /// Puts an app on the stage. `begin` is when it is submitted; without it, when its first coordinator starts.
    pub fn new(
        program: &'a Program<'l, 'p>,
        app: &'l Loaded,
        submitted: Submitted,
        begin: Option<Instant>,
    ) -> (Stage<'a, 'l, 'p>, App) {
        let mut stage = Stage {
            program,
            app,
            bundle: None,
            children: Vec::new(),
            coordinators: BTreeMap::new(),
            near: BTreeMap::new(),
            workflows: RefCell::default(),
            texts: RefCell::new(BTreeMap::from([(APP.into(), app)])),
            settled: RefCell::default(),
            strangers: RefCell::default(),
            unclear: RefCell::default(),
            watch: None,
        };
        let mut names = Names {
            app: "".into(),
            kind: JobKind::Workflow,
            coordinators: Vec::new(),
            workflows: Vec::new(),
            datasets: Vec::new(),
        };
        let (mut kick_off, mut plans) = (None, Vec::new());
        let submission = match submitted {
            Submitted::Workflow(submitted) => {
                names.app = submitted.name.as_str().into();
                let plan = stage.names_of(&submitted.conf);
                plans.extend(plan.map(|plan| (None, plan)));
                let conf = Arc::new(Conf::from(&submitted.conf));
                let path: Arc<str> = APP.into();
                let planned = stage.of_definition(app, &path, None, &conf);
                let unplanned = |_| PlannedWorkflow { program: path, name: "".into(), conf: None };
                let planned = planned.unwrap_or_else(unplanned);
                Submission::Workflow(PlannedWorkflow { conf: Some(planned.conf.unwrap_or(conf)), ..planned })
            }
            Submitted::Coordinator(job, conf) => {
                names.app = job.name.clone();
                names.kind = JobKind::Coordinator;
                plans.extend(stage.keep(APP, app, *job, &conf));
                Submission::Coordinator(APP.into())
            }
            Submitted::Bundle(bundle, started) => {
                names.app = bundle.name.as_str().into();
                names.kind = JobKind::Bundle;
                kick_off = bundle.kick_off;
                let mut children = Vec::new();
                for (index, child) in started.children.iter().enumerate() {
                    children.push(ChildProgram {
                        name: child.name.as_str().into(),
                        critical: child.is_critical,
                        enabled: child.is_enabled,
                    });
                    let key = format!("{APP}/{index}");
                    let outcome = stage.child(&key, child, &mut plans);
                    stage.children.push(outcome.map(|()| key.into()));
                }
                let fault = started.error.as_ref().map(|error| {
                    Fault::new(error.oozie.last().copied().unwrap_or("E1310"), error.message.as_str())
                });
                let (name, conf) = (bundle.name.as_str().into(), Conf::from(&bundle.conf));
                stage.bundle = Some(Arc::new(BundleProgram { name, kick_off, children, fault, conf }));
                Submission::Bundle(APP.into())
            }
        };
        // In the order of the bundle, which is not that of their keys: `app/10` comes before `app/2`.
        let children = stage.children.iter().filter_map(|child| stage.coordinators.get(child.as_ref().ok()?));
        let coordinators: Vec<_> = match &stage.bundle {
            Some(_) => children.cloned().collect(),
            None => stage.coordinators.values().cloned().collect(),
        };
        names.coordinators = coordinators.iter().map(|program| program.job.name.clone()).collect();
        let sources = coordinators.iter().flat_map(|program| program.job.sources());
        let datasets: BTreeSet<_> = sources.map(|source| source.name().clone()).collect();
        names.datasets = datasets.into_iter().collect();
        add_names(&mut names, plans);
        let first = coordinators.iter().map(|program| program.job.start).min();
        let starts = kick_off.into_iter().chain(first.filter(|_| kick_off.is_none())).min();
        let begin = begin.or(starts).unwrap_or(Instant::EPOCH);
        let zone = program.zone;
        (stage, App { names, submission, coordinators, zone, server: program.server.clone(), begin })
    }

    /// The paths of workflows that were asked for and that the project does not hold; each is played as one action.
    pub fn strangers(&self) -> Vec<String> {
        self.strangers.borrow().iter().cloned().collect()
    }

    /// Why paths that were asked for could not be followed, though a server could: more than one file may be meant.
    pub fn unclear(&self) -> Vec<String> {
        self.unclear.borrow().iter().cloned().collect()
    }

    /// What a workflow and all below it are called, when it is the app itself.
    fn names_of(&self, conf: &JobConf) -> Option<WorkflowPlan> {
        let Some(Model::Workflow(model)) = &self.app.definition.app else { return None };
        let definition = workflow_definition(self.program.library, self.app, model, conf)?;
        let (submitted, _) = workflow::resolve(definition, conf.clone());
        let find = |uri: &str| self.program.find_workflow(uri, &self.app.path, conf);
        Some(workflow::plan(definition, &submitted, &find))
    }

    fn child(
        &mut self,
        key: &str,
        child: &crate::plan::bundle::Child,
        plans: &mut Vec<(Option<Arc<str>>, WorkflowPlan)>,
    ) -> Result<(), Fault> {
        if let Some(finding) = child.findings.first() {
            let code = finding.oozie.last().copied().unwrap_or("E1310");
            return Err(Fault::new(code, finding.message.as_str()));
        }
        if !child.is_enabled {
            return Err(Fault::new("E1318", "it is not enabled"));
        }
        let loaded = self.program.library.find(&child.app_path, Kind::Coordinator, &self.app.path);
        let missing = || Fault::new("E1001", format!("`{}` leads to no coordinator", child.app_path));
        let loaded = loaded.ok_or_else(missing)?;
        let Some(Model::Coordinator(model)) = &loaded.definition.app else { return Err(missing()) };
        let of_file = loaded.findings();
        let conf = child.conf.clone();
        let (job, findings) = self.program.submit_coordinator(loaded, model, conf, Some(&child.name));
        if let Some(fault) = fault(&of_file, "E0701").or_else(|| fault(&findings, "E1004")) {
            return Err(fault);
        }
        let (job, conf) = job.ok_or_else(|| Fault::new("E1004", "it is refused"))?;
        plans.extend(self.keep(key, loaded, job, &conf));
        Ok(())
    }

    /// Keeps a coordinator under a key; the plan of its workflow.
    fn keep(
        &mut self,
        key: &str,
        loaded: &'l Loaded,
        job: CoordinatorJob,
        conf: &JobConf,
    ) -> Option<(Option<Arc<str>>, WorkflowPlan)> {
        let Some(Model::Coordinator(model)) = &loaded.definition.app else { return None };
        let kept_outputs = kept_outputs(model);
        self.texts.borrow_mut().insert(key.into(), loaded);
        self.near.insert(job.app_path.clone(), loaded.path.clone());
        let first = job.actions(PlanOptions::default()).next().and_then(Result::ok);
        let below = first.and_then(|action| {
            let conf = workflow_conf(&action, conf, model)?;
            let definition =
                self.program.find_workflow(&action.app_path, &loaded.path, &conf).ok()?.definition;
            let (submitted, _) = workflow::resolve(definition, conf);
            let find = |uri: &str| self.program.find_workflow(uri, &loaded.path, &submitted.conf);
            Some((Some(job.name.clone()), workflow::plan(definition, &submitted, &find)))
        });
        let conf = Arc::new(Conf::from(&conf.stored()));
        self.coordinators
            .insert(key.into(), Arc::new(CoordinatorProgram { job, conf, kept_outputs, only: None }));
        below
    }

    /// Plans a workflow of the project with a configuration.
    fn of_definition(
        &self,
        loaded: &'l Loaded,
        path: &Arc<str>,
        above: Option<&str>,
        conf: &Arc<Conf>,
    ) -> Result<PlannedWorkflow, Fault> {
        let mut given = JobConf::new().on(self.program.library.version()).in_zone(self.program.zone);
        let values = conf.all();
        given.set_all(&Layer::File, values.into_iter().map(|(name, value)| Given::new(name, value)));
        let given = given.set_aside_awaited();
        let library = self.program.library;
        let definition = match &loaded.definition.app {
            Some(Model::Workflow(model)) if loaded.is_sound() => {
                workflow_definition(library, loaded, model, &given)
            }
            _ => None,
        };
        // A job may keep the server from looking at forks and joins; what can be said without values does not know.
        let is_told = matches!(given.get(VALIDATE_FORK_JOIN), Ok(Some(_)));
        let findings = if is_told { self.program.as_written(loaded, &given) } else { loaded.findings() };
        let definition = definition.ok_or_else(|| {
            let broken = findings.iter().find(|finding| finding.severity == Severity::Error);
            let words = broken.map_or("it is no workflow", |finding| &finding.message);
            Fault::new("E0701", words)
        })?;
        if let Some(fault) = fault(&findings, "E0701") {
            return Err(fault);
        }
        let (submitted, findings) = workflow::submit(definition, given);
        let Some(submitted) = submitted else {
            return Err(fault(&findings, "E0803").unwrap_or_else(|| Fault::new("E0803", "it is refused")));
        };
        // What a program holds of the configuration are the values of its default file.
        let defaults = definition.default_file.iter();
        let mut key = format!("{path}\n{}", above.unwrap_or(""));
        for given in defaults {
            let value = submitted.conf.get_raw(&given.name).unwrap_or("");
            key.push_str(&format!("\n{}={value}", given.name));
        }
        let key: Key = key.into();
        let mut workflows = self.workflows.borrow_mut();
        if !workflows.contains_key(&key) {
            self.texts.borrow_mut().insert(key.clone(), loaded);
            let parent = above.and_then(|above| workflows.get(above)).cloned();
            let made = WorkflowProgram::new(definition, &submitted, parent.as_deref());
            workflows.insert(key.clone(), Arc::new(made));
        }
        let conf = Arc::new(Conf::from(&submitted.conf));
        Ok(PlannedWorkflow { program: key, name: submitted.name.into(), conf: Some(conf) })
    }

    /// A workflow that the project does not hold: one action.
    fn stranger(&self, path: &Arc<str>) -> Result<PlannedWorkflow, Fault> {
        self.strangers.borrow_mut().insert(path.to_string());
        let key: Key = format!("{path}\n?").into();
        let name: Arc<str> = path.trim_end_matches('/').rsplit('/').next().unwrap_or("workflow").into();
        let mut workflows = self.workflows.borrow_mut();
        if !workflows.contains_key(&key) {
            let made = stand_in().ok_or_else(|| Fault::new(UNREADABLE, format!("`{path}` is not known")))?;
            workflows.insert(key.clone(), Arc::new(made));
        }
        Ok(PlannedWorkflow { program: key, name, conf: None })
    }
}

/// The text of the workflow that stands for one that the project does not hold.
const STAND_IN: &str = r#"<workflow-app name="unknown" xmlns="uri:oozie:workflow:0.5"><start to="workflow"/>
<action name="workflow"><shell xmlns="uri:oozie:shell-action:0.3"><exec>unknown</exec></shell><ok to="end"/>
<error to="fail"/></action><kill name="fail"><message>it failed</message></kill><end name="end"/></workflow-app>"#;

fn stand_in() -> Option<WorkflowProgram> {
    let mut sources = Sources::new();
    let file = sources.add("", STAND_IN);
    let root = xml::read(file, STAND_IN, &xml::Limits::default()).0?;
    let (Some(Model::Workflow(model)), _) = model::lower(&root) else { return None };
    let definition = Definition { root: &root, text: STAND_IN, model: &model, default_file: &[] };
    let (submitted, _) = workflow::resolve(definition, JobConf::new());
    Some(WorkflowProgram::new(definition, &submitted, None))
}

/// The names of workflows and their actions.
fn add_names(names: &mut Names, plans: Vec<(Option<Arc<str>>, WorkflowPlan)>) {
    type Set = BTreeSet<Arc<str>>;
    // The coordinators that lead to a workflow, and its actions.
    let mut all: BTreeMap<Arc<str>, (Set, Set)> = BTreeMap::new();
    let (mut open, mut seen) = (plans, 0);
    while let Some((coordinator, plan)) = open.pop() {
        seen += 1;
        if seen > MAX_WORKFLOWS {
            break;
        }
        let (coordinators, nodes) = all.entry(plan.name.as_str().into()).or_default();
        coordinators.extend(coordinator.clone());
        for node in plan.nodes {
            let Some(action) = node.action else { continue };
            nodes.insert(node.name.into());
            let below = action.child.and_then(|child| child.plan);
            open.extend(below.map(|below| (coordinator.clone(), *below)));
        }
    }
    // What the project does not hold is played as one action of this name.
    let unknown: Vec<Arc<str>> = vec!["workflow".into()];
    let known: BTreeSet<_> = all.values().flat_map(|(coordinators, _)| coordinators.clone()).collect();
    let strangers = names.coordinators.iter().filter(|name| !known.contains(*name)).cloned();
    let strangers: Vec<_> = strangers.collect();
    names.workflows = all
        .into_iter()
        .map(|(name, (coordinators, nodes))| WorkflowNames {
            name,
            coordinators: coordinators.into_iter().collect(),
            nodes: nodes.into_iter().collect(),
        })
        .collect();
    if !strangers.is_empty() {
        let name = "workflow".into();
        names.workflows.push(WorkflowNames { name, coordinators: strangers, nodes: unknown });
    }
}

/// Whether what planning a workflow comes to is the same whatever plain values it gets.
fn is_settled(loaded: &Loaded) -> bool {
    let Some(Model::Workflow(model)) = &loaded.definition.app else { return false };
    let is_literal = |text: &crate::source::Text| !text.value.contains(['$', '#', '\\']);
    let has_levels = loaded.text.contains("uri:oozie:sla:");
    let retries = model.nodes.iter().all(|node| match &node.kind {
        model::workflow::NodeKind::Action(action) => {
            let texts = [&action.retry_max, &action.retry_interval, &action.retry_policy];
            texts.into_iter().flatten().all(|text| is_literal(text))
        }
        _ => true,
    });
    let name = model.name.as_ref().is_none_or(is_literal);
    loaded.default_file.is_empty() && model.parameters.is_empty() && !has_levels && retries && name
}

/// Whether a submission leaves a configuration as it is.
fn is_plain(conf: &Conf) -> bool {
    !conf.any(|_, value| value.is_empty() || value.contains('$') || value.trim().len() < value.len())
}

impl Plans for Stage<'_, '_, '_> {
    fn names(&self, key: &str) -> BTreeSet<String> {
        let loaded = self.texts.borrow().get(key).copied();
        loaded.map(|loaded| names_in(&loaded.text)).unwrap_or_default()
    }

    fn workflow(&self, key: &str) -> Option<Arc<WorkflowProgram>> {
        self.workflows.borrow().get(key).cloned()
    }

    fn coordinator(&self, key: &str) -> Option<Arc<CoordinatorProgram>> {
        self.coordinators.get(key).cloned()
    }

    fn bundle(&self, _: &str) -> Option<Arc<BundleProgram>> {
        self.bundle.clone()
    }
}

impl Apps for Stage<'_, '_, '_> {
    fn passes(&self, now: Instant) {
        if let Some(watch) = &self.watch {
            watch(now);
        }
    }

    fn plan_coordinator(&self, _: &str, child: u32) -> Result<Key, Fault> {
        let unknown = || Err(Fault::new("E1001", "there is no such coordinator"));
        self.children.get(child as usize).cloned().unwrap_or_else(unknown)
    }

    fn plan_workflow(
        &self,
        app_path: &str,
        conf: &Arc<Conf>,
        above: Option<&str>,
    ) -> Result<PlannedWorkflow, Fault> {
        let place: Place = (app_path.into(), above.map(Arc::from));
        let plain = is_plain(conf);
        if plain && let Some(settled) = self.settled.borrow().get(&place) {
            return settled.clone();
        }
        let near = self.near.get(app_path).unwrap_or(&self.app.path);
        let outcome = match self.program.library.follow(app_path, Kind::Workflow, near) {
            Ok(loaded) => {
                let planned = self.of_definition(loaded, &place.0, above, conf);
                if !(plain && is_settled(loaded)) {
                    return planned;
                }
                planned.map(|planned| PlannedWorkflow { conf: None, ..planned })
            }
            Err(astray) if astray.why == Why::Unknown => self.stranger(&place.0),
            Err(astray) => {
                if matches!(astray.why, Why::Several | Why::Outside) {
                    self.unclear.borrow_mut().insert(astray.words());
                }
                Err(Fault::new(UNREADABLE, astray.words()))
            }
        };
        self.settled.borrow_mut().insert(place, outcome.clone());
        outcome
    }

    fn deploys(&self, app_path: &str, below: &str) -> bool {
        let near = self.near.get(app_path).unwrap_or(&self.app.path);
        match self.program.library.follow(app_path, Kind::Workflow, near) {
            Ok(loaded) => {
                let folder = loaded.path.parent().unwrap_or(&loaded.path);
                below.split('/').all(|name| name != "..") && folder.join(below).exists()
            }
            // What lies beside a workflow that the project does not hold is not known.
            Err(_) => true,
        }
    }
}
