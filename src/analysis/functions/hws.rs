//! The functions of `hadoop-workflow` (sections 4.2.2 to 4.2.6 of its specification).

use super::Arguments;
use super::files;
use super::maps;
use super::workflow;
use super::world::{Action, World};
use crate::el::{Failure, Value};
use crate::time::{Instant, ProcessingZone};

/// The base of callback URLs where nothing says another.
const BASE_URL: &str = "http://127.0.0.1:11000";

/// Where callbacks are taken.
pub const CALLBACKS: &str = "hws/v1/callback";

/// Calls a function with a prefix, or `timestamp` or `concat`; `None` for those that both languages share.
pub(super) fn call<'a>(
    world: &'a World,
    prefix: &str,
    name: &str,
    arguments: &Arguments<'_>,
) -> Option<Result<Value<'a>, Failure>> {
    let node = arguments.text(0);
    Some(Ok(match (prefix, name) {
        ("", "concat") => Value::from(format!("{node}{}{}", arguments.text(1), arguments.text(2))),
        ("", "timestamp") => return Some(now(world).map(|now| Value::from(w3c(now)))),
        ("wf", "appName") => Value::from(world.job.name.as_deref()),
        ("wf", "callback" | "callbackUrl") => callback(world, &node),
        ("wf", "exitState" | "nodeStatus") => exit_state(world, &node),
        ("wf", "errorNode") => {
            let failed = world.actions().iter().rfind(|action| state(action) == Some("ERROR"));
            Value::from(failed.map(|action| action.name.as_str()))
        }
        ("wf", "errorCode") => of_error(world, &node, |action| action.error_code.as_deref()),
        ("wf", "errorMessage") => of_error(world, &node, |action| action.error_message.as_deref()),
        ("wf", "recovery") => Value::Long(world.job.run),
        ("hadoop", "jobId") => of(world, &node, |action| action.external_id.as_deref()),
        ("hadoop", "jobTracker") => of(world, &node, |action| action.tracker_uri.as_deref()),
        ("hadoop", "jobStatus") => of(world, &node, |action| action.external_status.as_deref()),
        ("hadoop", "jobCounters" | "counters") => {
            let has = last(world, &node).is_some_and(|action| action.stats.is_some());
            return Some(if has { workflow::counters(world, &node) } else { Ok(Value::Null) });
        }
        ("hdfs", name) => return Some(hdfs(world, name, arguments)),
        ("action", "output") => output(world, &node, &arguments.text(1)),
        _ => return None,
    }))
}

fn now(world: &World) -> Result<Instant, Failure> {
    world.now.ok_or_else(|| Failure::new("IllegalStateException", "the present time is not given"))
}

/// `YYYY-MM-DDThh:mm:ss.sZ` in UTC: a fraction of one digit.
fn w3c(now: Instant) -> String {
    let minute = ProcessingZone::UTC.format(now);
    let millis = now.millis().rem_euclid(60_000);
    let head = minute.strip_suffix('Z').unwrap_or(&minute);
    format!("{head}:{:02}.{}Z", millis / 1000, millis % 1000 / 100)
}

/// The last action of a name.
fn last<'a>(world: &'a World, node: &str) -> Option<&'a Action> {
    world.actions().iter().rfind(|action| action.name == *node)
}

fn of<'a>(world: &'a World, node: &str, get: fn(&Action) -> Option<&str>) -> Value<'a> {
    Value::from(last(world, node).and_then(get))
}

/// `OK` or `ERROR`: other ends are no exit states.
fn state(action: &Action) -> Option<&str> {
    action.status.as_deref().filter(|status| matches!(*status, "OK" | "ERROR"))
}

fn exit_state<'a>(world: &'a World, node: &str) -> Value<'a> {
    of(world, node, state)
}

fn of_error<'a>(world: &'a World, node: &str, get: fn(&Action) -> Option<&str>) -> Value<'a> {
    let failed = last(world, node).filter(|action| state(action) == Some("ERROR"));
    Value::from(failed.and_then(get))
}

fn output<'a>(world: &'a World, node: &str, key: &str) -> Value<'a> {
    let data = last(world, node).and_then(|action| action.data.as_deref());
    let entries = data.map(|data| maps::from_properties(data).entries).unwrap_or_default();
    entries.into_iter().find(|(name, _)| name == key).map_or(Value::Null, |(_, value)| value)
}

/// The URL for the action that is being executed; who executes it gives its token.
fn callback<'a>(world: &World, state: &str) -> Value<'a> {
    let job = world.job.id.as_deref().unwrap_or("");
    let token = world.job.action_id.clone().unwrap_or_else(|| format!("{job}@current"));
    Value::from(format!("{}?status={state}", callback_place(world.base_url.as_deref(), &token)))
}

/// Where the callback with a token is taken. Where an action is run, whoever runs it puts its own base and token in the
/// place of the id of the action.
pub fn callback_place(base: Option<&str>, token: &str) -> String {
    format!("{}/{CALLBACKS}/{token}", base.unwrap_or(BASE_URL).trim_end_matches('/'))
}

/// `hdfs:name(fs, path)`; `hdfs:size(path)` of the examples takes a whole URI.
fn hdfs<'a>(world: &World, name: &str, arguments: &Arguments<'_>) -> Result<Value<'a>, Failure> {
    if name == "size" {
        let path = arguments.text(0);
        let is_folder = files::call(world, "isDir", &path)? == Value::Bool(true);
        return files::call(world, if is_folder { "dirSize" } else { "fileSize" }, &path);
    }
    let (fs, path) = (arguments.text(0), arguments.text(1));
    if !path.starts_with('/') {
        return Err(Failure::new("IllegalArgumentException", format!("the path `{path}` is not absolute")));
    }
    let uri = format!("{}{path}", fs.trim_end_matches('/'));
    let is_folder = files::call(world, "isDir", &uri)? == Value::Bool(true);
    match name {
        // Oozie gives 0 for a folder.
        "fileSize" | "blockSize" if is_folder => Ok(Value::Long(-1)),
        name => files::call(world, name, &uri),
    }
}
