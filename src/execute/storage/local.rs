//! A folder of this machine that stands for storage.

use std::io::{Read, Seek, SeekFrom, Write};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use nix::fcntl::OFlag;
use nix::sys::stat::{FileStat, SFlag};

use super::backend::{Backend, Done, Status, join, split};
use super::beneath::{Entry, Root, entry_in, group, is_outside, names_in};
use super::fault::{StorageFault, Why};
use super::folder::Folder;

/// What of a mode are permissions.
const PERMISSIONS: u32 = 0o7777;

/// Every path is opened from the descriptor of its folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Beneath;

/// A folder of this machine.
pub type Local = Folder<Beneath>;

impl Local {
    fn fault(&self, path: &str, error: &std::io::Error) -> StorageFault {
        let shown = self.place(path).display().to_string();
        if is_outside(error) {
            return StorageFault::new(Why::Outside, format!("`{shown}`: {error}"));
        }
        StorageFault::io(&shown, error)
    }

    /// The root; nothing when it is not there.
    fn root(&self) -> Done<Option<Root>> {
        match Root::open(&self.root) {
            Ok(root) => Ok(Some(root)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(self.fault("", &error)),
        }
    }

    /// The root, made when it is not there.
    fn made(&self) -> Done<Root> {
        let made = std::fs::create_dir_all(&self.root).and_then(|()| Root::open(&self.root));
        made.map_err(|error| self.fault("", &error))
    }

    /// An entry that must be there, not followed.
    fn entry(&self, path: &str, follows: bool) -> Done<Entry> {
        let missing = || StorageFault::not_found(&self.place(path).display().to_string());
        let root = self.root()?.ok_or_else(missing)?;
        let entry = root.entry(path, follows).map_err(|error| self.fault(path, &error))?;
        entry.ok_or_else(|| {
            let words = format!("`{}` is all of a storage", self.place(path).display());
            StorageFault::new(Why::Guarded, words)
        })
    }

    /// What a look says; nothing where nothing lies there.
    fn looked(&self, path: &str, seen: std::io::Result<Option<Status>>) -> Done<Option<Status>> {
        use std::io::ErrorKind::{NotADirectory, NotFound};
        match seen {
            Err(error) if matches!(error.kind(), NotFound | NotADirectory) => Ok(None),
            seen => seen.map_err(|error| self.fault(path, &error)),
        }
    }

    /// Does something with an entry.
    fn with<T>(&self, path: &str, follows: bool, act: impl FnOnce(&Entry) -> std::io::Result<T>) -> Done<T> {
        act(&self.entry(path, follows)?).map_err(|error| self.fault(path, &error))
    }
}

// A mode has another width on other systems.
#[allow(clippy::useless_conversion)]
fn status_of(stat: &FileStat) -> Status {
    let kind = SFlag::from_bits_truncate(stat.st_mode) & SFlag::S_IFMT;
    let is_folder = kind == SFlag::S_IFDIR;
    Status {
        is_folder,
        is_link: kind == SFlag::S_IFLNK,
        length: if is_folder { 0 } else { u64::try_from(stat.st_size).unwrap_or_default() },
        block_size: None,
        modified: stat.st_mtime.saturating_mul(1000).saturating_add(stat.st_mtime_nsec / 1_000_000),
        mode: Some(u32::from(stat.st_mode) & PERMISSIONS),
    }
}

impl Backend for Local {
    fn status(&self, path: &str) -> Done<Option<Status>> {
        let Some(root) = self.root()? else { return Ok(None) };
        let look = || -> std::io::Result<Option<Status>> {
            let Some(own) = root.entry(path, false)? else {
                return Ok(Some(Status { is_folder: true, ..Status::default() }));
            };
            let Some(stat) = own.stat()? else { return Ok(None) };
            let status = status_of(&stat);
            if !status.is_link {
                return Ok(Some(status));
            }
            let target = match root.entry(path, true)? {
                Some(target) => target.stat()?,
                None => return Ok(Some(Status { is_folder: true, is_link: true, ..Status::default() })),
            };
            Ok(target.map(|stat| Status { is_link: true, ..status_of(&stat) }))
        };
        self.looked(path, look())
    }

    fn own_status(&self, path: &str) -> Done<Option<Status>> {
        let Some(root) = self.root()? else { return Ok(None) };
        let look = || match root.entry(path, false)? {
            Some(own) => Ok(own.stat()?.as_ref().map(status_of)),
            None => Ok(Some(Status { is_folder: true, ..Status::default() })),
        };
        self.looked(path, look())
    }

    fn list(&self, path: &str) -> Done<Vec<(String, Status)>> {
        let missing = || StorageFault::not_found(&self.place(path).display().to_string());
        let root = self.root()?.ok_or_else(missing)?;
        let fault = |error: std::io::Error| self.fault(path, &error);
        let folder = root.folder(path).map_err(fault)?;
        let mut found = Vec::new();
        for name in names_in(&folder).map_err(fault)? {
            let entry = entry_in(&folder, name).map_err(fault)?;
            let name = entry.name();
            let Some(mut status) = entry.stat().map_err(fault)?.as_ref().map(status_of) else { continue };
            if status.is_link {
                // Where it leads nowhere, or out of here, it is a link and no more.
                let target = self.status(&join(path, &name)).ok().flatten();
                status = target.unwrap_or(Status { length: 0, ..status });
            }
            found.push((name, status));
        }
        Ok(found)
    }

    fn mkdirs(&self, path: &str) -> Done {
        self.made()?.mkdirs(path).map_err(|error| self.fault(path, &error))
    }

    fn delete(&self, path: &str) -> Done<bool> {
        if self.root()?.is_none() {
            return Ok(false);
        }
        self.with(path, false, Entry::delete)
    }

    fn rename(&self, from: &str, to: &str) -> Done {
        let to = self.entry(to, false)?;
        self.with(from, false, |entry| entry.rename(&to))
    }

    fn open_at(&self, path: &str, start: u64) -> Done<Box<dyn Read + '_>> {
        let file = self.with(path, true, |entry| {
            let mut file = entry.open(OFlag::O_RDONLY)?;
            file.seek(SeekFrom::Start(start)).map(|_| file)
        })?;
        Ok(Box::new(file))
    }

    fn create(&self, path: &str, content: &mut dyn Read) -> Done {
        let root = self.made()?;
        if let Some((above, _)) = split(path) {
            root.mkdirs(above).map_err(|error| self.fault(above, &error))?;
        }
        self.with(path, true, |entry| {
            // Written beside it and put into its place, so that nobody sees a half.
            let beside = entry.beside(&format!(".{}.ankus", entry.name()))?;
            beside.delete()?;
            let mut file = beside.open(OFlag::O_WRONLY | OFlag::O_CREAT | OFlag::O_EXCL)?;
            let written = std::io::copy(content, &mut file).and_then(|_| file.flush());
            let put =
                written.and_then(|()| match entry.stat()?.is_some_and(|stat| status_of(&stat).is_folder) {
                    true => Err(std::io::Error::other("it is a folder")),
                    false => beside.rename(entry),
                });
            if put.is_err() {
                // What is written is of no use; the first error counts.
                let _ = beside.delete();
            }
            put
        })
    }

    fn set_mode(&self, path: &str, mode: u32) -> Done {
        self.with(path, false, |entry| entry.set_mode(mode))
    }

    fn set_group(&self, path: &str, name: &str) -> Done {
        let group = group(name).map_err(|error| self.fault(path, &error))?;
        self.with(path, false, |entry| entry.set_group(group))
    }

    fn set_times(&self, path: &str, modified: i64) -> Done {
        let at: SystemTime = UNIX_EPOCH + Duration::from_millis(u64::try_from(modified).unwrap_or_default());
        self.with(path, true, |entry| entry.open(OFlag::O_RDONLY)?.set_modified(at))
    }
}
