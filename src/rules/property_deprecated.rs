//! A property of a submission has another name by now.
//!
//! `group.name` still says who may look at a job, but only where `oozie.job.acl` does not, and servers since 3.0 have it
//! for old clients alone (`OozieClient.GROUP_NAME`). Use the new name.
//!
//! ```properties
//! group.name=etl       # old
//! oozie.job.acl=etl
//! ```

use super::{Check, Rule, Sink};
use crate::analysis::properties::Origin;
use crate::analysis::subject::Properties;
use crate::diag::{Diagnostic, Edit, Group, Info, Severity};

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "property-deprecated",
        group: Group::Meaning,
        severity: Severity::Warning,
        stage: None,
        mirrors: &[],
        explanation: include_str!("property_deprecated.rs"),
    },
    check: Check::Properties(check),
};

/// Old names and what is meant instead.
const NAMES: &[(&str, &str)] = &[("group.name", "oozie.job.acl")];

fn check(app: &Properties<'_>, sink: &mut Sink) {
    if app.origin != Origin::File {
        return;
    }
    for property in app.list.iter() {
        let name = property.name.trimmed();
        let Some((_, new)) = NAMES.iter().find(|(old, _)| *old == name.value) else { continue };
        let has_new = app.list.iter().any(|other| other.name.value.trim() == *new);
        let message = match has_new {
            true => format!("`{}` is passed over beside `{new}`", name.value),
            false => format!("`{}` is an old name of `{new}`", name.value),
        };
        let finding = Diagnostic::new(&RULE.info, name.span, message);
        sink.push(match has_new {
            true => finding.help("remove it"),
            false => finding
                .help(format!("write `{new}`"))
                .fix(false, vec![Edit { span: name.span, text: (*new).to_owned() }]),
        });
    }
}
