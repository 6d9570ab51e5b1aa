//! The files of an estate, whoever holds them: a disk, contents that stand in for it, a tree in memory.

use std::collections::BTreeMap;

/// What lies at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Entry {
    /// A regular file.
    File,
    /// A folder.
    Folder,
}

/// Why something cannot be read or listed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FilesError {
    /// Nothing lies there, or something of the other kind.
    #[error("`{0}` does not exist")]
    Missing(String),
    /// It is larger than a limit of whoever holds the files.
    #[error("`{0}` is too large")]
    TooLarge(String),
    /// The holder's own reason.
    #[error("cannot read `{path}`: {reason}")]
    Unreadable {
        /// The path.
        path: String,
        /// The reason.
        reason: String,
    },
}

/// Files and folders by their paths, with `/` between; where paths begin is the holder's matter, and one holder's paths
/// all begin there. `""` is that beginning.
pub trait Files {
    /// What lies at a path; none where nothing does.
    fn kind(&self, path: &str) -> Option<Entry>;

    /// The names directly in a folder, sorted, with what they are.
    ///
    /// # Errors
    /// Where no folder lies there, or it cannot be listed.
    fn list(&self, folder: &str) -> Result<Vec<(String, Entry)>, FilesError>;

    /// The bytes of a file.
    ///
    /// # Errors
    /// Where no file lies there, it is too large, or it cannot be read.
    fn read(&self, path: &str) -> Result<Vec<u8>, FilesError>;

    /// The paths of all files in and below a folder, sorted, those left out that a holder keeps from view (a disk, what
    /// `.gitignore` names). A folder below that cannot be listed has no files.
    ///
    /// # Errors
    /// Where the folder itself cannot be listed.
    fn below(&self, folder: &str) -> Result<Vec<String>, FilesError> {
        let (mut found, mut open) = (Vec::new(), Vec::new());
        let mut listed = self.list(folder)?;
        let mut at = folder.to_owned();
        loop {
            for (name, entry) in listed {
                let path = join(&at, &name);
                match entry {
                    Entry::File => found.push(path),
                    Entry::Folder => open.push(path),
                }
            }
            let Some(next) = open.pop() else { break };
            listed = self.list(&next).unwrap_or_default();
            at = next;
        }
        found.sort();
        Ok(found)
    }
}

/// A name below a folder (`""` is the beginning of all paths).
pub fn join(folder: &str, name: &str) -> String {
    if folder.is_empty() || folder.ends_with('/') {
        format!("{folder}{name}")
    } else {
        format!("{folder}/{name}")
    }
}

/// The folder of a path; `""` where it has none.
pub fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// The last name of a path.
pub fn name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Files in memory; folders are what files lie in.
#[derive(Clone, Debug, Default)]
pub struct Tree(BTreeMap<String, Vec<u8>>);

impl Tree {
    /// A tree of these files.
    pub fn new<P: Into<String>, C: Into<Vec<u8>>>(files: impl IntoIterator<Item = (P, C)>) -> Tree {
        Tree(files.into_iter().map(|(path, content)| (path.into(), content.into())).collect())
    }

    /// Puts a file in, in place of the one that may be there.
    pub fn put(&mut self, path: impl Into<String>, content: impl Into<Vec<u8>>) {
        self.0.insert(path.into(), content.into());
    }

    /// Takes a file out.
    pub fn remove(&mut self, path: &str) -> Option<Vec<u8>> {
        self.0.remove(path)
    }

    /// The paths below a folder, as seen from there.
    fn inside<'t>(&'t self, folder: &'t str) -> impl Iterator<Item = &'t str> {
        let rest = move |path: &'t str| match folder {
            "" => Some(path),
            _ => path.strip_prefix(folder)?.strip_prefix('/'),
        };
        self.0.keys().filter_map(move |path| rest(path))
    }
}

impl Files for Tree {
    fn kind(&self, path: &str) -> Option<Entry> {
        if self.0.contains_key(path) {
            return Some(Entry::File);
        }
        (path.is_empty() || self.inside(path).next().is_some()).then_some(Entry::Folder)
    }

    fn list(&self, folder: &str) -> Result<Vec<(String, Entry)>, FilesError> {
        if self.kind(folder) != Some(Entry::Folder) {
            return Err(FilesError::Missing(folder.to_owned()));
        }
        let names: BTreeMap<String, Entry> = self
            .inside(folder)
            .map(|path| match path.split_once('/') {
                Some((name, _)) => (name.to_owned(), Entry::Folder),
                None => (path.to_owned(), Entry::File),
            })
            .collect();
        Ok(names.into_iter().collect())
    }

    fn read(&self, path: &str) -> Result<Vec<u8>, FilesError> {
        self.0.get(path).cloned().ok_or_else(|| FilesError::Missing(path.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_has_the_folders_that_its_files_lie_in() {
        let tree = Tree::new([("a/b.xml", "b"), ("a/c/d.xml", "d"), ("e", "")]);
        assert_eq!(tree.kind("a/c"), Some(Entry::Folder));
        assert_eq!(tree.kind("a/c/d.xml"), Some(Entry::File));
        assert_eq!(tree.kind("a/c/d"), None);
        assert_eq!(tree.kind(""), Some(Entry::Folder));
        let listed = |folder: &str| tree.list(folder).expect("a folder");
        assert_eq!(listed("a"), [("b.xml".to_owned(), Entry::File), ("c".to_owned(), Entry::Folder)]);
        assert_eq!(tree.list("e"), Err(FilesError::Missing("e".to_owned())));
        assert_eq!(tree.read("a/b.xml").as_deref(), Ok(&b"b"[..]));
        assert_eq!(tree.below("").expect("a folder"), ["a/b.xml", "a/c/d.xml", "e"]);
        assert_eq!(tree.below("a").expect("a folder"), ["a/b.xml", "a/c/d.xml"]);
        assert_eq!((join("", "a"), join("/", "a"), join("a", "b")), ("a".into(), "/a".into(), "a/b".into()));
        assert_eq!((parent("a/b/c"), parent("a"), name("a/b"), name("a")), ("a/b", "", "b", "a"));
    }
}
