//! An action runs on the cluster, and nothing says where: no `name-node`, or neither `job-tracker` nor
//! `resource-manager`, in the action or in `global`.
//!
//! The server refuses the workflow (E0701), unless its own settings name a default
//! (`oozie.actions.default.name-node`, `oozie.actions.default.resource-manager`), or a parent workflow hands its `global`
//! down with `<propagate-configuration/>`. Where the whole workflow names none and nothing shows that it is submitted by
//! itself, it may be made for such a parent, and the finding is a warning.
//!
//! ```xml
//! <global>
//!   <job-tracker>${jobTracker}</job-tracker>
//!   <name-node>${nameNode}</name-node>
//! </global>
//! ```

use super::{Check, Rule, Sink};
use crate::analysis::actions;
use crate::analysis::parameters::{AppKind, Layer};
use crate::analysis::subject::Workflow;
use crate::analysis::values::Values;
use crate::diag::{Diagnostic, Group, Info, Severity, Stage};
use crate::model::Dialect;

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "action-missing-endpoint",
        group: Group::Meaning,
        severity: Severity::Error,
        stage: Some(Stage::Submit),
        mirrors: &["E0701"],
        explanation: include_str!("action_missing_endpoint.rs"),
    },
    check: Check::Workflow(check),
};

/// Namespaces whose schema asks for both, so that it says what is missing.
const TOLD_BY_SCHEMA: &[&str] = &[
    "uri:oozie:workflow:0.1",
    "uri:oozie:workflow:0.2",
    "uri:oozie:workflow:0.2.5",
    "uri:oozie:workflow:0.3",
    "uri:oozie:distcp-action:0.1",
    "uri:oozie:hive-action:0.2",
    "uri:oozie:hive-action:0.3",
    "uri:oozie:shell-action:0.1",
    "uri:oozie:shell-action:0.2",
    "uri:oozie:spark-action:0.1",
    "uri:oozie:sqoop-action:0.2",
    "uri:oozie:sqoop-action:0.3",
];

/// How many other actions are shown.
const MOST_LABELS: usize = 3;

/// Whether the user's own properties lead to this workflow, so that no parent hands anything down.
fn is_submitted_by_itself(values: &Values) -> bool {
    let steps = values.conf().steps(AppKind::Workflow.property());
    steps.last().is_some_and(|step| matches!(step.layer, Layer::File | Layer::Definition))
}

/// `LiteWorkflowAppParser.handleDefaultsAndGlobal`: for all executors that require a name node and a job tracker, in
/// unreachable nodes too.
fn check(app: &Workflow<'_>, sink: &mut Sink) {
    if app.model.dialect == Dialect::Hws {
        return check_properties(app, sink);
    }
    let global = app.model.global.as_ref();
    let global_name_node = global.is_some_and(|global| global.name_node.is_some());
    let global_manager = global.is_some_and(|global| global.resource_manager.is_some());
    let list = app.actions();
    let names_one = |action: &actions::ActionNode<'_>| {
        action.details.job().is_some_and(|job| job.name_node.is_some() || job.resource_manager.is_some())
    };
    let may_be_handed_down =
        global.is_none() && !list.iter().any(names_one) && !is_submitted_by_itself(app.values);
    let mut all = Vec::new();
    for action in list.iter().filter(|action| action.is_on_cluster()) {
        let namespace = action.body.namespace.as_str();
        if TOLD_BY_SCHEMA.contains(&namespace) {
            continue;
        }
        let Some(job) = action.details.job() else { continue };
        let mut missing = Vec::new();
        if job.name_node.is_none() && !global_name_node && action.body.kind != "git" {
            missing.push("`name-node`");
        }
        if job.resource_manager.is_none() && !global_manager {
            let has_new_name = action.body.namespace.ends_with(":1.0");
            missing.push(if has_new_name { "`resource-manager`" } else { "`job-tracker`" });
        }
        if missing.is_empty() {
            continue;
        }
        all.push((action, missing.join(" and no ")));
    }
    // One `global` cures all of them, so they are one finding.
    let Some(((action, missing), rest)) = all.split_first() else { return };
    let others = match rest.len() {
        0 => String::new(),
        1 => " (and 1 more action)".to_owned(),
        n => format!(" (and {n} more actions)"),
    };
    let message = format!("{} has no {missing}, and `global` gives none{others}", action.words());
    let mut finding = Diagnostic::new(&RULE.info, action.body.element.name_span, message)
        .help("name it in the action, or for all actions in `global`");
    if let Some(global) = global {
        finding = finding.label(global.element.name_span, format!("this gives no {missing}"));
    }
    for (other, missing) in rest.iter().take(MOST_LABELS) {
        finding = finding
            .label(other.body.element.name_span, format!("`{}` has no {missing}", other.node.name.value));
    }
    sink.push(if may_be_handed_down { finding.severity(Severity::Warning) } else { finding });
}

/// The properties of a `hadoop-workflow` that say where the cluster is.
const ENDPOINTS: [&str; 2] = ["mapred.job.tracker", "fs.default.name"];

/// In a `hadoop-workflow` two properties name them, inline or in a `job-xml` file; of `pig`, the specification's own
/// examples leave them out.
fn check_properties(app: &Workflow<'_>, sink: &mut Sink) {
    for action in app.actions() {
        let Some(job) = action.details.job().filter(|job| job.job_xml.is_empty()) else { continue };
        let has = |name: &&str| job.configuration.properties.iter().any(|it| it.name.value.trim() == *name);
        let missing: Vec<String> =
            ENDPOINTS.iter().filter(|name| !has(name)).map(|name| format!("`{name}`")).collect();
        if missing.is_empty() {
            continue;
        }
        let message = format!("{} has no property {}", action.words(), missing.join(" and none named "));
        let finding = Diagnostic::new(&RULE.info, action.body.element.name_span, message)
            .help("give it in `configuration`, or in a file that `job-xml` names");
        sink.push(if action.body.kind == "pig" {
            finding.severity(Severity::Warning).stage(None)
        } else {
            finding
        });
    }
}
