//! The fs action: operations on files of mapped storage, with a server's error codes (`FsActionExecutor`).
//!
//! All paths are looked at before anything is changed, so a wrong one changes nothing.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::storage::{Located, Storage, StorageError};
use crate::engine::Outside;
use crate::plan::coordinator::Exists;
use crate::xml::Element;

/// The most paths that one pattern may stand for (`oozie.action.fs.glob.max`).
const MAX_MATCHES: usize = 50_000;

/// One operation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Operation {
    /// Makes a folder and those above it.
    Mkdir(String),
    /// Deletes what a pattern stands for, with all below.
    Delete(String),
    /// Moves what a pattern stands for.
    Move {
        /// From where.
        source: String,
        /// To where.
        target: String,
    },
    /// Sets permissions.
    Chmod {
        /// Of what a pattern stands for.
        path: String,
        /// `755` or `-rwxr-xr-x`.
        permissions: String,
        /// Of what is in a folder too.
        dir_files: bool,
        /// Of all below.
        recursive: bool,
    },
    /// Sets the group.
    Chgrp {
        /// Of what a pattern stands for.
        path: String,
        /// The name of the group.
        group: String,
        /// Of what is in a folder too.
        dir_files: bool,
        /// Of all below.
        recursive: bool,
    },
    /// Makes an empty file, or touches one.
    Touchz(String),
    /// Sets the number of copies, which local files do not have.
    Setrep(String),
}

/// Why operations failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilesFault {
    /// A server's code.
    pub code: &'static str,
    /// In words.
    pub words: String,
}

fn fault(code: &'static str, words: impl Into<String>) -> FilesFault {
    FilesFault { code, words: words.into() }
}

impl From<StorageError> for FilesFault {
    fn from(error: StorageError) -> FilesFault {
        let code = match error {
            StorageError::Relative(_) => "FS011",
            StorageError::Unmapped(_) | StorageError::Outside(_) => "E0904",
        };
        fault(code, error.to_string())
    }
}

/// Reads the operations of an action, evaluated.
pub fn operations(action: &Element) -> Result<Vec<Operation>, FilesFault> {
    let name_node = action.child("name-node").map(|element| element.text().value.trim().to_owned());
    let full = |text: &str| -> Result<String, FilesFault> {
        let text = text.trim();
        match &name_node {
            _ if text.contains(':') => Ok(text.to_owned()),
            None => Err(fault("FS001", format!("Missing scheme in path [{text}]"))),
            Some(_) if !text.starts_with('/') => {
                Err(fault("FS011", format!("Path [{text}] cannot be relative")))
            }
            Some(name_node) => {
                // Its scheme and authority, without the path.
                let scheme = name_node.find("://").map_or(0, |at| at + 3);
                let end = name_node[scheme..].find('/').map_or(name_node.len(), |at| scheme + at);
                Ok(format!("{}{text}", &name_node[..end]))
            }
        }
    };
    let mut operations = Vec::new();
    for command in action.elements() {
        let text =
            |name: &str| command.attribute(name).map(|text| text.value.value.as_str()).unwrap_or_default();
        let path = || full(text("path"));
        let dir_files = !text("dir-files").eq_ignore_ascii_case("false");
        let recursive = command.child("recursive").is_some();
        operations.push(match command.name.local.as_str() {
            "mkdir" => Operation::Mkdir(path()?),
            "delete" => Operation::Delete(path()?),
            "move" => {
                let target = text("target");
                let target = if target.contains(':') {
                    target.trim().to_owned()
                } else {
                    full_beside(&full(text("source"))?, target)
                };
                Operation::Move { source: full(text("source"))?, target }
            }
            "chmod" => {
                let permissions = text("permissions").trim().to_owned();
                Operation::Chmod { path: path()?, permissions, dir_files, recursive }
            }
            "chgrp" => {
                Operation::Chgrp { path: path()?, group: text("group").to_owned(), dir_files, recursive }
            }
            "touchz" => Operation::Touchz(path()?),
            "setrep" => Operation::Setrep(path()?),
            _ => continue,
        });
    }
    Ok(operations)
}

/// A target without scheme lies where its source does.
fn full_beside(source: &str, target: &str) -> String {
    let scheme = source.find(':').map_or(0, |at| at + 1);
    let authority = if source[scheme..].starts_with("//") { scheme + 2 } else { scheme };
    let end = source[authority..].find('/').map_or(source.len(), |at| authority + at);
    format!("{}{}", &source[..end], target.trim())
}

/// Does all operations in order; none when a path of one of them leads nowhere.
pub fn run(storage: &Storage, operations: &[Operation]) -> Result<(), FilesFault> {
    for operation in operations {
        let (first, second) = match operation {
            Operation::Move { source, target } => (source, Some(target)),
            Operation::Chmod { path, .. } | Operation::Chgrp { path, .. } => (path, None),
            Operation::Mkdir(path)
            | Operation::Delete(path)
            | Operation::Touchz(path)
            | Operation::Setrep(path) => (path, None),
        };
        for uri in std::iter::once(first).chain(second) {
            storage.locate(fixed(uri))?;
        }
        if let Operation::Delete(path) = operation {
            not_a_root(storage, path)?;
        }
    }
    operations.iter().try_for_each(|operation| one(storage, operation))
}

/// A folder that stands for storage is not deleted, nor what holds it.
fn not_a_root(storage: &Storage, uri: &str) -> Result<(), FilesFault> {
    let Located { path, root } = storage.locate(uri.trim_end_matches(['*', '/']))?;
    if root.starts_with(&path) {
        return Err(fault("FS005", format!("`{uri}` is all of the storage, which is not deleted")));
    }
    Ok(())
}

fn fixed(uri: &str) -> &str {
    uri.find(['*', '?', '[', '{']).map_or(uri, |at| &uri[..at])
}

/// What a path or pattern stands for.
fn matches(storage: &Storage, uri: &str) -> Result<Vec<PathBuf>, FilesFault> {
    if fixed(uri).len() == uri.len() {
        let path = storage.locate(uri)?.path;
        return Ok(if path.symlink_metadata().is_ok() { vec![path] } else { Vec::new() });
    }
    let found = storage.files(uri);
    if found.len() > MAX_MATCHES {
        return Err(fault("FS013", "too many globbed files/dirs to do FS operation"));
    }
    found.into_iter().map(|(uri, _)| Ok(storage.locate(&uri)?.path)).collect()
}

fn one(storage: &Storage, operation: &Operation) -> Result<(), FilesFault> {
    let failed = |error: std::io::Error| io_fault(&error);
    match operation {
        Operation::Mkdir(path) => std::fs::create_dir_all(storage.locate(path)?.path).map_err(|error| {
            fault("FS004", format!("mkdir, path [{path}] could not create directory: {error}"))
        }),
        Operation::Delete(pattern) => {
            for path in matches(storage, pattern)? {
                delete(&path).map_err(|error| {
                    fault(
                        "FS005",
                        format!("delete, path [{}] could not delete path: {error}", path.display()),
                    )
                })?;
            }
            Ok(())
        }
        Operation::Move { source, target } => {
            let sources = matches(storage, source)?;
            let to = storage.locate(target)?.path;
            if sources.is_empty() {
                return Err(fault("FS006", format!("move, source path [{source}] does not exist")));
            }
            if sources.len() > 1 && !to.is_dir() {
                let words = "move, could not rename multiple sources to the same target name";
                return Err(fault("FS012", words));
            }
            for from in sources {
                // Into a folder that is there, as HDFS renames.
                let to = if to.is_dir() { to.join(from.file_name().unwrap_or_default()) } else { to.clone() };
                let words = || format!("move, could not move [{}] to [{target}]", from.display());
                if to.symlink_metadata().is_ok() {
                    return Err(fault("FS008", words()));
                }
                std::fs::rename(&from, &to)
                    .map_err(|error| fault("FS008", format!("{}: {error}", words())))?;
            }
            Ok(())
        }
        Operation::Chmod { path, permissions, dir_files, recursive } => {
            let mode = mode(permissions).ok_or_else(|| {
                fault("FS010", format!("chmod, path [{path}] invalid permissions mask [{permissions}]"))
            })?;
            each(storage, "chmod", path, *dir_files, *recursive, &|path| set_mode(path, mode))
        }
        Operation::Chgrp { path, group, dir_files, recursive } => {
            each(storage, "chgrp", path, *dir_files, *recursive, &|path| set_group(path, group))
        }
        Operation::Touchz(uri) => {
            let path = storage.locate(uri)?.path;
            match path.metadata() {
                Ok(meta) if meta.is_dir() => return Err(fault("FS014", format!("{uri} is a directory"))),
                Ok(meta) if meta.len() != 0 => {
                    return Err(fault("FS014", format!("{uri} must be a zero-length file")));
                }
                _ => {}
            }
            if let Some(folder) = path.parent() {
                std::fs::create_dir_all(folder).map_err(failed)?;
            }
            std::fs::File::create(path).map(|_| ()).map_err(failed)
        }
        Operation::Setrep(path) => storage.locate(path).map(|_| ()).map_err(FilesFault::from),
    }
}

fn io_fault(error: &std::io::Error) -> FilesFault {
    let code = if error.kind() == std::io::ErrorKind::PermissionDenied { "FS014" } else { "JA009" };
    fault(code, error.to_string())
}

/// Deletes a file, a link or a folder with all below; a link's target stays.
pub fn delete(path: &Path) -> std::io::Result<()> {
    if path.symlink_metadata()?.is_dir() { std::fs::remove_dir_all(path) } else { std::fs::remove_file(path) }
}

/// Does something with what a pattern stands for, with what is in folders, and with all below.
fn each(
    storage: &Storage,
    name: &str,
    uri: &str,
    dir_files: bool,
    recursive: bool,
    act: &dyn Fn(&Path) -> std::io::Result<()>,
) -> Result<(), FilesFault> {
    let found = matches(storage, uri)?;
    if found.is_empty() {
        let words = format!("{name}, path(s) that matches [{uri}] does not exist");
        return Err(fault("FS009", words));
    }
    let mut open: Vec<(PathBuf, bool)> = found.into_iter().map(|path| (path, true)).collect();
    while let Some((path, goes_in)) = open.pop() {
        let meta = path.symlink_metadata().map_err(|error| io_fault(&error))?;
        if meta.is_symlink() {
            continue;
        }
        if meta.is_dir() && goes_in && dir_files {
            for entry in std::fs::read_dir(&path).map_err(|error| io_fault(&error))? {
                open.push((entry.map_err(|error| io_fault(&error))?.path(), recursive));
            }
        }
        act(&path).map_err(|error| io_fault(&error))?;
    }
    Ok(())
}

/// The bits of `755` or `-rwxr-xr-x`.
fn mode(permissions: &str) -> Option<u32> {
    if permissions.len() == 3 {
        return u32::from_str_radix(permissions, 8).ok();
    }
    let signs: Vec<char> = permissions.chars().collect();
    if signs.len() != 10 {
        return None;
    }
    let mut mode = 0;
    for (sign, expected) in signs[1..].iter().zip("rwxrwxrwx".chars()) {
        mode = mode << 1
            | match sign {
                '-' => 0,
                sign if *sign == expected => 1,
                _ => return None,
            };
    }
    Some(mode)
}

#[cfg(unix)]
fn set_mode(path: &Path, mode: u32) -> std::io::Result<()> {
    std::fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(mode))
}

#[cfg(not(unix))]
fn set_mode(_path: &Path, _mode: u32) -> std::io::Result<()> {
    Ok(())
}

#[cfg(unix)]
fn set_group(path: &Path, group: &str) -> std::io::Result<()> {
    let found = nix::unistd::Group::from_name(group)?;
    let unknown = || std::io::Error::other(format!("there is no group `{group}` on this machine"));
    let group = found.ok_or_else(unknown)?;
    Ok(nix::unistd::chown(path, None, Some(group.gid))?)
}

#[cfg(not(unix))]
fn set_group(_path: &Path, _group: &str) -> std::io::Result<()> {
    Ok(())
}

/// Removes the outputs of an action that is run again: what is there is deleted, what is not mapped stays.
pub fn clean(storage: &Storage, uri: &str) -> Result<(), FilesFault> {
    if !storage.exists(uri) {
        return Ok(());
    }
    run(storage, &[Operation::Delete(uri.to_owned())])
}
