//! The transitions of a decision do not fit its evaluations.
//!
//! In a `hadoop-workflow`, each `eval` and the `default` of a decision name one of the decision's own `transition` elements,
//! and that names the node. A name that no transition has leads nowhere, two transitions of one name are ambiguous, and without
//! a `default` no transition is taken when no predicate is true. A transition that nothing names is never taken, which is a
//! warning.

use super::{Check, Rule, Sink};
use std::collections::BTreeSet;

use crate::analysis::subject::Workflow;
use crate::diag::{Diagnostic, Group, Info, Severity, Stage, closest};
use crate::model::Dialect;
use crate::model::workflow::{NamedTransition, NodeKind};
use crate::source::Text;

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "decision-transition-invalid",
        group: Group::Meaning,
        severity: Severity::Error,
        stage: Some(Stage::Submit),
        mirrors: &[],
        explanation: include_str!("decision_transition_invalid.rs"),
    },
    check: Check::Workflow(check),
};

fn check(app: &Workflow<'_>, sink: &mut Sink) {
    if app.model.dialect != Dialect::Hws {
        return;
    }
    let mut rest = app.model.transitions.as_slice();
    for (index, node) in app.model.nodes.iter().enumerate() {
        let first = rest.partition_point(|it| it.node < index);
        let own = rest[first..].partition_point(|it| it.node == index);
        let (own, after) = rest[first..].split_at(own);
        rest = after;
        let NodeKind::Decision { cases, default_name, .. } = &node.kind else { continue };
        let names: Vec<&str> = own.iter().filter_map(name_of).collect();
        let mut used: BTreeSet<&str> = BTreeSet::new();
        let mut named = |name: &'_ Text, what: &str| {
            let wanted = name.value.trim().to_owned();
            match names.iter().find(|known| **known == wanted) {
                Some(known) => drop(used.insert(known)),
                None => {
                    let message =
                        format!("{what} names `{wanted}`, and no transition of the decision has this name");
                    let finding = Diagnostic::new(&RULE.info, name.span, message);
                    sink.push(match closest(&wanted, names.iter().copied()) {
                        Some(near) => finding.help(format!("did you mean `{near}`?")),
                        None => finding.help(format!("add `<transition name=\"{wanted}\" to=…/>`")),
                    });
                }
            }
        };
        for name in cases.iter().filter_map(|case| case.name.as_deref()) {
            named(name, "the evaluation");
        }
        if let Some(name) = default_name.as_deref() {
            named(name, "the default");
        }
        let found = |message: String| Diagnostic::new(&RULE.info, node.tag_span, message);
        if default_name.is_none() && !lacks_only_a_name(app, index) {
            let message = format!("decision `{}` has no `default`", node.name.value);
            sink.push(
                found(message)
                    .help("add `<default name=…/>` with the transition to take when no predicate is true"),
            );
        }
        if cases.is_empty() {
            let message = format!("decision `{}` has no `eval`", node.name.value);
            sink.push(found(message).help("add `<eval name=…>` with a predicate"));
        }
        transitions(own, &used, sink);
    }
}

/// What is wrong with the transitions of one decision.
fn transitions(own: &[NamedTransition], used: &BTreeSet<&str>, sink: &mut Sink) {
    for (at, transition) in own.iter().enumerate() {
        let (Some(name), Some(text)) = (name_of(transition), &transition.name) else { continue };
        if let Some(first) = own[..at].iter().find(|it| name_of(it) == Some(name)) {
            let message = format!("a second transition is named `{name}`");
            let finding =
                Diagnostic::new(&RULE.info, text.span, message).help("give one of them another name");
            sink.push(finding.label(first.tag_span, "the first one"));
        } else if !used.contains(name) {
            let message = format!("nothing takes the transition `{name}`");
            let finding =
                Diagnostic::new(&RULE.info, text.span, message).severity(Severity::Warning).stage(None);
            sink.push(finding.help("remove it, or name it in an `eval` or in `default`"));
        }
    }
}

fn name_of(transition: &NamedTransition) -> Option<&str> {
    transition.name.as_ref().map(|name| name.value.trim())
}

/// Whether the decision has a `default` element after all; what that lacks, the schema says.
fn lacks_only_a_name(app: &Workflow<'_>, node: usize) -> bool {
    app.model.defaults_without_name.contains(&node)
}
