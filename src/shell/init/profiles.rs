//! Properties files as profiles: a short name for each.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Names of files that say nothing of the profile; their folder's does.
const COMMON_NAMES: &[&str] = &["job", "bundle", "coordinator", "coord", "workflow", "wf", "oozie", "config"];

/// More files are left out: who has so many chooses better than we.
const MAX_PROFILES: usize = 30;

/// A properties file and the name of its profile.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Profile {
    pub(super) name: String,
    pub(super) path: PathBuf,
}

/// The profiles of some files, in their order.
pub(super) fn of(paths: &[PathBuf], root: &Path) -> Vec<Profile> {
    let mut taken: BTreeMap<String, usize> = BTreeMap::new();
    let mut profiles = Vec::new();
    for path in paths.iter().take(MAX_PROFILES) {
        let names = names(path.strip_prefix(root).unwrap_or(path));
        // The shortest name that no other has; else the shortest with a number.
        let shortest = names[0].clone();
        let name = names.into_iter().find(|name| !taken.contains_key(name)).unwrap_or_else(|| {
            let mut number = 2;
            while taken.contains_key(&format!("{shortest}-{number}")) {
                number += 1;
            }
            format!("{shortest}-{number}")
        });
        taken.insert(name.clone(), 1);
        profiles.push(Profile { name, path: path.clone() });
    }
    profiles
}

/// Names for a file, the shortest first: its own, then with the folders above it.
fn names(path: &Path) -> Vec<String> {
    let stem = plain(&path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default());
    let folders: Vec<String> = path
        .parent()
        .into_iter()
        .flat_map(Path::components)
        .map(|part| plain(&part.as_os_str().to_string_lossy()))
        .filter(|part| !part.is_empty())
        .collect();
    let mut names = Vec::new();
    if !stem.is_empty() && (!COMMON_NAMES.contains(&stem.as_str()) || folders.is_empty()) {
        names.push(stem.clone());
    }
    for start in (0..folders.len()).rev() {
        let folders = folders[start..].join("-");
        if COMMON_NAMES.contains(&stem.as_str()) {
            names.push(folders.clone());
        }
        names.push(format!("{folders}-{stem}"));
    }
    if names.is_empty() {
        names.push("default".to_owned());
    }
    names
}

/// Without what would have to be quoted on a command line.
fn plain(text: &str) -> String {
    let kept: String =
        text.chars().map(|c| if c.is_alphanumeric() || matches!(c, '_' | '.') { c } else { '-' }).collect();
    kept.trim_matches('-').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_short_and_differ() {
        let paths = [
            "job.properties",
            "a/job.properties",
            "b/a/job.properties",
            "prod.properties",
            "conf/prod.properties",
            "conf/my prod.properties",
        ];
        let paths: Vec<PathBuf> = paths.iter().map(|path| Path::new("/r").join(path)).collect();
        let names: Vec<_> = of(&paths, Path::new("/r")).into_iter().map(|profile| profile.name).collect();
        assert_eq!(names, ["job", "a", "a-job", "prod", "conf-prod", "my-prod"]);
    }
}
