//! What runs at this moment, as a few lines of text: jobs with counts, what runs in processes and for how long, and what
//! everything else waits for. A function of an engine's state; terminals are somebody else's.

use std::collections::BTreeSet;

use super::one_line::one_line;
use super::waits::{self, Style};
use crate::engine::status::{ActionStatus, JobStatus, NodeStatus};
use crate::engine::{BundleRun, CoordinatorRun, Engine, JobId, NodeId, Plans, WorkflowJob};
use crate::plan::workflow::ProgramKind;
use crate::simulate::moment;

/// More parts of one job are counted, not named.
const MOST_PARTS: usize = 8;

/// More lines are left out.
const MOST_LINES: usize = 30;

/// What only the executor knows.
#[derive(Clone, Debug, Default)]
pub struct Places {
    /// Actions that run in processes.
    pub running: BTreeSet<NodeId>,
    /// How many may.
    pub jobs: usize,
}

/// The lines, each with its end. Jobs that are over are left out.
pub fn text<P: Plans>(engine: &Engine<P>, places: &Places, style: Style<'_>) -> String {
    let mut lines = Vec::new();
    for job in engine.bundles().filter(|job| !job.status.is_terminal()) {
        bundle(engine, job, style, &mut lines);
    }
    for job in engine.coordinators().filter(|job| !job.status.is_terminal()) {
        coordinator(engine, job, style, &mut lines);
    }
    for job in engine.workflows().filter(|job| !job.status.is_terminal()) {
        workflow(engine, job, places, style, &mut lines);
    }
    if lines.len() > MOST_LINES {
        let more = lines.len() - MOST_LINES;
        lines.truncate(MOST_LINES);
        lines.push(format!("… {more} more lines; `ankus job ID info` shows all of a job"));
    }
    lines.iter().map(|line| format!("{}\n", one_line(line))).collect()
}

/// A job's own line.
fn head<P: Plans>(
    engine: &Engine<P>,
    id: JobId,
    name: &str,
    status: &str,
    counts: &str,
    style: Style<'_>,
) -> String {
    let waits =
        waits::of_job(engine, id, style).map_or_else(String::new, |what| format!(", waits for {what}"));
    format!("{}  {name}  {status}  {counts}{waits}", style.id(id))
}

/// Adds lines, the last of which may stand for many.
fn some(all: Vec<String>, lines: &mut Vec<String>) {
    let more = all.len().saturating_sub(MOST_PARTS);
    lines.extend(all.into_iter().take(MOST_PARTS));
    if more > 0 {
        lines.push(format!("  … {more} more"));
    }
}

fn bundle<P: Plans>(engine: &Engine<P>, job: &BundleRun, style: Style<'_>, lines: &mut Vec<String>) {
    let statuses: Vec<JobStatus> = job.children.iter().flatten().map(|child| child.status).collect();
    let over = statuses.iter().filter(|status| status.is_terminal()).count();
    let well = statuses.iter().filter(|status| **status == JobStatus::Succeeded).count();
    let wanted = job.program.children.iter().filter(|child| child.enabled).count();
    let counts = format!("{well} done, {} failed, {} left", over - well, wanted.saturating_sub(over));
    lines.push(head(engine, job.id(), &job.program.name, job.status.name(), &counts, style));
    let waiting = job.program.children.iter().enumerate().filter_map(|(index, child)| {
        Some(format!("  {}  waits for {}", child.name, waits::of_child(job, index, style)?))
    });
    some(waiting.collect(), lines);
}

fn coordinator<P: Plans>(
    engine: &Engine<P>,
    job: &CoordinatorRun,
    style: Style<'_>,
    lines: &mut Vec<String>,
) {
    use ActionStatus::{Failed, Killed, Skipped, Succeeded, TimedOut};
    let bad: u32 = [Killed, Failed, TimedOut].into_iter().map(|status| job.count(status)).sum();
    let (well, skipped) = (job.count(Succeeded), job.count(Skipped));
    let left = (job.actions.len() as u32).saturating_sub(bad + well + skipped);
    let more = if job.is_done { "" } else { " and those to come" };
    let mut counts = format!("{well} done, {bad} failed, {left} left{more}");
    if skipped > 0 {
        counts.push_str(&format!(", {skipped} skipped"));
    }
    lines.push(head(engine, job.id(), &job.program.job.name, job.status.name(), &counts, style));
    let waiting = (1..).zip(&job.actions).filter_map(|(number, action)| {
        let what = waits::of_action(job, number, style)?;
        Some(format!("  @{number}  {}  {}  waits for {what}", style.time(action.nominal), action.status))
    });
    some(waiting.collect(), lines);
}

fn workflow<P: Plans>(
    engine: &Engine<P>,
    job: &WorkflowJob,
    places: &Places,
    style: Style<'_>,
    lines: &mut Vec<String>,
) {
    let is_action = |node: u32| matches!(job.program.nodes[node as usize].kind, ProgramKind::Action(_));
    let all = (0..job.program.nodes.len() as u32).filter(|node| is_action(*node)).count();
    let count = |status: &[NodeStatus]| {
        job.nodes.iter().filter(|run| is_action(run.node) && status.contains(&run.status)).count()
    };
    let well = count(&[NodeStatus::Ok]);
    let bad = count(&[NodeStatus::Error, NodeStatus::Failed, NodeStatus::Killed]);
    // Decisions and errors lead past some of them.
    let counts = format!("{well} done, {bad} failed, {} left at most", all.saturating_sub(well + bad));
    lines.push(head(engine, job.id(), &job.name, job.status.name(), &counts, style));
    let parts = job.nodes.iter().filter(|run| is_action(run.node)).filter_map(|run| {
        let name = job.node_name(run.node);
        let node = NodeId { workflow: job.number, node: run.node };
        if run.status == NodeStatus::Running || places.running.contains(&node) {
            let since = run.started.map_or(0, |at| style.now.millis_since(at));
            let child = run.facts.as_ref().and_then(|facts| facts.child);
            let child = child.map(|child| format!(" as {}", style.id(JobId::workflow(child))));
            let since = moment::duration(since);
            return Some(format!("  {name}  runs for {since}{}", child.unwrap_or_default()));
        }
        let mut what = waits::of_node(job, run, style)?;
        if run.status == NodeStatus::Prep && run.attempt > 0 {
            what = format!("{what}: {} of {} are taken", places.running.len(), places.jobs);
        }
        let tries = u32::from(run.retries) + u32::from(run.user_retries);
        let tries = if tries == 0 { String::new() } else { format!(", tried {tries} times") };
        Some(format!("  {name}  waits for {what}{tries}"))
    });
    some(parts.collect(), lines);
}
