//! A properties file holds the marks of a merge that was not finished.
//!
//! `<<<<<<<`, `=======` and `>>>>>>>` are read as names of properties, and of the two versions between them the last one counts.
//!
//! ```xml
//! <<<<<<< HEAD
//! queue=etl
//! =======
//! queue=adhoc
//! >>>>>>> branch
//! ```

use super::{Check, Rule, Sink};
use crate::analysis::properties::Origin;
use crate::analysis::subject::Properties;
use crate::diag::{Diagnostic, Group, Info, Severity};

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "merge-conflict-left",
        group: Group::Meaning,
        severity: Severity::Warning,
        stage: None,
        mirrors: &[],
        explanation: include_str!("merge_conflict_left.rs"),
    },
    check: Check::Properties(check),
};

/// What `git` writes around the versions, without the last sign.
const MARKS: [&str; 3] = ["<<<<<<", "======", ">>>>>>"];

fn check(app: &Properties<'_>, sink: &mut Sink) {
    if app.origin != Origin::File {
        return;
    }
    let mut marks = app.list.iter().filter(|property| {
        let (name, value) = (property.name.value.trim(), property.value.value.trim());
        MARKS.iter().any(|mark| name.starts_with(mark) || name.is_empty() && value.starts_with(mark))
    });
    let Some(first) = marks.next() else { return };
    let message = "a merge was not finished here: its marks are read as properties";
    let mut finding =
        Diagnostic::new(&RULE.info, first.span, message).help("decide for one version, and remove the marks");
    for other in marks.take(2) {
        finding = finding.label(other.span, "a mark as well");
    }
    sink.push(finding);
}
