//! Facts derived from a model: control flow, fork/join proof, reachability, scopes, values of functions.

pub mod about;
pub mod actions;
pub mod app_files;
pub mod dates;
pub mod expressions;
pub mod flow;
pub mod functions;
pub mod known_properties;
pub mod length;
pub mod parameters;
pub mod project;
pub mod properties;
pub mod schedule;
pub mod schedules;
pub mod scripts;
pub mod secrets;
pub mod settings;
pub mod subject;
pub mod templates;
pub mod upgrade;
pub mod values;
pub mod words;

#[cfg(test)]
mod testing;
