//! Whether somebody has set the clock while an executor ran, or the machine has slept: what waits for a span of time then
//! waits for the rest of it, and what waits for a time of day for that.

use std::time::Duration;

use super::{Executor, broken};
use crate::engine::Event;
use crate::execute::clock::Clock;
use crate::host::ShellError;
use crate::time::Instant;

/// A clock that drifts, or is brought right by and by, is not set.
const JUMP_MILLIS: i64 = 2_000;

/// What the clock showed when it was last looked at, and how long it had been going.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shown {
    now: Instant,
    steady: Duration,
}

impl Shown {
    pub(super) fn by(clock: &dyn Clock) -> Shown {
        Shown { now: clock.now(), steady: clock.steady() }
    }

    /// By how much it was set since.
    fn jump(self, later: Shown) -> i64 {
        let passed = later.steady.saturating_sub(self.steady).as_millis();
        later.now.millis_since(self.now) - i64::try_from(passed).unwrap_or(i64::MAX)
    }
}

impl Executor<'_> {
    /// Looks whether the clock shows less than when something happened last, which an executor before this one has
    /// written down. That it was set forward meanwhile cannot be seen.
    pub(super) fn watch_clock_since(&mut self) -> Result<(), ShellError> {
        let Some(last) = self.store.last_time()?.filter(|_| self.clock.goes_on() && !self.live.is_empty())
        else {
            return Ok(());
        };
        let millis = self.clock.now().millis_since(last);
        if millis > -JUMP_MILLIS {
            return Ok(());
        }
        self.tell(Event::ClockSet { millis }).map_err(broken)?;
        let seconds = millis.abs() / 1_000;
        self.say(&format!(
            "the clock shows {seconds} s less than when the last event was written: it was set back; retries wait as long \
             as they were to, nominal times are those of the clock"
        ));
        Ok(())
    }

    /// Looks whether the clock was set.
    pub(super) fn watch_clock(&mut self) -> Result<(), ShellError> {
        let shown = Shown::by(self.clock);
        let millis = std::mem::replace(&mut self.shown, shown).jump(shown);
        if millis.abs() < JUMP_MILLIS {
            return Ok(());
        }
        self.tell(Event::ClockSet { millis }).map_err(broken)?;
        self.looks.keep_spans(millis);
        self.notices.keep_spans(millis);
        self.cleanings.keep_spans(millis);
        self.stubbed = self.stubbed.iter().map(|(at, node, n)| (at.plus_millis(millis), *node, *n)).collect();
        let seconds = millis.abs() / 1_000;
        let how = match millis > 0 {
            true => {
                format!("the clock went forward by {seconds} s at once: it was set, or the machine has slept")
            }
            false => format!("the clock was set back by {seconds} s"),
        };
        self.say(&format!(
            "{how}; retries wait as long as they were to, nominal times are those of the clock"
        ));
        Ok(())
    }
}
