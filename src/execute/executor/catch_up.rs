//! A coordinator that is behind its time and creates nothing for now: why, said once.

use super::Executor;
use crate::engine::JobId;
use crate::engine::coordinator::HeldUp;
use crate::simulate::moment;

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
}
