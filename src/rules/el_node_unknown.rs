//! An expression asks for a node that the workflow does not have.
//!
//! `wf:actionData('x')`, `wf:errorCode('x')` and the like give nothing for it, and no server complains. Name a node of this
//! workflow; the nodes of a sub-workflow are none of its own.

use super::{Check, Rule, Sink};
use crate::analysis::flow::Kind;
use crate::analysis::subject::Workflow;
use crate::diag::{Diagnostic, Edit, Group, Info, Severity, SubjectKind, closest};

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "el-node-unknown",
        group: Group::Expression,
        severity: Severity::Error,
        stage: None,
        mirrors: &[],
        explanation: include_str!("el_node_unknown.rs"),
    },
    check: Check::Workflow(check),
};

/// Comparisons of names that the search for near ones may take in one workflow.
const MOST_COMPARISONS: usize = 200_000;

fn check(app: &Workflow<'_>, sink: &mut Sink) {
    let flow = &app.flow.flow;
    let mut comparisons = 0;
    for asked in app.node_uses().filter(|asked| asked.target.is_none()) {
        let message = format!("`{}` asks for `{}`, and no node is named so", asked.function, asked.name);
        let mut finding =
            Diagnostic::new(&RULE.info, asked.span, message).about(SubjectKind::Node, asked.name.trim());
        // In a message it only leaves a gap.
        let in_message = asked.holder.is_some_and(|id| flow.kind(id) == Kind::Kill);
        if in_message || !asked.expression.is_reached {
            finding = finding.severity(Severity::Warning);
        }
        comparisons += flow.len();
        let wants_action = asked.function != "wf:transition";
        let fits =
            |name: &&str| flow.find(name).is_some_and(|id| !wants_action || flow.kind(id) == Kind::Action);
        let names = || flow.names().filter(|name| *name != ":start:").filter(fits);
        if comparisons <= MOST_COMPARISONS
            && let Some(near) = closest(asked.name, names())
        {
            finding = finding.help(format!("did you mean `{near}`?"));
            if closest(asked.name, names().filter(|other| *other != near)).is_none() {
                finding = finding.fix(false, vec![Edit { span: asked.span, text: near.to_owned() }]);
            }
        }
        sink.push(finding);
    }
}
