//! What a run is given that a schedule launches, and where each value comes from.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::run::{Keys, Run, too_large};
use crate::model::schedule::{Mapped, Program, Schedule};

/// The system argument that holds all of what triggered a run.
pub const TRIGGERING_INFO: &str = "triggeringScheduleInfo";

/// What a unit that holds gives.
#[derive(Clone, Copy, Debug)]
pub enum Source<'a> {
    /// A run.
    Run(&'a Run),
    /// Keys that no run gave: those of the clock.
    Keys(&'a Keys),
}

/// Where a value comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A triggering run handed it on, by the name of the run.
    Payload(String),
    /// The clock.
    Time,
    /// The properties of the schedule.
    Properties,
    /// The mapping, from this key of this run.
    Mapping(String, String),
}

impl Origin {
    /// In words.
    pub fn words(&self) -> String {
        match self {
            Origin::Payload(run) => format!("handed on by {run}"),
            Origin::Time => "the time of the trigger".to_owned(),
            Origin::Properties => "a property of the schedule".to_owned(),
            Origin::Mapping(key, run) => format!("mapped from `{key}` of {run}"),
        }
    }
}

/// A launch that is to be made.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Launch {
    /// The user arguments.
    pub arguments: Keys,
    /// Where each of them comes from.
    pub origins: BTreeMap<String, Origin>,
    /// What could not be given, in words.
    pub notes: Vec<String>,
    /// How many runs of each program lie before the new one.
    pub chain: BTreeMap<Program, u64>,
}

/// Puts together what a run is given, later over earlier: the payloads of the units that hold in written order, the
/// properties of the schedule, mapped keys. Fails where that is too much.
pub fn launch(schedule: &Schedule, sources: &[Source<'_>]) -> Result<Launch, String> {
    let mut launch = Launch::default();
    for source in sources {
        match source {
            Source::Run(run) => {
                for (name, value) in run.payload() {
                    launch.set(name, value, Origin::Payload(run.id.clone()));
                }
                for (program, count) in run.chain_on() {
                    let known = launch.chain.entry(program).or_default();
                    *known = count.max(*known);
                }
            }
            Source::Keys(keys) => {
                keys.iter().for_each(|(name, value)| launch.set(name.clone(), value.clone(), Origin::Time));
            }
        }
    }
    for property in &schedule.properties {
        launch.set(property.name.value.clone(), property.value.value.clone(), Origin::Properties);
    }
    for entry in &schedule.mapping.entries {
        let mut found = false;
        for run in runs(sources).filter(|run| is_asked(entry, run)) {
            if let Some(value) = mapped(entry, run) {
                found = true;
                let origin = Origin::Mapping(entry.source.value.clone(), run.id.clone());
                launch.set(entry.target.value.clone(), value, origin);
            }
        }
        if !found {
            launch.notes.push(missing(entry));
        }
    }
    match too_large(&launch.arguments) {
        Some(why) => Err(why),
        None => Ok(launch),
    }
}

impl Launch {
    fn set(&mut self, name: String, value: String, origin: Origin) {
        self.origins.insert(name.clone(), origin);
        self.arguments.insert(name, value);
    }
}

fn runs<'a>(sources: &[Source<'a>]) -> impl Iterator<Item = &'a Run> {
    sources.iter().filter_map(|source| match source {
        Source::Run(run) => Some(*run),
        Source::Keys(_) => None,
    })
}

fn is_asked(entry: &Mapped, run: &Run) -> bool {
    entry.of.as_ref().is_none_or(|(namespace, application)| {
        run.program.namespace == *namespace && run.program.application == *application
    })
}

fn mapped(entry: &Mapped, run: &Run) -> Option<String> {
    let source = &entry.source.value;
    match &entry.stage {
        None => run.payload().get(source).cloned(),
        Some(stage) => {
            let stage = run.stages.get(&stage.value)?;
            stage.captured.get(source).or_else(|| stage.configuration.get(source)).cloned()
        }
    }
}

fn missing(entry: &Mapped) -> String {
    let (source, target) = (&entry.source.value, &entry.target.value);
    match &entry.stage {
        None => format!("`{target}` is omitted: no triggering run has `{source}`"),
        Some(stage) => {
            format!("`{target}` is omitted: action `{}` of no triggering run has `{source}`", stage.value)
        }
    }
}

/// The JSON text of [`TRIGGERING_INFO`].
pub fn triggering_info(schedule: &Schedule, sources: &[Source<'_>]) -> String {
    let properties: Map<String, Value> = schedule
        .properties
        .iter()
        .map(|property| (property.name.value.clone(), property.value.value.clone().into()))
        .collect();
    let run = |run: &Run| {
        json!({
            "program": run.program.to_string(),
            "programRunId": run.id,
            "programRunStatus": run.status.name(),
            "arguments": run.arguments,
            "token": run.token,
        })
    };
    json!({
        "schedule": schedule.id.to_string(),
        "properties": properties,
        "runs": runs(sources).map(run).collect::<Vec<_>>(),
    })
    .to_string()
}
