//! Properties files that a deployment lays over each other: one names the app, others beside or below it hold what differs.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::analysis::parameters::PARAMETER_UNDEFINED;
use crate::diag::Diagnostic;
use crate::host::{discovery, files};
use crate::properties;
use crate::source::Sources;

/// So deep below the file that names the app others are looked for.
const DEPTH: usize = 3;

/// More files are not looked at.
const MAX_FILES: usize = 200;

/// More of a file is not looked at.
const MAX_BYTES: u64 = 1 << 20;

/// Of the names that findings miss, those that properties files beside or below one that names an app give, and that
/// name none themselves.
pub(super) fn names(path: &Path, findings: &[Diagnostic]) -> BTreeSet<String> {
    let is_missing = |finding: &&Diagnostic| finding.rule.name == PARAMETER_UNDEFINED.name;
    let missing: BTreeSet<&str> =
        findings.iter().filter(is_missing).filter_map(|finding| finding.parameter()).collect();
    if missing.is_empty() {
        return BTreeSet::new();
    }
    let mut given = BTreeSet::new();
    let mut all = Vec::new();
    let mut open: Vec<(PathBuf, usize)> =
        path.parent().map(|folder| (folder.to_owned(), 0)).into_iter().collect();
    while let Some((folder, depth)) = open.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        for entry in entries.flatten() {
            let Ok(kind) = entry.file_type() else { continue };
            if kind.is_dir() && depth < DEPTH {
                open.push((entry.path(), depth + 1));
            } else if kind.is_file() && discovery::extension(&entry.path()) == Some("properties") {
                all.push(entry.path());
            }
        }
    }
    all.sort();
    for file in all.into_iter().take(MAX_FILES) {
        if files::is_same(&file, path) || discovery::names_app(&file) {
            continue;
        }
        let text = String::from_utf8_lossy(&files::head(&file, MAX_BYTES)).into_owned();
        let mut sources = Sources::new();
        let id = sources.add("", text.as_str());
        let keys = properties::read(id, &text).0.entries.into_iter().map(|entry| entry.key.value.to_string());
        given.extend(keys.filter(|key| missing.contains(key.as_str())));
    }
    given
}
