//! A script of a pig or hive action asks for a name that the action does not give.
//!
//! Pig refuses a script with `$name` for which there is no `param`, no `-param` among the arguments and no `%default`; Hive leaves
//! `${name}` in the statement as it is. Scripts are read where they lie beside the workflow, or where `[paths]`
//! or the path of the app says where they lie in the project. Macros of Pig, names that a
//! script sets by itself and those of parameter files are not looked at.
//!
//! ```xml
//! <script>load.pig</script>   <!-- A = LOAD '$INPUT'; -->
//! <param>INPTU=${input}</param>
//! <param>INPUT=${input}</param>
//! ```

use std::collections::BTreeSet;

use super::{Check, Rule, Sink};
use crate::analysis::actions::{self, ActionNode};
use crate::analysis::app_files;
use crate::analysis::scripts::{self, Wanted};
use crate::analysis::subject::Workflow;
use crate::analysis::templates::Place;
use crate::diag::{Diagnostic, Group, Info, Severity, closest};
use crate::model::action::{Details, Script};
use crate::source::{Span, Text};

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "script-parameter-missing",
        group: Group::Meaning,
        severity: Severity::Warning,
        stage: None,
        mirrors: &[],
        explanation: include_str!("script_parameter_missing.rs"),
    },
    check: Check::Workflow(check),
};

/// Arguments by which names come from elsewhere.
const FROM_FILES: &[&str] = &["-param_file", "-m", "-i", "-f"];

fn check(app: &Workflow<'_>, sink: &mut Sink) {
    for action in app.actions() {
        let (script, is_hive) = match &action.details {
            Details::Pig(script) => (&**script, false),
            Details::Hive(script) => (&**script, true),
            Details::Hive2(hive) => (&hive.script, true),
            _ => continue,
        };
        sink.extend(judge(app, action, script, is_hive));
    }
}

fn judge(app: &Workflow<'_>, action: &ActionNode<'_>, script: &Script, is_hive: bool) -> Vec<Diagnostic> {
    let Some(place) = &script.script else { return Vec::new() };
    let Some((path, text)) = script_at(app, place) else { return Vec::new() };
    let Some(given) = given(script) else { return Vec::new() };
    let wanted = if is_hive { scripts::of_hive(text) } else { scripts::of_pig(text) };
    let asked: BTreeSet<&str> = wanted.iter().map(|wanted| wanted.name.as_str()).collect();
    // Names that stand in a `param` and that the script does not ask for.
    let spare: Vec<(&str, Span)> = given
        .iter()
        .filter(|(name, _)| !asked.contains(name.as_str()))
        .map(|(name, span)| (name.as_str(), *span))
        .collect();
    let is_given = |wanted: &Wanted| given.iter().any(|(name, _)| *name == wanted.name);
    let missing = wanted.iter().filter(|wanted| !is_given(wanted));
    missing
        .map(|wanted| {
            let message =
                format!("the script `{path}` asks for `{}`, which the action does not give", wanted.name);
            let near = closest(&wanted.name, spare.iter().map(|(name, _)| *name));
            let near = near.and_then(|near| spare.iter().find(|(name, _)| *name == near));
            let finding = match near {
                Some((name, span)) => Diagnostic::new(&RULE.info, *span, message)
                    .label(wanted.span, "asked for here")
                    .help(format!("write `{}` in place of `{name}` here, or in the script", wanted.name)),
                None => Diagnostic::new(&RULE.info, place.trimmed().span, message)
                    .label(wanted.span, "asked for here")
                    .help(format!("add `<param>{}=…</param>`", wanted.name)),
            };
            actions::at_start(&app.flow, action, finding)
        })
        .collect()
}

/// The script that a path leads to, if it was read.
fn script_at<'a>(app: &Workflow<'a>, place: &Text) -> Option<(String, &'a Text)> {
    let beside = actions::literal(place).and_then(app_files::normal);
    let beside = beside.and_then(|path| app.files?.scripts.get_key_value(&path));
    let elsewhere = || {
        let path = app.values.trimmed(place, Place::WorkflowNode)?;
        let script = app.elsewhere(&path)?.script.as_ref()?;
        Some((path.rsplit('/').next().unwrap_or_default().to_owned(), script))
    };
    beside.map(|(path, text)| (path.clone(), text)).or_else(elsewhere)
}

/// The names that an action gives its script, each with its place; `None` where they cannot be known.
fn given(script: &Script) -> Option<Vec<(String, Span)>> {
    let mut found = Vec::new();
    let mut add = |text: &Text, at: usize| {
        let pair = &text.value[at..];
        let Some((name, _)) = pair.split_once('=') else { return };
        let start = at + (name.len() - name.trim_start().len());
        let name = name.trim();
        found.push((name.to_owned(), text.span_of(start..start + name.len())));
    };
    for text in &script.params {
        if text.value.split('=').next().is_some_and(|name| name.contains(['$', '#', '{'])) {
            return None;
        }
        add(text, 0);
    }
    for text in &script.arguments {
        let word = text.value.trim();
        let from_file = FROM_FILES.contains(&word) || word.starts_with("-param_file");
        if from_file || word.split('=').next().is_some_and(|name| name.contains(['$', '#', '{'])) {
            return None;
        }
        // `-param NAME=value` in one argument or in two.
        let options = ["-param ", "--param ", "-p ", "--hivevar ", "-hivevar ", "--define ", "-d "];
        let at = text.value.len() - text.value.trim_start().len();
        let option =
            options.iter().find(|option| word.starts_with(**option)).map_or(0, |option| option.len());
        add(text, at + option);
    }
    Some(found)
}
