//! Where the output of an action comes from that captures it.

use serde::{Deserialize, Serialize};

/// Where what is captured lies.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Captures {
    /// Nothing is captured.
    #[default]
    Nothing,
    /// What the process writes to standard output.
    Stdout,
    /// A file that the process writes; it need not be there.
    File(std::path::PathBuf),
    /// The counters of map-reduce in what the process writes besides; they are no output.
    Counters,
}
