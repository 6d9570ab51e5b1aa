//! The constants. Properties of the same name hide them.

use super::Phase;
use crate::el::Value;

/// A constant.
#[derive(Debug)]
pub struct Constant {
    /// Its name.
    pub name: &'static str,
    /// Its value.
    pub value: ConstantValue,
    /// One line of documentation.
    pub doc: &'static str,
    /// Where it exists.
    pub phases: &'static [Phase],
}

/// What a constant stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConstantValue {
    /// A number.
    Long(i64),
    /// Text. `YEAR` and its like stand for their own expression, so that they survive until an instance is known.
    Text(&'static str),
}

impl Constant {
    /// As a value.
    pub fn value(&self) -> Value<'static> {
        match self.value {
            ConstantValue::Long(number) => Value::Long(number),
            ConstantValue::Text(text) => Value::from(text),
        }
    }
}

/// The constant of this name in this phase.
pub fn constant(phase: Phase, name: &str) -> Option<&'static Constant> {
    CONSTANTS.iter().find(|constant| constant.name == name && constant.phases.contains(&phase))
}

const WORKFLOW: &[Phase] = &[Phase::Workflow];
/// The sizes, which both languages of workflows have.
const SIZES: &[Phase] = &[Phase::Workflow, Phase::Hws];
const SLA: &[Phase] = &[Phase::WfSlaSubmit, Phase::CoordSlaSubmit, Phase::CoordSlaCreate];
const URI: &[Phase] = &[Phase::CoordJobSubmitNofuncs];

const fn long(name: &'static str, value: i64, phases: &'static [Phase], doc: &'static str) -> Constant {
    Constant { name, value: ConstantValue::Long(value), doc, phases }
}

const fn text(
    name: &'static str,
    value: &'static str,
    phases: &'static [Phase],
    doc: &'static str,
) -> Constant {
    Constant { name, value: ConstantValue::Text(value), doc, phases }
}

/// Every constant.
pub static CONSTANTS: &[Constant] = &[
    long("KB", 1 << 10, SIZES, "1,024"),
    long("MB", 1 << 20, SIZES, "1,024 KB"),
    long("GB", 1 << 30, SIZES, "1,024 MB"),
    long("TB", 1 << 40, SIZES, "1,024 GB"),
    long("PB", 1 << 50, SIZES, "1,024 TB"),
    text("RECORDS", "org.apache.hadoop.mapred.Task$Counter", WORKFLOW, "the old group of record counters"),
    text("MAP_IN", "MAP_INPUT_RECORDS", WORKFLOW, "the counter of records read by mappers"),
    text("MAP_OUT", "MAP_OUTPUT_RECORDS", WORKFLOW, "the counter of records written by mappers"),
    text("REDUCE_IN", "REDUCE_INPUT_RECORDS", WORKFLOW, "the counter of records read by reducers"),
    text("REDUCE_OUT", "REDUCE_OUTPUT_RECORDS", WORKFLOW, "the counter of records written by reducers"),
    text("GROUPS", "REDUCE_INPUT_GROUPS", WORKFLOW, "the counter of groups read by reducers"),
    long("MINUTES", 1, SLA, "minutes of a minute"),
    long("HOURS", 60, SLA, "minutes of an hour"),
    long("DAYS", 24 * 60, SLA, "minutes of a day"),
    text("MINUTE", "${MINUTE}", URI, "the minute of an instance, two digits"),
    text("HOUR", "${HOUR}", URI, "the hour of an instance, two digits"),
    text("DAY", "${DAY}", URI, "the day of an instance, two digits"),
    text("MONTH", "${MONTH}", URI, "the month of an instance, two digits"),
    text("YEAR", "${YEAR}", URI, "the year of an instance"),
];
