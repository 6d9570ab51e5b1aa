//! A command on another machine from its start to its end, over as many connections as that takes.
//!
//! Whoever follows it may come and go: the command is started there apart from any connection, once for each attempt
//! whoever asks for it and however often, and its output and end stay in a folder there until they are on disk here.

use std::fs::File;
use std::io::{ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use super::heard::{End, Heard, Stream};
use super::{LOOKED_AT, MAX_OUTPUT, Remote, environment_of_ssh, scripts, shown, unbegun};
use crate::engine::TroubleKind;
use crate::execute::attempt::{Attempt, LOST, Outcome};
use crate::execute::private;
use crate::execute::process::{self, Companion, Streams};

/// How long one waits before the next connection, at first and at most; twice as long each time that it fails.
const FIRST_PAUSE: Duration = Duration::from_millis(250);
const LONGEST_PAUSE: Duration = Duration::from_secs(60);

/// How long one waits before a look whether the command is to be killed meanwhile.
const LOOK: Duration = Duration::from_millis(50);

/// How often a connection may break before the script there has said a word.
const START_TRIES: u32 = 3;

/// Somebody who follows a command.
struct Follower<'a> {
    attempt: &'a Attempt,
    remote: &'a Remote,
    heard: Heard,
    out: File,
    err: File,
    /// How much was taken of what the connection says.
    taken: u64,
    /// Whether it was told that the command has begun.
    has_told: bool,
    /// Whether the shell there may have been reached, on this connection or before.
    may_be_there: bool,
    /// Why the command could not be ended.
    unkilled: Option<String>,
    /// Why what has come could not be kept.
    trouble: Option<std::io::Error>,
}

/// Runs the command of an attempt, or takes it up again.
pub fn run(attempt: &Attempt, remote: &Remote, grace: Duration) -> std::io::Result<Outcome> {
    if let Some(identity) = remote.config.identity.as_ref().filter(|identity| !identity.is_file()) {
        // The server's words for a file of its own that is missing.
        let words = format!("Required Local file {} not present.", identity.display());
        return Ok(Outcome::troubled(TroubleKind::Transient, "FNF", words));
    }
    let mut follower = Follower::new(attempt, remote)?;
    let (mut pause, mut tries) = (FIRST_PAUSE, 0);
    loop {
        let status = match follower.connect(grace) {
            Ok(process::End::Over(status)) => status,
            Ok(process::End::Killed) => return Ok(follower.killed()),
            Ok(process::End::NotStarted(error)) => {
                let words = format!("cannot run `ssh`: {error}");
                return Ok(Outcome::troubled(TroubleKind::Error, "UNKNOWN_ERROR", words));
            }
            // What was begun there is not given up because of this machine, such as for want of room.
            Err(_) if follower.may_be_there && attempt.folder().is_dir() => {
                // What came may be on disk in part, so all of it is asked for again.
                follower = Follower { may_be_there: true, ..Follower::new(attempt, remote)? };
                if !wait(attempt, pause) {
                    follower.end(true);
                    return Ok(follower.killed());
                }
                pause = (pause * 2).min(LONGEST_PAUSE);
                continue;
            }
            Err(error) => return Err(error),
        };
        if let Some(end) = follower.heard.end {
            return follower.ended(end, status);
        }
        tries += 1;
        if !follower.may_be_there
            && let Some(outcome) = follower.not_begun(status, tries)?
        {
            return Ok(outcome);
        }
        if follower.heard.is_there {
            pause = FIRST_PAUSE;
        }
        let why = follower.said(status)?;
        follower.remark(&format!("the connection was lost, and is made again: {why}"));
        if !wait(attempt, pause) {
            follower.end(true);
            return Ok(follower.killed());
        }
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
}

/// Ends the command of an attempt that nobody follows.
pub fn kill(attempt: &Attempt, remote: &Remote) -> std::io::Result<Outcome> {
    let mut follower = Follower::new(attempt, remote)?;
    follower.end(true);
    Ok(follower.killed())
}

/// Removes what is left of an attempt there; what cannot be removed stays.
pub fn clean(remote: &Remote) {
    let _ = remote.order(scripts::CLEAN, &[]);
}

/// Waits; false when the command is to be killed.
fn wait(attempt: &Attempt, pause: Duration) -> bool {
    let begun = Instant::now();
    while begun.elapsed() < pause {
        if attempt.is_to_be_killed() {
            return false;
        }
        std::thread::sleep(LOOK);
    }
    !attempt.is_to_be_killed()
}

impl<'a> Follower<'a> {
    /// Nothing is known yet: what came to somebody before comes again.
    fn new(attempt: &'a Attempt, remote: &'a Remote) -> std::io::Result<Follower<'a>> {
        let create = |path: PathBuf| {
            private::create(&path)?;
            private::append(&path)
        };
        let (out, err) = (create(attempt.stdout())?, create(attempt.stderr())?);
        let may_be_there = attempt.has_started() || attempt.was_taken_before();
        let heard = Heard::new(&remote.mark);
        let (taken, has_told, unkilled, trouble) = (0, false, None, None);
        Ok(Follower { attempt, remote, heard, out, err, taken, has_told, may_be_there, unkilled, trouble })
    }

    /// Adds a line to what the command says; where there is no room for it, it is not missed.
    fn remark(&mut self, words: &str) {
        let _ = writeln!(self.err, "{}: {words}", self.remote.mark);
    }

    fn connection(&self, what: &str) -> PathBuf {
        self.attempt.folder().join(format!("connection.{what}"))
    }

    /// Follows over one connection.
    fn connect(&mut self, grace: Duration) -> std::io::Result<process::End> {
        self.heard.begin();
        self.taken = 0;
        // Another `ssh` may still write to files of these names, when whoever had started it was ended.
        let fresh = |path: PathBuf| match std::fs::remove_file(&path) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
            _ => private::create(&path),
        };
        let streams = Streams {
            input: None,
            output: fresh(self.connection("out"))?,
            errors: fresh(self.connection("err"))?,
        };
        let what = if self.attempt.has_started() { "follow" } else { "start" };
        let (out, err) = self.heard.known;
        let (out, err) = (out.to_string(), err.to_string());
        let mut words = vec![what, &out, &err, scripts::WRAPPER];
        words.extend(self.remote.words.iter().map(String::as_str));
        let command = self.remote.ssh(&self.remote.line(scripts::FOLLOW, &words));
        let (attempt, env) = (self.attempt, environment_of_ssh());
        let end = process::run_with(attempt, &command, &env, grace, self, streams);
        self.may_be_there |= self.heard.is_there;
        let end = end?;
        self.look()?;
        self.may_be_there |= self.heard.is_there;
        if let Some(error) = self.trouble.take() {
            return Err(error);
        }
        std::fs::remove_file(self.connection("out"))?;
        Ok(end)
    }

    /// What a command that has ended comes to, or one that will not.
    fn ended(&mut self, end: End, status: ExitStatus) -> std::io::Result<Outcome> {
        let host = &self.remote.host;
        let lost = |words: String| Outcome::troubled(TroubleKind::NonTransient, LOST, words);
        Ok(match end {
            End::Over(code) => {
                self.remark(&format!("ended with exit code {code}"));
                match code {
                    0 => output(self.attempt, self.remote)?,
                    code => Outcome::failed("ERROR", "E1111", format!("Exit code:{code}")),
                }
            }
            End::Lost => lost(format!(
                "whoever ran the command on {host} has left no exit code; look what it has done"
            )),
            End::Gone => lost(format!(
                "the folder `~/.{}` of the command on {host} is gone, and nobody knows how it ended",
                self.remote.mark
            )),
            End::Never => {
                let words = format!("{host} did not begin the command in time; it will not begin any more");
                Outcome::troubled(TroubleKind::Transient, "COULD_NOT_CONNECT", words)
            }
            End::Unmade => {
                let (kind, code) = unbegun(&head(&self.connection("err"))?);
                let words = format!("Not able to make a folder on {host}: {}", self.said(status)?);
                Outcome::troubled(kind, code, words)
            }
        })
    }

    /// What it comes to that nobody there has answered; nothing when that is tried once more.
    fn not_begun(&self, status: ExitStatus, tries: u32) -> std::io::Result<Option<Outcome>> {
        let said = head(&self.connection("err"))?;
        let breaks = ["Connection closed", "Connection reset", "Broken pipe", "not responding"];
        let is_broken = status.code().is_none() || breaks.iter().any(|words| said.contains(words));
        if is_broken && tries < START_TRIES {
            return Ok(None);
        }
        let (kind, code) =
            if is_broken { (TroubleKind::Transient, "COULD_NOT_CONNECT") } else { unbegun(&said) };
        let words = format!("Not able to run the command on {}: {}", self.remote.host, self.said(status)?);
        Ok(Some(Outcome::troubled(kind, code, words)))
    }

    /// It was killed, or could not be.
    fn killed(&mut self) -> Outcome {
        let why = self.unkilled.take().filter(|_| self.may_be_there);
        let fault = why.map(|why| {
            let group = self.heard.group.map_or_else(|| self.remote.mark.clone(), |group| group.to_string());
            let words = format!("Unable to kill process {group} on {}: {why}", self.remote.host);
            ("FAILED_TO_KILL".to_owned(), words)
        });
        Outcome { fault, ..Outcome::killed() }
    }

    /// What `ssh` said at the end, in short.
    fn said(&self, status: ExitStatus) -> std::io::Result<String> {
        let tail = tail(&self.connection("err"))?;
        let last = tail.trim().lines().rev().take(5).collect::<Vec<_>>();
        let last = last.into_iter().rev().collect::<Vec<_>>().join(" | ");
        Ok(if last.is_empty() { format!("`ssh` ended with {status}") } else { shown(&last) })
    }
}

impl Companion for Follower<'_> {
    fn look(&mut self) -> std::io::Result<()> {
        // What comes behind a gap is no part of anything.
        if self.trouble.is_none()
            && let Err(error) = self.take()
        {
            self.trouble = Some(error);
        }
        Ok(())
    }

    fn end(&mut self, at_once: bool) -> bool {
        let signal = if at_once { "KILL" } else { "TERM" };
        self.unkilled = self.remote.order(scripts::KILL, &[signal]).err();
        self.unkilled.is_none()
    }
}

impl Follower<'_> {
    /// Takes what has come over the connection.
    fn take(&mut self) -> std::io::Result<()> {
        let mut said = File::open(self.connection("out"))?;
        said.seek(SeekFrom::Start(self.taken))?;
        let mut bytes = vec![0; LOOKED_AT];
        loop {
            let length = said.read(&mut bytes)?;
            if length == 0 {
                break;
            }
            self.taken += length as u64;
            let (out, err) = (&mut self.out, &mut self.err);
            self.heard.take(&bytes[..length], &mut |stream, bytes| match stream {
                Stream::Out => out.write_all(bytes),
                Stream::Err => err.write_all(bytes),
            })?;
        }
        let Some(group) = self.heard.group.filter(|_| !self.has_told) else { return Ok(()) };
        self.has_told = true;
        self.remark(&format!("begun as process group {group}"));
        if self.attempt.has_started() { Ok(()) } else { self.attempt.tell_started() }
    }
}

impl Remote {
    /// Lets a script do something there.
    fn order(&self, script: &str, words: &[&str]) -> Result<(), String> {
        let command = self.ssh(&self.line(script, words));
        let mut process = Command::new(&command[0]);
        process.args(&command[1..]).env_clear().envs(environment_of_ssh());
        process.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        match process.status() {
            Ok(status) if status.success() => Ok(()),
            Ok(status) => Err(status.to_string()),
            Err(error) => Err(error.to_string()),
        }
    }
}

/// What is captured of a command that has ended well.
fn output(attempt: &Attempt, remote: &Remote) -> std::io::Result<Outcome> {
    if !remote.captures {
        return Ok(Outcome::well("OK", None));
    }
    let mut bytes = Vec::new();
    File::open(attempt.stdout())?.take(MAX_OUTPUT as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > MAX_OUTPUT {
        let words = format!("the output is longer than {MAX_OUTPUT} bytes");
        return Ok(Outcome::troubled(TroubleKind::Error, "ERR_UNKNOWN_ERROR", words));
    }
    Ok(Outcome::well("OK", Some(String::from_utf8_lossy(&bytes).into_owned())))
}

/// The beginning of a file.
fn head(path: &Path) -> std::io::Result<String> {
    let mut bytes = Vec::new();
    File::open(path)?.take(LOOKED_AT as u64).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The end of a file.
fn tail(path: &Path) -> std::io::Result<String> {
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(LOOKED_AT as u64)))?;
    let mut bytes = Vec::new();
    file.take(LOOKED_AT as u64).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
