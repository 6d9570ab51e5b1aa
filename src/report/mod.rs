//! What people and programs get to see. Turns values into text and does no output itself.

pub mod catalogue;
pub mod checkstyle;
pub mod event_form;
pub mod explain_value;
pub mod findings;
pub mod full;
pub mod github;
pub mod gitlab;
pub mod graph;
pub mod job_text;
pub mod json;
pub mod junit;
pub mod levels;
mod markup;
pub mod one_line;
pub mod page;
pub mod plan_bundle;
pub mod plan_csv;
pub mod plan_json;
pub mod plan_text;
pub mod plan_workflow;
pub mod record;
pub mod rules;
pub mod run_lines;
pub mod run_live;
pub mod run_summary;
pub mod sarif;
pub mod schemas;
pub mod server_codes;
pub mod simulation_against;
pub mod simulation_explain;
pub mod simulation_json;
pub mod simulation_lines;
pub mod simulation_text;
pub mod text;
pub mod visible;
pub mod waits;

use crate::diag::Severity;
use findings::Findings;

/// What a renderer of findings gets.
#[derive(Clone, Copy, Debug)]
pub struct Report<'a> {
    /// The findings.
    pub findings: &'a Findings,
    /// How many definitions were looked at.
    pub files: usize,
    /// The least severity that people are shown. Formats for programs hold everything.
    pub down_to: Severity,
    /// The least severity that makes the check fail.
    pub fail_on: Severity,
    /// Counts by rule are wanted.
    pub statistics: bool,
    /// Without a summary.
    pub quiet: bool,
    /// With colours.
    pub color: bool,
}

/// `1 thing`, `2 things`.
pub fn plural(count: usize, thing: &str) -> String {
    format!("{count} {thing}{}", if count == 1 { "" } else { "s" })
}
