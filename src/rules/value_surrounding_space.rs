//! Blanks or line breaks stand around a value that the server does not trim.
//!
//! Nearly all values are trimmed. With a blank, some words mean the opposite: `enabled=" true"` switches a coordinator of a
//! bundle off, `dir-files=" true"` leaves files alone, `skip-trash="false "` skips the trash, `nocleanup="true "` does
//! clean up. Some numbers, which the schema takes with blanks, are none: `replication-factor` fails the action, and
//! `memory.mb` or `vcores` of a `launcher` the submission. Names and values of a credential, the `group` of a `chgrp` and
//! the `queue` of a `launcher` are used with the blanks. Remove them.

use super::{Check, Rule, Sink};
use crate::analysis::settings::Setting;
use crate::diag::{Diagnostic, Edit, Group, Info, Severity, Stage};
use crate::source::Text;

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "value-surrounding-space",
        group: Group::Meaning,
        severity: Severity::Warning,
        stage: None,
        mirrors: &[],
        explanation: include_str!("value_surrounding_space.rs"),
    },
    check: Check::Setting(check),
};

/// How a value is read that nobody trims.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reading {
    /// Compared with `true` or `false`.
    Word,
    /// Parsed, which fails.
    Number(Stage),
    /// Taken as it is.
    Plain,
}

/// Attributes of an element.
const ATTRIBUTES: &[(&str, &str, Reading)] = &[
    // `BundleStartXCommand.isEnabled` and `execute`: `Boolean.parseBoolean`.
    ("coordinator", "enabled", Reading::Word),
    ("coordinator", "critical", Reading::Word),
    // `CoordRerunXCommand.cleanupOutputEvents`: `equals("true")`.
    ("data-out", "nocleanup", Reading::Word),
    // `FsActionExecutor.doDeleteOperation`: `equals("false")`; the other operations: `Boolean.parseBoolean`.
    ("delete", "skip-trash", Reading::Word),
    ("chmod", "dir-files", Reading::Word),
    ("chgrp", "dir-files", Reading::Word),
    // `FsActionExecutor.doChgrpOperation`
    ("chgrp", "group", Reading::Plain),
    // `FsActionExecutor.doSetrepOperation`: `Short.parseShort`.
    ("setrep", "replication-factor", Reading::Number(Stage::Action)),
    // `JavaActionExecutor.getCredProperties`
    ("credential", "type", Reading::Plain),
];

/// Texts of elements in a `launcher`: `LauncherConfigHandler.setIntCfgSetting` and `setStringCfgSetting`, while the
/// definition is read.
const LAUNCHER: &[(&str, Reading)] = &[
    ("memory.mb", Reading::Number(Stage::Submit)),
    ("vcores", Reading::Number(Stage::Submit)),
    ("queue", Reading::Plain),
];

fn check(setting: &Setting<'_>, sink: &mut Sink) {
    let Some(element) = setting.element else { return };
    if setting.is_property {
        // `JavaActionExecutor.getCredProperties` takes both from the definition as it was written.
        if setting.stands_in("property", "credential") {
            let name = element.child("name").map(|name| name.text());
            sink.extend(name.iter().filter_map(|text| judge("name", text, Reading::Plain)));
            sink.extend(judge(setting.name, setting.value, Reading::Plain));
        }
        return;
    }
    let is_attribute =
        element.attributes.iter().any(|attribute| std::ptr::eq(&attribute.value, setting.value));
    let reading = match is_attribute {
        true => ATTRIBUTES
            .iter()
            .find(|(of, name, _)| element.name.local == *of && setting.name == *name)
            .map(|(_, _, reading)| *reading),
        false => LAUNCHER
            .iter()
            .find(|(name, _)| setting.name == *name && setting.stands_in(name, "launcher"))
            .map(|(_, reading)| *reading),
    };
    sink.extend(reading.and_then(|reading| judge(setting.name, setting.value, reading)));
}

fn judge(name: &str, text: &Text, reading: Reading) -> Option<Diagnostic> {
    let value = text.value.trim();
    let is_word = value.eq_ignore_ascii_case("true") || value.eq_ignore_ascii_case("false");
    if value.is_empty() || value.len() == text.value.len() || reading == Reading::Word && !is_word {
        return None;
    }
    let at = text.trimmed().span;
    let message = match reading {
        Reading::Word => format!("`{name}` is compared with the blanks around it"),
        Reading::Number(_) => format!("`{name}` is read with the blanks around it, and is no number then"),
        Reading::Plain => format!("`{name}` is used with the blanks around it"),
    };
    let finding = Diagnostic::new(&RULE.info, at, message).help("remove the blanks");
    // What fails anyway is mended unasked.
    let (finding, is_safe) = match reading {
        Reading::Number(stage) => (finding.severity(Severity::Error).stage(Some(stage)), true),
        Reading::Word | Reading::Plain => (finding, false),
    };
    let edits = [(text.span.start, at.start), (at.end, text.span.end)]
        .into_iter()
        .filter(|(start, end)| start < end)
        .map(|(start, end)| Edit { span: crate::source::Span { start, end, ..at }, text: String::new() });
    Some(finding.fix(is_safe, edits.collect()))
}
