//! One materialized action, as a value.

use std::sync::Arc;

use crate::diag::Diagnostic;
use crate::plan::SlaRegistration;
use crate::time::Instant;

/// A list of texts that several actions may share.
pub type Texts = Arc<[Arc<str>]>;

/// One action of a coordinator.
#[derive(Clone, Debug)]
pub struct Action {
    /// From 1.
    pub number: i64,
    /// The time it is for.
    pub nominal: Instant,
    /// The time it is created, from which `latest` counts.
    pub actual: Instant,
    /// The input events in order.
    pub inputs: Vec<Event>,
    /// The output events in order.
    pub outputs: Vec<Event>,
    /// What is polled for, input by input, done-flags included; without the unresolved part.
    pub wait_for: Vec<Texts>,
    /// What is announced by events instead of being polled for.
    pub push_wait_for: Vec<Texts>,
    /// Its service level.
    pub sla: Option<SlaOutcome>,
    /// The workflow's path.
    pub app_path: Arc<str>,
    /// What the workflow gets, in order; `None` when that cannot be said.
    pub configuration: Option<Vec<(Arc<str>, Arc<str>)>>,
    /// Are its inputs there? Only known when the world is.
    pub ready: Option<bool>,
    /// Why it cannot start.
    pub error: Option<Diagnostic>,
}

impl Action {
    /// Why its service level is not registered.
    pub fn sla_fault(&self) -> Option<&Diagnostic> {
        match &self.sla {
            Some(SlaOutcome::Failed(fault)) => Some(fault),
            Some(SlaOutcome::Registered(_)) | None => None,
        }
    }
}

/// An event of an action with its URIs.
#[derive(Clone, Debug)]
pub struct Event {
    /// Its name.
    pub name: Arc<str>,
    /// The dataset's name.
    pub dataset: Arc<str>,
    /// In Oozie's order.
    pub uris: Texts,
    /// `_SUCCESS` when there is none, empty when it is empty.
    pub done_flag: Arc<str>,
    /// The instances that only the start of the action resolves.
    pub unresolved: Option<Texts>,
}

/// What became of a service level.
#[derive(Clone, Debug)]
pub enum SlaOutcome {
    /// It is registered.
    Registered(SlaRegistration),
    /// Registering it fails; the action lives on.
    Failed(Diagnostic),
}
