//! Coordinators of an hour's frequency on a stage, and what operators ask of them.

use ankus::engine::status::JobStatus;
use ankus::engine::{ActionsRerun, Change, Command, EngineError, JobId, Scope};

use super::engine::{ENDS, RUNS, Stage, action, coordinator_xml, inputs, minute};

/// Attributes for a job of some hours of the first of January 2024.
pub fn hours(from: u32, to: u32) -> String {
    format!(r#"start="2024-01-01T{from:02}:00Z" end="2024-01-01T{to:02}:00Z""#)
}

/// A job without inputs.
pub fn plain(from: u32, to: u32, controls: &str) -> String {
    coordinator_xml(&hours(from, to), controls, RUNS)
}

/// A job that waits for data.
pub fn waiting(from: u32, to: u32, controls: &str) -> String {
    coordinator_xml(&hours(from, to), controls, &format!("{}{RUNS}", inputs("current(0)")))
}

/// A workflow of one action.
pub fn one() -> String {
    format!("<start to=\"a\"/>{}{ENDS}", action("a", "end", "fail"))
}

/// A stage that answers, with a workflow of one action.
pub fn stage() -> Stage {
    let mut stage = Stage::new();
    stage.answers = true;
    stage.add("hdfs://nn/wf", &one());
    stage
}

/// One on which every action ends well at once.
pub fn finishing() -> Stage {
    let mut stage = stage();
    stage.finishes = true;
    stage
}

/// A change of the pause time, in minutes after the beginning of 2024.
pub fn pause(at: Option<i64>) -> Change {
    Change { pause: Some(at.map(minute)), ..Change::default() }
}

/// A change of the status.
pub fn status(status: JobStatus) -> Change {
    Change { status: Some(status), ..Change::default() }
}

/// A change of the end, in minutes after the beginning of 2024.
pub fn end_at(minutes: i64) -> Change {
    Change { end: Some(minute(minutes)), ..Change::default() }
}

/// Actions by number.
pub fn numbers(text: &str) -> Scope {
    Scope::Numbers(text.into())
}

/// A rerun of actions by number.
pub fn rerun(text: &str) -> ActionsRerun {
    ActionsRerun::of(numbers(text))
}

/// The code of a refusal.
pub fn code(result: Result<Vec<Command>, EngineError>) -> &'static str {
    match result {
        Err(EngineError::Refused(refusal) | EngineError::Dropped(refusal)) => refusal.code,
        Err(EngineError::NotAllowed { .. }) => "not allowed",
        other => panic!("{other:?}"),
    }
}

/// Ends the action of an action's workflow.
pub fn end(stage: &mut Stage, job: JobId, number: u32, ok: bool) {
    let workflow = stage.workflow_of(job, number);
    if ok {
        stage.ok(workflow, "a");
    } else {
        stage.error(workflow, "a", "X");
    }
}
