//! A done-flag is nearly `_SUCCESS`, or a whole path.
//!
//! The server waits for a file of exactly this name in the folder of the instance. Hadoop's jobs write `_SUCCESS`; a flag
//! that differs from it in a letter or in its case never appears, and actions time out. A done-flag is a name within the
//! folder: a URI, or a part of a date in it, is no such name.
//!
//! ```xml
//! <done-flag>_SUCESS</done-flag>
//! <done-flag>_SUCCESS</done-flag>
//! ```

use super::{Check, Rule, Sink};
use crate::analysis::subject::Coordinator;
use crate::analysis::templates::Place;
use crate::diag::{Diagnostic, Edit, Group, Info, Severity, distance};

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "done-flag-misspelt",
        group: Group::Meaning,
        severity: Severity::Warning,
        stage: None,
        mirrors: &[],
        explanation: include_str!("done_flag_misspelt.rs"),
    },
    check: Check::Coordinator(check),
};

/// What Hadoop's jobs write (`FileOutputCommitter.SUCCEEDED_FILE_NAME`).
const USUAL: &str = "_SUCCESS";
/// How many letters a slip changes.
const SLIP: usize = 2;

fn check(app: &Coordinator<'_>, sink: &mut Sink) {
    for dataset in app.datasets.values() {
        let Some(flag) = &dataset.model.done_flag else { continue };
        let written = flag.trimmed();
        let parts = ["${YEAR}", "${MONTH}", "${DAY}", "${HOUR}", "${MINUTE}"];
        if written.value.contains("://") || parts.iter().any(|part| written.value.contains(part)) {
            let message = "a done-flag is the name of a file in the folder of the instance, not a URI";
            sink.push(
                Diagnostic::new(&RULE.info, written.span, message)
                    .help("write the name alone, such as `_SUCCESS`"),
            );
            continue;
        }
        let Some(value) = app.values.trimmed(flag, Place::Coordinator) else { continue };
        if value == USUAL || distance(&value.to_uppercase(), USUAL, SLIP).is_none() {
            continue;
        }
        let message = format!("the done-flag `{value}` is not the `{USUAL}` that Hadoop's jobs write");
        let finding = Diagnostic::new(&RULE.info, written.span, message).help(format!("write `{USUAL}`"));
        sink.push(match written.value == value {
            true => finding.fix(false, vec![Edit { span: written.span, text: USUAL.to_owned() }]),
            false => finding,
        });
    }
}
