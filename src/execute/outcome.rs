//! How an attempt of an action ended, as its supervisor writes it down.

use serde::{Deserialize, Serialize};

use crate::engine::TroubleKind;

/// How it ended.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct Outcome {
    /// Whether it ended well.
    pub ok: bool,
    /// Whether it was killed because somebody asked for that.
    pub killed: bool,
    /// What a server would call its end outside, such as `SUCCEEDED`.
    pub status: String,
    /// Code and words of its error.
    pub fault: Option<(String, String)>,
    /// How the server treats the error; none when it only says that the action has ended badly.
    pub trouble: Option<TroubleKind>,
    /// What it captured.
    pub data: Option<String>,
    /// Its counters, as JSON.
    pub stats: Option<String>,
}

impl Outcome {
    /// It ended well.
    pub fn well(status: &str, data: Option<String>) -> Outcome {
        Outcome { ok: true, status: status.to_owned(), data, ..Outcome::default() }
    }

    /// It ended badly.
    pub fn failed(status: &str, code: &str, words: String) -> Outcome {
        let fault = Some((code.to_owned(), words));
        Outcome { status: status.to_owned(), fault, ..Outcome::default() }
    }

    /// Something went wrong with it.
    pub fn troubled(kind: TroubleKind, code: &str, words: String) -> Outcome {
        Outcome { trouble: Some(kind), ..Outcome::failed("FAILED/KILLED", code, words) }
    }

    /// It was killed.
    pub fn killed() -> Outcome {
        Outcome { killed: true, status: "KILLED".to_owned(), ..Outcome::default() }
    }
}
