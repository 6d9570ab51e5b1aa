//! A job and its parts as an operator sees them: actions with their state, and what each waits for.

use std::collections::BTreeMap;
use std::fmt;

use serde_json::{Value, json};

use super::levels::{Level, Levels};
use super::waits::{self, Style};
use crate::engine::{ActionId, Engine, Fault, JobId, JobKind, NodeId, Plans, Watched};
use crate::plan::workflow::ProgramKind;
use crate::redact::Redactor;
use crate::time::Instant;

/// When nodes and actions changed last; the state of an engine does not tell.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    /// Nodes of workflows.
    pub nodes: BTreeMap<NodeId, Instant>,
    /// Actions of coordinators.
    pub actions: BTreeMap<ActionId, Instant>,
    /// What was said of service levels.
    pub levels: Levels,
}

/// A node of a workflow, an action of a coordinator, or a coordinator of a bundle.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Part {
    /// Its name; of an action `@` and its number.
    pub name: String,
    /// Its id.
    pub id: String,
    /// What it is: the type of an action, `start`, `decision` and so on; `action`; `coordinator`.
    pub kind: String,
    /// Its state.
    pub status: &'static str,
    /// Whether something about it is on its way.
    pub pending: bool,
    /// The time that it is for.
    pub nominal: Option<String>,
    /// When it was entered or made.
    pub created: Option<String>,
    /// When it began.
    pub started: Option<String>,
    /// When it was over.
    pub ended: Option<String>,
    /// When it changed last.
    pub modified: Option<String>,
    /// The job that it runs.
    pub job: Option<String>,
    /// Its id outside.
    pub external_id: Option<String>,
    /// Its status outside.
    pub external_status: Option<String>,
    /// Where it can be looked at outside.
    pub console: Option<String>,
    /// How often it was tried again, as the server and as its definition want it.
    pub retries: (u8, u8),
    /// Where it went.
    pub transition: Option<String>,
    /// What it waits for.
    pub waits_for: Option<String>,
    /// Inputs that were not found yet.
    pub missing: Vec<String>,
    /// Its service level.
    pub level: Option<Level>,
    /// Code and words of its error.
    pub error: Option<(String, String)>,
}

impl Part {
    /// Puts stars for secrets into the texts that may hold some: what others have said, and names that expressions make.
    pub fn redact(&mut self, redactor: &Redactor) {
        if self.kind == "coordinator" {
            self.name = redactor.text(&self.name).into_owned();
            self.id = redactor.text(&self.id).into_owned();
        }
        let texts = [&mut self.waits_for, &mut self.external_id, &mut self.console];
        let error = self.error.iter_mut().map(|(_, message)| message);
        for text in texts.into_iter().flatten().chain(&mut self.missing).chain(error) {
            *text = redactor.text(text).into_owned();
        }
    }

    /// As a document.
    pub fn document(&self) -> Value {
        json!({
            "name": self.name,
            "id": self.id,
            "type": self.kind,
            "status": self.status,
            "pending": self.pending,
            "nominal": self.nominal,
            "created": self.created,
            "started": self.started,
            "ended": self.ended,
            "modified": self.modified,
            "job": self.job,
            "externalId": self.external_id,
            "externalStatus": self.external_status,
            "console": self.console,
            "retries": self.retries.0,
            "userRetries": self.retries.1,
            "transition": self.transition,
            "waitsFor": self.waits_for,
            "missing": self.missing,
            "sla": self.level.as_ref().map(Level::document),
            "error": error(self.error.as_ref()),
        })
    }

    /// All that is known, a line each.
    pub fn details(&self) -> Vec<(&'static str, String)> {
        let mut lines = vec![("type", self.kind.clone()), ("status", self.status.to_owned())];
        let optional = [
            ("nominal time", &self.nominal),
            ("created", &self.created),
            ("started", &self.started),
            ("ended", &self.ended),
            ("last modified", &self.modified),
            ("job", &self.job),
            ("external id", &self.external_id),
            ("external status", &self.external_status),
            ("console", &self.console),
            ("transition", &self.transition),
            ("waits for", &self.waits_for),
        ];
        let given = optional.into_iter().filter_map(|(name, value)| Some((name, value.clone()?)));
        lines.extend(given);
        lines.extend(self.level.as_ref().map(|level| ("service level", level.words())));
        lines.push(("pending", self.pending.to_string()));
        lines.push(("retries", format!("{}, by its definition {}", self.retries.0, self.retries.1)));
        lines.extend(self.missing.iter().map(|uri| ("not found yet", uri.clone())));
        if let Some((code, message)) = &self.error {
            lines.push(("error code", code.clone()));
            lines.push(("error message", message.clone()));
        }
        lines
    }
}

/// An error as a document.
pub fn error(error: Option<&(String, String)>) -> Value {
    error.map_or(Value::Null, |(code, message)| json!({ "code": code, "message": message }))
}

/// One line.
impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:<24} {:<12}", self.name, self.status)?;
        if let Some(at) = self.nominal.as_ref().or(self.started.as_ref()) {
            write!(f, "  {at}")?;
        }
        if self.pending {
            f.write_str("  pending")?;
        }
        if let Some(job) = &self.job {
            write!(f, "  {job}")?;
        }
        let retries = u32::from(self.retries.0) + u32::from(self.retries.1);
        if retries > 0 {
            write!(f, "  retries {retries}")?;
        }
        if let Some(waits_for) = &self.waits_for {
            write!(f, "  waits for {waits_for}")?;
        }
        if let Some(level) = &self.level {
            write!(f, "  service level {}", level.status.name())?;
        }
        match &self.error {
            Some((code, message)) => write!(f, "  {code}: {message}"),
            None => Ok(()),
        }
    }
}

fn shown(fault: &Fault) -> (String, String) {
    (fault.code.to_string(), fault.message.to_string())
}

/// Why a job as a whole broke off.
pub fn error_of<P: Plans>(engine: &Engine<P>, id: JobId) -> Option<(String, String)> {
    let fault = match id.kind {
        JobKind::Workflow => engine.workflow(id)?.fault.as_ref(),
        JobKind::Coordinator => engine.coordinator(id)?.fault.as_ref(),
        JobKind::Bundle => engine.bundle(id)?.fault.as_ref(),
    };
    fault.map(shown)
}

/// When a bundle kicks off, and from when to when a coordinator has actions.
pub fn planned<P: Plans>(
    engine: &Engine<P>,
    id: JobId,
    style: Style<'_>,
) -> (Option<String>, Option<String>, Option<String>) {
    let kick_off = engine.bundle(id).and_then(|job| job.program.kick_off);
    let coordinator = engine.coordinator(id);
    let (start, end) = (coordinator.map(|job| job.program.job.start), coordinator.map(|job| job.end));
    let shown = |at: Option<Instant>| at.map(|at| style.time(at));
    (shown(kick_off), shown(start), shown(end))
}

/// The parts of a job, in order.
pub fn parts<P: Plans>(engine: &Engine<P>, id: JobId, changes: &Changes, style: Style<'_>) -> Vec<Part> {
    match id.kind {
        JobKind::Workflow => nodes(engine, id, changes, style),
        JobKind::Coordinator => actions(engine, id, changes, style),
        JobKind::Bundle => coordinators(engine, id, style),
    }
}

fn nodes<P: Plans>(engine: &Engine<P>, id: JobId, changes: &Changes, style: Style<'_>) -> Vec<Part> {
    let Some(job) = engine.workflow(id) else { return Vec::new() };
    let part = |run: &crate::engine::workflow::NodeRun| {
        let facts = run.facts.as_deref().cloned().unwrap_or_default();
        let text = |text: Option<std::sync::Arc<str>>| text.map(|text| text.to_string());
        let kind = match &job.program.nodes[run.node as usize].kind {
            ProgramKind::Action(action) => &action.kind,
            kind => kind.name(),
        };
        let node = NodeId { workflow: id.number, node: run.node };
        Part {
            name: job.node_name(run.node).to_string(),
            id: style.part(id, job.node_name(run.node)),
            kind: kind.to_owned(),
            status: run.status.name(),
            pending: run.pending,
            nominal: None,
            created: Some(style.time(run.entered)),
            started: run.started.map(|at| style.time(at)),
            ended: run.ended.map(|at| style.time(at)),
            modified: changes.nodes.get(&node).map(|at| style.time(*at)),
            job: facts.child.map(|child| style.id(JobId::workflow(child))),
            external_id: text(facts.external_id),
            external_status: text(facts.external_status),
            console: text(facts.tracker),
            retries: (run.retries, run.user_retries),
            transition: run.transition.map(|to| job.node_name(to).to_string()),
            waits_for: waits::of_node(job, run, style),
            missing: Vec::new(),
            level: changes.levels.of(engine, Watched::Node(node)),
            error: facts.fault.as_ref().map(shown),
        }
    };
    job.nodes.iter().map(part).collect()
}

fn actions<P: Plans>(engine: &Engine<P>, id: JobId, changes: &Changes, style: Style<'_>) -> Vec<Part> {
    let Some(job) = engine.coordinator(id) else { return Vec::new() };
    let part = |(number, action): (u32, &crate::engine::coordinator::ActionRun)| {
        let known = ActionId { coordinator: id.number, number };
        let workflow = action.workflow.map(JobId::workflow);
        let run = workflow.and_then(|workflow| engine.workflow(workflow));
        let ended = run.filter(|_| action.status.is_over()).and_then(|run| run.ended);
        Part {
            name: format!("@{number}"),
            id: style.part(id, number),
            kind: "action".to_owned(),
            status: action.status.name(),
            pending: action.pending,
            nominal: Some(style.time(action.nominal)),
            created: Some(style.time(action.created)),
            started: run.and_then(|run| run.started).map(|at| style.time(at)),
            ended: ended.map(|at| style.time(at)),
            modified: changes.actions.get(&known).map(|at| style.time(*at)),
            job: workflow.map(|workflow| style.id(workflow)),
            external_status: run.map(|run| run.status.name().to_owned()),
            waits_for: waits::of_action(job, number, style),
            missing: job.needs(number).iter().map(|uri| uri.to_string()).collect(),
            level: changes.levels.of(engine, Watched::Action(known)),
            error: job.fault_of(number).map(shown),
            ..Part::default()
        }
    };
    (1..).zip(&job.actions).map(part).collect()
}

fn coordinators<P: Plans>(engine: &Engine<P>, id: JobId, style: Style<'_>) -> Vec<Part> {
    let Some(job) = engine.bundle(id) else { return Vec::new() };
    let part = |(index, child): (usize, &crate::engine::ChildProgram)| {
        let run = job.children.get(index).and_then(Option::as_ref);
        let coordinator = run.and_then(|run| run.coordinator).map(JobId::coordinator);
        let known = coordinator.and_then(|coordinator| engine.coordinator(coordinator));
        Part {
            name: child.name.to_string(),
            id: style.part(id, &child.name),
            kind: "coordinator".to_owned(),
            status: match run {
                Some(run) => run.status.name(),
                None if child.enabled => "PREP",
                None => "LEFT OUT",
            },
            pending: run.is_some_and(|run| run.pending > 0),
            created: known.map(|known| style.time(known.created)),
            job: coordinator.map(|coordinator| style.id(coordinator)),
            waits_for: waits::of_child(job, index, style),
            error: run.and_then(|run| run.fault.as_ref()).map(shown),
            ..Part::default()
        }
    };
    job.program.children.iter().enumerate().map(part).collect()
}
