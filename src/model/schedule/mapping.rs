//! Mappings: which values of the triggering runs the started run is given under which names.

use super::fields::{Fields, Unknown};
use super::findings::{SCHEDULE_MAPPING_INVALID, refusal};
use super::{DEFAULT_NAMESPACE, MAX_PROPERTIES};
use crate::data::{self, FaultKind, Node};
use crate::diag::Diagnostic;
use crate::source::Text;

/// The property that holds a mapping as JSON.
pub const MAPPING_PROPERTY: &str = "triggering.properties.mapping";

/// A mapping.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mapping {
    /// Its entries in the order in which they are worked through: arguments, then those of stages.
    pub entries: Vec<Mapped>,
}

/// One value under a name.
#[derive(Clone, Debug, PartialEq)]
pub struct Mapped {
    /// The action of the triggering workflow that gives it; none: the payload does.
    pub stage: Option<Text>,
    /// Its name there.
    pub source: Text,
    /// Its name here.
    pub target: Text,
    /// The namespace and application whose runs are asked; none: all.
    pub of: Option<(String, String)>,
}

impl Mapping {
    /// Reads the JSON text of the property.
    pub(super) fn parse(text: &Text, sink: &mut Vec<Diagnostic>) -> Mapping {
        let (node, faults) = data::json(text);
        for fault in faults.into_iter().filter(|fault| fault.kind != FaultKind::Comma) {
            let message = format!("the mapping is not JSON: {}", fault.message);
            sink.push(refusal(&SCHEDULE_MAPPING_INVALID, fault.span, message));
        }
        let mut mapping = Mapping::default();
        let Some(node) = node else { return mapping };
        let mut own = Vec::new();
        if let Some(mut fields) = Fields::of(&node, "mapping", Unknown::Refused, &mut own) {
            let arguments = fields.list("arguments").unwrap_or_default();
            let stages = fields.list("pluginProperties").unwrap_or_default();
            for (item, is_stage) in
                arguments.iter().map(|item| (item, false)).chain(stages.iter().map(|item| (item, true)))
            {
                mapping.entries.extend(entry(item, is_stage, fields.sink));
            }
            if mapping.entries.len() > MAX_PROPERTIES {
                let message = format!("a mapping must not have more than {MAX_PROPERTIES} entries");
                fields.fault(node.span, message);
                mapping.entries.clear();
            }
            fields.finish();
        }
        sink.extend(own.into_iter().map(|finding| Diagnostic { rule: &SCHEDULE_MAPPING_INVALID, ..finding }));
        mapping
    }
}

fn entry(item: &Node, is_stage: bool, sink: &mut Vec<Diagnostic>) -> Option<Mapped> {
    let mut fields = Fields::of(item, "entry", Unknown::Refused, sink)?;
    let stage = if is_stage { fields.text("stageName").cloned() } else { None };
    if is_stage && stage.is_none() && !fields.has("stageName") {
        fields.missing("stageName");
    }
    let source = fields.text("source").cloned();
    if source.is_none() && !fields.has("source") {
        fields.missing("source");
    }
    let target = fields.text("target").cloned();
    let of = fields.node("pipelineId").and_then(|node| {
        let mut fields = Fields::of(node, "pipelineId", Unknown::Refused, fields.sink)?;
        let namespace = fields.text("namespace").map(|text| text.value.clone());
        let name = fields.text("pipelineName").map(|text| text.value.clone());
        if name.is_none() {
            fields.missing("pipelineName");
        }
        fields.finish();
        Some((namespace.unwrap_or_else(|| DEFAULT_NAMESPACE.to_owned()), name?))
    });
    fields.finish();
    let source = source?;
    if is_stage && stage.is_none() {
        return None;
    }
    let target = target.unwrap_or_else(|| source.clone());
    Some(Mapped { stage, source, target, of })
}
