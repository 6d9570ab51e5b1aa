//! Looks at the world for the engine.

use super::Executor;
use crate::engine::{Event, Subject};

impl Executor<'_> {
    /// What the engine is told of the world. Where storage could not be reached nothing was seen, which is not that nothing
    /// is there: then it is looked again later.
    pub(super) fn look(&mut self, subject: Subject) -> Option<Event> {
        let now = self.clock.now();
        let event = self.engine.look(now, subject, &self.storage).ok();
        if self.storage.take_trouble().is_none() {
            return event;
        }
        self.awaited.insert(subject, now.plus_millis(self.options.look_millis));
        None
    }
}
