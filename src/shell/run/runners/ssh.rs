//! Ssh actions (`SshActionExecutor`): a command on another machine, by the `ssh` of this one.
//!
//! `ssh` hands one line to the shell of the user there, so each word of it is quoted for that shell: the words arrive as
//! they are, and nothing in them is a command of the shell. A line before and one behind the command, on its standard
//! error, tell what an exit code cannot: whether it has begun, and whether the connection was lost.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{Action, environment_of_ssh, fault, shown, text_of};
use crate::engine::{Fault, TroubleKind};
use crate::shell::config::outward::SshConfig;
use crate::shell::run::attempt::{Attempt, Outcome};
use crate::shell::run::process::{self, Companion, End};
use crate::xml::Element;

/// Options behind those of `[run.ssh]`, of which the first counts: nobody is asked, and a dead connection is noticed.
const OPTIONS: [&str; 6] = [
    "BatchMode=yes",
    "PasswordAuthentication=no",
    "KbdInteractiveAuthentication=no",
    "ConnectTimeout=20",
    "ServerAliveInterval=15",
    "ServerAliveCountMax=4",
];

/// The most that is captured, in bytes (`oozie.servlet.CallbackServlet.max.data.len`).
const MAX_OUTPUT: usize = 2 * 1024;

/// How much of the beginning and of the end of the standard error is looked at, in bytes.
const LOOKED_AT: usize = 64 * 1024;

/// Runs the words behind it and says when it begins and ends; a line for any shell.
const AROUND: &str = "echo \"$0: begun as process group $(ps -o pgid= -p $$ 2>/dev/null || echo $$)\" >&2; \"$@\"; \
                      code=$?; echo \"$0: ended with exit code $code\" >&2; exit $code";

/// A command on another machine.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Remote {
    /// `user@host`
    host: String,
    /// The command and its arguments, as they are to arrive.
    words: Vec<String>,
    /// Whether the output is captured.
    captures: bool,
    /// How to connect.
    config: SshConfig,
    /// What the lines about the command begin with.
    mark: String,
}

/// The command of an action.
pub(super) fn remote(action: &Action<'_>, root: &Element, attempt: &Attempt) -> Result<Remote, Fault> {
    let config = action.outward.ssh.clone();
    let user = action.conf.get("user.name").unwrap_or_default();
    let host = user_at_host(&text_of(root, "host").unwrap_or_default(), &user, config.allow_user_at_host)?;
    let text = |element: &Element| element.text().value.clone();
    let mut words = plain_words(&text_of(root, "command").unwrap_or_default());
    let flat: Vec<String> = root.children_named("args").map(text).collect();
    if flat.is_empty() {
        words.extend(root.children_named("arg").map(|element| unquoted(&text(element))));
    } else {
        words.extend(plain_words(&flat.join(" ")));
    }
    let parts: Vec<_> = attempt.folder().iter().rev().take(2).map(|part| part.to_string_lossy()).collect();
    let mark = format!("ankus-{}", parts.iter().rev().map(AsRef::as_ref).collect::<Vec<&str>>().join("-"));
    Ok(Remote { host, words, captures: root.child("capture-output").is_some(), config, mark })
}

/// Who logs in where (`prepareUserHost`).
fn user_at_host(host: &str, user: &str, allows_other: bool) -> Result<String, Fault> {
    if !host.contains('@') {
        return Ok(format!("{user}@{host}"));
    }
    if !allows_other && !host.to_lowercase().starts_with(&format!("{user}@")) {
        let words = format!("user mismatch between oozie user [{user}] and ssh host [{host}]");
        return Err(fault("ERR_USER_MISMATCH", words));
    }
    Ok(host.to_owned())
}

/// Words between white space, without quotes: `"Hello World"` becomes `Hello` and `World`, as the specification says of
/// `args`.
fn plain_words(text: &str) -> Vec<String> {
    let words = text.split_whitespace().map(|word| word.replace(['"', '\''], ""));
    words.filter(|word| !word.is_empty()).collect()
}

/// An `arg` within quotes stands for what is between them.
fn unquoted(text: &str) -> String {
    let within = |quote: char| text.strip_prefix(quote)?.strip_suffix(quote);
    within('"').or_else(|| within('\'')).unwrap_or(text).to_owned()
}

/// A word as a shell reads it back. A `~/` at the beginning is left to the shell.
fn quoted(word: &str) -> String {
    if let Some(rest) = word.strip_prefix("~/") {
        return if rest.is_empty() { word.to_owned() } else { format!("~/{}", quoted(rest)) };
    }
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "@%+=:,./_-".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

impl Remote {
    /// The line that the shell there gets.
    fn line(&self) -> String {
        let words = self.words.iter().map(|word| format!(" {}", quoted(word)));
        format!("sh -c {} {}{}", quoted(AROUND), quoted(&self.mark), words.collect::<String>())
    }

    /// The command here that hands a line to the shell there.
    fn ssh(&self, line: &str) -> Vec<String> {
        let mut command = vec!["ssh".to_owned(), "-T".to_owned()];
        let options = self.config.options.iter().map(String::as_str).chain(OPTIONS);
        command.extend(options.flat_map(|option| ["-o".to_owned(), option.to_owned()]));
        if let Some(port) = self.config.port {
            command.extend(["-p".to_owned(), port.to_string()]);
        }
        if let Some(identity) = &self.config.identity {
            let identity = identity.to_string_lossy().into_owned();
            command.extend(["-i".to_owned(), identity, "-o".to_owned(), "IdentitiesOnly=yes".to_owned()]);
        }
        command.extend(["--".to_owned(), self.host.clone(), line.to_owned()]);
        command
    }

    fn begins(&self) -> String {
        format!("{}: begun as process group ", self.mark)
    }

    fn ends(&self) -> String {
        format!("{}: ended with exit code ", self.mark)
    }
}

/// Goes along with `ssh`: tells that the command has begun, and ends it where it runs.
struct There<'a> {
    attempt: &'a Attempt,
    remote: &'a Remote,
    /// The process group there, once the command has begun.
    group: Option<u32>,
    /// Whether that was told.
    is_told: bool,
    /// Why the command could not be ended.
    unkilled: Option<String>,
}

impl Companion for There<'_> {
    fn look(&mut self) -> std::io::Result<()> {
        if self.group.is_none() {
            self.group = number_behind(&head(&self.attempt.stderr())?, &self.remote.begins());
        }
        if self.group.is_some() && !self.is_told {
            self.attempt.tell_started()?;
            self.is_told = true;
        }
        Ok(())
    }

    fn end(&mut self, at_once: bool) -> bool {
        let Some(group) = self.group else { return false };
        let signal = if at_once { "KILL" } else { "TERM" };
        let command = self.remote.ssh(&format!("sh -c 'kill -{signal} -{group}'"));
        let mut process = Command::new("ssh");
        process.args(&command[1..]).env_clear().envs(environment_of_ssh());
        process.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        self.unkilled = match process.status() {
            Ok(status) if status.success() => None,
            Ok(status) => Some(status.to_string()),
            Err(error) => Some(error.to_string()),
        };
        self.unkilled.is_none()
    }
}

/// Runs the command of an attempt.
pub fn run(attempt: &Attempt, remote: &Remote, grace: Duration) -> std::io::Result<Outcome> {
    if let Some(identity) = remote.config.identity.as_ref().filter(|identity| !identity.is_file()) {
        // The server's words for a file of its own that is missing.
        let words = format!("Required Local file {} not present.", identity.display());
        return Ok(Outcome::troubled(TroubleKind::Transient, "FNF", words));
    }
    let mut there = There { attempt, remote, group: None, is_told: false, unkilled: None };
    let command = remote.ssh(&remote.line());
    let status = match process::run(attempt, &command, &environment_of_ssh(), grace, &mut there)? {
        End::Over(status) => status,
        End::Killed => {
            let words = |why: String| {
                let group = there.group.unwrap_or_default();
                format!("Unable to kill process {group} on {}: {why}", remote.host)
            };
            let fault = there.unkilled.take().map(|why| ("FAILED_TO_KILL".to_owned(), words(why)));
            return Ok(Outcome { fault, ..Outcome::killed() });
        }
        End::NotStarted(error) => {
            let words = format!("cannot run `ssh`: {error}");
            return Ok(Outcome::troubled(TroubleKind::Error, "UNKNOWN_ERROR", words));
        }
    };
    if there.group.is_none() {
        let (kind, code) = unbegun(&head(&attempt.stderr())?);
        let words = format!("Not able to run the command on {}: {}", remote.host, said(attempt, status)?);
        return Ok(Outcome::troubled(kind, code, words));
    }
    match number_behind(&tail(&attempt.stderr())?, &remote.ends()) {
        None => {
            let words = format!(
                "The connection to [{}] was lost, or the shell of the command was ended there; the command may run on: {}",
                remote.host,
                said(attempt, status)?
            );
            Ok(Outcome::troubled(TroubleKind::Failed, "COULD_NOT_CONNECT", words))
        }
        Some(0) => output(attempt, remote),
        Some(code) => Ok(Outcome::failed("ERROR", "E1111", format!("Exit code:{code}"))),
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

/// Kind and code of a command that has not begun, by what `ssh` said (`SshActionExecutor.execute`).
fn unbegun(said: &str) -> (TroubleKind, &'static str) {
    use TroubleKind::{Error, NonTransient, Transient};
    let says = |words: &[&str]| words.iter().any(|words| said.contains(words));
    if says(&["Could not resolve hostname", "service not known"]) {
        (Transient, "COULD_NOT_RESOLVE_HOST")
    } else if says(&["timed out"]) {
        (Transient, "COULD_NOT_CONNECT")
    } else if says(&["command not found", "sh: not found"]) {
        (NonTransient, "FNF")
    } else if says(&["Permission denied"]) {
        (NonTransient, "AUTH_FAILED")
    } else {
        (Error, "UNKNOWN_ERROR")
    }
}

/// What `ssh` said at the end, in short.
fn said(attempt: &Attempt, status: ExitStatus) -> std::io::Result<String> {
    let tail = tail(&attempt.stderr())?;
    let last = tail.trim().lines().rev().take(5).collect::<Vec<_>>();
    let last = last.into_iter().rev().collect::<Vec<_>>().join(" | ");
    Ok(if last.is_empty() { format!("`ssh` ended with {status}") } else { shown(&last) })
}

fn number_behind(text: &str, words: &str) -> Option<u32> {
    // A line that is not whole yet may hold a part of the number.
    let (line, _) = text[text.rfind(words)? + words.len()..].split_once('\n')?;
    line.trim().parse().ok()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_arrive_as_they_are() {
        assert_eq!(plain_words("\"Hello  World\" a=b\n c"), ["Hello", "World", "a=b", "c"]);
        for (text, expected) in [
            ("a b", "a b"),
            ("\"a b\"", "a b"),
            ("'a b'", "a b"),
            ("\"", "\""),
            ("it's", "it's"),
            ("\"a", "\"a"),
        ] {
            assert_eq!(unquoted(text), expected, "{text}");
        }
        for (word, expected) in [
            ("/bin/ls", "/bin/ls"),
            ("", "''"),
            ("a b", "'a b'"),
            ("$(rm -rf x); `y`", "'$(rm -rf x); `y`'"),
            ("it's", r"'it'\''s'"),
            ("~/bin/a b", "~/'bin/a b'"),
            ("~root", "'~root'"),
        ] {
            assert_eq!(quoted(word), expected, "{word}");
        }
    }

    #[test]
    fn errors_before_the_command_have_the_kinds_of_a_server() {
        use TroubleKind::{Error, NonTransient, Transient};
        for (said, kind, code) in [
            (
                "ssh: Could not resolve hostname x: Name or service not known",
                Transient,
                "COULD_NOT_RESOLVE_HOST",
            ),
            ("ssh: connect to host x port 22: Connection timed out", Transient, "COULD_NOT_CONNECT"),
            ("bash: sh: command not found", NonTransient, "FNF"),
            ("bob@x: Permission denied (publickey).", NonTransient, "AUTH_FAILED"),
            ("ssh: connect to host x port 22: Connection refused", Error, "UNKNOWN_ERROR"),
            ("Host key verification failed.", Error, "UNKNOWN_ERROR"),
        ] {
            assert_eq!(unbegun(said), (kind, code), "{said}");
        }
    }

    #[test]
    fn users_and_hosts() {
        let name =
            |host: &str, allows| user_at_host(host, "bob", allows).map_err(|fault| fault.code.to_string());
        assert_eq!(name("h", true).as_deref(), Ok("bob@h"));
        assert_eq!(name("h", false).as_deref(), Ok("bob@h"));
        assert_eq!(name("eve@h", true).as_deref(), Ok("eve@h"));
        assert_eq!(name("eve@h", false), Err("ERR_USER_MISMATCH".to_owned()));
    }
}
