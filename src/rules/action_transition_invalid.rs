//! An action of a `hadoop-workflow` lacks a transition, or has one that is never taken.
//!
//! An action exits with `OK` or with `ERROR`, and goes where its transition of that name leads. Without the one that it needs
//! the job fails there. A transition of another name is never taken, and a second one of a name neither.

use super::{Check, Rule, Sink};
use crate::analysis::subject::Workflow;
use crate::diag::{Diagnostic, Group, Info, Severity, Stage, closest};
use crate::model::Dialect;
use crate::model::workflow::NodeKind;

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "action-transition-invalid",
        group: Group::Meaning,
        severity: Severity::Warning,
        stage: Some(Stage::Action),
        mirrors: &[],
        explanation: include_str!("action_transition_invalid.rs"),
    },
    check: Check::Workflow(check),
};

/// The exit states of an action.
const STATES: [&str; 2] = ["OK", "ERROR"];

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
        if !matches!(node.kind, NodeKind::Action(_)) {
            continue;
        }
        let mut seen: [Option<&crate::model::workflow::NamedTransition>; 2] = [None; 2];
        let mut is_misspelt = false;
        for transition in own {
            let Some(name) = &transition.name else { continue };
            let word = name.value.trim();
            let Some(state) = STATES.iter().position(|state| *state == word) else {
                let message =
                    format!("the transition `{word}` is never taken: an action exits with `OK` or `ERROR`");
                let near = closest(&word.to_uppercase(), STATES);
                is_misspelt |= near.is_some();
                let finding = Diagnostic::new(&RULE.info, name.span, message).stage(None);
                sink.push(match near {
                    Some(near) => finding.help(format!("did you mean `{near}`?")),
                    None => finding.help("remove it, or name it `OK` or `ERROR`"),
                });
                continue;
            };
            if let Some(first) = seen[state] {
                let message = format!("a second transition is named `{word}`");
                let finding = Diagnostic::new(&RULE.info, name.span, message);
                let finding = finding.severity(Severity::Error).stage(Some(Stage::Submit));
                sink.push(finding.label(first.tag_span, "the first one").help("remove one of them"));
            } else {
                seen[state] = Some(transition);
            }
        }
        // One that is there in the words of another dialect is told as that.
        let is_foreign = app.model.foreign.iter().any(|it| {
            let span = it.tag_span;
            matches!(it.word.as_str(), "ok" | "error")
                && node.span.start <= span.start
                && span.end <= node.span.end
        });
        let is_misspelt = is_misspelt || is_foreign;
        for (state, _) in STATES.iter().zip(seen).filter(|(_, found)| found.is_none() && !is_misspelt) {
            let message =
                format!("action `{}` has no transition `{state}`, so the job fails there", node.name.value);
            let finding = Diagnostic::new(&RULE.info, node.tag_span, message);
            sink.push(finding.help(format!("add `<transition name=\"{state}\" to=…/>`")));
        }
    }
}
