//! What is copied where: every file and folder with its place in the target (`SimpleCopyListing`), known before anything is
//! copied.

use std::collections::BTreeMap;
use std::io::Read;

use super::{CopyFault, Plan};
use crate::execute::storage::backend::{Status, join, split};
use crate::execute::storage::{MAX_MATCHES, Spot, Storage, naming};

/// More files and folders are not copied at once.
const MAX_LISTED: usize = 1_000_000;

/// A longer list of sources is not read, in bytes.
const MAX_LIST: u64 = 16 << 20;

/// What is copied.
#[derive(Debug)]
pub struct Listing {
    /// The target.
    pub target: Spot,
    /// By the path below the target, which is empty for the target itself.
    pub entries: BTreeMap<String, (Spot, Status)>,
    /// Links, which are not copied.
    pub links: Vec<Spot>,
}

impl Listing {
    /// Lists what a plan copies.
    pub fn of(storage: &Storage, plan: &Plan) -> Result<Listing, CopyFault> {
        let input = |words: String| CopyFault::Input(words);
        let target = storage.spot(&plan.target)?;
        let mut sources = Vec::new();
        for source in plan.sources.iter().chain(&listed(storage, plan)?) {
            let found = storage.matches(source)?;
            if found.is_empty() {
                return Err(input(format!("{source} doesn't exist")));
            }
            if found.len() > MAX_MATCHES {
                return Err(input(format!("{source} stands for too many files")));
            }
            sources.extend(found);
        }
        let there = target.status()?;
        if there.is_some_and(|status| status.is_file()) {
            match sources.as_slice() {
                [(_, status)] if status.is_file() => {}
                [(source, _)] => {
                    let words = format!("Cannot copy {}, which is not a file to {}", source.uri, target.uri);
                    return Err(input(words));
                }
                _ => return Err(input(format!("Multiple source being copied to a file: {}", target.uri))),
            }
        }
        let is_one = sources.len() == 1;
        let is_synced = plan.update || plan.overwrite;
        let mut listing = Listing { target, entries: BTreeMap::new(), links: Vec::new() };
        for (source, status) in sources {
            let name = split(&source.path).map_or("", |(_, name)| name).to_owned();
            // A folder becomes the target, or comes to lie in it (`computeSourceRootPath`).
            let is_target = if status.is_folder {
                is_synced || (is_one && there.is_none()) || name.is_empty()
            } else {
                is_one && there.is_none_or(|there| there.is_file())
            };
            let place = if is_target { String::new() } else { name };
            listing.add(source, status, place, is_synced)?;
        }
        let unwritable = listing.entries.keys().find(|place| !naming::is_text(place));
        if let Some(place) = unwritable.filter(|_| storage.is_remote(&plan.target)) {
            let (place, target) = (naming::shown(place), &listing.target.uri);
            return Err(input(format!(
                "the name of `{place}` is not UTF-8, as names in {target} are; rename it"
            )));
        }
        Ok(listing)
    }

    /// Adds a source with all below it.
    fn add(&mut self, source: Spot, status: Status, place: String, is_synced: bool) -> Result<(), CopyFault> {
        let mut open = vec![(source, status, place)];
        let mut is_first = true;
        while let Some((spot, status, place)) = open.pop() {
            if status.is_link && !is_first {
                self.links.push(spot);
                continue;
            }
            is_first = false;
            if status.is_folder {
                for (name, status) in spot.backend.list(&spot.path)? {
                    open.push((spot.below(&name), status, join(&place, &name)));
                }
            }
            // Several folders may become the target itself.
            let is_target = place.is_empty() && status.is_folder && is_synced;
            if let Some((other, _)) = self.entries.get(&place).filter(|_| !is_target) {
                let words = format!("File {} and {} would cause duplicates. Aborting", other.uri, spot.uri);
                return Err(CopyFault::Input(words));
            }
            self.entries.insert(place, (spot, status));
            if self.entries.len() > MAX_LISTED {
                return Err(CopyFault::Input(format!(
                    "more than {MAX_LISTED} files and folders are to be copied"
                )));
            }
        }
        Ok(())
    }
}

/// The sources that a file names.
fn listed(storage: &Storage, plan: &Plan) -> Result<Vec<String>, CopyFault> {
    let Some(list) = &plan.list else { return Ok(Vec::new()) };
    let spot = storage.spot(list)?;
    let mut text = String::new();
    let read = spot.backend.open(&spot.path)?.take(MAX_LIST + 1).read_to_string(&mut text);
    read.map_err(|error| CopyFault::Input(format!("{list} cannot be read: {error}")))?;
    if text.len() as u64 > MAX_LIST {
        return Err(CopyFault::Input(format!("{list} is too long")));
    }
    let sources: Vec<_> =
        text.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect();
    if sources.is_empty() {
        return Err(CopyFault::Input(format!("{list} names no source")));
    }
    Ok(sources)
}
