//! A workflow that is run again (`ReRunXCommand`): under its id, without the nodes that are skipped.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::job::{JobEvent, WorkflowJob};
use super::node::NodeRun;
use super::operate::refused;
use crate::engine::conf::Conf;
use crate::engine::context::Context;
use crate::engine::error::EngineError;
use crate::engine::event::{Key, WorkflowRerun};
use crate::engine::status::NodeStatus;
use crate::plan::workflow::{Program, ProgramKind};

impl WorkflowJob {
    /// Whether it can be run again so; changes nothing. The names of the nodes to skip.
    pub(in crate::engine) fn check_rerun(
        &self,
        rerun: &WorkflowRerun,
    ) -> Result<BTreeSet<Arc<str>>, EngineError> {
        let words = "a rerun names the nodes to skip, or runs failed nodes only";
        match (&rerun.skip, rerun.failed) {
            (Some(_), true) => return Err(refused("E0404", format!("{words}, not both"))),
            (None, false) => return Err(refused("E0401", words)),
            _ => {}
        }
        if !self.status.is_terminal() {
            let words = format!(
                "the workflow {} is {}; only one that has ended can be run again",
                self.id(),
                self.status
            );
            return Err(refused("E0805", words));
        }
        if rerun.failed {
            let well = self.nodes.iter().filter(|run| run.status == NodeStatus::Ok);
            return Ok(well.map(|run| self.node_name(run.node).clone()).collect());
        }
        let skip: BTreeSet<Arc<str>> = rerun.skip.iter().flatten().cloned().collect();
        let mut unknown: BTreeSet<&Arc<str>> = skip.iter().collect();
        for run in &self.nodes {
            let name = self.node_name(run.node);
            if skip.contains(name) && !matches!(run.status, NodeStatus::Ok | NodeStatus::Error) {
                return Err(refused("E0806", format!("the node `{name}` was not completed")));
            }
            unknown.remove(name);
        }
        if let Some(name) = unknown.first() {
            return Err(refused("E0807", format!("the node `{name}` was not run")));
        }
        Ok(skip)
    }

    /// Makes the job ready to be started again; what [`WorkflowJob::check_rerun`] has accepted.
    pub(in crate::engine) fn prepare_rerun(
        &mut self,
        cx: &mut Context<'_>,
        skip: &BTreeSet<Arc<str>>,
        failed: bool,
        conf: Arc<Conf>,
        program: (Key, Arc<Program>),
    ) -> Result<(), EngineError> {
        self.move_to(cx, JobEvent::Rerun)?;
        let old = std::mem::replace(&mut self.program, program.1);
        self.key = program.0;
        self.conf = Some(conf);
        self.run += 1;
        self.ended = None;
        self.has_left_branches = false;
        (self.starting, self.due) = Default::default();
        self.fault = None;
        let before = std::mem::take(&mut self.nodes);
        let finished = std::mem::take(&mut self.finished);
        let (mut skipped, mut kept) = (Vec::new(), Vec::new());
        let mut place: Vec<Option<u32>> = vec![None; before.len()];
        for (index, run) in before.into_iter().enumerate() {
            let name = &old.nodes[run.node as usize].name;
            let Some(node) = self.program.find(name) else { continue };
            let is_skipped = skip.contains(name);
            let is_child = failed && run.facts.as_ref().is_some_and(|facts| facts.child.is_some());
            let is_child =
                is_child && matches!(self.program.nodes[node as usize].kind, ProgramKind::Action(_));
            if !is_skipped && !is_child {
                continue;
            }
            let again = |to: u32| self.program.find(&old.nodes[to as usize].name);
            let transition = run.transition.and_then(again);
            place[index] = is_skipped.then_some(self.nodes.len() as u32);
            self.nodes.push(NodeRun { node, fork: None, transition, ..run });
            if is_skipped { &mut skipped } else { &mut kept }.push(node);
        }
        self.finished = finished.into_iter().filter_map(|index| place[index as usize]).collect();
        skipped.sort_unstable();
        kept.sort_unstable();
        (self.skip, self.kept) = (skipped, kept);
        Ok(())
    }
}
