//! What each type of action is on this machine: from its evaluated definition to a task for a supervisor.

mod java;
pub mod template;

use std::path::{Component, Path, PathBuf};

use super::attempt::{Attempt, Spec, Task};
use super::captures::Captures;
use super::files;
use super::storage::Storage;
use crate::engine::{Conf, Fault};
use crate::source::Sources;
use crate::xml::{self, Element};
use template::Commands;

/// How long a process has to end when it is asked to, in milliseconds.
const GRACE_MILLIS: u64 = 5_000;

/// What of our own environment an action gets; nothing else.
const ENVIRONMENT: [&str; 5] = ["PATH", "HOME", "LANG", "TZ", "TMPDIR"];

/// The variable that names the file with the action's configuration (`ShellMain.OOZIE_ACTION_CONF_XML`).
const CONF_VARIABLE: &str = "OOZIE_ACTION_CONF_XML";

/// The Java property that names it (`LauncherAMUtils.OOZIE_ACTION_CONF_XML`).
const CONF_PROPERTY: &str = "oozie.action.conf.xml";

/// Everything that a runner may look at.
#[derive(Debug)]
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
}

/// What actions of a type need.
pub fn needs(kind: &str, commands: &Commands) -> Needs {
    match kind {
        "fs" | "shell" | "sub-workflow" => Needs::Nothing,
        "java" => Needs::Program("java".to_owned()),
        kind => {
            let program = template::command_of(kind, commands).and_then(|command| command.into_iter().next());
            program.map_or(Needs::Command, Needs::Program)
        }
    }
}

fn fault(code: &str, words: impl Into<String>) -> Fault {
    Fault::new(code, words.into())
}

/// Prepares an attempt: its task, and what lies in its folder.
pub fn prepare(action: &Action<'_>, attempt: &Attempt) -> Result<(), Fault> {
    let io = |error: std::io::Error| fault("JA009", format!("cannot prepare the action: {error}"));
    let mut sources = Sources::new();
    let file = sources.add("action", action.definition);
    let root = xml::read(file, action.definition, &xml::Limits::default()).0;
    let root = root.ok_or_else(|| fault("JA018", "the definition of the action cannot be read"))?;
    std::fs::create_dir_all(attempt.work()).map_err(io)?;
    let task = match action.kind {
        "fs" => {
            let operations = files::operations(&root).map_err(|found| fault(found.code, found.words))?;
            Task::Files { storage: action.storage.clone(), operations }
        }
        "shell" => shell(action, &root, attempt)?,
        "java" => java::task(action, &root, attempt)?,
        other => match template::command_of(other, action.commands) {
            Some(command) => template::task(action, &root, attempt, &command)?,
            None => {
                let words = format!(
                    "actions of type `{other}` are not run on this machine; give a command under `[run.commands]` \
                     in ankus.toml, or use `--stub {other}`"
                );
                return Err(fault("JA018", words));
            }
        },
    };
    attempt.prepare(&Spec { task, grace_millis: GRACE_MILLIS }).map_err(io)
}

/// A shell action (`ShellActionExecutor`, `ShellMain`).
fn shell(action: &Action<'_>, root: &Element, attempt: &Attempt) -> Result<Task, Fault> {
    prelude(action, root)?;
    lay_out(action, root, attempt)?;
    let text = |name: &str| root.child(name).map(|element| element.text().value.trim().to_owned());
    let exec = text("exec").unwrap_or_default();
    let mut command = vec![program(&exec, attempt)];
    command.extend(root.children_named("argument").map(|element| element.text().value.clone()));
    let mut env = environment();
    env.push((CONF_VARIABLE.to_owned(), write_conf(action, root, attempt)?));
    for variable in root.children_named("env-var") {
        let text = variable.text().value;
        if let Some((name, value)) = text.trim().split_once('=') {
            env.push((name.trim().to_owned(), value.trim().to_owned()));
        }
    }
    let captures = if root.child("capture-output").is_some() { Captures::Stdout } else { Captures::Nothing };
    Ok(Task::Process { command, env, captures })
}

/// Writes the configuration that an action gets; the path of the file.
fn write_conf(action: &Action<'_>, root: &Element, attempt: &Attempt) -> Result<String, Fault> {
    let path = attempt.folder().join("action.xml");
    let written = std::fs::write(&path, configuration(action, root));
    written.map_err(|error| fault("JA009", format!("cannot prepare the action: {error}")))?;
    Ok(path.to_string_lossy().into_owned())
}

/// What is to be run: a file of the action's own folder before anything on the path.
fn program(exec: &str, attempt: &Attempt) -> String {
    let own = attempt.work().join(exec);
    if Path::new(exec).is_relative() && own.is_file() {
        make_executable(&own);
        return own.to_string_lossy().into_owned();
    }
    exec.to_owned()
}

#[cfg(unix)]
fn make_executable(path: &Path) {
    use std::os::unix::fs::PermissionsExt;
    // Where this fails, the start of the process does, and says so.
    let _ = std::fs::set_permissions(path, PermissionsExt::from_mode(0o755));
}

#[cfg(not(unix))]
fn make_executable(_path: &Path) {}

fn environment() -> Vec<(String, String)> {
    let own = |name: &&str| Some(((*name).to_owned(), std::env::var(name).ok()?));
    ENVIRONMENT.iter().filter_map(own).collect()
}

/// `prepare`: what is deleted and made before the action runs (`PrepareActionsHandler`).
fn prelude(action: &Action<'_>, root: &Element) -> Result<(), Fault> {
    let Some(prepare) = root.child("prepare") else { return Ok(()) };
    let path = |element: &Element| {
        element.attribute("path").map(|path| path.value.value.trim().to_owned()).unwrap_or_default()
    };
    let operations = prepare.elements().filter_map(|element| match element.name.local.as_str() {
        "delete" => Some(files::Operation::Delete(path(element))),
        "mkdir" => Some(files::Operation::Mkdir(path(element))),
        _ => None,
    });
    let operations: Vec<_> = operations.collect();
    files::run(action.storage, &operations).map_err(|found| fault(found.code, found.words))
}

/// Puts what lies in the app's `lib` folder, and every `file`, into the action's own folder.
fn lay_out(action: &Action<'_>, root: &Element, attempt: &Attempt) -> Result<(), Fault> {
    let work = attempt.work();
    let copy = |from: &Path, name: &Path| {
        let to = work.join(name);
        let folder = to.parent().map_or(Ok(()), std::fs::create_dir_all);
        folder.and_then(|()| std::fs::copy(from, &to)).map(|_| ()).map_err(|error| {
            fault("JA009", format!("cannot copy `{}` to the action's folder: {error}", from.display()))
        })
    };
    for entry in std::fs::read_dir(action.app.join("lib")).into_iter().flatten().flatten() {
        if entry.path().is_file() {
            copy(&entry.path(), Path::new(&entry.file_name()))?;
        }
    }
    for file in root.children_named("file") {
        let text = file.text().value;
        let (path, name) = match text.trim().split_once('#') {
            Some((path, name)) => (path, Some(name)),
            None => (text.trim(), None),
        };
        let from = located(action, path)?;
        let name = match name {
            Some(name) => PathBuf::from(name),
            None => PathBuf::from(from.file_name().unwrap_or_default()),
        };
        if !name.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir)) {
            return Err(fault("JA018", format!("`{text}` would lie outside the action's folder")));
        }
        copy(&from, &name)?;
    }
    Ok(())
}

/// Where a path of an action lies: relative ones in the app's folder.
fn located(action: &Action<'_>, path: &str) -> Result<PathBuf, Fault> {
    if !path.contains(':') && !path.starts_with('/') {
        let inside =
            Path::new(path).components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
        if !inside {
            return Err(fault("JA018", format!("`{path}` leads out of the app's folder")));
        }
        return Ok(action.app.join(path));
    }
    let located = action.storage.locate(path);
    located.map(|located| located.path).map_err(|error| fault("JA009", error.to_string()))
}

/// The configuration that an action gets, as a file.
fn configuration(action: &Action<'_>, root: &Element) -> String {
    let escape = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let mut all: std::collections::BTreeMap<String, String> = action
        .conf
        .all()
        .into_iter()
        .filter(|(name, _)| name.starts_with("oozie.") || *name == "user.name")
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    for property in root.child("configuration").into_iter().flat_map(|it| it.children_named("property")) {
        let text = |name: &str| property.child(name).map(|element| element.text().value.clone());
        if let (Some(name), Some(value)) = (text("name"), text("value")) {
            all.insert(name.trim().to_owned(), value.trim().to_owned());
        }
    }
    let mut out = "<configuration>\n".to_owned();
    for (name, value) in all {
        let (name, value) = (escape(&name), escape(&value));
        out.push_str(&format!("  <property><name>{name}</name><value>{value}</value></property>\n"));
    }
    out.push_str("</configuration>\n");
    out
}
