//! What is wrong with the expressions of an app, told without any value: syntax, functions, phases, arguments.

use super::templates::{Template, templates};
use crate::diag::{Diagnostic, Severity, Stage};
use crate::el;
use crate::model::{App, functions};

/// Checks every expression of an app. `is_reached` says whether a workflow node, by its index, can ever be entered:
/// what no server ever evaluates is a warning.
pub fn check(app: &App, is_reached: impl Fn(usize) -> bool) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    for template in templates(app) {
        // Service levels are evaluated at submission, those of unreachable actions too.
        let reached = template.place.stage() == Stage::Submit || template.node.is_none_or(&is_reached);
        findings.extend(check_one(&template).into_iter().map(|finding| placed(finding, &template, reached)));
    }
    findings
}

fn check_one(template: &Template<'_>) -> Vec<Diagnostic> {
    let (parsed, mut findings) = el::parse(template.text);
    findings.extend(functions::check(&parsed, template.place.phase()));
    findings
}

/// The finding with the stage and the codes of its place.
fn placed(finding: Diagnostic, template: &Template<'_>, reached: bool) -> Diagnostic {
    if reached {
        finding.stage(Some(template.place.stage())).oozie(template.codes)
    } else {
        finding.stage(None).severity(Severity::Warning)
    }
}
