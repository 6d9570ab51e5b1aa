//! The fs action: operations on files of storage, with a server's error codes (`FsActionExecutor`).
//!
//! All of them are looked at before anything is changed, so a wrong one changes nothing.

mod act;
pub mod check;
pub mod read;

use super::storage::fault::{StorageFault, Why};
use super::storage::{Storage, naming};
use crate::engine::TroubleKind;
use crate::plan::fs::FsFault;
pub use crate::plan::fs::Operation;

pub use read::operations;

impl Operation {
    /// What it looks at or changes first, and where it leads.
    fn paths(&self) -> (&str, Option<&str>) {
        match self {
            Operation::Move { source, target } => (source, Some(target)),
            Operation::Mkdir(path)
            | Operation::Delete(path)
            | Operation::Touchz(path)
            | Operation::Trash { path, .. }
            | Operation::Chmod { path, .. }
            | Operation::Chgrp { path, .. }
            | Operation::Setrep { path, .. } => (path, None),
        }
    }
}

/// Why operations failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilesFault {
    /// A server's code. Exceptions that its fs action does not know have the name of their class as their code.
    pub code: &'static str,
    /// In words.
    pub words: String,
    /// What is done about it.
    pub kind: TroubleKind,
}

impl FilesFault {
    /// An error with a code.
    pub fn new(code: &'static str, words: impl Into<String>) -> FilesFault {
        let words = naming::shown(&words.into()).into_owned();
        FilesFault { code, words, kind: TroubleKind::Error }
    }
}

fn fault(code: &'static str, words: impl Into<String>) -> FilesFault {
    FilesFault::new(code, words)
}

impl From<FsFault> for FilesFault {
    fn from(found: FsFault) -> FilesFault {
        FilesFault::new(found.code, found.words)
    }
}

impl From<StorageFault> for FilesFault {
    /// `FsActionExecutor.initActionType` knows one exception; the names of others are their codes. What may pass by itself,
    /// and what somebody must look at, is told as launched actions have it, so that it is tried again.
    fn from(found: StorageFault) -> FilesFault {
        let kind = found.why.kind();
        let code = match found.why {
            Why::Denied => "FS014",
            Why::Guarded => "FS005",
            Why::Unmapped | Why::Outside | Why::Remote | Why::Relative => found.why.code(),
            _ if kind != TroubleKind::Error => found.why.code(),
            why => why.class(),
        };
        FilesFault { code, words: found.words, kind }
    }
}

/// Does all operations in order; none when one of them cannot be done as things stand.
pub fn run(storage: &Storage, operations: &[Operation]) -> Result<(), FilesFault> {
    check::all(storage, operations)?;
    operations.iter().try_for_each(|operation| act::one(storage, operation))
}

/// Removes the outputs of an action that is run again: what is there is deleted, what is not mapped stays.
pub fn clean(storage: &Storage, uri: &str) -> Result<(), FilesFault> {
    match storage.spot(uri) {
        Err(StorageFault { why: Why::Unmapped | Why::Relative, .. }) => Ok(()),
        Err(found) => Err(found.into()),
        Ok(_) => run(storage, &[Operation::Delete(uri.to_owned())]),
    }
}
