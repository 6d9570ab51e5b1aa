//! What each type of action is on this machine: from its evaluated definition to a task for a supervisor.

mod callback;
mod configuration;
mod distcp;
pub mod email;
pub mod git;
pub mod http;
mod hws;
mod java;
mod launcher;
mod layout;
mod paths;
mod prepare;
mod shell;
pub mod ssh;
mod streaming;
pub mod template;

use std::path::Path;

use super::attempt::{Attempt, Spec, Task};
use super::files;
use super::lasting;
use super::setup::Setup;
use super::storage::Storage;
use super::storage::fault::{StorageFault, Why};
use crate::analysis::secrets::veiled;
use crate::engine::{Conf, Fault, TroubleKind};
use crate::shell::config::outward::Outward;
use crate::source::Sources;
use crate::xml::{self, Element};
use template::Commands;

/// How long a process has to end when it is asked to, in milliseconds.
const GRACE_MILLIS: u64 = 5_000;

/// More characters of what a program wrote are not put into the message of an error.
const MAX_SHOWN: usize = 2_000;

/// What of our own environment an action gets; nothing else.
const ENVIRONMENT: [&str; 5] = ["PATH", "HOME", "LANG", "TZ", "TMPDIR"];

/// The variable that names the file with the action's configuration (`ShellMain.OOZIE_ACTION_CONF_XML`).
const CONF_VARIABLE: &str = "OOZIE_ACTION_CONF_XML";

/// The Java property that names it (`LauncherAMUtils.OOZIE_ACTION_CONF_XML`).
const CONF_PROPERTY: &str = "oozie.action.conf.xml";

/// That file, in the action's folder (`LauncherAM.ACTION_CONF_XML`).
const CONF_FILE: &str = "action.xml";

/// Everything that a runner may look at.
pub struct Action<'a> {
    /// Its type.
    pub kind: &'a str,
    /// The element, evaluated.
    pub definition: &'a str,
    /// The job's configuration.
    pub conf: &'a Conf,
    /// The folder of the workflow's definition.
    pub app: &'a Path,
    /// Where URIs lie.
    pub storage: &'a Storage,
    /// The commands of types that other programs run.
    pub commands: &'a Commands,
    /// Where something is sent outward.
    pub outward: &'a Outward,
    /// The id of the workflow.
    pub job_id: &'a str,
    /// The id of the action.
    pub action_id: &'a str,
    /// When the journal asked for it, in milliseconds.
    pub asked_millis: i64,
    /// The value of a text that the action brings along, or why it has none.
    pub evaluate: &'a dyn Fn(&str) -> Result<String, String>,
}

/// Why an action is not begun.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// How bad that is.
    pub kind: TroubleKind,
    /// Code and words.
    pub fault: Fault,
}

impl From<Fault> for Refusal {
    fn from(fault: Fault) -> Refusal {
        Refusal { kind: TroubleKind::Error, fault }
    }
}

impl From<StorageFault> for Refusal {
    /// As a server's launched actions have it, for which an `IOException` may pass by itself.
    fn from(found: StorageFault) -> Refusal {
        let kind = if found.why == Why::Io { TroubleKind::Transient } else { found.why.kind() };
        Refusal { kind, fault: fault(found.why.code(), found.words) }
    }
}

/// What a process of an action needs and is.
struct Work {
    setup: Setup,
    task: Task,
    /// The longest output that it may capture, in bytes.
    max_output: u64,
}

impl Work {
    /// What needs nothing in its folder.
    fn done_here(task: Task) -> Work {
        Work { setup: Setup::default(), task, max_output: 0 }
    }
}

/// What actions of a type need besides this program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Needs {
    /// Nothing.
    Nothing,
    /// A program.
    Program(String),
    /// A command, and there is none.
    Command,
    /// Something else that is missing: what, and where it is given.
    Missing(String),
}

/// What an action of a type needs; its element as written tells which kind of map-reduce it is.
pub fn needs(kind: &str, element: &Element, commands: &Commands, outward: &Outward) -> Needs {
    match kind {
        "map-reduce" if streams(element) => Needs::Nothing,
        "email" => email::needs(outward.email.as_ref()),
        "ssh" | "git" => Needs::Program(kind.to_owned()),
        "hadoop" if streams(element) => Needs::Nothing,
        "hadoop" => needs("map-reduce", element, commands, outward),
        "fs" | "hdfs" | "http" | "shell" | "sub-workflow" => Needs::Nothing,
        "java" => Needs::Program("java".to_owned()),
        "distcp" if !commands.contains_key(kind) => Needs::Nothing,
        kind => {
            let program = template::command_of(kind, commands).and_then(|command| command.into_iter().next());
            program.map_or(Needs::Command, Needs::Program)
        }
    }
}

/// Whether an action is map-reduce by programs that read and write lines.
fn streams(element: &Element) -> bool {
    element.child("streaming").is_some()
}

/// Whether what goes wrong with actions of a type may be a trouble of the start, so that nobody says that one has begun
/// before it has: a server does all the work of `fs` and `email` while it starts them, and `ssh` has to connect.
pub fn may_fail_to_start(kind: &str) -> bool {
    matches!(kind, "email" | "fs" | "hdfs" | "http" | "ssh")
}

fn fault(code: &str, words: impl Into<String>) -> Fault {
    Fault::new(code, words.into())
}

/// The folder of an attempt could not be made ready. Where that is for want of room, somebody has to make some; nothing
/// has begun.
fn unprepared(error: std::io::Error) -> Refusal {
    let kind = if lasting::is_full(&error) { TroubleKind::NonTransient } else { TroubleKind::Error };
    Refusal { kind, fault: fault("JA009", format!("cannot prepare the action: {error}")) }
}

/// Prepares an attempt: its task, and what is to lie in its folder.
pub fn prepare(action: &Action<'_>, attempt: &Attempt) -> Result<(), Refusal> {
    let mut sources = Sources::new();
    let file = sources.add("action", action.definition);
    let root = xml::read(file, action.definition, &xml::Limits::default()).0;
    let root = root.ok_or_else(|| fault("JA018", unreadable(action.definition)))?;
    attempt.make_folders().map_err(unprepared)?;
    // What has a counterpart among later actions is that from here on.
    if let Some((kind, definition)) = hws::later(action, &root)? {
        return prepare(&Action { kind, definition: &definition, ..*action }, attempt);
    }
    let work = match action.kind {
        "hdfs" => {
            let user = action.conf.get("user.name").unwrap_or_default();
            let operations = hws::operations(action.storage, &root, &user)?;
            Work::done_here(Task::Files { storage: action.storage.clone(), operations })
        }
        "http" => Work::done_here(Task::Request(http::request(&root, action.action_id)?)),
        "fs" => {
            let user = action.conf.get("user.name").unwrap_or_default();
            let operations =
                files::operations(&root, &user).map_err(|found| fault(found.code, found.words))?;
            Work::done_here(Task::Files { storage: action.storage.clone(), operations })
        }
        "shell" => shell::work(action, &root, attempt)?,
        "java" => java::work(action, &root, attempt)?,
        "distcp" if !action.commands.contains_key("distcp") => distcp::work(action, &root)?,
        "map-reduce" if streams(&root) => streaming::work(action, &root, attempt)?,
        "email" => Work::done_here(Task::Mail(email::mail(action, &root)?)),
        "ssh" => Work::done_here(Task::Remote(ssh::remote(action, &root, attempt)?)),
        "git" => {
            let setup = Setup {
                storage: action.storage.clone(),
                pieces: Vec::new(),
                prepare: prepare::operations(&root),
            };
            Work { setup, ..Work::done_here(Task::Clone(git::clone(action, &root)?)) }
        }
        other => match template::command_of(other, action.commands) {
            Some(command) => template::work(action, &root, attempt, &command)?,
            None => {
                let words = format!(
                    "actions of type `{other}` are not run on this machine; give a command under `[run.commands]` \
                     in ankus.toml, or use `--stub {other}`"
                );
                return Err(fault("JA018", words).into());
            }
        },
    };
    let Work { setup, task, max_output } = work;
    let asked_millis = Some(action.asked_millis);
    let spec = Spec { task, grace_millis: GRACE_MILLIS, setup, max_output, asked_millis };
    attempt.prepare(&spec).map_err(unprepared)
}

/// Why a definition is none once its expressions have values: one of these holds what no XML can.
fn unreadable(definition: &str) -> String {
    let Some((at, wrong)) = definition.char_indices().find(|(_, c)| !xml::is_char(*c)) else {
        return "the definition of the action cannot be read".to_owned();
    };
    let tag = definition[..at].rsplit_once('<').map_or("", |(_, tag)| tag.trim_start_matches('/'));
    let element = tag.split(|c: char| c.is_whitespace() || matches!(c, '>' | '/')).next().unwrap_or_default();
    format!(
        "the value of `{element}` holds the character U+{:04X}, which no argument and no definition can hold; take it \
         out where the value comes from: a property, or what an action before has written",
        u32::from(wrong)
    )
}

/// What is put into place before the process of an action runs.
fn setup(action: &Action<'_>, root: &Element) -> Result<Setup, Refusal> {
    let pieces = layout::plan(action, root)?;
    Ok(Setup { storage: action.storage.clone(), pieces, prepare: prepare::operations(root) })
}

fn environment() -> Vec<(String, String)> {
    ENVIRONMENT.iter().filter_map(|name| own(name)).collect()
}

/// The environment of `ssh`, which may ask the agent for keys.
fn environment_of_ssh() -> Vec<(String, String)> {
    environment().into_iter().chain(own("SSH_AUTH_SOCK")).collect()
}

fn own(name: &str) -> Option<(String, String)> {
    Some((name.to_owned(), std::env::var(name).ok()?))
}

/// The text of an element, trimmed (`getChildTextTrim`).
fn text_of(root: &Element, name: &str) -> Option<String> {
    root.child(name).map(|element| element.text().value.trim().to_owned())
}

/// The beginning of a text that may be long, without secrets.
fn shown(text: &str) -> String {
    let short: String = text.trim().chars().take(MAX_SHOWN).collect();
    veiled(None, &short).into_owned()
}
