//! Map-reduce by programs that read and write lines (`StreamingMain`, Hadoop's streaming), on this machine: one map after
//! the other, sorting, one reducer after the other.
//!
//! Input and output lie in any storage: mappers are fed from there, and what reducers write is sent there piece by piece and
//! renamed into its place once all is written.
//!
//! What comes out is what Hadoop's local runner writes, byte for byte, where programs do not ask for the time or for the
//! order of values of one key.

mod commit;
pub mod counters;
mod inputs;
mod lines;
mod shuffle;
mod tasks;
pub mod words;

use std::io::Write;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::attempt::{Attempt, Outcome};
use super::lasting;
use super::storage::Storage;
use crate::engine::TroubleKind;
use tasks::{Stop, Tasks};

/// A job.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Job {
    /// Where URIs lie.
    pub storage: Storage,
    /// The URIs of the input, with patterns or without.
    pub inputs: Vec<String>,
    /// The URI of the output.
    pub output: String,
    /// The mapper and its arguments.
    pub mapper: Vec<String>,
    /// What is run over the sorted output of each mapper.
    pub combiner: Option<Vec<String>>,
    /// The reducer; without one, what is sorted is written.
    pub reducer: Option<Vec<String>>,
    /// How many reducers there are; without any, what mappers write is not sorted.
    pub reducers: u32,
    /// How many mappers are wished for.
    pub maps: u64,
    /// All of the environment, but for what is said of each task.
    pub env: Vec<(String, String)>,
    /// How lines of mappers are split.
    pub map_output: Fields,
    /// How lines of reducers are split.
    pub reduce_output: Fields,
    /// What stands between key and value of what mappers read; without it they read no keys.
    pub map_input_separator: Option<String>,
    /// What stands between key and value of what reducers read.
    pub reduce_input_separator: String,
    /// What stands between key and value in the output.
    pub separator: String,
    /// How the output is compressed.
    pub codec: Option<Codec>,
    /// Whether a program may only end with 0.
    pub fails_on_exit_code: bool,
    /// Whether an empty file `_SUCCESS` is written.
    pub marks_success: bool,
}

/// How a line is split into key and value.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Fields {
    /// What stands between fields.
    pub separator: String,
    /// How many fields the key has.
    pub keys: usize,
}

/// How files are compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Codec {
    /// `GzipCodec`
    Gzip,
    /// `DefaultCodec`, `DeflateCodec`
    Deflate,
}

/// Runs a job for an attempt.
pub fn run(job: &Job, attempt: &Attempt, grace: Duration) -> std::io::Result<Outcome> {
    match Tasks::run(job, attempt, grace) {
        Ok(counters) => {
            // The output is there, whatever can be told of it.
            let told = lasting::log(attempt, &attempt.stdout());
            let _ =
                told.and_then(|mut log| log.write_all(counters.text().as_bytes()).and_then(|()| log.flush()));
            Ok(Outcome { stats: Some(counters.json()), ..Outcome::well("SUCCEEDED", None) })
        }
        Err(Stop::Killed) => Ok(Outcome::killed()),
        Err(Stop::Failed(words)) => Ok(Outcome::failed("FAILED/KILLED", "JA018", words)),
        Err(Stop::Storage(fault)) if fault.why.kind() != TroubleKind::Error => {
            Ok(Outcome::troubled(fault.why.kind(), fault.why.code(), fault.words))
        }
        Err(Stop::Storage(fault)) => Ok(Outcome::failed("FAILED/KILLED", "JA018", fault.words)),
        Err(Stop::Io(error)) => Err(error),
    }
}
