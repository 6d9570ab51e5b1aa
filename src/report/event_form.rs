//! The documented form of what happens to jobs, as `--format jsonl` prints it (`ankus schema event`).
//!
//! A journal keeps events as the engine has them, and may change with it. Programs that read lines rely on this form.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use crate::engine::{
    Change, Conf, During, Event, Facts, Fault, JobKind, NodeEnd, Parent, PlannedWorkflow, Scope, Subject,
    Submission, TroubleKind,
};
use crate::simulate::moment;
use crate::time::ProcessingZone;

/// The version of the lines.
pub const VERSION: u32 = 2;

/// Adds an event to a document as text.
pub fn write(event: &Event, zone: ProcessingZone, out: &mut String) {
    // Only texts, numbers and lists of them are written, which cannot fail.
    out.push_str(&serde_json::to_string(&Shown::of(event, zone)).unwrap_or_default());
}

/// An event as lines show it.
#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case", rename_all_fields = "camelCase")]
enum Shown<'e> {
    Submit {
        job_type: &'static str,
        #[serde(flatten)]
        submitted: Planned<'e>,
        #[serde(skip_serializing_if = "Option::is_none")]
        external_id: Option<&'e str>,
        start: bool,
    },
    Start {
        job: String,
    },
    Suspend {
        job: String,
    },
    Resume {
        job: String,
    },
    Kill {
        job: String,
    },
    Change {
        job: String,
        #[serde(skip_serializing_if = "BTreeMap::is_empty", flatten)]
        values: BTreeMap<&'static str, Value>,
    },
    RerunWorkflow {
        job: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        skip_nodes: Option<Vec<&'e str>>,
        fail_nodes: bool,
        #[serde(skip_serializing_if = "Option::is_none")]
        configuration: Option<&'e Conf>,
        #[serde(skip_serializing_if = "Option::is_none")]
        program: Option<&'e str>,
    },
    RerunActions {
        job: String,
        #[serde(flatten)]
        scope: Chosen<'e>,
        no_cleanup: bool,
        refresh: bool,
        failed: bool,
        #[serde(skip_serializing_if = "Option::is_none")]
        configuration: Option<&'e Conf>,
    },
    RerunBundle {
        job: String,
        coordinators: Vec<&'e str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        dates: Option<&'e str>,
        no_cleanup: bool,
        refresh: bool,
    },
    KillActions {
        job: String,
        #[serde(flatten)]
        scope: Chosen<'e>,
    },
    IgnoreActions {
        job: String,
        #[serde(flatten)]
        scope: Chosen<'e>,
    },
    Tick {},
    ClockSet {
        millis: i64,
    },
    CoordinatorPlanned {
        bundle: String,
        coordinator: u32,
        #[serde(flatten)]
        outcome: Outcome<'e>,
    },
    WorkflowPlanned {
        parent: String,
        #[serde(flatten)]
        outcome: Outcome<'e>,
    },
    Looked {
        subject: String,
        found: u32,
        #[serde(skip_serializing_if = "<[_]>::is_empty")]
        uris: Vec<&'e str>,
        #[serde(skip_serializing_if = "BTreeMap::is_empty")]
        files: BTreeMap<&'e str, Option<i64>>,
        #[serde(skip_serializing_if = "BTreeMap::is_empty")]
        block_sizes: BTreeMap<&'e str, i64>,
    },
    ActionStarted {
        node: String,
        attempt: u32,
        #[serde(skip_serializing_if = "Option::is_none")]
        external_id: Option<&'e str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        tracker: Option<&'e str>,
    },
    ActionEnded {
        node: String,
        attempt: u32,
        status: &'static str,
        #[serde(skip_serializing_if = "Option::is_none")]
        external_status: Option<&'e str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        error: Option<Error<'e>>,
        #[serde(skip_serializing_if = "Option::is_none")]
        data: Option<&'e str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        stats: Option<&'e str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        child_ids: Option<&'e str>,
    },
    ActionTrouble {
        node: String,
        attempt: u32,
        error_type: &'static str,
        during: &'static str,
        error: Error<'e>,
    },
    ActionKilled {
        node: String,
        attempt: u32,
        #[serde(skip_serializing_if = "Option::is_none")]
        error: Option<Error<'e>>,
    },
}

/// What planning has accepted.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Planned<'e> {
    program: &'e str,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'e str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    configuration: Option<&'e Conf>,
}

/// That, or why it was refused.
#[derive(Serialize)]
#[serde(untagged)]
enum Outcome<'e> {
    Planned(Planned<'e>),
    Refused { error: Error<'e> },
}

#[derive(Serialize)]
struct Error<'e> {
    code: &'e str,
    message: &'e str,
}

/// Which actions of a coordinator.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
enum Chosen<'e> {
    Actions(&'e str),
    Dates(&'e str),
}

impl<'e> Shown<'e> {
    fn of(event: &'e Event, zone: ProcessingZone) -> Shown<'e> {
        match event {
            Event::Submit(submit) => {
                let (kind, submitted) = match &submit.program {
                    Submission::Workflow(planned) => (JobKind::Workflow, workflow(planned)),
                    Submission::Coordinator(key) => (JobKind::Coordinator, program(key)),
                    Submission::Bundle(key) => (JobKind::Bundle, program(key)),
                };
                let (job_type, external_id) = (job_type(kind), submit.external_id.as_deref());
                Shown::Submit { job_type, submitted, external_id, start: submit.start }
            }
            Event::Start(job) => Shown::Start { job: job.to_string() },
            Event::Suspend(job) => Shown::Suspend { job: job.to_string() },
            Event::Resume(job) => Shown::Resume { job: job.to_string() },
            Event::Kill(job) => Shown::Kill { job: job.to_string() },
            Event::Change(job, change) => {
                Shown::Change { job: job.to_string(), values: values(change, zone) }
            }
            Event::RerunWorkflow(job, rerun) => Shown::RerunWorkflow {
                job: job.to_string(),
                skip_nodes: rerun.skip.as_ref().map(|names| texts(names)),
                fail_nodes: rerun.failed,
                configuration: rerun.conf.as_ref(),
                program: rerun.program.as_deref(),
            },
            Event::RerunActions(job, rerun) => Shown::RerunActions {
                job: job.to_string(),
                scope: chosen(&rerun.scope),
                no_cleanup: rerun.nocleanup,
                refresh: rerun.refresh,
                failed: rerun.failed,
                configuration: rerun.conf.as_ref(),
            },
            Event::RerunBundle(job, rerun) => Shown::RerunBundle {
                job: job.to_string(),
                coordinators: texts(&rerun.coordinators),
                dates: rerun.dates.as_deref(),
                no_cleanup: rerun.nocleanup,
                refresh: rerun.refresh,
            },
            Event::KillActions(job, scope) => {
                Shown::KillActions { job: job.to_string(), scope: chosen(scope) }
            }
            Event::IgnoreActions(job, scope) => {
                Shown::IgnoreActions { job: job.to_string(), scope: chosen(scope) }
            }
            Event::Tick => Shown::Tick {},
            Event::ClockSet { millis } => Shown::ClockSet { millis: *millis },
            Event::CoordinatorPlanned { bundle, child, outcome } => Shown::CoordinatorPlanned {
                bundle: bundle.to_string(),
                coordinator: *child,
                outcome: settled(outcome.as_ref().map(|key| program(key))),
            },
            Event::WorkflowPlanned { parent, outcome } => Shown::WorkflowPlanned {
                parent: match parent {
                    Parent::Action(action) => action.to_string(),
                    Parent::Node(node) => node.to_string(),
                },
                outcome: settled(outcome.as_ref().map(workflow)),
            },
            Event::Looked { subject, facts } => looked(*subject, facts),
            Event::NodeStarted { node, attempt, external_id, tracker } => Shown::ActionStarted {
                node: node.to_string(),
                attempt: *attempt,
                external_id: external_id.as_deref(),
                tracker: tracker.as_deref(),
            },
            Event::NodeEnded { node, attempt, end } => ended(node.to_string(), *attempt, end),
            Event::NodeTrouble { node, attempt, trouble } => Shown::ActionTrouble {
                node: node.to_string(),
                attempt: *attempt,
                error_type: match trouble.kind {
                    TroubleKind::Transient => "TRANSIENT",
                    TroubleKind::NonTransient => "NON_TRANSIENT",
                    TroubleKind::Error => "ERROR",
                    TroubleKind::Failed => "FAILED",
                },
                during: match trouble.during {
                    During::Start => "start",
                    During::Check => "check",
                    During::End => "end",
                },
                error: error(&trouble.fault),
            },
            Event::NodeKilled { node, attempt, fault } => Shown::ActionKilled {
                node: node.to_string(),
                attempt: *attempt,
                error: fault.as_ref().map(error),
            },
        }
    }
}

fn looked(subject: Subject, facts: &Facts) -> Shown<'_> {
    Shown::Looked {
        subject: match subject {
            Subject::Action(action) => action.to_string(),
            Subject::Node(node) => node.to_string(),
        },
        found: facts.found,
        uris: texts(&facts.uris),
        files: facts.files.iter().map(|(uri, length)| (&**uri, *length)).collect(),
        block_sizes: facts.blocks.iter().map(|(uri, bytes)| (&**uri, *bytes)).collect(),
    }
}

fn ended(node: String, attempt: u32, end: &NodeEnd) -> Shown<'_> {
    Shown::ActionEnded {
        node,
        attempt,
        status: if end.ok { "OK" } else { "ERROR" },
        external_status: end.external_status.as_deref(),
        error: end.fault.as_ref().map(error),
        data: end.data.as_deref(),
        stats: end.stats.as_deref(),
        child_ids: end.child_ids.as_deref(),
    }
}

fn job_type(kind: JobKind) -> &'static str {
    match kind {
        JobKind::Bundle => "bundle",
        JobKind::Coordinator => "coordinator",
        JobKind::Workflow => "workflow",
    }
}

fn program(key: &str) -> Planned<'_> {
    Planned { program: key, name: None, configuration: None }
}

fn workflow(planned: &PlannedWorkflow) -> Planned<'_> {
    let (program, name) = (&*planned.program, Some(&*planned.name));
    Planned { program, name, configuration: planned.conf.as_deref() }
}

fn settled<'e>(outcome: Result<Planned<'e>, &'e Fault>) -> Outcome<'e> {
    outcome.map_or_else(|fault| Outcome::Refused { error: error(fault) }, Outcome::Planned)
}

fn error(fault: &Fault) -> Error<'_> {
    Error { code: &fault.code, message: &fault.message }
}

fn chosen(scope: &Scope) -> Chosen<'_> {
    match scope {
        Scope::Numbers(numbers) => Chosen::Actions(numbers),
        Scope::Dates(dates) => Chosen::Dates(dates),
    }
}

fn texts<T: AsRef<str>>(texts: &[T]) -> Vec<&str> {
    texts.iter().map(AsRef::as_ref).collect()
}

/// What a change sets; a pause time that is removed is null.
fn values(change: &Change, zone: ProcessingZone) -> BTreeMap<&'static str, Value> {
    let mut values = BTreeMap::new();
    let time = |at| Value::from(moment::to_the_second(at, zone));
    values.extend(change.end.map(|end| ("end", time(end))));
    values.extend(change.concurrency.map(|concurrency| ("concurrency", concurrency.into())));
    values.extend(change.pause.map(|pause| ("pauseTime", pause.map_or(Value::Null, time))));
    values.extend(change.status.map(|status| ("status", status.name().into())));
    values
}
