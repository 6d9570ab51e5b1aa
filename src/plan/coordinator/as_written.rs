//! Mistakes that no value can mend, seen in the text alone: two ends that have changed places.

use super::findings::COORDINATOR_EMPTY_RANGE;
use super::materialize::reversed;
use crate::diag::{Diagnostic, Severity};
use crate::el::{self, NodeKind, Part};
use crate::model::Coordinator;
use crate::model::coordinator::Instances;
use crate::source::Text;

/// The finding for one name at both ends, and for `start="${end}" end="${start}"`: two names that differ in these words alone, each in the other's place.
/// A warning, since names bind nobody.
pub fn swapped_range(app: &Coordinator) -> Option<Diagnostic> {
    let (start, end) = (app.start.as_ref()?, app.end.as_ref()?);
    let (start_name, end_name) = (sole_variable(start)?, sole_variable(end)?);
    if start_name == end_name {
        let message = format!("`start` and `end` are both `{start_name}`, so the range is empty");
        return Some(
            Diagnostic::new(&COORDINATOR_EMPTY_RANGE, end.span, message).label(start.span, "the start"),
        );
    }
    let (first, last) = (start_name.to_lowercase(), end_name.to_lowercase());
    let is_swapped = first.contains("end")
        && last.contains("start")
        && first != last
        && first.replacen("end", "start", 1) == last;
    let message = format!("`start` is `{start_name}` and `end` is `{end_name}`");
    let found = Diagnostic::new(&COORDINATOR_EMPTY_RANGE, start.span, message)
        .severity(Severity::Warning)
        .stage(None)
        .label(end.span, "the end")
        .help("let them change places");
    is_swapped.then_some(found)
}

/// The finding for a range whose ends are written out in the wrong order, `coord:current(9)` to `coord:current(1)`,
/// whatever their dataset is.
pub(super) fn reversed_range(instances: &Instances) -> Option<Diagnostic> {
    let (start, end) = (instances.start.as_ref()?, instances.end.as_ref()?);
    let ((first, from), (last, to)) = (instance(&start.value)?, instance(&end.value)?);
    (first == last && from > to).then(|| reversed(start, end))
}

/// A function of instances and its number, where these are all of a text.
fn instance(text: &str) -> Option<(&str, i64)> {
    let call = text.trim().strip_prefix("${")?.strip_suffix('}')?.trim();
    let (name, rest) = call.split_once('(')?;
    let is_known = matches!(name, "coord:current" | "coord:latest" | "coord:future");
    is_known.then_some((name, rest.strip_suffix(')')?.trim().parse().ok()?))
}

/// The variable that a text consists of.
fn sole_variable(text: &Text) -> Option<String> {
    let (template, _) = el::parse(text);
    let [Part::Expression { root, .. }] = template.parts.as_slice() else { return None };
    match &template.node(*root).kind {
        NodeKind::Variable(name) => Some(name.to_string()),
        _ => None,
    }
}
