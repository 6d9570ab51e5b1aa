//! What the workflows that an app leads to need of this machine, looked at before anything is begun: programs, commands, a
//! mail server and its password.
//!
//! Looked at are the workflow itself, the workflows of its coordinators, and sub-workflows, as far as they lie in the project
//! and their paths are known without running; of a coordinator the first action stands for all. A path that changes with
//! the nominal time, or that an action gives, is left to the run.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::runners::template::Commands;
use super::runners::{self, Needs};
use super::selection::Selection;
use super::stub::Stubs;
use crate::analysis::parameters::JobConf;
use crate::analysis::project::Kind;
use crate::host::files;
use crate::model::workflow::NodeKind;
use crate::model::{self, App, Dialect};
use crate::plan::coordinator::{CoordinatorJob, PlanOptions};
use crate::plan::workflow::{self, WorkflowPlan};
use crate::shell::check::program::{Program, workflow_conf, workflow_definition};
use crate::shell::config::outward::Outward;
use crate::shell::library::Loaded;
use crate::shell::submission::Submitted;

/// What decides whether an action needs something.
#[derive(Clone, Copy, Debug)]
pub struct Wants<'a> {
    /// What is not run.
    pub stubs: &'a Stubs,
    /// What of the app is run.
    pub selection: &'a Selection,
    /// The commands of types that other programs run.
    pub commands: &'a Commands,
    /// Where something is sent outward.
    pub outward: &'a Outward,
}

/// What is missing, a line for each action that needs it. A stub stands for actions, never for a sub-workflow, whose own
/// actions are looked at whatever stands for its node.
pub fn missing<'l>(
    program: &Program<'l, '_>,
    app: &'l Loaded,
    submitted: &Submitted,
    wants: Wants<'_>,
) -> Vec<String> {
    let mut look = Look { program, wants, seen: BTreeSet::new(), missing: Vec::new() };
    match submitted {
        Submitted::Workflow(submitted) => {
            let from = wants.selection.from_node.as_deref();
            look.workflows(app, Some(&submitted.conf), &app.path, from);
        }
        Submitted::Coordinator(job, conf) => look.coordinator(app, job, conf),
        Submitted::Bundle(_, started) => {
            let only = &wants.selection.coordinators;
            let is_run = |name: &String| only.is_empty() || only.contains(name);
            let children = started.children.iter().filter(|child| child.is_enabled && is_run(&child.name));
            for child in children.filter(|child| child.findings.is_empty()) {
                let loaded = program.library.find(&child.app_path, Kind::Coordinator, &app.path);
                let Some(loaded) = loaded else { continue };
                let Some(App::Coordinator(model)) = &loaded.definition.app else { continue };
                let (name, conf) = (Some(child.name.as_str()), child.conf.clone());
                if let (Some((job, conf)), _) = program.submit_coordinator(loaded, model, conf, name) {
                    look.coordinator(loaded, &job, &conf);
                }
            }
        }
    }
    look.missing
}

struct Look<'a, 'l, 'p> {
    program: &'a Program<'l, 'p>,
    wants: Wants<'a>,
    /// Actions that were looked at, by file and name.
    seen: BTreeSet<(PathBuf, String)>,
    missing: Vec<String>,
}

impl<'l> Look<'_, 'l, '_> {
    /// Looks at the workflow of a coordinator and all below it.
    fn coordinator(&mut self, app: &'l Loaded, job: &CoordinatorJob, conf: &JobConf) {
        let Some(App::Coordinator(model)) = &app.definition.app else { return };
        let first = job.actions(PlanOptions::default()).next().and_then(Result::ok);
        let path = first.as_ref().map_or(&job.app_path, |action| &action.app_path);
        let Some(loaded) = self.program.library.find(path, Kind::Workflow, &app.path) else { return };
        let conf = first.as_ref().and_then(|action| workflow_conf(action, conf, model));
        self.workflows(loaded, conf.as_ref(), &app.path, None);
    }

    /// Looks at a workflow and its sub-workflows. Without a configuration nothing is known of these.
    fn workflows(&mut self, app: &'l Loaded, conf: Option<&JobConf>, near: &Path, from: Option<&str>) {
        let program = self.program;
        let plan = |model, conf: &JobConf| {
            let definition = workflow_definition(program.library, app, model, conf)?;
            let (submitted, _) = workflow::resolve(definition, conf.clone());
            let find = |uri: &str| program.find_workflow(uri, near, &submitted.conf);
            Some(workflow::plan(definition, &submitted, &find))
        };
        let Some(App::Workflow(model)) = &app.definition.app else { return };
        let plan = conf.and_then(|conf| plan(model, conf));
        let reached = from.and_then(|from| Some(reached(plan.as_ref()?, from)));
        let is_reached = |name: &str| reached.as_ref().is_none_or(|reached| reached.contains(name));
        let mut open = Vec::new();
        self.actions(app, model, plan.as_ref(), &is_reached);
        open.extend(plan);
        let mut is_first = true;
        while let Some(plan) = open.pop() {
            let is_own = std::mem::take(&mut is_first);
            for node in plan.nodes {
                let Some(child) = node.action.and_then(|action| action.child) else { continue };
                if is_own && !is_reached(&node.name) {
                    continue;
                }
                let loaded = program.library.find(&child.app_path, Kind::Workflow, near);
                let Some((loaded, App::Workflow(model))) =
                    loaded.and_then(|loaded| Some((loaded, loaded.definition.app.as_ref()?)))
                else {
                    continue;
                };
                self.actions(loaded, model, child.plan.as_deref(), &|_| true);
                open.extend(child.plan.map(|plan| *plan));
            }
        }
    }

    /// Looks at the actions of one workflow.
    fn actions(
        &mut self,
        app: &Loaded,
        model: &model::Workflow,
        plan: Option<&WorkflowPlan>,
        is_reached: &dyn Fn(&str) -> bool,
    ) {
        let Wants { stubs, commands, outward, .. } = self.wants;
        for node in &model.nodes {
            let NodeKind::Action(action) = &node.kind else { continue };
            let Some(body) = &action.body else { continue };
            let (name, kind, element) = (&node.name.value, body.kind.as_str(), &*body.element);
            let is_left_out = !is_reached(name) || stubs.end(name, kind, Dialect::default()).is_some();
            if is_left_out || !self.seen.insert((app.path.clone(), name.clone())) {
                continue;
            }
            let give = "give a command under `[run.commands]` in ankus.toml";
            let words = match runners::needs(kind, element, commands, outward) {
                Needs::Nothing => continue,
                Needs::Program(program) if is_on_path(&program) => continue,
                Needs::Program(program) => {
                    format!("the program `{program}`, which is not on the path; {give}")
                }
                Needs::Command => format!("a command, and there is none; {give}"),
                Needs::Missing(words) => words,
            };
            let written = model.name.as_ref().map_or("", |name| name.value.as_str());
            let workflow = plan.map_or(written, |plan| plan.name.as_str());
            let file = files::shown(&app.path);
            self.missing.push(format!(
                "workflow `{workflow}` (`{file}`): action `{name}` of type `{kind}` needs {words}, or use `--stub {kind}`"
            ));
        }
    }
}

/// The nodes that can come once a workflow has begun at one of them.
fn reached(plan: &WorkflowPlan, from: &str) -> BTreeSet<String> {
    let mut reached = BTreeSet::from([from.to_owned()]);
    let mut open = vec![from.to_owned()];
    while let Some(name) = open.pop() {
        let targets = plan
            .nodes
            .iter()
            .filter(|node| node.name == name)
            .flat_map(|node| node.to.iter().map(|(_, to)| to));
        open.extend(targets.filter(|target| reached.insert((*target).clone())).cloned().collect::<Vec<_>>());
    }
    reached
}

fn is_on_path(program: &str) -> bool {
    if program.contains('/') {
        return Path::new(program).is_file();
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}
