//! Whether the figures of a bench keep their limits. With `--strict` (`cargo bench -- --strict`) one that does not makes
//! the bench fail, at its end, when all of them are printed.

use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};

/// How many figures missed their limits.
static MISSED: AtomicUsize = AtomicUsize::new(0);

/// Takes down whether a figure keeps its limit; the words that follow it where it does not.
pub fn hold(is_met: bool) -> &'static str {
    if is_met {
        return "";
    }
    MISSED.fetch_add(1, Ordering::Relaxed);
    "  TOO SLOW"
}

/// How the bench ends.
pub fn exit_code() -> ExitCode {
    let missed = MISSED.load(Ordering::Relaxed);
    let is_strict = std::env::args().any(|argument| argument == "--strict");
    if missed == 0 || !is_strict {
        return ExitCode::SUCCESS;
    }
    eprintln!("{missed} of the figures above missed their limits");
    ExitCode::FAILURE
}
