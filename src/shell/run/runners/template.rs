//! Actions that another program runs: a command with places for the parts of the action.
//!
//! `{script}` stands for the text of the element `script`, once for each there is, and for nothing where there is none;
//! `{param:-param}` puts `-param` before each; `{command/}` splits the text at white space. Inside other text, as in
//! `--name={name}`, it stands for the first. A name with a dot in it is a property of the action's configuration;
//! `{conf}` is the file with all of it, `{jars}` the jars in the action's folder with commas between.
//!
//! What the action says is never looked at by a shell, and URIs for which a folder of this machine stands are put in as
//! paths of it, since the programs run here.

use std::collections::BTreeMap;
use std::path::Path;

use super::configuration::Configuration;
use super::paths::{self, Place};
use super::{Action, Attempt, Refusal, Task, Work, configuration, environment, fault, launcher, layout};
use crate::shell::run::captures::Captures;
use crate::shell::run::setup::Setup;
use crate::shell::run::storage::Storage;
use crate::xml::Element;

/// The commands of actions for which `[run.commands]` gives none: local modes.
const DEFAULTS: [(&str, &[&str]); 6] = [
    ("pig", &["pig", "-x", "local", "{param:-param}", "{argument}", "{script:-f}"]),
    ("hive", &["hive", "{param:--hivevar}", "{argument}", "{script:-f}", "{query:-e}"]),
    (
        "hive2",
        &["beeline", "-u", "{jdbc-url}", "{param:--hivevar}", "{argument}", "{script:-f}", "{query:-e}"],
    ),
    (
        "spark",
        &[
            "spark-submit",
            "--master",
            "local[*]",
            "{name:--name}",
            "{class:--class}",
            "{jars:--jars}",
            "{spark-opts/}",
            "{jar}",
            "{arg}",
        ],
    ),
    ("sqoop", &["sqoop", "{command/}", "{arg}"]),
    // A map-reduce action names classes and has no main class that `hadoop jar` could run; streaming takes classes as
    // mapper and reducer.
    (
        "map-reduce",
        &[
            "mapred",
            "streaming",
            "-conf",
            "{conf}",
            "{jars:-libjars}",
            "{mapred.mapper.class:-mapper}",
            "{mapred.reducer.class:-reducer}",
            "{mapred.input.dir:-input}",
            "{mapred.output.dir:-output}",
        ],
    ),
];

/// Types whose script is put into the action's folder (`ScriptLanguageActionExecutor.addScriptToCache`).
const SCRIPTED: [&str; 3] = ["pig", "hive", "hive2"];

/// Commands by the type of actions.
pub type Commands = BTreeMap<String, Vec<String>>;

/// The command of a type, given or by default.
pub fn command_of(kind: &str, given: &Commands) -> Option<Vec<String>> {
    let default = || {
        let (_, command) = DEFAULTS.iter().find(|(name, _)| *name == kind)?;
        Some(command.iter().map(|word| (*word).to_owned()).collect())
    };
    given.get(kind).cloned().or_else(default)
}

/// The work of an action that a command runs.
pub(super) fn work(
    action: &Action<'_>,
    root: &Element,
    attempt: &Attempt,
    command: &[String],
) -> Result<Work, Refusal> {
    let mut setup = super::setup(action, root)?;
    if SCRIPTED.contains(&action.kind)
        && let Some(script) = root.child("script")
    {
        let script = layout::file(action, root, &script.text().value)?;
        if !setup.pieces.iter().any(|piece| piece.name == script.name) {
            setup.pieces.push(script);
        }
    }
    for jar in root.children_named("jar") {
        // One in storage that is no folder of this machine is brought.
        let text = jar.text().value;
        if matches!(paths::place(action, root, &text), Ok(Place::There(_))) {
            let jar = layout::file(action, root, &text)?;
            if !setup.pieces.iter().any(|piece| piece.name == jar.name) {
                setup.pieces.push(jar);
            }
        }
    }
    let conf = configuration::of(action, root)?;
    let path = configuration::write(&conf, attempt)?;
    let parts = Parts { action, root, conf: &conf, path: &path, setup: &setup };
    let command = fill(command, &|name| parts.texts(name));
    if command.first().is_none_or(String::is_empty) {
        return Err(fault("JA018", format!("the command of `{}` is empty", action.kind)).into());
    }
    let mut env = environment();
    env.extend(launcher::env(&conf)?);
    env.push((super::CONF_VARIABLE.to_owned(), path));
    let captures = if action.kind == "map-reduce" { Captures::Counters } else { Captures::Nothing };
    let task = Task::Process { command, env, captures };
    Ok(Work { setup, task, max_output: launcher::max_output(&conf) })
}

/// What places of a command may stand for.
struct Parts<'a> {
    action: &'a Action<'a>,
    root: &'a Element,
    conf: &'a Configuration,
    path: &'a str,
    setup: &'a Setup,
}

impl Parts<'_> {
    fn texts(&self, name: &str) -> Vec<String> {
        let elements =
            || self.root.children_named(name).map(|element| element.text().value.trim().to_owned());
        let shown = |path: &Path| path.to_string_lossy().into_owned();
        let own = |text: &str| shown(Path::new(Path::new(text).file_name().unwrap_or_default()));
        let local = |text: String| local(self.action.storage, &text);
        match name {
            "conf" => vec![self.path.to_owned()],
            "jars" => {
                let names = self.setup.pieces.iter().filter(|piece| !piece.unpacks).map(|piece| &piece.name);
                let jars = names.filter(|name| name.extension().is_some_and(|end| end == "jar"));
                let jars: Vec<String> = jars.map(|name| shown(name)).collect();
                if jars.is_empty() { Vec::new() } else { vec![jars.join(",")] }
            }
            // Of its path only the name counts, in the action's folder.
            "script" if SCRIPTED.contains(&self.action.kind) => elements().map(|text| own(&text)).collect(),
            // One beside the definition, or in `lib` or brought and so in the action's folder.
            "jar" => {
                let jar = |text: String| {
                    let is_own = self.setup.pieces.iter().any(|piece| piece.name == Path::new(&text));
                    match paths::place(self.action, self.root, &text) {
                        _ if is_own => own(&text),
                        Ok(Place::Here(located)) if located.path.exists() => shown(&located.path),
                        Ok(Place::There(_)) => own(&text),
                        _ => text,
                    }
                };
                elements().map(jar).collect()
            }
            name if name.contains('.') => {
                let value = self.conf.get(name).map(|value| local_list(self.action, self.root, value));
                value.into_iter().collect()
            }
            name => match name.strip_suffix('/') {
                Some(name) => {
                    let texts: Vec<_> =
                        self.root.children_named(name).map(|it| it.text().value.clone()).collect();
                    let words = texts.iter().flat_map(|text| text.split_whitespace());
                    words.map(|word| local(word.to_owned())).collect()
                }
                None => elements().map(local).collect(),
            },
        }
    }
}

/// A text with the URI in it, alone or behind `=`, as a path of this machine where a folder stands for it.
fn local(storage: &Storage, text: &str) -> String {
    let (before, uri) = match text.find("://") {
        Some(scheme) => text.split_at(text[..scheme].rfind('=').map_or(0, |equals| equals + 1)),
        None => return text.to_owned(),
    };
    match storage.locate(uri) {
        Ok(located) if !uri.contains(char::is_whitespace) => format!("{before}{}", located.path.display()),
        _ => text.to_owned(),
    }
}

/// A value of the configuration, its paths on the name node as paths of this machine.
fn local_list(action: &Action<'_>, root: &Element, value: &str) -> String {
    let is_path = |text: &&str| text.starts_with('/');
    let texts = value.split(',').map(str::trim);
    let full = |text: &str| match Some(text).filter(is_path) {
        Some(path) => {
            let uri = paths::uri(root, path);
            let found = local(action.storage, &uri);
            if found == uri { path.to_owned() } else { found }
        }
        None => local(action.storage, text),
    };
    texts.map(full).collect::<Vec<_>>().join(",")
}

/// Puts the parts of an action into a command.
fn fill(command: &[String], texts: &dyn Fn(&str) -> Vec<String>) -> Vec<String> {
    let mut filled = Vec::new();
    for word in command {
        match word.strip_prefix('{').and_then(|word| word.strip_suffix('}')) {
            Some(place) if !place.contains(['{', '}']) => match place.split_once(':') {
                Some((name, flag)) => {
                    filled.extend(texts(name).into_iter().flat_map(|text| [flag.to_owned(), text]));
                }
                None => filled.extend(texts(place)),
            },
            _ => filled.push(inside(word, texts)),
        }
    }
    filled
}

/// A word with the first text of each place in it.
fn inside(word: &str, texts: &dyn Fn(&str) -> Vec<String>) -> String {
    let (mut out, mut rest) = (String::new(), word);
    while let Some((before, after)) = rest.split_once('{') {
        let Some((name, behind)) = after.split_once('}') else { break };
        out.push_str(before);
        out.push_str(texts(name).first().map_or("", String::as_str));
        rest = behind;
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_take_the_parts_of_an_action() {
        let texts = |name: &str| -> Vec<String> {
            let texts: &[&str] = match name {
                "script" => &["a b.pig"],
                "param" => &["X=1", "Y=2"],
                "command/" => &["import", "--x", "1"],
                _ => &[],
            };
            texts.iter().map(|text| (*text).to_owned()).collect()
        };
        let fill =
            |words: &[&str]| fill(&words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>(), &texts);
        assert_eq!(
            fill(&["pig", "{param:-p}", "{script:-f}"]),
            ["pig", "-p", "X=1", "-p", "Y=2", "-f", "a b.pig"]
        );
        assert_eq!(fill(&["sqoop", "{command/}", "{arg}"]), ["sqoop", "import", "--x", "1"]);
        assert_eq!(
            fill(&["x", "--first={param}", "--none={jar}", "{"]),
            ["x", "--first=X=1", "--none=", "{"]
        );
    }
}
