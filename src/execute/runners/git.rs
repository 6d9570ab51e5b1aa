//! Git actions (`GitActionExecutor`, `GitMain`): a clone by the `git` of this machine, copied into storage.
//!
//! What a server's launcher does outside the server ends with JA018 here too; what the server checks before has its own
//! codes. Links in the repository come as files with the path they lead to, so that nothing leads out of storage.

use std::io::Read;
use std::path::Path;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{Action, Refusal, environment_of_ssh, fault, paths, shown, text_of};
use crate::engine::TroubleKind;
use crate::execute::attempt::{Attempt, Outcome};
use crate::execute::private;
use crate::execute::process::{self, Alone, End};
use crate::execute::storage::Storage;
use crate::execute::storage::fault::StorageFault;
use crate::xml::Element;

/// The ways by which git may reach a repository; none of them runs a program that the address names.
const PROTOCOLS: &str = "http:https:ssh:git:file";

/// The folder in an attempt's work folder into which is cloned.
const CLONE: &str = "clone";

/// A key of so many bytes is none.
const MAX_KEY: u64 = 1 << 20;

/// The name of the key beside the work folder, as long as it is needed.
const KEY: &str = "privkey";

/// A copy of a repository.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Clone {
    uri: String,
    branch: Option<String>,
    /// The URI of the key to log in with.
    key: Option<String>,
    /// The URI of the folder into which it is copied.
    destination: String,
    storage: Storage,
}

/// What an action clones.
pub(super) fn clone(action: &Action<'_>, root: &Element) -> Result<Clone, Refusal> {
    let needed = |name: &str| {
        let words = || format!("Action Configuration does not have [{name}] property");
        text_of(root, name).ok_or_else(|| fault("GIT010", words()))
    };
    needed("name-node")?;
    let destination = needed("destination-uri")?;
    let uri = needed("git-uri")?;
    let key = text_of(root, "key-path").filter(|key| !key.is_empty());
    let key = key.map(|key| verified(action, paths::uri(root, &key))).transpose()?;
    let branch = text_of(root, "branch").filter(|branch| !branch.is_empty());
    Ok(Clone { uri, branch, key, destination, storage: action.storage.clone() })
}

/// The URI of the key; one that others may read is refused (`verifyKeyPermissions`). Where storage knows no permissions,
/// whoever keeps it sees to that.
fn verified(action: &Action<'_>, key: String) -> Result<String, Refusal> {
    let unverified =
        |why: String| fault("GIT011", format!("Not able to verify permissions on key file {key}: {why}"));
    let status = match action.storage.spot(&key).and_then(|spot| spot.status()) {
        Err(found) if found.why.kind() != TroubleKind::Error => return Err(found.into()),
        Err(found) => return Err(unverified(found.to_string()).into()),
        Ok(None) => return Err(unverified("it does not exist".to_owned()).into()),
        Ok(Some(status)) => status,
    };
    match status.mode.map(|mode| mode & 0o777).filter(|mode| mode & 0o004 != 0) {
        None => Ok(key),
        Some(mode) => {
            let words = format!("The permissions on the access key {key} are considered insecure: {mode:o}");
            Err(fault("GIT012", words).into())
        }
    }
}

/// Why there is no copy.
enum Failure {
    Killed,
    Words(String),
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Failure {
        Failure::Words(error.to_string())
    }
}

impl From<StorageFault> for Failure {
    fn from(fault: StorageFault) -> Failure {
        Failure::Words(fault.to_string())
    }
}

/// Clones and copies.
pub fn run(attempt: &Attempt, clone: &Clone, grace: Duration) -> std::io::Result<Outcome> {
    let done = check(clone).and_then(|()| fetch(attempt, clone, grace)).and_then(|()| put(attempt, clone));
    // What is left over here is nobody's.
    for over in [attempt.work().join(CLONE), attempt.folder().join(KEY)] {
        if over.symlink_metadata().is_ok() {
            remove(&over)?;
        }
    }
    Ok(match done {
        Ok(()) => Outcome::well("SUCCEEDED", None),
        Err(Failure::Killed) => Outcome::killed(),
        Err(Failure::Words(words)) => Outcome::failed("FAILED/KILLED", "JA018", shown(&words)),
    })
}

/// `isValidUri`, and that the copy has a place.
fn check(clone: &Clone) -> Result<(), Failure> {
    for uri in [&clone.destination, &clone.uri] {
        let scheme = uri.split_once(':').map_or("", |(scheme, _)| scheme);
        let is_scheme = |c: char| c.is_ascii_alphanumeric() || "+-.".contains(c);
        if scheme.is_empty() || !scheme.chars().all(is_scheme) || uri.contains(char::is_whitespace) {
            let words = format!("Action Configuration does not have a proper URI {uri}: it has no scheme");
            return Err(Failure::Words(words));
        }
    }
    clone.storage.spot(&clone.destination)?;
    Ok(())
}

/// Removes a file, or a folder with all below it.
fn remove(path: &Path) -> std::io::Result<()> {
    if path.is_dir() { std::fs::remove_dir_all(path) } else { std::fs::remove_file(path) }
}

/// Clones into the attempt's own folder.
fn fetch(attempt: &Attempt, clone: &Clone, grace: Duration) -> Result<(), Failure> {
    let mut env = environment_of_ssh();
    env.push(("GIT_TERMINAL_PROMPT".to_owned(), "0".to_owned()));
    env.push(("GIT_ALLOW_PROTOCOL".to_owned(), PROTOCOLS.to_owned()));
    let mut ssh = "ssh -o BatchMode=yes".to_owned();
    if let Some(key) = &clone.key {
        let own = attempt.folder().join(KEY);
        copy_key(&clone.storage, key, &own)?;
        // Git hands this line to a shell.
        let path = own.to_string_lossy().replace('\'', r"'\''");
        ssh.push_str(&format!(" -o IdentitiesOnly=yes -i '{path}'"));
    }
    env.push(("GIT_SSH_COMMAND".to_owned(), ssh));
    let mut command = vec!["git", "-c", "core.symlinks=false", "clone", "--quiet"];
    if let Some(branch) = &clone.branch {
        command.extend(["--single-branch", "--branch", branch]);
    }
    command.extend(["--", &clone.uri, CLONE]);
    let command: Vec<String> = command.into_iter().map(str::to_owned).collect();
    let failed = |why: String| Failure::Words(format!("Unable to clone Git repo: {why}"));
    match process::run(attempt, &command, &env, grace, &mut Alone)? {
        End::Killed => Err(Failure::Killed),
        End::NotStarted(error) => Err(failed(format!("cannot run `git`: {error}"))),
        End::Over(status) if status.success() => Ok(()),
        End::Over(status) => {
            let said = String::from_utf8_lossy(&std::fs::read(attempt.stderr())?).into_owned();
            Err(failed(if said.trim().is_empty() { status.to_string() } else { said }))
        }
    }
}

/// A copy that only its owner may read, as ssh wants it.
fn copy_key(storage: &Storage, key: &str, to: &Path) -> Result<(), Failure> {
    let from = storage.spot(key)?;
    let content = from.backend.open(&from.path)?;
    let copied = std::io::copy(&mut content.take(MAX_KEY), &mut private::create_new(to)?)?;
    if copied == MAX_KEY { Err(Failure::Words(format!("the key {key} is too long"))) } else { Ok(()) }
}

/// Copies the clone into storage, over what is there.
fn put(attempt: &Attempt, clone: &Clone) -> Result<(), Failure> {
    let mut open = vec![(attempt.work().join(CLONE), clone.storage.spot(&clone.destination)?)];
    while let Some((from, to)) = open.pop() {
        if attempt.is_to_be_killed() {
            return Err(Failure::Killed);
        }
        let meta = std::fs::symlink_metadata(&from)?;
        if meta.is_dir() {
            to.backend.mkdirs(&to.path)?;
            for entry in std::fs::read_dir(&from)? {
                let entry = entry?;
                let name = entry.file_name().into_string();
                let name = name.map_err(|name| Failure::Words(format!("{name:?} is no name in UTF-8")))?;
                open.push((entry.path(), to.below(&name)));
            }
        } else if meta.is_file() {
            to.backend.create(&to.path, &mut std::fs::File::open(&from)?)?;
        }
    }
    Ok(())
}
