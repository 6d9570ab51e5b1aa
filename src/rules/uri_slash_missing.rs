//! Text follows the address of a name node without a `/` between them.
//!
//! `${nameNode}data/clicks` is `hdfs://nn.example:8020data/clicks`: the text becomes a part of the host or of the port, and no
//! such host is found. Reported where the value of the parameter is known to end with a host or a port. The same comes of
//! `${nameNode}${folder}` where `folder` does not begin with `/`; and where it has a scheme of its own, or stands behind one
//! (`hdfs://${nameNode}`), two schemes stand in one path.
//!
//! ```xml
//! <uri-template>${nameNode}data/clicks/${YEAR}</uri-template>
//! <uri-template>${nameNode}/data/clicks/${YEAR}</uri-template>
//! ```

use super::{Check, Rule, Sink};
use crate::analysis::parameters::is_address;
use crate::analysis::subject::Expressions;
use crate::diag::{Diagnostic, Edit, Group, Info, Severity};
use crate::el::{NodeKind, Part, Template};

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
        sink.extend(joined(app, parsed));
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

/// An address and a value that follow each other, or a scheme before an address: what comes of them is no address.
fn joined(app: &Expressions<'_>, parsed: &Template) -> Vec<Diagnostic> {
    let value = |part: &Part| match part {
        Part::Expression { root, range, .. } => match &parsed.node(*root).kind {
            NodeKind::Variable(name) => {
                app.values.property(name).map(|value| (name.clone(), value.trim(), range.clone()))
            }
            _ => None,
        },
        Part::Literal { .. } => None,
    };
    let mut found = Vec::new();
    for (at, part) in parsed.parts.iter().enumerate() {
        let Some((name, behind, range)) = value(part) else { continue };
        let span = parsed.text.span_of(range);
        let before = at.checked_sub(1).and_then(|at| parsed.parts.get(at));
        let has_scheme = behind.split_once("://").is_some_and(|(scheme, _)| is_scheme(scheme));
        match before {
            Some(Part::Literal { range: literal, .. }) => {
                let literal = parsed.text.value.get(literal.clone()).unwrap_or_default();
                if has_scheme && literal.trim_start().strip_suffix("://").is_some_and(is_scheme) {
                    let message = format!("`{name}` has a scheme of its own: `{literal}{behind}`");
                    let help = format!("write `${{{name}}}` without `{}` before it", literal.trim());
                    found.push(Diagnostic::new(&RULE.info, span, message).help(help));
                }
            }
            Some(before) => {
                let Some((address, host, _)) = value(before).filter(|(_, host, _)| is_address(host)) else {
                    continue;
                };
                if has_scheme {
                    let message =
                        format!("`{name}` has a scheme of its own, behind the address in `{address}`");
                    let help = format!("write `${{{name}}}` alone, or a path in `{name}`");
                    found.push(Diagnostic::new(&RULE.info, span, message).help(help));
                } else if behind.starts_with(|c: char| c.is_ascii_alphanumeric()) {
                    let message = format!(
                        "`{behind}` of `{name}` becomes a part of the address in `{address}`: `{host}{behind}`"
                    );
                    let help = format!(
                        "begin the value of `{name}` with `/`, or write `${{{address}}}/${{{name}}}`"
                    );
                    found.push(Diagnostic::new(&RULE.info, span, message).help(help));
                }
            }
            None => {}
        }
    }
    found
}

fn is_scheme(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic()) && text.chars().all(|c| c.is_ascii_alphanumeric())
}
