//! A workflow and the sub-workflows it runs (`SubWorkflowActionExecutor.start`).

use std::collections::BTreeSet;

use super::evaluate::NodeWorld;
use super::handed::not_handed;
use super::merge::{self, Global, child};
use super::nodes::{Built, nodes};
use super::submit::{Submitted, submit};
use super::{Definition, Finder, SubWorkflow, WorkflowPlan};
use crate::analysis::parameters::{
    APP_PATH_MISSING, AppKind, GROUP_NAME, Given, JOB_ACL, JobConf, Layer, USER_NAME, astray,
    check_default_file, java_trim,
};
use crate::analysis::project::{Astray, Why};
use crate::diag::{Diagnostic, Info, Severity, Stage};
use crate::source::Span;

/// How deep sub-workflows may nest (`oozie.action.subworkflow.max.depth`).
pub const MAX_DEPTH: usize = 50;

/// How many workflows one plan may hold.
pub const MAX_WORKFLOWS: usize = 1_000;

/// Sub-workflows without end.
pub static SUBWORKFLOW_RECURSION: Info = Info {
    name: "subworkflow-recursion",
    severity: Severity::Error,
    stage: Some(Stage::Action),
    mirrors: &["E0613"],
    explanation: "Sub-workflows run each other without end, or there are too many to plan.\n\n\
        A server stops at a depth of 50; a plan holds 1,000 workflows. Look for a sub-workflow that reaches itself.",
};

/// A job's own part of the plan and what its sub-workflows get from it.
struct Level<'p> {
    global: Option<&'p Global>,
    deferred: BTreeSet<String>,
    depth: usize,
    /// The workflows on the way here, by the place of their root.
    path: Vec<Span>,
}

/// Plans a workflow that a server has taken, and every sub-workflow whose path is known.
pub fn plan(definition: Definition<'_>, submitted: &Submitted, find: Finder<'_, '_>) -> WorkflowPlan {
    let level =
        Level { global: None, deferred: BTreeSet::new(), depth: 0, path: vec![definition.model.span] };
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
    let world = NodeWorld::new(&submitted.conf, &submitted.name, &level.deferred);
    let (mut nodes, built) = nodes(definition, submitted, global, &world);
    for built in built {
        let span = nodes[built.node].span;
        let mut follow = follow(&built, span, submitted, find, (global, level), count);
        if child(&built.element, "propagate-configuration").is_none() {
            not_handed(definition, span, &mut follow);
        }
        if let Some(action) = &mut nodes[built.node].action {
            action.child = Some(follow);
        }
    }
    let missing = world.missing();
    WorkflowPlan { name: submitted.name.clone(), parameters: submitted.conf.clone(), missing, nodes }
}

fn follow(
    built: &Built,
    span: Span,
    parent: &Submitted,
    find: Finder<'_, '_>,
    (global, level): (Option<&Global>, &Level<'_>),
    count: &mut usize,
) -> SubWorkflow {
    let app_path = child(&built.element, "app-path").map(|path| path.text().value).unwrap_or_default();
    let app_path = java_trim(&app_path).to_owned();
    let mut end = SubWorkflow { app_path, plan: None, findings: Vec::new() };
    let definition = match find(&end.app_path) {
        Ok(definition) => definition,
        Err(astray) => {
            end.findings.push(not_found(&astray, &end.app_path, parent, span));
            return end;
        }
    };
    let recurs = level.path.contains(&definition.model.span);
    if recurs || level.depth + 1 >= MAX_DEPTH || *count >= MAX_WORKFLOWS {
        let message = match recurs {
            true => format!("the sub-workflow `{}` runs itself again", end.app_path),
            false => "there are too many sub-workflows to plan".to_owned(),
        };
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
    end.findings = findings;
    if let Some(submitted) = submitted {
        let propagates = child(&built.element, "propagate-configuration").is_some();
        let handed =
            global.filter(|_| propagates).map(|global| global.handed_down(definition.model.name_span));
        let mut path = level.path.clone();
        path.push(definition.model.span);
        let below = Level { global: handed.as_ref(), deferred, depth: level.depth + 1, path };
        end.plan = Some(Box::new(plan_level(definition, &submitted, find, &below, count)));
    }
    end
}

/// What is said of a path that leads to no workflow.
fn not_found(reason: &Astray, app_path: &str, parent: &Submitted, span: Span) -> Diagnostic {
    if app_path.contains("${") {
        let message = format!("`{app_path}` is known only when the action starts");
        let found = Diagnostic::new(&APP_PATH_MISSING, span, message).stage(Some(Stage::Action)).oozie(&[]);
        return found.severity(Severity::Info);
    }
    let found = astray(reason, span);
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
        (JobConf::new().on(parent.conf.version()), BTreeSet::new())
    };
    if !propagates {
        // The parent's own prototype: the user and everything of Oozie's (`createProtoActionConf`).
        let own = |name: &str| name == USER_NAME || name.starts_with("oozie.");
        for (name, value) in parent.conf.iter().filter(|(name, _)| own(name)) {
            conf.set(Layer::Server, Given { span: parent.conf.span(name), ..Given::new(name, value) });
        }
    }
    conf.set(Layer::Server, Given::new(AppKind::Workflow.property(), app_path).at(span));
    let group = parent.conf.get_raw(GROUP_NAME).or_else(|| parent.conf.get_raw(JOB_ACL));
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
