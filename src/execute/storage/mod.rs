//! Where URIs lie: what `[storage]` of `ankus.toml` names, and local files of the project. Files of every kind of storage
//! are reached through here and nowhere else.
//!
//! Nothing that the table does not name is touched: not by `..`, not through a link. What is never deleted stands in `guard.rs`.

pub mod backend;
#[cfg(unix)]
pub mod beneath;
#[cfg(any(test, not(unix)))]
pub mod by_path;
pub mod fault;
pub mod folder;
pub mod glob;
mod guard;
#[cfg(unix)]
pub mod local;
pub mod mount;
pub mod naming;
#[cfg(feature = "hdfs")]
pub mod native;
#[cfg(feature = "object-store")]
pub mod objects;
#[cfg(feature = "hdfs")]
mod services;
pub mod webhdfs;

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use backend::{Backend, Done, Status};
#[cfg(not(unix))]
pub use by_path::Local;
use fault::{StorageFault, Why};
pub use glob::{MAX_MATCHES, is_pattern};
#[cfg(unix)]
pub use local::Local;
pub use mount::{Kind, Mount};

use crate::engine::Outside;
use crate::host::ShellError;
use crate::host::files;
use crate::plan::coordinator::Exists;
use crate::shell::config::{Config, DEFAULT_USER};

/// Why a URI leads nowhere.
pub type StorageError = StorageFault;

/// All storage that may be touched.
#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct Storage {
    /// What stands for which beginnings of URIs; the longest beginning wins.
    mounts: Vec<Mount>,
    /// Folders of this machine that are neither deleted nor changed.
    guarded: Vec<PathBuf>,
    /// What is open, in the order of the mounts.
    #[serde(skip)]
    open: Open,
    /// What went wrong in the last look that has no way to say so.
    #[serde(skip)]
    trouble: Trouble,
}

/// An open storage.
pub type Shared = Arc<dyn Backend + Send + Sync>;

#[derive(Clone, Default)]
struct Open(Arc<Mutex<Vec<Option<Shared>>>>);

impl fmt::Debug for Open {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Open")
    }
}

#[derive(Clone, Debug, Default)]
struct Trouble(Arc<Mutex<Option<StorageFault>>>);

/// A place in local storage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Located {
    /// Where it lies.
    pub path: PathBuf,
    /// The folder that holds it and that is not left.
    pub root: PathBuf,
}

/// A place in storage.
#[derive(Clone)]
pub struct Spot {
    /// The storage.
    pub backend: Shared,
    /// Where in it.
    pub path: String,
    /// The URI, without doubled slashes.
    pub uri: String,
    mount: usize,
}

impl fmt::Debug for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&naming::shown(&self.uri))
    }
}

impl Spot {
    /// What lies there.
    pub fn status(&self) -> Done<Option<Status>> {
        self.backend.status(&self.path)
    }

    /// What lies there; a link is a link, wherever it leads.
    pub fn own_status(&self) -> Done<Option<Status>> {
        self.backend.own_status(&self.path)
    }

    /// A place below this one; `name` is one name, or more with slashes between.
    pub fn below(&self, name: &str) -> Spot {
        let path = backend::join(&self.path, name);
        let uri = format!("{}/{name}", self.uri.trim_end_matches('/'));
        Spot { path, uri, ..self.clone() }
    }

    /// The place above this one, and the last name; nothing for all of a storage.
    pub fn split(&self) -> Option<(Spot, &str)> {
        let (above, name) = backend::split(&self.path)?;
        let uri = self.uri.strip_suffix(name).unwrap_or(&self.uri).trim_end_matches('/');
        Some((Spot { path: above.to_owned(), uri: uri.to_owned(), ..self.clone() }, name))
    }

    /// Whether two places are in the same storage.
    pub fn is_beside(&self, other: &Spot) -> bool {
        self.mount == other.mount
    }
}

impl Storage {
    /// What a configuration says, for a project in a folder. Fails where it names a kind of storage that is not built in.
    pub fn new(config: &Config, project: &Path) -> Result<Storage, ShellError> {
        let base = config.folder.as_deref().unwrap_or(project);
        let user = config.user.as_deref().unwrap_or(DEFAULT_USER);
        let mut mounts = Vec::new();
        for (prefix, entry) in &config.storage {
            mounts.push(Mount::new(prefix, entry, base, user).map_err(ShellError::usage)?);
        }
        let project = files::absolute(project);
        // Local files of the project stand for themselves.
        let own = format!("file:{}", project.display());
        mounts.push(Mount { prefix: own.trim_end_matches('/').to_owned(), kind: Kind::Folder(project) });
        Ok(Storage { mounts, ..Storage::default() })
    }

    /// With a folder of this machine that is neither deleted nor changed.
    pub fn guarding(mut self, folder: &Path) -> Storage {
        self.guarded.push(files::absolute(folder));
        self
    }

    /// What stands for a URI, and what follows its beginning.
    fn mount_of<'u>(&self, uri: &'u str) -> Done<(usize, std::borrow::Cow<'u, str>)> {
        let uri = uri.trim();
        let fits = |prefix: &str, uri: &str| match uri.strip_prefix(prefix) {
            Some(rest) => rest.is_empty() || rest.starts_with('/'),
            None => false,
        };
        let find = |uri: &str| {
            let mounts = self.mounts.iter().enumerate().filter(|(_, mount)| fits(&mount.prefix, uri));
            mounts.max_by_key(|(_, mount)| mount.prefix.len()).map(|(at, mount)| (at, mount.prefix.len()))
        };
        if let Some((at, end)) = find(uri) {
            return Ok((at, uri[end..].into()));
        }
        let local = match uri.strip_prefix("file:") {
            Some(rest) => format!("file:/{}", rest.trim_start_matches('/')),
            None if uri.contains(':') => String::new(),
            None if !uri.starts_with('/') => {
                let words = format!("`{uri}` is relative, and there is nothing that it could be relative to");
                return Err(StorageFault::new(Why::Relative, words));
            }
            None => format!("file:{uri}"),
        };
        match find(&local) {
            Some((at, end)) => Ok((at, local[end..].to_owned().into())),
            None => {
                let words = format!(
                    "no folder stands for `{uri}`; map its beginning under `[storage]` in ankus.toml"
                );
                Err(StorageFault::new(Why::Unmapped, words))
            }
        }
    }

    /// The storage of a mount, opened when it is needed first.
    fn backend(&self, mount: usize) -> Done<Shared> {
        let mut open = self.open.0.lock().unwrap_or_else(PoisonError::into_inner);
        open.resize(self.mounts.len(), None);
        if let Some(backend) = &open[mount] {
            return Ok(backend.clone());
        }
        let backend = self.mounts[mount].open()?;
        open[mount] = Some(backend.clone());
        Ok(backend)
    }

    /// A place of a mount.
    fn spot_at(&self, mount: usize, rest: &str, uri: &str) -> Done<Spot> {
        let path = names(rest, uri)?.join("/");
        let prefix = &self.mounts[mount].prefix;
        let uri = if path.is_empty() { prefix.clone() } else { format!("{prefix}/{path}") };
        Ok(Spot { backend: self.backend(mount)?, path, uri, mount })
    }

    /// Where a URI lies, in whatever storage.
    pub fn spot(&self, uri: &str) -> Done<Spot> {
        let (mount, rest) = self.mount_of(uri)?;
        self.spot_at(mount, &rest, uri)
    }

    /// Where a URI lies on this machine. Whoever uses the path follows the links that are there by then; use [`Storage::spot`]
    /// where that matters.
    pub fn locate(&self, uri: &str) -> Result<Located, StorageError> {
        let spot = self.spot(uri)?;
        let Kind::Folder(root) = &self.mounts[spot.mount].kind else {
            let words = format!("`{uri}` does not lie in a folder of this machine");
            return Err(StorageFault::new(Why::Remote, words));
        };
        // Where a link leads out, this says so.
        spot.status()?;
        Ok(Located { path: Local::new(root).place(&spot.path), root: root.clone() })
    }

    /// Whether a URI leads to storage that is no folder of this machine; nothing is reached by the question.
    pub fn is_remote(&self, uri: &str) -> bool {
        let mount = self.mount_of(uri).map(|(mount, _)| &self.mounts[mount].kind);
        mount.is_ok_and(|kind| !matches!(kind, Kind::Folder(_)))
    }

    /// Takes what went wrong in looks that could not say so, since it was asked last.
    pub fn take_trouble(&self) -> Option<StorageFault> {
        self.trouble.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn remember(&self, fault: StorageFault) {
        let mut trouble = self.trouble.0.lock().unwrap_or_else(PoisonError::into_inner);
        if fault.is_passing() || trouble.is_none() {
            *trouble = Some(fault);
        }
    }
}

/// The names of a path, when none of them leads elsewhere. What is written with percent signs is no other name.
fn names<'p>(path: &'p str, uri: &str) -> Done<Vec<&'p str>> {
    let mut names = Vec::new();
    for name in path.split('/') {
        match name {
            "" | "." => {}
            ".." => {
                let words = format!("`{uri}` leads out of the folder that stands for it");
                return Err(StorageFault::new(Why::Outside, words));
            }
            name if name.contains('\0') => {
                return Err(StorageFault::new(Why::Argument, format!("`{uri}` holds a zero byte")));
            }
            name => names.push(name),
        }
    }
    Ok(names)
}

impl Exists for Storage {
    fn exists(&self, uri: &str) -> bool {
        match self.spot(uri).and_then(|spot| spot.status()) {
            Ok(status) => status.is_some(),
            // What is not mapped is never there, which somebody who waits for it must know; what cannot be reached may be.
            Err(fault) => {
                if fault.is_passing() || fault.why == Why::Unmapped {
                    self.remember(fault);
                }
                false
            }
        }
    }
}

impl Outside for Storage {
    fn files(&self, path: &str) -> Vec<(String, Option<i64>)> {
        self.seen(path).unwrap_or_else(|fault| {
            if fault.is_passing() {
                self.remember(fault);
            }
            Vec::new()
        })
    }

    fn block_size(&self, path: &str) -> Option<i64> {
        let status = self.spot(path).and_then(|spot| spot.status());
        let bytes = status.ok().flatten().and_then(|status| status.block_size)?;
        i64::try_from(bytes).ok()
    }
}

impl Storage {
    /// What the functions `fs:…` can ask about a path: itself, what a pattern stands for, and what a folder holds.
    fn seen(&self, path: &str) -> Done<Vec<(String, Option<i64>)>> {
        // As a function writes it: an answer is looked up by these words.
        let written = |spot: &Spot| {
            let uri = naming::shown(&spot.uri);
            match path.find(':') {
                Some(_) => uri.into_owned(),
                None => uri.strip_prefix("file:").unwrap_or(&uri).to_owned(),
            }
        };
        let length =
            |status: &Status| (!status.is_folder).then(|| i64::try_from(status.length).unwrap_or(i64::MAX));
        let mut found = Vec::new();
        let matched = self.matches(path)?;
        let is_one = matched.len() == 1 && !glob::is_pattern(path);
        for (spot, status) in matched {
            found.push((written(&spot), length(&status)));
            if is_one && status.is_folder {
                for (name, status) in spot.backend.list(&spot.path)? {
                    found.push((written(&spot.below(&name)), length(&status)));
                }
            }
        }
        found.sort();
        Ok(found)
    }
}
