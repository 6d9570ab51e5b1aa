//! Submissions brought to where the journal ends.

use std::rc::Rc;

use super::{Executor, broken, looks};
use crate::engine::{Engine, Settings, Unanswered};
use crate::execute::deployed::Deployed;
use crate::execute::store::Store;
use crate::host::ShellError;
use crate::host::progress::Progress;

impl Executor<'_> {
    /// Brings submissions that the engine does not know to where the journal ends; all others stay as they are.
    pub(super) fn recall(&mut self, roots: &[u32], shows_progress: bool) -> Result<(), ShellError> {
        self.recall_rehearsals(roots)?;
        let settings = self.engine.settings().clone();
        let (engine, unanswered) = replay(&self.store, &self.deployed, settings, roots, shows_progress)?;
        self.engine.adopt(engine);
        self.engine.continue_after(self.store.last_number()?);
        self.secrets.look_again(&self.engine);
        self.roots.extend(self.store.roots_of(roots)?);
        self.live.extend(roots);
        self.open.extend(unanswered.in_order().into_iter().map(|(_, asked)| looks::again(&asked.command)));
        self.unanswered.adopt(unanswered);
        Ok(())
    }
}

/// An engine as the journal of some submissions makes it, and what it was not told yet.
pub fn replay(
    store: &Store,
    deployed: &Rc<Deployed>,
    settings: Settings,
    roots: &[u32],
    shows_progress: bool,
) -> Result<(Engine<Rc<Deployed>>, Unanswered), ShellError> {
    let mut engine = Engine::new(deployed.clone(), settings);
    let mut unanswered = Unanswered::default();
    let (progress, mut done) =
        (Progress::new("read of the journal", store.len_of(roots)?, shows_progress), 0);
    store.replay(Some(roots), |entry| {
        done += 1;
        progress.step(done);
        engine.continue_after(entry.last);
        let commands = engine.handle(entry.recorded.at, entry.recorded.event.clone());
        let commands = commands.map_err(|error| deployed.take_fault().unwrap_or_else(|| broken(error)))?;
        unanswered.take(entry.recorded.at, &entry.recorded.event, &commands);
        Ok(())
    })?;
    Ok((engine, unanswered))
}
