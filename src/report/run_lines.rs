//! What happens while apps are executed, line by line: for people, or a JSON document each.

use std::sync::Arc;

use super::one_line::one_line;
use super::simulation_lines::{self, Known};
use crate::engine::status::{ActionStatus, JobStatus, NodeStatus, WorkflowStatus};
use crate::engine::workflow::NodeRun;
use crate::engine::{Changed, Command, Engine, Fault, JobKind, NodeId, Plans, Recorded, WorkflowJob};
use crate::plan::workflow::ProgramKind;
use crate::redact::Redactor;
use crate::simulate::Told;
use crate::time::ProcessingZone;

/// What is asked of the engine about a job.
pub trait Names {
    /// The name of a node, when it is an action.
    fn action(&self, node: NodeId) -> Option<String>;

    /// The name of a node.
    fn node(&self, node: NodeId) -> Option<String>;

    /// Why something failed that has just come into this state: a code and words.
    fn why(&self, changed: &Changed) -> Option<String>;
}

impl<P: Plans> Names for Engine<P> {
    fn action(&self, node: NodeId) -> Option<String> {
        let job = self.workflow(node.job())?;
        let known = job.program.nodes.get(node.node as usize)?;
        matches!(known.kind, ProgramKind::Action(_)).then(|| known.name.to_string())
    }

    fn node(&self, node: NodeId) -> Option<String> {
        Some(self.workflow(node.job())?.node_name(node.node).to_string())
    }

    fn why(&self, changed: &Changed) -> Option<String> {
        let fault = match changed {
            Changed::Node(node, _, now) if has_failed(*now) => {
                let run = self.workflow(node.job())?.nodes.iter().rfind(|run| run.node == node.node)?;
                run.facts.as_ref()?.fault.as_ref()
            }
            Changed::Action(action, _, ActionStatus::Failed | ActionStatus::Killed) => {
                self.coordinator(action.job())?.fault_of(action.number)
            }
            Changed::Workflow(id, _, WorkflowStatus::Failed | WorkflowStatus::Killed) => {
                let job = self.workflow(*id)?;
                job.fault.as_ref().or_else(|| job.nodes.iter().rev().find_map(|run| of_kill(job, run)))
            }
            Changed::Job(id, _, JobStatus::Failed | JobStatus::Killed) => match id.kind {
                JobKind::Coordinator => self.coordinator(*id)?.fault.as_ref(),
                _ => self.bundle(*id)?.fault.as_ref(),
            },
            _ => None,
        }?;
        Some(format!("{}: {}", fault.code, fault.message.trim()))
    }
}

/// The message of a kill node, which is that of its run.
fn of_kill<'j>(job: &WorkflowJob, run: &'j NodeRun) -> Option<&'j Fault> {
    match job.program.nodes.get(run.node as usize)?.kind {
        ProgramKind::Kill { .. } => run.facts.as_ref()?.fault.as_ref(),
        _ => None,
    }
}

fn has_failed(status: NodeStatus) -> bool {
    use NodeStatus::{EndManual, EndRetry, Error, Failed, StartManual, StartRetry, UserRetry};
    matches!(status, Error | Failed | StartRetry | StartManual | EndRetry | EndManual | UserRetry)
}

/// An event that is on disk, and what followed from it.
pub struct Heard<'h> {
    /// The event.
    pub recorded: &'h Recorded,
    /// What followed.
    pub commands: &'h [Command],
    /// Whom to ask for names.
    pub engine: &'h dyn Names,
    /// What must not be shown.
    pub veil: &'h Redactor,
}

/// Writes what happens as lines.
#[derive(Debug)]
pub struct RunLines {
    as_json: bool,
    zone: ProcessingZone,
    middle: Arc<str>,
    number: u64,
}

impl RunLines {
    /// Nothing told yet. `middle` stands in the ids of jobs.
    pub fn new(as_json: bool, zone: ProcessingZone, middle: Arc<str>) -> RunLines {
        RunLines { as_json, zone, middle, number: 0 }
    }

    /// The lines of one event, with stars for secrets.
    pub fn of(&mut self, heard: &Heard<'_>) -> String {
        let mut out = String::new();
        self.number += 1;
        if self.as_json {
            self.document(heard, &mut out);
            return out;
        }
        self.plain(heard, &mut out);
        heard.veil.text(&out).into_owned()
    }

    fn document(&self, heard: &Heard<'_>, out: &mut String) {
        let (at, event) = (heard.recorded.at, &heard.recorded.event);
        let told = Told { at, event, commands: heard.commands, veil: heard.veil };
        let known = |changed: &Changed| Known {
            node: match changed {
                Changed::Node(node, ..) => heard.engine.node(*node),
                _ => None,
            },
            why: heard.engine.why(changed),
        };
        simulation_lines::line(self.number, &told, &known, self.zone, out);
    }

    fn plain(&self, heard: &Heard<'_>, out: &mut String) {
        let seconds = heard.recorded.at.seconds().rem_euclid(60);
        let minute = self.zone.format(heard.recorded.at);
        for command in heard.commands {
            let Command::Changed(changed) = command else { continue };
            let (what, from, to) = match changed {
                Changed::Job(job, from, to) => (job.with_middle(&self.middle), from.name(), to.name()),
                Changed::Workflow(job, from, to) => (job.with_middle(&self.middle), from.name(), to.name()),
                Changed::Action(action, from, to) => (
                    format!("{}@{}", action.job().with_middle(&self.middle), action.number),
                    from.name(),
                    to.name(),
                ),
                Changed::Node(node, from, to) => {
                    let Some(name) = heard.engine.action(*node) else { continue };
                    (format!("{}@{name}", node.job().with_middle(&self.middle)), from.name(), to.name())
                }
            };
            if from != to {
                let why = heard.engine.why(changed);
                let why = why.map(|why| format!("  {}", one_line(&why)));
                let why = why.unwrap_or_default();
                out.push_str(&format!("{minute} {seconds:02}s  {what}  {from} -> {to}{why}\n"));
            }
        }
    }
}
