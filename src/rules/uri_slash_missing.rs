//! Text follows the address of a name node without a `/` between them.
//!
//! `${nameNode}data/clicks` is `hdfs://nn.example:8020data/clicks`: the text becomes a part of the host or of the port, and no
//! such host is found. Reported where the value of the parameter is known to end with a host or a port.
//!
//! ```xml
//! <uri-template>${nameNode}data/clicks/${YEAR}</uri-template>
//! <uri-template>${nameNode}/data/clicks/${YEAR}</uri-template>
//! ```

use super::{Check, Rule, Sink};
use crate::analysis::parameters::is_address;
use crate::analysis::subject::Expressions;
use crate::diag::{Diagnostic, Edit, Group, Info, Severity};
use crate::el::{NodeKind, Part};

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "uri-slash-missing",
        group: Group::Meaning,
        severity: Severity::Warning,
        stage: None,
        mirrors: &[],
        explanation: include_str!("uri_slash_missing.rs"),
    },
    check: Check::El(check),
};

fn check(app: &Expressions<'_>, sink: &mut Sink) {
    for expression in app.list {
        let parsed = &expression.parsed;
        for pair in parsed.parts.windows(2) {
            let [Part::Expression { root, range, .. }, Part::Literal { range: next, .. }] = pair else {
                continue;
            };
            let NodeKind::Variable(name) = &parsed.node(*root).kind else { continue };
            let behind = parsed.text.value.get(next.clone()).unwrap_or_default();
            let is_joined =
                range.end == next.start && behind.starts_with(|c: char| c.is_ascii_alphanumeric());
            if !is_joined || !app.values.property(name).is_some_and(is_address) {
                continue;
            }
            let word = behind.find(['/', '$']).map_or(behind, |end| &behind[..end]);
            let span = parsed.text.span_of(next.start..next.start + word.len());
            let message = format!("`{word}` becomes a part of the address in `{name}`");
            sink.push(
                Diagnostic::new(&RULE.info, span, message)
                    .help(format!("write `${{{name}}}/{word}`"))
                    .fix(false, vec![Edit { span: span.at_start(), text: "/".to_owned() }]),
            );
        }
    }
}
