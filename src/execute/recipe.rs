//! What stands behind a key of the journal: the files of a definition as they were, and what it was submitted with.
//!
//! A program is made from its recipe alone, whatever has become of the files since.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::time::Instant;

/// A recipe.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Recipe {
    /// What it makes.
    pub what: What,
    /// The definition.
    pub path: PathBuf,
    /// The files that were read, and what they held; a file that was not there is empty configuration.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub files: BTreeMap<PathBuf, Bytes>,
    /// Where the paths of other files led.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub found: BTreeMap<String, PathBuf>,
    /// The properties that it depends on.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub conf: BTreeMap<String, String>,
}

/// What a recipe makes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum What {
    /// A workflow.
    Workflow {
        /// The key of the workflow that runs it as a sub-workflow, whose global section it inherits.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        above: Option<String>,
        /// The node at which it begins, when that is not its first.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<String>,
    },
    /// A coordinator.
    Coordinator {
        /// Its name in a bundle.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        name: Option<String>,
        /// The actions that are wanted, such as `3-5,8`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        only: Option<String>,
        /// What the server gives it that does not say: timeout, concurrency and throttle; nothing: what is delivered.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        defaults: Option<[i64; 3]>,
    },
    /// A bundle.
    Bundle {
        /// Its name.
        name: String,
        /// When it starts by itself, in milliseconds.
        kick_off: Option<i64>,
        /// Its coordinators.
        children: Vec<Child>,
        /// The coordinators that are wanted; none: all.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        only: Vec<String>,
        /// Code and words of what makes its start fail.
        fault: Option<(String, String)>,
    },
}

impl What {
    /// When a bundle starts by itself.
    pub fn kick_off(millis: Option<i64>) -> Option<Instant> {
        millis.map(Instant::from_millis)
    }
}

/// A coordinator of a bundle, before it is submitted.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Child {
    /// Its name.
    pub name: String,
    /// Whether the bundle fails when it is refused.
    pub critical: bool,
    /// Whether it is submitted at all.
    pub enabled: bool,
    /// Where it lies.
    pub app_path: String,
    /// What it is submitted with.
    pub conf: BTreeMap<String, String>,
    /// Code and words of why it cannot be.
    pub refused: Option<(String, String)>,
}

/// The content of a file, as text where it is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Bytes {
    /// UTF-8.
    Text(String),
    /// Anything else.
    Raw(Vec<u8>),
}

impl From<Vec<u8>> for Bytes {
    fn from(bytes: Vec<u8>) -> Bytes {
        String::from_utf8(bytes).map_or_else(|error| Bytes::Raw(error.into_bytes()), Bytes::Text)
    }
}

impl Bytes {
    /// The bytes.
    pub fn as_slice(&self) -> &[u8] {
        match self {
            Bytes::Text(text) => text.as_bytes(),
            Bytes::Raw(bytes) => bytes,
        }
    }
}
