//! `coord:tzOffset()` stands where a number of instances is meant.
//!
//! It gives the minutes between the dataset's timezone and the coordinator's: 480, not 8, between UTC and Los Angeles.
//! As the argument of `coord:current` that is right only for a dataset with an instance every minute. Divide it by the
//! minutes between two instances.
//!
//! ```xml
//! <instance>${coord:current(coord:tzOffset())}</instance>
//! <instance>${coord:current(coord:tzOffset() / 60)}</instance>   <!-- for hourly data -->
//! ```

use super::{Check, Rule, Sink};
use crate::analysis::schedule::Dataset;
use crate::analysis::subject::Coordinator;
use crate::diag::{Diagnostic, Edit, Group, Info, Severity};
use crate::el::{self, Binary, NodeId, NodeKind, Unary};
use crate::model::coordinator::Instances;
use crate::source::Text;
use crate::time::Unit;

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "tzoffset-minutes",
        group: Group::Meaning,
        severity: Severity::Warning,
        stage: None,
        mirrors: &[],
        explanation: include_str!("tzoffset_minutes.rs"),
    },
    check: Check::Coordinator(check),
};

fn check(app: &Coordinator<'_>, sink: &mut Sink) {
    let inputs = app.model.inputs.iter().map(|event| &event.instances).zip(&app.inputs);
    let outputs = app.model.outputs.iter().map(|event| &event.instances).zip(&app.outputs);
    for (instances, event) in inputs.chain(outputs) {
        let dataset = app.datasets.get(event.dataset.as_str());
        let Instances { single, start, end } = instances;
        for text in single.iter().chain(start).chain(end) {
            find(text, dataset, sink);
        }
    }
}

fn find(text: &Text, dataset: Option<&Dataset<'_>>, sink: &mut Sink) {
    if !text.value.contains("tzOffset") {
        return;
    }
    let (template, _) = el::parse(text);
    let minutes = dataset.and_then(|dataset| dataset.every).and_then(|(count, unit, _)| match unit {
        Unit::Minute => Some(count),
        Unit::Day => Some(count.saturating_mul(24 * 60)),
        _ => None,
    });
    // Only where it is known how far apart instances are can minutes be told from instances.
    let Some(minutes) = minutes.filter(|minutes| *minutes > 1) else { return };
    for call in template.calls().filter(|call| (call.prefix, call.name) == ("coord", "tzOffset")) {
        let parents = parents(&template, call.node);
        // A call whose value is scaled by hand is left alone, and so is what only decides.
        let is_scaled = parents.iter().any(|parent| {
            matches!(parent, NodeKind::Binary(operator, ..) if !matches!(operator, Binary::Plus | Binary::Minus))
                || matches!(parent, NodeKind::Choice { .. } | NodeKind::Property { .. })
        });
        let counts = parents.iter().any(|parent| {
            matches!(parent, NodeKind::Call { prefix, name, .. }
                if &**prefix == "coord" && matches!(&**name, "current" | "currentRange" | "latest" | "latestRange"))
        });
        if is_scaled || !counts {
            continue;
        }
        let span = template.span(call.node);
        let message = format!(
            "`coord:tzOffset()` gives minutes, but `coord:current` counts instances of {minutes} minutes"
        );
        let mut finding = Diagnostic::new(&RULE.info, span, message);
        if let Some(frequency) = dataset.and_then(|dataset| dataset.model.frequency.as_ref()) {
            finding = finding.label(frequency.span, "the dataset's frequency");
        }
        finding = finding.help(format!("divide it by {minutes}"));
        let negated = matches!(parents.first(), Some(NodeKind::Unary(Unary::Negative, _)));
        let better = match negated {
            true => format!("(coord:tzOffset() / {minutes})"),
            false => format!("coord:tzOffset() / {minutes}"),
        };
        // A part of an instance has no meaning: hours fit, days do not.
        sink.push(match minutes {
            ..=60 => finding.fix(false, vec![Edit { span, text: better }]),
            _ => finding,
        });
    }
}

/// The nodes around a node, innermost first.
fn parents(template: &el::Template, id: NodeId) -> Vec<&NodeKind> {
    let at = id.0;
    let around = template.nodes.iter().zip(0u32..).filter(|(node, index)| {
        // A subtree ends at its root.
        *index > at && index + 1 - node.size <= at
    });
    around.map(|(node, _)| &node.kind).collect()
}
