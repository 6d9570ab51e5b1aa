//! What is put into place before a process of an action runs: files and archives in its folder, then `prepare`.
//!
//! It is done by whoever runs the attempt, in the order of a server's launcher (`LauncherAM.executePrepare` runs where the
//! files lie already).

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::fetch;
use super::files::{self, FilesFault, Operation};
use super::lasting;
use super::private;
use super::storage::Storage;
use super::storage::fault::{StorageFault, Why};
use super::unpack::{self, Kind, Limits};
use crate::engine::TroubleKind;
use crate::host::files::{LeadsOut, holds};

/// More files of one folder are not put into place.
const MAX_FILES: usize = 200_000;

/// All of it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct Setup {
    /// Where URIs lie.
    pub storage: Storage,
    /// What is put into the folder, in order.
    pub pieces: Vec<Piece>,
    /// The operations of `prepare`.
    pub prepare: Vec<Operation>,
}

/// One thing that is put into the folder.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Piece {
    /// Where it lies.
    pub from: PathBuf,
    /// Where it lies when that is no folder of this machine; `from` is its name then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uri: Option<String>,
    /// The folder that holds it and that no link in it may leave.
    pub root: PathBuf,
    /// The name that it gets, relative to the folder.
    pub name: PathBuf,
    /// Whether it is an archive that is unpacked.
    pub unpacks: bool,
}

impl Setup {
    /// Does all of it in a folder.
    pub fn run(&self, folder: &Path) -> Result<(), FilesFault> {
        self.pieces.iter().try_for_each(|piece| match &piece.uri {
            None => put(piece, folder),
            Some(uri) => self.bring(uri, piece, folder),
        })?;
        files::run(&self.storage, &self.prepare).map_err(|found| {
            let words =
                format!("Prepare execution in the Launcher AM has failed, {} ({})", found.words, found.code);
            FilesFault::new("JA018", words)
        })
    }
}

impl Setup {
    /// Brings a thing from elsewhere; an archive is unpacked from a file beside the folder.
    fn bring(&self, uri: &str, piece: &Piece, folder: &Path) -> Result<(), FilesFault> {
        let failed = |found: StorageFault| {
            let words = format!("cannot bring `{uri}` into the action's folder: {}", found.words);
            FilesFault { kind: found.why.kind(), ..FilesFault::new(found.why.code(), words) }
        };
        let name = piece.name.to_string_lossy();
        if !piece.unpacks || kind_by_name(&piece.from).is_none() {
            return fetch::fetch(&self.storage, uri, folder, &name).map_err(failed);
        }
        let beside = folder.with_extension("brought");
        fetch::fetch(&self.storage, uri, &beside, FETCHED).map_err(failed)?;
        let from = beside.join(FETCHED);
        let to = folder.join(&piece.name);
        let put = match kind_by_name(&piece.from).filter(|_| from.is_file()) {
            Some(kind) => {
                unpack::unpack(&from, kind, &to, Limits::default()).map_err(|error| error.to_string())
            }
            // A folder of such a name.
            None => to
                .parent()
                .map_or(Ok(()), private::make_folders)
                .and_then(|()| std::fs::rename(&from, &to))
                .map_err(|error| error.to_string()),
        };
        // What was unpacked is not kept twice; what cannot be removed does no harm.
        let _ = std::fs::remove_dir_all(&beside);
        put.map_err(|error| FilesFault::new("JA018", format!("the archive `{uri}` is not unpacked: {error}")))
    }
}

/// The name of an archive while it is unpacked.
const FETCHED: &str = "archive";

fn kind_by_name(path: &Path) -> Option<Kind> {
    unpack::kind_of(&path.file_name().unwrap_or_default().to_string_lossy())
}

fn put(piece: &Piece, folder: &Path) -> Result<(), FilesFault> {
    let shown = piece.from.display();
    let failed = |error: std::io::Error| {
        let code = match error.kind() {
            std::io::ErrorKind::NotFound => "JA008",
            _ if error.get_ref().is_some_and(|inner| inner.is::<LeadsOut>()) => Why::Outside.code(),
            _ => "JA009",
        };
        // Somebody has to make room; the action has done nothing yet.
        let kind = if lasting::is_full(&error) { TroubleKind::NonTransient } else { TroubleKind::Error };
        let words = format!("cannot put `{shown}` into the action's folder: {error}");
        FilesFault { kind, ..FilesFault::new(code, words) }
    };
    holds(&piece.root, &piece.from).map_err(failed)?;
    let to = folder.join(&piece.name);
    if let Some(above) = to.parent() {
        private::make_folders(above).map_err(failed)?;
    }
    match kind_of(piece) {
        Some(kind) => unpack::unpack(&piece.from, kind, &to, Limits::default()).map_err(|error| {
            FilesFault::new("JA018", format!("the archive `{shown}` is not unpacked: {error}"))
        }),
        None => copy(piece, &to).map_err(failed),
    }
}

/// What kind of archive a piece is; a folder is none, whatever its name.
fn kind_of(piece: &Piece) -> Option<Kind> {
    kind_by_name(&piece.from).filter(|_| piece.unpacks && piece.from.is_file())
}

/// Copies a file, or a folder with all below.
fn copy(piece: &Piece, to: &Path) -> std::io::Result<()> {
    let mut open = vec![(piece.from.clone(), to.to_owned())];
    let mut count = 0;
    while let Some((from, to)) = open.pop() {
        count += 1;
        if count > MAX_FILES {
            return Err(std::io::Error::other(format!("it holds more than {MAX_FILES} files")));
        }
        let is_link = from.symlink_metadata()?.is_symlink();
        if is_link {
            holds(&piece.root, &from)?;
        }
        if from.is_dir() {
            if is_link && from != piece.from {
                return Err(std::io::Error::other(format!("`{}` is a link to a folder", from.display())));
            }
            private::make_folders(&to)?;
            for entry in std::fs::read_dir(&from)? {
                let entry = entry?;
                open.push((entry.path(), to.join(entry.file_name())));
            }
        } else if from.is_file() {
            std::fs::copy(&from, &to)?;
            private::let_owner_run(&to)?;
        } else {
            return Err(std::io::Error::other(format!(
                "`{}` is neither a file nor a folder",
                from.display()
            )));
        }
    }
    Ok(())
}
