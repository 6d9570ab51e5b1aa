//! `expected.json`: what the DAGs must do, for `test_export.py` to compare with what Airflow makes of them.

use serde_json::{Map, Value, json};

use super::cases::Case;
use super::graph::{TaskGraph, TaskKind};

/// What a workflow's DAG must do.
pub(super) fn workflow(graph: &TaskGraph, cases: &[Case]) -> Value {
    let id = |task: usize| graph.tasks[task].id.clone();
    let task_of = |node: usize| graph.task_of(node).map(id);
    let tasks: Map<String, Value> = graph
        .tasks
        .iter()
        .map(|task| {
            let kind = match task.kind {
                TaskKind::Action(_) => "action",
                TaskKind::Decision(_) => "decision",
                TaskKind::Next(_) => "next",
                TaskKind::Kill(_) => "kill",
                TaskKind::End(_) | TaskKind::Control(_) | TaskKind::Empty => "empty",
                TaskKind::Outcome => "outcome",
            };
            (task.id.clone(), kind.into())
        })
        .collect();
    let one = |case: &Case| {
        let fates = &case.fates;
        let seconds: Map<String, Value> = fates
            .seconds
            .iter()
            .filter_map(|(node, seconds)| Some((task_of(*node)?, (*seconds).into())))
            .collect();
        let choices: Map<String, Value> = graph
            .tasks
            .iter()
            .filter_map(|task| {
                let TaskKind::Decision(node) = task.kind else { return None };
                let last = task.targets.len().checked_sub(1)?;
                let choice = fates.choices.get(&node).copied().unwrap_or(last).min(last);
                Some((task.id.clone(), id(task.targets[choice]).into()))
            })
            .collect();
        let started: Map<String, Value> = case
            .expected
            .started
            .iter()
            .filter_map(|(node, (at, ended))| Some((task_of(*node)?, json!([at, ended.name()]))))
            .collect();
        let fails: Vec<String> = fates.fails.iter().filter_map(|node| task_of(*node)).collect();
        json!({
            "name": case.name,
            "fails": fails,
            "seconds": seconds,
            "choices": choices,
            "state": if case.expected.success { "success" } else { "failed" },
            "started": started,
        })
    };
    let agreed: Vec<Value> = cases.iter().filter(|case| case.agrees).map(one).collect();
    let lost: Vec<&str> = cases.iter().filter(|case| !case.agrees).map(|case| case.name.as_str()).collect();
    json!({"tasks": tasks, "failFast": graph.fail_fast, "cases": agreed, "differ": lost})
}
