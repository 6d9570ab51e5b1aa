//! What is wrong with a bundle whatever values it is submitted with.

use std::collections::BTreeMap;

use super::findings::{BUNDLE_ALL_DISABLED, BUNDLE_COORDINATOR_NAME_EMPTY};
use super::submit::{Definition, duplicate, kick_off_time};
use crate::analysis::parameters::{JobConf, PARAMETER_NAME_EMPTY, verify, xml_trim};
use crate::diag::Diagnostic;
use crate::el;
use crate::model::Bundle;
use crate::plan::evaluate::printed_mark;
use crate::plan::serialize::serialize;
use crate::source::{Span, Text};
use crate::time::ProcessingZone;

/// The fault of syntax that only the printed definition has: a quote or another mark of XML within an expression.
pub fn printed_syntax(definition: Definition<'_>) -> Option<Diagnostic> {
    let printed = serialize(definition.root, definition.text);
    let (template, _) = el::parse(&printed);
    printed_mark(&printed, &template).map(|found| found.oozie(&["E1310", "E1004"]))
}

/// The faults that no value mends: two coordinators of one name, no name at all, a kick-off time that is none, nobody
/// enabled, a formal parameter without a name.
pub fn alone(bundle: &Bundle, zone: ProcessingZone) -> Vec<Diagnostic> {
    let mut findings = verify(&mut JobConf::new(), &bundle.namespace.value, &bundle.parameters);
    findings.retain(|found| found.rule.name == PARAMETER_NAME_EMPTY.name);
    for finding in &mut findings {
        finding.oozie.insert(0, "E1310");
    }
    let mut seen: BTreeMap<&str, Span> = BTreeMap::new();
    for coordinator in &bundle.coordinators {
        let Some(name) = &coordinator.name else { continue };
        if name.value.is_empty() {
            let message = "a coordinator has an empty name";
            let finding = Diagnostic::new(&BUNDLE_COORDINATOR_NAME_EMPTY, coordinator.tag_span, message);
            findings.push(finding.help("give it a name"));
        }
        // What is written alike resolves alike.
        match seen.get(&*name.value) {
            None => drop(seen.insert(&name.value, name.span)),
            Some(first) => findings.push(duplicate(&name.value, name.span, *first)),
        }
    }
    if let Some(time) = bundle.kick_off_time.as_ref().filter(|time| is_literal(time)) {
        // The definition is printed before it is evaluated, which trims it.
        if !xml_trim(&time.value).is_empty() {
            findings.extend(kick_off_time(time, zone, true).1);
        }
    }
    let is_off = |enabled: &Text| is_literal(enabled) && !enabled.value.eq_ignore_ascii_case("true");
    let mut coordinators = bundle.coordinators.iter().peekable();
    if coordinators.peek().is_some() && coordinators.all(|it| it.enabled.as_ref().is_some_and(is_off)) {
        let message = "no coordinator of the bundle is enabled";
        let finding = Diagnostic::new(&BUNDLE_ALL_DISABLED, bundle.name_span, message);
        findings.push(finding.help("set `enabled` of one to `true`, or remove it"));
    }
    findings
}

fn is_literal(text: &Text) -> bool {
    !text.value.contains(['$', '#', '\\'])
}
