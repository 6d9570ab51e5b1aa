//! A coordinator that is behind its time and creates nothing for now, or waits for data: why, said once.

use super::Executor;
use crate::engine::JobId;
use crate::engine::coordinator::HeldUp;
use crate::engine::status::ActionStatus;
use crate::engine::{ActionId, CoordinatorRun};
use crate::report::waits::{self, Style};
use crate::simulate::moment;
use crate::time::Instant;

impl Executor<'_> {
    /// Says what keeps coordinators from catching up, each once.
    pub(super) fn tell_held_up(&mut self) {
        let now = self.clock.now();
        let held = self.engine.coordinators().filter_map(|job| Some((job.id(), job.held_up(now)?)));
        let news: Vec<(JobId, HeldUp)> =
            held.filter(|(id, held)| !self.held_up.contains(&(*id, held.until.is_some()))).collect();
        for (id, held) in news {
            self.held_up.insert((id, held.until.is_some()));
            let zone = self.engine.settings().processing;
            let (next, throttle) = (zone.format(held.next), held.throttle);
            self.say(&match held.until {
                Some(at) => format!(
                    "{id} catches up at most {throttle} actions at a time (its throttle): the next ones, from {next} on, are \
                     materialized at {}",
                    moment::to_the_second(at, zone)
                ),
                None => format!(
                    "{id} pauses its catch-up: {throttle} actions wait for input, as many as its throttle allows; those \
                     from {next} on are materialized as these start"
                ),
            });
        }
    }

    /// Says what coordinators wait for of which nothing runs, once for each action that is the first to wait.
    pub(super) fn tell_waiting(&mut self) {
        let style = Style { middle: "", zone: self.engine.settings().processing, now: self.clock.now() };
        let first = |job: &CoordinatorRun| {
            let (id, others) = first_waiting(job, style.now)?;
            let is_news = self.told_waiting.get(&id.coordinator) != Some(&id.number);
            // Before the first look nothing is known.
            let is_known = !job.needs(id.number).is_empty() || !job.late(id.number).is_empty();
            let what = waits::of_action(job, id.number, style).filter(|_| is_news && is_known)?;
            Some((id, what, others))
        };
        let news: Vec<_> = self.engine.coordinators().filter_map(first).collect();
        for (id, what, others) in news {
            self.told_waiting.insert(id.coordinator, id.number);
            let more = match others {
                0 => String::new(),
                1 => "; 1 more action waits".to_owned(),
                others => format!("; {others} more actions wait"),
            };
            self.say(&format!("{id} waits for {what}{more}"));
        }
    }
}

/// The first action of a coordinator that waits for data, and how many wait behind it; none while one is under way.
fn first_waiting(job: &CoordinatorRun, now: Instant) -> Option<(ActionId, usize)> {
    let open = job.actions.iter().rev().take_while(|action| !action.status.is_over());
    let open: Vec<_> = open.collect();
    let is_due = |status, nominal| status == ActionStatus::Waiting && nominal <= now;
    let due = open.iter().filter(|action| is_due(action.status, action.nominal)).count();
    if due == 0 || open.iter().any(|action| action.status != ActionStatus::Waiting) {
        return None;
    }
    let number = u32::try_from(job.actions.len() - open.len() + 1).ok()?;
    Some((ActionId { coordinator: job.number, number }, due - 1))
}
