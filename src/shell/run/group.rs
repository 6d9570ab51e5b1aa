//! The process groups of an attempt, and whether they run on though nobody watches them any more.
//!
//! Each process of an attempt is handed a descriptor of a file in the attempt's folder, which is locked as long as anybody
//! has it; the numbers of the groups stand in the file. What runs on is asked of the lock, and then of the processes that
//! have the file: one that has left its group lives a life of its own, as daemons do, and is neither told of nor ended. A
//! number alone says nothing, since it may be given again.

use std::collections::BTreeSet;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::Write;
use std::time::Duration;

use super::attempt::Attempt;

/// The name of the file.
const FILE: &str = "group";

/// How long is waited between two looks whether a group has ended.
const LOOK: Duration = Duration::from_millis(50);

/// The file that a process is handed.
#[derive(Debug)]
pub struct Handed(File);

impl Handed {
    /// To be made right before a process is started, which then has it.
    pub fn open(attempt: &Attempt) -> std::io::Result<Handed> {
        let path = attempt.folder().join(FILE);
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        file.lock_shared()?;
        #[cfg(unix)]
        nix::fcntl::fcntl(&file, nix::fcntl::FcntlArg::F_SETFD(nix::fcntl::FdFlag::empty()))?;
        Ok(Handed(file))
    }

    /// Writes down the group that the process leads.
    pub fn tell(mut self, group: u32) {
        // Without it what is left of the process would be told of later, and no more is lost.
        let _ = writeln!(self.0, "{group}");
    }
}

/// The groups of an attempt of which processes run on. Empty too where that cannot be known.
pub fn left(attempt: &Attempt) -> BTreeSet<i32> {
    let path = attempt.folder().join(FILE);
    let Ok(file) = File::open(&path) else { return BTreeSet::new() };
    if !matches!(file.try_lock(), Err(TryLockError::WouldBlock)) {
        return BTreeSet::new();
    }
    let text = std::fs::read_to_string(&path).unwrap_or_default();
    let told: BTreeSet<i32> =
        text.lines().filter_map(|line| line.parse().ok()).filter(|group| *group > 1).collect();
    running(&file, &told)
}

/// Those of some groups in which a process has a file.
#[cfg(target_os = "linux")]
fn running(file: &File, groups: &BTreeSet<i32>) -> BTreeSet<i32> {
    use std::os::unix::fs::MetadataExt;
    let Ok(own) = file.metadata() else { return BTreeSet::new() };
    let mut found = BTreeSet::new();
    for process in std::fs::read_dir("/proc").into_iter().flatten().flatten() {
        let stat = std::fs::read_to_string(process.path().join("stat")).unwrap_or_default();
        // Behind the name, which may hold anything: state, parent, group (`proc_pid_stat(5)`).
        let behind = stat.rsplit_once(')').map_or("", |(_, behind)| behind);
        let group = behind.split_whitespace().nth(2).and_then(|group| group.parse().ok());
        let Some(group) = group.filter(|group| groups.contains(group) && !found.contains(group)) else {
            continue;
        };
        let open = std::fs::read_dir(process.path().join("fd")).into_iter().flatten().flatten();
        let mut metas = open.filter_map(|fd| std::fs::metadata(fd.path()).ok());
        if metas.any(|meta| (meta.dev(), meta.ino()) == (own.dev(), own.ino())) {
            found.insert(group);
        }
    }
    found
}

/// Those of some groups that there are.
#[cfg(all(unix, not(target_os = "linux")))]
fn running(_file: &File, groups: &BTreeSet<i32>) -> BTreeSet<i32> {
    let is_there = |group: &&i32| nix::sys::signal::killpg(nix::unistd::Pid::from_raw(**group), None).is_ok();
    groups.iter().filter(is_there).copied().collect()
}

#[cfg(not(unix))]
fn running(_file: &File, _groups: &BTreeSet<i32>) -> BTreeSet<i32> {
    BTreeSet::new()
}

/// Ends what runs on of an attempt: politely, and what has not ended within the grace at once.
pub fn end(attempt: &Attempt, grace: Duration) {
    signal(&left(attempt), false);
    let mut waited = Duration::ZERO;
    while waited < grace && !left(attempt).is_empty() {
        std::thread::sleep(LOOK);
        waited += LOOK;
    }
    signal(&left(attempt), true);
}

#[cfg(unix)]
fn signal(groups: &BTreeSet<i32>, at_once: bool) {
    use nix::sys::signal::{Signal, killpg};
    let signal = if at_once { Signal::SIGKILL } else { Signal::SIGTERM };
    for group in groups {
        // There is nobody left to be ended, then.
        let _ = killpg(nix::unistd::Pid::from_raw(*group), signal);
    }
}

#[cfg(not(unix))]
fn signal(_groups: &BTreeSet<i32>, _at_once: bool) {}

/// Groups as a text for somebody to read; nothing where there are none.
pub fn shown(groups: &BTreeSet<i32>) -> Option<String> {
    let numbers: Vec<String> = groups.iter().map(i32::to_string).collect();
    (!numbers.is_empty()).then(|| numbers.join(", "))
}
