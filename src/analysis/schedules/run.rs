//! A run of a program, and what it hands on.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::model::schedule::{Program, Status};
use crate::time::Instant;

/// Names and values.
pub type Keys = BTreeMap<String, String>;

/// How many keys a payload may have.
pub const MAX_PAYLOAD_KEYS: usize = 10_000;

/// How many bytes the keys and values of a payload may have together.
pub const MAX_PAYLOAD_BYTES: usize = 1 << 20;

/// The properties of a run that it hands on.
pub const RUN_PROPERTIES: [&str; 6] =
    ["programRunId", "programRunStatus", "startTs", "runTs", "stopTs", "runcount"];

/// The argument of a run that the clock has started: the time, in milliseconds.
pub const LOGICAL_START_TIME: &str = "logicalStartTime";

/// A run that has ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// Its id.
    pub id: String,
    /// What ran.
    pub program: Program,
    /// How it ended.
    pub status: Status,
    /// When it was started.
    pub started: Instant,
    /// When it began to run.
    pub running: Instant,
    /// When it ended.
    pub ended: Instant,
    /// What the user gave it.
    pub arguments: Keys,
    /// What its actions captured, as far as the program hands it on.
    pub token: Keys,
    /// Its actions by name.
    pub stages: BTreeMap<String, Stage>,
    /// How many runs of each program lie before it in the chain of launches that led to it.
    pub chain: BTreeMap<Program, u64>,
}

/// An action of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Stage {
    /// What it captured.
    pub captured: Keys,
    /// Its configuration, as it was evaluated.
    pub configuration: Keys,
}

impl Run {
    /// What it hands on, later over earlier: arguments, its own properties, the token.
    pub fn payload(&self) -> Keys {
        let mut payload = self.arguments.clone();
        payload.extend(self.properties().map(|(name, value)| (name.to_owned(), value)));
        payload.extend(self.token.iter().map(|(name, value)| (name.clone(), value.clone())));
        payload
    }

    /// Its own properties.
    pub fn properties(&self) -> impl Iterator<Item = (&'static str, String)> {
        let values = [
            self.id.clone(),
            self.status.name().to_owned(),
            self.started.seconds().to_string(),
            self.running.seconds().to_string(),
            self.ended.seconds().to_string(),
            self.run_count().to_string(),
        ];
        RUN_PROPERTIES.into_iter().zip(values)
    }

    /// How many runs of the same program lie before it in its chain.
    pub fn run_count(&self) -> u64 {
        self.chain.get(&self.program).copied().unwrap_or_default()
    }

    /// The chain of a run that this one launches.
    pub fn chain_on(&self) -> BTreeMap<Program, u64> {
        let mut chain = self.chain.clone();
        *chain.entry(self.program.clone()).or_default() += 1;
        chain
    }
}

/// Why names and values are too much for a payload.
pub fn too_large(keys: &Keys) -> Option<String> {
    if keys.len() > MAX_PAYLOAD_KEYS {
        return Some(format!("{} keys; a run is given at most {MAX_PAYLOAD_KEYS}", keys.len()));
    }
    let bytes: usize = keys.iter().map(|(name, value)| name.len() + value.len()).sum();
    let most = MAX_PAYLOAD_BYTES >> 20;
    (bytes > MAX_PAYLOAD_BYTES).then(|| format!("{bytes} bytes; a run is given at most {most} MiB"))
}
