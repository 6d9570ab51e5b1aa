//! Blanks stand around a word that the server compares as it stands.
//!
//! Most values are trimmed. These attributes are not, and with a blank they mean the opposite: `enabled=" true"` switches a
//! coordinator of a bundle off, `dir-files=" false"` and `skip-trash="true "` are not what they say. Remove the blanks.

use super::{Check, Rule, Sink};
use crate::analysis::settings::Setting;
use crate::diag::{Diagnostic, Edit, Info, Severity};

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "value-surrounding-space",
        severity: Severity::Warning,
        stage: None,
        mirrors: &[],
        explanation: include_str!("value_surrounding_space.rs"),
    },
    check: Check::Setting(check),
};

/// Attributes that are read by `Boolean.parseBoolean`, untrimmed: `enabled` and `critical` of a bundle's coordinator
/// (`BundleStartXCommand`), `nocleanup` of an output event, `skip-trash` and `dir-files` of file operations.
const WORDS: &[&str] = &["enabled", "critical", "nocleanup", "skip-trash", "dir-files"];

fn check(setting: &Setting<'_>, sink: &mut Sink) {
    let text = setting.value.value.as_str();
    let word = text.trim();
    let is_word = word.eq_ignore_ascii_case("true") || word.eq_ignore_ascii_case("false");
    if setting.is_property || word.len() == text.len() || !is_word || !WORDS.contains(&setting.name) {
        return;
    }
    let message = format!("`{}` is compared with the blanks around it", setting.name);
    sink.push(
        Diagnostic::new(&RULE.info, setting.value.span, message)
            .help(format!("write `{word}` without blanks"))
            .fix(false, vec![Edit { span: setting.value.span, text: word.to_owned() }]),
    );
}
