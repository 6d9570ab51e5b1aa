//! A folder of this machine that stands for storage: what both ways to reach into it have in common.

use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use super::naming;

/// A folder of this machine; `How` says how paths in it are kept from leading out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folder<How> {
    pub(super) root: PathBuf,
    how: PhantomData<How>,
}

impl<How> Folder<How> {
    /// The storage that a folder stands for; it need not be there yet.
    pub fn new(root: &Path) -> Folder<How> {
        Folder { root: root.to_owned(), how: PhantomData }
    }

    /// Where a path lies.
    pub fn place(&self, path: &str) -> PathBuf {
        if path.is_empty() { self.root.clone() } else { self.root.join(naming::name_of(path)) }
    }
}
