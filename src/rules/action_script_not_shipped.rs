//! A shell action runs a script that nobody brings to the machine where it runs.
//!
//! Oozie brings the `script` of pig and hive actions and everything in `lib/`, but not the `exec` of a shell action: it
//! must be named in a `file` element, or the action fails because there is no such command. The same holds for the script
//! that an interpreter is given (`<exec>python3</exec><argument>load.py</argument>`), for the `mapper` and `reducer` of
//! streaming, and for what a script of Pig or Hive imports where a `file` brings a name that is nearly the same.
//!
//! ```xml
//! <exec>load.sh</exec>
//! <file>scripts/load.sh#load.sh</file>
//! ```

use std::collections::BTreeSet;

use super::{Check, Rule, Sink};
use crate::analysis::actions::{self, ActionNode, Start};
use crate::analysis::app_files::{self, AppFiles};
use crate::analysis::scripts;
use crate::analysis::subject::Workflow;
use crate::analysis::templates::Place;
use crate::diag::{Diagnostic, Edit, Group, Info, Severity, Stage, closest, distance};
use crate::model::action::{Details, Script, Shell};
use crate::source::{Span, Text};
use crate::xml::{Element, Node};

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "action-script-not-shipped",
        group: Group::Meaning,
        severity: Severity::Warning,
        stage: Some(Stage::Action),
        mirrors: &["JA018"],
        explanation: include_str!("action_script_not_shipped.rs"),
    },
    check: Check::Workflow(check),
};

/// What scripts end in; other names are taken for commands of the machine.
const SCRIPTS: &[&str] = &[".sh", ".bash", ".ksh", ".py", ".pl", ".rb", ".r", ".R"];

/// What runs the script that its first argument names.
const INTERPRETERS: &[&str] =
    &["python", "python2", "python3", "bash", "sh", "ksh", "zsh", "perl", "ruby", "Rscript", "node", "php"];
/// Those of them that take a command behind `-c`.
const SHELLS: &[&str] = &["bash", "sh", "ksh", "zsh"];
/// How many letters a slip changes.
const SLIP: usize = 2;

fn check(app: &Workflow<'_>, sink: &mut Sink) {
    for action in app.actions() {
        match &action.details {
            Details::Shell(shell) => sink.extend(of_shell(app, action, shell)),
            Details::MapReduce(job) => {
                let commands = job.streaming.iter().flatten();
                let commands = commands.filter(|(name, _)| matches!(name.as_str(), "mapper" | "reducer"));
                sink.extend(commands.filter_map(|(_, text)| of_command(app, action, text)));
            }
            Details::Pig(script) | Details::Hive(script) => sink.extend(of_script(app, action, script)),
            Details::Hive2(hive) => sink.extend(of_script(app, action, &hive.script)),
            _ => {}
        }
    }
}

/// `ShellActionExecutor.setupActionConf` runs the last step of `exec`, with the working directory first in `PATH`.
fn of_shell(app: &Workflow<'_>, action: &ActionNode<'_>, shell: &Shell) -> Option<Diagnostic> {
    let text = shell.exec.as_ref()?;
    let exec = app.values.trimmed(text, Place::WorkflowNode)?;
    if let Some(finding) = judge(app, action, text.trimmed().span, &exec) {
        return Some(finding);
    }
    let argument = shell.arguments.first().filter(|_| interprets(&exec))?;
    let script = app.values.trimmed(argument, Place::WorkflowNode)?;
    let shell_name = exec.rsplit('/').next().unwrap_or_default();
    if SHELLS.contains(&shell_name) && script.contains(' ') && !script.starts_with(['-', '/', '$', '.']) {
        let message = format!("`{shell_name}` takes this for the name of a script, not for a command");
        let finding = Diagnostic::new(&RULE.info, argument.trimmed().span, message);
        let finding = finding.help("put `<argument>-c</argument>` before it");
        return Some(actions::at_start(&app.flow, action, finding));
    }
    let is_script = SCRIPTS.iter().any(|end| script.ends_with(end)) && !script.contains(char::is_whitespace);
    judge(app, action, argument.trimmed().span, &script).filter(|_| is_script)
}

/// A command of streaming runs in the working directory of a task, where the `file`s lie.
fn of_command(app: &Workflow<'_>, action: &ActionNode<'_>, text: &Text) -> Option<Diagnostic> {
    let command = app.values.trimmed(text, Place::WorkflowNode)?;
    let mut words = command.split_whitespace();
    let first = words.next()?;
    let script = if interprets(first) { words.next()? } else { first };
    let is_script = SCRIPTS.iter().any(|end| script.ends_with(end));
    let at = text.value.find(script);
    let span = at.map_or(text.trimmed().span, |at| text.span_of(at..at + script.len()));
    judge(app, action, span, script).filter(|_| is_script)
}

fn interprets(exec: &str) -> bool {
    INTERPRETERS.contains(&exec.rsplit('/').next().unwrap_or_default())
}

/// What a script asks for by a relative path without a folder, where a `file` brings what is nearly called so.
fn of_script(app: &Workflow<'_>, action: &ActionNode<'_>, script: &Script) -> Vec<Diagnostic> {
    let path = script.script.as_ref().and_then(actions::literal).and_then(app_files::normal);
    let Some(text) = app.files.zip(path).and_then(|(files, path)| files.scripts.get(&path)) else {
        return Vec::new();
    };
    let (shipped, is_open) = app_files::shipped(action, app.values);
    if is_open {
        return Vec::new();
    }
    let job = action.details.job();
    let files = job.iter().flat_map(|job| job.files.iter().chain(&job.archives));
    let files: Vec<&Text> = files.collect();
    let missing = scripts::imports(text).into_iter().filter(|(name, _)| !shipped.contains(name));
    missing
        .filter_map(|(name, asked)| {
            let near = nearly(&name, &shipped)?;
            let place = files.iter().find(|text| text.value.contains(near))?;
            let message = format!("the script asks for `{name}`, and this `file` is shipped as `{near}`");
            let finding = Diagnostic::new(&RULE.info, place.trimmed().span, message)
                .label(asked, "asked for here")
                .help(format!("write `#{name}` here, or correct the script"));
            Some(actions::at_start(&app.flow, action, finding))
        })
        .collect()
}

/// The name that a `file` gives and that a script is nearly called; both have an end, by which they are files.
fn nearly<'s>(name: &str, shipped: &'s BTreeSet<String>) -> Option<&'s str> {
    let is_near = |other: &&str| distance(name, other, SLIP).is_some() && other.contains('.');
    closest(name, shipped.iter().map(String::as_str)).filter(is_near).filter(|_| name.contains('.'))
}

/// A script in the working directory of an action, by the path that the action gives.
fn judge(app: &Workflow<'_>, action: &ActionNode<'_>, span: Span, exec: &str) -> Option<Diagnostic> {
    if actions::start(&Text::computed(exec, span)) != Start::Name || exec.contains("${") {
        return None;
    }
    let path = app_files::normal(exec)?;
    let name = path.rsplit('/').next().unwrap_or_default();
    let (shipped, is_open) = app_files::shipped(action, app.values);
    let is_link = shipped.contains(name);
    let mut archives = action.details.job()?.archives.iter();
    if is_open || is_link || archives.any(|archive| holds(archive, &path)) {
        return None;
    }
    let place = app.files.and_then(|files| find(files, &path, name));
    let near = nearly(name, &shipped);
    // What is brought under nearly this name and is not there either is another finding.
    let is_slip =
        |near: &str| app.files.is_some_and(|files| files.is_whole && find(files, near, near).is_none());
    if place.is_some() && near.is_some_and(is_slip) {
        return None;
    }
    let near = near.filter(|_| place.is_none());
    let is_script = SCRIPTS.iter().any(|end| name.ends_with(end)) || near.is_some();
    if place.is_none() && !is_script || place.as_deref().is_some_and(|place| place.starts_with("lib/")) {
        return None;
    }
    let message = format!("no `file` brings the script `{name}` to where the action runs");
    let mut finding = Diagnostic::new(&RULE.info, span, message);
    if let Some(near) = near {
        let finding = finding.help(format!("did you mean `{near}`, which a `file` brings?"));
        return Some(actions::at_start(&app.flow, action, finding));
    }
    let elsewhere = app.files.filter(|_| place.is_none()).and_then(|files| {
        let names = files.files.iter().map(|file| file.rsplit('/').next().unwrap_or_default());
        closest(name, names).filter(|near| distance(name, near, SLIP).is_some())
    });
    if let Some(near) = elsewhere {
        let finding = finding.help(format!("did you mean `{near}`? Name it in a `file` element as well"));
        return Some(actions::at_start(&app.flow, action, finding));
    }
    if place.is_none() {
        // It may lie in `lib/` or in `oozie.libpath` once it is deployed.
        finding = finding.severity(Severity::Info).stage(None);
    }
    let file = place.unwrap_or(path.clone());
    let content = if file == name { file } else { format!("{file}#{name}") };
    finding = finding.help(format!("add `<file>{content}</file>`"));
    let safe_name = content.chars().all(|c| !matches!(c, '<' | '&' | '>'));
    if let Some(edit) = insertion(&action.body.element, &content).filter(|_| safe_name) {
        finding = finding.fix(false, vec![edit]);
    }
    Some(actions::at_start(&app.flow, action, finding))
}

/// Whether a path leads into an unpacked archive.
fn holds(archive: &Text, path: &str) -> bool {
    let name = archive.value.trim().rsplit(['#', '/']).next().unwrap_or_default().to_owned();
    path.split('/').next() == Some(&name) || name.contains('}')
}

/// Where the script lies in the app's folder.
fn find(files: &AppFiles, path: &str, name: &str) -> Option<String> {
    let in_lib = format!("lib/{name}");
    let usual = [path, in_lib.as_str(), name].into_iter().find(|place| files.holds(place)).map(str::to_owned);
    let elsewhere = || {
        let end = format!("/{name}");
        let mut found = files.files.iter().filter(|file| file.ends_with(&end));
        found.next().filter(|_| found.next().is_none()).cloned()
    };
    usual.or_else(elsewhere)
}

/// The element put in behind the last one that must stand before it, in a line of its own where those are.
fn insertion(action: &Element, content: &str) -> Option<Edit> {
    let before = ["exec", "argument", "env-var", "file"];
    let is_prefixed = action.name_span.range().len() != action.name.local.len();
    let index = action.children.iter().rposition(|node| match node {
        Node::Element(child) => before.contains(&&*child.name.local),
        _ => false,
    })?;
    let Node::Element(last) = &action.children[index] else { return None };
    let indent = match index.checked_sub(1).map(|before| &action.children[before]) {
        Some(Node::Text(text)) => text.value.rfind('\n').map_or("", |at| &text.value[at..]),
        _ => "",
    };
    let indent = if indent.trim().is_empty() { indent } else { "" };
    let end = Span { start: last.span.end, ..last.span };
    (!is_prefixed).then(|| Edit { span: end, text: format!("{indent}<file>{content}</file>") })
}
