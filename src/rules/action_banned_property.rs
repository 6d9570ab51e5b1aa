//! A configuration sets a property that the server keeps to itself.
//!
//! The name node, the resource manager and the user of an action come from its elements and from the job; an action
//! whose configuration or `global` configuration sets them fails when it starts (JA010).
//! Before Oozie 5.0 `mapred.job.tracker` is refused too. `fs.defaultFS` is refused as `fs.default.name`, since Hadoop takes both for one. Remove the property.
//!
//! ```xml
//! <configuration>
//!   <property><name>fs.default.name</name><value>${nameNode}</value></property>   <!-- remove this -->
//! </configuration>
//! ```

use super::{Check, Rule, Sink};
use crate::analysis::actions::{self, ActionNode};
use crate::analysis::subject::Workflow;
use crate::diag::{Diagnostic, Edit, Group, Info, Severity, Stage};
use crate::model::action::Details;
use crate::model::{Dialect, Property};

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "action-banned-property",
        group: Group::Meaning,
        severity: Severity::Error,
        stage: Some(Stage::Action),
        mirrors: &["JA010"],
        explanation: include_str!("action_banned_property.rs"),
    },
    check: Check::Workflow(check),
};

/// `JavaActionExecutor.DISALLOWED_PROPERTIES` with the names that Hadoop's `Configuration` takes for the same.
const BANNED: &[&str] = &[
    "user.name",
    "mapreduce.job.user.name",
    "fs.default.name",
    "fs.defaultFS",
    "yarn.resourcemanager.address",
];

/// The same for `PropertiesUtils.DEFAULT_DISALLOWED_PROPERTIES`, which sub-workflows are held to.
const BANNED_IN_SUB_WORKFLOW: &[&str] = &["user.name", "mapreduce.job.user.name"];

/// What it holds besides before Oozie 5.0: where the job tracker is.
const BANNED_BEFORE_YARN: &[&str] = &["mapred.job.tracker", "mapreduce.jobtracker.address"];

fn check(app: &Workflow<'_>, sink: &mut Sink) {
    // There the properties say where the cluster is and who the user is.
    if app.model.dialect == Dialect::Hws {
        return;
    }
    let all = [BANNED, if app.values.version.bans_job_tracker() { BANNED_BEFORE_YARN } else { &[] }].concat();
    let of_actions = all.as_slice();
    let list = app.actions();
    for action in list {
        let (properties, banned, codes) = match &action.details {
            Details::SubWorkflow(it) => (&it.configuration.properties, BANNED_IN_SUB_WORKFLOW, &["E0808"]),
            // `FsActionExecutor.doOperations` reads its configuration by the same method.
            Details::Fs(it) => (&it.configuration.properties, of_actions, &["JA010"]),
            details => match details.job() {
                Some(job) => (&job.configuration.properties, of_actions, &["JA010"]),
                None => continue,
            },
        };
        for property in of(properties, banned) {
            sink.push(actions::at_start(
                &app.flow,
                action,
                finding(property, properties, &action.words()).oozie(codes),
            ));
        }
    }
    if let Some(global) = &app.model.global {
        let takes = |action: &&ActionNode<'_>| action.is_on_cluster() || action.body.kind == "fs";
        if list.iter().filter(takes).any(|action| app.flow.is_reached(action.id)) {
            let banned = of(&global.configuration.properties, of_actions);
            sink.extend(
                banned.map(|property| finding(property, &global.configuration.properties, "every action")),
            );
        }
    }
}

fn of<'p>(properties: &'p [Property], banned: &'p [&str]) -> impl Iterator<Item = &'p Property> {
    properties.iter().filter(|property| banned.contains(&property.name.value.trim()))
}

/// Mended by removing the property; one alone in its configuration would leave that empty, which the schema refuses.
fn finding(property: &Property, all: &[Property], whose: &str) -> Diagnostic {
    let name = property.name.value.trim();
    let message = format!("`{name}` makes {whose} fail: the server sets it itself");
    let edit = Edit { span: property.span, text: String::new() };
    let finding = Diagnostic::new(&RULE.info, property.name.span, message);
    match all.len() {
        1 => finding.help("remove the configuration"),
        _ => finding.help("remove the property").fix(true, vec![edit]),
    }
}
