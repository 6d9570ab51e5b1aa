//! How far something has come, on standard error: one line on a terminal, drawn when it has taken a second, and gone when
//! it is over. Where standard error is no terminal, nothing.

use std::io::IsTerminal;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, OnceLock};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::time::Instant;

/// What is done sooner shows nothing.
const PATIENCE: Duration = Duration::from_secs(1);

/// How often the line is drawn in a second.
const DRAWN_PER_SECOND: u8 = 5;

/// How fine shares of a time are counted.
const PER_MILLE: i64 = 1_000;

/// The progress of one piece of work, which any thread may report.
#[derive(Debug)]
pub struct Progress {
    line: Arc<Line>,
    /// Draws the line where no step is reported for long: one file may take longer than all others.
    ticker: Option<(Sender<()>, JoinHandle<()>)>,
}

/// The line that is drawn.
#[derive(Debug)]
struct Line {
    what: &'static str,
    total: u64,
    begin: std::time::Instant,
    is_shown: bool,
    bar: OnceLock<ProgressBar>,
}

impl Progress {
    /// Of a piece of work in so many steps; it says nothing with `--quiet`.
    pub fn new(what: &'static str, total: u64, is_shown: bool) -> Progress {
        let begin = std::time::Instant::now();
        let is_shown = is_shown && std::io::stderr().is_terminal();
        let line = Arc::new(Line { what, total, begin, is_shown, bar: OnceLock::new() });
        let ticker = is_shown.then(|| {
            let ((sender, stop), line) = (channel(), line.clone());
            let thread = thread::Builder::new().spawn(move || tick(&line, &stop));
            // Without a thread each step draws it all the same.
            thread.ok().map(|thread| (sender, thread))
        });
        Progress { line, ticker: ticker.flatten() }
    }

    /// Of a piece of work that goes through a time.
    pub fn through_time(what: &'static str, is_shown: bool) -> Progress {
        Progress::new(what, PER_MILLE.unsigned_abs(), is_shown)
    }

    /// It has come to `now` of a time.
    pub fn at(&self, now: Instant, from: Instant, to: Instant, words: impl FnOnce() -> String) {
        if let Some(bar) = self.line.bar() {
            let whole = to.millis_since(from).max(1);
            let share = now.millis_since(from).clamp(0, whole).saturating_mul(PER_MILLE) / whole;
            bar.set_message(words());
            bar.set_position(share.unsigned_abs());
        }
    }

    /// So many steps are done, which words say more about.
    pub fn reach(&self, done: u64, words: impl FnOnce() -> String) {
        if let Some(bar) = self.line.bar() {
            bar.set_message(words());
            bar.set_position(done.min(self.line.total));
        }
    }

    /// One more step is done.
    pub fn step(&self, done: u64) {
        if let Some(bar) = self.line.bar() {
            bar.set_position(done.min(self.line.total));
        }
    }
}

/// Draws a line now and then until nobody has the other end any more.
fn tick(line: &Line, stop: &Receiver<()>) {
    let mut pause = PATIENCE;
    while let Err(RecvTimeoutError::Timeout) = stop.recv_timeout(pause) {
        pause = Duration::from_millis(1_000 / u64::from(DRAWN_PER_SECOND));
        if let Some(bar) = line.bar() {
            bar.tick();
        }
    }
}

impl Line {
    fn bar(&self) -> Option<&ProgressBar> {
        if !self.is_shown || self.begin.elapsed() < PATIENCE {
            return None;
        }
        Some(self.bar.get_or_init(|| {
            let target = ProgressDrawTarget::stderr_with_hz(DRAWN_PER_SECOND);
            let bar = ProgressBar::with_draw_target(Some(self.total), target).with_prefix(self.what);
            let template = match self.total {
                // Nothing is known of how far one thing has come.
                0 | 1 => "{prefix} {pos} of {len} {msg} ({elapsed})",
                _ => "{prefix} {percent} % {msg} ({elapsed}, {eta} left)",
            };
            let style = ProgressStyle::with_template(template);
            style.map_or(bar.clone(), |style| bar.with_style(style)).with_elapsed(PATIENCE)
        }))
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some((stop, thread)) = self.ticker.take() {
            drop(stop);
            // It has nothing to say but that it is over.
            let _ = thread.join();
        }
        if let Some(bar) = self.line.bar.get() {
            bar.finish_and_clear();
        }
    }
}
