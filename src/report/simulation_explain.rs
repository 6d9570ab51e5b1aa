//! Why an action of a simulation waited, as text and as JSON.

use std::fmt::Write;

use serde_json::{Value, json};

use crate::engine::status::ActionStatus;
use crate::simulate::explain::{Explanation, Step};
use crate::simulate::moment;
use crate::simulate::record::{Run, Simulation, VERSION};
use crate::time::Instant;

/// For people.
pub fn text(simulation: &Simulation, explanation: &Explanation<'_>, out: &mut String) {
    let time = |at: Instant| moment::shown(at, simulation.zone);
    let name = simulation.name_of(explanation.id);
    let (id, nominal) = (explanation.id, time(explanation.nominal));
    let _ = writeln!(out, "{name} ({id}), for {nominal}: {}", explanation.status);
    for step in &explanation.steps {
        let length = step.to.map(|to| to.millis_since(step.from)).filter(|length| *length > 0);
        let length = length.map(|length| format!("  for {}", moment::duration(length))).unwrap_or_default();
        let _ = writeln!(out, "  {}  {}{length}", time(step.from), step.status);
        let is_early = step.from < explanation.nominal && step.to.is_none_or(|to| to <= explanation.nominal);
        if step.status == ActionStatus::Waiting && is_early {
            let _ = writeln!(out, "      for its time");
        }
        for wait in &step.waits {
            let choice = if wait.is_choice { " (others would do)" } else { "" };
            let until = match wait.to {
                Some(to) => format!("until {}", time(to)),
                None => "in vain".to_owned(),
            };
            let _ = writeln!(out, "      from {} {until}: {}{choice}", time(wait.from), wait.uri);
        }
        let (ahead, others) = &step.ahead;
        if !ahead.is_empty() {
            let names: Vec<_> = ahead.iter().map(|id| simulation.name_of(*id)).collect();
            let more = if *others > 0 { format!(" and {others} more") } else { String::new() };
            let _ = writeln!(out, "      for its turn: {}{more} ran", names.join(", "));
        }
        if let Some((workflow, runs)) = &step.workflow {
            let _ = writeln!(out, "      workflow {workflow}");
            for (name, run) in runs {
                let to = run.to.map_or_else(|| "…".to_owned(), time);
                let attempt =
                    if run.attempt > 1 { format!(", attempt {}", run.attempt) } else { String::new() };
                let why = run.fault.as_deref();
                let why =
                    why.map(|fault| format!(": {} ({})", fault.message, fault.code)).unwrap_or_default();
                let _ =
                    writeln!(out, "        {} … {to}  {name} {}{attempt}{why}", time(run.from), run.status);
            }
        }
    }
    let unfinished = simulation.unfinished.iter();
    let subject = crate::simulate::record::Subject::Action(explanation.id);
    for it in unfinished.filter(|it| it.subject == subject) {
        let _ = writeln!(out, "  not over: {}", it.reason);
    }
}

/// For programs.
pub fn json(simulation: &Simulation, explanation: &Explanation<'_>) -> Value {
    let time = |at: Instant| moment::shown(at, simulation.zone);
    let run = |(name, run): &(&str, &Run)| {
        let mut shown = json!({
            "name": name,
            "attempt": run.attempt.max(1),
            "from": time(run.from),
            "to": run.to.map(time),
            "status": run.status.name(),
        });
        if let (Some(fault), Value::Object(shown)) = (run.fault.as_deref(), &mut shown) {
            let error = json!({ "code": &*fault.code, "message": &*fault.message });
            shown.insert("error".to_owned(), error);
        }
        shown
    };
    let step = |step: &Step<'_>| {
        let waits = step.waits.iter().map(|wait| {
            json!({ "uri": &*wait.uri, "from": time(wait.from), "to": wait.to.map(time), "choice": wait.is_choice })
        });
        let ahead = step.ahead.0.iter().map(|id| simulation.name_of(*id));
        let workflow = step.workflow.as_ref().map(
            |(id, runs)| json!({ "id": id.to_string(), "nodes": runs.iter().map(run).collect::<Vec<_>>() }),
        );
        json!({
            "status": step.status.name(),
            "from": time(step.from),
            "to": step.to.map(time),
            "waits": waits.collect::<Vec<_>>(),
            "ahead": ahead.collect::<Vec<_>>(),
            "workflow": workflow,
        })
    };
    json!({
        "version": VERSION,
        "action": explanation.id.to_string(),
        "name": simulation.name_of(explanation.id),
        "nominal": time(explanation.nominal),
        "status": explanation.status.name(),
        "steps": explanation.steps.iter().map(step).collect::<Vec<_>>(),
    })
}
