//! The process that runs one attempt of an action and writes down how it ended, so that the result outlives the executor.
//!
//! It is this program itself, started as `ankus supervise FOLDER`. It leads no terminal's group, so Ctrl-C does not reach
//! it; what it starts has a group of its own, which is killed as a whole.

use std::fs::File;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use super::attempt::{Attempt, Outcome, Spec, Task};
use super::captures::Captures;
use super::distcp::{self, CopyFault, Plan};
use super::files;
use super::storage::Storage;
use crate::engine::TroubleKind;

/// How long is waited at most before a look whether the process is over or is to be killed.
const LOOK: Duration = Duration::from_millis(50);

/// More captured output is not taken in, whatever the action allows.
const MAX_CAPTURED: u64 = 1024 * 1024;

/// Runs the attempt of a folder, unless somebody has before.
pub fn run(folder: &Path) -> std::io::Result<()> {
    let attempt = Attempt::new(folder.to_owned());
    let Some(_lock) = attempt.take()? else { return Ok(()) };
    let outcome = match attempt.is_to_be_killed() {
        true => Ok(killed()),
        false => attempt.spec().and_then(|spec| work(&attempt, &spec)),
    };
    let outcome = outcome.unwrap_or_else(|error| failed("JA018", error.to_string()));
    attempt.finish(&outcome)
}

fn failed(code: &str, words: String) -> Outcome {
    let fault = Some((code.to_owned(), words));
    Outcome { status: "FAILED/KILLED".to_owned(), fault, ..Outcome::default() }
}

fn killed() -> Outcome {
    Outcome { killed: true, status: "KILLED".to_owned(), ..Outcome::default() }
}

fn work(attempt: &Attempt, spec: &Spec) -> std::io::Result<Outcome> {
    if let Err(fault) = spec.setup.run(&attempt.work()) {
        return Ok(failed(fault.code, fault.words));
    }
    match &spec.task {
        Task::Files { storage, operations } => Ok(match files::run(storage, operations) {
            Ok(()) => Outcome { ok: true, status: "OK".to_owned(), ..Outcome::default() },
            Err(fault) => {
                let trouble = (fault.kind != TroubleKind::Error).then_some(fault.kind);
                Outcome { trouble, ..failed(fault.code, fault.words) }
            }
        }),
        Task::Copy { storage, plan } => copy(attempt, storage, plan),
        Task::Process { command, env, captures } => {
            let grace = Duration::from_millis(spec.grace_millis);
            process(attempt, command, env, captures, grace, spec.max_output)
        }
    }
}

/// Copies files; what is done is told in the place of standard output.
fn copy(attempt: &Attempt, storage: &Storage, plan: &Plan) -> std::io::Result<Outcome> {
    let mut out = std::io::BufWriter::new(File::create(attempt.stdout())?);
    let is_killed = || attempt.is_to_be_killed();
    let done = distcp::run(storage, plan, &mut out, &is_killed);
    std::io::Write::flush(&mut out)?;
    Ok(match done {
        Ok(_) => Outcome { ok: true, status: "SUCCEEDED".to_owned(), ..Outcome::default() },
        Err(CopyFault::Killed) => killed(),
        Err(fault) => {
            std::fs::write(attempt.stderr(), format!("{fault}\n"))?;
            failed("JA018", format!("distcp: {fault}"))
        }
    })
}

fn process(
    attempt: &Attempt,
    command: &[String],
    env: &[(String, String)],
    captures: &Captures,
    grace: Duration,
    max_output: u64,
) -> std::io::Result<Outcome> {
    let Some((program, arguments)) = command.split_first() else {
        return Ok(failed("JA018", "there is no program to run".to_owned()));
    };
    let mut command = Command::new(program);
    command.args(arguments).env_clear().envs(env.iter().map(|(name, value)| (name, value)));
    command.current_dir(attempt.work()).stdin(Stdio::null());
    command.stdout(File::create(attempt.stdout())?).stderr(File::create(attempt.stderr())?);
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let mut child = match command.spawn() {
        Ok(child) => child,
        Err(error) => return Ok(failed("JA018", format!("cannot run `{program}`: {error}"))),
    };
    let mut asked: Option<Instant> = None;
    // Most processes are short, so the first looks come soon.
    let mut pause = Duration::from_millis(1);
    while !is_over(&mut child)? {
        match asked {
            None if attempt.is_to_be_killed() => {
                signal(child.id(), Signal::Politely);
                asked = Some(Instant::now());
            }
            Some(at) if at.elapsed() >= grace => signal(child.id(), Signal::AtOnce),
            _ => {}
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(LOOK);
    }
    if asked.is_some() {
        // What the process has left behind in its group.
        signal(child.id(), Signal::AtOnce);
    }
    let status = child.wait()?;
    if asked.is_some() {
        return Ok(killed());
    }
    if !status.success() {
        return Ok(failed("JA018", words(program, status)));
    }
    let file = match captures {
        Captures::Nothing => None,
        Captures::Stdout => Some(attempt.stdout()),
        Captures::File(path) => Some(path.clone()),
    };
    let data = match file {
        None => None,
        // A class that captures nothing writes no file.
        Some(path) if !path.exists() => Some(String::new()),
        Some(path) => match captured(&path, max_output.min(MAX_CAPTURED))? {
            Some(text) => Some(text),
            // `LocalFsOperations.getLocalFileContentAsString`
            None => {
                return Ok(failed(
                    "JA018",
                    format!("output.properties data exceeds its limit [{max_output}]"),
                ));
            }
        },
    };
    Ok(Outcome { ok: true, status: "SUCCEEDED".to_owned(), data, ..Outcome::default() })
}

/// How a process ended.
fn words(program: &str, status: ExitStatus) -> String {
    match status.code() {
        Some(code) => format!("`{program}` ended with exit code [{code}]"),
        None => format!("`{program}` was ended by {status}"),
    }
}

/// What a file holds, unless it is too much.
fn captured(file: &Path, max: u64) -> std::io::Result<Option<String>> {
    use std::io::Read;
    let mut bytes = Vec::new();
    File::open(file)?.take(max + 1).read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= max).then(|| String::from_utf8_lossy(&bytes).into_owned()))
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
