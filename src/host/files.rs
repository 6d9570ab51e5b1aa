//! Reading files: never more than a limit, never anything but regular files, never outside the project.

use std::fs::File;
use std::io::Read;
use std::path::{Component, Path, PathBuf};

use crate::host::error::ShellError;
use crate::host::overlay;

/// Larger files are not read. Definitions are a few kilobytes; a server's own limit is 100,000 characters. The limits
/// of the XML reader ([`crate::xml::Limits`]) and of properties are lower, and have findings of their own.
pub const MAX_FILE_BYTES: u64 = 128 << 20;

/// What a file holds, if it is not too large.
#[derive(Clone, Debug)]
pub enum Content {
    /// All bytes.
    Bytes(Vec<u8>),
    /// It is larger than [`MAX_FILE_BYTES`]; nothing was read.
    TooLarge,
}

/// Reads a regular file within the limit.
pub fn read(path: &Path) -> Result<Content, ShellError> {
    match overlay::content(path) {
        Some(bytes) => Ok(Content::Bytes(bytes)),
        None => read_limited(path, MAX_FILE_BYTES),
    }
}

fn read_limited(path: &Path, limit: u64) -> Result<Content, ShellError> {
    let fault = |source| ShellError::Read { path: path.to_owned(), source };
    let metadata = std::fs::metadata(path).map_err(fault)?;
    if !metadata.is_file() {
        let what = if metadata.is_dir() { "it is a folder" } else { "it is not a regular file" };
        return Err(fault(std::io::Error::new(std::io::ErrorKind::InvalidInput, what)));
    }
    if metadata.len() > limit {
        return Ok(Content::TooLarge);
    }
    let mut bytes = Vec::with_capacity(usize::try_from(metadata.len()).unwrap_or(0) + 1);
    // The file may grow between the two calls.
    File::open(path).map_err(fault)?.take(limit + 1).read_to_end(&mut bytes).map_err(fault)?;
    Ok(if bytes.len() as u64 > limit { Content::TooLarge } else { Content::Bytes(bytes) })
}

/// Whether a file is there, or contents that stand in for it.
pub fn is_file(path: &Path) -> bool {
    overlay::content(path).is_some() || path.is_file()
}

/// Reads a stream to its end within the limit.
pub fn read_stream(stream: &mut dyn Read) -> std::io::Result<Content> {
    let mut bytes = Vec::new();
    stream.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes)?;
    Ok(if bytes.len() as u64 > MAX_FILE_BYTES { Content::TooLarge } else { Content::Bytes(bytes) })
}

/// Why a file cannot be opened, if so.
pub fn fault(path: &Path) -> Option<ShellError> {
    File::open(path).err().map(|source| ShellError::Read { path: path.to_owned(), source })
}

/// The first bytes of a regular file, empty where it cannot be read.
pub fn head(path: &Path, bytes: u64) -> Vec<u8> {
    if let Some(mut content) = overlay::content(path) {
        content.truncate(usize::try_from(bytes).unwrap_or(usize::MAX));
        return content;
    }
    let mut head = Vec::new();
    if std::fs::metadata(path).is_ok_and(|metadata| metadata.is_file())
        && let Ok(file) = File::open(path)
    {
        // A file that cannot be read has no head; who needs all of it will say why.
        let _ = file.take(bytes).read_to_end(&mut head);
    }
    head
}

/// True when a path, with its links followed, lies in a folder, with its links followed.
pub fn is_within(path: &Path, folder: &Path) -> bool {
    match (std::fs::canonicalize(path), std::fs::canonicalize(folder)) {
        (Ok(path), Ok(folder)) => path.starts_with(folder),
        _ => false,
    }
}

/// Refuses a path that leaves a folder once all links are followed. Whatever an app names, and whoever opens it, is asked
/// for here: a link in a project must not read what is not the project's.
pub fn holds(folder: &Path, path: &Path) -> std::io::Result<()> {
    match std::fs::canonicalize(path)?.starts_with(std::fs::canonicalize(folder)?) {
        true => Ok(()),
        false => Err(std::io::Error::other(LeadsOut { path: path.to_owned(), folder: folder.to_owned() })),
    }
}

/// A link that leads to what is not the app's.
#[derive(Debug, thiserror::Error)]
#[error("`{}` leads out of `{}`; put there what it leads to", path.display(), folder.display())]
pub struct LeadsOut {
    path: PathBuf,
    folder: PathBuf,
}

/// True when two paths, with their links followed, are one that exists.
pub fn is_same(one: &Path, other: &Path) -> bool {
    match (std::fs::canonicalize(one), std::fs::canonicalize(other)) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}

/// The way a path is shown: relative to the working directory when it lies below it, else as it is; with `/` between.
pub fn shown(path: &Path) -> String {
    let path = match std::env::current_dir() {
        Ok(current) => path.strip_prefix(&current).unwrap_or(path),
        Err(_) => path,
    };
    let path: PathBuf = path.components().filter(|part| !matches!(part, Component::CurDir)).collect();
    if path.as_os_str().is_empty() { ".".to_owned() } else { slashed(&path) }
}

/// A path as text with `/` between.
pub fn slashed(path: &Path) -> String {
    let text = path.to_string_lossy();
    if cfg!(windows) { text.replace('\\', "/") } else { text.into_owned() }
}

/// A path made absolute and freed of `.` and `..`, without looking at the disk.
pub fn absolute(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let mut clean = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                clean.pop();
            }
            Component::CurDir => {}
            other => clean.push(other),
        }
    }
    clean
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_files_and_folders_are_not_read() {
        let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
        assert!(matches!(read_limited(&manifest, 10), Ok(Content::TooLarge)));
        assert!(matches!(read_limited(&manifest, 1 << 20), Ok(Content::Bytes(_))));
        assert!(read(Path::new(env!("CARGO_MANIFEST_DIR"))).is_err());
        assert!(head(Path::new("/dev/zero"), 10).is_empty());
    }

    #[test]
    fn paths_lose_their_dots() {
        assert_eq!(absolute(Path::new("/a/./b/../c")), Path::new("/a/c"));
        assert_eq!(absolute(Path::new("/../a")), Path::new("/a"));
    }
}
