//! What is never deleted, moved away or replaced: all of a storage, what holds the whole of another one or of the project,
//! the executor's own store, and the folders at the root of a real file system.

use std::path::{Path, PathBuf};

use super::backend::{Done, join};
use super::fault::{StorageFault, Why};
use super::glob::is_pattern;
use super::{Kind, Local, Spot, Storage, names};
use crate::analysis::functions::globs::{Glob, alternatives};

impl Storage {
    /// Refuses a place that must stay.
    pub fn guard(&self, spot: &Spot) -> Done {
        let refused = |what: &str| {
            let words = format!("`{}` {what}, which is not deleted", spot.uri);
            Err(StorageFault::new(Why::Guarded, words))
        };
        let mount = &self.mounts[spot.mount];
        if spot.path.is_empty() {
            return refused("is all of the storage");
        }
        let inside = format!("{}/", spot.uri);
        if self.mounts.iter().any(|other| other.prefix.starts_with(&inside)) {
            return refused("holds the whole of another storage");
        }
        match &mount.kind {
            Kind::Folder(root) => {
                let place = real(&Local::new(root).place(&spot.path));
                let roots = self.mounts.iter().filter_map(|mount| match &mount.kind {
                    Kind::Folder(root) => Some(root),
                    _ => None,
                });
                // A root may be a link: neither it nor what it leads to goes.
                let holds = |root: &PathBuf| {
                    real(root).starts_with(&place)
                        || std::fs::canonicalize(root).is_ok_and(|root| root.starts_with(&place))
                };
                if roots.chain(&self.guarded).any(holds) {
                    return refused("holds a folder that stands for storage, the project or its store");
                }
                if self.guarded.iter().any(|guarded| place.starts_with(real(guarded))) {
                    return refused("belongs to the store of the executor");
                }
            }
            kind => {
                if kind.is_file_system() && mount.base().is_empty() && !spot.path.contains('/') {
                    return refused("lies at the root of a real file system");
                }
            }
        }
        Ok(())
    }

    /// Refuses a place in the executor's own store, where nothing is written.
    pub fn guard_change(&self, spot: &Spot) -> Done {
        let Kind::Folder(root) = &self.mounts[spot.mount].kind else { return Ok(()) };
        if self.guarded.is_empty() {
            return Ok(());
        }
        // What is not there yet has nothing but names behind what is.
        let place = Local::new(root).place(&spot.path);
        let there = place.ancestors().find_map(|above| Some((std::fs::canonicalize(above).ok()?, above)));
        let (there, above) = there.unwrap_or_else(|| (place.clone(), &place));
        let place = there.join(place.strip_prefix(above).unwrap_or(Path::new("")));
        let is_inside = |guarded: &PathBuf| {
            let real = std::fs::canonicalize(guarded);
            real.is_ok_and(|guarded| place.starts_with(guarded))
        };
        if self.guarded.iter().any(is_inside) {
            let words = format!("`{}` belongs to the store of the executor, which is not changed", spot.uri);
            return Err(StorageFault::new(Why::Guarded, words));
        }
        Ok(())
    }

    /// Refuses a pattern that stands for everything.
    pub fn guard_pattern(&self, uri: &str) -> Done {
        if !is_pattern(uri) {
            return self.guard(&self.spot(uri)?);
        }
        let (mount, rest) = self.mount_of(uri)?;
        let prefix = &self.mounts[mount].prefix;
        let illegal = |failure: crate::el::Failure| StorageFault::new(Why::Io, failure.message);
        for pattern in alternatives(&rest).map_err(illegal)? {
            let mut names = names(&pattern, uri)?;
            // From the end on: a folder above what stands for everything is emptied.
            while names.pop().is_some_and(is_open) {
                let above = format!("{prefix}/{}", names.join("/"));
                if names.is_empty() || self.stands_for_some(&above)? {
                    let words = format!("`{uri}` is all of a storage, which is not deleted");
                    return Err(StorageFault::new(Why::Guarded, words));
                }
            }
        }
        // Opened, so that what is not built in or not there is known before anything is changed.
        self.backend(mount).map(|_| ())
    }

    /// Whether a folder of a pattern stands for all of a storage, or is guarded, by whatever way it is reached.
    fn stands_for_some(&self, pattern: &str) -> Done<bool> {
        let (mount, rest) = self.mount_of(pattern)?;
        let mounts = self.mounts.iter();
        let Kind::Folder(root) = &self.mounts[mount].kind else {
            let own = &self.mounts[mount];
            let path = join(own.base(), rest.trim_matches('/'));
            let mut same = mounts.filter(|other| other.kind.is_in_one_system_with(&own.kind));
            return Ok(same.any(|other| fits(&path, other.base())));
        };
        let folders = mounts.filter_map(|mount| match &mount.kind {
            Kind::Folder(root) => Some(root),
            _ => None,
        });
        let roots: Vec<_> =
            folders.chain(&self.guarded).filter_map(|root| std::fs::canonicalize(root).ok()).collect();
        let found = self.matches(pattern)?;
        let mut places = found.iter().map(|(spot, _)| Local::new(root).place(&spot.path));
        Ok(places.any(|place| std::fs::canonicalize(place).is_ok_and(|place| roots.contains(&place))))
    }
}

/// Whether a pattern stands for a path, name by name.
fn fits(pattern: &str, path: &str) -> bool {
    let fits = |(pattern, name): (&str, &str)| Glob::parse(pattern).is_ok_and(|glob| glob.matches(name));
    pattern.split('/').count() == path.split('/').count() && pattern.split('/').zip(path.split('/')).all(fits)
}

/// Whether a name of a pattern stands for all names.
fn is_open(name: &str) -> bool {
    name.trim_matches(['*', '?']).is_empty() && name.contains('*')
}

/// A path without links in the folders above it; the last name stays, since a link is deleted and not followed.
fn real(path: &Path) -> PathBuf {
    let (Some(above), Some(name)) = (path.parent(), path.file_name()) else { return path.to_owned() };
    std::fs::canonicalize(above).map_or_else(|_| path.to_owned(), |above| above.join(name))
}
