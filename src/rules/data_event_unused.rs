//! An input or output event whose URIs the action never gets.
//!
//! No property of the action's configuration asks for it with `coord:dataIn` or `coord:dataOut`. An input may still be
//! meant as something to wait for, and an output as what a rerun cleans; else the workflow reads or writes paths that
//! nobody has told it. Hand the URIs to the workflow, or remove the event.
//!
//! ```xml
//! <data-in name="clicks" …/>   <!-- and in the configuration: -->
//! <property><name>input</name><value>${coord:dataIn('clicks')}</value></property>
//! ```

use std::collections::BTreeSet;

use super::{Check, Rule, Sink};
use crate::analysis::subject::Coordinator;
use crate::diag::{Diagnostic, Edit, Group, Info, Severity};
use crate::el::{self, NodeKind};
use crate::source::{Span, Text};

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "data-event-unused",
        group: Group::Meaning,
        severity: Severity::Info,
        stage: None,
        mirrors: &[],
        explanation: include_str!("data_event_unused.rs"),
    },
    check: Check::Coordinator(check),
};

fn check(app: &Coordinator<'_>, sink: &mut Sink) {
    let Some(action) = &app.model.action else { return };
    let properties = action.configuration.properties.iter().map(|property| &property.value);
    let sla = action.sla.iter().flat_map(|sla| sla.entries.iter().map(|(_, text)| text));
    // Where one name cannot be read, it may be any of them.
    let Some(asked) = asked(properties.chain(sla)) else { return };
    // Input logic gives its events under names of its own.
    let inputs = app.model.inputs.iter().filter(|_| app.model.input_logic.is_none());
    let inputs = inputs.map(|event| (&event.name, event.span, event.tag_span));
    let outputs = app.model.outputs.iter().map(|event| (&event.name, event.span, event.tag_span));
    // The action waits for an input all the same, which may be what it is there for.
    let help = "hand its URIs to the workflow, or remove the `data-in` unless the action shall wait for it";
    report(inputs, "input", help, false, &asked, sink);
    // Without any event the element around them would have to go too.
    let is_removable = app.model.outputs.len() > 1;
    let help = "hand its URIs to the workflow, or remove the `data-out`";
    report(outputs, "output", help, is_removable, &asked, sink);
}

fn report<'a>(
    events: impl Iterator<Item = (&'a Option<Text>, Span, Span)>,
    side: &str,
    help: &str,
    is_removable: bool,
    asked: &BTreeSet<String>,
    sink: &mut Sink,
) {
    for (name, span, tag_span) in events {
        let Some(name) = name.as_ref().filter(|name| !asked.contains(name.value.trim())) else { continue };
        let message = format!("the action never asks for the {side} event `{}`", name.value.trim());
        let finding = Diagnostic::new(&RULE.info, tag_span, message).help(help);
        sink.push(match is_removable {
            true => finding.fix(false, vec![Edit { span, text: String::new() }]),
            false => finding,
        });
    }
}

/// The names that calls of `coord:dataIn` and its like have; `None` when one is no plain text.
fn asked<'a>(texts: impl Iterator<Item = &'a Text>) -> Option<BTreeSet<String>> {
    let mut names = BTreeSet::new();
    for text in texts {
        let (template, _) = el::parse(text);
        if template.broken.is_some() {
            return None;
        }
        for call in template.calls().filter(|call| call.prefix == "coord" && takes_event(call.name)) {
            match call.arguments.first().map(|id| &template.node(*id).kind) {
                Some(NodeKind::String(name)) => drop(names.insert(name.trim().to_owned())),
                _ => return None,
            }
        }
    }
    Some(names)
}

fn takes_event(name: &str) -> bool {
    ["data", "table", "database"].iter().any(|start| name.starts_with(start)) && !name.starts_with("date")
}
