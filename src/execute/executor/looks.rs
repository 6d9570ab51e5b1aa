//! What actions wait for, and when it is looked for again.
//!
//! A look that shows nothing new is not told: the journal would grow with time alone. When patience ends, the engine asks
//! by itself, and is answered whatever is seen.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::Executor;
use crate::engine::{Command, Event, Facts, Outside, Subject};
use crate::execute::storage::fault::Why;
use crate::time::Instant;

/// What the store remembers of storage that could not be reached at the last look; nothing when it could.
pub const UNREACHED: &str = "unreached";

/// Who waits for something outside.
#[derive(Debug, Default)]
pub(super) struct Looks {
    /// When somebody looks again for what was missing, and what there was.
    awaited: BTreeMap<Subject, (Instant, Facts)>,
    /// What was told last of those whose answer is on its way.
    told: BTreeMap<Subject, Facts>,
    /// Who is looked at now.
    due: VecDeque<Subject>,
    /// Whom the engine asked for, and could not be answered: the next look is the answer, whatever it shows.
    owed: BTreeSet<Subject>,
    /// Why the last look saw nothing.
    unreached: Option<String>,
    /// What was said of inputs; nobody wants to read it at every look.
    said: BTreeSet<String>,
}

impl Looks {
    /// With what the store remembers of the last look.
    pub(super) fn new(unreached: Option<String>) -> Looks {
        Looks { unreached: unreached.filter(|words| !words.is_empty()), ..Looks::default() }
    }

    /// When somebody looks again.
    pub(super) fn next(&self) -> Option<Instant> {
        self.awaited.values().map(|(at, _)| *at).min()
    }

    /// Lets looks come after as long as they were to, though the clock was set.
    pub(super) fn keep_spans(&mut self, millis: i64) {
        self.awaited.values_mut().for_each(|(at, _)| *at = at.plus_millis(millis));
    }

    /// Takes those whose time has come, the longest due first; whether there were any.
    pub(super) fn take_due(&mut self, now: Instant) -> bool {
        let due = self.awaited.iter().filter(|(_, (at, _))| *at <= now);
        let mut due: Vec<(Instant, Subject)> = due.map(|(subject, (at, _))| (*at, *subject)).collect();
        due.sort_unstable();
        self.due.extend(due.iter().map(|(_, subject)| *subject));
        !due.is_empty()
    }
}

/// Whether a look shows what an earlier one did not.
fn is_news(facts: &Facts, before: &Facts) -> bool {
    let Facts { found, uris, files, blocks } = facts;
    *found > 0 || (uris, files, blocks) != (&before.uris, &before.files, &before.blocks)
}

impl<'x> Executor<'x> {
    /// Lets actions wait for another world than storage: a rehearsal.
    pub fn sees(&mut self, world: &'x dyn Outside) {
        self.world = Some(world);
    }

    /// The answer to a look that the engine asks for.
    pub(super) fn look(&mut self, subject: Subject) -> Option<Event> {
        let before = self.looks.awaited.remove(&subject).map(|(_, before)| before).unwrap_or_default();
        let Ok(event) = self.see(subject) else {
            self.looks.owed.insert(subject);
            self.wait(subject, before);
            return None;
        };
        self.looks.owed.remove(&subject);
        let event = event?;
        if let Event::Looked { facts, .. } = &event {
            self.looks.told.insert(subject, facts.clone());
        }
        Some(event)
    }

    /// Looks again, of our own accord, at the next of those that are due; an event when there is something new.
    pub(super) fn look_again(&mut self) -> Option<Event> {
        while let Some(subject) = self.looks.due.pop_front() {
            let Some((_, before)) = self.looks.awaited.remove(&subject) else { continue };
            match self.see(subject) {
                Ok(Some(Event::Looked { facts, .. }))
                    if self.looks.owed.remove(&subject) || is_news(&facts, &before) =>
                {
                    self.looks.told.insert(subject, facts.clone());
                    return Some(Event::Looked { subject, facts });
                }
                // It waits no longer.
                Ok(None) => drop(self.looks.owed.remove(&subject)),
                _ => self.wait(subject, before),
            }
        }
        None
    }

    /// Something is missing: it is looked for again.
    pub(super) fn wait_for(&mut self, subject: Subject) {
        let before = self.looks.told.remove(&subject).unwrap_or_default();
        self.wait(subject, before);
    }

    /// Nothing is under way any more of what was told.
    pub(super) fn forget_told(&mut self) {
        self.looks.told.clear();
    }

    fn wait(&mut self, subject: Subject, before: Facts) {
        let again = self.clock.now().plus_millis(self.options.look_millis);
        self.looks.awaited.insert(subject, (again, before));
    }

    /// What the engine is told of the world; nothing of what does not wait. Where storage could not be reached nothing was
    /// seen, which is not that nothing is there.
    fn see(&mut self, subject: Subject) -> Result<Option<Event>, Unreached> {
        let now = self.clock.now();
        let outside: &dyn Outside = match self.world {
            Some(world) => world,
            None => &self.storage,
        };
        let rehearsed = self.rehearsal.over(outside);
        let outside: &dyn Outside = if self.is_rehearsed(subject) { &rehearsed } else { outside };
        let event = self.engine.look(now, subject, outside).ok();
        let trouble = self.storage.take_trouble();
        // Where nothing stands for a URI there is nothing, and nothing ever will be.
        let is_unmapped = trouble.as_ref().is_some_and(|fault| fault.why == Why::Unmapped);
        let is_reached = trouble.is_none() || is_unmapped;
        let trouble = trouble.map(|fault| fault.words);
        if trouble != self.looks.unreached {
            let is_new = |words: &&String| is_unmapped && self.looks.said.insert((*words).clone());
            if let Some(words) = trouble.as_ref().filter(is_new) {
                self.say(&format!("an input will never be there: {words}"));
            }
            // A remark for whoever wonders; the work goes on without it.
            let _ = self.store.set_meta(UNREACHED, trouble.as_deref().unwrap_or_default());
            self.looks.unreached = trouble;
        }
        if is_reached { Ok(event) } else { Err(Unreached) }
    }
}

/// Storage could not be reached.
struct Unreached;

/// What an answer that was still open is asked for as.
pub(super) fn again(command: &Command) -> Command {
    match command {
        Command::Await(subject) => Command::Look(*subject),
        command => command.clone(),
    }
}
