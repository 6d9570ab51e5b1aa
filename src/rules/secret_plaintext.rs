//! A password, a token or a key stands in clear text in a definition, a properties file or a URI.
//!
//! Everybody who reads the repository, and everybody who looks at the job on the server, sees it.
//! Keep it in a credential store (`hadoop.security.credential.provider.path`, a `jceks` file), in a file with narrow
//! permissions (`--password-file` of sqoop), or in a `credential` of the workflow.
//!
//! ```properties
//! db.password=hunter2                       # wrong
//! db.password.alias=db-password             # right: looked up in the credential store
//! ```

use super::{Check, Rule, Sink};
use crate::analysis::secrets::{is_secret, names_secret, shown, within};
use crate::analysis::settings::Setting;
use crate::diag::{Diagnostic, Group, Info, Severity};
use crate::source::Text;
use std::ops::Range;

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "secret-plaintext",
        group: Group::Meaning,
        severity: Severity::Warning,
        stage: None,
        mirrors: &[],
        explanation: include_str!("secret_plaintext.rs"),
    },
    check: Check::Setting(check),
};

fn check(setting: &Setting<'_>, sink: &mut Sink) {
    let text = setting.value.value.as_str();
    let found = if setting.is_property && names_secret(setting.name) && is_secret(text) {
        vec![(format!("`{}` holds a secret in clear text", shown(setting.name)), whole(setting.value))]
    } else {
        let mut found = within(text);
        if found.is_empty() {
            found.extend(element(setting));
        }
        found
    };
    for (message, range) in found {
        let finding = Diagnostic::new(&RULE.info, setting.value.span_of(range), message);
        sink.push(finding.help("keep it in a credential store or in a file that only the job may read"));
    }
}

/// The text without the blanks around it.
fn whole(text: &Text) -> Range<usize> {
    let start = text.value.len() - text.value.trim_start().len();
    start..text.value.trim_end().len().max(start)
}

/// Elements whose name alone says it: `password` of a hive2 action.
fn element(setting: &Setting<'_>) -> Option<(String, Range<usize>)> {
    let says = !setting.is_property && matches!(setting.name, "password" | "secret" | "token");
    (says && is_secret(&setting.value.value))
        .then(|| (format!("`{}` holds a secret in clear text", setting.name), whole(setting.value)))
}
