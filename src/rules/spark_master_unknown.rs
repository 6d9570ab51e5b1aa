//! The `master` or the `mode` of a spark action is not one that Spark knows, or they do not go together.
//!
//! Spark is started as it is written and fails. Masters are `yarn`, `yarn-client`, `yarn-cluster`, `local`, `local[N]` and URIs
//! of `spark`, `mesos` and `k8s`; modes are `client` and `cluster`. A `local` master runs on one machine, so never in mode `cluster`.
//!
//! ```xml
//! <master>yran</master>
//! <master>yarn</master>
//! ```

use super::{Check, Rule, Sink};
use crate::analysis::actions::{self, ActionNode};
use crate::analysis::subject::Workflow;
use crate::diag::{Diagnostic, Group, Info, Severity, closest};
use crate::source::Text;
use crate::xml::{Element, Node};

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "spark-master-unknown",
        group: Group::Meaning,
        severity: Severity::Warning,
        stage: None,
        mirrors: &[],
        explanation: include_str!("spark_master_unknown.rs"),
    },
    check: Check::Workflow(check),
};

const MASTERS: &[&str] = &["yarn", "yarn-client", "yarn-cluster", "yarn-standalone", "local"];
const MODES: &[&str] = &["client", "cluster"];
/// What other masters begin with.
const BEGINNINGS: &[&str] = &["local[", "local-cluster[", "spark://", "mesos://", "k8s://"];

fn check(app: &Workflow<'_>, sink: &mut Sink) {
    for action in app.actions().iter().filter(|action| action.body.kind == "spark") {
        for (name, known) in [("master", MASTERS), ("mode", MODES)] {
            let Some(text) = action.body.element.child(name).and_then(only_text) else { continue };
            let Some(value) = actions::known(app.values, text) else { continue };
            let written = value.value.trim();
            let is_uri = name == "master" && BEGINNINGS.iter().any(|begin| written.starts_with(begin));
            if written.is_empty() || is_uri || known.contains(&written.to_lowercase().as_str()) {
                continue;
            }
            let finding =
                Diagnostic::new(&RULE.info, value.span, format!("Spark knows no {name} `{written}`"));
            let finding = match closest(written, known.iter().copied()) {
                Some(near) => finding.help(format!("did you mean `{near}`?")),
                None => finding.help(format!("write one of {}", known.join(", "))),
            };
            sink.push(actions::at_start(&app.flow, action, finding));
        }
        sink.extend(local_cluster(app, action));
    }
}

/// `SparkSubmit` refuses the mode `cluster` with a master of this machine.
fn local_cluster(app: &Workflow<'_>, action: &ActionNode<'_>) -> Option<Diagnostic> {
    let text = |name| actions::known(app.values, action.body.element.child(name).and_then(only_text)?);
    let (master, mode) = (text("master")?, text("mode")?);
    let is_local = master.value == "local" || master.value.starts_with("local[");
    (is_local && mode.value.eq_ignore_ascii_case("cluster")).then(|| {
        let message = format!("Spark does not start the master `{}` in the mode `cluster`", master.value);
        let finding = Diagnostic::new(&RULE.info, mode.span, message).label(master.span, "the master");
        actions::at_start(&app.flow, action, finding.help("write `client`, or another master"))
    })
}

fn only_text(element: &Element) -> Option<&Text> {
    element.children.iter().find_map(|node| match node {
        Node::Text(text) => Some(&**text),
        _ => None,
    })
}
