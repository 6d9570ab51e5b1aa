//! An action holds an element that a schema knows, but that is no action.
//!
//! The server refuses the workflow (E0723). Elements and namespaces that no schema knows are told by the schema's own
//! findings; this is about a whole workflow inside an action. Put it into a file of its own and run it as a sub-workflow.
//!
//! ```xml
//! <action name="a"><workflow-app xmlns="uri:oozie:workflow:0.4" name="x">…</workflow-app>…    <!-- wrong -->
//! <action name="a"><sub-workflow><app-path>${nameNode}/apps/x</app-path></sub-workflow>…      <!-- right -->
//! ```

use super::{Check, Rule, Sink};
use crate::analysis::actions::{CLUSTER_TYPES, SERVER_TYPES};
use crate::analysis::subject::Workflow;
use crate::diag::{Diagnostic, Group, Info, Severity, Stage};
use crate::model::Dialect;
use crate::schema::{Kind, Selection};

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "action-unknown-type",
        group: Group::Meaning,
        severity: Severity::Error,
        stage: Some(Stage::Submit),
        mirrors: &["E0723"],
        explanation: include_str!("action_unknown_type.rs"),
    },
    check: Check::Workflow(check),
};

/// `LiteWorkflowAppParser.handleDefaultsAndGlobal`, for all actions, reached or not.
fn check(app: &Workflow<'_>, sink: &mut Sink) {
    if app.model.dialect == Dialect::Hws {
        return;
    }
    let schemas = Selection::of(Kind::Workflow, app.values.version);
    for action in app.actions() {
        let (kind, namespace) = (action.body.kind.as_str(), action.body.namespace.as_str());
        let has_schema = schemas.file(namespace).is_some();
        let is_own = namespace == app.model.namespace.value;
        if is_own || !has_schema || CLUSTER_TYPES.contains(&kind) || SERVER_TYPES.contains(&kind) {
            continue;
        }
        let message = format!("`{kind}` is no action");
        let finding = Diagnostic::new(&RULE.info, action.body.element.name_span, message);
        let known = CLUSTER_TYPES.iter().chain(SERVER_TYPES).copied();
        sink.push(match kind {
            "workflow-app" => finding.help("put it into a file of its own and run it with `sub-workflow`"),
            _ => finding.help_did_you_mean(kind, known),
        });
    }
}
