//! Ssh actions (`SshActionExecutor`): a command on another machine, by the `ssh` of this one.
//!
//! `ssh` hands one line to the shell of the user there, so each word of it is quoted for that shell: the words arrive as
//! they are, and nothing in them is a command of the shell. The command runs there apart from the connection, as a server
//! has it: `scripts` start it and tell of it, `heard` understands them, `follow` sees to its end.

mod follow;
mod heard;
mod scripts;

use std::hash::{BuildHasher, RandomState};

pub use follow::{clean, kill, run};
use serde::{Deserialize, Serialize};

use super::{Action, environment_of_ssh, fault, shown, text_of};
use crate::engine::{Fault, TroubleKind};
use crate::execute::attempt::Attempt;
use crate::shell::config::outward::SshConfig;
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

/// How much of the beginning and of the end of what `ssh` says is looked at, in bytes.
const LOOKED_AT: usize = 64 * 1024;

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
    /// What no other attempt anywhere is called; its folder there, and what the lines about it begin with.
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
    let place = parts.iter().rev().map(AsRef::as_ref).collect::<Vec<&str>>().join("-");
    // Another store may send an attempt of the same numbers there.
    let chance = || RandomState::new().hash_one(std::process::id());
    let mark = format!("ankus-{place}-{:016x}{:016x}", chance(), chance());
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
    /// The line that the shell there gets: a script and its words.
    fn line(&self, script: &str, words: &[&str]) -> String {
        let words = words.iter().map(|word| format!(" {}", quoted(word)));
        format!("sh -c {} {}{}", quoted(script), quoted(&self.mark), words.collect::<String>())
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
