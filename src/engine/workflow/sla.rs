//! The service levels of a workflow and of its actions (`SLAWorkflowJobEventXCommand`,
//! `SLAWorkflowActionJobEventXCommand`), registered when the job is submitted or run again.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::job::WorkflowJob;
use super::operate::refused;
use crate::engine::command::{SlaStatus, Watched};
use crate::engine::conf::Conf;
use crate::engine::context::Context;
use crate::engine::error::EngineError;
use crate::engine::id::NodeId;
use crate::engine::settings::Settings;
use crate::engine::sla::{Ending, Level};
use crate::plan::SlaRegistration;
use crate::plan::workflow::Program;

/// What a job's service levels came to; nothing for a workflow without any.
#[derive(Clone, Debug, Default)]
pub(in crate::engine) struct Registered {
    own: Option<SlaRegistration>,
    /// Of actions, by node.
    nodes: BTreeMap<u32, SlaRegistration>,
}

/// The service levels of a job that is not over.
#[derive(Clone, Debug, Default)]
pub(super) struct Levels {
    own: Option<Level>,
    /// Of actions that were not entered yet.
    to_come: BTreeMap<u32, SlaRegistration>,
    /// Of actions that were entered and are not over.
    nodes: BTreeMap<u32, Level>,
}

/// Registers the service levels of a job with this configuration; one that cannot be registered refuses the whole
/// submission.
pub(in crate::engine) fn register(
    program: &Program,
    conf: Option<&Arc<Conf>>,
    settings: &Settings,
) -> Result<Option<Box<Registered>>, EngineError> {
    if program.levels.is_empty() {
        return Ok(None);
    }
    let raw = |name: &str| conf.and_then(|conf| conf.raw(name)).map(str::to_owned);
    let mut registered = Box::<Registered>::default();
    for level in &program.levels {
        let found = level.register(&raw, settings.processing).map_err(|fault| {
            let whose = level.node.and_then(|node| program.nodes.get(node as usize));
            let whose = whose.map_or("the workflow".to_owned(), |node| format!("`{}`", node.name));
            refused("E1007", format!("the service level of {whose}: {}", fault.message))
        })?;
        match level.node {
            None => registered.own = Some(found),
            Some(node) => drop(registered.nodes.insert(node, found)),
        }
    }
    Ok(Some(registered))
}

impl WorkflowJob {
    /// Watches the levels of a job that was submitted or is run again; nodes that are skipped have none.
    pub(in crate::engine) fn watch(&mut self, cx: &mut Context<'_>, registered: Option<Box<Registered>>) {
        let Some(registered) = registered else {
            self.levels = None;
            return;
        };
        let Registered { own, mut nodes } = *registered;
        nodes.retain(|node, _| self.skip.binary_search(node).is_err());
        let own = own.map(|own| Level::watch(cx, Watched::Workflow(self.id()), own));
        self.levels = Some(Box::new(Levels { own, to_come: nodes, nodes: BTreeMap::new() }));
    }

    /// The job runs.
    pub(super) fn level_begins(&mut self, cx: &mut Context<'_>) {
        if let Some(level) = self.levels.as_mut().and_then(|levels| levels.own.as_mut()) {
            level.begin(cx);
        }
    }

    /// The job is over.
    pub(super) fn level_ends(&mut self, cx: &mut Context<'_>, ending: Ending) {
        if let Some(level) = self.levels.as_mut().and_then(|levels| levels.own.take()) {
            level.close(ending, cx);
        }
    }

    /// A node was entered.
    pub(super) fn node_level_enters(&mut self, cx: &mut Context<'_>, node: u32) {
        let workflow = self.number;
        let Some(levels) = &mut self.levels else { return };
        if let Some(expected) = levels.to_come.remove(&node) {
            let subject = Watched::Node(NodeId { workflow, node });
            levels.nodes.insert(node, Level::watch(cx, subject, expected));
        }
    }

    /// What a node does has begun.
    pub(super) fn node_level_begins(&mut self, cx: &mut Context<'_>, node: u32) {
        if let Some(level) = self.levels.as_mut().and_then(|levels| levels.nodes.get_mut(&node)) {
            level.begin(cx);
        }
    }

    /// A node is over.
    pub(super) fn node_level_ends(&mut self, cx: &mut Context<'_>, node: u32, ending: Ending) {
        if let Some(level) = self.levels.as_mut().and_then(|levels| levels.nodes.remove(&node)) {
            level.close(ending, cx);
        }
    }

    /// How the service level of the job, or of a node, stands while that is not over.
    pub(in crate::engine) fn service_level(&self, node: Option<u32>) -> Option<SlaStatus> {
        let levels = self.levels.as_ref()?;
        match node {
            None => levels.own.as_ref().map(Level::status),
            Some(node) => levels.nodes.get(&node).map(Level::status),
        }
    }

    /// A time of a service level has come: the job's, or that of a node.
    pub(in crate::engine) fn sla_due(&mut self, cx: &mut Context<'_>, node: Option<u32>) {
        let Some(levels) = &mut self.levels else { return };
        let level = match node {
            None => levels.own.as_mut(),
            Some(node) => levels.nodes.get_mut(&node),
        };
        if let Some(level) = level {
            level.judge(cx);
        }
    }
}
