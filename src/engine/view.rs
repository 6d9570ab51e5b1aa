//! What the engine asks of the world, through whoever drives it.

use crate::plan::coordinator::Exists;

/// The world as it is now. Only [`super::Engine::look`] asks it; what it says becomes an event.
pub trait Outside: Exists {
    /// What lies at a path and below it: paths and lengths, null for a folder. A glob gives all that it stands for.
    fn files(&self, path: &str) -> Vec<(String, Option<i64>)>;

    /// The bytes of a block of a file, where that is known.
    fn block_size(&self, path: &str) -> Option<i64> {
        let _ = path;
        None
    }
}
