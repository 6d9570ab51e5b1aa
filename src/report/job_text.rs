//! The parts of a job as an operator sees them: actions with their state, and what each waits for.

use std::fmt;

use serde_json::{Value, json};

use crate::engine::{Engine, JobId, JobKind, Plans};
use crate::simulate::moment;
use crate::time::ProcessingZone;

/// An action or a coordinator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its id or name.
    pub name: String,
    /// Its state.
    pub status: &'static str,
    /// Whether something about it is on its way.
    pub pending: bool,
    /// When it began, or the time that it is for.
    pub at: Option<String>,
    /// The job that it runs.
    pub job: Option<String>,
    /// What it waits for.
    pub waits_for: Option<String>,
    /// Code and words of its error.
    pub fault: Option<String>,
}

impl Part {
    /// As a document.
    pub fn document(&self) -> Value {
        json!({
            "name": self.name,
            "status": self.status,
            "pending": self.pending,
            "at": self.at,
            "job": self.job,
            "waitsFor": self.waits_for,
            "error": self.fault,
        })
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:<24} {:<12}", self.name, self.status)?;
        if let Some(at) = &self.at {
            write!(f, "  {at}")?;
        }
        if self.pending {
            f.write_str("  pending")?;
        }
        if let Some(job) = &self.job {
            write!(f, "  {job}")?;
        }
        if let Some(uri) = &self.waits_for {
            write!(f, "  waits for {uri}")?;
        }
        match &self.fault {
            Some(fault) => write!(f, "  {fault}"),
            None => Ok(()),
        }
    }
}

/// The parts of a job, in order.
pub fn parts<P: Plans>(engine: &Engine<P>, id: JobId, middle: &str, zone: ProcessingZone) -> Vec<Part> {
    let time = |at| moment::shown(at, zone);
    let shown = |fault: &crate::engine::Fault| format!("{}: {}", fault.code, fault.message);
    match id.kind {
        JobKind::Workflow => {
            let Some(job) = engine.workflow(id) else { return Vec::new() };
            let part = |run: &crate::engine::workflow::NodeRun| {
                let facts = run.facts.as_ref();
                Part {
                    name: job.node_name(run.node).to_string(),
                    status: run.status.name(),
                    pending: run.pending,
                    at: run.started.map(time),
                    job: facts
                        .and_then(|facts| facts.child)
                        .map(|child| JobId::workflow(child).with_middle(middle)),
                    waits_for: run.retry_at.map(|at| format!("its next try at {}", time(at))),
                    fault: facts.and_then(|facts| facts.fault.as_ref()).map(shown),
                }
            };
            job.nodes.iter().map(part).collect()
        }
        JobKind::Coordinator => {
            let Some(job) = engine.coordinator(id) else { return Vec::new() };
            let part = |(number, action): (u32, &crate::engine::coordinator::ActionRun)| Part {
                name: format!("@{number}"),
                status: action.status.name(),
                pending: action.pending,
                at: Some(time(action.nominal)),
                job: action.workflow.map(|workflow| JobId::workflow(workflow).with_middle(middle)),
                waits_for: job.missing(number).map(str::to_owned),
                fault: job.fault_of(number).map(shown),
            };
            (1..).zip(&job.actions).map(part).collect()
        }
        JobKind::Bundle => {
            let Some(job) = engine.bundle(id) else { return Vec::new() };
            let children = job.program.children.iter().zip(&job.children);
            let part =
                |(child, run): (&crate::engine::ChildProgram, &Option<crate::engine::bundle::ChildRun>)| {
                    let run = run.as_ref();
                    Part {
                        name: child.name.to_string(),
                        status: run.map_or("PREP", |run| run.status.name()),
                        pending: run.is_some_and(|run| run.pending > 0),
                        at: None,
                        job: run
                            .and_then(|run| run.coordinator)
                            .map(|number| JobId::coordinator(number).with_middle(middle)),
                        waits_for: None,
                        fault: run.and_then(|run| run.fault.as_ref()).map(shown),
                    }
                };
            children.map(part).collect()
        }
    }
}
