//! Actions that another program runs: a command with places for the parts of the action.
//!
//! `{script}` stands for the text of the element `script`, once for each there is, and for nothing where there is none;
//! `{param:-param}` puts `-param` before each; `{command/}` splits the text as a server does (`words`). Inside other text, as
//! in `--name={name}`, it stands for the first. A name with a dot in it is a property of the action's configuration;
//! `{conf}` is the file with all of it, `{jars}` the jars in the action's folder with commas between; `{query-file}` a file
//! with the text of `query`, `{password-file}` one with the password, which nobody sees among the processes then.
//!
//! What the action says is never looked at by a shell, and URIs for which a folder of this machine stands are put in as
//! paths of it, since the programs run here.

use std::collections::BTreeMap;
use std::path::Path;

use super::configuration::Configuration;
use super::paths::{self, Place};
use super::{Action, Attempt, Refusal, Task, Work, configuration, environment, fault, launcher, layout};
use crate::analysis::words;
use crate::execute::captures::Captures;
use crate::execute::private;
use crate::execute::setup::Setup;
use crate::execute::storage::Storage;
use crate::xml::Element;

/// The commands of actions for which `[run.commands]` gives none: local modes.
const DEFAULTS: [(&str, &[&str]); 6] = [
    ("pig", &["pig", "-x", "local", "{script:-file}", "{param:-param}", "{argument}"]),
    ("hive", &["hive", "{script:-f}", "{query-file:-f}", "{param:--hivevar}", "{argument}"]),
    (
        "hive2",
        &[
            "beeline",
            "-u",
            "{jdbc-url}",
            "{user.name:-n}",
            "{password-file:-w}",
            "{script:-f}",
            "{query-file:-f}",
            "{param:--hivevar}",
            "{argument}",
        ],
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

/// Properties of a job whose values are paths, on the name node where they have no scheme.
const PATHS: [&str; 5] = [
    "mapred.input.dir",
    "mapred.output.dir",
    "mapreduce.input.fileinputformat.inputdir",
    "mapreduce.output.fileoutputformat.outputdir",
    "mapreduce.job.working.dir",
];

/// What stands for a password where there is none, or a program would ask for one (`Hive2Main`).
const NO_PASSWORD: &str = "DUMMY";

/// The property by which the command of Sqoop is split as a shell does (`SqoopActionExecutor`).
const SHELL_SPLITTER: &str = "oozie.action.sqoop.shellsplitter";

/// Arguments that a server's launchers refuse, by the type of action, and what they call them (`PigMain`, `HiveMain`,
/// `Hive2Main`).
const REFUSED: [(&str, &str, &[&str]); 3] = [
    (
        "pig",
        "Pig",
        &[
            "-4",
            "-log4jconf",
            "-e",
            "-execute",
            "-f",
            "-file",
            "-l",
            "-logfile",
            "-r",
            "-dryrun",
            "-P",
            "-propertyFile",
        ],
    ),
    (
        "hive",
        "Hive",
        &["-d", "--define", "-e", "-f", "-H", "--help", "--hiveconf", "--hivevar", "-s", "--silent", "-D"],
    ),
    ("hive2", "Beeline", &["-u", "-n", "-p", "-d", "-e", "-f", "-a", "--help"]),
];

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
    refuse(action.kind, root)?;
    let conf = configuration::of(action, root)?;
    let path = match action.kind {
        "map-reduce" => configuration::write(&here(action, root, &conf), attempt)?,
        _ => configuration::write(&conf, attempt)?,
    };
    let split = split(action.kind, root, &conf)?;
    let written = write_texts(root, attempt, command)?;
    let parts = Parts { action, root, conf: &conf, path: &path, setup: &setup, split, written };
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

/// Refuses what a server's launcher refuses; it ends with an error there.
fn refuse(kind: &str, root: &Element) -> Result<(), Refusal> {
    let Some((_, program, refused)) = REFUSED.iter().find(|(name, ..)| *name == kind) else { return Ok(()) };
    let texts = |name| root.children_named(name).map(|element| element.text().value.trim().to_owned());
    if kind != "pig" {
        for param in texts("param") {
            let words = match param.find('=') {
                None => format!("Parameter expression must contain an assignment: {param}"),
                Some(0) => format!("Parameter value not specified: {param}"),
                Some(_) => continue,
            };
            return Err(fault("JA018", words).into());
        }
    }
    match texts("argument").find(|argument| refused.contains(&argument.as_str())) {
        Some(argument) => {
            Err(fault("JA018", format!("Error: {program} argument {argument} is not supported")).into())
        }
        None => Ok(()),
    }
}

/// The words of the texts that a server splits in a way of its own, by the name of the element.
fn split(
    kind: &str,
    root: &Element,
    conf: &Configuration,
) -> Result<Vec<(&'static str, Vec<String>)>, Refusal> {
    let text = |name: &str| root.child(name).map(|element| element.text().value.clone());
    match kind {
        "spark" => {
            let options = text("spark-opts").map(|text| words::spark_options(text.trim()));
            Ok(options.into_iter().map(|words| ("spark-opts", words)).collect())
        }
        "sqoop" => {
            let as_shell = conf.get(SHELL_SPLITTER).is_some_and(|value| value.trim() == "true");
            let Some(command) = text("command") else {
                let arguments = root.children_named("arg");
                let arguments = arguments.map(|element| element.text().value.trim().to_owned()).collect();
                return Ok(vec![("arg", words::without_sqoop(arguments))]);
            };
            let words =
                words::sqoop_command(&command, as_shell).map_err(|found| fault("SQOOP002", found.words))?;
            // What stands in `arg` beside a command counts for nothing there.
            Ok(vec![("command", words::without_sqoop(words)), ("arg", Vec::new())])
        }
        _ => Ok(Vec::new()),
    }
}

/// Writes the texts for which a command wants files, beside the action's folder; their paths.
fn write_texts(
    root: &Element,
    attempt: &Attempt,
    command: &[String],
) -> Result<Vec<(&'static str, String)>, Refusal> {
    let text = |name: &str| root.child(name).map(|element| element.text().value.clone());
    let wanted = |name: &str| command.iter().any(|word| word.contains(&format!("{{{name}")));
    let mut written = Vec::new();
    let query = text("query").map(|text| if text.ends_with('\n') { text } else { format!("{text}\n") });
    let password = text("password").map(|text| text.trim().to_owned());
    let password = password.filter(|text| !text.is_empty()).unwrap_or_else(|| NO_PASSWORD.to_owned());
    for (name, file, text) in
        [("query-file", "query.hql", query), ("password-file", "password", Some(password))]
    {
        let Some(text) = text.filter(|_| wanted(name)) else { continue };
        let path = attempt.folder().join(file);
        private::write(&path, text.as_bytes()).map_err(super::unprepared)?;
        written.push((name, path.to_string_lossy().into_owned()));
    }
    Ok(written)
}

/// The configuration of a job that runs here: what names files for which folders stand names these, the file system of the
/// job too.
fn here(action: &Action<'_>, root: &Element, conf: &Configuration) -> Configuration {
    let value = |name: &str, value: &str| match name {
        "fs.defaultFS" | "fs.default.name" if local(action.storage, value.trim()) != value.trim() => {
            "file:///".to_owned()
        }
        name if PATHS.contains(&name) || value.contains("://") => local_list(action, root, value),
        _ => value.to_owned(),
    };
    conf.iter().map(|(name, text)| (name.clone(), value(name, text))).collect()
}

/// What places of a command may stand for.
struct Parts<'a> {
    action: &'a Action<'a>,
    root: &'a Element,
    conf: &'a Configuration,
    path: &'a str,
    setup: &'a Setup,
    /// Texts that a server splits in a way of its own.
    split: Vec<(&'static str, Vec<String>)>,
    /// Files with texts.
    written: Vec<(&'static str, String)>,
}

impl Parts<'_> {
    fn texts(&self, name: &str) -> Vec<String> {
        let elements =
            || self.root.children_named(name).map(|element| element.text().value.trim().to_owned());
        let shown = |path: &Path| path.to_string_lossy().into_owned();
        let own = |text: &str| shown(Path::new(Path::new(text).file_name().unwrap_or_default()));
        let local = |text: String| local(self.action.storage, &text);
        // `arg` is a list already; of the others the text alone is meant where nothing says that it is split.
        let is_split = |of: &str| name.strip_suffix('/') == Some(of) || (name == of && of == "arg");
        if let Some((_, words)) = self.split.iter().find(|(of, _)| is_split(of)) {
            return words.iter().cloned().map(local).collect();
        }
        match name {
            "conf" => vec![self.path.to_owned()],
            "query-file" | "password-file" => {
                let files = self.written.iter().filter(|(written, _)| *written == name);
                files.map(|(_, path)| path.clone()).collect()
            }
            "jars" => {
                // The action's own is named by itself (`JarFilter`).
                let own: Vec<String> = self.texts("jar");
                let names = self.setup.pieces.iter().filter(|piece| !piece.unpacks).map(|piece| &piece.name);
                let jars = names.filter(|name| name.extension().is_some_and(|end| end == "jar"));
                let mut jars: Vec<String> =
                    jars.map(|name| shown(name)).filter(|name| !own.contains(name)).collect();
                let mut seen = std::collections::BTreeSet::new();
                jars.retain(|name| seen.insert(name.clone()));
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
