//! Every kind of finding there is, whether a rule or a reader makes it.
//!
//! Stands above rules, readers and planners because it names them all; holds no kind of its own.

use crate::diag::Info;

/// All kinds of findings, sorted by name.
pub fn all() -> Vec<&'static Info> {
    let mut infos: Vec<_> =
        crate::rules::ALL.iter().map(|rule| &rule.info).chain(READING.iter().copied()).collect();
    infos.sort_by_key(|info| info.name);
    infos
}

/// The kind of this name.
pub fn find(name: &str) -> Option<&'static Info> {
    all().into_iter().find(|info| info.name == name)
}

// The kinds that are declared beside the code that finds them. Written by `UPDATE=1 cargo test registry`.
// generated: begin
#[rustfmt::skip]
static READING: &[&Info] = &[
    &crate::analysis::length::DEFINITION_TOO_LONG,
    &crate::analysis::parameters::APP_PATH_CONFLICT,
    &crate::analysis::parameters::APP_PATH_MISSING,
    &crate::analysis::parameters::CONFIGURATION_TOO_LONG,
    &crate::analysis::parameters::PARAMETER_NAME_EMPTY,
    &crate::analysis::parameters::PARAMETER_UNDEFINED,
    &crate::analysis::parameters::PROPERTY_CYCLE,
    &crate::analysis::parameters::PROPERTY_REFERENCE,
    &crate::analysis::parameters::PROPERTY_RESERVED,
    &crate::analysis::parameters::PROPERTY_UNUSED,
    &crate::analysis::upgrade::UPGRADE_LOSS,
    &crate::analysis::upgrade::UPGRADE_REFUSED,
    &crate::el::EL_ARGUMENTS,
    &crate::el::EL_FUNCTION_CONTEXT,
    &crate::el::EL_FUNCTION_UNKNOWN,
    &crate::el::EL_SYNTAX,
    &crate::el::EL_TOO_DEEP,
    &crate::model::schedule::SCHEDULE_CONSTRAINT_INVALID,
    &crate::model::schedule::SCHEDULE_INVALID,
    &crate::model::schedule::SCHEDULE_JSON_COMMA,
    &crate::model::schedule::SCHEDULE_MAPPING_INVALID,
    &crate::model::schedule::SCHEDULE_PROGRAM_TYPE,
    &crate::model::schedule::SCHEDULE_STATUS_INVALID,
    &crate::plan::DATETIME_END_OF_DAY,
    &crate::plan::SLA_INVALID,
    &crate::plan::bundle::BUNDLE_ALL_DISABLED,
    &crate::plan::bundle::BUNDLE_COORDINATOR_DUPLICATE,
    &crate::plan::bundle::BUNDLE_COORDINATOR_MISSING,
    &crate::plan::bundle::BUNDLE_COORDINATOR_NAMESPACE,
    &crate::plan::bundle::BUNDLE_COORDINATOR_NAME_EMPTY,
    &crate::plan::bundle::BUNDLE_KICKOFF_INVALID,
    &crate::plan::bundle::USER_NAME_CONFLICT,
    &crate::plan::bundle::VALUE_BREAKS_XML,
    &crate::plan::coordinator::CONTROL_INVALID,
    &crate::plan::coordinator::COORDINATOR_EMPTY_RANGE,
    &crate::plan::coordinator::COORDINATOR_NEVER_RUNS,
    &crate::plan::coordinator::COORDINATOR_TOO_FREQUENT,
    &crate::plan::coordinator::CRON_FIELD_COUNT,
    &crate::plan::coordinator::CRON_INVALID,
    &crate::plan::coordinator::CRON_NEVER_FIRES,
    &crate::plan::coordinator::DATASET_DUPLICATE,
    &crate::plan::coordinator::DATASET_FREQUENCY_INVALID,
    &crate::plan::coordinator::DATASET_INCLUDE_LOOP,
    &crate::plan::coordinator::DATASET_INCLUDE_MISSING,
    &crate::plan::coordinator::DATASET_INCLUDE_NAMESPACE,
    &crate::plan::coordinator::DATASET_INCOMPLETE,
    &crate::plan::coordinator::DATASET_INITIAL_INVALID,
    &crate::plan::coordinator::DATASET_UNDEFINED,
    &crate::plan::coordinator::DATASET_URI_VARIABLE,
    &crate::plan::coordinator::DATA_EVENT_DUPLICATE,
    &crate::plan::coordinator::DATA_EVENT_UNKNOWN,
    &crate::plan::coordinator::DATETIME_INVALID,
    &crate::plan::coordinator::INPUT_LOGIC_INVALID,
    &crate::plan::coordinator::INSTANCE_ABSOLUTE_INVALID,
    &crate::plan::coordinator::INSTANCE_EMPTY,
    &crate::plan::coordinator::INSTANCE_INVALID,
    &crate::plan::coordinator::INSTANCE_MIXED_RANGE,
    &crate::plan::coordinator::INSTANCE_RANGE_REVERSED,
    &crate::plan::coordinator::INSTANCE_TOO_MANY,
    &crate::plan::coordinator::OUTPUT_UNRESOLVED,
    &crate::plan::coordinator::PARTITION_EXPORT_MANY,
    &crate::plan::coordinator::TIMEZONE_UNKNOWN,
    &crate::plan::coordinator::TIME_OUT_OF_RANGE,
    &crate::plan::coordinator::URI_INVALID,
    &crate::plan::workflow::SUBWORKFLOW_CONFIG,
    &crate::plan::workflow::SUBWORKFLOW_RECURSION,
    &crate::project::package::PACKAGE_INVALID,
    &crate::properties::BACKSLASH_DROPPED,
    &crate::properties::BAD_ESCAPE,
    &crate::properties::BYTE_ORDER_MARK,
    &crate::properties::CONFIGURATION_INVALID,
    &crate::properties::ENCODING,
    &crate::properties::PROPERTY_UNREAD,
    &crate::properties::TOO_LARGE,
    &crate::properties::VALUE_CUT,
    &crate::schema::CHILD_ORDER,
    &crate::schema::FEATURE_VERSION,
    &crate::schema::MISSING_NAMESPACE,
    &crate::schema::MISSPELT_ELEMENT,
    &crate::schema::UNKNOWN_NAMESPACE,
    &crate::schema::VIOLATION,
    &crate::triage::INTERNAL_ERROR,
    &crate::triage::baseline::BASELINE_STALE,
    &crate::triage::placeholders::BUILD_PLACEHOLDER,
    &crate::triage::suppression::SUPPRESSION_INVALID,
    &crate::triage::suppression::SUPPRESSION_UNUSED,
    &crate::triage::templates::BUILD_TEMPLATE,
    &crate::xml::ATTRIBUTE_TOO_LONG,
    &crate::xml::DOCTYPE,
    &crate::xml::ENCODING,
    &crate::xml::NOT_WELL_FORMED,
    &crate::xml::TOO_DEEP,
    &crate::xml::TOO_LARGE,
    &crate::xml::TOO_MANY_ATTRIBUTES,
    &crate::xml::TOO_MANY_NODES,
];
// generated: end
