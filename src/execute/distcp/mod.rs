//! The distcp action: files copied between any two storages, in the process of a supervisor, as `DistCp` lays them out.

pub mod arguments;
pub mod copy;
pub mod listing;

use std::io::Write;

use serde::{Deserialize, Serialize};

use super::storage::Storage;
use super::storage::fault::StorageFault;

pub use copy::Counts;

/// What to copy, and how.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct Plan {
    /// From where; patterns too.
    pub sources: Vec<String>,
    /// A file with more of them, one a line.
    pub list: Option<String>,
    /// To where.
    pub target: String,
    /// What differs is copied, and a folder is made like its source.
    pub update: bool,
    /// All is copied, and a folder is made like its source.
    pub overwrite: bool,
    /// What the source does not have is deleted from the target.
    pub delete: bool,
    /// A file that cannot be copied does not end the work.
    pub ignore: bool,
    /// Files of the same length are taken for the same.
    pub skip_contents: bool,
    /// What was asked for and does not count here.
    pub notes: Vec<String>,
}

/// Why nothing, or not all, was copied.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CopyFault {
    /// Storage says so.
    #[error("{0}")]
    Storage(#[from] StorageFault),
    /// What was asked for cannot be done.
    #[error("{0}")]
    Input(String),
    /// Somebody wants it ended.
    #[error("it was killed")]
    Killed,
}

/// Copies; what is done is told line by line. `is_killed` is asked now and then.
pub fn run(
    storage: &Storage,
    plan: &Plan,
    out: &mut dyn Write,
    is_killed: &dyn Fn() -> bool,
) -> Result<Counts, CopyFault> {
    for note in &plan.notes {
        tell(out, note);
    }
    let listing = listing::Listing::of(storage, plan)?;
    let mut copy = copy::Copy::new(storage, plan, out, is_killed);
    copy.all(&listing)?;
    let counts = copy.counts;
    tell(
        out,
        &format!(
            "{} files with {} bytes copied, {} left as they are, {} deleted, {} failed",
            counts.copied, counts.bytes, counts.skipped, counts.deleted, counts.failed
        ),
    );
    Ok(counts)
}

/// A line for whoever reads the log; that it cannot be written does not end the work.
fn tell(out: &mut dyn Write, line: &str) {
    let _ = writeln!(out, "{line}");
}
