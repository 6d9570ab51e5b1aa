//! A simulation as one JSON document, `"version": 1`.

use serde_json::{Value, json};

use super::plan_json::string;
use crate::engine::status::ActionStatus;
use crate::engine::{Fault, Parent};
use crate::simulate::moment;
use crate::simulate::oddities::{self, Oddity};
use crate::simulate::record::{
    Action, Bundle, Coordinator, Expected, Operation, Simulation, Since, Sla, Subject, Unfinished, VERSION,
    Wait, Workflow, spans,
};
use crate::simulate::summary::{self, BACKLOG_STRETCHES, Counts, LONGEST_WAITS};
use crate::time::Instant;

/// Writes a simulation.
pub fn write(simulation: &Simulation, out: &mut String) {
    let writer = Writer { simulation };
    out.push_str(&format!("{{\"version\":{VERSION},\"app\":"));
    string(&simulation.app, out);
    let head = json!({
        "kind": simulation.kind.word(),
        "seed": simulation.seed,
        "begin": writer.time(simulation.begin),
        "end": writer.time(simulation.end),
        "stop": simulation.stop.name(),
        "events": simulation.events,
        "summary": writer.summary(),
    });
    let head = head.to_string();
    out.push(',');
    out.push_str(&head[1..head.len() - 1]);
    writer.list("bundles", &simulation.bundles, out, Writer::bundle);
    writer.list("coordinators", &simulation.coordinators, out, Writer::coordinator);
    writer.list("workflows", &simulation.workflows, out, Writer::workflow);
    writer.list("sla", &simulation.sla, out, |writer, sla, out| out.push_str(&writer.sla(sla).to_string()));
    writer.list("operators", &simulation.operations, out, |writer, operation, out| {
        out.push_str(&writer.operation(operation).to_string());
    });
    writer.list("unfinished", &simulation.unfinished, out, |writer, unfinished, out| {
        out.push_str(&writer.unfinished(unfinished).to_string());
    });
    writer.list("oddities", &oddities::of(simulation), out, |writer, oddity, out| {
        out.push_str(&writer.oddity(oddity).to_string());
    });
    out.push_str("}\n");
}

struct Writer<'s> {
    simulation: &'s Simulation,
}

impl Writer<'_> {
    fn time(&self, at: Instant) -> String {
        moment::shown(at, self.simulation.zone)
    }

    fn moment(&self, at: Instant, out: &mut String) {
        out.push('"');
        moment::write(at, self.simulation.zone, out);
        out.push('"');
    }

    fn maybe(&self, at: Option<Instant>, out: &mut String) {
        match at {
            None => out.push_str("null"),
            Some(at) => self.moment(at, out),
        }
    }

    fn list<T>(&self, name: &str, all: &[T], out: &mut String, one: impl Fn(&Self, &T, &mut String)) {
        out.push_str(",\n\"");
        out.push_str(name);
        out.push_str("\":[");
        for (index, item) in all.iter().enumerate() {
            out.push_str(if index == 0 { "\n" } else { ",\n" });
            one(self, item, out);
        }
        out.push(']');
    }

    fn summary(&self) -> Value {
        let (all, _) = summary::counts(self.simulation);
        let waits = summary::longest_waits(self.simulation, LONGEST_WAITS);
        let wait = |wait: &summary::LongWait| {
            json!({
                "action": wait.action.to_string(),
                "name": self.simulation.name_of(wait.action),
                "from": self.time(wait.from),
                "to": self.time(wait.to),
                "uri": &*wait.uri,
                "others": wait.others,
                "came": wait.came,
            })
        };
        let backlog = summary::backlog(self.simulation, BACKLOG_STRETCHES);
        let stretch = |part: &summary::Backlog| {
            json!({
                "from": self.time(part.from),
                "to": self.time(part.to),
                "most": part.most,
                "last": part.last,
            })
        };
        json!({
            "actions": counts(&all),
            "longestWaits": waits.iter().map(wait).collect::<Vec<_>>(),
            "backlog": backlog.iter().map(stretch).collect::<Vec<_>>(),
            "slaMissed": self.simulation.sla.iter().filter(|sla| sla.is_missed()).count(),
        })
    }

    fn history<S: Copy>(&self, history: &[Since<S>], name: impl Fn(S) -> &'static str, out: &mut String) {
        out.push_str(",\"spans\":[");
        for (index, (status, from, to)) in spans(history, self.simulation.end).enumerate() {
            out.push_str(if index == 0 { "{\"status\":\"" } else { ",{\"status\":\"" });
            out.push_str(name(status));
            out.push_str("\",\"from\":");
            self.moment(from, out);
            out.push_str(",\"to\":");
            self.moment(to, out);
            out.push('}');
        }
        out.push(']');
    }

    fn bundle(&self, bundle: &Bundle, out: &mut String) {
        out.push_str(&format!("{{\"id\":\"{}\",\"name\":", bundle.id));
        string(&bundle.name, out);
        status(bundle.history.last().map(|since| since.status.name()), out);
        self.history(&bundle.history, |status| status.name(), out);
        error(bundle.fault.as_ref(), out);
        let refused =
            bundle.refused.iter().map(|(name, fault)| json!({"name": &**name, "error": fault_of(fault)}));
        out.push_str(&format!(",\"refused\":{}}}", Value::from_iter(refused)));
    }

    fn coordinator(&self, coordinator: &Coordinator, out: &mut String) {
        out.push_str(&format!("{{\"id\":\"{}\",\"name\":", coordinator.id));
        string(&coordinator.name, out);
        let bundle = coordinator.bundle.map(|id| id.to_string());
        out.push_str(&format!(",\"bundle\":{}", json!(bundle)));
        status(coordinator.history.last().map(|since| since.status.name()), out);
        self.history(&coordinator.history, |status| status.name(), out);
        error(coordinator.fault.as_ref(), out);
        out.push_str(",\"actions\":[");
        for (index, action) in coordinator.actions.iter().enumerate() {
            out.push_str(if index == 0 { "\n" } else { ",\n" });
            self.action(coordinator, index + 1, action, out);
        }
        out.push_str("]}");
    }

    fn action(&self, coordinator: &Coordinator, number: usize, action: &Action, out: &mut String) {
        out.push_str(&format!("{{\"id\":\"{}@{number}\",\"nominal\":", coordinator.id));
        self.moment(action.nominal, out);
        out.push_str(",\"created\":");
        self.moment(action.created, out);
        status(Some(action.status().name()), out);
        self.history(&action.history, ActionStatus::name, out);
        out.push_str(",\"waits\":[");
        for (index, wait) in action.waits.iter().enumerate() {
            out.push_str(if index == 0 { "" } else { "," });
            self.wait(wait, out);
        }
        out.push_str("],\"workflows\":[");
        for (index, workflow) in action.workflows.iter().enumerate() {
            out.push_str(if index == 0 { "" } else { "," });
            out.push_str(&format!("\"{workflow}\""));
        }
        out.push(']');
        error(action.fault.as_ref(), out);
        out.push_str(if action.is_removed { ",\"removed\":true}" } else { "}" });
    }

    fn wait(&self, wait: &Wait, out: &mut String) {
        out.push_str("{\"uri\":");
        string(&wait.uri, out);
        out.push_str(",\"from\":");
        self.moment(wait.from, out);
        out.push_str(",\"to\":");
        self.maybe(wait.to, out);
        out.push_str(if wait.is_choice { ",\"choice\":true}" } else { "}" });
    }

    fn workflow(&self, workflow: &Workflow, out: &mut String) {
        out.push_str(&format!("{{\"id\":\"{}\",\"name\":", workflow.id));
        string(&workflow.name, out);
        let parent = workflow.parent.map(|parent| match parent {
            Parent::Action(action) => action.to_string(),
            Parent::Node(node) => node.job().to_string(),
        });
        out.push_str(&format!(",\"parent\":{}", json!(parent)));
        status(Some(workflow.status_word()), out);
        self.history(&workflow.history, |status| status.name_in(workflow.dialect), out);
        error(workflow.fault.as_ref(), out);
        out.push_str(",\"nodes\":[");
        for (index, run) in workflow.runs.iter().enumerate() {
            out.push_str(if index == 0 { "{\"name\":" } else { ",{\"name\":" });
            let node = &workflow.nodes[run.node as usize];
            string(&node.name, out);
            out.push_str(",\"type\":");
            string(&node.kind, out);
            out.push_str(&format!(",\"attempt\":{},\"from\":", run.attempt.max(1)));
            self.moment(run.from, out);
            out.push_str(",\"to\":");
            self.maybe(run.to, out);
            status(Some(run.status.name()), out);
            error(run.fault.as_deref(), out);
            if let Some(child) = run.child {
                out.push_str(&format!(",\"workflow\":\"{child}\""));
            }
            out.push('}');
        }
        out.push_str("]}");
    }

    fn sla(&self, sla: &Sla) -> Value {
        let expected = match sla.expected {
            Expected::At(at) => json!(self.time(at)),
            Expected::Millis(millis) => json!(millis),
        };
        json!({
            "at": self.time(sla.at),
            "subject": sla.subject.to_string(),
            "name": self.simulation.name_of_watched(sla.subject),
            "event": sla.what.name(),
            "expected": expected,
        })
    }

    fn operation(&self, operation: &Operation) -> Value {
        json!({
            "at": self.time(operation.at),
            "command": operation.command,
            "target": operation.target,
            "details": operation.details,
            "refusal": operation.refusal,
            "doesNothing": operation.does_nothing,
        })
    }

    fn oddity(&self, oddity: &Oddity) -> Value {
        let subject = match oddity.subject {
            Subject::Job(job) => job.to_string(),
            Subject::Action(action) => action.to_string(),
        };
        let at = self.time(oddity.at);
        json!({ "at": at, "subject": subject, "kind": oddity.kind.name(), "message": oddity.words })
    }

    fn unfinished(&self, unfinished: &Unfinished) -> Value {
        let subject = match unfinished.subject {
            Subject::Job(job) => job.to_string(),
            Subject::Action(action) => action.to_string(),
        };
        json!({ "subject": subject, "status": unfinished.status, "reason": unfinished.reason })
    }
}

fn counts(counts: &Counts) -> Value {
    counts.iter().map(|(status, count)| (status.name().to_owned(), json!(count))).collect()
}

fn status(status: Option<&'static str>, out: &mut String) {
    out.push_str(",\"status\":\"");
    out.push_str(status.unwrap_or("PREP"));
    out.push('"');
}

fn fault_of(fault: &Fault) -> Value {
    json!({ "code": &*fault.code, "message": &*fault.message })
}

fn error(fault: Option<&Fault>, out: &mut String) {
    if let Some(fault) = fault {
        out.push_str(",\"error\":");
        out.push_str(&fault_of(fault).to_string());
    }
}
