//! A clock that other work on the machine does not disturb.

use std::time::{Duration, Instant};

/// How long this thread has run: its own time where Linux tells it, else the time since `origin`.
pub fn thread_time(origin: Instant) -> Duration {
    let own = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanos = own.and_then(|text| text.split(' ').next().and_then(|first| first.parse().ok()));
    nanos.map_or_else(|| origin.elapsed(), Duration::from_nanos)
}
