//! The configuration of a job: where each value comes from, what wins, and what values become.
//!
//! Layers, from low to high: defaults of formal parameters (only for names that nothing else gives), the default file
//! beside the app, property files in the order given, definitions on the command line; then what a bundle hands to a
//! coordinator under that coordinator's own configuration, what a coordinator hands to a workflow under the workflow's,
//! and what a workflow hands to a sub-workflow. Every value keeps the chain of layers that gave it.
//! Never evaluates an expression: values refer to each other only as Hadoop's `Configuration` lets them.

mod app_path;
mod explain;
mod formal;
mod job_conf;
mod references;
mod reserved;
mod submission;
mod substitution;
#[cfg(test)]
mod tests;
mod unused;
mod used;

pub use app_path::{APP_PATH_CONFLICT, APP_PATH_MISSING, AppKind, app_path, astray, described};
pub use explain::{Explanation, explain};
pub use formal::{
    PARAMETER_NAME_EMPTY, PARAMETER_UNDEFINED, not_awaited, supports_parameters, undefined, verify,
};
pub use job_conf::{Given, JobConf, Layer, Step, given, is_its_own_value};
pub use references::{PROPERTY_REFERENCE, is_address, references};
pub use reserved::{PROPERTY_RESERVED, check_default_file, check_user};
pub use submission::{DEFAULT_USER, Submission};
pub use substitution::{
    CONFIGURATION_TOO_LONG, MAX_GROWTH, PROPERTY_CYCLE, SUBSTITUTION_DEPTH, TooDeep, substitute,
};
pub use unused::{PROPERTY_UNUSED, unused};
pub use used::{Use, missing, used};

/// `user.name`: who submits.
pub const USER_NAME: &str = "user.name";
/// `group.name`: the older name of the job's group.
pub const GROUP_NAME: &str = "group.name";
/// `oozie.job.acl`: the newer name of the job's group.
pub const JOB_ACL: &str = "oozie.job.acl";
/// `oozie.libpath`: where shared libraries lie.
pub const LIBPATH: &str = "oozie.libpath";

/// Cuts what Java's `String.trim` cuts: control characters and the blank, no other white space.
pub fn java_trim(text: &str) -> &str {
    text.trim_matches(|c: char| c <= ' ')
}

/// Cuts what JDOM's pretty printer cuts: the white space of XML.
pub fn xml_trim(text: &str) -> &str {
    text.trim_matches([' ', '\t', '\r', '\n'])
}
