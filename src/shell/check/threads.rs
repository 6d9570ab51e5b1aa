//! The same work on many things, on all cores, with results in the order of the things.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::host::overlay;

/// The stack of a worker. All of our work must do with this much, so no worker gets more.
const STACK_BYTES: usize = 512 * 1024;

/// Fewer things than this are not worth a thread.
const WORTH_A_THREAD: usize = 4;

/// Applies `work` to every item.
pub fn map<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let workers =
        thread::available_parallelism().map_or(1, usize::from).min(items.len().div_ceil(WORTH_A_THREAD));
    if workers < 2 {
        return items.iter().map(work).collect();
    }
    let (next, results) = (AtomicUsize::new(0), Mutex::new(Vec::with_capacity(items.len())));
    let run = || {
        let mut own = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(index) else { break };
            own.push((index, work(item)));
        }
        results.lock().expect("no worker panics while it holds the lock").extend(own);
    };
    let overlay = overlay::current();
    thread::scope(|scope| {
        for _ in 1..workers {
            let spawned = thread::Builder::new()
                .stack_size(STACK_BYTES)
                .spawn_scoped(scope, || overlay::with(overlay.clone(), run));
            // Without threads the work is done here.
            if spawned.is_err() {
                break;
            }
        }
        run();
    });
    let mut results = results.into_inner().expect("no worker panics while it holds the lock");
    results.sort_unstable_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn results_keep_the_order() {
        let items: Vec<usize> = (0..1000).collect();
        assert_eq!(super::map(&items, |n| n * 2), items.iter().map(|n| n * 2).collect::<Vec<_>>());
        assert!(super::map(&[] as &[u8], |_| ()).is_empty());
    }
}
