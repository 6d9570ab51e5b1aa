//! What every kind of storage can do. Paths are names with slashes between, relative to what the kind stands for; the empty
//! path is all of it. [`super::Storage`] alone makes them, so none holds `.`, `..`, an empty name or a zero byte.

use std::io::Read;
use std::time::Duration;

use super::fault::StorageFault;

/// What lies at a path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Status {
    /// Whether it is a folder.
    pub is_folder: bool,
    /// Whether it is a link; local files alone have them. What is said besides is of what it leads to.
    pub is_link: bool,
    /// The bytes of a file; 0 for a folder.
    pub length: u64,
    /// The bytes of a block, where there are blocks.
    pub block_size: Option<u64>,
    /// When it was changed, in milliseconds.
    pub modified: i64,
    /// Permissions as Unix has them, where there are some.
    pub mode: Option<u32>,
}

impl Status {
    /// A file of so many bytes.
    pub fn is_file(&self) -> bool {
        !self.is_folder
    }
}

/// What a folder holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Folders in it, itself too.
    pub folders: u64,
    /// Files below it.
    pub files: u64,
    /// Bytes of all files below it.
    pub length: u64,
}

/// How long storage on other machines is waited for, whatever its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// Until a connection is made.
    pub connect: Duration,
    /// Until there is an answer, or the next piece of one.
    pub answer: Duration,
}

impl Default for Patience {
    fn default() -> Patience {
        Patience { connect: Duration::from_secs(10), answer: Duration::from_secs(60) }
    }
}

impl Patience {
    /// What is said of a limit that has passed.
    pub fn words(limit: Duration) -> String {
        format!("timed out after {} s", limit.as_secs_f32())
    }
}

/// A result of storage.
pub type Done<T = ()> = Result<T, StorageFault>;

/// One kind of storage.
pub trait Backend {
    /// What lies at a path; nothing when nothing does.
    fn status(&self, path: &str) -> Done<Option<Status>>;

    /// What lies at a path; a link is a link, wherever it leads.
    fn own_status(&self, path: &str) -> Done<Option<Status>> {
        self.status(path)
    }

    /// What lies in a folder: names and what they are, in the order of the names.
    fn list(&self, path: &str) -> Done<Vec<(String, Status)>>;

    /// Makes a folder and those above it; nothing is done when it is there.
    fn mkdirs(&self, path: &str) -> Done;

    /// Deletes a file, or a folder with all below it; whether there was anything. Links are deleted, not followed.
    fn delete(&self, path: &str) -> Done<bool>;

    /// Gives a file or folder another path, whose parent is there, and at which nothing is.
    fn rename(&self, from: &str, to: &str) -> Done;

    /// The content of a file.
    fn open(&self, path: &str) -> Done<Box<dyn Read + '_>> {
        self.open_at(path, 0)
    }

    /// The content of a file from a byte on that is at most its end.
    fn open_at(&self, path: &str, start: u64) -> Done<Box<dyn Read + '_>>;

    /// Writes a file, over one that is there; folders above it are made. It is there whole or, as far as the kind can
    /// see to it, not at all.
    fn create(&self, path: &str, content: &mut dyn Read) -> Done;

    /// Sets permissions, as Unix has them; nothing is done where there are none.
    fn set_mode(&self, path: &str, mode: u32) -> Done {
        let _ = (path, mode);
        Ok(())
    }

    /// Sets the group; nothing is done where there are none.
    fn set_group(&self, path: &str, group: &str) -> Done {
        let _ = (path, group);
        Ok(())
    }

    /// Sets how many copies there are of a file; nothing is done where there are none.
    fn set_replication(&self, path: &str, copies: u16) -> Done {
        let _ = (path, copies);
        Ok(())
    }

    /// Sets when it was changed, in milliseconds.
    fn set_times(&self, path: &str, modified: i64) -> Done;

    /// What a folder holds, all below it.
    fn summary(&self, path: &str) -> Done<Summary> {
        let mut summary = Summary::default();
        let mut open = vec![path.to_owned()];
        while let Some(folder) = open.pop() {
            summary.folders += 1;
            for (name, status) in self.list(&folder)? {
                match status {
                    Status { is_link: true, .. } => {}
                    Status { is_folder: true, .. } => open.push(join(&folder, &name)),
                    Status { length, .. } => {
                        summary.files += 1;
                        summary.length = summary.length.saturating_add(length);
                    }
                }
            }
        }
        Ok(summary)
    }
}

/// Whether a text that a server gives can be the name of a file, and leads nowhere else.
pub fn is_name(name: &str) -> bool {
    !name.is_empty() && name != "." && name != ".." && !name.contains(['/', '\0'])
}

/// A path below another one.
pub fn join(path: &str, name: &str) -> String {
    match (path, name) {
        ("", name) => name.to_owned(),
        (path, "") => path.to_owned(),
        (path, name) => format!("{path}/{name}"),
    }
}

/// The path above another one, and the last name; nothing for the whole.
pub fn split(path: &str) -> Option<(&str, &str)> {
    match path.rsplit_once('/') {
        Some(split) => Some(split),
        None if path.is_empty() => None,
        None => Some(("", path)),
    }
}
