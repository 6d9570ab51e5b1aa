//! What is done outside and needs no answer: on disk with the event that it is about, taken off when it is done.

use super::{Executor, cleaning, notify};
use crate::engine::Command;
use crate::host::ShellError;

impl Executor<'_> {
    /// Does what needs no answer, or begins to.
    pub(super) fn chores(&mut self) -> Result<(), ShellError> {
        for (number, _, body) in self.store.chores_after(self.newest_chore)? {
            self.newest_chore = number;
            let is_kept = self.cleanings.take(number, &body)
                || !self.is_running
                || self.notices.take(number, &body)
                || self.alerts.take(number, &body);
            if !is_kept {
                self.batch.done.push(number);
            }
        }
        self.clean();
        Ok(())
    }
}

/// What is to be done without an answer, as text.
pub(super) fn chore(command: &Command) -> Option<String> {
    match command {
        Command::Clean { action, uris } => Some(cleaning::chore(*action, uris.iter())),
        command => notify::chore(command),
    }
}
