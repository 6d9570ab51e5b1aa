//! A terminal that a test plays: a program runs on it, and what would be seen can be read.

use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, sync_channel};

use nix::fcntl::OFlag;
use nix::pty::{grantpt, posix_openpt, ptsname_r, unlockpt};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use super::sinks::PATIENCE;

/// A terminal with a program that leads its session.
pub struct Terminal {
    child: Child,
    keys: File,
    written: Receiver<Vec<u8>>,
    /// All that was written so far.
    pub raw: Vec<u8>,
    rows: usize,
}

impl Terminal {
    /// Starts the program in a folder, on a terminal of so many rows.
    pub fn start(folder: &Path, rows: u16, arguments: &[&str]) -> Terminal {
        let master = posix_openpt(OFlag::O_RDWR | OFlag::O_NOCTTY | OFlag::O_CLOEXEC).expect("a terminal");
        grantpt(&master).and_then(|()| unlockpt(&master)).expect("it can be used");
        let name = ptsname_r(&master).expect("its name");
        let mut open = OpenOptions::new();
        let slave = open.read(true).write(true).custom_flags(OFlag::O_NOCTTY.bits()).open(name);
        let slave = slave.expect("its other end");
        let end = || Stdio::from(slave.try_clone().expect("one more"));
        let size =
            Command::new("stty").args(["rows", &rows.to_string(), "cols", "100"]).stdin(end()).status();
        assert!(size.is_ok_and(|status| status.success()), "it has a size");
        // Makes it the terminal of a new session, and becomes the program; whoever started the tests may have it that
        // the end of a terminal is no news (`nohup`).
        let mut command = Command::new("env");
        command
            .args(["--default-signal=HUP", "setsid", "--ctty"])
            .arg(env!("CARGO_BIN_EXE_ankus"))
            .args(arguments)
            .current_dir(folder);
        command.env("TERM", "xterm").env_remove("NO_COLOR");
        command.stdin(end()).stdout(end()).stderr(end());
        let child = command.spawn().expect("it starts");
        drop(command);
        drop(slave);
        let master = File::from(OwnedFd::from(master));
        let keys = master.try_clone().expect("one more");
        let written = listen(master);
        Terminal { child, keys, written, raw: Vec::new(), rows: rows.into() }
    }

    /// Types something.
    pub fn types(&mut self, keys: &[u8]) {
        self.keys.write_all(keys).expect("it can be typed");
    }

    /// Waits until what is seen is as wanted.
    pub fn until(&mut self, is_wanted: impl Fn(&Terminal) -> bool) {
        while !is_wanted(self) {
            match self.written.recv_timeout(PATIENCE) {
                Ok(bytes) => self.raw.extend(bytes),
                Err(error) => panic!("it does not come ({error}): {:#?}", self.seen()),
            }
        }
    }

    /// Waits until the program is over.
    pub fn end(&mut self) -> ExitStatus {
        while let Ok(bytes) = self.written.recv_timeout(PATIENCE) {
            self.raw.extend(bytes);
        }
        self.child.wait().expect("it ends")
    }

    /// Whether the program is over, for whoever does not look at the terminal.
    pub fn has_ended(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().expect("it can be asked")
    }

    /// Tells the program that its terminal is gone, as the system does.
    pub fn hang_up(&mut self) {
        let id = Pid::from_raw(i32::try_from(self.child.id()).expect("a process number"));
        kill(id, Signal::SIGHUP).expect("it can be signalled");
        self.end();
    }

    /// How often something was taken away to be drawn anew.
    pub fn erased(&self) -> usize {
        String::from_utf8_lossy(&self.raw).matches("\u{1b}[J").count()
    }

    /// The lines of the terminal from its first on, those that have left it at the top too.
    pub fn seen(&self) -> Vec<String> {
        let text = String::from_utf8_lossy(&self.raw).into_owned();
        let (mut lines, mut row, mut column, mut top) = (vec![String::new()], 0_usize, 0, 0);
        let mut rest = text.as_str();
        while let Some(next) = rest.chars().next() {
            if let Some(sequence) = rest.strip_prefix("\u{1b}[") {
                let Some(length) = sequence.find(|c: char| c.is_ascii_alphabetic()) else { break };
                match (&sequence[length..=length], sequence[..length].parse::<usize>()) {
                    ("A", Ok(up)) => row = row.saturating_sub(up).max(top),
                    ("J", _) => {
                        lines.truncate(row + 1);
                        lines[row].truncate(column);
                    }
                    _ => {}
                }
                rest = &sequence[length + 1..];
                continue;
            }
            match next {
                '\n' => {
                    row += 1;
                    if row == lines.len() {
                        lines.push(String::new());
                    }
                    // What has left it at the top does not come back.
                    top = top.max(lines.len().saturating_sub(self.rows));
                }
                '\r' => column = 0,
                other => {
                    let mut line: Vec<char> = lines[row].chars().collect();
                    line.resize(line.len().max(column + 1), ' ');
                    line[column] = other;
                    lines[row] = line.into_iter().collect();
                    column += 1;
                }
            }
            rest = &rest[next.len_utf8()..];
        }
        lines
    }
}

/// Brings what is written to a terminal, piece by piece and only to who asks, until nobody has it open any more.
fn listen(mut master: File) -> Receiver<Vec<u8>> {
    let (sender, written) = sync_channel(0);
    std::thread::spawn(move || {
        let mut bytes = [0; 4_096];
        // Reading fails once the program has gone.
        while let Ok(length @ 1..) = master.read(&mut bytes) {
            if sender.send(bytes[..length].to_vec()).is_err() {
                return;
            }
        }
    });
    written
}
