//! The folder of one attempt of an action: what to do, what was written, and how it ended.
//!
//! Whoever runs the attempt holds the lock in it, and nobody begins one that was begun: `begun` is made by the first, and
//! by no second. So whether an attempt runs is asked of the lock, never of a process number.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use super::captures::Captures;
use super::runners::{email::Mail, git::Clone as GitClone, ssh::Remote};
use super::setup::Setup;
use super::streaming::Job;
use crate::engine::TroubleKind;

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
    /// A command on another machine.
    Remote(Remote),
    /// A copy of a repository.
    Clone(GitClone),
}

/// How it ended.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct Outcome {
    /// Whether it ended well.
    pub ok: bool,
    /// Whether it was killed because somebody asked for that.
    pub killed: bool,
    /// What a server would call its end outside, such as `SUCCEEDED`.
    pub status: String,
    /// Code and words of its error.
    pub fault: Option<(String, String)>,
    /// How the server treats the error; none when it only says that the action has ended badly.
    pub trouble: Option<TroubleKind>,
    /// What it captured.
    pub data: Option<String>,
    /// Its counters, as JSON.
    pub stats: Option<String>,
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

impl Outcome {
    /// It ended well.
    pub fn well(status: &str, data: Option<String>) -> Outcome {
        Outcome { ok: true, status: status.to_owned(), data, ..Outcome::default() }
    }

    /// It ended badly.
    pub fn failed(status: &str, code: &str, words: String) -> Outcome {
        let fault = Some((code.to_owned(), words));
        Outcome { status: status.to_owned(), fault, ..Outcome::default() }
    }

    /// Something went wrong with it.
    pub fn troubled(kind: TroubleKind, code: &str, words: String) -> Outcome {
        Outcome { trouble: Some(kind), ..Outcome::failed("FAILED/KILLED", code, words) }
    }

    /// It was killed.
    pub fn killed() -> Outcome {
        Outcome { killed: true, status: "KILLED".to_owned(), ..Outcome::default() }
    }
}

const SPEC: &str = "spec.json";
const LOCK: &str = "lock";
const BEGUN: &str = "begun";
const STARTED: &str = "started";
const RESULT: &str = "result.json";
const KILL: &str = "kill";

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

    /// Writes down what to do; it is on disk when this returns.
    pub fn prepare(&self, spec: &Spec) -> std::io::Result<()> {
        std::fs::create_dir_all(self.work())?;
        self.write(SPEC, spec)
    }

    /// What to do.
    pub fn spec(&self) -> std::io::Result<Spec> {
        self.read(SPEC)
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
        Ok(if self.is_begun() { State::Lost } else { State::Fresh })
    }

    /// Whether somebody has begun it.
    pub fn is_begun(&self) -> bool {
        self.folder.join(BEGUN).exists()
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
    /// somebody else has taken it.
    pub fn take(&self) -> std::io::Result<Option<File>> {
        let lock = self.lock_file()?;
        match lock.try_lock() {
            Err(TryLockError::WouldBlock) => return Ok(None),
            Err(TryLockError::Error(error)) => return Err(error),
            Ok(()) => {}
        }
        let begun = OpenOptions::new().write(true).create_new(true).open(self.folder.join(BEGUN));
        match begun {
            Ok(begun) => begun.sync_all()?,
            Err(error) if error.kind() == ErrorKind::AlreadyExists => return Ok(None),
            Err(error) => return Err(error),
        }
        File::open(&self.folder)?.sync_all()?;
        Ok(Some(lock))
    }

    /// Writes the result; it is there whole or not at all.
    pub fn finish(&self, outcome: &Outcome) -> std::io::Result<()> {
        self.write(RESULT, outcome)
    }

    /// Says that what is done elsewhere has begun there. Whoever runs it says so on standard output too.
    pub fn tell_started(&self) -> std::io::Result<()> {
        File::create(self.folder.join(STARTED))?;
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
        File::create(self.folder.join(KILL)).map(|_| ())
    }

    /// Whether somebody wants it killed.
    pub fn is_to_be_killed(&self) -> bool {
        self.folder.join(KILL).exists()
    }

    fn lock_file(&self) -> std::io::Result<File> {
        let path = self.folder.join(LOCK);
        OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)
    }

    fn read<T: DeserializeOwned>(&self, name: &str) -> std::io::Result<T> {
        let bytes = std::fs::read(self.folder.join(name))?;
        serde_json::from_slice(&bytes).map_err(std::io::Error::other)
    }

    fn write(&self, name: &str, value: &impl Serialize) -> std::io::Result<()> {
        let bytes = serde_json::to_vec_pretty(value)?;
        let beside = self.folder.join(format!("{name}.new"));
        let mut file = File::create(&beside)?;
        file.write_all(&bytes)?;
        file.sync_all()?;
        std::fs::rename(&beside, self.folder.join(name))?;
        File::open(&self.folder)?.sync_all()
    }
}
