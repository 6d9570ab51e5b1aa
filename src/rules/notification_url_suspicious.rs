//! A notification URL has a placeholder that the server does not replace.
//!
//! The server replaces `$jobId`, `$status` and the like in the text as it is: they are no expressions, have no braces, and are
//! spelt exactly so. `${jobId}` is a parameter of that name, and `$jobID` stays in the URL.
//!
//! ```xml
//! oozie.wf.workflow.notification.url=http://host/done?job=${jobId}&state=$Status
//! oozie.wf.workflow.notification.url=http://host/done?job=$jobId&state=$status
//! ```

use super::{Check, Rule, Sink};
use crate::analysis::subject::Properties;
use crate::diag::{Diagnostic, Group, Info, Severity, closest};

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "notification-url-suspicious",
        group: Group::Meaning,
        severity: Severity::Warning,
        stage: None,
        mirrors: &[],
        explanation: include_str!("notification_url_suspicious.rs"),
    },
    check: Check::Properties(check),
};

/// What each kind of notification replaces (`WorkflowNotificationXCommand`, `CoordActionNotificationXCommand`).
const PLACEHOLDERS: [(&str, &[&str]); 3] = [
    ("oozie.wf.workflow.notification.url", &["jobId", "parentId", "status"]),
    ("oozie.wf.action.notification.url", &["jobId", "nodeName", "parentId", "status"]),
    ("oozie.coord.action.notification.url", &["actionId", "status"]),
];

fn check(app: &Properties<'_>, sink: &mut Sink) {
    for property in app.list.iter() {
        let name = property.name.value.trim();
        let Some((_, known)) = PLACEHOLDERS.iter().find(|(of, _)| *of == name) else { continue };
        let value = property.value.trimmed();
        for (at, _) in value.value.match_indices('$') {
            let rest = &value.value[at + 1..];
            let is_braced = rest.starts_with('{');
            let inner = rest.strip_prefix('{').unwrap_or(rest);
            let length = inner.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(inner.len());
            let word = &inner[..length];
            let starts_well = known.iter().any(|known| word.starts_with(known));
            let message = match (is_braced, known.contains(&word), starts_well) {
                (true, true, _) => format!("`${{{word}}}` is a parameter, and the server replaces `${word}`"),
                (true, ..) | (false, _, true) => continue,
                (false, ..) => format!("the server does not replace `${word}` in this URL"),
            };
            let near = known.iter().copied().find(|known| known.eq_ignore_ascii_case(word));
            let near = near.or_else(|| closest(word, known.iter().copied()));
            let all: Vec<String> = known.iter().map(|known| format!("`${known}`")).collect();
            let end = at + 1 + usize::from(is_braced) + length + usize::from(is_braced);
            let finding = Diagnostic::new(&RULE.info, value.span_of(at..end), message);
            sink.push(finding.help(match near {
                Some(near) => format!("write `${near}`"),
                None => format!("it replaces {}", all.join(", ")),
            }));
        }
    }
}
