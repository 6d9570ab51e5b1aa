//! The copying itself, file by file (`CopyMapper`), and what is deleted behind it (`CopyCommitter.deleteMissing`).

use std::io::{Read, Write};

use super::listing::Listing;
use super::{CopyFault, Plan, tell};
use crate::execute::storage::backend::{Status, join};
use crate::execute::storage::fault::{StorageFault, Why};
use crate::execute::storage::{Spot, Storage};

/// How often a copy asks whether somebody wants it ended, in bytes.
const ASK_EVERY: u64 = 8 << 20;

/// How much of two files is compared at a time, in bytes.
const COMPARED: usize = 64 << 10;

/// What was done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Files that were copied.
    pub copied: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Files that were left as they are.
    pub skipped: u64,
    /// Files and folders that were deleted, folders with all below once.
    pub deleted: u64,
    /// Files that could not be copied.
    pub failed: u64,
}

/// A copy under way.
pub struct Copy<'c> {
    storage: &'c Storage,
    plan: &'c Plan,
    out: &'c mut dyn Write,
    is_killed: &'c dyn Fn() -> bool,
    /// What was done so far.
    pub counts: Counts,
}

impl<'c> Copy<'c> {
    /// A copy that has not begun.
    pub fn new(
        storage: &'c Storage,
        plan: &'c Plan,
        out: &'c mut dyn Write,
        is_killed: &'c dyn Fn() -> bool,
    ) -> Copy<'c> {
        Copy { storage, plan, out, is_killed, counts: Counts::default() }
    }

    /// Copies all of a listing.
    pub fn all(&mut self, listing: &Listing) -> Result<(), CopyFault> {
        for link in &listing.links {
            tell(self.out, &format!("left out {}: it is a link", link.uri));
        }
        let several = listing.entries.keys().any(|place| !place.is_empty());
        if several && !listing.target.path.is_empty() {
            self.storage.guard_change(&listing.target)?;
            listing.target.backend.mkdirs(&listing.target.path)?;
        }
        self.clear(listing)?;
        for (place, (source, status)) in in_order(listing) {
            let target = if place.is_empty() { listing.target.clone() } else { listing.target.below(place) };
            match self.one(source, status, &target) {
                Err(CopyFault::Storage(fault)) if self.plan.ignore && !status.is_folder => {
                    self.counts.failed += 1;
                    tell(self.out, &format!("failed {}: {fault}", source.uri));
                }
                done => done?,
            }
        }
        // With failures that are let pass, as without.
        if self.plan.delete { self.delete_others(listing) } else { Ok(()) }
    }

    /// Removes what a copy that broke off has left beside the files that it wrote.
    fn clear(&mut self, listing: &Listing) -> Result<(), CopyFault> {
        for (place, (_, status)) in &listing.entries {
            if !status.is_folder {
                continue;
            }
            let folder = if place.is_empty() { listing.target.clone() } else { listing.target.below(place) };
            if !folder.status()?.is_some_and(|status| status.is_folder) {
                continue;
            }
            for (name, status) in folder.backend.list(&folder.path)? {
                let of = name.strip_prefix('.').and_then(|name| name.strip_suffix(".ankus"));
                let Some(of) = of.filter(|_| !status.is_folder) else { continue };
                let place = join(place, of);
                // A file of the source may be called so itself; what is nobody's is left alone.
                if listing.entries.contains_key(&place) {
                    let left = folder.below(&name);
                    self.storage.guard(&left)?;
                    left.backend.delete(&left.path)?;
                    tell(self.out, &format!("removed {}: a copy of it broke off", left.uri));
                }
            }
        }
        Ok(())
    }

    fn one(&mut self, source: &Spot, status: &Status, target: &Spot) -> Result<(), CopyFault> {
        if (self.is_killed)() {
            return Err(CopyFault::Killed);
        }
        let there = target.status()?;
        if let Some(there) = there
            && there.is_folder != status.is_folder
        {
            let kind = |status: &Status| if status.is_folder { "dir" } else { "file" };
            return Err(CopyFault::Input(format!(
                "Can't replace {}. Target is {}, Source is {}",
                target.uri,
                kind(&there),
                kind(status)
            )));
        }
        if status.is_folder {
            if there.is_none() {
                self.storage.guard_change(target)?;
                target.backend.mkdirs(&target.path)?;
            }
            return Ok(());
        }
        if let Some(there) = there
            && self.may_stay(source, status, target, &there)?
        {
            self.counts.skipped += 1;
            tell(self.out, &format!("left {} as it is", target.uri));
            return Ok(());
        }
        self.storage.guard_change(target)?;
        let content = source.backend.open(&source.path)?;
        let mut content = Counted { inner: content, read: 0, asked: 0, is_killed: self.is_killed };
        let created = target.backend.create(&target.path, &mut content);
        let read = content.read;
        match created {
            Err(_) if (self.is_killed)() => return Err(CopyFault::Killed),
            created => created?,
        }
        if read != status.length {
            let words = format!("Mismatch in length of source:{} and target:{}", source.uri, target.uri);
            return Err(StorageFault::new(Why::Io, words).into());
        }
        self.counts.copied += 1;
        self.counts.bytes = self.counts.bytes.saturating_add(read);
        tell(self.out, &format!("copied {} to {}", source.uri, target.uri));
        Ok(())
    }

    /// Whether a file that is there is not copied over (`CopyMapper.canSkip`).
    fn may_stay(
        &self,
        source: &Spot,
        status: &Status,
        target: &Spot,
        there: &Status,
    ) -> Result<bool, CopyFault> {
        if self.plan.overwrite {
            return Ok(false);
        }
        if !self.plan.update {
            return Ok(true);
        }
        if status.length != there.length {
            return Ok(false);
        }
        if self.plan.skip_contents {
            return Ok(true);
        }
        let one = source.backend.open(&source.path)?;
        let other = target.backend.open(&target.path)?;
        let same = is_same(one, other);
        Ok(same.map_err(|error| StorageFault::io(&source.uri, &error))?)
    }

    /// Deletes from the target what the source does not have.
    fn delete_others(&mut self, listing: &Listing) -> Result<(), CopyFault> {
        if !listing.target.status()?.is_some_and(|status| status.is_folder) {
            return Ok(());
        }
        let mut open = vec![String::new()];
        while let Some(folder) = open.pop() {
            if (self.is_killed)() {
                return Err(CopyFault::Killed);
            }
            let spot = if folder.is_empty() { listing.target.clone() } else { listing.target.below(&folder) };
            for (name, status) in spot.backend.list(&spot.path)? {
                let place = join(&folder, &name);
                if listing.entries.contains_key(&place) {
                    if status.is_folder && !status.is_link {
                        open.push(place);
                    }
                    continue;
                }
                let other = listing.target.below(&place);
                self.storage.guard(&other)?;
                other.backend.delete(&other.path)?;
                self.counts.deleted += 1;
                tell(self.out, &format!("deleted {}", other.uri));
            }
        }
        Ok(())
    }
}

/// The order of a copy: what says that a folder is whole (`_SUCCESS`, `_DONE`, all files whose names begin so) comes when
/// all else is there, deeper ones first, so that nobody takes half of a copy for the whole.
fn in_order(listing: &Listing) -> impl Iterator<Item = (&String, &(Spot, Status))> {
    let is_marker = |place: &str, status: &Status| {
        !status.is_folder && place.rsplit('/').next().is_some_and(|name| name.starts_with('_'))
    };
    let mut all: Vec<_> = listing.entries.iter().collect();
    all.sort_by_key(|(place, (_, status))| match is_marker(place, status) {
        false => 0,
        true => usize::MAX - place.matches('/').count(),
    });
    all.into_iter()
}

/// A reader that counts, and that fails when somebody wants the copy ended.
struct Counted<'r> {
    inner: Box<dyn Read + 'r>,
    read: u64,
    asked: u64,
    is_killed: &'r dyn Fn() -> bool,
}

impl Read for Counted<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> std::io::Result<usize> {
        if self.read - self.asked >= ASK_EVERY {
            self.asked = self.read;
            if (self.is_killed)() {
                return Err(std::io::Error::other("it was killed"));
            }
        }
        let read = self.inner.read(bytes)?;
        self.read += read as u64;
        Ok(read)
    }
}

/// Whether two readers give the same bytes.
fn is_same(one: Box<dyn Read + '_>, other: Box<dyn Read + '_>) -> std::io::Result<bool> {
    let piece = |reader: &mut Box<dyn Read + '_>| {
        let mut bytes = Vec::new();
        reader.take(COMPARED as u64).read_to_end(&mut bytes).map(|_| bytes)
    };
    let (mut one, mut other) = (one, other);
    loop {
        let (left, right) = (piece(&mut one)?, piece(&mut other)?);
        if left != right {
            return Ok(false);
        }
        if left.is_empty() {
            return Ok(true);
        }
    }
}
