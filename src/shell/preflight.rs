//! What a plan knows will fail, looked at before anything is begun: names that nothing gives a value, expressions that
//! have none.
//!
//! Of a coordinator the first action stands for all. What only a run shows, such as what actions capture, is left to it.

use std::collections::BTreeSet;

use crate::analysis::parameters::{JobConf, PARAMETER_UNDEFINED};
use crate::analysis::project::Kind;
use crate::diag::{Diagnostic, Severity, Stage, closest};
use crate::model::{self, App};
use crate::plan::coordinator::{CoordinatorJob, PlanOptions};
use crate::plan::workflow::{self, WorkflowPlan};
use crate::shell::check::program::{Program, workflow_conf, workflow_definition};
use crate::shell::library::Loaded;
use crate::shell::submission::Submitted;
use crate::source::Span;

/// What of an app is going to run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wanted<'a> {
    /// These coordinators of a bundle; none: all that are enabled.
    pub coordinators: &'a [String],
    /// A workflow begins at this node.
    pub from_node: Option<&'a str>,
}

/// What will fail for sure, each cause once. Nothing of nodes that are not reached.
pub fn failures<'l>(
    program: &Program<'l, '_>,
    app: &'l Loaded,
    submitted: &Submitted,
    wanted: Wanted<'_>,
) -> Vec<Diagnostic> {
    let mut look = Look { program, found: Vec::new(), seen: BTreeSet::new() };
    match submitted {
        Submitted::Workflow(submitted) => look.workflow(app, submitted.conf.clone(), wanted.from_node),
        Submitted::Coordinator(job, conf) => look.coordinator(app, job, conf),
        Submitted::Bundle(_, started) => {
            let is_run = |name: &String| wanted.coordinators.is_empty() || wanted.coordinators.contains(name);
            for child in started.children.iter().filter(|child| child.is_enabled && is_run(&child.name)) {
                look.refusals(&child.findings);
                let Some(loaded) = program.library.find(&child.app_path, Kind::Coordinator, &app.path) else {
                    continue;
                };
                let Some(App::Coordinator(model)) = &loaded.definition.app else { continue };
                let (job, findings) =
                    program.submit_coordinator(loaded, model, child.conf.clone(), Some(&child.name));
                look.refusals(&findings);
                if let Some((job, conf)) = job {
                    look.coordinator(loaded, &job, &conf);
                }
            }
        }
    }
    look.found
}

struct Look<'a, 'l, 'p> {
    program: &'a Program<'l, 'p>,
    found: Vec<Diagnostic>,
    /// Places and rules of what was found.
    seen: BTreeSet<(Span, &'static str)>,
}

impl<'l> Look<'_, 'l, '_> {
    fn add(&mut self, finding: Diagnostic) {
        if self.seen.insert((finding.span, finding.rule.name)) {
            self.found.push(finding.severity(Severity::Error));
        }
    }

    fn refusals(&mut self, findings: &[Diagnostic]) {
        for finding in findings.iter().filter(|finding| Program::refuses(finding)) {
            self.add(finding.clone());
        }
    }

    fn coordinator(&mut self, app: &'l Loaded, job: &CoordinatorJob, conf: &JobConf) {
        let Some(App::Coordinator(model)) = &app.definition.app else { return };
        let first = match job.actions(PlanOptions::default()).next() {
            None => return,
            Some(Err(finding)) => return self.add(finding),
            Some(Ok(first)) => first,
        };
        if let Some(finding) = first.error.clone() {
            return self.add(finding);
        }
        let loaded = self.program.library.find(&first.app_path, Kind::Workflow, &app.path);
        let (Some(loaded), Some(conf)) = (loaded, workflow_conf(&first, conf, model)) else { return };
        self.workflow(loaded, conf, None);
    }

    fn workflow(&mut self, app: &'l Loaded, conf: JobConf, from: Option<&str>) {
        let Some(App::Workflow(model)) = &app.definition.app else { return };
        let program = self.program;
        let Some(definition) = workflow_definition(program.library, app, model, &conf) else { return };
        let (submitted, _) = workflow::resolve(definition, conf);
        let find = |uri: &str| program.find_workflow(uri, &app.path, &submitted.conf);
        let plan = workflow::plan(definition, &submitted, &find);
        let is_reached = reached(&plan, from);
        let is_skipped = |span: Span| is_in_unreached(model, span, &is_reached);
        let known: Vec<String> = submitted.conf.iter().map(|(name, _)| name.to_owned()).collect();
        for (name, span) in plan.missing.iter().filter(|(_, span)| !is_skipped(**span)) {
            self.add(undefined(name, *span, &known));
        }
        let nodes = plan.nodes.iter().filter(|node| is_reached.contains(&node.name));
        for finding in nodes.flat_map(|node| &node.findings) {
            if finding.severity == Severity::Error {
                self.add(finding.clone());
            }
        }
    }
}

/// The nodes that can be reached, from the start or from where a workflow begins.
fn reached(plan: &WorkflowPlan, from: Option<&str>) -> BTreeSet<String> {
    let Some(from) = from else {
        let nodes = plan.nodes.iter().filter(|node| node.level.is_some());
        return nodes.map(|node| node.name.clone()).collect();
    };
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

/// Whether a place lies in a node that is not reached.
fn is_in_unreached(model: &model::Workflow, span: Span, reached: &BTreeSet<String>) -> bool {
    let holds = |node: &Span| node.file == span.file && node.start <= span.start && span.end <= node.end;
    let node = model.nodes.iter().find(|node| holds(&node.span));
    node.is_some_and(|node| !reached.contains(&node.name.value))
}

/// A name that nothing gives a value, and how to give it one.
fn undefined(name: &str, span: Span, known: &[String]) -> Diagnostic {
    let supply = format!("try `-D {name}=…`, or give it in a properties file");
    Diagnostic::new(&PARAMETER_UNDEFINED, span, format!("`{name}` has no value"))
        .stage(Some(Stage::Action))
        .oozie(&[])
        .help(match closest(name, known.iter().map(String::as_str).filter(|other| *other != name)) {
            Some(near) => format!("did you mean `{near}`? Else {supply}"),
            None => supply,
        })
}
