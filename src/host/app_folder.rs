//! All files of an application, from its folder or its package, whole and within limits.

use std::collections::BTreeMap;
use std::path::Path;

use crate::host::error::ShellError;
use crate::host::files::{self, Content};
use crate::project::package::{self, MAX_ENTRIES, MAX_READ_BYTES};

/// How deep folders are followed.
const MAX_DEPTH: usize = 32;

/// The files of an application, by their paths from its root.
///
/// # Errors
/// Where something cannot be read, is a link, or is beyond the limits.
pub fn read(app: &Path) -> Result<BTreeMap<String, Vec<u8>>, ShellError> {
    if app.is_dir() {
        return of_folder(app);
    }
    let shown = files::shown(app);
    let Content::Bytes(bytes) = files::read(app)? else {
        let limit = files::MAX_FILE_BYTES >> 20;
        return Err(ShellError::usage(format!("`{shown}` is larger than {limit} MiB")));
    };
    if !package::is_package(&bytes) {
        return Err(ShellError::usage(format!("`{shown}` is neither a folder nor a package")));
    }
    let package = package::read_whole(&bytes);
    match package.faults.first() {
        Some(fault) => Err(ShellError::usage(format!("`{shown}` is not a package: {}", fault.message))),
        None => Ok(package.files),
    }
}

fn of_folder(root: &Path) -> Result<BTreeMap<String, Vec<u8>>, ShellError> {
    let mut found = BTreeMap::new();
    let mut left = MAX_READ_BYTES;
    let mut open = vec![(root.to_owned(), String::new(), 0)];
    while let Some((folder, prefix, depth)) = open.pop() {
        let fault = |source| ShellError::Read { path: folder.clone(), source };
        for entry in std::fs::read_dir(&folder).map_err(fault)? {
            let entry = entry.map_err(fault)?;
            let (path, kind) = (entry.path(), entry.file_type().map_err(fault)?);
            let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
            let shown = files::shown(&path);
            if kind.is_symlink() {
                return Err(ShellError::usage(format!("`{shown}` is a link; put there what it leads to")));
            }
            if kind.is_dir() {
                if depth == MAX_DEPTH {
                    return Err(ShellError::usage(format!(
                        "`{shown}` lies more than {MAX_DEPTH} folders deep"
                    )));
                }
                if entry.file_name() != ".git" {
                    open.push((path, format!("{name}/"), depth + 1));
                }
                continue;
            }
            let too_large = || {
                let limit = MAX_READ_BYTES >> 20;
                ShellError::usage(format!("the files of the app are larger than {limit} MiB"))
            };
            let Content::Bytes(bytes) = files::read(&path)? else { return Err(too_large()) };
            left = left.checked_sub(bytes.len() as u64).ok_or_else(too_large)?;
            found.insert(name, bytes);
            if found.len() > MAX_ENTRIES {
                return Err(ShellError::usage(format!("the app has more than {MAX_ENTRIES} files")));
            }
        }
    }
    Ok(found)
}
