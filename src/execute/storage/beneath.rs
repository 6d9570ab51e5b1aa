//! Local files below a folder, reached from its descriptor name by name, so that what somebody changes between a look and
//! its use cannot lead elsewhere.
//!
//! No name is opened through a link: a link is read here, and what it says is walked from the same folders; one that leads
//! above the folder, or that is absolute and leads elsewhere, is refused.

use std::ffi::{CString, OsStr, OsString};
use std::io::{Error, Result};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Component, Path, PathBuf};

use nix::dir::Dir;
use nix::errno::Errno;
use nix::fcntl::{AtFlags, OFlag, open, openat, readlinkat, renameat};
use nix::sys::stat::{FchmodatFlags, FileStat, Mode, fchmodat, fstatat, mkdirat};
use nix::unistd::{Gid, UnlinkatFlags, fchownat, unlinkat};

use super::naming;

/// More links one after the other are taken for a circle.
const MAX_LINKS: usize = 40;

const FOLDER: OFlag = OFlag::O_RDONLY.union(OFlag::O_DIRECTORY).union(OFlag::O_CLOEXEC);

/// A folder that is not left.
pub struct Root {
    folder: OwnedFd,
    /// Its path without links; absolute links below it are taken as leading into it.
    path: PathBuf,
}

/// A name in a folder.
pub struct Entry {
    folder: OwnedFd,
    name: CString,
}

/// Why a path leads out.
fn outside() -> Error {
    Error::other(Outside)
}

#[derive(Debug, thiserror::Error)]
#[error("a link leads out of the folder that stands for it")]
struct Outside;

/// Whether an error is that of a path that leads out.
pub fn is_outside(error: &Error) -> bool {
    error.get_ref().is_some_and(|inner| inner.is::<Outside>())
}

impl Root {
    /// A folder; it may be given through a link.
    pub fn open(path: &Path) -> Result<Root> {
        let path = std::fs::canonicalize(path)?;
        let folder = open(&path, FOLDER, Mode::empty())?;
        Ok(Root { folder, path })
    }

    /// The entry at a path: its folder, reached without leaving the root. Links before the last name are followed inside
    /// the root, the last one where `follows` says so. Nothing for the root itself.
    pub fn entry(&self, path: &str, follows: bool) -> Result<Option<Entry>> {
        let mut todo: Vec<OsString> =
            path.split('/').rev().filter(|it| !it.is_empty()).map(naming::name_of).collect();
        // The folders from the root on, for links that say `..`.
        let mut folders: Vec<OwnedFd> = Vec::new();
        let mut links = 0;
        while let Some(name) = todo.pop() {
            if name == ".." {
                folders.pop().ok_or_else(outside)?;
                continue;
            }
            let top = folders.last().map_or(self.folder.as_fd(), |folder| folder.as_fd());
            let is_last = todo.is_empty();
            match readlinkat(top, name.as_os_str()) {
                Ok(_) if is_last && !follows => return entry_of(top, name).map(Some),
                Ok(target) => {
                    links += 1;
                    if links > MAX_LINKS {
                        return Err(Error::from(Errno::ELOOP));
                    }
                    let mut target = PathBuf::from(target);
                    if target.is_absolute() {
                        target = target.strip_prefix(&self.path).map_err(|_| outside())?.to_owned();
                        folders.clear();
                    }
                    let names = target.components().rev().filter_map(|part| match part {
                        Component::Normal(name) => Some(Ok(name.to_owned())),
                        Component::ParentDir => Some(Ok("..".into())),
                        Component::CurDir => None,
                        _ => Some(Err(outside())),
                    });
                    todo.extend(names.collect::<Result<Vec<_>>>()?);
                }
                // It is no link, or is not there.
                Err(Errno::EINVAL | Errno::ENOENT) if is_last => return entry_of(top, name).map(Some),
                Err(Errno::EINVAL) => {
                    let folder = openat(top, name.as_os_str(), FOLDER | OFlag::O_NOFOLLOW, Mode::empty())?;
                    folders.push(folder);
                }
                Err(error) => return Err(error.into()),
            }
        }
        // A link has led to a folder by `..`, or to the root.
        match folders.pop() {
            Some(folder) => Ok(Some(Entry { folder, name: c".".to_owned() })),
            None => Ok(None),
        }
    }

    /// The folder at a path.
    pub fn folder(&self, path: &str) -> Result<OwnedFd> {
        match self.entry(path, true)? {
            Some(entry) => entry.as_folder(),
            None => self.folder.try_clone(),
        }
    }

    /// Makes a folder and those above it.
    pub fn mkdirs(&self, path: &str) -> Result<()> {
        let names: Vec<&str> = path.split('/').filter(|name| !name.is_empty()).collect();
        for end in 1..=names.len() {
            let Some(entry) = self.entry(&names[..end].join("/"), true)? else { continue };
            match mkdirat(&entry.folder, entry.name.as_c_str(), Mode::from_bits_truncate(0o777)) {
                Ok(()) => {}
                Err(Errno::EEXIST) => drop(entry.as_folder()?),
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }
}

fn entry_of(folder: BorrowedFd<'_>, name: OsString) -> Result<Entry> {
    let name = CString::new(name.into_vec())?;
    Ok(Entry { folder: folder.try_clone_to_owned()?, name })
}

impl Entry {
    /// What it is; a link is itself.
    pub fn stat(&self) -> Result<Option<FileStat>> {
        match fstatat(&self.folder, self.name.as_c_str(), AtFlags::AT_SYMLINK_NOFOLLOW) {
            Ok(stat) => Ok(Some(stat)),
            Err(Errno::ENOENT | Errno::ENOTDIR) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// The folder that it is.
    pub fn as_folder(&self) -> Result<OwnedFd> {
        Ok(openat(&self.folder, self.name.as_c_str(), FOLDER | OFlag::O_NOFOLLOW, Mode::empty())?)
    }

    /// Opens the file that it is; anything else is refused, and no pipe is waited for.
    pub fn open(&self, flags: OFlag) -> Result<std::fs::File> {
        let flags = flags | OFlag::O_NOFOLLOW | OFlag::O_CLOEXEC | OFlag::O_NONBLOCK;
        let file = openat(&self.folder, self.name.as_c_str(), flags, Mode::from_bits_truncate(0o666))?;
        let file = std::fs::File::from(file);
        match file.metadata()?.is_file() {
            true => Ok(file),
            false => Err(Error::other("it is no file")),
        }
    }

    /// Another name in the same folder.
    pub fn beside(&self, name: &str) -> Result<Entry> {
        let name = CString::new(naming::name_of(name).into_vec())?;
        Ok(Entry { folder: self.folder.try_clone()?, name })
    }

    /// The name, as paths of storage have it.
    pub fn name(&self) -> String {
        naming::text_of(OsStr::from_bytes(self.name.as_bytes()))
    }

    /// Gives it another place.
    pub fn rename(&self, to: &Entry) -> Result<()> {
        Ok(renameat(&self.folder, self.name.as_c_str(), &to.folder, to.name.as_c_str())?)
    }

    /// Sets its permissions.
    pub fn set_mode(&self, mode: u32) -> Result<()> {
        let mode = Mode::from_bits_truncate(mode as nix::libc::mode_t);
        Ok(fchmodat(&self.folder, self.name.as_c_str(), mode, FchmodatFlags::NoFollowSymlink)?)
    }

    /// Sets its group.
    pub fn set_group(&self, group: Gid) -> Result<()> {
        Ok(fchownat(&self.folder, self.name.as_c_str(), None, Some(group), AtFlags::AT_SYMLINK_NOFOLLOW)?)
    }

    /// Deletes it, with all below; whether there was anything.
    pub fn delete(&self) -> Result<bool> {
        match unlinkat(&self.folder, self.name.as_c_str(), UnlinkatFlags::NoRemoveDir) {
            Ok(()) => return Ok(true),
            Err(Errno::ENOENT) => return Ok(false),
            // Linux says EISDIR, others EPERM.
            Err(Errno::EISDIR | Errno::EPERM) => {}
            Err(error) => return Err(error.into()),
        }
        // One level after the other, each with the names that it still holds.
        let first = Level::open(&self.folder, self.name.clone())?;
        let mut levels = vec![first];
        while let Some(level) = levels.last_mut() {
            if let Some(name) = level.names.pop() {
                match unlinkat(&level.folder, name.as_c_str(), UnlinkatFlags::NoRemoveDir) {
                    Ok(()) | Err(Errno::ENOENT) => {}
                    Err(Errno::EISDIR | Errno::EPERM) => {
                        let deeper = Level::open(&level.folder, name)?;
                        levels.push(deeper);
                    }
                    Err(error) => return Err(error.into()),
                }
                continue;
            }
            let Some(done) = levels.pop() else { break };
            let above = levels.last().map_or(&self.folder, |level| &level.folder);
            unlinkat(above, done.name.as_c_str(), UnlinkatFlags::RemoveDir)?;
        }
        Ok(true)
    }
}

/// A folder that is being emptied.
struct Level {
    folder: OwnedFd,
    name: CString,
    names: Vec<CString>,
}

impl Level {
    fn open(above: &OwnedFd, name: CString) -> Result<Level> {
        let folder = openat(above, name.as_c_str(), FOLDER | OFlag::O_NOFOLLOW, Mode::empty())?;
        let names = names_in(&folder)?;
        Ok(Level { folder, name, names })
    }
}

/// The names in a folder, sorted.
pub fn names_in(folder: &OwnedFd) -> Result<Vec<CString>> {
    // A descriptor of its own, since reading moves on in it.
    let own = openat(folder, c".", FOLDER, Mode::empty())?;
    let mut names = Vec::new();
    for entry in Dir::from_fd(own)?.iter() {
        let name = entry?.file_name().to_owned();
        if name.as_c_str() != c"." && name.as_c_str() != c".." {
            names.push(name);
        }
    }
    names.sort();
    Ok(names)
}

/// An entry of a folder.
pub fn entry_in(folder: &OwnedFd, name: CString) -> Result<Entry> {
    Ok(Entry { folder: folder.try_clone()?, name })
}

/// The number of a group of this machine.
pub fn group(name: &str) -> Result<Gid> {
    let number = name.parse().ok().map(Gid::from_raw);
    let found = nix::unistd::Group::from_name(name)?.map(|group| group.gid);
    found.or(number).ok_or_else(|| Error::other(format!("there is no group `{name}` on this machine")))
}
