//! A program in a process group of its own, watched until it is over, and ended as a whole when somebody asks for that.

use std::fs::File;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use super::attempt::Attempt;
use super::group::Handed;
use super::private;
use super::scripts;

/// How long is waited at most before a look whether the process is over or is to be killed.
const LOOK: Duration = Duration::from_millis(50);

/// How a program ended.
#[derive(Debug)]
pub enum End {
    /// By itself.
    Over(ExitStatus),
    /// It was killed because somebody asked for that.
    Killed,
    /// It could not be started.
    NotStarted(std::io::Error),
}

/// Who goes along with a program that does its work elsewhere.
pub trait Companion {
    /// Something may be new. After an error it is asked again, so what it has not told it tells then.
    fn look(&mut self) -> std::io::Result<()> {
        Ok(())
    }

    /// The program is to end, politely or at once. True when it will end by what was done here.
    fn end(&mut self, at_once: bool) -> bool {
        let _ = at_once;
        false
    }
}

/// Nobody.
#[derive(Clone, Copy, Debug)]
pub struct Alone;

impl Companion for Alone {}

/// Runs a program for an attempt: in its work folder, with this environment and no other, and its output in the
/// attempt's files. One that does not end within the grace after it was asked to is killed.
pub fn run(
    attempt: &Attempt,
    command: &[String],
    env: &[(String, String)],
    grace: Duration,
    companion: &mut dyn Companion,
) -> std::io::Result<End> {
    let (output, errors) = (private::create(&attempt.stdout())?, private::create(&attempt.stderr())?);
    run_with(attempt, command, env, grace, companion, Streams { input: None, output, errors })
}

/// Where a program reads and writes.
#[derive(Debug)]
pub struct Streams {
    /// Its input; none where nothing is given.
    pub input: Option<File>,
    /// Its output.
    pub output: File,
    /// What it says besides.
    pub errors: File,
}

/// Runs a program as [`run`] does, with streams of its own.
pub fn run_with(
    attempt: &Attempt,
    command: &[String],
    env: &[(String, String)],
    grace: Duration,
    companion: &mut dyn Companion,
    streams: Streams,
) -> std::io::Result<End> {
    let Some((program, arguments)) = command.split_first() else {
        return Ok(End::NotStarted(std::io::Error::other("there is no program")));
    };
    let (folder, path) = (attempt.work(), env.iter().find(|(name, _)| name == "PATH"));
    let handed = Handed::open(attempt)?;
    let mut command = Command::new(program);
    command.args(arguments);
    let started = spawn(command, env, &folder, &streams)?.or_else(|error| {
        let path = path.map_or("", |(_, path)| path);
        match scripts::by_shell(&error, program, arguments, &folder, path) {
            Some(command) => spawn(command, env, &folder, &streams).and_then(|started| started),
            None => Err(error),
        }
    });
    let mut child = match started {
        Ok(child) => child,
        Err(error) => return Ok(End::NotStarted(error)),
    };
    handed.tell(child.id());
    let mut asked: Option<Instant> = None;
    // Most processes are short, so the first looks come soon.
    let mut pause = Duration::from_millis(1);
    while !is_over(&mut child)? {
        // A full disk may keep it from telling; what runs is not left alone for that.
        let _ = companion.look();
        match asked {
            None if attempt.is_to_be_killed() => {
                if !companion.end(false) {
                    signal(child.id(), Signal::Politely);
                }
                asked = Some(Instant::now());
            }
            Some(at) if at.elapsed() >= grace => {
                companion.end(true);
                signal(child.id(), Signal::AtOnce);
            }
            _ => {}
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(LOOK);
    }
    let _ = companion.look();
    if asked.is_some() {
        // What the process has left behind in its group.
        signal(child.id(), Signal::AtOnce);
    }
    let status = child.wait()?;
    Ok(if asked.is_some() { End::Killed } else { End::Over(status) })
}

/// Starts a program at the head of a group of its own. The streams could not be given to it where that fails outside; where
/// it fails inside, there is no program.
fn spawn(
    mut command: Command,
    env: &[(String, String)],
    folder: &Path,
    streams: &Streams,
) -> std::io::Result<std::io::Result<Child>> {
    command.env_clear().envs(env.iter().map(|(name, value)| (name, value))).current_dir(folder);
    let input = streams.input.as_ref().map(File::try_clone).transpose()?;
    command.stdin(input.map_or_else(Stdio::null, Stdio::from));
    command.stdout(streams.output.try_clone()?).stderr(streams.errors.try_clone()?);
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    Ok(command.spawn())
}

/// Whether a process is over. Its number stays its own until it is waited for.
#[cfg(unix)]
fn is_over(child: &mut Child) -> std::io::Result<bool> {
    use nix::sys::wait::{Id, WaitPidFlag, WaitStatus, waitid};
    let id = i32::try_from(child.id()).map_err(std::io::Error::other)?;
    let flags = WaitPidFlag::WEXITED | WaitPidFlag::WNOHANG | WaitPidFlag::WNOWAIT;
    Ok(waitid(Id::Pid(nix::unistd::Pid::from_raw(id)), flags)? != WaitStatus::StillAlive)
}

#[cfg(not(unix))]
fn is_over(child: &mut Child) -> std::io::Result<bool> {
    Ok(child.try_wait()?.is_some())
}

#[derive(Clone, Copy)]
enum Signal {
    Politely,
    AtOnce,
}

/// Sends a signal to a group. Its leader is a child that was not waited for, so the number is its.
#[cfg(unix)]
fn signal(group: u32, how: Signal) {
    use nix::sys::signal::{Signal as Unix, killpg};
    let signal = match how {
        Signal::Politely => Unix::SIGTERM,
        Signal::AtOnce => Unix::SIGKILL,
    };
    if let Ok(group) = i32::try_from(group) {
        // There is nobody left to be killed, then.
        let _ = killpg(nix::unistd::Pid::from_raw(group), signal);
    }
}

#[cfg(not(unix))]
fn signal(_group: u32, _how: Signal) {}
