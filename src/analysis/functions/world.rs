//! The world around an expression as data: what `eval --context` reads.

use std::collections::BTreeMap;

use indexmap::IndexMap;
use serde::{Deserialize, Deserializer};

use crate::time::{Instant, ProcessingZone};

/// A job and its surroundings. Every part may be left out.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct World {
    /// The properties of the job; each is a variable too.
    #[serde(deserialize_with = "texts")]
    pub conf: IndexMap<String, String>,
    /// The job itself.
    pub job: Job,
    /// The actions of a workflow, in order of completion.
    pub actions: Option<Vec<Action>>,
    /// Files and their lengths; null is an empty folder. Parents exist.
    pub files: Option<BTreeMap<String, Option<i64>>>,
    /// The nominal time of a coordinator's action.
    pub nominal: Option<String>,
    /// The time at which a coordinator's action was created.
    pub actual: Option<String>,
    /// The URIs of partitions that exist.
    pub partitions: Vec<String>,
    /// What `hadoop:conf` finds, by host.
    pub hadoop_conf: BTreeMap<String, BTreeMap<String, String>>,
    /// The block size of all files.
    pub block_size: Option<i64>,
    /// Where the server is, for callbacks.
    pub base_url: Option<String>,
    /// The present.
    #[serde(skip)]
    pub now: Option<Instant>,
    /// The processing timezone.
    #[serde(skip)]
    pub processing: ProcessingZone,
}

impl World {
    /// The actions that have come to their end, in order.
    pub fn actions(&self) -> &[Action] {
        self.actions.as_deref().unwrap_or_default()
    }

    /// Files and folders.
    pub fn files(&self) -> impl Iterator<Item = (&String, Option<i64>)> {
        self.files.iter().flatten().map(|(path, length)| (path, *length))
    }

    /// True for a workflow that runs: the world says something of its actions or its files. Its variables are then
    /// made from its properties as the server makes them; else each property is a variable as it stands.
    pub fn is_running(&self) -> bool {
        self.actions.is_some() || self.files.is_some()
    }
}

/// The job that an expression belongs to.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Job {
    /// Its id.
    pub id: Option<String>,
    /// The name of the application.
    pub name: Option<String>,
    /// Its user.
    pub user: Option<String>,
    /// Its group.
    pub group: Option<String>,
    /// The path of the application.
    pub app_path: Option<String>,
    /// Which run it is.
    pub run: i64,
    /// The id of the present action.
    pub action_id: Option<String>,
}

/// An action of a workflow that has come to its end.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Action {
    /// Its name.
    pub name: String,
    /// `OK`, `ERROR`, `FAILED`, `KILLED`.
    pub status: Option<String>,
    /// Where it went.
    pub transition: Option<String>,
    /// The id of its own job.
    pub external_id: Option<String>,
    /// How its own job ended.
    pub external_status: Option<String>,
    /// The address of the server that ran it.
    pub tracker_uri: Option<String>,
    /// What it captured, as the text of a properties file.
    pub data: Option<String>,
    /// Counters, as JSON.
    pub stats: Option<String>,
    /// The ids of its children, with commas between; they take the place of captured output.
    pub child_ids: Option<String>,
    /// Its error code.
    pub error_code: Option<String>,
    /// Its error message.
    pub error_message: Option<String>,
}

/// Texts; numbers and booleans are taken as they are written.
fn texts<'de, D: Deserializer<'de>>(deserializer: D) -> Result<IndexMap<String, String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Scalar {
        Text(String),
        Bool(bool),
        Number(serde_json::Number),
    }
    let scalars = IndexMap::<String, Scalar>::deserialize(deserializer)?;
    let text = |scalar| match scalar {
        Scalar::Text(text) => text,
        Scalar::Bool(bool) => bool.to_string(),
        Scalar::Number(number) => number.to_string(),
    };
    Ok(scalars.into_iter().map(|(name, scalar)| (name, text(scalar))).collect())
}

#[cfg(test)]
#[path = "world_tests.rs"]
mod tests;
