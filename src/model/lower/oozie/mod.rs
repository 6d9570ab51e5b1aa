//! Oozie's bundles, coordinators and workflows.

pub(super) mod action;
pub(super) mod bundle;
pub(super) mod coordinator;
#[cfg(test)]
mod tests;
pub(super) mod workflow;
