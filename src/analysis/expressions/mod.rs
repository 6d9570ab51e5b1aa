//! The expressions of an app, each read once, and what is wrong with them as can be told without any value: syntax,
//! functions, phases, arguments.

mod kinds;
mod names;
mod nodes;
mod operands;
mod predicate;
#[cfg(test)]
mod tests;

pub use kinds::{Kind, kinds, number};
pub use names::{names_read, names_used, words};
pub use nodes::{NodeUse, node_uses};
pub use predicate::{Predicate, normal_form, predicate};

use super::templates::{Template, templates};
use super::values::Values;
use crate::diag::{Diagnostic, Severity, Stage};
use crate::el;
use crate::model::{App, functions};
use crate::schema::Version;

/// A text with expressions, read.
#[derive(Debug)]
pub struct Expression<'a> {
    /// The text and its place.
    pub template: Template<'a>,
    /// What was read.
    pub parsed: el::Template,
    /// True when a server evaluates it at some time: start leads to the node that holds it.
    pub is_reached: bool,
    findings: Vec<Diagnostic>,
}

impl Expression<'_> {
    /// A finding with the stage and the codes of its place: what no server ever evaluates is a warning.
    pub fn placed(&self, finding: Diagnostic) -> Diagnostic {
        if self.is_reached {
            finding.stage(Some(self.template.place.stage())).oozie(self.template.codes)
        } else {
            finding.stage(None).severity(Severity::Warning)
        }
    }
}

/// Reads every expression of an app that is no workflow, or whose nodes are all taken for reached.
pub fn of_app(app: &App, version: Version) -> Vec<Expression<'_>> {
    read(templates(app), version, |_| true)
}

/// Reads texts. `is_reached` says whether a workflow node, by its index, can ever be entered.
pub fn read<'a>(
    templates: Vec<Template<'a>>,
    version: Version,
    is_reached: impl Fn(usize) -> bool,
) -> Vec<Expression<'a>> {
    let engine = functions::engine(version);
    let one = |template: Template<'a>| {
        let (parsed, findings) = el::parse_for(template.text, engine);
        // Service levels are evaluated at submission, those of unreachable actions too.
        let is_reached = template.place.stage() == Stage::Submit || template.node.is_none_or(&is_reached);
        Expression { template, parsed, is_reached, findings }
    };
    templates.into_iter().map(one).collect()
}

/// Checks them for the version of some values, and with those values where they are known.
pub fn check(expressions: &[Expression<'_>], values: &Values) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    for expression in expressions {
        let phase = expression.template.place.phase();
        let checked = functions::check_for(&expression.parsed, phase, values.version);
        let said = expression.findings.iter().cloned().chain(checked);
        findings.extend(said.map(|finding| expression.placed(finding)));
        findings.extend(operands::check(expression, values));
    }
    findings
}
