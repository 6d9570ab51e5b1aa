//! The rules of `ankus check`, one file each: a static with its facts and one function over an analysed subject.
//!
//! A rule keeps no state between calls, reads no files, and never uses the planner.

use crate::analysis::schedules::Schedules;
use crate::analysis::settings::Setting;
use crate::analysis::subject::{
    Bundle, Coordinator, Expressions, Package, Properties, ServiceLevel, Workflow,
};
use crate::diag::{Diagnostic, Info};

/// One rule.
#[derive(Debug)]
pub struct Rule {
    /// Its name, severity, codes and explanation.
    pub info: Info,
    /// What it looks at, and how.
    pub check: Check,
}

/// What a rule looks at.
#[derive(Debug)]
pub enum Check {
    /// One workflow with its control flow.
    Workflow(fn(&Workflow<'_>, &mut Sink)),
    /// One coordinator.
    Coordinator(fn(&Coordinator<'_>, &mut Sink)),
    /// One bundle.
    Bundle(fn(&Bundle<'_>, &mut Sink)),
    /// A program: a bundle, its coordinators and their workflows together.
    Package(fn(&Package<'_>, &mut Sink)),
    /// One service level, whatever has it.
    ServiceLevel(fn(&ServiceLevel<'_>, &mut Sink)),
    /// All expressions of one app, whatever its kind.
    El(fn(&Expressions<'_>, &mut Sink)),
    /// Properties that stand together, in a definition or a file of their own.
    Properties(fn(&Properties<'_>, &mut Sink)),
    /// One text of a definition or a properties file with its name.
    Setting(fn(&Setting<'_>, &mut Sink)),
    /// The schedules of a project together.
    Schedules(fn(&Schedules<'_>, &mut Sink)),
}

/// Takes what the rules find.
#[derive(Debug, Default)]
pub struct Sink {
    findings: Vec<Diagnostic>,
}

impl Sink {
    /// An empty sink.
    pub fn new() -> Sink {
        Sink::default()
    }

    /// Takes one finding.
    pub fn push(&mut self, finding: Diagnostic) {
        self.findings.push(finding);
    }

    /// What was found, in the order of finding.
    pub fn into_findings(self) -> Vec<Diagnostic> {
        self.findings
    }
}

impl Extend<Diagnostic> for Sink {
    fn extend<T: IntoIterator<Item = Diagnostic>>(&mut self, findings: T) {
        self.findings.extend(findings);
    }
}

/// Runs those of some rules that are about workflows; usually of [`ALL`].
pub fn workflow(rules: &[&Rule], subject: &Workflow<'_>, sink: &mut Sink) {
    for rule in rules {
        if let Check::Workflow(check) = rule.check {
            check(subject, sink);
        }
    }
}

/// Runs those of some rules that are about coordinators.
pub fn coordinator(rules: &[&Rule], subject: &Coordinator<'_>, sink: &mut Sink) {
    for rule in rules {
        if let Check::Coordinator(check) = rule.check {
            check(subject, sink);
        }
    }
}

/// Runs those of some rules that are about bundles.
pub fn bundle(rules: &[&Rule], subject: &Bundle<'_>, sink: &mut Sink) {
    for rule in rules {
        if let Check::Bundle(check) = rule.check {
            check(subject, sink);
        }
    }
}

/// Runs those of some rules that are about whole programs.
pub fn package(rules: &[&Rule], subject: &Package<'_>, sink: &mut Sink) {
    for rule in rules {
        if let Check::Package(check) = rule.check {
            check(subject, sink);
        }
    }
}

/// Runs those of some rules that are about service levels.
pub fn service_level(rules: &[&Rule], subject: &ServiceLevel<'_>, sink: &mut Sink) {
    for rule in rules {
        if let Check::ServiceLevel(check) = rule.check {
            check(subject, sink);
        }
    }
}

/// Runs those of some rules that are about expressions.
pub fn expressions(rules: &[&Rule], subject: &Expressions<'_>, sink: &mut Sink) {
    for rule in rules {
        if let Check::El(check) = rule.check {
            check(subject, sink);
        }
    }
}

/// Runs those of some rules that are about properties.
pub fn properties(rules: &[&Rule], subject: &Properties<'_>, sink: &mut Sink) {
    for rule in rules {
        if let Check::Properties(check) = rule.check {
            check(subject, sink);
        }
    }
}

/// Runs those of some rules that are about single texts.
pub fn settings<'a>(rules: &[&Rule], subjects: impl IntoIterator<Item = Setting<'a>>, sink: &mut Sink) {
    let checks = rules.iter().filter_map(|rule| match rule.check {
        Check::Setting(check) => Some(check),
        _ => None,
    });
    let checks: Vec<_> = checks.collect();
    for subject in subjects {
        checks.iter().for_each(|check| check(&subject, sink));
    }
}

/// Runs those of some rules that are about schedules.
pub fn schedules(rules: &[&Rule], subject: &Schedules<'_>, sink: &mut Sink) {
    for rule in rules {
        if let Check::Schedules(check) = rule.check {
            check(subject, sink);
        }
    }
}

// Written by `UPDATE=1 cargo test registry`.
// generated: begin
mod action_banned_property;
mod action_capture_missing;
mod action_credential_undefined;
mod action_env_invalid;
mod action_file_missing;
mod action_missing_endpoint;
mod action_pair_suspicious;
mod action_part_count;
mod action_retry_invalid;
mod action_retry_not_idempotent;
mod action_script_not_shipped;
mod action_transition_invalid;
mod action_unknown_type;
mod bundle_flag_invalid;
mod catch_up_burst;
mod class_name_invalid;
mod cluster_address_swapped;
mod concurrent_node;
mod control_clamped;
mod credential_incomplete;
mod cron_suspicious;
mod cron_timezone;
mod data_argument_unquoted;
mod data_event_not_awaited;
mod data_event_unused;
mod dataset_nearly_written;
mod dataset_two_writers;
mod dataset_uri_granularity;
mod dataset_uri_pattern;
mod dataset_uri_too_fine;
mod date_pattern_suspicious;
mod day_counted_in_instances;
mod decision_constant;
mod decision_transition_invalid;
mod delete_near_root;
mod dialect_mixed;
mod distcp_arguments_invalid;
mod done_flag_implicit;
mod done_flag_misspelt;
mod dst_constant_range;
mod dst_drift;
mod dst_gap;
mod el_conf_unknown;
mod el_decision_not_boolean;
mod el_dollar_doubled;
mod el_dollar_unbraced;
mod el_fractional_instance;
mod el_function_alias;
mod el_node_kind;
mod el_node_not_before;
mod el_node_unknown;
mod el_pattern_invalid;
mod el_prefix_dotted;
mod el_string_number_compare;
mod el_transition_impossible;
mod el_variable_dotted;
mod email_no_recipient;
mod end_inside_fork;
mod error_to_end;
mod execution_misuse;
mod expression_in_name;
mod expression_misspelt;
mod fork_many_joins;
mod fork_path_killed;
mod fork_same_target;
mod fork_single_path;
mod fork_without_join;
mod fs_path_relative;
mod fs_permissions_invalid;
mod hadoop_number_invalid;
mod hdfs_file_system_invalid;
mod host_without_user;
mod http_callback_missing;
mod http_mode_invalid;
mod input_deleted;
mod instance_after_timeout;
mod instance_before_initial;
mod instance_never;
mod java_opts_suspicious;
mod join_many_forks;
mod join_without_fork;
mod kick_off_after_end;
mod kill_unused;
mod latest_month_zone;
mod map_reduce_api_mixed;
mod map_reduce_input_missing;
mod map_reduce_output_missing;
mod merge_conflict_left;
mod month_end_start;
mod move_across_name_nodes;
mod node_dead_end;
mod node_duplicate;
mod node_name_invalid;
mod node_unreachable;
mod notification_url_suspicious;
mod ok_error_swapped;
mod output_overwritten;
mod parameter_unused;
mod partition_filter_type;
mod path_argument_quoted;
mod path_without_root;
mod pig_parameter_invalid;
mod property_deprecated;
mod property_duplicate;
mod property_el_function;
mod property_empty;
mod property_name_misspelt;
mod property_shadowed;
mod property_value_suspicious;
mod schedule_condition_invalid;
mod schedule_condition_never;
mod schedule_constraint_conflict;
mod schedule_cross_namespace;
mod schedule_cycle;
mod schedule_duplicate;
mod schedule_key_unknown;
mod schedule_mapping_unused;
mod schedule_never;
mod schedule_program_ambiguous;
mod schedule_program_unknown;
mod schedule_time_zone;
mod script_parameter_missing;
mod secret_plaintext;
mod sla_end_before_start;
mod sla_event_unknown;
mod source_is_target;
mod spark_master_unknown;
mod spark_opts_suspicious;
mod sqoop_arguments_invalid;
mod sqoop_command_quoted;
mod ssh_host_invalid;
mod start_end_count;
mod streaming_mapper_missing;
mod subworkflow_self_call;
mod timezone_three_letter;
mod transition_self;
mod transition_unknown;
mod tzoffset_minutes;
mod uri_malformed;
mod uri_slash_missing;
mod value_surrounding_space;
mod workflow_cycle;

/// Every rule, sorted by name.
#[rustfmt::skip]
pub static ALL: &[&Rule] = &[
    &action_banned_property::RULE,
    &action_capture_missing::RULE,
    &action_credential_undefined::RULE,
    &action_env_invalid::RULE,
    &action_file_missing::RULE,
    &action_missing_endpoint::RULE,
    &action_pair_suspicious::RULE,
    &action_part_count::RULE,
    &action_retry_invalid::RULE,
    &action_retry_not_idempotent::RULE,
    &action_script_not_shipped::RULE,
    &action_transition_invalid::RULE,
    &action_unknown_type::RULE,
    &bundle_flag_invalid::RULE,
    &catch_up_burst::RULE,
    &class_name_invalid::RULE,
    &cluster_address_swapped::RULE,
    &concurrent_node::RULE,
    &control_clamped::RULE,
    &credential_incomplete::RULE,
    &cron_suspicious::RULE,
    &cron_timezone::RULE,
    &data_argument_unquoted::RULE,
    &data_event_not_awaited::RULE,
    &data_event_unused::RULE,
    &dataset_nearly_written::RULE,
    &dataset_two_writers::RULE,
    &dataset_uri_granularity::RULE,
    &dataset_uri_pattern::RULE,
    &dataset_uri_too_fine::RULE,
    &date_pattern_suspicious::RULE,
    &day_counted_in_instances::RULE,
    &decision_constant::RULE,
    &decision_transition_invalid::RULE,
    &delete_near_root::RULE,
    &dialect_mixed::RULE,
    &distcp_arguments_invalid::RULE,
    &done_flag_implicit::RULE,
    &done_flag_misspelt::RULE,
    &dst_constant_range::RULE,
    &dst_drift::RULE,
    &dst_gap::RULE,
    &el_conf_unknown::RULE,
    &el_decision_not_boolean::RULE,
    &el_dollar_doubled::RULE,
    &el_dollar_unbraced::RULE,
    &el_fractional_instance::RULE,
    &el_function_alias::RULE,
    &el_node_kind::RULE,
    &el_node_not_before::RULE,
    &el_node_unknown::RULE,
    &el_pattern_invalid::RULE,
    &el_prefix_dotted::RULE,
    &el_string_number_compare::RULE,
    &el_transition_impossible::RULE,
    &el_variable_dotted::RULE,
    &email_no_recipient::RULE,
    &end_inside_fork::RULE,
    &error_to_end::RULE,
    &execution_misuse::RULE,
    &expression_in_name::RULE,
    &expression_misspelt::RULE,
    &fork_many_joins::RULE,
    &fork_path_killed::RULE,
    &fork_same_target::RULE,
    &fork_single_path::RULE,
    &fork_without_join::RULE,
    &fs_path_relative::RULE,
    &fs_permissions_invalid::RULE,
    &hadoop_number_invalid::RULE,
    &hdfs_file_system_invalid::RULE,
    &host_without_user::RULE,
    &http_callback_missing::RULE,
    &http_mode_invalid::RULE,
    &input_deleted::RULE,
    &instance_after_timeout::RULE,
    &instance_before_initial::RULE,
    &instance_never::RULE,
    &java_opts_suspicious::RULE,
    &join_many_forks::RULE,
    &join_without_fork::RULE,
    &kick_off_after_end::RULE,
    &kill_unused::RULE,
    &latest_month_zone::RULE,
    &map_reduce_api_mixed::RULE,
    &map_reduce_input_missing::RULE,
    &map_reduce_output_missing::RULE,
    &merge_conflict_left::RULE,
    &month_end_start::RULE,
    &move_across_name_nodes::RULE,
    &node_dead_end::RULE,
    &node_duplicate::RULE,
    &node_name_invalid::RULE,
    &node_unreachable::RULE,
    &notification_url_suspicious::RULE,
    &ok_error_swapped::RULE,
    &output_overwritten::RULE,
    &parameter_unused::RULE,
    &partition_filter_type::RULE,
    &path_argument_quoted::RULE,
    &path_without_root::RULE,
    &pig_parameter_invalid::RULE,
    &property_deprecated::RULE,
    &property_duplicate::RULE,
    &property_el_function::RULE,
    &property_empty::RULE,
    &property_name_misspelt::RULE,
    &property_shadowed::RULE,
    &property_value_suspicious::RULE,
    &schedule_condition_invalid::RULE,
    &schedule_condition_never::RULE,
    &schedule_constraint_conflict::RULE,
    &schedule_cross_namespace::RULE,
    &schedule_cycle::RULE,
    &schedule_duplicate::RULE,
    &schedule_key_unknown::RULE,
    &schedule_mapping_unused::RULE,
    &schedule_never::RULE,
    &schedule_program_ambiguous::RULE,
    &schedule_program_unknown::RULE,
    &schedule_time_zone::RULE,
    &script_parameter_missing::RULE,
    &secret_plaintext::RULE,
    &sla_end_before_start::RULE,
    &sla_event_unknown::RULE,
    &source_is_target::RULE,
    &spark_master_unknown::RULE,
    &spark_opts_suspicious::RULE,
    &sqoop_arguments_invalid::RULE,
    &sqoop_command_quoted::RULE,
    &ssh_host_invalid::RULE,
    &start_end_count::RULE,
    &streaming_mapper_missing::RULE,
    &subworkflow_self_call::RULE,
    &timezone_three_letter::RULE,
    &transition_self::RULE,
    &transition_unknown::RULE,
    &tzoffset_minutes::RULE,
    &uri_malformed::RULE,
    &uri_slash_missing::RULE,
    &value_surrounding_space::RULE,
    &workflow_cycle::RULE,
];
// generated: end
