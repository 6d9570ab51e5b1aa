//! Writes a schedule as the body of the REST call, in the specification's form.

use serde_json::{Map, Value, json};

use super::constraint::{Constraint, Limit, Window};
use super::mapping::{MAPPING_PROPERTY, Mapped, Mapping};
use super::name::{Program, Status};
use super::trigger::{Condition, Trigger, UnitKind};
use super::{DEFAULT_TIMEOUT_MILLIS, Schedule};
use crate::source::Text;
use crate::time::Zone;

/// The body that adds this schedule. Namespace, application and version of it stand in the path.
pub fn body(schedule: &Schedule) -> Value {
    let mut properties: Map<String, Value> = schedule
        .properties
        .iter()
        .map(|property| (property.name.value.clone(), Value::from(property.value.value.clone())))
        .collect();
    if !schedule.mapping.entries.is_empty() {
        properties.insert(MAPPING_PROPERTY.to_owned(), mapping(&schedule.mapping).to_string().into());
    }
    let mut body = json!({
        "name": schedule.id.name,
        "description": schedule.description,
        "program": { "programName": schedule.program.name, "programType": schedule.program.kind.name() },
        "properties": properties,
        "constraints": schedule.constraints.iter().map(constraint).collect::<Vec<_>>(),
        "trigger": trigger(&schedule.trigger),
    });
    if schedule.timeout_millis != DEFAULT_TIMEOUT_MILLIS {
        body["timeoutMillis"] = schedule.timeout_millis.into();
    }
    body
}

fn mapping(mapping: &Mapping) -> Value {
    let entry = |entry: &Mapped| {
        let mut value = json!({ "source": entry.source.value, "target": entry.target.value });
        if let Some(stage) = &entry.stage {
            value["stageName"] = stage.value.clone().into();
        }
        if let Some((namespace, application)) = &entry.of {
            value["pipelineId"] = json!({ "namespace": namespace, "pipelineName": application });
        }
        value
    };
    let of = |is_stage: bool| {
        let entries = mapping.entries.iter().filter(|entry| entry.stage.is_some() == is_stage);
        entries.map(entry).collect::<Vec<_>>()
    };
    json!({ "arguments": of(false), "pluginProperties": of(true) })
}

fn constraint(constraint: &Constraint) -> Value {
    let mut value = json!({ "type": constraint.limit.name() });
    match &constraint.limit {
        Limit::Concurrency { max } => value["maxConcurrency"] = (*max).into(),
        Limit::Delay { millis } => value["millisAfterTrigger"] = (*millis).into(),
        Limit::LastRun { millis } => value["millisSinceLastRun"] = (*millis).into(),
        Limit::TimeRange(window) => {
            value["startTime"] = Window::text(window.start_minute).into();
            value["endTime"] = Window::text(window.end_minute).into();
            if let Some(zone) = window.zone {
                value["timeZone"] = Zone::id(zone).into();
            }
        }
    }
    value["waitUntilMet"] = constraint.waits.into();
    value
}

fn trigger(trigger: &Trigger) -> Value {
    match trigger {
        Trigger::All(parts) => {
            json!({ "type": "AND", "triggers": parts.iter().map(self::trigger).collect::<Vec<_>>() })
        }
        Trigger::Any(parts) => {
            json!({ "type": "OR", "triggers": parts.iter().map(self::trigger).collect::<Vec<_>>() })
        }
        Trigger::Unit(unit) => match &unit.kind {
            UnitKind::Program { program, statuses, condition, .. } => {
                let statuses: Vec<_> = statuses.iter().copied().map(Status::name).collect();
                let mut value = json!({ "type": "PROGRAM_STATUS", "statuses": statuses });
                conditions(condition, &mut value);
                value["program"] = self::program(program);
                value
            }
            UnitKind::Time { cron } => json!({ "type": "TIME", "cronExpression": cron.value }),
            UnitKind::Partition { namespace, dataset, count } => json!({
                "type": "PARTITION",
                "dataset": { "namespace": namespace, "dataset": dataset.value },
                "numPartitions": count,
            }),
        },
    }
}

fn conditions(condition: &Condition, value: &mut Value) {
    let parts: [(&str, &Option<Text>); 3] =
        [("key", &condition.key), ("value", &condition.value), ("condition", &condition.expression)];
    for (name, text) in parts {
        if let Some(text) = text {
            value[name] = text.value.clone().into();
        }
    }
}

/// A program as a trigger names it.
fn program(program: &Program) -> Value {
    json!({
        "namespace": program.namespace,
        "application": program.application,
        "applicationVersion": program.version,
        "programType": program.kind.name(),
        "programName": program.name,
    })
}
