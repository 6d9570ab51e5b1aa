//! What is known of a Hadoop job that an action of 2009 starts.

use std::sync::Arc;

use crate::engine::{NodeId, WorkflowJob};
use crate::model::Dialect;
use crate::source::Sources;
use crate::xml;

/// The id of a job that a `hadoop` action starts, and its job tracker, as far as the definition names it.
pub(super) fn job(kind: &str, node: NodeId, attempt: u32, definition: &str) -> Option<(Arc<str>, Arc<str>)> {
    if kind != "hadoop" {
        return None;
    }
    let file = Sources::new().add("", definition);
    let root = xml::read(file, definition, &xml::Limits::default()).0?;
    let named = root.child("configuration").into_iter().flat_map(xml::Element::elements).find(|property| {
        property.child("name").is_some_and(|name| name.text().value.trim() == "mapred.job.tracker")
    });
    let tracker = named.and_then(|property| property.child("value")).map(|value| value.text().value);
    let id = format!("job_{:012}_{:04}", node.workflow, u64::from(node.node) * 100 + u64::from(attempt));
    Some((id.into(), tracker.unwrap_or_else(|| "local".to_owned()).trim().into()))
}

/// The state of a job whose action has ended with an error.
pub(super) fn failed(job: Option<&WorkflowJob>) -> Arc<str> {
    job.map_or(Dialect::Oozie, |job| job.program.dialect).failed_job().into()
}
