//! A `chmod` names permissions in a form that the server does not read.
//!
//! The action fails when it starts (FS010). Three digits from 0 to 7 are read, or ten characters as `ls` prints them;
//! four digits and words such as `u+x` are not.
//!
//! ```xml
//! <chmod path="${nameNode}/out" permissions="0755"/>          <!-- wrong -->
//! <chmod path="${nameNode}/out" permissions="755"/>           <!-- right -->
//! <chmod path="${nameNode}/out" permissions="-rwxr-xr-x"/>    <!-- right -->
//! ```

use super::{Check, Rule, Sink};
use crate::analysis::actions;
use crate::analysis::subject::Workflow;
use crate::diag::{Diagnostic, Edit, Group, Info, Severity, Stage};
use crate::model::action::{Details, FsKind};
use crate::source::Text;

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "fs-permissions-invalid",
        group: Group::Meaning,
        severity: Severity::Error,
        stage: Some(Stage::Action),
        mirrors: &["FS010"],
        explanation: include_str!("fs_permissions_invalid.rs"),
    },
    check: Check::Workflow(check),
};

/// `FsActionExecutor.createShortPermission`
fn check(app: &Workflow<'_>, sink: &mut Sink) {
    for action in app.actions() {
        let Details::Fs(fs) = &action.details else { continue };
        for operation in fs.operations.iter().filter(|operation| operation.kind == FsKind::Chmod) {
            let Some(written) = &operation.permissions else { continue };
            let Some(known) = actions::known(app.values, written) else { continue };
            if let Some(mut finding) = judge(&known) {
                finding.fix = finding.fix.filter(|_| actions::is_written(written));
                sink.push(actions::at_start(&app.flow, action, finding));
            }
        }
    }
}

fn judge(text: &Text) -> Option<Diagnostic> {
    let value = text.value.as_str();
    let is_octal = |text: &str| text.bytes().all(|byte| matches!(byte, b'0'..=b'7'));
    let finding = || {
        let message = format!("`{value}` is no permissions that `chmod` reads");
        Diagnostic::new(&RULE.info, text.span, message)
    };
    match value.chars().count() {
        3 if is_octal(value) => None,
        3 if is_misread(value) => {
            let message = format!("`{value}` is read as other permissions than it says");
            let finding = Diagnostic::new(&RULE.info, text.span, message).severity(Severity::Warning);
            Some(finding.stage(None).help("write three digits from 0 to 7"))
        }
        // They go to a reader of octal numbers, whose complaint has no code of its own.
        3 => Some(finding().oozie(&[]).help("write three digits from 0 to 7")),
        10 if is_listed(value) => None,
        10 => Some(finding().oozie(&[]).help("write it as `ls` does, as in `-rwxr-x---`")),
        4 if value.starts_with('0') && is_octal(value) => {
            let edit = Edit { span: text.span, text: value[1..].to_owned() };
            Some(finding().help(format!("write `{}`", &value[1..])).fix(true, vec![edit]))
        }
        _ => Some(finding().help("write three digits, as in `750`, or ten characters, as in `-rwxr-x---`")),
    }
}

/// The server takes the distance of each character from `0` for a digit; what that adds up to may be an octal number.
fn is_misread(value: &str) -> bool {
    let sum = value.chars().fold(0i64, |sum, c| sum * 10 + (i64::from(u32::from(c)) - i64::from(b'0')));
    i16::from_str_radix(&sum.to_string(), 8).is_ok()
}

/// What `FsPermission.valueOf` takes: any first character, then nine of `rwx` and `-`, at the end perhaps `t`.
fn is_listed(value: &str) -> bool {
    let signs = value.chars().skip(1).zip("rwxrwxrwx".chars()).enumerate();
    signs
        .into_iter()
        .all(|(at, (found, sign))| found == sign || found == '-' || at == 8 && matches!(found, 't' | 'T'))
}
