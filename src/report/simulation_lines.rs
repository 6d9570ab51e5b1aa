//! A simulation event by event, one JSON document a line.

use std::fmt::Write;

use super::event_form;
use super::plan_json::string;
use crate::engine::{Changed, Command, Parent, SlaKind};
use crate::redact::{Redactor, document};
use crate::simulate::{Told, moment};
use crate::time::{Instant, ProcessingZone};

/// Writes one event and what followed from it. Configurations and what actions capture hold passwords, so there are stars
/// for them.
/// What is known of what has changed goes beside its id.
pub fn line(
    number: u64,
    told: &Told<'_>,
    known: &dyn Fn(&Changed) -> Known,
    zone: ProcessingZone,
    out: &mut String,
) {
    // Only what came from outside may hold a secret: the event, and why something failed.
    let _ = write!(out, "{{\"version\":{},\"number\":{number},\"at\":", event_form::VERSION);
    time(told.at, zone, out);
    out.push_str(",\"event\":");
    let mut event = String::new();
    event_form::write(told.event, zone, &mut event);
    document::write(told.veil, &event, out);
    let mut list = List::new("changes", out);
    for command in told.commands {
        if let Command::Changed(changed) = command {
            change(*changed, &known(changed), told.veil, list.next());
        }
    }
    list.end();
    let mut list = List::new("created", out);
    for command in told.commands {
        if let Command::Created { action, nominal } = command {
            let out = list.next();
            let _ = write!(out, "{{\"action\":\"{action}\",\"nominal\":");
            string(&moment::shown(*nominal, zone), out);
            out.push('}');
        }
    }
    list.end();
    let mut list = List::new("bound", out);
    for command in told.commands {
        if let Command::Bound { parent, workflow } = command {
            let out = list.next();
            let _ = match parent {
                Parent::Action(action) => {
                    write!(out, "{{\"workflow\":\"{workflow}\",\"parent\":\"{action}\"}}")
                }
                Parent::Node(node) => write!(out, "{{\"workflow\":\"{workflow}\",\"parent\":\"{node}\"}}"),
            };
        }
    }
    list.end();
    let mut list = List::new("sla", out);
    for command in told.commands {
        if let Command::Sla(event) = command {
            let (out, subject, what) = (list.next(), event.subject, event.what);
            let _ = write!(out, "{{\"subject\":\"{subject}\",\"event\":\"{}\",\"expected\":", what.name());
            match what {
                SlaKind::DurationMet | SlaKind::DurationMiss => drop(write!(out, "{}", event.expected)),
                _ => time(Instant::from_millis(event.expected), zone, out),
            }
            out.push('}');
        }
    }
    list.end();
    out.push_str("}\n");
}

fn time(at: Instant, zone: ProcessingZone, out: &mut String) {
    out.push('"');
    out.push_str(&moment::to_the_second(at, zone));
    out.push('"');
}

/// A named list of a document, which is left out when it is empty.
struct List<'o> {
    name: &'static str,
    is_begun: bool,
    out: &'o mut String,
}

impl<'o> List<'o> {
    fn new(name: &'static str, out: &'o mut String) -> List<'o> {
        List { name, is_begun: false, out }
    }

    /// Where the next of its values goes.
    fn next(&mut self) -> &mut String {
        match std::mem::replace(&mut self.is_begun, true) {
            true => self.out.push(','),
            false => {
                let _ = write!(self.out, ",\"{}\":[", self.name);
            }
        }
        self.out
    }

    fn end(self) {
        if self.is_begun {
            self.out.push(']');
        }
    }
}

/// What is known of something that has changed.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// The name of a node.
    pub node: Option<String>,
    /// Why something failed.
    pub why: Option<String>,
}

fn change(changed: Changed, known: &Known, redactor: &Redactor, out: &mut String) {
    let (from, to) = match changed {
        Changed::Job(_, from, to) => (from.name(), to.name()),
        Changed::Action(_, from, to) => (from.name(), to.name()),
        Changed::Workflow(_, from, to) => (from.name(), to.name()),
        Changed::Node(_, from, to) => (from.name(), to.name()),
    };
    out.push_str("{\"of\":\"");
    let _ = match changed {
        Changed::Job(id, ..) | Changed::Workflow(id, ..) => write!(out, "{id}"),
        Changed::Action(id, ..) => write!(out, "{id}"),
        Changed::Node(id, ..) => write!(out, "{id}"),
    };
    let _ = write!(out, "\",\"from\":\"{from}\",\"to\":\"{to}\"");
    for (name, text) in [("node", &known.node), ("why", &known.why)] {
        if let Some(text) = text {
            let _ = write!(out, ",\"{name}\":");
            string(&redactor.text(text), out);
        }
    }
    out.push('}');
}
