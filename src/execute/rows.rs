//! Jobs as the store shows them, drawn from the engine.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::deployed::Deployed;
use super::store::JobRow;
use crate::analysis::parameters::USER_NAME;
use crate::engine::status::JobStatus;
use crate::engine::{Engine, JobId, JobKind, Key, Parent, Plans, WorkflowJob};
use crate::plan::workflow::ProgramKind;
use crate::time::Instant;

/// The type of an action, or what else a node is.
pub fn kind_of(job: &WorkflowJob, node: u32) -> Arc<str> {
    match job.program.nodes.get(node as usize).map(|node| &node.kind) {
        Some(ProgramKind::Action(action)) => action.kind.clone(),
        Some(kind) => kind.name().into(),
        None => "".into(),
    }
}

/// The names of all actions of the workflows that the engine knows.
pub fn action_names<P: Plans>(engine: &Engine<P>) -> BTreeSet<String> {
    let jobs = (1..=engine.last_number()).filter_map(|number| engine.workflow(JobId::workflow(number)));
    let nodes = jobs.flat_map(|job| job.program.nodes.iter());
    nodes
        .filter(|node| matches!(node.kind, ProgramKind::Action(_)))
        .map(|node| node.name.to_string())
        .collect()
}

/// The key of the definition that a job runs.
pub fn key_of<P: Plans>(engine: &Engine<P>, id: JobId) -> Option<&Key> {
    match id.kind {
        JobKind::Workflow => engine.workflow(id).map(|job| &job.key),
        JobKind::Coordinator => engine.coordinator(id).map(|job| &job.key),
        JobKind::Bundle => engine.bundle(id).map(|job| &job.key),
    }
}

/// Whether there is such a job.
pub fn is_known<P: Plans>(engine: &Engine<P>, id: JobId) -> bool {
    match id.kind {
        JobKind::Workflow => engine.workflow(id).is_some(),
        JobKind::Coordinator => engine.coordinator(id).is_some(),
        JobKind::Bundle => engine.bundle(id).is_some(),
    }
}

/// The job of a number.
pub fn id_of<P: Plans>(engine: &Engine<P>, number: u32) -> Option<JobId> {
    let ids = [JobId::workflow(number), JobId::coordinator(number), JobId::bundle(number)];
    ids.into_iter().find(|id| is_known(engine, *id))
}

/// Whether a job is over.
pub fn is_over<P: Plans>(engine: &Engine<P>, number: u32) -> bool {
    match id_of(engine, number) {
        Some(id) if id.kind == JobKind::Workflow => {
            engine.workflow(id).is_some_and(|job| job.status.is_terminal())
        }
        Some(id) => status_of(engine, id).is_some_and(JobStatus::is_terminal),
        None => true,
    }
}

/// The numbers of all workflows and coordinators that have not finished.
pub fn open<P: Plans>(engine: &Engine<P>) -> impl Iterator<Item = u32> {
    let workflows = engine.workflows().filter(|job| !job.status.is_terminal()).map(|job| job.id().number);
    let coordinators =
        engine.coordinators().filter(|job| !job.status.is_terminal()).map(|job| job.id().number);
    workflows.chain(coordinators)
}

fn status_of<P: Plans>(engine: &Engine<P>, id: JobId) -> Option<JobStatus> {
    match id.kind {
        JobKind::Workflow => None,
        JobKind::Coordinator => engine.coordinator(id).map(|job| job.status),
        JobKind::Bundle => engine.bundle(id).map(|job| job.status),
    }
}

/// Who submitted a job. A workflow that is over has only what nothing above it knows.
fn user_of(engine: &Engine<impl Plans>, mut id: JobId) -> Option<String> {
    if id.kind == JobKind::Workflow {
        let job = engine.workflow(id)?;
        let own = job.conf.as_ref().and_then(|conf| conf.get(USER_NAME));
        match job.parent {
            Some(Parent::Action(action)) if own.is_none() => id = action.job(),
            _ => return own,
        }
    }
    match id.kind {
        JobKind::Workflow => None,
        JobKind::Coordinator => engine.coordinator(id)?.program.conf.get(USER_NAME),
        JobKind::Bundle => engine.bundle(id)?.program.conf.get(USER_NAME),
    }
}

/// A job as a row; none when it is not known.
pub fn row(
    engine: &Engine<impl Plans>,
    deployed: &Deployed,
    number: u32,
    root: u32,
    external_id: Option<String>,
    now: Instant,
) -> Option<JobRow> {
    let id = id_of(engine, number)?;
    let path = |key: &str| deployed.path(key).map(|path| path.to_string_lossy().into_owned());
    let mut row = JobRow {
        id,
        root,
        parent: None,
        name: String::new(),
        app_path: String::new(),
        user: user_of(engine, id).unwrap_or_default(),
        status: String::new(),
        created: now,
        started: None,
        ended: None,
        modified: now,
        external_id,
    };
    match id.kind {
        JobKind::Workflow => {
            let job = engine.workflow(id)?;
            row.parent = job.parent.map(|parent| match parent {
                Parent::Action(action) => action.to_string(),
                Parent::Node(node) => format!("{}@{}", node.job(), engine_name(engine, node)),
            });
            row.name = job.name.to_string();
            row.app_path = path(&job.key).unwrap_or_default();
            row.status = job.status.name_in(job.program.dialect).to_owned();
            (row.created, row.started, row.ended) = (job.created, job.started, job.ended);
        }
        JobKind::Coordinator => {
            let job = engine.coordinator(id)?;
            row.parent = job.bundle.map(|(bundle, _)| JobId::bundle(bundle).to_string());
            row.name = job.program.job.name.to_string();
            row.app_path = path(&job.key).unwrap_or_default();
            row.status = job.status.name().to_owned();
            row.created = job.created;
            row.ended = job.status.is_terminal().then_some(now);
        }
        JobKind::Bundle => {
            let job = engine.bundle(id)?;
            row.name = job.program.name.to_string();
            row.app_path = path(&job.key).unwrap_or_default();
            row.status = job.status.name().to_owned();
            row.created = job.created;
            row.ended = job.status.is_terminal().then_some(now);
        }
    }
    Some(row)
}

fn engine_name<P: Plans>(engine: &Engine<P>, node: crate::engine::NodeId) -> String {
    let job = engine.workflow(node.job());
    job.map(|job| job.node_name(node.node).to_string()).unwrap_or_default()
}
