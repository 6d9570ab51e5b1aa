//! An sshd on the loopback, with keys and configuration of its own.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use super::sinks::free_port;

/// Where sshd lies; it must be started by its whole path.
const PROGRAM: &str = "/usr/sbin/sshd";

/// What sshd wants to be there when root starts it.
const ROOTS_FOLDER: &str = "/run/sshd";

/// A running sshd, ended with the value.
pub struct Sshd {
    child: Child,
    folder: PathBuf,
    /// Its port on the loopback.
    pub port: u16,
    /// The private key with which the current user may log in.
    pub key: PathBuf,
    /// The name of the current user.
    pub user: String,
}

impl Sshd {
    /// Ends it and all of its connections at once, as if the network were gone. What was started over them runs on.
    pub fn cut(&mut self) {
        let all = Command::new("ps").args(["-A", "-o", "pid=,ppid=,comm="]).output().expect("ps runs").stdout;
        let all = String::from_utf8(all).expect("text");
        let mut known = vec![self.child.id()];
        let mut at = 0;
        while at < known.len() {
            for line in all.lines() {
                let mut words = line.split_whitespace();
                let (Some(id), Some(above), Some(name)) = (words.next(), words.next(), words.next()) else {
                    continue;
                };
                let (id, above): (u32, u32) =
                    (id.parse().expect("a number"), above.parse().expect("a number"));
                if above == known[at] && name.rsplit('/').next().is_some_and(|name| name.starts_with("sshd"))
                {
                    known.push(id);
                }
            }
            at += 1;
        }
        for id in known {
            let id = nix::unistd::Pid::from_raw(i32::try_from(id).expect("a process number"));
            // It may have ended with the one before.
            let _ = nix::sys::signal::kill(id, nix::sys::signal::Signal::SIGKILL);
        }
        self.child.wait().expect("it ends");
    }

    /// Starts it again where it was.
    pub fn again(&mut self) {
        self.child = listening(&self.folder);
    }
}

impl Drop for Sshd {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The part of `ankus.toml` that leads to a port of the loopback with a key. What becomes known of the host is kept in a
/// file.
pub fn config(port: u16, key: &Path, known: &Path) -> String {
    let known = known.display();
    format!(
        "[run.ssh]\nport = {port}\nidentity = {key:?}\n\
         options = [\"StrictHostKeyChecking=accept-new\", \"UserKnownHostsFile={known}\"]\n"
    )
}

/// Makes a key without a passphrase.
pub fn key(path: &Path) {
    let _ = std::fs::remove_file(path);
    let made = Command::new("ssh-keygen").args(["-q", "-t", "ed25519", "-N", "", "-f"]).arg(path).status();
    assert!(made.expect("ssh-keygen runs").success());
}

/// Starts one in a folder.
///
/// # Panics
///
/// Where there is none: a test that needs it is ignored without the flag `has_sshd` of `build.rs`.
pub fn start(folder: &Path) -> Sshd {
    if nix::unistd::getuid().is_root() {
        // Its service makes this folder, and is not started on every machine.
        std::fs::create_dir_all(ROOTS_FOLDER).expect("a folder of root's");
    }
    std::fs::create_dir_all(folder).expect("a folder");
    let (host, own) = (folder.join("host_key"), folder.join("user_key"));
    key(&host);
    key(&own);
    std::fs::copy(own.with_extension("pub"), folder.join("authorized_keys")).expect("copied");
    let port = free_port();
    let config = format!(
        "Port {port}\nListenAddress 127.0.0.1\nHostKey {}\nAuthorizedKeysFile {}\nPidFile none\nUsePAM no\n\
         StrictModes no\nPasswordAuthentication no\nPermitRootLogin yes\n",
        host.display(),
        folder.join("authorized_keys").display()
    );
    std::fs::write(folder.join("sshd_config"), config).expect("written");
    let child = listening(folder);
    let user = nix::unistd::User::from_uid(nix::unistd::getuid()).expect("users").expect("a name").name;
    Sshd { child, folder: folder.to_owned(), port, key: own, user }
}

/// A process that listens, with the configuration in a folder.
fn listening(folder: &Path) -> Child {
    let mut child = Command::new(PROGRAM)
        .args(["-D", "-e", "-f"])
        .arg(folder.join("sshd_config"))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("sshd starts");
    let mut lines = BufReader::new(child.stderr.take().expect("a pipe")).lines().map_while(Result::ok);
    let mut said = Vec::new();
    while !said.last().is_some_and(|line: &String| line.contains("Server listening on")) {
        said.push(lines.next().unwrap_or_else(|| panic!("sshd does not listen: {said:?}")));
    }
    // What it says later is read, so that it need not wait.
    std::thread::spawn(move || lines.for_each(drop));
    child
}
