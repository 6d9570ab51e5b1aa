//! What files looked like when they were last looked at. Asks the file system again and again: this works everywhere,
//! also where no events come (network drives, containers), and needs no more than a look at each file's metadata.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// What is to be watched.
#[derive(Clone, Debug, Default)]
pub struct Watched {
    /// Files, there or not.
    pub files: BTreeSet<PathBuf>,
    /// Folders: what comes and goes in them.
    pub folders: BTreeSet<PathBuf>,
}

/// What changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// Files whose text changed.
    pub contents: BTreeSet<PathBuf>,
    /// Files came or went, or nothing is known yet.
    pub everything: bool,
}

impl Changes {
    /// Nothing is known yet.
    pub fn all() -> Changes {
        Changes { everything: true, ..Changes::default() }
    }
}

/// What a file looks like from outside. Editors that write a new file and rename it change its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stamp {
    length: u64,
    modified: Option<SystemTime>,
    number: u64,
}

impl Stamp {
    fn of(path: &Path) -> Option<Stamp> {
        let metadata = std::fs::metadata(path).ok().filter(Metadata::is_file)?;
        Some(Stamp { length: metadata.len(), modified: metadata.modified().ok(), number: number(&metadata) })
    }
}

#[cfg(unix)]
fn number(metadata: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::ino(metadata)
}

#[cfg(not(unix))]
fn number(_: &Metadata) -> u64 {
    0
}

/// The names in a folder, and when they last changed.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Listing {
    modified: Option<SystemTime>,
    names: Vec<std::ffi::OsString>,
}

/// The looks of everything that is watched.
#[derive(Debug, Default)]
pub(super) struct Stamps {
    ignored: BTreeSet<PathBuf>,
    /// `None`: not there.
    files: BTreeMap<PathBuf, Option<Stamp>>,
    folders: BTreeMap<PathBuf, Listing>,
    /// Files that were written while they were first read.
    doubtful: BTreeSet<PathBuf>,
}

impl Stamps {
    /// Passes these files over.
    pub(super) fn ignore(&mut self, paths: impl Iterator<Item = PathBuf>) {
        self.ignored.extend(paths);
    }

    /// Watches these from now on, and nothing else. `start` is when the reading of new files began.
    pub(super) fn follow(&mut self, watched: &Watched, start: SystemTime) {
        self.files.retain(|path, _| watched.files.contains(path));
        self.folders.retain(|path, _| watched.folders.contains(path));
        for path in watched.files.difference(&self.ignored) {
            if !self.files.contains_key(path) {
                let stamp = Stamp::of(path);
                if stamp.is_some_and(|stamp| stamp.modified.is_some_and(|modified| modified > start)) {
                    self.doubtful.insert(path.clone());
                }
                self.files.insert(path.clone(), stamp);
            }
        }
        for path in &watched.folders {
            if !self.folders.contains_key(path) {
                let listing = self.listing(path);
                self.folders.insert(path.clone(), listing);
            }
        }
    }

    /// What changed since the last look.
    pub(super) fn poll(&mut self) -> Option<Changes> {
        let mut changes = Changes { contents: std::mem::take(&mut self.doubtful), everything: false };
        for (path, old) in &mut self.files {
            let stamp = Stamp::of(path);
            if stamp != *old {
                changes.everything |= stamp.is_none() || old.is_none();
                changes.contents.insert(path.clone());
                *old = stamp;
            }
        }
        let changed: Vec<PathBuf> = self
            .folders
            .iter()
            .filter(|(path, old)| modified(path) != old.modified)
            .map(|(path, _)| path.clone())
            .collect();
        for path in changed {
            let listing = self.listing(&path);
            let old = self.folders.insert(path, listing.clone());
            changes.everything |= old.is_none_or(|old| old.names != listing.names);
        }
        (changes != Changes::default()).then_some(changes)
    }

    /// The names in a folder, without those of passing files and of what we write ourselves.
    fn listing(&self, folder: &Path) -> Listing {
        let modified = modified(folder);
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let is_lasting = |name: &std::ffi::OsString| {
            let text = name.to_string_lossy();
            !text.starts_with(['.', '#', '~'])
                && !text.ends_with(['~', '#'])
                && ![".swp", ".swx", ".tmp", ".bak", ".part"].iter().any(|end| text.ends_with(end))
                && text != "4913" // Vim tries with this name whether it may write.
                && !self.ignored.contains(&folder.join(name))
        };
        let mut names: Vec<_> = entries.map(|entry| entry.file_name()).filter(is_lasting).collect();
        names.sort();
        Listing { modified, names }
    }
}

fn modified(path: &Path) -> Option<SystemTime> {
    std::fs::metadata(path).ok()?.modified().ok()
}
