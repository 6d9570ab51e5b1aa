//! The commands, one file each: `Args`, and `run`, which does the work and says how it ended.

pub mod check;
pub mod check_selection;
pub mod completions;
pub mod convert;
pub mod eval;
pub mod explain;
pub mod graph;
pub mod init;
pub mod job;
pub mod job_info;
pub mod job_log;
pub mod job_rerun;
pub mod jobs;
pub mod man;
pub mod next;
pub mod plan;
pub mod rules;
pub mod run;
pub mod run_again;
pub mod schema;
pub mod simulate;
pub mod supervise;
pub mod timezones;
