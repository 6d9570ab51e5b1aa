//! Files as fs actions leave them: what is made, moved and deleted lies over the rest of the world.
//!
//! What nobody has told is not known, and an action that needs it goes well: a simulation is not to fail for want of
//! `[files]`. What another action names in its definition may have been written by it.

use std::collections::{BTreeMap, BTreeSet};

use crate::plan::coordinator::plain_uri;
use crate::time::Instant;

/// What is known of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Known {
    /// A file of so many bytes.
    File(i64),
    /// A folder.
    Folder,
    /// Nothing.
    Missing,
    /// Nobody has told.
    Unknown,
}

impl Known {
    /// Whether something is there.
    pub(super) const fn is_there(self) -> bool {
        matches!(self, Known::File(_) | Known::Folder)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Entry {
    File(i64),
    /// Of a new one all that it holds is known.
    Folder {
        is_new: bool,
    },
    Gone,
    /// Another action may have written it.
    Perhaps,
}

/// What fs actions have done so far, by path.
#[derive(Clone, Debug, Default)]
pub(super) struct Made {
    entries: BTreeMap<String, (Entry, Instant)>,
    /// Schemes with authorities that paths had: `hdfs://nn`.
    roots: BTreeSet<String>,
}

/// The folder above a path; none above the root of its file system.
pub(super) fn above(path: &str) -> Option<&str> {
    let start = path.find("://").map_or(0, |at| at + 3);
    let slash = path[start..].rfind('/').map(|at| start + at)?;
    (slash > start || start == 0 && slash > 0).then(|| &path[..slash])
}

/// The folders above a path, the nearest first.
fn all_above(path: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(above(path), |path| above(path))
}

/// Files and folders whose paths begin so, with their lengths.
type Listing<'l> = &'l dyn Fn(&str) -> Vec<(String, Option<i64>)>;

/// The paths that a pattern stands for. One without wildcards stands for itself unless it is known to be missing. What one
/// with wildcards may match beside what is known is not known: where nothing does, it stands for itself, as long as its
/// folder may hold anything.
pub(super) fn matches(pattern: &str, known: &dyn Fn(&str) -> Known, files: Listing<'_>) -> Vec<String> {
    let pattern = plain_uri(pattern);
    let Some(wild) = pattern.find(['*', '?', '[', '{', '\\']) else {
        let is_missing = known(&pattern) == Known::Missing;
        return (!is_missing).then(|| pattern.into_owned()).into_iter().collect();
    };
    let Ok(glob) = super::scenario::pattern(&pattern) else { return vec![pattern.into_owned()] };
    let depth = pattern.matches('/').count();
    let cut = |path: &str| path.split('/').take(depth + 1).collect::<Vec<_>>().join("/");
    let listed = files(&pattern[..wild]);
    let found: BTreeSet<String> =
        listed.iter().map(|(path, _)| cut(path)).filter(|path| glob.is_match(path)).collect();
    let folder = above(&pattern[..wild]).unwrap_or(&pattern);
    match found.is_empty() && known(folder) == Known::Unknown {
        true => vec![pattern.into_owned()],
        false => found.into_iter().collect(),
    }
}

/// What lies between a folder and the next character that paths below it cannot have there.
fn below(folder: &str) -> (String, String) {
    (format!("{folder}/"), format!("{folder}0"))
}

impl Made {
    /// Whether no fs action has done anything.
    pub(super) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// What fs actions make of a path, and since when; `None`: they have nothing to do with it.
    pub(super) fn find(&self, path: &str) -> Option<(Known, Instant)> {
        if self.entries.is_empty() {
            return None;
        }
        let path = plain_uri(path);
        match self.entries.get(&*path) {
            Some((Entry::File(length), at)) => return Some((Known::File(*length), *at)),
            Some((Entry::Folder { .. }, at)) => return Some((Known::Folder, *at)),
            Some((Entry::Perhaps, at)) => return Some((Known::Unknown, *at)),
            Some((Entry::Gone, at)) => return Some((Known::Missing, *at)),
            None => {}
        }
        let (from, to) = below(&path);
        let mut inside = self.entries.range(from..to);
        if let Some((_, (_, at))) =
            inside.find(|(_, (entry, _))| matches!(entry, Entry::File(_) | Entry::Folder { .. }))
        {
            return Some((Known::Folder, *at));
        }
        all_above(&path).find_map(|path| match self.entries.get(path)? {
            (Entry::Gone | Entry::File(_) | Entry::Folder { is_new: true }, at) => {
                Some((Known::Missing, *at))
            }
            (Entry::Perhaps, at) => Some((Known::Unknown, *at)),
            (Entry::Folder { is_new: false }, _) => None,
        })
    }

    /// Files and folders that fs actions have made whose paths begin so.
    pub(super) fn there(&self, start: &str) -> impl Iterator<Item = (&str, Option<i64>)> {
        let found = self.entries.range(start.to_owned()..);
        let found = found.take_while(move |(path, _)| path.starts_with(start));
        found.filter_map(|(path, (entry, _))| match entry {
            Entry::File(length) => Some((path.as_str(), Some(*length))),
            Entry::Folder { .. } => Some((path.as_str(), None)),
            Entry::Gone | Entry::Perhaps => None,
        })
    }

    fn set(&mut self, path: &str, entry: Entry, at: Instant) {
        let root = crate::plan::fs::root(path);
        if !self.roots.contains(root) {
            self.roots.insert(root.to_owned());
        }
        self.entries.insert(path.to_owned(), (entry, at));
    }

    /// A folder, and those above it that are missing. `is_new`: it was surely not there before.
    pub(super) fn make_folder(&mut self, path: &str, is_new: bool, at: Instant) {
        let missing = |made: &Made, path: &str| made.find(path).is_some_and(|(it, _)| it == Known::Missing);
        let new: Vec<String> =
            all_above(path).take_while(|path| missing(self, path)).map(str::to_owned).collect();
        for folder in new {
            self.set(&folder, Entry::Folder { is_new: true }, at);
        }
        self.set(path, Entry::Folder { is_new }, at);
    }

    /// A file.
    pub(super) fn make_file(&mut self, path: &str, length: i64, at: Instant) {
        if let Some(folder) = above(path)
            && self.find(folder).is_some_and(|(it, _)| it == Known::Missing)
        {
            self.make_folder(folder, true, at);
        }
        self.set(path, Entry::File(length), at);
    }

    /// What is there, and all below it, is there no more.
    pub(super) fn delete(&mut self, path: &str, at: Instant) {
        self.take_below(path);
        self.set(path, Entry::Gone, at);
    }

    /// What fs actions have made below a path is taken away.
    fn take_below(&mut self, path: &str) -> Vec<(String, (Entry, Instant))> {
        let (from, to) = below(path);
        let paths: Vec<String> = self.entries.range(from..to).map(|(path, _)| path.clone()).collect();
        paths.into_iter().filter_map(|path| self.entries.remove_entry(&path)).collect()
    }

    /// What is there goes somewhere else. `others`: what else is known to lie below it.
    pub(super) fn move_to(
        &mut self,
        from: &str,
        to: &str,
        (known, others): (Known, Vec<(String, Option<i64>)>),
        at: Instant,
    ) {
        let inside = self.take_below(from);
        let own = self.entries.remove(from).map(|(entry, _)| entry);
        self.set(from, Entry::Gone, at);
        if let Some(folder) = above(to)
            && self.find(folder).is_some_and(|(it, _)| it == Known::Missing)
        {
            self.make_folder(folder, true, at);
        }
        let entry = match (own, known) {
            (Some(entry @ (Entry::File(_) | Entry::Folder { .. })), _) => entry,
            (_, Known::File(length)) => Entry::File(length),
            _ => Entry::Folder { is_new: false },
        };
        self.set(to, entry, at);
        for (path, length) in others {
            if let Some(rest) = path.strip_prefix(from) {
                let entry = length.map_or(Entry::Folder { is_new: false }, Entry::File);
                self.set(&format!("{to}{rest}"), entry, at);
            }
        }
        for (path, (entry, _)) in inside {
            self.set(&format!("{to}{}", &path[from.len()..]), entry, at);
        }
    }

    /// An action begins whose definition names paths: from now on they may be there, whatever was deleted before.
    pub(super) fn named_in(&mut self, definition: &str, is_closed: bool, at: Instant) {
        if self.entries.is_empty() && !is_closed {
            return;
        }
        let ends = |c: char| c.is_whitespace() || matches!(c, '<' | '>' | '"' | '\'' | ',' | ';' | '=');
        for word in definition.split(ends).filter(|word| word.contains('/')) {
            match crate::plan::fs::scheme(word) {
                Some(_) if word.contains("://") => self.may_be_there(&plain_uri(word), is_closed, at),
                None if word.starts_with('/') => {
                    let roots: Vec<String> = self.roots.iter().cloned().collect();
                    for root in roots {
                        self.may_be_there(&plain_uri(&format!("{root}{word}")), is_closed, at);
                    }
                }
                _ => {}
            }
        }
    }

    fn may_be_there(&mut self, path: &str, is_closed: bool, at: Instant) {
        // A name node, not a path on it.
        if crate::plan::fs::root(path).len() == path.len() {
            return;
        }
        match self.find(path) {
            Some((Known::Missing, _)) => self.set(path, Entry::Perhaps, at),
            None if is_closed => self.set(path, Entry::Perhaps, at),
            _ => {}
        }
        if let Some((Entry::Folder { is_new }, _)) = self.entries.get_mut(path) {
            *is_new = false;
        }
        let (from, to) = below(path);
        for (_, (entry, since)) in self.entries.range_mut(from..to) {
            match entry {
                Entry::Gone => (*entry, *since) = (Entry::Perhaps, at),
                Entry::Folder { is_new } => *is_new = false,
                Entry::File(_) | Entry::Perhaps => {}
            }
        }
    }
}
