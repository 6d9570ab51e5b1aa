//! Parameters that nobody has given yet: notes and errors about their names.

use std::collections::BTreeMap;

use indexmap::IndexMap;

use crate::analysis::parameters::PARAMETER_UNDEFINED;
use crate::diag::{Diagnostic, Severity, Stage, closest};
use crate::source::Span;

/// Makes notes of the findings about missing parameters; the others come back as they are.
pub fn supplied_later(findings: Vec<Diagnostic>) -> (Vec<Diagnostic>, Vec<Diagnostic>) {
    let (missing, rest): (Vec<_>, Vec<_>) =
        findings.into_iter().partition(|finding| finding.rule.name == PARAMETER_UNDEFINED.name);
    let names = missing.iter().filter_map(|finding| Some((name_in(finding)?, finding.span)));
    let near: BTreeMap<String, String> = missing
        .iter()
        .filter_map(|finding| Some((name_in(finding)?, finding.help.clone()?)))
        .filter(|(_, help)| help.starts_with("did you mean"))
        .collect();
    let notes = to_supply(names).map(|note| {
        let help = name_in(&note).and_then(|name| near.get(&name).cloned());
        Diagnostic { help: help.or(note.help.clone()), ..note }
    });
    (notes.collect(), rest)
}

/// The name that a finding speaks of first.
pub(super) fn name_in(finding: &Diagnostic) -> Option<String> {
    finding.message.split('`').nth(1).map(str::to_owned)
}

/// One note for each name, at its first use.
pub fn to_supply(names: impl Iterator<Item = (String, Span)>) -> impl Iterator<Item = Diagnostic> {
    let mut first: IndexMap<String, Span> = IndexMap::new();
    for (name, span) in names {
        first.entry(name).or_insert(span);
    }
    first.into_iter().map(|(name, span)| {
        Diagnostic::new(&PARAMETER_UNDEFINED, span, format!("`{name}` must be supplied"))
            .severity(Severity::Info)
            .stage(None)
            .help(format!("supply it with `-D {name}=…` or a property file"))
    })
}

/// A variable that a node uses and nothing gives; `known` are names that it may have been meant for.
pub(super) fn undefined<'a>(name: &str, span: Span, known: impl Iterator<Item = &'a str>) -> Diagnostic {
    let supply = format!("supply it with `-D {name}=…` or a property file");
    Diagnostic::new(&PARAMETER_UNDEFINED, span, format!("`{name}` has no value"))
        .stage(Some(Stage::Action))
        .oozie(&[])
        .help(match closest(name, known) {
            Some(near) => format!("did you mean `{near}`? Else {supply}"),
            None => supply,
        })
}
