//! The process that runs one attempt of an action and writes down how it ended, so that the result outlives the executor.
//!
//! It is this program itself, started as `ankus supervise FOLDER`. It leads no terminal's group, so Ctrl-C does not reach
//! it; what it starts has a group of its own, which is killed as a whole.

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::process::ExitStatus;
use std::time::Duration;

use super::attempt::{Attempt, Outcome, Spec, State, Task};
use super::captures::Captures;
use super::distcp::{self, CopyFault, Plan};
use super::files::{self, FilesFault};
use super::group;
use super::lasting::{self, Patience};
use super::process::{Alone, End};
use super::runners::{email, git, http, ssh};
use super::storage::Storage;
use super::streaming::{self, counters::Counters};
use crate::engine::TroubleKind;

/// More captured output is not taken in, whatever the action allows.
const MAX_CAPTURED: u64 = 1024 * 1024;

/// Runs the attempt of a folder, unless somebody has before. A result that cannot be written is kept until it can be.
pub fn run(folder: &Path) -> std::io::Result<()> {
    run_with(folder, &mut Patience::new(&mut std::thread::sleep))
}

/// As [`run`], with somebody who lets time pass.
pub fn run_with(folder: &Path, patience: &mut Patience<'_>) -> std::io::Result<()> {
    let attempt = Attempt::new(folder.to_owned());
    let Some(_lock) = attempt.take()? else {
        if attempt.is_to_be_killed() && attempt.state()? == State::Lost {
            group::end(&attempt, Duration::from_millis(attempt.spec()?.grace_millis));
        }
        return Ok(());
    };
    let (outcome, remote) = match attempt.spec() {
        Err(error) => (Err(error), None),
        Ok(spec) => {
            let outcome = match attempt.is_to_be_killed() {
                true => killed(&attempt, &spec),
                false => work(&attempt, &spec),
            };
            let Spec { task, .. } = spec;
            (outcome, if let Task::Remote(remote) = task { Some(remote) } else { None })
        }
    };
    let outcome = outcome.unwrap_or_else(|error| failed("JA018", error.to_string()));
    attempt.finish(&outcome, patience)?;
    // Only now, when its end is on disk here, may it be forgotten there.
    if let Some(remote) =
        remote.filter(|_| attempt.has_started() && !(outcome.killed && outcome.fault.is_some()))
    {
        ssh::clean(&remote);
    }
    Ok(())
}

/// It was killed before it was taken: nothing has begun, but for what is done elsewhere and was begun before.
fn killed(attempt: &Attempt, spec: &Spec) -> std::io::Result<Outcome> {
    match &spec.task {
        Task::Remote(remote) if attempt.was_taken_before() => ssh::kill(attempt, remote),
        _ => Ok(Outcome::killed()),
    }
}

fn failed(code: &str, words: String) -> Outcome {
    Outcome::failed("FAILED/KILLED", code, words)
}

/// An end by storage; what may pass by itself, or is for somebody to see to, is told as that.
fn of_files(fault: FilesFault) -> Outcome {
    let trouble = (fault.kind != TroubleKind::Error).then_some(fault.kind);
    Outcome { trouble, ..failed(fault.code, fault.words) }
}

fn work(attempt: &Attempt, spec: &Spec) -> std::io::Result<Outcome> {
    if let Err(fault) = spec.setup.run(&attempt.work()) {
        return Ok(of_files(fault));
    }
    match &spec.task {
        Task::Files { storage, operations } => Ok(match files::run(storage, operations) {
            Ok(()) => Outcome::well("OK", None),
            Err(fault) => of_files(fault),
        }),
        Task::Copy { storage, plan } => copy(attempt, storage, plan),
        Task::Process { command, env, captures } => {
            let grace = Duration::from_millis(spec.grace_millis);
            process(attempt, command, env, captures, grace, spec.max_output)
        }
        Task::Streaming(job) => streaming::run(job, attempt, Duration::from_millis(spec.grace_millis)),
        Task::Mail(mail) => Ok(email::send(mail)),
        Task::Request(request) => http::run(attempt, request),
        Task::Remote(remote) => ssh::run(attempt, remote, Duration::from_millis(spec.grace_millis)),
        Task::Clone(clone) => git::run(attempt, clone, Duration::from_millis(spec.grace_millis)),
    }
}

/// Copies files; what is done is told in the place of standard output.
fn copy(attempt: &Attempt, storage: &Storage, plan: &Plan) -> std::io::Result<Outcome> {
    let mut out = lasting::log(attempt, &attempt.stdout())?;
    let is_killed = || attempt.is_to_be_killed();
    let done = distcp::run(storage, plan, &mut out, &is_killed);
    // The files are copied, or not, whatever can be told of it.
    let _ = out.flush();
    Ok(match done {
        Ok(_) => Outcome::well("SUCCEEDED", None),
        Err(CopyFault::Killed) => Outcome::killed(),
        Err(fault) => {
            let told = lasting::log(attempt, &attempt.stderr());
            let _ = told.and_then(|mut log| writeln!(log, "{fault}").and_then(|()| log.flush()));
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
    let Some(program) = command.first() else {
        return Ok(failed("JA018", "there is no program to run".to_owned()));
    };
    let status = match super::process::run(attempt, command, env, grace, &mut Alone)? {
        End::Over(status) => status,
        End::Killed => return Ok(Outcome::killed()),
        End::NotStarted(error) => return Ok(failed("JA018", format!("cannot run `{program}`: {error}"))),
    };
    if !status.success() {
        let words = exception(&attempt.stderr())?.unwrap_or_else(|| words(named(command), status));
        return Ok(failed("JA018", words));
    }
    let file = match captures {
        Captures::Nothing | Captures::Counters => None,
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
    let stats = match captures {
        Captures::Counters => Counters::read(&ending(&attempt.stderr(), MAX_CAPTURED)?).map(Counters::json),
        _ => None,
    };
    Ok(Outcome { stats, ..Outcome::well("SUCCEEDED", data) })
}

/// The last of what a file holds.
fn ending(file: &Path, max: u64) -> std::io::Result<String> {
    use std::io::{Read, Seek, SeekFrom};
    let (mut file, mut bytes) = (File::open(file)?, Vec::new());
    let skipped = file.metadata()?.len().saturating_sub(max);
    file.seek(SeekFrom::Start(skipped))?;
    file.take(max).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// What a Java machine says when `main` ends with an exception; a server tells the same (`LauncherAM.handleInvocationError`).
fn exception(errors: &Path) -> std::io::Result<Option<String>> {
    let text = ending(errors, MAX_CAPTURED)?;
    let said = text.lines().find_map(|line| line.strip_prefix("Exception in thread \"main\" "));
    Ok(said.map(str::to_owned))
}

/// The program that a command runs: behind `env` and the variables that it sets, that is another.
fn named(command: &[String]) -> &str {
    let is_env = |word: &String| Path::new(word).file_name().is_some_and(|name| name == "env");
    let mut words = command.iter();
    let first = words.next().map_or("", String::as_str);
    let sets = |word: &&String| word.split_once('=').is_some_and(|(name, _)| !name.contains(['/', '-']));
    let behind = command.first().filter(|word| is_env(word)).and_then(|_| words.find(|word| !sets(word)));
    behind.filter(|word| !word.starts_with('-')).map_or(first, String::as_str)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_behind_env_is_named() {
        for (line, program) in [
            ("spark-submit a.jar", "spark-submit"),
            ("env A=b PATH=/x:/y spark-submit a=b", "spark-submit"),
            ("/usr/bin/env bin/x=y", "bin/x=y"),
            ("env -i A=b x", "env"),
            ("env A=b", "env"),
        ] {
            let command: Vec<String> = line.split(' ').map(str::to_owned).collect();
            assert_eq!(named(&command), program, "{line}");
        }
    }
}
