//! A workflow and the sub-workflows it runs (`SubWorkflowActionExecutor.start`).

use std::collections::BTreeSet;

use indexmap::IndexMap;

use super::evaluate::NodeWorld;
use super::handed::not_handed;
use super::merge::{self, Global, child};
use super::nodes::{Built, nodes};
use super::sla::{self, SlaProgram};
use super::submit::{Submitted, submit};
use super::{Definition, Finder, SubWorkflow, WorkflowPlan};
use crate::analysis::flow::graph::Edge;
use crate::analysis::flow::order::finished_first;
use crate::analysis::flow::{Flow, Kind, Role};
use crate::analysis::parameters::{
    APP_PATH_MISSING, AppKind, GROUP_NAME, Given, JOB_ACL, JobConf, Layer, USER_NAME, astray,
    check_default_file, java_trim,
};
use crate::analysis::project::{Astray, Why, application_uri};
use crate::diag::{Diagnostic, Group, Info, Severity, Stage};
use crate::model::Workflow;
use crate::model::action::Details;
use crate::model::workflow::NodeKind;
use crate::plan::sla::SlaRegistration;
use crate::source::{Span, Text};

/// How deep sub-workflows may nest (`oozie.action.subworkflow.max.depth`).
pub const MAX_DEPTH: usize = 50;

/// How many workflows one plan may hold.
pub const MAX_WORKFLOWS: usize = 1_000;

/// Sub-workflows without end.
pub static SUBWORKFLOW_RECURSION: Info = Info {
    name: "subworkflow-recursion",
    group: Group::Meaning,
    severity: Severity::Error,
    stage: Some(Stage::Action),
    mirrors: &["E0613"],
    explanation: "Sub-workflows run each other without end, or there are too many to plan.\n\n\
        A server stops at a depth of 50; a plan holds 1,000 workflows. Look for a sub-workflow that reaches itself. \
        Where a decision can end it this is no error, only worth knowing.",
};

/// A job's own part of the plan and what its sub-workflows get from it.
struct Level<'p> {
    global: Option<&'p Global>,
    deferred: BTreeSet<String>,
    depth: usize,
    /// The workflows on the way here.
    path: Vec<Step<'p>>,
}

/// A workflow on the way to another one.
#[derive(Clone)]
struct Step<'p> {
    model: &'p Workflow,
    /// The node that runs the next one.
    node: String,
}

/// Plans a workflow that a server has taken, and every sub-workflow whose path is known.
pub fn plan(definition: Definition<'_>, submitted: &Submitted, find: Finder<'_, '_>) -> WorkflowPlan {
    let level = Level { global: None, deferred: BTreeSet::new(), depth: 0, path: Vec::new() };
    let mut count = 1;
    plan_level(definition, submitted, find, &level, &mut count)
}

/// Recursive, no deeper than [`MAX_DEPTH`].
fn plan_level(
    definition: Definition<'_>,
    submitted: &Submitted,
    find: Finder<'_, '_>,
    level: &Level<'_>,
    count: &mut usize,
) -> WorkflowPlan {
    let own = definition.model.global.as_ref();
    let global = own.map(|global| Global::new(&global.element, level.global, definition.text));
    let global = global.as_ref().or(level.global);
    let world = NodeWorld::new(definition.model.dialect, &submitted.conf, &submitted.name, &level.deferred);
    let (mut nodes, built) = nodes(definition, submitted, global, &world);
    for built in built {
        let (span, node) = (nodes[built.node].span, nodes[built.node].name.clone());
        let step = Step { model: definition.model, node };
        let mut follow = follow(&built, span, submitted, find, (global, level, step), count);
        if child(&built.element, "propagate-configuration").is_none() {
            not_handed(definition, span, &mut follow);
        }
        if let Some(action) = &mut nodes[built.node].action {
            action.child = Some(Box::new(follow));
        }
    }
    let missing = world.missing();
    let levels = levels(definition, &submitted.conf);
    WorkflowPlan { name: submitted.name.clone(), parameters: submitted.conf.clone(), missing, nodes, levels }
}

/// The service levels that can be registered; what is wrong with others is a finding of the submission.
fn levels(definition: Definition<'_>, conf: &JobConf) -> IndexMap<String, SlaRegistration> {
    let raw = |name: &str| conf.get_raw(name).map(str::to_owned);
    let named = |level: &SlaProgram| {
        let name = level.node.and_then(|node| definition.model.nodes.get(node as usize));
        name.map_or_else(String::new, |node| node.name.value.clone())
    };
    let levels = sla::programs(definition, conf.engine()).into_iter();
    levels.filter_map(|level| Some((named(&level), level.register(&raw, conf.zone()).ok()?))).collect()
}

fn follow(
    built: &Built,
    span: Span,
    parent: &Submitted,
    find: Finder<'_, '_>,
    (global, level, step): (Option<&Global>, &Level<'_>, Step<'_>),
    count: &mut usize,
) -> SubWorkflow {
    let app_path = match child(&built.element, "hadoop-workflow") {
        Some(name) => application_uri(&name.text().value),
        None => child(&built.element, "app-path").map(|path| path.text().value).unwrap_or_default(),
    };
    let app_path = java_trim(&app_path).to_owned();
    let mut end = SubWorkflow { app_path, plan: None, findings: Vec::new() };
    let written = app_path_of(step.model, span);
    let place = written.as_ref().map_or(span, |path| path.trimmed().span);
    let shown = |astray: Astray| match &written {
        Some(path) => astray.as_written(&path.value),
        None => astray,
    };
    let (definition, is_sure) = match find(&end.app_path) {
        Ok(lead) => {
            end.findings.extend(lead.doubt.map(|doubt| astray(&shown(doubt), place)));
            (lead.definition, lead.is_sure)
        }
        Err(astray) => {
            end.findings.push(not_found(shown(astray), &end.app_path, parent, place));
            return end;
        }
    };
    let mut path: Vec<Step<'_>> = level.path.clone();
    path.push(step);
    if let Some(first) = path.iter().position(|step| step.model.span == definition.model.span) {
        // What only looks like the same workflow may be another one that the project does not hold.
        if !is_sure {
            return end;
        }
        let message = format!("the sub-workflow `{}` runs itself again", end.app_path);
        let finding = Diagnostic::new(&SUBWORKFLOW_RECURSION, span, message);
        end.findings.push(match path[first..].iter().any(Step::is_avoidable) {
            true => finding.severity(Severity::Info).help("see that a decision ends it before a depth of 50"),
            false => finding,
        });
        return end;
    }
    if level.depth + 1 >= MAX_DEPTH || *count >= MAX_WORKFLOWS {
        let message = "there are too many sub-workflows to plan";
        end.findings.push(Diagnostic::new(&SUBWORKFLOW_RECURSION, span, message));
        return end;
    }
    *count += 1;
    let (conf, deferred, mut findings) = child_conf(built, span, parent, &end.app_path, &level.deferred);
    let (submitted, more) = submit(definition, conf);
    // What the child's submission refuses fails the action.
    let at_start = |finding: Diagnostic| match finding.stage {
        Some(Stage::Submit) => finding.stage(Some(Stage::Action)),
        _ => finding,
    };
    findings.extend(more.into_iter().map(at_start));
    end.findings.extend(findings);
    if let Some(submitted) = submitted {
        let propagates = child(&built.element, "propagate-configuration").is_some();
        let handed =
            global.filter(|_| propagates).map(|global| global.handed_down(definition.model.name_span));
        let below = Level { global: handed.as_ref(), deferred, depth: level.depth + 1, path };
        end.plan = Some(Box::new(plan_level(definition, &submitted, find, &below, count)));
    }
    end
}

impl Step<'_> {
    /// True when an execution without a failed action can end and never come to the node.
    fn is_avoidable(&self) -> bool {
        let flow = Flow::new(self.model);
        let mut ends_beside = vec![false; flow.len()];
        for node in finished_first(&flow) {
            let mut ways = flow.out(node).iter().filter(|edge| edge.role != Role::Error);
            let is_beside = |edge: &Edge<'_>| edge.target.is_some_and(|target| ends_beside[target.index()]);
            let own = match flow.kind(node) {
                _ if flow.name(node) == self.node => false,
                Kind::End | Kind::Kill => true,
                // All its paths are taken.
                Kind::Fork => ways.all(is_beside),
                _ => ways.any(is_beside),
            };
            ends_beside[node.index()] = own;
        }
        flow.start().is_some_and(|start| ends_beside[start.index()])
    }
}

/// The application path of the sub-workflow action at a place, as it is written.
fn app_path_of(model: &Workflow, place: Span) -> Option<Text> {
    let node = model.nodes.iter().find(|node| node.tag_span == place)?;
    let NodeKind::Action(action) = &node.kind else {
        return None;
    };
    match action.body.as_ref()?.details() {
        Details::SubWorkflow(sub) => sub.app_path,
        _ => None,
    }
}

/// What is said of a path that leads to no workflow.
fn not_found(reason: Astray, app_path: &str, parent: &Submitted, span: Span) -> Diagnostic {
    if app_path.contains("${") {
        let message = format!("`{app_path}` is known only when the action starts");
        let found = Diagnostic::new(&APP_PATH_MISSING, span, message).stage(Some(Stage::Action)).oozie(&[]);
        return found.severity(Severity::Info);
    }
    let found = astray(&reason, span);
    if reason.why != Why::Unknown {
        return found;
    }
    // What lies in the app's own folder may be put there by packaging.
    let own = parent.conf.get_raw(AppKind::Workflow.property()).filter(|own| !own.is_empty());
    let is_own = own.is_some_and(|own| app_path.starts_with(own));
    found.stage(Some(Stage::Action)).severity(if is_own { Severity::Info } else { Severity::Warning })
}

/// What a sub-workflow is given: the parent's configuration when it is propagated, what the server adds, and the
/// action's own configuration over both. Also which of its properties only the run will know.
fn child_conf(
    built: &Built,
    span: Span,
    parent: &Submitted,
    app_path: &str,
    late: &BTreeSet<String>,
) -> (JobConf, BTreeSet<String>, Vec<Diagnostic>) {
    let propagates = child(&built.element, "propagate-configuration").is_some();
    let (mut conf, mut deferred) = if propagates {
        (parent.conf.clone(), late.clone())
    } else {
        (parent.conf.beside(), BTreeSet::new())
    };
    let is_named = child(&built.element, "hadoop-workflow").is_some();
    if !propagates {
        // The parent's own prototype: the user and everything of Oozie's (`createProtoActionConf`).
        let own = |name: &str| name == USER_NAME || (!is_named && name.starts_with("oozie."));
        for (name, value) in parent.conf.iter().filter(|(name, _)| own(name)) {
            conf.set(Layer::Server, Given { span: parent.conf.span(name), ..Given::new(name, value) });
        }
    }
    conf.set(Layer::Server, Given::new(AppKind::Workflow.property(), app_path).at(span));
    let group = parent.conf.get_raw(GROUP_NAME).or_else(|| parent.conf.get_raw(JOB_ACL));
    let group = group.filter(|_| !is_named);
    if let Some(group) = group {
        conf.set(Layer::Server, Given::new(GROUP_NAME, group));
    }
    let own = child(&built.element, "configuration");
    let own = own.map(|own| merge::properties(own, &built.text)).unwrap_or_default();
    let given: Vec<_> = own.into_iter().map(|(name, value)| Given::new(name, value.value).at(span)).collect();
    let findings = check_default_file(AppKind::Workflow, &given, span);
    let findings = findings.into_iter().map(|found| found.stage(Some(Stage::Action))).collect();
    for one in given {
        if one.value.contains("${") {
            deferred.insert(one.name.clone());
        } else {
            deferred.remove(&one.name);
        }
        conf.set(Layer::SubWorkflow(built.element.name.local.to_string()), one);
    }
    (conf, deferred, findings)
}
