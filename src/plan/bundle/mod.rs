//! Bundles: what a submission stores, what the start hands to each coordinator, and each coordinator's own plan.
//!
//! [`submit`] and [`start`] do what `BundleSubmitXCommand` and `BundleStartXCommand` do, but for the first fault at
//! which those stop: here all faults are found. Where application paths lead is an argument; nothing is read here.

mod alone;
mod child;
mod findings;
mod start;
mod submit;

pub use alone::{alone, printed_syntax};
pub use child::submit_child;
pub use findings::{
    BUNDLE_ALL_DISABLED, BUNDLE_COORDINATOR_DUPLICATE, BUNDLE_COORDINATOR_MISSING,
    BUNDLE_COORDINATOR_NAME_EMPTY, BUNDLE_COORDINATOR_NAMESPACE, BUNDLE_KICKOFF_INVALID, USER_NAME_CONFLICT,
    VALUE_BREAKS_XML,
};
pub use start::{Child, Missing, Started, start};
pub use submit::{Definition, Member, Submitted, submit};
