//! Where URIs lie on this machine: folders that `[storage]` of `ankus.toml` names, and local files of the project.
//!
//! Nothing outside these folders is ever touched: not by `..`, not through a link.

use std::path::{Component, Path, PathBuf};

use globset::GlobBuilder;

use crate::engine::Outside;
use crate::plan::coordinator::Exists;
use crate::shell::config::Config;
use crate::shell::files;

/// More files below one path are not listed.
const MAX_LISTED: usize = 100_000;

/// The folders that stand for storage.
#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct Storage {
    /// URI prefixes without a slash at the end, and their folders; the longest prefix wins.
    roots: Vec<(String, PathBuf)>,
    /// The folder below which local files may be touched.
    project: PathBuf,
}

/// A place in storage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Located {
    /// Where it lies.
    pub path: PathBuf,
    /// The folder that holds it and that is not left.
    pub root: PathBuf,
}

/// Why a URI leads nowhere.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StorageError {
    /// No folder stands for it.
    #[error("no folder stands for `{0}`; map its beginning under `[storage]` in ankus.toml")]
    Unmapped(String),
    /// It leaves its folder.
    #[error("`{0}` leads out of the folder that stands for it")]
    Outside(String),
    /// It is relative.
    #[error("`{0}` is relative, and there is nothing that it could be relative to")]
    Relative(String),
}

impl Storage {
    /// What a configuration says, for a project in a folder.
    pub fn new(config: &Config, project: &Path) -> Storage {
        let base = config.folder.as_deref().unwrap_or(project);
        let root = |(prefix, folder): (&String, &String)| {
            (prefix.trim_end_matches('/').to_owned(), files::absolute(&base.join(folder)))
        };
        Storage { roots: config.storage.iter().map(root).collect(), project: files::absolute(project) }
    }

    /// Where a URI lies.
    pub fn locate(&self, uri: &str) -> Result<Located, StorageError> {
        let uri = uri.trim();
        let fits = |prefix: &str| match uri.strip_prefix(prefix) {
            Some(rest) => rest.is_empty() || rest.starts_with('/'),
            None => false,
        };
        let mapped = self.roots.iter().filter(|(prefix, _)| fits(prefix));
        if let Some((prefix, root)) = mapped.max_by_key(|(prefix, _)| prefix.len()) {
            return below(root, &uri[prefix.len()..], uri);
        }
        let local = match uri.strip_prefix("file:") {
            Some(rest) => format!("/{}", rest.trim_start_matches('/')),
            None if uri.contains(':') => return Err(StorageError::Unmapped(uri.to_owned())),
            None => uri.to_owned(),
        };
        if !local.starts_with('/') {
            return Err(StorageError::Relative(uri.to_owned()));
        }
        let root = self.project.to_str().unwrap_or_default();
        match local.strip_prefix(root).filter(|rest| rest.is_empty() || rest.starts_with('/')) {
            Some(rest) => below(&self.project, rest, uri),
            None => Err(StorageError::Unmapped(uri.to_owned())),
        }
    }
}

/// A place below a folder, when it does not leave it.
fn below(root: &Path, rest: &str, uri: &str) -> Result<Located, StorageError> {
    let outside = || StorageError::Outside(uri.to_owned());
    let mut path = root.to_owned();
    for part in Path::new(rest.trim_start_matches('/')).components() {
        match part {
            Component::Normal(name) => path.push(name),
            Component::CurDir => {}
            _ => return Err(outside()),
        }
    }
    // What is there may be a link to elsewhere.
    let mut there = path.as_path();
    while std::fs::symlink_metadata(there).is_err() {
        match there.parent() {
            Some(parent) => there = parent,
            None => break,
        }
    }
    if there.starts_with(root) {
        let real = |path: &Path| std::fs::canonicalize(path);
        match (real(there), real(root)) {
            (Ok(there), Ok(root)) if there.starts_with(&root) => {}
            _ => return Err(outside()),
        }
    }
    Ok(Located { path, root: root.to_owned() })
}

impl Exists for Storage {
    fn exists(&self, uri: &str) -> bool {
        self.locate(uri).is_ok_and(|located| located.path.exists())
    }
}

impl Outside for Storage {
    fn files(&self, path: &str) -> Vec<(String, Option<i64>)> {
        let mut found = Vec::new();
        let fixed = fixed_part(path);
        let Ok(located) = self.locate(fixed) else { return found };
        // Hadoop's patterns: no star crosses a slash.
        let glob = || Some(GlobBuilder::new(path).literal_separator(true).build().ok()?.compile_matcher());
        let pattern = if fixed.len() < path.len() { glob() } else { None };
        let mut open = vec![(fixed.trim_end_matches('/').to_owned(), located.path)];
        while let Some((uri, at)) = open.pop() {
            if found.len() >= MAX_LISTED {
                break;
            }
            let Ok(meta) = std::fs::symlink_metadata(&at) else { continue };
            let is_wanted = pattern.as_ref().is_none_or(|pattern| pattern.is_match(&uri));
            if meta.is_dir() {
                if is_wanted {
                    found.push((uri.clone(), None));
                }
                for entry in std::fs::read_dir(&at).into_iter().flatten().flatten() {
                    let name = entry.file_name().to_string_lossy().into_owned();
                    open.push((format!("{uri}/{name}"), entry.path()));
                }
            } else if is_wanted {
                found.push((uri, Some(i64::try_from(meta.len()).unwrap_or(i64::MAX))));
            }
        }
        found.sort();
        found
    }
}

/// The folders of a path before its first pattern.
fn fixed_part(path: &str) -> &str {
    match path.find(['*', '?', '[', '{']) {
        Some(first) => &path[..path[..first].rfind('/').unwrap_or(0)],
        None => path,
    }
}
