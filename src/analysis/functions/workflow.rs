//! `wf:…` and `hadoop:counters` (`DagELFunctions`, `HadoopELFunctions`).

use std::sync::Arc;

use super::Arguments;
use super::maps;
use super::text::java_trim;
use super::world::{Action, World};
use crate::analysis::parameters::substitute;
use crate::el::{Failure, Value};
use crate::source::Sources;
use crate::xml;

/// The value of a variable of a workflow: trimmed, and escaped when it would not stand in XML
/// (`DagELFunctions.configureEvaluator`).
pub fn variable_text(value: &str) -> String {
    let value = java_trim(value);
    if value.contains(['<', '&', ']']) && !is_content(value) {
        return maps::escape_xml(value);
    }
    value.to_owned()
}

/// Can the text stand in an element as it is?
fn is_content(value: &str) -> bool {
    let document = format!("<value>{value}</value>");
    let file = Sources::new().add("value", "");
    xml::read(file, &document, &xml::Limits::default()).0.is_some()
}

/// Calls `wf:name`.
pub(super) fn call<'a>(
    world: &'a World,
    name: &str,
    arguments: &Arguments<'_>,
) -> Result<Value<'a>, Failure> {
    let job = &world.job;
    let node = arguments.text(0);
    // What one action recorded, or the last of several of one name.
    let of_action = |get: fn(&Action) -> Option<&String>| {
        let found = world.actions().iter().filter(|action| action.name == *node).filter_map(get).next_back();
        Value::from(found.map(String::as_str))
    };
    Ok(match name {
        "id" => Value::from(job.id.as_deref()),
        "name" => Value::from(job.name.as_deref()),
        "appPath" => Value::from(job.app_path.as_deref()),
        "user" => {
            Value::from(job.user.as_deref().or_else(|| world.conf.get("user.name").map(String::as_str)))
        }
        "group" => Value::from(job.group.as_deref()),
        "run" => Value::Long(i64::from(job.run as i32)),
        "conf" => return conf(world, &node),
        "callback" => return callback(world, &node),
        "transition" => of_action(|action| action.transition.as_ref()),
        "errorCode" => of_action(|action| action.error_code.as_ref()),
        "errorMessage" => of_action(|action| action.error_message.as_ref()),
        "actionExternalId" => of_action(|action| action.external_id.as_ref()),
        "actionTrackerUri" => of_action(|action| action.tracker_uri.as_ref()),
        "actionExternalStatus" => of_action(|action| action.external_status.as_ref()),
        "lastErrorNode" => {
            let is_error = |action: &&Action| action.status.as_deref() == Some("ERROR");
            Value::from(world.actions().iter().rfind(is_error).map(|action| action.name.as_str()))
        }
        "actionData" => {
            // The ids of children overwrite what was captured (`DagELFunctions.setActionInfo`).
            let mut data = None;
            for action in world.actions().iter().filter(|action| action.name == *node) {
                data = action.data.clone().or(data);
                data = action.child_ids.as_ref().map(|ids| format!("hadoopJobs:{ids}")).or(data);
            }
            Value::Map(Arc::new(maps::from_properties(&data.unwrap_or_default())))
        }
        _ => return Err(Failure::new("ELException", format!("`wf:{name}` is not known"))),
    })
}

/// A property with other properties put in (`XConfiguration.get`).
fn conf<'a>(world: &World, name: &str) -> Result<Value<'a>, Failure> {
    let get = |name: &str| world.conf.get(name).map(String::as_str);
    // An empty value gets lost where a configuration is stored as XML.
    let Some(value) = get(name).filter(|value| !value.is_empty()) else { return Ok(Value::Null) };
    match substitute(value, get, &mut Vec::new()) {
        Ok(value) => Ok(Value::from(value)),
        Err(error) => Err(Failure::new("IllegalStateException", format!("the value of `{name}`: {error}"))),
    }
}

/// `CallbackService.createCallBackUrl`
fn callback<'a>(world: &World, status: &str) -> Result<Value<'a>, Failure> {
    if status.is_empty() {
        return Err(Failure::new("IllegalArgumentException", "the name of the status is empty"));
    }
    let base = world.base_url.as_deref().unwrap_or("http://0.0.0.0:11000/oozie");
    let job = world.job.id.as_deref().unwrap_or("");
    let action = world.job.action_id.clone().unwrap_or_else(|| format!("{job}@current"));
    Ok(Value::from(format!("{base}/callback?id={action}&status={status}")))
}

/// `HadoopELFunctions.hadoop_counters`
pub(super) fn counters<'a>(world: &World, node: &str) -> Result<Value<'a>, Failure> {
    let mut stats = world
        .actions()
        .iter()
        .filter(|action| action.name == node)
        .filter_map(|action| action.stats.as_ref());
    let Some(stats) = stats.next_back() else {
        let message = format!("there are no counters of an action `{node}`");
        return Err(Failure::new("IllegalArgumentException", message));
    };
    // What json-simple cannot read is null.
    let json = serde_json::from_str::<serde_json::Value>(stats).unwrap_or(serde_json::Value::Null);
    match json {
        serde_json::Value::Object(_) | serde_json::Value::Null => Ok(maps::from_json(&json)),
        _ => Err(Failure::new("ClassCastException", format!("the counters of `{node}` are no map"))),
    }
}

#[cfg(test)]
#[path = "workflow_tests.rs"]
mod tests;
