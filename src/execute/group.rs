//! The process groups of an attempt, and whether they run on though nobody watches them any more.
//!
//! Each process of an attempt is handed a descriptor of a file in the attempt's folder, which is locked as long as anybody
//! has it; the session of the supervisor stands in the file before, and the numbers of the groups behind. What runs on is
//! asked of the lock, and then of the processes that have the file: one that has left the session lives a life of its own,
//! as daemons do, and is neither told of nor ended. A number alone says nothing, since it may be given again.

use std::collections::BTreeSet;
use std::fs::{File, TryLockError};
use std::io::Write;
use std::time::Duration;

use super::attempt::Attempt;
use super::private;

/// The name of the file.
const FILE: &str = "group";

/// What stands before the number of a session, and of a group.
const SESSION: &str = "session";
const GROUP: &str = "group";

/// How long is waited between two looks whether a group has ended.
const LOOK: Duration = Duration::from_millis(50);

/// The file that a process is handed.
#[derive(Debug)]
pub struct Handed(File);

impl Handed {
    /// To be made right before a process is started, which then has it.
    pub fn open(attempt: &Attempt) -> std::io::Result<Handed> {
        let path = attempt.folder().join(FILE);
        let file = private::append(&path)?;
        file.lock_shared()?;
        #[cfg(unix)]
        {
            nix::fcntl::fcntl(&file, nix::fcntl::FcntlArg::F_SETFD(nix::fcntl::FdFlag::empty()))?;
            // Before the process begins: it may end us before anything else is written.
            writeln!(&file, "{SESSION} {}", nix::unistd::getsid(None)?)?;
        }
        Ok(Handed(file))
    }

    /// Writes down the group that the process leads.
    pub fn tell(mut self, group: u32) {
        // Linux finds it without that.
        let _ = writeln!(self.0, "{GROUP} {group}");
    }
}

/// The groups of an attempt of which processes run on. Empty too where that cannot be known.
pub fn left(attempt: &Attempt) -> BTreeSet<i32> {
    let path = attempt.folder().join(FILE);
    let Ok(file) = File::open(&path) else { return BTreeSet::new() };
    if !matches!(file.try_lock(), Err(TryLockError::WouldBlock)) {
        return BTreeSet::new();
    }
    running(&file, &std::fs::read_to_string(&path).unwrap_or_default())
}

/// The numbers behind a word.
fn told(text: &str, word: &str) -> BTreeSet<i32> {
    text.lines().filter_map(|line| line.strip_prefix(word)?.trim().parse().ok()).collect()
}

/// Whether a number is that of a group to which a signal may be sent: 0 stands for the own one, and 1 is the machine's.
#[cfg(unix)]
fn is_group(number: i32) -> bool {
    number > 1
}

/// The groups in the sessions of a text in which a process has a file.
#[cfg(target_os = "linux")]
fn running(file: &File, text: &str) -> BTreeSet<i32> {
    use std::os::unix::fs::MetadataExt;
    let Ok(own) = file.metadata() else { return BTreeSet::new() };
    let sessions = told(text, SESSION);
    let mut found = BTreeSet::new();
    for process in std::fs::read_dir("/proc").into_iter().flatten().flatten() {
        let stat = std::fs::read_to_string(process.path().join("stat")).unwrap_or_default();
        // Behind the name, which may hold anything: state, parent, group, session (`proc_pid_stat(5)`).
        let behind = stat.rsplit_once(')').map_or("", |(_, behind)| behind);
        let mut fields = behind.split_whitespace().skip(2).map_while(|number| number.parse::<i32>().ok());
        let (Some(group), Some(session)) = (fields.next(), fields.next()) else { continue };
        // Session 0 is one that began outside of the container in which this runs.
        if !is_group(group) || found.contains(&group) || !sessions.contains(&session) {
            continue;
        }
        let open = std::fs::read_dir(process.path().join("fd")).into_iter().flatten().flatten();
        let mut same = open.filter(|fd| {
            let meta = std::fs::metadata(fd.path());
            meta.is_ok_and(|meta| (meta.dev(), meta.ino()) == (own.dev(), own.ino()))
        });
        if same.any(|fd| is_handed(&process.path().join("fdinfo").join(fd.file_name()))) {
            found.insert(group);
        }
    }
    found
}

/// Whether a descriptor was handed down. Whoever looks has the file open too, as this does, but not to append to it.
#[cfg(target_os = "linux")]
fn is_handed(info: &std::path::Path) -> bool {
    let text = std::fs::read_to_string(info).unwrap_or_default();
    let flags = text.lines().find_map(|line| line.strip_prefix("flags:"));
    let flags = flags.and_then(|flags| i32::from_str_radix(flags.trim(), 8).ok());
    flags.is_some_and(|flags| flags & nix::libc::O_APPEND != 0)
}

/// Those of the groups of a text that there are.
#[cfg(all(unix, not(target_os = "linux")))]
fn running(_file: &File, text: &str) -> BTreeSet<i32> {
    let is_there = |group: &i32| nix::sys::signal::killpg(nix::unistd::Pid::from_raw(*group), None).is_ok();
    told(text, GROUP).into_iter().filter(|group| is_group(*group)).filter(is_there).collect()
}

#[cfg(not(unix))]
fn running(_file: &File, text: &str) -> BTreeSet<i32> {
    told(text, GROUP).into_iter().filter(|_| false).collect()
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
