//! A shell action runs a script that nobody brings to the machine where it runs.
//!
//! Oozie brings the `script` of pig and hive actions and everything in `lib/`, but not the `exec` of a shell action: it
//! must be named in a `file` element, or the action fails because there is no such command.
//!
//! ```xml
//! <exec>load.sh</exec>
//! <file>scripts/load.sh#load.sh</file>
//! ```

use super::{Check, Rule, Sink};
use crate::analysis::actions::{self, ActionNode, Start};
use crate::analysis::app_files::{self, AppFiles};
use crate::analysis::subject::Workflow;
use crate::analysis::templates::Place;
use crate::diag::{Diagnostic, Edit, Group, Info, Severity, Stage};
use crate::model::action::{Details, Shell};
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

fn check(app: &Workflow<'_>, sink: &mut Sink) {
    for action in app.actions() {
        let Details::Shell(shell) = &action.details else { continue };
        sink.extend(judge(app, action, shell));
    }
}

/// `ShellActionExecutor.setupActionConf` runs the last step of `exec`, with the working directory first in `PATH`.
fn judge(app: &Workflow<'_>, action: &ActionNode<'_>, shell: &Shell) -> Option<Diagnostic> {
    let text = shell.exec.as_ref()?;
    let exec = app.values.trimmed(text, Place::WorkflowNode)?;
    if actions::start(&Text::computed(exec.as_str(), text.span)) != Start::Name || exec.contains("${") {
        return None;
    }
    let path = app_files::normal(&exec)?;
    let name = path.rsplit('/').next().unwrap_or_default();
    let (shipped, is_open) = app_files::shipped(action, app.values);
    let is_link = shipped.contains(name);
    if is_open || is_link || shell.job.archives.iter().any(|archive| holds(archive, &path)) {
        return None;
    }
    let place = app.files.and_then(|files| find(files, &path, name));
    let is_script = SCRIPTS.iter().any(|end| name.ends_with(end));
    if place.is_none() && !is_script || place.as_deref().is_some_and(|place| place.starts_with("lib/")) {
        return None;
    }
    let message = format!("no `file` brings the script `{name}` to where the action runs");
    let mut finding = Diagnostic::new(&RULE.info, text.trimmed().span, message);
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
