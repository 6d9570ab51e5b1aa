//! What time does to an action that waits: it times out, or it is skipped.

use crate::plan::coordinator::Execution;
use crate::time::Instant;

/// Milliseconds of a minute.
const MINUTE: i64 = 60_000;

/// Whether an action has waited too long for its inputs (`CoordActionInputCheckXCommand.isTimeout`): whole minutes
/// since the later of nominal and creation time, more than `timeout_minutes`.
pub fn is_timed_out(nominal: Instant, created: Instant, timeout_minutes: i32, now: Instant) -> bool {
    let waited = now.millis_since(nominal.max(created)) / MINUTE;
    timeout_minutes >= 0 && waited > i64::from(timeout_minutes)
}

/// The first time at which [`is_timed_out`] holds.
pub fn times_out_at(nominal: Instant, created: Instant, timeout_minutes: i32) -> Option<Instant> {
    let waits = timeout_minutes >= 0;
    waits.then(|| nominal.max(created).plus_minutes(i64::from(timeout_minutes) + 1))
}

/// Whether the turn of an action has passed (`CoordActionReadyXCommand`). `next` is the nominal time of the action
/// after it.
pub fn is_skipped(
    execution: Execution,
    nominal: Instant,
    next: Option<Instant>,
    tolerance_minutes: i64,
    now: Instant,
) -> bool {
    skipped_after(execution, nominal, || next, tolerance_minutes).is_some_and(|limit| now > limit)
}

/// The last time at which an action may still run.
pub fn skipped_after(
    execution: Execution,
    nominal: Instant,
    next: impl FnOnce() -> Option<Instant>,
    tolerance_minutes: i64,
) -> Option<Instant> {
    match execution {
        Execution::Fifo | Execution::Lifo => None,
        Execution::LastOnly => next(),
        Execution::None => Some(nominal.plus_minutes(tolerance_minutes)),
    }
}
