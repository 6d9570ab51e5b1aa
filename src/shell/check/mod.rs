//! Checking many files: each by itself on all cores, with findings kept as text only.

pub mod threads;
pub mod verdict;

use std::path::{Path, PathBuf};

use super::error::ShellError;
use super::{discovery, load};
use crate::report::findings::{Findings, Style};
use crate::source::Sources;

/// The files that paths stand for: a file is itself, a folder all definitions in and below it.
pub fn files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, ShellError> {
    let mut files = Vec::new();
    for path in paths {
        let metadata =
            std::fs::metadata(path).map_err(|source| ShellError::Read { path: path.clone(), source })?;
        if !metadata.is_dir() {
            files.push(path.clone());
            continue;
        }
        let found = discovery::candidates(path)?;
        let kinds = threads::map(&found, |path| {
            discovery::extension(path) == Some("xml")
                && discovery::kind(path).is_some_and(|kind| kind.is_app_file())
        });
        files.extend(found.into_iter().zip(kinds).filter(|(_, is_app)| *is_app).map(|(path, _)| path));
    }
    files.sort();
    files.dedup();
    Ok(files)
}

/// Checks each file by itself.
pub fn each(files: &[PathBuf], style: Style) -> Result<Findings, ShellError> {
    let mut all = Findings::new(style);
    for findings in threads::map(files, |path| one(path, style)) {
        all.merge(findings?);
    }
    Ok(all)
}

/// Checks one file by itself.
fn one(path: &Path, style: Style) -> Result<Findings, ShellError> {
    let mut sources = Sources::new();
    let definition = load::definition(path, &mut sources)?;
    let mut findings = Findings::new(style);
    findings.add(&sources, &verdict::alone(&definition, &sources));
    Ok(findings)
}
