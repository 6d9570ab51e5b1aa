//! `job-tracker` (`resource-manager`) and `name-node` of an action hold each other's address, or one of them the wrong kind.
//!
//! A resource manager is `host:port` without a scheme, a name node a URI: `hdfs://host:port`. The action fails when it starts.
//! What properties hold is looked at where they stand; this is about which one an element takes.
//!
//! ```xml
//! <job-tracker>${nameNode}</job-tracker> <name-node>${jobTracker}</name-node>   <!-- wrong -->
//! <job-tracker>${jobTracker}</job-tracker> <name-node>${nameNode}</name-node>
//! ```

use super::{Check, Rule, Sink};
use crate::analysis::actions;
use crate::analysis::subject::Workflow;
use crate::diag::{Diagnostic, Group, Info, Severity};
use crate::source::Text;

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "cluster-address-swapped",
        group: Group::Meaning,
        severity: Severity::Warning,
        stage: None,
        mirrors: &[],
        explanation: include_str!("cluster_address_swapped.rs"),
    },
    check: Check::Workflow(check),
};

fn check(app: &Workflow<'_>, sink: &mut Sink) {
    if let Some(global) = &app.model.global {
        sink.extend(judge(app, global.resource_manager.as_ref(), global.name_node.as_ref()));
    }
    for action in app.actions() {
        let Some(job) = action.details.job() else { continue };
        let finding = judge(app, job.resource_manager.as_ref(), job.name_node.as_ref());
        sink.extend(finding.map(|finding| actions::at_start(&app.flow, action, finding)));
    }
}

fn judge(app: &Workflow<'_>, manager: Option<&Text>, name_node: Option<&Text>) -> Option<Diagnostic> {
    let manager_is_wrong = manager.is_some_and(|text| takes(app, text, "name"));
    let node_is_wrong = name_node.is_some_and(|text| takes(app, text, "manager"));
    let swapped = "the addresses of resource manager and name node are swapped";
    let (text, message) = match (manager_is_wrong, node_is_wrong) {
        (true, true) => (manager?, swapped),
        (true, false) => {
            (manager?, "this is the address of a name node, and the resource manager belongs here")
        }
        (false, true) => {
            (name_node?, "this is the address of a resource manager, and the name node belongs here")
        }
        (false, false) => return None,
    };
    let finding = Diagnostic::new(&RULE.info, text.trimmed().span, message);
    let finding =
        finding.help("write the name node as `hdfs://host:port` and the resource manager as `host:port`");
    Some(match name_node.filter(|_| manager_is_wrong && node_is_wrong) {
        Some(other) => finding.label(other.trimmed().span, "the other one"),
        None => finding,
    })
}

/// Whether an element takes the property that is for the other one, as its name says and its value does not deny.
fn takes(app: &Workflow<'_>, text: &Text, other: &str) -> bool {
    let Some(name) = actions::only_variable(text) else { return false };
    let name: String = name.to_lowercase().chars().filter(char::is_ascii_alphanumeric).collect();
    let is_named = match other {
        "name" => ["namenode", "defaultfs", "hdfs"].iter().any(|word| name.contains(word)),
        _ => ["jobtracker", "resourcemanager"].iter().any(|word| name.contains(word)),
    };
    let Some(value) = actions::known(app.values, text) else { return is_named };
    match other {
        "name" => is_named && value.value.contains("://"),
        // A name node is a URI.
        _ => is_named && !value.value.contains("://"),
    }
}
