//! The folder of one attempt of an action: what to do, what was written, and how it ended.
//!
//! Whoever runs the attempt holds the lock in it, and nobody begins one that was begun: `begun` is made by the first, and
//! by no second. So whether an attempt runs is asked of the lock, never of a process number. Only what is done on another
//! machine may be taken up by a second, since it is begun there, and once.

use std::fs::{File, TryLockError};
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use super::captures::Captures;
use super::lasting::Patience;
pub use super::outcome::Outcome;
use super::private;
use super::runners::{email::Mail, git::Clone as GitClone, http::Request, ssh::Remote};
use super::setup::Setup;
use super::streaming::Job;

/// The folder of one attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    folder: PathBuf,
}

/// What to do.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Spec {
    /// The work.
    pub task: Task,
    /// How long a killed process has to end by itself, in milliseconds.
    pub grace_millis: u64,
    /// What is put into place before.
    #[serde(default)]
    pub setup: Setup,
    /// The longest output that is captured, in bytes; more is an error.
    #[serde(default)]
    pub max_output: u64,
    /// When the journal asked for it, in milliseconds; nothing in what an older version has prepared.
    #[serde(default)]
    pub asked_millis: Option<i64>,
}

/// The kinds of work.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Task {
    /// A process.
    Process {
        /// The program and its arguments; no shell looks at them.
        command: Vec<String>,
        /// All of its environment.
        env: Vec<(String, String)>,
        /// Where the action's output comes from, the text of a properties file.
        captures: Captures,
    },
    /// Operations on files.
    Files {
        /// Where URIs lie.
        storage: super::storage::Storage,
        /// The operations.
        operations: Vec<super::files::Operation>,
    },
    /// Files copied from storage to storage.
    Copy {
        /// Where URIs lie.
        storage: super::storage::Storage,
        /// What is copied where.
        plan: super::distcp::Plan,
    },
    /// Map-reduce by programs that read and write lines.
    Streaming(Box<Job>),
    /// A letter.
    Mail(Mail),
    /// A request by HTTP.
    Request(Request),
    /// A command on another machine.
    Remote(Remote),
    /// A copy of a repository.
    Clone(GitClone),
}

/// Where an attempt stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// Nobody has begun it.
    Fresh,
    /// It runs.
    Running,
    /// It is over.
    Over(Outcome),
    /// It was begun, and whoever ran it has left no result.
    Lost,
}

/// The code of an attempt that was begun and has left no result.
pub const LOST: &str = "ANKUS-LOST";

/// How often an attempt that can be taken up again is; each time whoever ran it has ended without a result.
const MAX_LIVES: u64 = 20;

const SPEC: &str = "spec.json";
const LOCK: &str = "lock";
const BEGUN: &str = "begun";
const STARTED: &str = "started";
const RESULT: &str = "result.json";
const DRAFT: &str = "result.json.new";
const KILL: &str = "kill";

/// What is held ready on disk for a result besides what it captures, in bytes: codes, words and their names.
const ROOM: u64 = 8 * 1024;

/// The most that is held ready for what a result captures, in bytes; a longer one has to find room when it comes.
const MAX_ROOM: u64 = 64 * 1024;

/// More is not read of a file that says what to do or how it ended, in bytes.
const MAX_READ: u64 = 64 * 1024 * 1024;

impl Attempt {
    /// The attempt of this folder.
    pub fn new(folder: PathBuf) -> Attempt {
        Attempt { folder }
    }

    /// Its folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Where its process works.
    pub fn work(&self) -> PathBuf {
        self.folder.join("work")
    }

    /// Where its standard output is kept.
    pub fn stdout(&self) -> PathBuf {
        self.folder.join("stdout")
    }

    /// Where its standard error is kept.
    pub fn stderr(&self) -> PathBuf {
        self.folder.join("stderr")
    }

    /// Whether it was prepared already.
    pub fn is_prepared(&self) -> bool {
        self.folder.join(SPEC).is_file()
    }

    /// Makes its folder, and that where its process works, for their owner alone.
    pub fn make_folders(&self) -> std::io::Result<()> {
        private::make_folders(&self.work())
    }

    /// Writes down what to do; it is on disk when this returns. Room for the result is held ready before, so that one fits
    /// on a disk that the work has filled.
    pub fn prepare(&self, spec: &Spec) -> std::io::Result<()> {
        self.make_folders()?;
        // A line break or a quotation mark takes two bytes.
        let bytes = ROOM + (2 * spec.max_output).min(MAX_ROOM);
        private::write(&self.folder.join(DRAFT), &vec![b' '; usize::try_from(bytes).unwrap_or_default()])?;
        self.write(SPEC, spec)
    }

    /// What to do.
    pub fn spec(&self) -> std::io::Result<Spec> {
        self.read(SPEC)
    }

    /// Whether it was prepared for what a journal asked for at this time. A store that is an older copy asks for attempts
    /// that have the numbers of others, whose results are not theirs. What cannot be read is reported by whoever runs it.
    pub fn was_asked_at(&self, millis: i64) -> bool {
        self.spec().ok().and_then(|spec| spec.asked_millis).is_none_or(|known| known == millis)
    }

    /// Where it stands.
    pub fn state(&self) -> std::io::Result<State> {
        let lock = match self.lock_file() {
            Ok(lock) => lock,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(State::Fresh),
            Err(error) => return Err(error),
        };
        match lock.try_lock_shared() {
            Err(TryLockError::WouldBlock) => return Ok(State::Running),
            Err(TryLockError::Error(error)) => return Err(error),
            Ok(()) => {}
        }
        if let Some(outcome) = self.outcome()? {
            return Ok(State::Over(outcome));
        }
        Ok(if self.is_begun() && !self.can_be_taken_up() { State::Lost } else { State::Fresh })
    }

    /// Whether somebody has begun it.
    pub fn is_begun(&self) -> bool {
        self.folder.join(BEGUN).exists()
    }

    /// How often it was taken up again.
    fn lives(&self) -> u64 {
        self.folder.join(BEGUN).metadata().map_or(0, |begun| begun.len())
    }

    /// Whether somebody may go on with it once whoever ran it has gone: what is done elsewhere is done there.
    fn can_be_taken_up(&self) -> bool {
        self.lives() < MAX_LIVES && self.spec().is_ok_and(|spec| matches!(spec.task, Task::Remote(_)))
    }

    /// Whether this is not its first life.
    pub fn was_taken_before(&self) -> bool {
        self.lives() > 0
    }

    /// Whether a result was written, whatever can be read of it.
    pub fn has_result(&self) -> bool {
        self.folder.join(RESULT).exists()
    }

    /// Waits until nobody runs it.
    pub fn wait(&self) -> std::io::Result<()> {
        self.lock_file()?.lock_shared()
    }

    /// The result, when there is one.
    pub fn outcome(&self) -> std::io::Result<Option<Outcome>> {
        match self.read(RESULT) {
            Ok(outcome) => Ok(Some(outcome)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Takes the attempt for this process, once and for all; the lock is held as long as the value lives. Nothing when
    /// somebody else has taken it, unless it can be taken up again.
    pub fn take(&self) -> std::io::Result<Option<File>> {
        let lock = self.lock_file()?;
        match lock.try_lock() {
            Err(TryLockError::WouldBlock) => return Ok(None),
            Err(TryLockError::Error(error)) => return Err(error),
            Ok(()) => {}
        }
        let begun = private::create_new(&self.folder.join(BEGUN));
        match begun {
            Ok(begun) => begun.sync_all()?,
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                if self.has_result() || !self.can_be_taken_up() {
                    return Ok(None);
                }
                let mut begun = private::options().append(true).open(self.folder.join(BEGUN))?;
                begun.write_all(b"+")?;
                begun.sync_all()?;
            }
            Err(error) => return Err(error),
        }
        File::open(&self.folder)?.sync_all()?;
        Ok(Some(lock))
    }

    /// Writes the result; it is there whole or not at all. Where there is no room it waits for some, unless somebody wants
    /// the attempt killed, or its folder is gone: then nobody asks for the result any more.
    pub fn finish(&self, outcome: &Outcome, patience: &mut Patience<'_>) -> std::io::Result<()> {
        let bytes = serde_json::to_vec_pretty(outcome)?;
        patience.of(
            self,
            |_| true,
            || match self.put(RESULT, &bytes) {
                // Only its folder could not be forced to disk.
                Err(_) if self.has_result() => Ok(()),
                put => put,
            },
        )
    }

    /// Says that what is done elsewhere has begun there. Whoever runs it says so on standard output too.
    pub fn tell_started(&self) -> std::io::Result<()> {
        private::create(&self.folder.join(STARTED))?;
        // Nobody listens any more when the executor has left.
        let _ = writeln!(std::io::stdout(), "{STARTED}");
        Ok(())
    }

    /// Whether that was said.
    pub fn has_started(&self) -> bool {
        self.folder.join(STARTED).exists()
    }

    /// Asks whoever runs it to kill it.
    pub fn ask_kill(&self) -> std::io::Result<()> {
        private::create(&self.folder.join(KILL)).map(|_| ())
    }

    /// Whether somebody wants it killed.
    pub fn is_to_be_killed(&self) -> bool {
        self.folder.join(KILL).exists()
    }

    fn lock_file(&self) -> std::io::Result<File> {
        let path = self.folder.join(LOCK);
        private::options().read(true).write(true).create(true).truncate(false).open(path)
    }

    fn read<T: DeserializeOwned>(&self, name: &str) -> std::io::Result<T> {
        let path = self.folder.join(name);
        let mut bytes = Vec::new();
        File::open(&path)?.take(MAX_READ + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > MAX_READ {
            let words = format!("`{}` is larger than {} MiB", path.display(), MAX_READ >> 20);
            return Err(std::io::Error::other(words));
        }
        serde_json::from_slice(&bytes)
            .map_err(|error| std::io::Error::other(format!("`{}` is damaged ({error})", path.display())))
    }

    fn write(&self, name: &str, value: &impl Serialize) -> std::io::Result<()> {
        self.put(name, &serde_json::to_vec_pretty(value)?)
    }

    /// Writes a file beside its place and moves it there. What lies beside already is written over and not cut before, so
    /// that the room which it takes is not lost to others.
    fn put(&self, name: &str, bytes: &[u8]) -> std::io::Result<()> {
        let beside = self.folder.join(format!("{name}.new"));
        let mut file = private::options().write(true).create(true).truncate(false).open(&beside)?;
        file.write_all(bytes)?;
        file.set_len(bytes.len() as u64)?;
        file.sync_all()?;
        std::fs::rename(&beside, self.folder.join(name))?;
        File::open(&self.folder)?.sync_all()
    }
}
