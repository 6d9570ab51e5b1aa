//! Outputs of actions that are run again, removed before anything that follows: a chore on disk until all of them are gone.
//!
//! Where storage is away, or takes no changes, that is tried again, and what is run again waits. What can never be removed
//! is told, and stays. Never removes anything behind the back of an action that has begun to write again.

use std::collections::BTreeMap;

use super::Executor;
use crate::engine::{ActionId, Command, JobId, Parent, Subject, TroubleKind};
use crate::execute::files;
use crate::time::Instant;

/// The first line of a chore that is a clean-up begins with this; the action follows.
const CLEAN: &str = "clean";

/// How often one executor tries to remove the outputs of an action; the next one begins anew.
pub const TRIES: u32 = 7;

/// How long it waits before the second try, in milliseconds; each pause that follows is twice as long.
pub const FIRST_PAUSE_MILLIS: i64 = 10_000;

/// Outputs of one action.
#[derive(Debug)]
struct Cleaning {
    /// Whose; none in chores of older stores.
    action: Option<ActionId>,
    /// What is still to be removed.
    uris: Vec<String>,
    /// How often that was tried.
    tries: u32,
    /// When it is tried next; never again by this executor without a time.
    at: Option<Instant>,
}

impl Cleaning {
    fn job(&self) -> Option<JobId> {
        self.action.map(ActionId::job)
    }
}

/// The clean-ups of an executor that are not done, and who waits for them.
#[derive(Debug, Default)]
pub(super) struct Cleanings {
    open: BTreeMap<i64, Cleaning>,
    held: Vec<Command>,
}

impl Cleanings {
    /// Takes in a chore; false when it is no clean-up.
    pub(super) fn take(&mut self, number: i64, body: &str) -> bool {
        let Some((action, uris)) = read(body) else { return false };
        let uris = uris.map(str::to_owned).collect();
        let cleaning = Cleaning { action, uris, tries: 0, at: Some(Instant::EPOCH) };
        self.open.entry(number).or_insert(cleaning);
        true
    }

    /// Lets clean-ups be tried again after as long as they were to, though the clock was set.
    pub(super) fn keep_spans(&mut self, millis: i64) {
        for cleaning in self.open.values_mut() {
            cleaning.at = cleaning.at.map(|at| at.plus_millis(millis));
        }
    }

    /// When something is tried again.
    pub(super) fn next(&self) -> Option<Instant> {
        self.open.values().filter_map(|cleaning| cleaning.at).min()
    }

    /// Keeps what goes on with an action whose outputs are to be removed first; what does not is given back.
    pub(super) fn hold(&mut self, command: Command) -> Option<Command> {
        let action = match &command {
            Command::Look(Subject::Action(action)) => Some(*action),
            Command::PlanWorkflow { parent: Parent::Action(action), .. } => Some(*action),
            _ => None,
        };
        if action.is_some() && self.open.values().any(|cleaning| cleaning.action == action) {
            self.held.push(command);
            return None;
        }
        Some(command)
    }

    /// Takes off what is done. Actions of one coordinator that were to run again together go on together: one may read
    /// what another writes.
    fn take_done(&mut self) -> Vec<i64> {
        let busy = self.open.values().filter(|cleaning| !cleaning.uris.is_empty());
        let busy: Vec<Option<JobId>> = busy.map(Cleaning::job).collect();
        let is_done = |cleaning: &Cleaning| !busy.contains(&cleaning.job());
        let done: Vec<i64> =
            self.open.iter().filter(|(_, cleaning)| is_done(cleaning)).map(|(number, _)| *number).collect();
        for number in &done {
            self.open.remove(number);
        }
        done
    }
}

/// A clean-up as a chore. A line break in a URI is none.
pub(super) fn chore(action: ActionId, uris: impl Iterator<Item = impl ToString>) -> String {
    let mut body = format!("{CLEAN} {action}");
    for uri in uris {
        body.push('\n');
        body.push_str(&uri.to_string().replace(['\n', '\r'], ""));
    }
    body
}

/// The action of a chore, and what is to be removed; nothing when it is no clean-up.
pub fn read(body: &str) -> Option<(Option<ActionId>, impl Iterator<Item = &str>)> {
    let mut lines = body.lines();
    let action = lines.next()?.strip_prefix(CLEAN)?;
    Some((action.trim().parse().ok(), lines))
}

impl Executor<'_> {
    /// Tries what is due.
    pub(super) fn clean(&mut self) {
        if self.cleanings.open.is_empty() {
            return;
        }
        let now = self.clock.now();
        let mut due = Vec::new();
        for (number, cleaning) in &mut self.cleanings.open {
            let ended = cleaning.action.is_some_and(|action| {
                let job = self.engine.coordinator(action.job());
                job.and_then(|job| job.action(action.number)).is_some_and(|action| action.status.is_over())
            });
            if ended {
                // Somebody has ended it, and its outputs stay as they are.
                cleaning.uris.clear();
            } else if cleaning.at.is_some_and(|at| at <= now) {
                due.push(*number);
            }
        }
        for number in due {
            self.clean_one(number, now);
        }
        let done = self.cleanings.take_done();
        if !done.is_empty() {
            self.batch.done.extend(done);
            self.open.extend(std::mem::take(&mut self.cleanings.held));
        }
    }

    fn clean_one(&mut self, number: i64, now: Instant) {
        let Some(cleaning) = self.cleanings.open.get_mut(&number) else { return };
        cleaning.at = None;
        cleaning.tries += 1;
        let mut words = Vec::new();
        let mut uris = std::mem::take(&mut cleaning.uris).into_iter();
        for uri in uris.by_ref() {
            match files::clean(&self.storage, &uri) {
                Ok(()) => {}
                Err(fault) if matches!(fault.kind, TroubleKind::Transient | TroubleKind::NonTransient) => {
                    words.push(if cleaning.tries < TRIES {
                        let millis = FIRST_PAUSE_MILLIS << (cleaning.tries - 1);
                        cleaning.at = Some(now.plus_millis(millis));
                        format!(
                            "output [{uri}] could not be removed, and that is tried again in {} s: {}",
                            millis / 1_000,
                            fault.words
                        )
                    } else {
                        format!(
                            "output [{uri}] could not be removed, tried {TRIES} times; the next `ankus run` tries again: {}",
                            fault.words
                        )
                    });
                    cleaning.uris.push(uri);
                    break;
                }
                Err(fault) => words.push(format!("output [{uri}] stays: {}", fault.words)),
            }
        }
        cleaning.uris.extend(uris);
        words.iter().for_each(|words| self.say(words));
    }

    /// Says what is left to an executor after this one.
    pub(super) fn tell_left(&mut self) {
        let left = self.cleanings.open.values().flat_map(|cleaning| &cleaning.uris);
        let left: Vec<&str> = left.map(String::as_str).collect();
        if !left.is_empty() {
            let words = format!("still to be removed before what wrote it runs again: {}", left.join(", "));
            self.say(&words);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chores_are_read_as_they_were_written_and_before_actions_had_names() {
        let action = ActionId { coordinator: 2, number: 3 };
        let body = chore(action, ["hdfs://nn/a", "hdfs://nn/b\nc"].into_iter());
        let read = |body| read(body).map(|(action, uris)| (action, uris.collect::<Vec<_>>()));
        assert_eq!(read(&body), Some((Some(action), vec!["hdfs://nn/a", "hdfs://nn/bc"])));
        assert_eq!(read("clean\nhdfs://nn/a"), Some((None, vec!["hdfs://nn/a"])));
        assert_eq!(read("notify\nhttp://x"), None);
    }

    #[test]
    fn actions_of_a_coordinator_go_on_together() {
        let mut cleanings = Cleanings::default();
        let action = |number| ActionId { coordinator: 2, number };
        for number in 1..=2 {
            let body = chore(action(number), ["hdfs://nn/x"].into_iter());
            assert!(cleanings.take(number.into(), &body) && cleanings.take(number.into(), &body));
        }
        let look = |number| Command::Look(Subject::Action(action(number)));
        assert!(cleanings.hold(look(1)).is_none() && cleanings.hold(look(2)).is_none());
        assert!(cleanings.hold(look(3)).is_some());
        let clear = |cleanings: &mut Cleanings, number| {
            cleanings.open.get_mut(&number).expect("it is open").uris.clear();
        };
        clear(&mut cleanings, 1);
        assert_eq!(cleanings.take_done(), Vec::<i64>::new());
        clear(&mut cleanings, 2);
        assert_eq!(cleanings.take_done(), [1, 2]);
        assert!(cleanings.hold(look(1)).is_some());
    }
}
