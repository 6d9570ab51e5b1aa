//! One fault, one finding: what is said twice, and what a schema says already.
//!
//! What a schema says keeps the schema's name, since others tell by it whether a document is valid. The rule that knows
//! the fault as well adds its codes, its help and its fix, and either name chooses, weighs and allows the one finding.
//! Where `schema-violation` is switched off as a whole, the rule's own finding stays.

use std::collections::{BTreeMap, BTreeSet};

use crate::diag::{Cause, Diagnostic, Group, Info, Label, Severity, Stage};
use crate::source::{FileId, Span};

/// Rules that know a fault better which the schema sees as well. Others may find another fault at the same element.
const IN_SCHEMA: &[&str] = &["dialect-mixed", "fork-single-path", "node-name-invalid", "transition-unknown"];

/// Of findings that say the same of one place the graver one, where the first of them stood.
pub fn once(findings: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let graveness = |finding: &Diagnostic| (finding.severity, finding.stage.is_none(), finding.stage);
    let mut places: BTreeMap<(Span, &'static str, String), usize> = BTreeMap::new();
    let mut kept: Vec<Diagnostic> = Vec::with_capacity(findings.len());
    for finding in findings {
        let key = (finding.span, finding.rule.name, finding.message.clone());
        match places.get(&key) {
            None => {
                places.insert(key, kept.len());
                kept.push(finding);
            }
            Some(at) if graveness(&finding) < graveness(&kept[*at]) => kept[*at] = finding,
            Some(_) => {}
        }
    }
    kept
}

/// A finding, and what else it may be called by.
#[derive(Clone, Debug)]
pub struct Told {
    /// The finding.
    pub finding: Diagnostic,
    /// The rule that knows the same fault, and where it found it.
    pub rule: Option<(&'static Info, Span)>,
}

/// Puts what rules say of a place into what the schema says of it. What the schema says of the other places that one
/// fix changes, as the transitions to a node with a bad name, goes into labels. `is_told` tells of the schema's findings
/// which are told at all.
pub fn schema_first(findings: Vec<Diagnostic>, is_told: impl Fn(&Diagnostic) -> bool) -> Vec<Told> {
    let mut by_schema: BTreeMap<Span, usize> = BTreeMap::new();
    for (at, finding) in findings.iter().enumerate().filter(|(_, finding)| is_of_schema(finding)) {
        if is_told(finding) {
            by_schema.entry(finding.span).or_insert(at);
        }
    }
    let told = |finding| Some(Told { finding, rule: None });
    let mut kept: Vec<Option<Told>> = findings.into_iter().map(told).collect();
    for at in 0..kept.len() {
        if by_schema.is_empty() {
            break;
        }
        let same = |told: &Told| {
            let finding = &told.finding;
            let is_refusal = finding.severity == Severity::Error && finding.stage == Some(Stage::Submit);
            let known = by_schema.get(&finding.span).copied();
            known.filter(|_| is_refusal && IN_SCHEMA.contains(&finding.rule.name))
        };
        let Some(known) = kept[at].as_ref().and_then(same) else { continue };
        let Some(Told { finding, .. }) = kept[at].take() else { continue };
        let places = renamed(&finding).into_iter().filter(|span| *span != finding.span);
        let elsewhere: Vec<usize> = places.filter_map(|span| by_schema.get(&span).copied()).collect();
        let elsewhere: Vec<Told> = elsewhere.into_iter().filter_map(|at| kept[at].take()).collect();
        if let Some(known) = &mut kept[known] {
            known.rule = Some((finding.rule, finding.span));
            absorb(&mut known.finding, finding);
            let label = |other: Told| Label { span: other.finding.span, message: "and here".to_owned() };
            known.finding.labels.extend(elsewhere.into_iter().map(label));
        }
    }
    kept.into_iter().flatten().collect()
}

/// Leaves out what is but a consequence of a fault that is told as well.
pub fn without_consequences(findings: Vec<Diagnostic>) -> Vec<Diagnostic> {
    if findings.iter().all(|finding| finding.cause.is_none()) {
        return findings;
    }
    let mut places: BTreeMap<(FileId, u32, u32, &'static str), &'static Info> = BTreeMap::new();
    let place = |one: &Diagnostic| (one.span.file, one.span.start, one.span.end, one.rule.name);
    places.extend(findings.iter().map(|one| (place(one), one.rule)));
    let is_told = |cause: Cause| {
        let Span { file, start, end } = cause.within;
        let mut inside = places.range((file, start, 0, "")..=(file, end, u32::MAX, ""));
        inside.any(|((_, _, last, _), rule)| *last <= end && cause.is_reported_as(rule))
    };
    findings.into_iter().filter(|finding| !finding.cause.is_some_and(is_told)).collect()
}

fn is_of_schema(finding: &Diagnostic) -> bool {
    finding.rule.group == Group::Schema && finding.severity == Severity::Error
}

/// The places that a fix gives another name.
fn renamed(finding: &Diagnostic) -> BTreeSet<Span> {
    let edits = finding.fix.iter().flat_map(|fix| &fix.edits);
    let texts: BTreeSet<&str> = edits.clone().map(|edit| edit.text.as_str()).collect();
    match texts.len() {
        1 if !texts.contains("") => edits.map(|edit| edit.span).collect(),
        _ => BTreeSet::new(),
    }
}

fn absorb(known: &mut Diagnostic, finding: Diagnostic) {
    for code in finding.oozie {
        if !known.oozie.contains(&code) {
            known.oozie.push(code);
        }
    }
    known.labels.extend(finding.labels);
    known.help = finding.help.or(known.help.take());
    known.fix = known.fix.take().or(finding.fix);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diag::{Edit, Info};
    use crate::source::Sources;

    const fn info(name: &'static str, group: Group, mirrors: &'static [&'static str]) -> Info {
        Info { name, group, severity: Severity::Error, stage: Some(Stage::Submit), mirrors, explanation: "" }
    }
    static SCHEMA: Info = info("schema-violation", Group::Schema, &["E0701"]);
    static RULE: Info = info("node-name-invalid", Group::Meaning, &["E0701", "E0724"]);

    static OTHER: Info = info("action-missing-endpoint", Group::Meaning, &["E0701"]);

    fn spans() -> [Span; 2] {
        let file = Sources::new().add("a.xml", "1a 1a");
        [Span::new(file, 0..2), Span::new(file, 3..5)]
    }

    #[test]
    fn the_graver_of_two_stays() {
        let [a, b] = spans();
        let finding = |span, message: &str| Diagnostic::new(&RULE, span, message);
        let note = finding(a, "x").severity(Severity::Info);
        let kept = once(vec![note, finding(b, "x"), finding(a, "x"), finding(a, "y"), finding(b, "x")]);
        let told: Vec<_> = kept.iter().map(|it| (it.span, it.message.as_str(), it.severity)).collect();
        let error = Severity::Error;
        assert_eq!(told, [(a, "x", error), (b, "x", error), (a, "y", error)]);
    }

    #[test]
    fn a_rule_adds_to_what_the_schema_says() {
        let [name, transition] = spans();
        let edits = [name, transition].map(|span| Edit { span, text: "_1a".to_owned() });
        let rule = Diagnostic::new(&RULE, name, "bad").help("begin with a letter").fix(false, edits.to_vec());
        let schema = |span| Diagnostic::new(&SCHEMA, span, "not a name").help("no name");
        let first = |list| schema_first(list, |_| true);
        let told = first(vec![rule.clone(), schema(transition), schema(name)]);
        assert_eq!(told.len(), 1);
        assert_eq!(told[0].rule.map(|(rule, at)| (rule.name, at)), Some(("node-name-invalid", name)));
        let told = [&told[0].finding];
        assert_eq!((told[0].rule.name, told[0].span), ("schema-violation", name));
        assert_eq!(told[0].oozie, ["E0701", "E0724"]);
        assert_eq!(told[0].help.as_deref(), Some("begin with a letter"));
        assert_eq!((told[0].fix.as_ref(), told[0].labels[0].span), (rule.fix.as_ref(), transition));
        // Without the schema's word, and where the server would not refuse, the rule speaks for itself.
        assert_eq!(first(vec![rule.clone(), schema(transition)]).len(), 2);
        assert_eq!(schema_first(vec![rule.clone(), schema(name)], |_| false).len(), 2);
        assert_eq!(first(vec![rule.clone().stage(None), schema(name)]).len(), 2);
        let other = Diagnostic { rule: &OTHER, ..rule };
        assert_eq!(first(vec![other, schema(name)]).len(), 2);
    }
}
