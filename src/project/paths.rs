//! Where application paths lead: from a URI of a cluster to a file of the project.
//!
//! A mapping decides first (the longest prefix), else the longest path suffix that some file of the right kind shares.
//! Never guesses: several files that fit equally well are said to be ambiguous. Reads nothing.

use std::collections::BTreeMap;

use crate::analysis::project::Kind;

/// The files of a project and the mappings of its `ankus.toml`.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    /// Every definition by its path from the root, with `/` between.
    files: BTreeMap<String, Kind>,
    /// URI prefixes and the folders they stand for, longest prefix first.
    mappings: Vec<(String, String)>,
}

/// Where a path leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// To this file.
    File(String),
    /// To several that fit equally well.
    Ambiguous(Vec<String>),
    /// To nothing in the project; a mapping named the folder, if one is given.
    Missing(Option<String>),
    /// Out of the project.
    Outside(String),
    /// To this file, which is of another kind.
    OtherKind(String, Kind),
    /// To the folder of this file, which is of another kind; none of the right kind is there.
    Beside(String, Kind),
}

impl Layout {
    /// A project of these files; paths are relative to its root, with `/` between.
    pub fn new(files: impl IntoIterator<Item = (String, Kind)>, mappings: &[(String, String)]) -> Layout {
        let mut mappings: Vec<_> = mappings
            .iter()
            .map(|(prefix, folder)| (prefix.trim_end_matches('/').to_owned(), folder.clone()))
            .collect();
        mappings.sort_by(|a, b| b.0.len().cmp(&a.0.len()).then_with(|| a.cmp(b)));
        Layout { files: files.into_iter().collect(), mappings }
    }

    /// The files in order of their paths.
    pub fn files(&self) -> impl Iterator<Item = (&str, Kind)> {
        self.files.iter().map(|(path, kind)| (path.as_str(), *kind))
    }

    /// The file of this kind that `uri` leads to. `uri` may still hold `${…}` that nothing resolved.
    ///
    /// Of several files that share equally much with it, the one nearest to the folder `near` is meant: the only one
    /// below it, else below the folder above, and so on.
    pub fn resolve(&self, uri: &str, kind: Kind, near: &str) -> Target {
        let target = match self.resolve_anywhere(uri, kind) {
            // A server takes any file for an include, whatever its root is called.
            Target::Missing(place) if kind == Kind::Datasets => {
                let kinds =
                    [Kind::Other, Kind::Coordinator, Kind::Workflow, Kind::Bundle, Kind::Configuration];
                let found = kinds.iter().map(|kind| self.resolve_anywhere(uri, *kind));
                let mut found = found.filter(|target| !matches!(target, Target::Missing(_)));
                found.next().unwrap_or(Target::Missing(place))
            }
            Target::Missing(place) if matches!(kind, Kind::Bundle | Kind::Coordinator | Kind::Workflow) => {
                self.other_kind(uri, kind).unwrap_or(Target::Missing(place))
            }
            target => target,
        };
        let Target::Ambiguous(paths) = target else { return target };
        let mut folder = Some(near);
        while let Some(level) = folder {
            let mut close = paths.iter().filter(|path| depth_below(path, level).is_some());
            match (close.next(), close.next()) {
                (Some(path), None) => return Target::File(path.clone()),
                (Some(_), Some(_)) => break,
                (None, _) => folder = level.rsplit_once('/').map(|(above, _)| above),
            }
        }
        Target::Ambiguous(paths)
    }

    fn resolve_anywhere(&self, uri: &str, kind: Kind) -> Target {
        let uri = uri.trim();
        if let Some((folder, rest)) = self.mapped(uri) {
            let Some(path) = joined(&folder, rest) else { return Target::Outside(uri.to_owned()) };
            return match self.at(&path, kind) {
                Target::Missing(_) => Target::Missing(Some(path)),
                found => found,
            };
        }
        let segments = known_segments(uri);
        if segments.contains(&"..") {
            return Target::Outside(uri.to_owned());
        }
        self.by_suffix(&segments, kind)
    }

    /// The only app of another kind that a path leads to. Where no mapping decides, it has to share a folder with the path,
    /// and more than the last name.
    fn other_kind(&self, uri: &str, kind: Kind) -> Option<Target> {
        let uri = uri.trim();
        if let Some((folder, rest)) = self.mapped(uri) {
            let path = joined(&folder, rest)?;
            let found = *self.files.get(&path)?;
            return found.is_app_file().then_some(Target::OtherKind(path, found));
        }
        let segments = known_segments(uri);
        let names_file = segments.last().is_some_and(|last| last.ends_with(".xml"));
        let shared = |path: &str| shared_suffix(path, &segments, names_file);
        let others = self.files.iter().filter(|(_, found)| **found != kind && found.is_app_file());
        let others: Vec<_> = others.map(|(path, found)| (shared(path), path, *found)).collect();
        let best = others.iter().map(|(shared, ..)| *shared).max().filter(|best| *best > 1)?;
        let mut closest = others.into_iter().filter(|(shared, ..)| *shared == best);
        let (_, path, found) = closest.next()?;
        match (names_file, closest.next()) {
            (true, None) => Some(Target::OtherKind(path.clone(), found)),
            (true, Some(_)) => None,
            (false, next) => {
                let folder = |path: &str| path.rsplit_once('/').map(|(folder, _)| folder.to_owned());
                let is_same = |other: &str| folder(other) == folder(path);
                let is_one = next.into_iter().chain(closest).all(|(_, other, _)| is_same(other));
                is_one.then(|| Target::Beside(path.clone(), found))
            }
        }
    }

    /// The only app of this kind in or below a folder (`""` is the root), nearest first.
    pub fn below(&self, folder: &str, kind: Kind) -> Target {
        let mut by_depth: BTreeMap<usize, Vec<&String>> = BTreeMap::new();
        for (path, _) in self.files.iter().filter(|(_, found)| **found == kind) {
            if let Some(depth) = depth_below(path, folder) {
                by_depth.entry(depth).or_default().push(path);
            }
        }
        by_depth.into_values().next().map_or(Target::Missing(None), |paths| one_of(paths, kind))
    }

    /// The URI of a path of the project, by the mapping with the longest folder.
    pub fn uri_of(&self, path: &str) -> Option<String> {
        let fitting = self.mappings.iter().filter_map(|(prefix, folder)| {
            let folder = joined("", folder)?;
            let rest = if folder.is_empty() { path } else { path.strip_prefix(folder.as_str())? };
            let rest = rest.strip_prefix('/').unwrap_or(rest);
            let whole =
                folder.is_empty() || path.len() == folder.len() || path.as_bytes()[folder.len()] == b'/';
            whole.then_some((folder.len(), prefix, rest))
        });
        let (_, prefix, rest) = fitting.max_by_key(|(length, ..)| *length)?;
        Some(if rest.is_empty() { prefix.clone() } else { format!("{prefix}/{rest}") })
    }

    /// The folders of the mappings, to be searched as well where they lie outside the root.
    pub fn mapped_folders(&self) -> impl Iterator<Item = &str> {
        self.mappings.iter().map(|(_, folder)| folder.as_str())
    }

    /// The folder that the longest fitting prefix stands for, and what follows the prefix.
    fn mapped<'u>(&self, uri: &'u str) -> Option<(String, &'u str)> {
        self.mappings.iter().find_map(|(prefix, folder)| {
            let rest = uri.strip_prefix(prefix.as_str())?;
            (rest.is_empty() || rest.starts_with('/')).then(|| (folder.clone(), rest))
        })
    }

    /// What lies at a path of the project: the file itself, or the app in the folder.
    fn at(&self, path: &str, kind: Kind) -> Target {
        if self.files.get(path) == Some(&kind) {
            return Target::File(path.to_owned());
        }
        self.in_folder(path, kind)
    }

    fn in_folder(&self, folder: &str, kind: Kind) -> Target {
        let direct = |path: &str| {
            let rest =
                if folder.is_empty() { Some(path) } else { path.strip_prefix(folder)?.strip_prefix('/') };
            rest.filter(|rest| !rest.contains('/')).map(|_| ())
        };
        let paths: Vec<_> = self
            .files
            .iter()
            .filter(|(path, found)| **found == kind && direct(path).is_some())
            .map(|(p, _)| p)
            .collect();
        if paths.is_empty() { Target::Missing(None) } else { one_of(paths, kind) }
    }

    /// The files that share the longest suffix with the segments, as a file or as its folder.
    fn by_suffix(&self, segments: &[&str], kind: Kind) -> Target {
        let mut best = 0;
        let mut paths: Vec<&String> = Vec::new();
        let names_file = segments.last().is_some_and(|last| last.ends_with(".xml"));
        for (path, _) in self.files.iter().filter(|(_, found)| **found == kind) {
            let shared = shared_suffix(path, segments, names_file);
            if shared > best {
                best = shared;
                paths.clear();
            }
            if shared == best {
                paths.push(path);
            }
        }
        // A file name alone says little when the path names folders as well.
        if best == 0 || (names_file && best == 1 && segments.len() > 1) {
            return Target::Missing(None);
        }
        one_of(paths, kind)
    }
}

/// The only path; of several in one folder, the one with the usual name.
fn one_of(paths: Vec<&String>, kind: Kind) -> Target {
    if let [path] = paths[..] {
        return Target::File(path.clone());
    }
    let folder = |path: &str| path.rsplit_once('/').map_or(String::new(), |(folder, _)| folder.to_owned());
    let one_folder = paths.windows(2).all(|pair| folder(pair[0]) == folder(pair[1]));
    let usual: Vec<_> = paths
        .iter()
        .filter(|path| kind.usual_file().is_some_and(|usual| path.rsplit('/').next() == Some(usual)))
        .collect();
    match usual[..] {
        [path] if one_folder => Target::File((*path).clone()),
        _ => Target::Ambiguous(paths.into_iter().cloned().collect()),
    }
}

/// How many segments a file shares with the end of a path that names a file, or its folder with one that names a folder.
fn shared_suffix(path: &str, segments: &[&str], names_file: bool) -> usize {
    let place = if names_file { Some(path) } else { path.rsplit_once('/').map(|(folder, _)| folder) };
    let Some(place) = place else { return 0 };
    place.rsplit('/').zip(segments.iter().rev()).take_while(|(ours, theirs)| ours == *theirs).count()
}

/// The segments of a URI after its scheme, host and the last `${…}` that nothing resolved, `.` and empty ones left out.
fn known_segments(uri: &str) -> Vec<&str> {
    let uri = uri.split(['#', '?']).next().unwrap_or(uri);
    let uri = match uri.rfind("${") {
        Some(at) => uri[at..].find('}').map_or("", |close| &uri[at + close + 1..]),
        None => match uri.split_once("://") {
            Some((_, rest)) => rest.split_once('/').map_or("", |(_, path)| path),
            None => uri,
        },
    };
    uri.split('/').filter(|segment| !segment.is_empty() && *segment != ".").collect()
}

/// How many folders lie between a folder (`""` is the root) and a file below it.
fn depth_below(path: &str, folder: &str) -> Option<usize> {
    let rest = if folder.is_empty() { path } else { path.strip_prefix(folder)?.strip_prefix('/')? };
    Some(rest.matches('/').count())
}

/// `folder` and what follows it as one clean path; none when it climbs out of the folder.
fn joined(folder: &str, rest: &str) -> Option<String> {
    let start = if folder.starts_with('/') { "/" } else { "" };
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
    let floor = parts.len();
    for part in rest.split('/').filter(|part| !part.is_empty() && *part != ".") {
        if part != ".." {
            parts.push(part);
        } else if parts.len() > floor {
            parts.pop();
        } else {
            return None;
        }
    }
    Some(format!("{start}{}", parts.join("/")))
}

#[cfg(test)]
#[path = "paths_tests.rs"]
mod tests;
