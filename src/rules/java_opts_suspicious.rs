//! Options of a Java virtual machine have a slip: no dash before one, a heap of a few bytes, or what a shell makes
//! something else of.
//!
//! A word without a dash is taken for the class to run, and `-Xmx512` is a heap of 512 bytes: sizes need `k`, `m` or `g`.
//! The machine then ends before anything of the application runs. `java-opts` and `java-opt` of actions stand in a line
//! that bash reads twice, once within double quotes: only single quotes group (`-Dname='two words'`), `$NAME` is expanded,
//! and a line feed ends the command.
//!
//! ```xml
//! <java-opts>Xmx512m -Xss2</java-opts>
//! <java-opts>-Xmx512m -Xss2m</java-opts>
//! ```

use super::{Check, Rule, Sink};
use crate::analysis::settings::Setting;
use crate::analysis::words;
use crate::diag::{Diagnostic, Edit, Group, Info, Severity};
use crate::source::Span;

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "java-opts-suspicious",
        group: Group::Meaning,
        severity: Severity::Warning,
        stage: None,
        mirrors: &[],
        explanation: include_str!("java_opts_suspicious.rs"),
    },
    check: Check::Setting(check),
};

/// Options of which the next word is the value.
const WITH_VALUE: &[&str] = &[
    "-cp",
    "-classpath",
    "--class-path",
    "-p",
    "--module-path",
    "--add-opens",
    "--add-exports",
    "--add-modules",
    "--add-reads",
    "-jar",
];
/// Options that are sizes, and the least that a machine starts with.
const SIZES: [(&str, u64); 3] = [("-Xmx", 2 << 20), ("-Xms", 1 << 20), ("-Xss", 100 << 10)];

fn holds_options(name: &str) -> bool {
    matches!(name, "java-opts" | "java-opt")
        || [".java.opts", ".command-opts", "ExtraJavaOptions", "extraJavaOptions"]
            .iter()
            .any(|end| name.ends_with(end))
}

fn check(setting: &Setting<'_>, sink: &mut Sink) {
    if !holds_options(setting.name) {
        return;
    }
    let text = setting.value.value.as_str();
    let is_of_action = matches!(setting.name, "java-opts" | "java-opt") && !setting.is_property;
    if is_of_action && !text.contains("${") && !text.contains("#{") {
        let span = setting.value.span_of(0..text.len());
        if let Some(finding) = misread(text, span) {
            sink.push(finding);
            return;
        }
    }
    // What quotes and expressions come to is not known here.
    if text.contains(['"', '\'', '`']) {
        return;
    }
    let mut is_value = false;
    let mut at = 0;
    for word in text.split(char::is_whitespace) {
        let start = at;
        at += word.len() + 1;
        if word.is_empty() {
            continue;
        }
        if word.contains(['$', '{', '}', '#']) {
            // Its blanks may be those of an expression.
            return;
        }
        let span = setting.value.span_of(start..start + word.len());
        let was_value = std::mem::replace(&mut is_value, WITH_VALUE.contains(&word));
        if was_value || word.starts_with('@') {
            continue;
        }
        if !word.starts_with('-') {
            let message = format!("`{word}` is not an option: Java takes it for the class to run");
            let finding = Diagnostic::new(&RULE.info, span, message);
            sink.push(match word.starts_with(['X', 'D']) {
                true => finding
                    .help(format!("write `-{word}`"))
                    .fix(false, vec![Edit { span: span.at_start(), text: "-".to_owned() }]),
                false => finding.help("begin each option with `-`"),
            });
            return;
        }
        let size = SIZES.iter().find_map(|(option, least)| Some((word.strip_prefix(option)?, *least)));
        if let Some((size, least)) = size
            && size.parse::<u64>().is_ok_and(|bytes| bytes < least)
        {
            let message = format!("`{word}` is a size of {size} bytes, with which Java does not start");
            sink.push(
                Diagnostic::new(&RULE.info, span, message).help(format!("add the unit, as in `{word}m`")),
            );
        }
    }
}

/// What comes of options that do not mean to a shell that reads them twice what they mean to one that does so once.
fn misread(text: &str, span: Span) -> Option<Diagnostic> {
    const HELP: &str = "only single quotes group (`-Dname='two words'`), and all options stand in one line";
    let twice = match words::java_options(text) {
        Ok(words) => words,
        Err(found) => {
            let message = format!("a server's shell reads these options twice: {}", found.why);
            return Some(Diagnostic::new(&RULE.info, span, message).help(HELP));
        }
    };
    let once = words::sqoop_command(text, true).ok()?;
    let differs =
        once.iter().filter(|word| !word.is_empty()).ne(twice.iter().filter(|word| !word.is_empty()));
    let message =
        format!("a server's shell reads these options twice, and makes `{}` of them", twice.join(" "));
    differs.then(|| Diagnostic::new(&RULE.info, span, message).help(HELP))
}
