//! An application path or an include begins with a name, not with a scheme or `/`.
//!
//! A server does not look beside the definition: such a path leads into the home folder of whoever runs the job, where nothing lies
//! most of the time.
//!
//! ```xml
//! <app-path>apps/load</app-path>
//! <app-path>${nameNode}/apps/load</app-path>
//! ```

use super::{Check, Rule, Sink};
use crate::analysis::actions::{self, Start};
use crate::analysis::settings::Setting;
use crate::diag::{Diagnostic, Group, Info, Severity};

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "path-without-root",
        group: Group::Meaning,
        severity: Severity::Warning,
        stage: None,
        mirrors: &[],
        explanation: include_str!("path_without_root.rs"),
    },
    check: Check::Setting(check),
};

fn check(setting: &Setting<'_>, sink: &mut Sink) {
    let is_path = ["workflow", "coordinator", "sub-workflow"]
        .iter()
        .any(|parent| setting.stands_in("app-path", parent));
    if !is_path && !setting.stands_in("include", "datasets") {
        return;
    }
    let value = setting.value.trimmed();
    let text = value.value.as_str();
    // What a build or a template puts in begins in other ways.
    let is_name = text.starts_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_'))
        && !text.contains(['#', '{', '@', '%', '<']);
    let is_open = text.contains("${");
    // The text of a sketch.
    let is_sketch = text == "include" || text == "app-path";
    if is_sketch
        || actions::start(&value) != Start::Name
        || !(is_name || is_open && text.starts_with(|c: char| c.is_ascii_alphanumeric()))
    {
        return;
    }
    let message = format!("`{text}` has no scheme and no `/` before it, so it leads into a home folder");
    sink.push(
        Diagnostic::new(&RULE.info, value.span, message)
            .help("begin with the name node, as in `${nameNode}/…`"),
    );
}
