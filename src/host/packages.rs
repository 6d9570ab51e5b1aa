//! Packages among the arguments: their files stand in for what would lie on disk had they been unpacked.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::host::error::ShellError;
use crate::host::files::{self, Content};
use crate::host::overlay::Overlay;
use crate::project::package::{self, DEFINITION, PackageFault};

/// What stands between an archive and the path of an entry.
const INSIDE: &str = "!/";

/// Packages that were read.
#[derive(Debug, Default)]
pub struct Opened {
    /// The files of all of them, by absolute paths such as `/a/app.zip!/workflow.xml`.
    pub files: BTreeMap<PathBuf, Vec<u8>>,
    /// Archives that are no packages, and why.
    pub refused: Vec<(PathBuf, Vec<PackageFault>)>,
}

/// Reads the packages among some arguments; each gives way to its definition, and one that is refused is left out.
///
/// # Errors
/// Where an archive cannot be read.
pub fn open(paths: &mut Vec<PathBuf>) -> Result<Opened, ShellError> {
    let mut opened = Opened::default();
    let mut kept = Vec::with_capacity(paths.len());
    for path in std::mem::take(paths) {
        match read(&path, &mut opened)? {
            Some(Some(definition)) => kept.push(definition),
            Some(None) => {}
            None => kept.push(path),
        }
    }
    *paths = kept;
    Ok(opened)
}

/// The files of an app that is a package; its argument gives way to the definition. Nothing of what is no package.
///
/// # Errors
/// Where an archive cannot be read, or is refused.
pub fn open_app(app: &mut PathBuf) -> Result<Overlay, ShellError> {
    let mut paths = vec![app.clone()];
    let opened = open(&mut paths)?;
    if let Some((path, faults)) = opened.refused.first() {
        let words: Vec<String> = faults
            .iter()
            .map(|fault| match &fault.help {
                Some(help) => format!("{}; {help}", fault.message),
                None => fault.message.clone(),
            })
            .collect();
        let path = files::shown(path);
        return Err(ShellError::usage(format!("`{path}` is not a package: {}", words.join("\n  "))));
    }
    if let Some(definition) = paths.pop() {
        *app = definition;
    }
    Ok(Arc::new(opened.files))
}

/// The definition of a package, nothing of one that is refused; `None` for what is no archive.
fn read(path: &Path, opened: &mut Opened) -> Result<Option<Option<PathBuf>>, ShellError> {
    if !path.is_file() || !package::is_package(&files::head(path, 4)) {
        return Ok(None);
    }
    let package = match files::read(path)? {
        Content::Bytes(bytes) => package::read(&bytes),
        Content::TooLarge => {
            let message = format!("the archive is larger than {} MiB", files::MAX_FILE_BYTES >> 20);
            let fault = PackageFault { message, help: None };
            package::Package { faults: vec![fault], ..package::Package::default() }
        }
    };
    if !package.faults.is_empty() {
        opened.refused.push((path.to_owned(), package.faults));
        return Ok(Some(None));
    }
    let inside = |name: &str| PathBuf::from(format!("{}{INSIDE}{name}", path.to_string_lossy()));
    let files = package.files.into_iter().map(|(name, bytes)| (files::absolute(&inside(&name)), bytes));
    opened.files.extend(files);
    Ok(Some(Some(inside(DEFINITION))))
}
