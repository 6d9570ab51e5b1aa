//! Files that only their owner may read, whatever the umask: what this program writes beside the work of an action, the
//! output of its processes among it.
//!
//! The one place of `execute` that makes such files; `tests/tidy.rs` proves it. Files of storage and of the store are made
//! elsewhere.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;

/// Makes a folder, and those above it that are missing.
pub fn make_folders(path: &Path) -> std::io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(path)
}

/// How a file is opened that is for its owner alone when it is made.
pub fn options() -> OpenOptions {
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// Makes a file, or empties the one that is there.
pub fn create(path: &Path) -> std::io::Result<File> {
    options().write(true).create(true).truncate(true).open(path)
}

/// Makes a file that is not there yet.
pub fn create_new(path: &Path) -> std::io::Result<File> {
    options().write(true).create_new(true).open(path)
}

/// Opens a file to add to its end, and makes it first where it is missing.
pub fn append(path: &Path) -> std::io::Result<File> {
    options().append(true).create(true).open(path)
}

/// Writes the whole of a file.
pub fn write(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    create(path)?.write_all(bytes)
}

/// Lets the owner read, change and run a file, and nobody else, as a node manager does with files that are private to a
/// user (`FSDownload.changePermissions`).
#[cfg(unix)]
pub fn let_owner_run(path: &Path) -> std::io::Result<()> {
    std::fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o700))
}

/// Lets the owner read, change and run a file: here that is so already.
#[cfg(not(unix))]
pub fn let_owner_run(_path: &Path) -> std::io::Result<()> {
    Ok(())
}
