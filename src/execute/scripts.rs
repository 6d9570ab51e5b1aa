//! Scripts that do not say what runs them: as in Java (`ProcessBuilder`, `execve_as_traditional_shell_script` in
//! `childproc.c`) and in any shell, `/bin/sh` does.
//!
//! Only what the system has refused as no program is looked at here, and only text is given to the shell.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What runs scripts without a first line that names something else.
const SHELL: &str = "/bin/sh";

/// How much of a file is looked at, in bytes.
const LOOKED_AT: u64 = 256;

/// A command that lets the shell run a program which the system could not, with the same arguments; nothing when that was
/// for another reason than that it is a text. Environment, folder and streams are yet to be given. `folder` is where
/// relative names begin, `path` what names without a slash are looked for in.
pub(super) fn by_shell(
    error: &std::io::Error,
    program: &str,
    arguments: &[String],
    folder: &Path,
    path: &str,
) -> Option<Command> {
    if !is_no_program(error) {
        return None;
    }
    let file = find(program, folder, path).filter(|file| is_text(&folder.join(file)))?;
    let mut command = Command::new(SHELL);
    command.arg(file).args(arguments);
    Some(command)
}

#[cfg(unix)]
fn is_no_program(error: &std::io::Error) -> bool {
    error.raw_os_error() == Some(nix::libc::ENOEXEC)
}

#[cfg(not(unix))]
fn is_no_program(_error: &std::io::Error) -> bool {
    false
}

/// The file that the system tries: the first of this name that may be run.
pub(super) fn find(program: &str, folder: &Path, path: &str) -> Option<PathBuf> {
    if program.contains('/') {
        // Relative to the folder, in which the shell begins too.
        return Some(PathBuf::from(program));
    }
    let places = path.split(':').map(|above| match above {
        "" => PathBuf::from("."),
        above => PathBuf::from(above),
    });
    places.map(|above| above.join(program)).find(|file| may_be_run(&folder.join(file)))
}

#[cfg(unix)]
fn may_be_run(file: &Path) -> bool {
    file.is_file() && nix::unistd::access(file, nix::unistd::AccessFlags::X_OK).is_ok()
}

#[cfg(not(unix))]
fn may_be_run(file: &Path) -> bool {
    file.is_file()
}

/// Whether a file begins as a text; a program for another machine has zero bytes there. An empty file is a script.
fn is_text(file: &Path) -> bool {
    let mut bytes = Vec::new();
    let read = File::open(file).and_then(|file| file.take(LOOKED_AT).read_to_end(&mut bytes));
    read.is_ok() && !bytes.contains(&0)
}
