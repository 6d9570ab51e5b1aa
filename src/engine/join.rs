//! Engines joined: what was replayed apart goes on together.
//!
//! Jobs of different submissions meet in numbers, names and time only, so nothing of either changes.

use super::{Engine, Plans};

impl<P: Plans> Engine<P> {
    /// Takes in the jobs of another engine, none of which this one knows.
    pub fn adopt(&mut self, mut other: Engine<P>) {
        debug_assert!(other.out.is_empty() && other.notices.is_empty(), "an engine that is at work");
        self.now = self.now.max(other.now);
        self.last_number = self.last_number.max(other.last_number);
        self.workflows.append(&mut other.workflows);
        self.coordinators.append(&mut other.coordinators);
        self.bundles.append(&mut other.bundles);
        self.external_ids.append(&mut other.external_ids);
        self.wakes.append(&mut other.wakes);
    }
}
