//! One fault that is found twice: in the text as it is written, and again with the values of parameters.

use std::collections::BTreeMap;

use crate::analysis::parameters::PARAMETER_UNDEFINED;
use crate::diag::{Diagnostic, Group, Severity};
use crate::el;
use crate::model;
use crate::source::{FileId, Span};

/// Whether static findings hold one of the same kind at the same place, in other words perhaps; it then takes over the
/// server's codes, which are known better with values.
///
/// The server parses an action as one text, so an expression that is not closed shows there further on than in the text
/// that it begins in.
pub(super) fn tell_codes(
    said: &mut [Diagnostic],
    finding: &Diagnostic,
    nodes: &[model::workflow::Node],
) -> bool {
    if finding.rule.group != Group::Expression {
        return false;
    }
    let node = nodes.iter().find(|node| overlaps(node.span, finding.span));
    let in_node = |other: &Diagnostic| node.is_some_and(|node| overlaps(node.span, other.span));
    let is_syntax = |it: &Diagnostic| it.rule.name == el::EL_SYNTAX.name;
    let same = |other: &&mut Diagnostic| {
        other.rule.group == Group::Expression
            && (overlaps(other.span, finding.span)
                || is_syntax(other) && is_syntax(finding) && in_node(other))
    };
    match said.iter_mut().find(same) {
        Some(other) => {
            if finding.oozie.len() > other.oozie.len() || finding.stage < other.stage {
                other.oozie.clone_from(&finding.oozie);
            }
            other.rule.name == finding.rule.name
        }
        None => false,
    }
}

/// A variable that nothing gives may be only the beginning of a name with dots, which is told as that.
pub(super) fn tell_undefined(said: &mut [Diagnostic], findings: &mut Vec<Diagnostic>) {
    let dotted = |(_, finding): &(usize, &Diagnostic)| finding.rule.name == "el-variable-dotted";
    let places = said.iter().enumerate().filter(dotted);
    let places: BTreeMap<(FileId, u32), usize> =
        places.map(|(index, finding)| ((finding.span.file, finding.span.start), index)).collect();
    if places.is_empty() {
        return;
    }
    findings.retain(|finding| {
        let (rule, span) = (finding.rule.name, finding.span);
        let before = places.range(..=(span.file, span.start)).next_back();
        let Some((_, index)) = before.filter(|_| rule == PARAMETER_UNDEFINED.name) else { return true };
        let other = &mut said[*index];
        if other.span.file != span.file || other.span.end < span.end {
            return true;
        }
        if finding.severity == Severity::Error && finding.stage.is_some() {
            (other.stage, other.oozie) = (finding.stage, finding.oozie.clone());
            other.severity = Severity::Error;
        }
        false
    });
}

pub(super) fn overlaps(a: Span, b: Span) -> bool {
    a.file == b.file && a.start <= b.end && b.start <= a.end
}
