//! A function asks for what actions of this type do not have.
//!
//! `hadoop:jobId`, `hadoop:jobTracker`, `hadoop:jobStatus` and `hadoop:jobCounters` are about `hadoop` actions, `action:output`
//! about `ssh` and `http` actions that capture their output, `wf:exitState`, `wf:errorCode` and `wf:errorMessage` about actions.
//! Of other nodes they give null. And `wf:callback` gives the URL of the action that is being executed, which a decision is
//! not.

use super::{Check, Rule, Sink};
use crate::analysis::subject::Workflow;
use crate::diag::{Diagnostic, Group, Info, Severity};
use crate::model::Dialect;
use crate::model::workflow::NodeKind;

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "el-node-kind",
        group: Group::Expression,
        severity: Severity::Warning,
        stage: None,
        mirrors: &[],
        explanation: include_str!("el_node_kind.rs"),
    },
    check: Check::Workflow(check),
};

fn check(app: &Workflow<'_>, sink: &mut Sink) {
    if app.model.dialect != Dialect::Hws {
        return;
    }
    let flow = &app.flow.flow;
    for asked in app.node_uses() {
        let Some(target) = asked.target else { continue };
        let found = |what: String| {
            let message = format!("`{}` of `{}` is always null: {what}", asked.function, asked.name);
            Diagnostic::new(&RULE.info, asked.span, message).label(flow.place(target), "defined here")
        };
        let NodeKind::Action(action) = &app.model.nodes[target.index()].kind else {
            sink.push(found(format!("it is a {}, not an action", flow.kind_name(target))));
            continue;
        };
        let Some(body) = &action.body else { continue };
        let kind = body.kind.as_str();
        let (of_hadoop, of_output) =
            (asked.function.starts_with("hadoop:"), asked.function == "action:output");
        if of_hadoop && kind != "hadoop" {
            sink.push(found(format!("`{kind}` actions start no Hadoop job")));
        } else if of_output && !matches!(kind, "ssh" | "http") {
            sink.push(found(format!("`{kind}` actions capture no output")));
        }
    }
    for expression in &app.expressions {
        let holder = expression.template.node.map(|index| &app.model.nodes[index].kind);
        if !matches!(holder, Some(NodeKind::Decision { .. } | NodeKind::Kill { .. })) {
            continue;
        }
        let is_callback = |name: &str| matches!(name, "callback" | "callbackUrl");
        for call in expression.parsed.calls().filter(|call| call.prefix == "wf" && is_callback(call.name)) {
            let message = "no action is being executed here, so there is no callback URL";
            let finding = Diagnostic::new(&RULE.info, expression.parsed.span(call.node), message);
            sink.push(finding.help("call it within the action that waits for the callback"));
        }
    }
}
