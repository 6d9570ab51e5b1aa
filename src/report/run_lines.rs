//! What happens while apps are executed, line by line: for people, or a JSON document each.

use std::collections::BTreeMap;

use super::one_line::one_line;
use super::simulation_lines::{self, Known};
use crate::engine::status::{ActionStatus, JobStatus, NodeStatus, WorkflowStatus};
use crate::engine::workflow::NodeRun;
use crate::engine::{
    Changed, Command, Engine, Fault, JobId, JobKind, NodeId, Plans, Recorded, SlaEvent, SlaKind, Watched,
    WorkflowJob,
};
use crate::model::Dialect;
use crate::plan::workflow::ProgramKind;
use crate::redact::Redactor;
use crate::simulate::{Told, moment};
use crate::time::{Instant, ProcessingZone};

/// What is asked of the engine about a job.
pub trait Names {
    /// The name of a node, when it is an action.
    fn action(&self, node: NodeId) -> Option<String>;

    /// The name of a node.
    fn node(&self, node: NodeId) -> Option<String>;

    /// The language of a workflow's definition.
    fn dialect(&self, workflow: JobId) -> Dialect;

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

    fn dialect(&self, workflow: JobId) -> Dialect {
        self.workflow(workflow).map_or(Dialect::Oozie, |job| job.program.dialect)
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

/// Whether a node has failed, for good or for now.
pub(super) fn has_failed(status: NodeStatus) -> bool {
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
    /// The end of what actions that have just failed wrote to standard error, as they wrote it.
    pub said: &'h BTreeMap<NodeId, String>,
}

impl Heard<'_> {
    /// Why something failed that has just come into this state, with the last words of its process, redacted.
    pub fn why(&self, changed: &Changed) -> Option<String> {
        let why = self.engine.why(changed).map(|why| self.veil.text(&one_line(&why)).into_owned());
        match (why, self.last_words(changed)) {
            (Some(why), Some(words)) => Some(format!("{why}; stderr: {words}")),
            (None, Some(words)) => Some(format!("stderr: {words}")),
            (why, None) => why,
        }
    }

    /// The last lines that a failed action wrote to standard error: few, short, redacted, and none that steers a terminal.
    fn last_words(&self, changed: &Changed) -> Option<String> {
        let Changed::Node(node, _, now) = changed else { return None };
        let said = self.said.get(node).filter(|_| has_failed(*now))?;
        // Redacted before it is cut: a part of a secret would not be known for one.
        let said = self.veil.text(said);
        let lines: Vec<&str> = said.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        let last = &lines[lines.len().saturating_sub(MAX_SAID_LINES)..];
        let lines: Vec<String> = last.iter().map(|line| cut(&escaped(line), MAX_SAID_CHARS)).collect();
        (!lines.is_empty()).then(|| lines.join(" | "))
    }
}

/// More lines of what a failed action wrote are not shown, nor more characters of each.
const MAX_SAID_LINES: usize = 3;
const MAX_SAID_CHARS: usize = 200;

/// A text whose control characters and marks of direction are written out.
fn escaped(text: &str) -> String {
    let steers = |c: char| {
        let is_mark = matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}');
        c.is_control() || is_mark
    };
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\t' => out.push(' '),
            c if steers(c) => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out
}

fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Colours of states, where there are any.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Paint {
    /// Whether there are any.
    pub is_on: bool,
}

impl Paint {
    fn with(self, code: &str, text: &str) -> String {
        if self.is_on { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_owned() }
    }

    /// What is bad.
    pub fn bad(self, text: &str) -> String {
        self.with("31", text)
    }

    /// What is of less weight.
    fn dim(self, text: &str) -> String {
        self.with("2", text)
    }

    /// The name of a state, or of an event of a service level.
    pub fn status(self, name: &str) -> String {
        match name {
            "OK" | "SUCCEEDED" | "START_MET" | "END_MET" | "DURATION_MET" => self.with("32", name),
            "ERROR" | "FAILED" | "KILLED" | "TIMEDOUT" | "START_MISS" | "END_MISS" | "DURATION_MISS" => {
                self.with("31", name)
            }
            name if name.contains("WITHERROR") => self.with("31", name),
            name if ["SUSPENDED", "PAUSED", "RETRY", "MANUAL"].iter().any(|part| name.contains(part)) => {
                self.with("33", name)
            }
            name => name.to_owned(),
        }
    }
}

/// Writes what happens as lines.
#[derive(Debug)]
pub struct RunLines {
    as_json: bool,
    zone: ProcessingZone,
    paint: Paint,
    number: u64,
}

impl RunLines {
    /// Nothing told yet.
    pub fn new(as_json: bool, zone: ProcessingZone, paint: Paint) -> RunLines {
        RunLines { as_json, zone, paint, number: 0 }
    }

    /// The lines of one event. What is redacted are the texts in them: ids, names of nodes, states and times hold no secrets.
    pub fn of(&mut self, heard: &Heard<'_>) -> String {
        let mut out = String::new();
        self.number += 1;
        if self.as_json {
            self.document(heard, &mut out);
            return out;
        }
        self.plain(heard, &mut out);
        out
    }

    fn document(&self, heard: &Heard<'_>, out: &mut String) {
        let (at, event) = (heard.recorded.at, &heard.recorded.event);
        let told = Told { at, event, commands: heard.commands, veil: heard.veil };
        let known = |changed: &Changed| Known {
            node: match changed {
                Changed::Node(node, ..) => heard.engine.node(*node),
                _ => None,
            },
            why: heard.why(changed),
        };
        simulation_lines::line(self.number, &told, &known, self.zone, out);
    }

    fn plain(&self, heard: &Heard<'_>, out: &mut String) {
        let at = self.paint.dim(&moment::to_the_second(heard.recorded.at, self.zone));
        for command in heard.commands {
            let changed = match command {
                Command::Changed(changed) => changed,
                Command::Sla(event) => {
                    if let Some(what) = watched(event.subject, heard.engine) {
                        let (kind, expected) = (self.paint.status(event.what.name()), self.expected(event));
                        out.push_str(&format!("{at}  {what}  sla {kind}  expected {expected}\n"));
                    }
                    continue;
                }
                _ => continue,
            };
            let (what, from, to) = match changed {
                Changed::Job(job, from, to) => (job.to_string(), from.name(), to.name()),
                Changed::Workflow(job, from, to) => {
                    let dialect = heard.engine.dialect(*job);
                    (job.to_string(), from.name_in(dialect), to.name_in(dialect))
                }
                Changed::Action(action, from, to) => {
                    (format!("{}@{}", action.job(), action.number), from.name(), to.name())
                }
                Changed::Node(node, from, to) => {
                    let Some(name) = heard.engine.action(*node) else { continue };
                    (format!("{}@{}", node.job(), one_line(&name)), from.name(), to.name())
                }
            };
            if from != to {
                let why = heard.why(changed).map(|why| format!("  {why}")).unwrap_or_default();
                let to = self.paint.status(to);
                out.push_str(&format!("{at}  {what}  {from} -> {to}{why}\n"));
            }
        }
    }

    /// What a service level expects: a time or a duration.
    fn expected(&self, event: &SlaEvent) -> String {
        match event.what {
            SlaKind::DurationMet | SlaKind::DurationMiss => {
                format!("{} at most", moment::duration(event.expected))
            }
            SlaKind::StartMet | SlaKind::StartMiss | SlaKind::EndMet | SlaKind::EndMiss => {
                format!("by {}", moment::to_the_second(Instant::from_millis(event.expected), self.zone))
            }
        }
    }
}

/// What a service level is asked of, as lines name it.
fn watched(subject: Watched, engine: &dyn Names) -> Option<String> {
    Some(match subject {
        Watched::Action(action) => format!("{}@{}", action.job(), action.number),
        Watched::Workflow(job) => job.to_string(),
        Watched::Node(node) => format!("{}@{}", node.job(), one_line(&engine.node(node)?)),
    })
}
