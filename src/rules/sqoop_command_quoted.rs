//! The `command` of a sqoop action has quotes, which are handed on as they are.
//!
//! The server cuts the text at every blank, whatever stands around it (`SqoopActionExecutor.splitBySpace`): `--where "a = 1"`
//! becomes the four arguments `--where`, `"a`, `=` and `1"`. Write each argument in an `arg` of its own. Oozie 5.1 and
//! later read quotes as a shell does where the action's configuration sets `oozie.action.sqoop.shellsplitter` to `true`.
//!
//! ```xml
//! <command>import --connect ${db} --where "day = 1"</command>
//! <arg>import</arg><arg>--connect</arg><arg>${db}</arg><arg>--where</arg><arg>day = 1</arg>
//! ```

use super::{Check, Rule, Sink};
use crate::analysis::subject::Workflow;
use crate::analysis::values::Values;
use crate::analysis::{actions, templates::Place};
use crate::diag::{Diagnostic, Group, Info, Severity};
use crate::model::Property;
use crate::xml::{Element, Node};

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "sqoop-command-quoted",
        group: Group::Meaning,
        severity: Severity::Warning,
        stage: None,
        mirrors: &[],
        explanation: include_str!("sqoop_command_quoted.rs"),
    },
    check: Check::Workflow(check),
};

/// `SqoopActionExecutor.OOZIE_ACTION_SQOOP_SHELLSPLITTER`
const SHELL_SPLITTER: &str = "oozie.action.sqoop.shellsplitter";

fn check(app: &Workflow<'_>, sink: &mut Sink) {
    for action in app.actions().iter().filter(|action| action.body.kind == "sqoop") {
        let Some(command) = action.body.element.child("command") else { continue };
        let own = action.body.configuration().properties;
        let global = app.model.global.iter().flat_map(|global| &global.configuration.properties);
        if global.chain(&own).any(|property| splits_as_shell(property, app.values)) {
            continue;
        }
        for text in texts(command) {
            // Quotes of an expression are not those of the command.
            let Some(at) = quote(&text.value) else { continue };
            let message =
                "quotes in `command` are handed to Sqoop as they are: the text is cut at every blank";
            let finding = Diagnostic::new(&RULE.info, text.span_of(at..at + 1), message);
            let finding = finding.help("write each argument in an `arg` of its own");
            sink.push(actions::at_start(&app.flow, action, finding));
        }
    }
}

fn splits_as_shell(property: &Property, values: &Values) -> bool {
    property.name.value.trim() == SHELL_SPLITTER
        && values.trimmed(&property.value, Place::WorkflowNode).is_none_or(|value| value != "false")
}

fn texts(element: &Element) -> impl Iterator<Item = &crate::source::Text> {
    element.children.iter().filter_map(|node| match node {
        Node::Text(text) => Some(&**text),
        _ => None,
    })
}

/// Where the first quote stands outside of expressions.
fn quote(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    let mut last = ' ';
    for (at, c) in text.char_indices() {
        match c {
            '{' if last == '$' || depth > 0 => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            '"' | '\'' if depth == 0 => return Some(at),
            _ => {}
        }
        last = c;
    }
    None
}
