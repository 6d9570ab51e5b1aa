//! `wf:transition('n')` is compared with a node that `n` does not lead to.
//!
//! The comparison never holds. Of a fork the transition is always `*`; of an end or kill node, and of a node that has not run,
//! there is none. Compare with a node that `n` names in a transition.

use super::{Check, Rule, Sink};
use crate::analysis::flow::Kind;
use crate::analysis::subject::Workflow;
use crate::diag::{Diagnostic, Group, Info, Severity};
use crate::el::{Binary, NodeKind};

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "el-transition-impossible",
        group: Group::Expression,
        severity: Severity::Warning,
        stage: None,
        mirrors: &[],
        explanation: include_str!("el_transition_impossible.rs"),
    },
    check: Check::Workflow(check),
};

fn check(app: &Workflow<'_>, sink: &mut Sink) {
    let flow = &app.flow.flow;
    for asked in app.node_uses().filter(|asked| asked.function == "wf:transition") {
        let Some(target) = asked.target else { continue };
        let parsed = &asked.expression.parsed;
        let compared = parsed.nodes[asked.call.0 as usize + 1..].iter().find_map(|node| {
            let NodeKind::Binary(Binary::Equal | Binary::NotEqual, left, right) = node.kind else {
                return None;
            };
            let other = match (left == asked.call, right == asked.call) {
                (true, false) => right,
                (false, true) => left,
                _ => return None,
            };
            match &parsed.node(other).kind {
                NodeKind::String(name) if !name.is_empty() => Some((other, &**name)),
                _ => None,
            }
        });
        let Some((other, name)) = compared else { continue };
        let kind = flow.kind(target);
        let leads = match kind {
            Kind::Fork => name == "*",
            _ => flow.edges(target).any(|(_, edge)| edge.to.value == name),
        };
        if leads {
            continue;
        }
        let message = match kind {
            Kind::Fork => format!("the transition of fork `{}` is always `*`", asked.name),
            Kind::End | Kind::Kill => format!("{kind} `{}` has no transition", asked.name),
            _ => format!("{kind} `{}` never goes to `{name}`", asked.name),
        };
        let names = flow.edges(target).filter(|_| kind != Kind::Fork).map(|(_, edge)| edge.to.value.as_str());
        sink.push(
            Diagnostic::new(&RULE.info, parsed.span(other), message)
                .label(flow.place(target), format!("`{}` is defined here", asked.name))
                .help_did_you_mean(name, names),
        );
    }
}
