//! Files as they would be: contents that stand in for those on disk while some work is done, so that edits can be
//! judged before anything is written.
//!
//! The contents belong to the running work, on this thread and on the workers that it starts; nobody else sees them.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::host::files;

/// Contents by absolute path.
pub type Overlay = Arc<BTreeMap<PathBuf, Vec<u8>>>;

thread_local! {
    static CURRENT: RefCell<Overlay> = RefCell::default();
}

/// Does some work with these contents instead of those on disk.
pub fn with<T>(overlay: Overlay, work: impl FnOnce() -> T) -> T {
    /// Puts the former contents back, also when the work panics.
    struct Former(Overlay);
    impl Drop for Former {
        fn drop(&mut self) {
            CURRENT.set(std::mem::take(&mut self.0));
        }
    }
    let _former = Former(CURRENT.replace(overlay));
    work()
}

/// The contents of the running work, for a worker of it.
pub fn current() -> Overlay {
    CURRENT.with_borrow(Arc::clone)
}

/// What stands in for a file.
pub(super) fn content(path: &Path) -> Option<Vec<u8>> {
    CURRENT.with_borrow(
        |overlay| {
            if overlay.is_empty() { None } else { overlay.get(&files::absolute(path)).cloned() }
        },
    )
}

/// The paths of what stands in for files below a folder, as seen from there.
pub(super) fn below(folder: &Path) -> Vec<PathBuf> {
    CURRENT.with_borrow(|overlay| {
        if overlay.is_empty() {
            return Vec::new();
        }
        let folder = files::absolute(folder);
        overlay.keys().filter_map(|path| path.strip_prefix(&folder).ok().map(Path::to_owned)).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contents_last_as_long_as_the_work() {
        let path = Path::new("/no/such/file");
        let overlay = Arc::new([(path.to_owned(), b"x".to_vec())].into());
        assert_eq!(content(path), None);
        assert_eq!(with(overlay, || content(Path::new("/no/./such/file"))), Some(b"x".to_vec()));
        assert_eq!(content(path), None);
    }
}
