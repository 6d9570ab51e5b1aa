//! All integration tests in one program: it links once, and its tests share the processors.
//!
//! A file is a module; `cargo test check_fix` runs one of them.

mod support;

mod app_paths;
mod check_baseline;
mod check_config;
mod check_encoding;
mod check_estate;
mod check_fix;
mod check_input;
mod check_isolation;
mod check_output;
mod check_program;
mod check_sarif;
mod check_secrets;
mod check_silence;
mod check_suppression;
mod check_watch;
mod cli;
mod cli_time;
mod cli_words;
mod control;
mod corpus;
mod corpus_counts;
mod dependencies;
mod el_laws;
mod engine_bundle;
mod engine_coordinator;
mod engine_join;
mod engine_operators;
mod engine_random;
mod engine_rows;
mod engine_services;
mod engine_sla;
mod engine_workflow;
mod explain;
mod export_airflow;
mod false_alarms;
mod flow_properties;
mod flow_truth;
mod graph;
mod hostile;
mod hostile_coordinator;
mod hws_applications;
mod hws_check;
mod hws_eval;
mod hws_examples;
mod hws_packages;
mod hws_plan;
mod hws_requirements;
mod hws_run;
mod hws_simulate;
mod hws_upgrade;
mod init;
mod json_schemas;
mod launcher_words;
mod laws_time;
mod limits;
#[cfg(unix)]
mod links;
mod machine;
mod mend_damage;
mod mistakes;
#[cfg(unix)]
mod output_files;
mod page;
mod parts;
mod plan_bundle;
mod plan_corpus;
mod plan_workflow;
mod reading;
mod readme;
mod redaction;
mod reference_bundle;
mod reference_check;
mod reference_coord;
mod reference_cron;
mod reference_el;
mod reference_engine;
mod reference_input_logic;
mod reference_parameters;
mod reference_schema;
mod reference_server;
mod reference_status;
mod reference_time;
mod reference_workflow;
mod registry;
mod requirements;
mod run;
mod run_again;
mod run_away;
#[cfg(unix)]
mod run_beside;
mod run_catch_up;
mod run_cleanup;
mod run_clock;
#[cfg(unix)]
mod run_control;
mod run_distcp;
mod run_email;
#[cfg(unix)]
mod run_examples;
mod run_faults;
#[cfg(unix)]
mod run_files;
mod run_fs;
#[cfg(target_os = "linux")]
mod run_full;
#[cfg(target_os = "linux")]
mod run_full_store;
mod run_git;
#[cfg(unix)]
mod run_java;
#[cfg(target_os = "linux")]
mod run_left;
mod run_load;
mod run_needed;
mod run_notify;
mod run_old_store;
mod run_parts;
mod run_preflight;
#[cfg(unix)]
mod run_remote;
#[cfg(unix)]
mod run_rerun;
mod run_same;
#[cfg(unix)]
mod run_secrets;
mod run_server;
mod run_silent;
mod run_ssh;
mod run_storage;
mod run_store;
mod run_store_damage;
#[cfg(unix)]
mod run_store_disk;
mod run_store_model;
#[cfg(unix)]
mod run_streaming;
#[cfg(target_os = "linux")]
mod run_terminal;
mod run_torture;
#[cfg(target_os = "linux")]
mod run_torture_operators;
#[cfg(unix)]
mod run_views;
mod run_webhdfs;
mod run_words;
mod schedules;
mod schedules_hostile;
mod schedules_requirements;
mod schema_damage;
mod schema_words;
mod server_oddities;
mod simulate;
mod simulate_apps;
mod simulate_random;
mod simulate_scenario;
mod simulate_world;
mod specification_bundle;
mod specification_coordinator;
mod specification_definitions;
mod specification_time;
mod tidy;
mod versions;
