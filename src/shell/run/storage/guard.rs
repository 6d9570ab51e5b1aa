//! What is never deleted, moved away or replaced: all of a storage, what holds the whole of another one or of the project,
//! the executor's own store, and the folders at the root of a real file system.

use std::path::{Path, PathBuf};

use super::backend::Done;
use super::fault::{StorageFault, Why};
use super::glob::is_pattern;
use super::{Kind, Local, Spot, Storage, names};

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
        let names = names(&rest, uri)?;
        let is_open = |name: &str| name.trim_matches(['*', '?']).is_empty() && name.contains('*');
        if names.iter().all(|name| is_open(name)) {
            let words = format!("`{uri}` is all of the storage, which is not deleted");
            return Err(StorageFault::new(Why::Guarded, words));
        }
        // Opened, so that what is not built in or not there is known before anything is changed.
        self.backend(mount).map(|_| ())
    }
}

/// A path without links in the folders above it; the last name stays, since a link is deleted and not followed.
fn real(path: &Path) -> PathBuf {
    let (Some(above), Some(name)) = (path.parent(), path.file_name()) else { return path.to_owned() };
    std::fs::canonicalize(above).map_or_else(|_| path.to_owned(), |above| above.join(name))
}
