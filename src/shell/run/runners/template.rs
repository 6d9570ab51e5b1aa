//! Actions that another program runs: a command with places for the parts of the action.
//!
//! `{script}` stands for the text of the element `script`, once for each there is, and for nothing where there is none;
//! `{param:-param}` puts `-param` before each; `{command/}` splits the text at white space. Inside other text, as in
//! `--name={name}`, it stands for the first.

use std::collections::BTreeMap;

use super::{Action, Attempt, Refusal, Task, Work, configuration, environment, fault, launcher};
use crate::shell::run::captures::Captures;
use crate::xml::Element;

/// The commands of actions for which `[run.commands]` gives none: local modes.
const DEFAULTS: [(&str, &[&str]); 5] = [
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
            "{spark-opts/}",
            "{jar}",
            "{arg}",
        ],
    ),
    ("sqoop", &["sqoop", "{command/}", "{arg}"]),
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
    let setup = super::setup(action, root)?;
    let conf = configuration::of(action, root)?;
    let command = fill(command, root);
    if command.first().is_none_or(String::is_empty) {
        return Err(fault("JA018", format!("the command of `{}` is empty", action.kind)).into());
    }
    let mut env = environment();
    env.extend(launcher::env(&conf)?);
    env.push((super::CONF_VARIABLE.to_owned(), configuration::write(&conf, attempt)?));
    let task = Task::Process { command, env, captures: Captures::Nothing };
    Ok(Work { setup, task, max_output: launcher::max_output(&conf) })
}

/// Puts the parts of an action into a command.
fn fill(command: &[String], root: &Element) -> Vec<String> {
    let texts = |name: &str| -> Vec<String> {
        root.children_named(name).map(|element| element.text().value.trim().to_owned()).collect()
    };
    let mut filled = Vec::new();
    for word in command {
        match word.strip_prefix('{').and_then(|word| word.strip_suffix('}')) {
            Some(place) if !place.contains(['{', '}']) => match place.split_once(':') {
                Some((name, flag)) => {
                    filled.extend(texts(name).into_iter().flat_map(|text| [flag.to_owned(), text]));
                }
                None => match place.strip_suffix('/') {
                    Some(name) => {
                        let texts = texts(name);
                        filled
                            .extend(texts.iter().flat_map(|text| text.split_whitespace().map(str::to_owned)));
                    }
                    None => filled.extend(texts(place)),
                },
            },
            _ => filled.push(inside(word, &texts)),
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
    use crate::source::Sources;
    use crate::xml;

    #[test]
    fn commands_take_the_parts_of_an_action() {
        let text = "<pig><script>a b.pig</script><param>X=1</param><param>Y=2</param><command>import --x 1</command></pig>";
        let mut sources = Sources::new();
        let root = xml::read(sources.add("action", text), text, &xml::Limits::default()).0.expect("a tree");
        let fill =
            |words: &[&str]| fill(&words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>(), &root);
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
