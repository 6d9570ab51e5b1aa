//! Apps rewritten for other schedulers. Pure: an export is a list of files as data, written by whoever asked for it.

pub mod airflow;
pub mod upgrade;
