//! The project on disk: where it begins, which definitions it holds, and what lies behind an application path.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::analysis::project::{Astray, Kind, Why, application_name};
use crate::host::discovery;
use crate::host::error::ShellError;
use crate::host::files;
use crate::project::paths::{Confidence, Evidence, Layout, Near, Target};
use crate::shell::check::threads;
use crate::shell::config::Config;

/// The folders that application paths are looked up in, nearest first.
pub struct Project {
    mappings: Vec<(String, String)>,
    roots: Vec<Root>,
}

struct Root {
    folder: PathBuf,
    index: OnceLock<Index>,
}

/// The definitions below a root.
struct Index {
    layout: Layout,
    /// The files whose path is no text, by the text that stands for it.
    odd: BTreeMap<String, PathBuf>,
}

/// Of more files that fit a path equally well, the rest is counted.
const MAX_SHOWN: usize = 4;

/// What lies behind an application path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// This file.
    File(FoundFile),
    /// Several files that fit equally well.
    Ambiguous(Vec<PathBuf>),
    /// Nothing; a mapping named the place, if one is given.
    Missing(Option<PathBuf>),
    /// Nothing at this place, which a mapping named; the path is nearly this one.
    Nearly(PathBuf, String),
    /// A place outside the project.
    Outside,
    /// A file of another kind.
    OtherKind(PathBuf, Kind),
    /// The folder of a file of another kind.
    Beside(PathBuf, Kind),
}

/// A file that is taken for the one that a path means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundFile {
    path: PathBuf,
    /// Why.
    evidence: Evidence,
    /// The path as it would have to be written, where it is most likely a slip.
    suggestion: Option<String>,
    /// Those that fit as well.
    others: Vec<PathBuf>,
}

impl Found {
    /// Whether another folder may hold what is looked for.
    fn may_be_farther(&self) -> bool {
        matches!(self, Found::Missing(None) | Found::OtherKind(..) | Found::Beside(..))
    }

    /// A file that a path is known to lead to.
    pub fn known(path: PathBuf) -> Found {
        Found::File(FoundFile { path, evidence: Evidence::Mapping, suggestion: None, others: Vec::new() })
    }

    /// Whether it is beyond doubt that this file is meant.
    pub fn is_sure(&self) -> bool {
        matches!(self, Found::File(file) if file.evidence.confidence() == Confidence::Sure)
    }

    /// What is said of a file that is taken by evidence that is worth a look, or weak.
    pub fn doubt(&self, uri: &str, kind: Kind) -> Option<Astray> {
        let Found::File(FoundFile { path, evidence, suggestion, others }) = self else {
            return None;
        };
        let why = match evidence.confidence() {
            Confidence::Sure | Confidence::Likely => return None,
            Confidence::Fair => Why::Likely,
            Confidence::Weak => Why::Unclear,
        };
        let mut said = evidence.words(&files::shown(path), kind);
        if !others.is_empty() {
            said.push_str(&format!("; {} fit as well", listed(others, ", ")));
        }
        Some(Astray { why, uri: uri.to_owned(), said, value: None, suggestion: suggestion.clone() })
    }

    /// The file, or why there is none.
    pub fn file(self, uri: &str, kind: Kind) -> Result<PathBuf, Astray> {
        let name = kind.name();
        let mut suggestion = None;
        let (why, said) = match self {
            Found::File(file) => return Ok(file.path),
            Found::Missing(Some(place)) if !uri.contains("${") => {
                let place = files::shown(&place);
                (Why::Absent, format!("leads to `{place}`, where there is no {name}"))
            }
            Found::Nearly(place, meant) => {
                suggestion = Some(meant);
                let place = files::shown(&place);
                (Why::Absent, format!("leads to `{place}`, where there is no {name}"))
            }
            Found::Missing(_) => return Err(Astray::unknown(uri, kind)),
            Found::Ambiguous(paths) => (Why::Several, format!("may lead to {}", listed(&paths, " or to "))),
            Found::Outside => (Why::Outside, "leads out of the project".to_owned()),
            Found::OtherKind(path, found) => {
                let (path, found) = (files::shown(&path), found.name());
                (Why::OtherKind, format!("leads to `{path}`, which is a {found}, not a {name}"))
            }
            Found::Beside(path, found) => {
                let (path, found) = (files::shown(&path), found.name());
                (
                    Why::Beside,
                    format!("leads to the folder of the {found} `{path}`, where there is no {name}"),
                )
            }
        };
        Err(Astray { why, uri: uri.to_owned(), said, value: None, suggestion })
    }
}

impl Project {
    /// The project of a file or folder.
    ///
    /// Its root is the folder of `ankus.toml`, else the one that holds `.git`; where neither is, the working directory
    /// when the file lies below it, else its own folder. Nothing above that is looked at: it belongs to others.
    pub fn of(path: &Path, config: &Config) -> Project {
        Project::rooted(Project::roots_of(path, config), config)
    }

    /// The folders in which the application paths of a file, or of the files in a folder, are looked up.
    pub fn roots_of(path: &Path, config: &Config) -> Vec<PathBuf> {
        let own = near_folder(path);
        vec![marked_root(&own, config).or_else(|| working_folder(&own)).unwrap_or(own)]
    }

    /// With these folders to look application paths up in.
    pub fn rooted(folders: Vec<PathBuf>, config: &Config) -> Project {
        let mappings = config.paths.iter().map(|(prefix, folder)| {
            let absolute = config.folder.as_deref().map(|base| base.join(folder));
            (prefix.clone(), absolute.map_or_else(|| folder.clone(), |path| slashes(&files::absolute(&path))))
        });
        Project {
            mappings: mappings.collect(),
            roots: folders.into_iter().map(|folder| Root { folder, index: OnceLock::new() }).collect(),
        }
    }

    /// The definition of this kind that `uri` leads to; `near` is the file that names it.
    pub fn resolve(&self, uri: &str, kind: Kind, near: &Path) -> Result<Found, ShellError> {
        if let Some(name) = application_name(uri) {
            return self.application(name);
        }
        let (file, folder) = (slashes(&files::absolute(near)), slashes(&near_folder(near)));
        let near = Near { folder: &folder, file: (file != folder).then_some(&*file) };
        let found = self.search(|layout| layout.resolve(uri, kind, near))?;
        Ok(if found.may_be_farther() && self.is_elsewhere(uri) { Found::Outside } else { found })
    }

    /// The application of 2009 that has a name, among the definitions of the project; of several, none is taken.
    fn application(&self, name: &str) -> Result<Found, ShellError> {
        let mut found = self.files_of(Kind::Workflow)?;
        found.retain(|path| discovery::application_name(path).as_deref() == Some(name));
        Ok(match found.len() {
            0 => Found::Missing(None),
            1 => Found::known(found.remove(0)),
            _ => Found::Ambiguous(found),
        })
    }

    /// The definitions of a kind in the project, by path.
    pub fn files_of(&self, kind: Kind) -> Result<Vec<PathBuf>, ShellError> {
        let mut found = Vec::new();
        for root in &self.roots {
            let index = self.index(root)?;
            let files = index.layout.files().filter(|(_, found)| *found == kind);
            found.extend(files.map(|(path, _)| index.real(path)));
        }
        Ok(found)
    }

    /// The URI of a local path: by a mapping read backwards, else a `file:` URI.
    pub fn uri_of(&self, path: &Path) -> String {
        let path = slashes(&files::absolute(path));
        Layout::new([], &self.mappings).uri_of(&path).unwrap_or_else(|| format!("file://{path}"))
    }

    /// Where a file of the cluster lies in the project: by `[paths]`, else beside the app, whose folder on the cluster and here
    /// is `own`. None where neither says anything.
    pub fn place_of(&self, uri: &str, own: Option<&(String, PathBuf)>) -> Option<PathBuf> {
        let own = own.map(|(cluster, folder)| (cluster.clone(), slashes(folder)));
        let by = |mappings: &[(String, String)]| Layout::new([], mappings).place_of(uri).map(PathBuf::from);
        by(&self.mappings).or_else(|| by(own.as_slice()))
    }

    /// Whether a path is one of this machine outside the project.
    fn is_elsewhere(&self, uri: &str) -> bool {
        let path = uri.trim().strip_prefix("file:").map(|path| path.trim_start_matches('/'));
        path.is_some_and(|path| {
            let path = files::absolute(&Path::new("/").join(path));
            !self.roots.iter().any(|root| path.starts_with(&root.folder))
        })
    }

    /// Refuses a file that an app leads to by a link out of the project. What the user names is no such file.
    pub fn holds(&self, path: &Path) -> Result<(), ShellError> {
        let Ok(real) = std::fs::canonicalize(path) else {
            return Ok(());
        };
        // Most files are no links, and lie in no folder that is one.
        if real == path {
            return Ok(());
        }
        let roots = self.roots.iter().map(|root| root.folder.clone());
        let folders = roots.chain(self.mappings.iter().map(|(_, folder)| PathBuf::from(folder)));
        let own = path.parent().map(Path::to_path_buf);
        if folders.chain(own).any(|folder| files::is_within(&real, &folder)) {
            return Ok(());
        }
        let folder = self.roots.first().map_or_else(PathBuf::new, |root| root.folder.clone());
        let fault = |source| ShellError::Read { path: path.to_owned(), source };
        files::holds(&folder, path).map_err(fault)
    }

    fn search(&self, look: impl Fn(&Layout) -> Target) -> Result<Found, ShellError> {
        let mut last = Found::Missing(None);
        for root in &self.roots {
            let index = self.index(root)?;
            let found = index.found(look(&index.layout));
            if !found.may_be_farther() {
                return Ok(found);
            }
            if last == Found::Missing(None) {
                last = found;
            }
        }
        Ok(last)
    }

    /// The definitions below a root, found once.
    fn index<'p>(&'p self, root: &'p Root) -> Result<&'p Index, ShellError> {
        if let Some(index) = root.index.get() {
            return Ok(index);
        }
        let mut paths = discovery::candidates(&root.folder)?.files;
        for (_, folder) in
            self.mappings.iter().filter(|(_, folder)| !Path::new(folder).starts_with(&root.folder))
        {
            if Path::new(folder).is_dir() {
                paths.extend(discovery::candidates(Path::new(folder))?.files);
            }
        }
        paths.retain(|path| discovery::extension(path) == Some("xml"));
        let kinds = threads::map(&paths, |path| discovery::kind(path));
        let files = paths.iter().zip(kinds).filter_map(|(path, kind)| Some((slashes(path), kind?)));
        let odd = paths.iter().filter(|path| path.to_str().is_none());
        let odd = odd.map(|path| (slashes(path), path.clone())).collect();
        let layout = Layout::new(files, &self.mappings).rooted(&slashes(&root.folder));
        Ok(root.index.get_or_init(|| Index { layout, odd }))
    }
}

impl Index {
    /// The path for the text that stands for it.
    fn real(&self, path: &str) -> PathBuf {
        self.odd.get(path).cloned().unwrap_or_else(|| PathBuf::from(path))
    }

    fn found(&self, target: Target) -> Found {
        let real = |path: String| self.real(&path);
        match target {
            Target::File(lead) => Found::File(FoundFile {
                path: real(lead.path),
                evidence: lead.evidence,
                suggestion: lead.suggestion,
                others: lead.others.into_iter().map(real).collect(),
            }),
            Target::Nearly(place, meant) => Found::Nearly(PathBuf::from(place), meant),
            Target::Ambiguous(paths) => Found::Ambiguous(paths.into_iter().map(real).collect()),
            Target::Missing(place) => Found::Missing(place.map(PathBuf::from)),
            Target::Outside(_) => Found::Outside,
            Target::OtherKind(path, kind) => Found::OtherKind(real(path), kind),
            Target::Beside(path, kind) => Found::Beside(real(path), kind),
        }
    }
}

/// Some paths in backticks with a word between; of many the rest is counted.
fn listed(paths: &[PathBuf], between: &str) -> String {
    let shown = paths.iter().take(MAX_SHOWN).map(|path| format!("`{}`", files::shown(path)));
    let mut shown = shown.collect::<Vec<_>>();
    if let Some(more) = paths.len().checked_sub(MAX_SHOWN).filter(|more| *more > 0) {
        shown.push(format!("{more} more"));
    }
    shown.join(between)
}

/// The root that `ankus.toml` or `.git` marks.
fn marked_root(own: &Path, config: &Config) -> Option<PathBuf> {
    let configured = config.folder.clone().filter(|folder| own.starts_with(folder));
    configured.or_else(|| own.ancestors().find(|folder| folder.join(".git").exists()).map(Path::to_owned))
}

/// The working directory, when a folder lies in it. Nobody's project is the whole disk or a whole home.
fn working_folder(own: &Path) -> Option<PathBuf> {
    let current = std::env::current_dir().ok()?;
    let is_wide = current.parent().is_none() || std::env::home_dir().is_some_and(|home| home == current);
    (!is_wide && own.starts_with(&current)).then_some(current)
}

fn near_folder(file: &Path) -> PathBuf {
    let path = files::absolute(file);
    if path.is_dir() { path } else { path.parent().map(Path::to_owned).unwrap_or(path) }
}

fn slashes(path: &Path) -> String {
    let text = path.to_string_lossy();
    if cfg!(windows) { text.replace('\\', "/") } else { text.into_owned() }
}
