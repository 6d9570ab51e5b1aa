//! What a pattern stands for (`FileSystem.globStatus`): walked name by name, so only folders that can match are read.

use super::backend::{Done, Status};
use super::fault::{StorageFault, Why};
use super::{Spot, Storage, names};
use crate::analysis::functions::globs::{Glob, alternatives};

/// The most paths that one pattern may stand for (`oozie.action.fs.glob.max`).
pub const MAX_MATCHES: usize = 50_000;

/// What begins a pattern in a name.
const SIGNS: [char; 5] = ['*', '?', '[', '{', '\\'];

/// Whether a path is a pattern.
pub fn is_pattern(path: &str) -> bool {
    path.contains(SIGNS)
}

impl Storage {
    /// What a path or pattern stands for, in the order of paths; one more than [`MAX_MATCHES`] at most.
    pub fn matches(&self, uri: &str) -> Done<Vec<(Spot, Status)>> {
        self.matches_by(uri, Spot::status)
    }

    /// The same for what is done to links themselves, wherever they lead.
    pub fn own_matches(&self, uri: &str) -> Done<Vec<(Spot, Status)>> {
        self.matches_by(uri, Spot::own_status)
    }

    fn matches_by(&self, uri: &str, look: fn(&Spot) -> Done<Option<Status>>) -> Done<Vec<(Spot, Status)>> {
        if !is_pattern(uri) {
            let spot = self.spot(uri)?;
            let status = look(&spot)?;
            return Ok(status.map(|status| (spot, status)).into_iter().collect());
        }
        let (mount, rest) = self.mount_of(uri)?;
        let argument = |failure: crate::el::Failure| StorageFault::new(Why::Io, failure.message);
        let mut found = Vec::new();
        for pattern in alternatives(&rest).map_err(argument)? {
            let mut open = vec![(self.spot_at(mount, "", uri)?, None)];
            for name in names(&pattern, uri)? {
                let mut next = Vec::new();
                let glob = Glob::parse(name).map_err(argument)?;
                for (spot, _) in open {
                    if is_pattern(name) {
                        let Some(Status { is_folder: true, .. }) = spot.status()? else { continue };
                        let inside = spot.backend.list(&spot.path)?.into_iter();
                        let fitting = inside.filter(|(name, _)| glob.matches(name));
                        next.extend(fitting.map(|(name, status)| (spot.below(&name), Some(status))));
                    } else {
                        next.push((spot.below(name), None));
                    }
                    if next.len() > MAX_MATCHES {
                        next.truncate(MAX_MATCHES + 1);
                        break;
                    }
                }
                open = next;
            }
            for (spot, status) in open {
                let status = if status.is_some() { status } else { look(&spot)? };
                found.extend(status.map(|status| (spot, status)));
            }
        }
        found.sort_by(|a, b| a.0.path.cmp(&b.0.path));
        found.dedup_by(|a, b| a.0.path == b.0.path);
        found.truncate(MAX_MATCHES + 1);
        Ok(found)
    }
}
