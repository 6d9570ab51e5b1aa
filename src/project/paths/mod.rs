//! Where application paths lead: from a URI of a cluster to a file of the project.
//!
//! One function, [`Layout::resolve`], for every command. [`Evidence`] in its order: a mapping of `ankus.toml`; the whole
//! known path; its last folder and name; its last folder; a layout of the cluster with a folder more or less; a slip in
//! one name; the folder without the file; the file's name alone; the folder of whoever names the path. What is
//! [`Confidence::Weak`] carries a warning and what is [`Confidence::Fair`] an info. Of several files that fit equally well
//! the nearest is taken with such a word, and where none is nearest they are ambiguous: nothing is chosen in silence.
//! Reads nothing.

mod evidence;
mod search;
mod segments;

use std::collections::{BTreeMap, BTreeSet};

use super::files::{name, parent};
use crate::analysis::project::Kind;
pub use evidence::{Confidence, Evidence};
use segments::Known;

/// The files of a project and the mappings of its `ankus.toml`.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    /// Every definition by its path, with `/` between.
    files: BTreeMap<String, Kind>,
    /// The folder in which the project lies; what is above it says nothing. `""` where paths begin there.
    root: String,
    /// The names of all files and folders below the root.
    names: BTreeSet<String>,
    /// The folders that many apps keep their definition in, `hdfs` or `oozie_app`; deploying drops them.
    wrappers: BTreeSet<String>,
    /// URI prefixes and the folders they stand for, longest prefix first.
    mappings: Vec<(String, String)>,
}

/// A folder in which as many apps of different names keep their definition is a custom of the project.
const WRAPPED_APPS: usize = 3;

/// A file that is taken for the one that a path means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lead {
    /// The file.
    pub path: String,
    /// Why.
    pub evidence: Evidence,
    /// The path as it would have to be written, where the evidence is a slip.
    pub suggestion: Option<String>,
    /// Those that fit as well and lie farther from whoever names the path.
    pub others: Vec<String>,
}

/// Where a path leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// To this file.
    File(Lead),
    /// To several that fit equally well.
    Ambiguous(Vec<String>),
    /// To nothing in the project; a mapping named the folder, if one is given.
    Missing(Option<String>),
    /// To nothing at this place, which a mapping named; the path is nearly this one, which leads to a file.
    Nearly(String, String),
    /// Out of the project.
    Outside(String),
    /// To this file, which is of another kind.
    OtherKind(String, Kind),
    /// To the folder of this file, which is of another kind; none of the right kind is there.
    Beside(String, Kind),
}

/// Whoever names a path.
#[derive(Clone, Copy, Debug, Default)]
pub struct Near<'a> {
    /// Its folder.
    pub folder: &'a str,
    /// Its file, if one names it.
    pub file: Option<&'a str>,
}

impl<'a> Near<'a> {
    /// A file that names the path.
    pub fn file(path: &'a str) -> Near<'a> {
        Near { folder: parent(path), file: Some(path) }
    }

    /// A folder that is looked at.
    pub fn folder(path: &'a str) -> Near<'a> {
        Near { folder: path, file: None }
    }
}

impl Layout {
    /// A project of these files; paths have `/` between and begin anywhere.
    pub fn new(files: impl IntoIterator<Item = (String, Kind)>, mappings: &[(String, String)]) -> Layout {
        let mut mappings: Vec<_> = mappings
            .iter()
            .map(|(prefix, folder)| (prefix.trim_end_matches('/').to_owned(), folder.clone()))
            .collect();
        mappings.sort_by(|a, b| b.0.len().cmp(&a.0.len()).then_with(|| a.cmp(b)));
        let files = files.into_iter().collect();
        let layout = Layout {
            files,
            root: String::new(),
            names: BTreeSet::new(),
            wrappers: BTreeSet::new(),
            mappings,
        };
        layout.rooted("")
    }

    /// With the folder in which the project lies. Of the folders above it none counts.
    pub fn rooted(self, root: &str) -> Layout {
        let mut layout = Layout { root: root.trim_end_matches('/').to_owned(), ..self };
        let names = layout.files.keys().flat_map(|path| layout.own_names(path));
        layout.names = names.map(str::to_owned).collect();
        let mut above: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for (path, _) in layout.files.iter().filter(|(_, kind)| kind.is_app_file()) {
            if let [.., app, folder, _] = layout.own_names(path)[..] {
                above.entry(folder).or_default().insert(app);
            }
        }
        let wrappers = above.into_iter().filter(|(_, apps)| apps.len() >= WRAPPED_APPS);
        layout.wrappers = wrappers.map(|(folder, _)| folder.to_owned()).collect();
        layout
    }

    /// The names of a file of the project, that of the project's own folder first.
    fn own_names<'p>(&'p self, path: &'p str) -> Vec<&'p str> {
        let below = match &*self.root {
            "" => None,
            root => path.strip_prefix(root).and_then(|rest| rest.strip_prefix('/')),
        };
        match below {
            Some(below) => [name(&self.root)].into_iter().chain(segments::names(below)).collect(),
            None => segments::names(path),
        }
    }

    /// The files in order of their paths.
    pub fn files(&self) -> impl Iterator<Item = (&str, Kind)> {
        self.files.iter().map(|(path, kind)| (path.as_str(), *kind))
    }

    /// The file of this kind that `uri` leads to. `uri` may still hold `${…}` that nothing resolved.
    ///
    /// Of several files that share equally much with it, the one nearest to whoever names it is meant: the only one
    /// below its folder, else below the folder above, and so on; the evidence says so and the others are named.
    pub fn resolve(&self, uri: &str, kind: Kind, near: Near<'_>) -> Target {
        match self.led(uri, kind, near) {
            // In a folder a server opens the file of the usual name and no other.
            Target::File(lead)
                if lead.evidence.confidence() == Confidence::Sure
                    && !Known::of(uri).names_file()
                    && kind.usual_file().is_some_and(|usual| usual != name(&lead.path)) =>
            {
                let suggestion = Some(format!("{}/{}", uri.trim().trim_end_matches('/'), name(&lead.path)));
                Target::File(Lead { evidence: Evidence::Unusual, suggestion, ..lead })
            }
            target => target,
        }
    }

    fn led(&self, uri: &str, kind: Kind, near: Near<'_>) -> Target {
        let uri = uri.trim();
        if let Some((folder, rest)) = self.mapped(uri) {
            return self.by_mapping(uri, &folder, rest, kind);
        }
        let known = Known::of(uri);
        if known.names.contains(&"..") {
            return Target::Outside(uri.to_owned());
        }
        let others = [Kind::Other, Kind::Coordinator, Kind::Workflow, Kind::Bundle, Kind::Configuration];
        // A server takes any file for an include, whatever its root is called.
        let kinds: &[Kind] = if kind == Kind::Datasets { &others } else { &[] };
        let is_app = matches!(kind, Kind::Bundle | Kind::Coordinator | Kind::Workflow);
        let exact = [kind].iter().chain(kinds).find_map(|kind| self.by_end(uri, &known, *kind, near));
        let exact = exact.or_else(|| self.other_kind(uri, kind).filter(|_| is_app));
        // A server passes over a configuration that is not there: another one is never meant.
        if kind == Kind::Configuration {
            return exact.unwrap_or(Target::Missing(None));
        }
        exact
            .or_else(|| self.by_slip(uri, &known, kind, near))
            .or_else(|| self.by_folder(uri, &known, kind, near))
            .or_else(|| self.by_file_name(&known, kind, near))
            .or_else(|| self.beside(&known, kind, near).filter(|_| is_app))
            .unwrap_or(Target::Missing(None))
    }

    /// The place that a mapping names.
    fn by_mapping(&self, uri: &str, folder: &str, rest: &str, kind: Kind) -> Target {
        let Some(path) = joined(folder, rest) else { return Target::Outside(uri.to_owned()) };
        let found = |target: &Target| !matches!(target, Target::Missing(_));
        let own = Some(self.at(&path, kind)).filter(found);
        let any = || match kind {
            Kind::Datasets => {
                let kinds =
                    [Kind::Other, Kind::Coordinator, Kind::Workflow, Kind::Bundle, Kind::Configuration];
                kinds.iter().map(|kind| self.at(&path, *kind)).find(found)
            }
            Kind::Bundle | Kind::Coordinator | Kind::Workflow => self.other_kind(uri, kind),
            Kind::Configuration | Kind::Other => None,
        };
        own.or_else(any).unwrap_or_else(|| match self.slip_below(uri, folder, rest, kind) {
            Some(suggestion) => Target::Nearly(path.clone(), suggestion),
            None => Target::Missing(Some(path.clone())),
        })
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
        let segments = Known::of(uri).names;
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

    /// Where a file lies that a mapping leads to, whether it is there or not. Steps back (`..`) count before the mapping is
    /// looked for, as a file system counts them.
    pub fn place_of(&self, uri: &str) -> Option<String> {
        let uri = without_steps_back(uri.trim())?;
        // A path without scheme and host is of the default file system, which every mapping is taken for.
        let from_root = uri.starts_with('/');
        self.mappings.iter().find_map(|(prefix, folder)| {
            let prefix = match from_root {
                true => path_of(prefix),
                false => prefix,
            };
            let rest = strip_prefix(&uri, prefix)?;
            if prefix.is_empty() || !(rest.is_empty() || rest.starts_with('/')) {
                return None;
            }
            joined(folder, rest)
        })
    }

    /// The folders of the mappings, to be searched as well where they lie outside the root.
    pub fn mapped_folders(&self) -> impl Iterator<Item = &str> {
        self.mappings.iter().map(|(_, folder)| folder.as_str())
    }

    /// The folder that the longest fitting prefix stands for, and what follows the prefix.
    fn mapped<'u>(&self, uri: &'u str) -> Option<(String, &'u str)> {
        self.mappings.iter().find_map(|(prefix, folder)| {
            let rest = strip_prefix(uri, prefix)?;
            (rest.is_empty() || rest.starts_with('/')).then(|| (folder.clone(), rest))
        })
    }

    /// What lies at a path of the project: the file itself, or the app in the folder.
    fn at(&self, path: &str, kind: Kind) -> Target {
        if self.files.get(path) == Some(&kind) {
            return Target::File(Lead::of(path, Evidence::Mapping));
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
        if paths.is_empty() {
            Target::Missing(None)
        } else {
            target(one_of(paths, kind, &[]), Evidence::Mapping)
        }
    }
}

impl Lead {
    fn of(path: &str, evidence: Evidence) -> Lead {
        Lead { path: path.to_owned(), evidence, suggestion: None, others: Vec::new() }
    }
}

/// The only path; of several in one folder, the one with the usual name, else the one that is called as the folder is,
/// or as one of `called`.
fn one_of(paths: Vec<&String>, kind: Kind, called: &[&str]) -> Result<String, Vec<String>> {
    if let [path] = paths[..] {
        return Ok(path.clone());
    }
    let one_folder = paths.windows(2).all(|pair| parent(pair[0]) == parent(pair[1]));
    let only = |fits: &dyn Fn(&str) -> bool| {
        let mut fitting = paths.iter().filter(|path| fits(name(path)));
        fitting.next().filter(|_| one_folder && fitting.next().is_none()).map(|path| (*path).clone())
    };
    let folder = paths.first().map_or("", |path| name(parent(path)));
    let usual = only(&|name| kind.usual_file() == Some(name));
    let mut stems = called.iter().copied().chain([folder]);
    usual
        .or_else(|| stems.find_map(|stem| only(&|name| name.strip_suffix(".xml") == Some(stem))))
        .ok_or_else(|| paths.into_iter().cloned().collect())
}

/// What a choice comes to.
fn target(chosen: Result<String, Vec<String>>, evidence: Evidence) -> Target {
    match chosen {
        Ok(path) => Target::File(Lead::of(&path, evidence)),
        Err(paths) => Target::Ambiguous(paths),
    }
}

/// What follows a prefix in a URI; a `/` of the path may be doubled there, which means the same to a cluster.
fn strip_prefix<'u>(uri: &'u str, prefix: &str) -> Option<&'u str> {
    if let Some(rest) = uri.strip_prefix(prefix) {
        return Some(rest);
    }
    let path_at = prefix.find("://").map_or(0, |at| at + "://".len());
    let mut rest = uri.strip_prefix(&prefix[..path_at])?;
    for (index, part) in prefix[path_at..].split('/').enumerate() {
        if index > 0 {
            rest = rest.strip_prefix('/')?.trim_start_matches('/');
        }
        rest = rest.strip_prefix(part)?;
    }
    Some(rest)
}

/// The path of a URI, without scheme and host.
fn path_of(uri: &str) -> &str {
    let Some((_, rest)) = uri.split_once("://") else { return uri };
    rest.find('/').map_or("", |at| &rest[at..])
}

/// A URI in which no `..` is left; none when they lead above its root.
fn without_steps_back(uri: &str) -> Option<String> {
    if !uri.split('/').any(|step| step == "..") {
        return Some(uri.to_owned());
    }
    let path = path_of(uri);
    let (head, mut steps) = (&uri[..uri.len() - path.len()], Vec::new());
    for step in path.split('/').skip(1).filter(|step| !step.is_empty() && *step != ".") {
        match step {
            ".." => drop(steps.pop()?),
            _ => steps.push(step),
        }
    }
    Some(format!("{head}/{}", steps.join("/")))
}

/// How many segments a file shares with the end of a path that names a file, or its folder with one that names a folder.
fn shared_suffix(path: &str, segments: &[&str], names_file: bool) -> usize {
    let place = if names_file { Some(path) } else { path.rsplit_once('/').map(|(folder, _)| folder) };
    let Some(place) = place else { return 0 };
    place.rsplit('/').zip(segments.iter().rev()).take_while(|(ours, theirs)| ours == *theirs).count()
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
mod tests;

#[cfg(test)]
mod laws;
