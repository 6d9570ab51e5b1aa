//! What is done outside and needs no answer: on disk with the event that it is about, taken off when it is done.

use super::{Executor, notify};
use crate::engine::Command;
use crate::shell::ShellError;
use crate::shell::run::files;

impl Executor<'_> {
    /// Does what needs no answer.
    pub(super) fn chores(&mut self) -> Result<(), ShellError> {
        for (number, _, body) in self.store.chores_after(self.newest_chore)? {
            self.newest_chore = number;
            if let Some(uris) = body.strip_prefix("clean\n") {
                for uri in uris.lines() {
                    // What cannot be removed stays, as on a server.
                    let _ = files::clean(&self.storage, uri);
                }
            } else if !self.is_running || self.notices.take(number, &body) {
                continue;
            }
            self.batch.done.push(number);
        }
        Ok(())
    }
}

/// What is to be done without an answer, as text.
pub(super) fn chore(command: &Command) -> Option<String> {
    match command {
        Command::Clean { uris, .. } => {
            let uris: Vec<String> = uris.iter().map(|uri| uri.to_string()).collect();
            Some(format!("clean\n{}", uris.join("\n")))
        }
        command => notify::chore(command),
    }
}
