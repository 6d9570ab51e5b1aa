//! The time as an executor has it: the machine's, or one that a test moves.

use std::cell::Cell;
use std::sync::OnceLock;
use std::sync::mpsc::{Receiver, TryRecvError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::news::News;
use crate::time::Instant;

/// How long is waited at most before a look at requests of other processes.
const LOOK: Duration = Duration::from_millis(100);

/// Where the time comes from, and how it is waited for.
pub trait Clock {
    /// The present.
    fn now(&self) -> Instant;

    /// How long it has been going, whoever sets it meanwhile, and without the time in which the machine slept. Of a clock
    /// that nobody sets: what it shows.
    fn steady(&self) -> Duration {
        Duration::from_millis(self.now().millis().max(0).unsigned_abs())
    }

    /// Whether it goes on while no executor runs, as that of a machine does: then it shows less than before only when
    /// somebody has set it.
    fn goes_on(&self) -> bool {
        false
    }

    /// Waits for news, until a time at the latest; may return sooner with nothing.
    fn wait(&self, until: Option<Instant>, news: &Receiver<News>) -> Option<News>;
}

/// The clock of the machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Instant {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Instant::from_millis(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
    }

    fn steady(&self) -> Duration {
        static BEGIN: OnceLock<std::time::Instant> = OnceLock::new();
        BEGIN.get_or_init(std::time::Instant::now).elapsed()
    }

    fn goes_on(&self) -> bool {
        true
    }

    fn wait(&self, until: Option<Instant>, news: &Receiver<News>) -> Option<News> {
        let left = until.map_or(LOOK, |until| {
            Duration::from_millis(until.millis_since(self.now()).max(0).unsigned_abs()).min(LOOK)
        });
        news.recv_timeout(left).ok()
    }
}

/// A clock that jumps: where nothing is under way, to the next time that somebody waits for.
#[derive(Debug)]
pub struct JumpingClock {
    now: Cell<Instant>,
    /// Whether something may be under way in processes.
    runs_processes: bool,
}

impl JumpingClock {
    /// At a time.
    pub fn at(now: Instant, runs_processes: bool) -> JumpingClock {
        JumpingClock { now: Cell::new(now), runs_processes }
    }
}

impl Clock for JumpingClock {
    fn now(&self) -> Instant {
        self.now.get()
    }

    fn wait(&self, until: Option<Instant>, news: &Receiver<News>) -> Option<News> {
        let heard = match news.try_recv() {
            Err(TryRecvError::Empty) if self.runs_processes => news.recv_timeout(LOOK).ok(),
            heard => heard.ok(),
        };
        if heard.is_none()
            && let Some(until) = until
        {
            self.now.set(self.now.get().max(until));
        }
        heard
    }
}
