//! What must be written although the disk is full: it is tried again, with growing pauses, for as long as this process lives.
//!
//! The lock of the attempt is held meanwhile, so it counts as running. Two things end the wait: somebody wants the attempt
//! killed, or its folder is gone. Never decides what is written.

use std::fs::File;
use std::io::{BufWriter, ErrorKind, Write};
use std::path::Path;
use std::time::Duration;

use super::attempt::Attempt;
use super::private;

/// The pause before the second try; each that follows is twice as long.
const FIRST_PAUSE: Duration = Duration::from_millis(100);

/// The longest pause.
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

/// How long is slept at most before a look whether the attempt is to be killed.
const LOOK: Duration = Duration::from_secs(1);

/// Who waits, and how that is done.
pub struct Patience<'p> {
    sleep: &'p mut dyn FnMut(Duration),
}

impl<'p> Patience<'p> {
    /// With something that lets time pass.
    pub fn new(sleep: &'p mut dyn FnMut(Duration)) -> Patience<'p> {
        Patience { sleep }
    }

    /// Does something for an attempt until it succeeds, or fails in a way that time does not mend. The error of the last try
    /// when nobody wants it any more.
    pub fn of<T>(
        &mut self,
        attempt: &Attempt,
        may_pass: impl Fn(&std::io::Error) -> bool,
        mut act: impl FnMut() -> std::io::Result<T>,
    ) -> std::io::Result<T> {
        let mut pause = FIRST_PAUSE;
        loop {
            let error = match act() {
                Ok(done) => return Ok(done),
                Err(error) => error,
            };
            if attempt.is_to_be_killed() || !attempt.folder().is_dir() || !may_pass(&error) {
                return Err(error);
            }
            let mut left = pause;
            while !left.is_zero() && !attempt.is_to_be_killed() {
                (self.sleep)(left.min(LOOK));
                left = left.saturating_sub(LOOK);
            }
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }
}

/// Whether an error says that there is no room.
pub fn is_full(error: &std::io::Error) -> bool {
    matches!(error.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded)
}

/// A log of an attempt that this program writes itself: where there is no room for a piece of it, it waits.
pub fn log(attempt: &Attempt, path: &Path) -> std::io::Result<impl Write + use<>> {
    Ok(BufWriter::new(Log { attempt: attempt.clone(), file: private::create(path)? }))
}

struct Log {
    attempt: Attempt,
    file: File,
}

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let file = &mut self.file;
        Patience::new(&mut std::thread::sleep).of(&self.attempt, is_full, || file.write(bytes))
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.file.flush()
    }
}
