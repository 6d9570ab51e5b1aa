//! Values that stand in for parameters of a coordinator which nobody has given yet, so that its first action can be looked
//! at all the same.
//!
//! Only what no value can mend is taken from that: the rest may well be the stand-in's fault.

use std::collections::BTreeMap;

use crate::analysis::parameters::{Given, JobConf, Layer};
use crate::analysis::templates::{self, Place};
use crate::diag::{Diagnostic, Info};
use crate::el;
use crate::model::Coordinator;
use crate::plan::coordinator::{
    INPUT_LOGIC_INVALID, INSTANCE_INVALID, INSTANCE_MIXED_RANGE, INSTANCE_RANGE_REVERSED, OUTPUT_UNRESOLVED,
    PARTITION_EXPORT_MANY, URI_INVALID,
};
use crate::source::Text;

/// What shows at its own place, whatever values other places have.
static SURE: &[&Info] =
    &[&INSTANCE_INVALID, &INSTANCE_MIXED_RANGE, &INSTANCE_RANGE_REVERSED, &OUTPUT_UNRESOLVED, &URI_INVALID];

/// Whether a finding about an action that was made with stand-ins holds without them.
pub(super) fn is_sure(finding: &Diagnostic) -> bool {
    SURE.iter().any(|info| info.name == finding.rule.name)
}

/// What shows in how many instances there are.
static OF_COUNTS: &[&Info] = &[&INPUT_LOGIC_INVALID, &PARTITION_EXPORT_MANY];

/// Whether a finding about an action that was made with stand-ins holds where these do not stand in for numbers of
/// instances.
pub(super) fn is_of_counts(finding: &Diagnostic) -> bool {
    OF_COUNTS.iter().any(|info| info.name == finding.rule.name)
}

/// Whether none of these names says when actions are, or which instances they name.
pub(super) fn knows_instances(model: &Coordinator, missing: &[String]) -> bool {
    let asks =
        |text: &Text| el::parse(text).0.variables().any(|(_, name)| missing.iter().any(|it| it == name));
    let places = [Place::Instance, Place::InitialInstance, Place::Frequency];
    let templates = templates::of_coordinator(model).into_iter();
    let counted = templates.filter(|template| places.contains(&template.place)).map(|template| template.text);
    let dates = [&model.start, &model.end, &model.timezone].into_iter().flatten();
    !counted.chain(dates).any(asks)
}

/// The configuration with a value for each of these names that fits the first place which asks for it.
pub(super) fn supplied(
    model: &Coordinator,
    missing: impl IntoIterator<Item = String>,
    conf: &JobConf,
) -> JobConf {
    let mut fitting: BTreeMap<String, &'static str> = BTreeMap::new();
    let attributes = [
        // Behind the first instance of any dataset: before that no range holds anything.
        (&model.start, "2040-01-01T00:00Z"),
        (&model.end, "9999-01-01T00:00Z"),
        (&model.timezone, "UTC"),
        (&model.controls.execution, "FIFO"),
    ];
    let dataset_zones = model.datasets.datasets.iter().map(|dataset| (&dataset.timezone, "UTC"));
    for (text, value) in attributes.into_iter().chain(dataset_zones) {
        let Some(text) = text else { continue };
        for (_, name) in el::parse(text).0.variables() {
            fitting.entry(name.to_owned()).or_insert(value);
        }
    }
    for template in templates::of_coordinator(model) {
        let value = match template.place {
            Place::Frequency => "60",
            Place::InitialInstance => "2000-01-01T00:00Z",
            Place::Timeout | Place::Instance => "1",
            _ => continue,
        };
        for (_, name) in el::parse(template.text).0.variables() {
            fitting.entry(name.to_owned()).or_insert(value);
        }
    }
    for text in [&model.controls.concurrency, &model.controls.throttle].into_iter().flatten() {
        for (_, name) in el::parse(text).0.variables() {
            fitting.entry(name.to_owned()).or_insert("1");
        }
    }
    let mut conf = conf.clone();
    for name in missing {
        let value = fitting.get(&name).copied().unwrap_or("x");
        conf.set(Layer::Definition, Given::new(name, value));
    }
    conf
}
