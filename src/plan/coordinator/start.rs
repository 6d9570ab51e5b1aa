//! What an action's configuration sees of its events when it starts.
//!
//! Follows `ph3_coord_dataIn`, `ph3_coord_dataOut`, the functions of `HCatELFunctions`, and for the instances that only
//! the start can resolve `LatestEvaluator` and `FutureEvaluator`.

use std::cell::RefCell;

use super::findings::PARTITION_EXPORT_MANY;
use super::hcat::{HcatUri, split_uris};
use super::present::Exists;
use super::scope::Scope;
use super::settings::MAX_PROBES;
use super::uri::UriTemplate;
use crate::el::{Failure, Value};
use crate::plan::input_logic::{Availability, LogicNode, expression_named};
use crate::time::Instant;

/// What is thrown for numbers that `latest` and `future` do not take (`ParamChecker`).
pub(super) const BAD_BOUNDS: &str = "IllegalArgumentException";

/// An event with the text that `dataIn` or `dataOut` gives.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bound<'a> {
    pub(super) name: &'a str,
    /// The URIs with commas between; `None` when there are none.
    pub(super) uris: Option<&'a str>,
    /// Whether some instance is still unresolved.
    pub(super) is_unresolved: bool,
}

/// The events of an action.
#[derive(Debug, Default)]
pub(super) struct Start<'a> {
    pub(super) inputs: Vec<Bound<'a>>,
    pub(super) outputs: Vec<Bound<'a>>,
    /// The input logic and what is there.
    pub(super) logic: Option<(&'a [LogicNode], &'a Availability)>,
    /// Where `latest` and `future` look.
    pub(super) lazy: Option<Lazy<'a>>,
}

/// What `latest` and `future` need.
#[derive(Debug)]
pub(super) struct Lazy<'a> {
    pub(super) uri: &'a UriTemplate,
    pub(super) done_flag: &'a str,
    pub(super) present: &'a dyn Exists,
    pub(super) outcome: RefCell<LazyOutcome>,
}

/// What the last of them left (the variables `is_resolved` and `resolved_path`).
#[derive(Clone, Debug, Default)]
pub(super) struct LazyOutcome {
    pub(super) is_resolved: bool,
    pub(super) found: Option<String>,
}

impl<'a> Start<'a> {
    /// A function over the events.
    pub(super) fn call(&self, name: &str, event: &str, argument: &str) -> Result<Value<'a>, Failure> {
        match name {
            "dataIn" => self.data_in(event),
            "dataOut" => Ok(self.uris(&self.outputs, event).map_or(Value::Null, Value::from)),
            _ => self.catalogue(name, event, argument),
        }
    }

    fn uris(&self, events: &[Bound<'a>], name: &str) -> Option<&'a str> {
        events.iter().find(|event| event.name == name).and_then(|event| event.uris)
    }

    fn data_in(&self, name: &str) -> Result<Value<'a>, Failure> {
        let echo = || Value::from(format!("${{coord:dataIn('{name}')}}"));
        let event = self.inputs.iter().find(|event| event.name == name);
        let uris = event.and_then(|event| event.uris);
        if let (None, Some((nodes, availability))) = (uris, self.logic) {
            let found = expression_named(nodes, name).and_then(|expr| availability.data_in(expr.as_ref()));
            let found = found.map_err(|e| Failure::new("RuntimeException", e.to_string()))?;
            return Ok(found.map_or_else(echo, Value::from));
        }
        if event.is_some_and(|event| event.is_unresolved) {
            return Ok(echo());
        }
        Ok(uris.map_or(Value::Null, Value::from))
    }

    /// The functions over URIs of the catalogue.
    fn catalogue(&self, name: &str, event: &str, argument: &str) -> Result<Value<'a>, Failure> {
        let events = if name.contains("Out") { &self.outputs } else { &self.inputs };
        let bound = events.iter().find(|bound| bound.name == event);
        let uris = bound.and_then(|bound| bound.uris);
        let one_argument = matches!(name, "databaseIn" | "tableIn");
        // Outputs do not wait to be resolved: they have no URI (`HCatELFunctions.getURIFromResolved`).
        if bound.is_some_and(|bound| bound.is_unresolved && name.contains("In")) {
            let rest = if one_argument { String::new() } else { format!(", '{argument}'") };
            return Ok(Value::from(format!("${{coord:{name}('{event}'{rest})}}")));
        }
        let parse = |uri: &'a str| {
            HcatUri::parse(uri).map_err(|e| Failure::new("RuntimeException", format!("`{uri}`: {e}")))
        };
        let none = || Failure::new("NullPointerException", format!("`{event}` has no URI"));
        let no_match = || {
            let message =
                format!("`{event}` has no URI of the form `hcat://server:port/database/table/key=value`");
            Failure::new("ArrayIndexOutOfBoundsException", message)
        };
        match name {
            "databaseIn" | "databaseOut" | "tableIn" | "tableOut" => {
                let Some(uris) = uris else { return Ok(Value::from("")) };
                let first = parse(split_uris(uris).first().copied().ok_or_else(no_match)?)?;
                Ok(Value::from(if name.starts_with("database") { first.database } else { first.table }))
            }
            "dataInPartitionFilter" => {
                let filters = split_uris(uris.ok_or_else(none)?)
                    .into_iter()
                    .map(|uri| Ok(parse(uri)?.filter(argument)));
                Ok(Value::from(filters.collect::<Result<Vec<String>, Failure>>()?.join(" OR ")))
            }
            "dataInPartitionMin" | "dataInPartitionMax" => {
                let Some(uris) = uris else { return Ok(Value::Null) };
                let missing = || {
                    let message = format!("the URIs of `{event}` have no value for the key `{argument}`");
                    Failure::new("RuntimeException", message)
                };
                let values = split_uris(uris)
                    .into_iter()
                    .map(|uri| parse(uri)?.partition(argument).map(str::to_owned).ok_or_else(missing));
                let values = values.collect::<Result<Vec<String>, Failure>>()?;
                let least = name.ends_with("Min");
                let better = |a: String, b: String| if (b < a) == least && a != b { b } else { a };
                let found = values.into_iter().reduce(better).ok_or_else(no_match)?;
                if found.is_empty() { Err(missing()) } else { Ok(Value::from(found)) }
            }
            "dataInPartitions" => {
                let Some(uris) = uris else { return Ok(Value::Null) };
                if argument != "hive-export" {
                    let message =
                        format!("`{argument}` is no type of partitions; `hive-export` is the only one");
                    return Err(Failure::new("RuntimeException", message));
                }
                if split_uris(uris).len() > 1 {
                    let message = format!("`{event}` has several partitions, and a Hive export takes one");
                    return Err(Failure::new(PARTITION_EXPORT_MANY.name, message));
                }
                Ok(Value::from(parse(uris)?.export()))
            }
            "dataOutPartitions" => Ok(Value::from(parse(uris.ok_or_else(none)?)?.partition_string())),
            "dataOutPartitionValue" => {
                let uri = parse(uris.ok_or_else(none)?)?;
                Ok(uri.partition(argument).map_or(Value::Null, |value| Value::from(value.to_owned())))
            }
            _ => Err(Failure::new("RuntimeException", format!("`coord:{name}` cannot be called here"))),
        }
    }

    /// `coord:latest` and its like (`RangeEvaluator.evaluate`): what was found goes into the outcome.
    pub(super) fn resolve_instance(
        &self,
        scope: &Scope<'_>,
        name: &str,
        bounds: [i32; 3],
    ) -> Result<String, Failure> {
        let (future, range) = (name.starts_with("future"), name.ends_with("Range"));
        let (start, end, limit) = match (future, range) {
            (_, true) => (bounds[0], bounds[1], bounds[2]),
            (true, false) => (bounds[0], bounds[0], bounds[1]),
            (false, false) => (bounds[0], bounds[0], 0),
        };
        let wrong = if future { start < 0 || end < 0 || limit <= 0 } else { start > 0 || end > 0 };
        if wrong {
            let message = if future {
                "`future` takes numbers from 0 on and a limit greater than 0"
            } else {
                "`latest` takes 0 and negative numbers"
            };
            return Err(Failure::new(BAD_BOUNDS, message));
        }
        let none = || Failure::new("RuntimeException", "there is no world to look into at this place");
        let lazy = self.lazy.as_ref().ok_or_else(none)?;
        let action = scope.the_action()?;
        let (series, from) = (scope.the_dataset()?, if future { action.nominal } else { action.actual });
        let mut outcome = lazy.outcome.borrow_mut();
        outcome.is_resolved = false;
        let Some(current) = series.current(from) else { return Ok(String::new()) };
        let mut found = String::new();
        let (mut count, mut at) = (current.count, current.instance);
        let (mut available, mut checked) = (0i32, 0i32);
        let processing = scope.processing.zone();
        // The first one's time was asked for (`maxRetries`) before its calendar moves.
        let mut named = at;
        // As many as the nearest wanted one needs are not there at all: the first look is only for what it may complain of.
        let (wanted, there): (i64, i64) = match future {
            true => (i64::from(start) + 1, i64::from(limit) + 1),
            false => (1 - i64::from(end), i64::from(count) + 2),
        };
        let probes = if there < wanted { 1 } else { MAX_PROBES };
        for _ in 0..probes {
            if if future { limit < checked } else { at < series.initial } {
                break;
            }
            let (uri, with_flag) = lazy.uris(named)?;
            if lazy.present.exists(&with_flag) {
                let (last, within) = if future {
                    (available == end, available >= start)
                } else {
                    (available == start, available <= end)
                };
                if last || within {
                    found.push_str(&uri);
                }
                if last {
                    outcome.is_resolved = true;
                    outcome.found = Some(found);
                    return Ok(String::new());
                }
                if within {
                    found.push('#');
                }
                available += if future { 1 } else { -1 };
            }
            count += if future { 1 } else { -1 };
            checked += 1;
            at = series.nth(count);
            named = series.nth_as_named(count, processing);
        }
        if !found.is_empty() && outcome.found.is_none() {
            outcome.found = Some(found);
        }
        Ok(String::new())
    }
}

impl Lazy<'_> {
    /// The URI of an instance, and what must exist.
    fn uris(&self, at: Instant) -> Result<(String, String), Failure> {
        let uri = self.uri.render(at).map_err(|e| Failure::new("RuntimeException", e.to_string()))?;
        let with_flag = self.uri.with_done_flag(&uri, self.done_flag);
        Ok((uri, with_flag))
    }
}
