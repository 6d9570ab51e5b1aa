//! What people and programs get to see. Turns values into text and does no output itself.

pub mod catalogue;
pub mod explain_value;
pub mod findings;
pub mod full;
pub mod json;
pub mod plan_bundle;
pub mod plan_csv;
pub mod plan_json;
pub mod plan_text;
pub mod plan_workflow;
