//! An expression asks for a node that need not have run by then.
//!
//! What a node has not given yet is empty: `wf:actionData('x')` of a node that a path leads past, that runs beside on another
//! path of a fork, or that comes later holds nothing. The error of a node is there only on the ways that its `error`
//! transition begins. Lead every path through the node, or ask for it where it has run:
//!
//! ```xml
//! <decision name="full">
//!   <switch><case to="count">${mode eq 'full'}</case><default to="load"/></switch>
//! </decision>
//! <!-- `load` asks for the output of `count`, which has not run when `mode` is not `full` -->
//! ```
//!
//! A use that deals with the gap (`empty …`, `firstNotNull(…)`, the second operand of `and`, a choice) is left alone.

use super::{Check, Rule, Sink, action_capture_missing};
use crate::analysis::expressions::NodeUse;
use crate::analysis::flow::{Before, Facts, Kind, NodeId, Role};
use crate::analysis::subject::Workflow;
use crate::diag::{Diagnostic, Group, Info, Kinds, Severity};
use crate::el::{Binary, NodeKind, Template, Unary};

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "el-node-not-before",
        group: Group::Expression,
        severity: Severity::Warning,
        stage: None,
        mirrors: &[],
        explanation: include_str!("el_node_not_before.rs"),
    },
    check: Check::Workflow(check),
};

/// Nodes that the searches for a way may look at in one workflow.
const MOST_STEPS: usize = 2_000_000;

fn check(app: &Workflow<'_>, sink: &mut Sink) {
    let mut uses = app.node_uses().filter(|asked| !is_guarded(asked)).peekable();
    if uses.peek().is_none() {
        return;
    }
    let Some(before) = app.flow.before() else { return };
    let mut steps = 0;
    for asked in uses {
        let (Some(target), Some(holder)) = (asked.target, asked.holder) else { continue };
        if !app.flow.is_reached(holder) || steps > MOST_STEPS {
            continue;
        }
        let found = if matches!(asked.function, "wf:errorCode" | "wf:errorMessage") {
            no_failure(&app.flow, &asked, target, holder, &mut steps)
        } else if before.is_before(target, holder) {
            None
        } else {
            past(&app.flow, &before, &asked, [target, holder], &mut steps)
        };
        // What gives nothing anyway is told as that.
        sink.extend(
            found.map(|found| found.because(Kinds::Rule(action_capture_missing::RULE.info.name), asked.span)),
        );
    }
}

/// The finding for the error of a node that has not failed on any way to the holder.
fn no_failure(
    facts: &Facts<'_>,
    asked: &NodeUse<'_>,
    target: NodeId,
    holder: NodeId,
    steps: &mut usize,
) -> Option<Diagnostic> {
    let flow = &facts.flow;
    if flow.kind(target) != Kind::Action {
        return None; // Told as what gives nothing.
    }
    let (_, error) = flow.edges(target).find(|(_, edge)| edge.role == Role::Error)?;
    if facts.way_past(error.target?, holder, None, steps).is_some() {
        return None;
    }
    let message =
        format!("`{}` of `{}` is empty here: no failure of it leads here", asked.function, asked.name);
    Some(
        Diagnostic::new(&RULE.info, asked.span, message)
            .label(error.to.span, format!("after a failure `{}` goes there", asked.name))
            .help(format!("ask for it on a path that `error` of `{}` begins", asked.name)),
    )
}

fn past(
    facts: &Facts<'_>,
    before: &Before<'_>,
    asked: &NodeUse<'_>,
    [target, holder]: [NodeId; 2],
    steps: &mut usize,
) -> Option<Diagnostic> {
    let flow = &facts.flow;
    let (function, name) = (asked.function, asked.name);
    let finding = |message: String| Diagnostic::new(&RULE.info, asked.span, message);
    let place = flow.place(target);
    if target == holder {
        let message = format!("`{function}` of `{name}` is empty in `{name}` itself: it has not run yet");
        return Some(finding(message).help("ask for it in a node that comes later"));
    }
    if let Some(fork) = before.parting(target, holder) {
        let message = format!(
            "`{name}` need not have run here: it runs beside, on another path of `{}`",
            flow.shown(fork)
        );
        return Some(
            finding(message)
                .label(place, format!("`{name}` runs at the same time"))
                .help("ask for it behind the join"),
        );
    }
    if facts.way_past(target, holder, None, steps).is_none() {
        let message = format!("`{name}` has never run here");
        return Some(
            finding(message)
                .label(place, format!("no path leads from `{name}` to `{}`", flow.shown(holder)))
                .help("ask for it in a node that comes later"),
        );
    }
    if flow.kind(holder) == Kind::Kill {
        return None; // A message with a gap.
    }
    let way = facts.way_past(flow.start()?, holder, Some(target), steps);
    let message = format!("`{name}` need not have run here: a path leads past it");
    let mut found = finding(message);
    if let Some(way) = way {
        let last = way.edges.last().map_or(place, |edge| flow.edge(*edge).to.span);
        found = found.label(last, format!("a path without it: {}", facts.way(&way)));
    }
    Some(found.help(format!("lead every path through `{name}`, or ask for it where it has run")))
}

/// Whether the expression deals with nothing being there.
fn is_guarded(asked: &NodeUse<'_>) -> bool {
    let parsed = &asked.expression.parsed;
    let call = asked.call.0;
    let holds = |id: u32| id > call && id + 1 - parsed.nodes[id as usize].size <= call;
    let around = (call + 1..).zip(&parsed.nodes[call as usize + 1..]).filter(|(id, _)| holds(*id));
    around.into_iter().any(|(_, node)| match &node.kind {
        NodeKind::Unary(Unary::Empty, _) | NodeKind::Choice { .. } => true,
        NodeKind::Call { prefix, name, .. } => prefix.is_empty() && &**name == "firstNotNull",
        NodeKind::Binary(Binary::And | Binary::Or, left, _) => left.0 < call,
        NodeKind::Binary(Binary::Equal | Binary::NotEqual, left, right) => {
            is_nothing(parsed, left.0) || is_nothing(parsed, right.0)
        }
        _ => false,
    })
}

fn is_nothing(parsed: &Template, id: u32) -> bool {
    match &parsed.nodes[id as usize].kind {
        NodeKind::Null => true,
        NodeKind::String(text) => text.is_empty(),
        _ => false,
    }
}
