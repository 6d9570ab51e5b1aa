//! The input logic of a coordinator leaves out an input event whose URIs the action gets.
//!
//! With `input-logic` an action waits for what the logic names and for nothing else. The URIs of another input event are
//! handed to the workflow whether the data are there or not. Name the event in the logic, or leave it out of both.
//!
//! ```xml
//! <input-logic><and><data-in dataset="a"/><data-in dataset="b"/></and></input-logic>
//! ```

use std::collections::BTreeSet;

use super::{Check, Rule, Sink};
use crate::analysis::subject::Coordinator;
use crate::diag::{Diagnostic, Group, Info, Severity};
use crate::el::{self, NodeKind};
use crate::model::coordinator::LogicNode;

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "data-event-not-awaited",
        group: Group::Meaning,
        severity: Severity::Warning,
        stage: None,
        mirrors: &[],
        explanation: include_str!("data_event_not_awaited.rs"),
    },
    check: Check::Coordinator(check),
};

fn check(app: &Coordinator<'_>, sink: &mut Sink) {
    let Some(logic) = &app.model.input_logic else { return };
    let mut named: BTreeSet<&str> = BTreeSet::new();
    let mut open: Vec<&LogicNode> = logic.operands.iter().collect();
    while let Some(node) = open.pop() {
        named.extend(node.dataset.iter().map(|name| name.value.trim()));
        open.extend(&node.operands);
    }
    // An expression there may name any of them.
    if named.is_empty() || named.iter().any(|name| name.contains("${")) {
        return;
    }
    for event in &app.model.inputs {
        let Some(name) = &event.name else { continue };
        let bare = name.value.trim();
        let Some(place) = asks(app, bare).filter(|_| !named.contains(bare)) else { continue };
        let message = format!("no action waits for the input event `{bare}`: the input logic leaves it out");
        let finding = Diagnostic::new(&RULE.info, logic.span.at_start(), message);
        sink.push(
            finding
                .label(name.span, "the event")
                .label(place, "its URIs are handed to the workflow here")
                .help(format!("add `<data-in dataset=\"{bare}\"/>` to the logic")),
        );
    }
}

/// Where the action asks for the URIs of an event.
fn asks(app: &Coordinator<'_>, event: &str) -> Option<crate::source::Span> {
    let properties = app.model.action.iter().flat_map(|action| &action.configuration.properties);
    properties.map(|property| &property.value).find_map(|text| {
        let (template, _) = el::parse(text);
        let asks = template.calls().any(|call| {
            let first = call.arguments.first().map(|id| &template.node(*id).kind);
            call.prefix == "coord" && matches!(first, Some(NodeKind::String(name)) if name.trim() == event)
        });
        asks.then(|| text.trimmed().span)
    })
}
