//! A dataset that a coordinator waits for has no `done-flag`.
//!
//! The server then waits for a file `_SUCCESS` in the folder of the instance, which Hadoop's jobs write, but many other
//! tools do not. An empty `done-flag` waits for the folder itself. Say which of the two is meant.
//!
//! ```xml
//! <uri-template>hdfs://nn/clicks/${YEAR}/${MONTH}/${DAY}</uri-template>
//! <uri-template>hdfs://nn/clicks/${YEAR}/${MONTH}/${DAY}</uri-template><done-flag>_SUCCESS</done-flag>
//! ```

use super::{Check, Rule, Sink};
use crate::analysis::subject::Coordinator;
use crate::diag::{Diagnostic, Edit, Group, Info, Severity};
use crate::source::Span;

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "done-flag-implicit",
        group: Group::Meaning,
        severity: Severity::Info,
        stage: None,
        mirrors: &[],
        explanation: include_str!("done_flag_implicit.rs"),
    },
    check: Check::Coordinator(check),
};

/// How a URI of partitions begins, which have no done-flag.
const HCAT: &str = "hcat:";

fn check(app: &Coordinator<'_>, sink: &mut Sink) {
    for (name, dataset) in &app.datasets {
        let model = dataset.model;
        let is_input = app.inputs.iter().any(|event| event.dataset == *name);
        let Some(template) = model.uri_template.as_ref().filter(|_| is_input && model.done_flag.is_none())
        else {
            continue;
        };
        let uri = dataset.uri(app.values);
        // Where the scheme is not known it may be one of partitions.
        let written = template.value.trim();
        let is_open = uri.is_none()
            && written.starts_with("${")
            && (written.contains([';', '=']) || !written.contains('/'));
        if is_open || uri.as_deref().unwrap_or(&template.value).trim_start().starts_with(HCAT) {
            continue;
        }
        let message = format!("`{name}` has no done-flag: the server waits for `_SUCCESS` in its folder");
        let finding = Diagnostic::new(&RULE.info, model.tag_span, message);
        let finding =
            finding.help("write `<done-flag>_SUCCESS</done-flag>`, or an empty one to wait for the folder");
        // With a prefix before the name, an element without one would stand in another namespace.
        let is_plain = model.tag_span.range().len() == "dataset".len();
        sink.push(match model.uri_template_span.filter(|_| is_plain) {
            Some(span) => {
                let after = Span { start: span.end, ..span };
                let text = "<done-flag>_SUCCESS</done-flag>".to_owned();
                finding.fix(true, vec![Edit { span: after, text }])
            }
            None => finding,
        });
    }
}
