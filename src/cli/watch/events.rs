//! News of the file system: where it sends any, nothing is looked at in between.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use notify::{EventKind, RecommendedWatcher, RecursiveMode, Watcher};

use super::Wait;

/// How long an editor may take to write all files of one save.
const SETTLE: Duration = Duration::from_millis(10);

/// How often everything is looked at although nothing was heard: events get lost when there are many at once.
const SLOW: Duration = Duration::from_secs(2);

/// Waits for events of the system, or for the next look where there are none: on network drives, in some containers, and
/// when the system watches no more folders for this user.
pub struct Events {
    /// None where events cannot be had; then files are looked at again and again.
    watcher: Option<RecommendedWatcher>,
    arrived: Receiver<()>,
    folders: BTreeSet<PathBuf>,
}

impl Events {
    /// Follows nothing yet.
    pub fn new() -> Events {
        let (send, arrived) = channel();
        let tell = move |event: notify::Result<notify::Event>| {
            // Reading is no change; an error may hide one.
            if !event.is_ok_and(|event| matches!(event.kind, EventKind::Access(_))) {
                let _ = send.send(());
            }
        };
        Events { watcher: notify::recommended_watcher(tell).ok(), arrived, folders: BTreeSet::new() }
    }

    /// Whether the system sends events.
    pub fn has_events(&self) -> bool {
        self.watcher.is_some()
    }

    fn follow_one(&mut self, folder: &Path) -> bool {
        let Some(watcher) = &mut self.watcher else { return false };
        watcher.watch(folder, RecursiveMode::NonRecursive).is_ok() || !folder.is_dir()
    }
}

impl Default for Events {
    fn default() -> Events {
        Events::new()
    }
}

impl Wait for Events {
    fn follow(&mut self, folders: &BTreeSet<PathBuf>) {
        let new: Vec<PathBuf> = folders.difference(&self.folders).cloned().collect();
        for folder in new {
            if !self.follow_one(&folder) {
                self.watcher = None;
                return;
            }
            self.folders.insert(folder);
        }
    }

    fn wait(&mut self, pause: Duration) -> bool {
        let patience = if self.has_events() { SLOW } else { pause };
        match self.arrived.recv_timeout(patience) {
            Ok(()) => {
                // What comes together is looked at together.
                while self.arrived.recv_timeout(SETTLE).is_ok() {}
            }
            Err(RecvTimeoutError::Timeout) => {}
            // Without a watcher nobody sends, and nothing else ends a wait.
            Err(RecvTimeoutError::Disconnected) => std::thread::sleep(pause),
        }
        true
    }
}
