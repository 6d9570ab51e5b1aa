//! A seam for tests: somebody who hears of every write of a store, and may end the executor there.

use std::rc::Rc;

/// When in the course of a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Moment {
    /// Nothing of it is on disk.
    Before,
    /// All of it is on disk, and nobody knows yet.
    After,
}

/// Hears of a write; an error stands for the end of the process at that moment, and nothing more is written.
pub type Watch = Rc<dyn Fn(Moment) -> Result<(), String>>;

/// Who watches, if anybody.
#[derive(Clone, Default)]
pub(super) struct Faults(pub(super) Option<Watch>);

impl Faults {
    pub(super) fn at(&self, moment: Moment) -> Result<(), String> {
        self.0.as_ref().map_or(Ok(()), |watch| watch(moment))
    }
}

impl std::fmt::Debug for Faults {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Faults").field(&self.0.is_some()).finish()
    }
}
