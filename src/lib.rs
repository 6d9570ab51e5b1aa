//! Ankus reads Apache Oozie applications and says, with no cluster, what is wrong with them and what they would do.
//!
//! The modules are layers; each uses only those listed before it (`tests/tidy.rs` checks):
//! [`source`], [`diag`], [`time`]; [`xml`], [`properties`], [`data`], [`el`]; [`schema`]; [`model`]; [`analysis`];
//! [`rules`], [`plan`]; [`project`]; [`redact`]; [`engine`]; [`simulate`]; [`triage`]; [`report`], [`export`], [`mend`].
//! Below the line, where input and output begin: [`host`], [`shell`], [`execute`], [`cli`].

#![forbid(unsafe_code)]
#![warn(missing_docs, unreachable_pub)]
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

pub mod diag;
pub mod source;
pub mod time;

pub mod data;
pub mod el;
pub mod properties;
pub mod xml;

pub mod schema;

pub mod model;

pub mod analysis;

pub mod plan;
pub mod rules;

pub mod project;

pub mod redact;

pub mod engine;

pub mod simulate;

pub mod triage;

pub mod report;

pub mod export;

pub mod mend;

#[allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "below the line where I/O begins")]
pub mod cli;
#[allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "below the line where I/O begins")]
pub mod execute;
#[allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "the line where I/O begins")]
pub mod host;
#[allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "below the line where I/O begins")]
pub mod shell;
