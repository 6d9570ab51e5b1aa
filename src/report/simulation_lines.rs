//! A simulation event by event, one JSON document a line.

use serde_json::{Map, Value, json};

use crate::engine::{Changed, Command, Parent, SlaKind};
use crate::redact::document;
use crate::simulate::{Told, moment};
use crate::time::{Instant, ProcessingZone};

/// Writes one event and what followed from it. The event is what a journal keeps: configurations and what actions capture
/// hold passwords, so there are stars for them.
/// What is known of what has changed goes beside its id.
pub fn line(
    number: u64,
    told: &Told<'_>,
    known: &dyn Fn(&Changed) -> Known,
    zone: ProcessingZone,
    out: &mut String,
) {
    let time = |at: Instant| moment::shown(at, zone);
    let (mut changes, mut created, mut bound, mut sla) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for command in told.commands {
        match command {
            Command::Changed(changed) => changes.push(change(*changed, known(changed))),
            Command::Created { action, nominal } => {
                created.push(json!({ "action": action.to_string(), "nominal": time(*nominal) }));
            }
            Command::Bound { parent, workflow } => {
                let parent = match parent {
                    Parent::Action(action) => action.to_string(),
                    Parent::Node(node) => node.to_string(),
                };
                bound.push(json!({ "workflow": workflow.to_string(), "parent": parent }));
            }
            Command::Sla(event) => {
                let expected = match event.what {
                    SlaKind::DurationMet | SlaKind::DurationMiss => json!(event.expected),
                    _ => json!(time(Instant::from_millis(event.expected))),
                };
                let subject = event.subject.to_string();
                sla.push(json!({ "subject": subject, "event": event.what.name(), "expected": expected }));
            }
            _ => {}
        }
    }
    let mut line = Map::new();
    line.insert("number".to_owned(), number.into());
    line.insert("at".to_owned(), time(told.at).into());
    line.insert("event".to_owned(), serde_json::to_value(told.event).unwrap_or(Value::Null));
    for (name, list) in [("changes", changes), ("created", created), ("bound", bound), ("sla", sla)] {
        if !list.is_empty() {
            line.insert(name.to_owned(), list.into());
        }
    }
    let mut line = Value::Object(line);
    document::redact(told.veil, &mut line);
    out.push_str(&line.to_string());
    out.push('\n');
}

/// What is known of something that has changed.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// The name of a node.
    pub node: Option<String>,
    /// Why something failed.
    pub why: Option<String>,
}

fn change(changed: Changed, known: Known) -> Value {
    let (of, from, to) = match changed {
        Changed::Job(id, from, to) => (id.to_string(), from.name(), to.name()),
        Changed::Action(id, from, to) => (id.to_string(), from.name(), to.name()),
        Changed::Workflow(id, from, to) => (id.to_string(), from.name(), to.name()),
        Changed::Node(id, from, to) => (id.to_string(), from.name(), to.name()),
    };
    let mut value = json!({ "of": of, "from": from, "to": to });
    if let Some(map) = value.as_object_mut() {
        map.extend(known.node.map(|node| ("node".to_owned(), node.into())));
        map.extend(known.why.map(|why| ("why".to_owned(), why.into())));
    }
    value
}
