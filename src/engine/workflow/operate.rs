//! What operators and the outside do with a workflow.

use super::job::{JobEvent, WorkflowJob};
use super::node::NodeEvent;
use super::run::Step;
use crate::engine::command::Command;
use crate::engine::conf::Conf;
use crate::engine::context::Context;
use crate::engine::error::{EngineError, Refusal};
use crate::engine::event::{During, Facts, Fault, NodeEnd, Trouble};
use crate::engine::id::NodeId;
use crate::engine::status::{NodeStatus, WorkflowStatus};
use crate::time::Instant;
use std::collections::VecDeque;
use std::sync::Arc;

impl WorkflowJob {
    /// `StartXCommand`
    pub(in crate::engine) fn start(&mut self, cx: &mut Context<'_>) -> Result<(), EngineError> {
        if self.status == WorkflowStatus::Running {
            return Err(refused("E0801", format!("the workflow {} runs already", self.id())));
        }
        self.move_to(cx, JobEvent::Start)?;
        self.started = Some(cx.now);
        self.level_begins(cx);
        let start = self.program.start();
        self.advance(cx, [Step::Enter(start, None)]);
        Ok(())
    }

    /// `SuspendXCommand`
    pub(in crate::engine) fn suspend_by_hand(&mut self, cx: &mut Context<'_>) -> Result<(), EngineError> {
        if self.status != WorkflowStatus::Running {
            return self.move_to(cx, JobEvent::Suspend);
        }
        self.suspend(cx);
        Ok(())
    }

    /// `ResumeXCommand`
    pub(in crate::engine) fn resume(&mut self, cx: &mut Context<'_>) -> Result<(), EngineError> {
        self.move_to(cx, JobEvent::Resume)?;
        self.due.clear();
        use NodeStatus::{
            Done, EndManual, EndRetry, Error, Ok as Well, Prep, StartManual, StartRetry, UserRetry,
        };
        let mut steps: Vec<Step> = Vec::new();
        let mut ends = Vec::new();
        for (index, run) in self.nodes.iter_mut().enumerate() {
            if matches!(run.status, StartRetry | StartManual | EndRetry | EndManual) {
                run.pending = true;
            }
            if !run.pending {
                continue;
            }
            let is_due = run.retry_at.is_none_or(|at| at <= cx.now);
            match run.status {
                Prep | StartManual if run.attempt == 0 => steps.push(Step::Begin(index)),
                StartRetry | UserRetry if is_due && run.attempt == 0 => steps.push(Step::Begin(index)),
                Done => ends.push(index),
                EndManual => ask_end(cx, self.number, run.node, run.attempt),
                EndRetry if is_due => ask_end(cx, self.number, run.node, run.attempt),
                Well | Error if run.ended.is_none() => steps.push(Step::Leave(index)),
                _ => {}
            }
        }
        steps.append(&mut self.put_off);
        for run in ends {
            self.then(cx, |job, cx, open| job.end_action(cx, open, run));
        }
        self.advance(cx, steps);
        Ok(())
    }

    /// `KillXCommand`
    pub(in crate::engine) fn kill(&mut self, cx: &mut Context<'_>) -> Result<(), EngineError> {
        if self.status == WorkflowStatus::Failed && self.semantics.follows_commands() {
            self.kill_left(cx);
            return Ok(());
        }
        if self.status.is_terminal() {
            return self.move_to(cx, JobEvent::Kill);
        }
        self.end_job(cx, JobEvent::Kill);
        Ok(())
    }

    /// Does something that may open further steps, and makes these.
    fn then(
        &mut self,
        cx: &mut Context<'_>,
        act: impl FnOnce(&mut WorkflowJob, &mut Context<'_>, &mut VecDeque<Step>),
    ) {
        let mut open = VecDeque::new();
        act(self, cx, &mut open);
        self.advance(cx, open);
    }

    /// Whether nobody looks at an action any more: its job is over, and has let it be.
    fn is_forsaken(&self, run: usize) -> bool {
        self.semantics.follows_commands()
            && self.status.is_terminal()
            && self.nodes[run].status == NodeStatus::Running
    }

    /// The run that news are about.
    fn run_of(&self, node: NodeId, attempt: u32) -> Result<usize, EngineError> {
        let run = self.position(node.node).ok_or_else(|| EngineError::UnknownAction(node.to_string()))?;
        let known = self.nodes[run].attempt;
        if known != attempt || attempt == 0 {
            return Err(EngineError::Stale { node: node.to_string(), attempt });
        }
        Ok(run)
    }

    /// Whether the kill of an action is still on its way; whatever is told then answers it.
    fn is_dying(&self, run: usize) -> bool {
        self.nodes[run].status == NodeStatus::Killed && self.nodes[run].pending
    }

    /// The action has begun.
    pub(in crate::engine) fn node_started(
        &mut self,
        cx: &mut Context<'_>,
        node: NodeId,
        attempt: u32,
        (external_id, tracker): (Option<Arc<str>>, Option<Arc<str>>),
    ) -> Result<(), EngineError> {
        let run = self.run_of(node, attempt)?;
        if self.is_dying(run) {
            return Ok(());
        }
        self.check_node(run, NodeEvent::Begin)?;
        if external_id.is_some() || tracker.is_some() {
            let facts = self.nodes[run].facts_mut();
            (facts.external_id, facts.tracker) = (external_id, tracker);
        }
        self.begun(cx, run);
        self.begin_due(cx);
        Ok(())
    }

    /// The action is over.
    pub(in crate::engine) fn node_ended(
        &mut self,
        cx: &mut Context<'_>,
        node: NodeId,
        attempt: u32,
        end: NodeEnd,
    ) -> Result<(), EngineError> {
        let run = self.run_of(node, attempt)?;
        if self.is_dying(run) {
            self.nodes[run].pending = false;
            return Ok(());
        }
        if self.is_forsaken(run) {
            return Ok(());
        }
        if !self.is_over_outside(run) {
            self.check_node(run, NodeEvent::Finish)?;
        }
        self.then(cx, |job, cx, open| job.finished(cx, open, run, end));
        self.begin_due(cx);
        Ok(())
    }

    /// Something went wrong with an action.
    pub(in crate::engine) fn node_trouble(
        &mut self,
        cx: &mut Context<'_>,
        node: NodeId,
        attempt: u32,
        trouble: Trouble,
    ) -> Result<(), EngineError> {
        let run = self.run_of(node, attempt)?;
        if self.is_dying(run) || self.is_forsaken(run) {
            return Ok(());
        }
        let done = self.take_trouble(cx, run, trouble);
        self.begin_due(cx);
        done
    }

    fn take_trouble(
        &mut self,
        cx: &mut Context<'_>,
        run: usize,
        trouble: Trouble,
    ) -> Result<(), EngineError> {
        if trouble.during == During::End {
            if !self.is_over_outside(run) {
                self.check_node(run, NodeEvent::Finish)?;
                self.move_node(cx, run, NodeEvent::Finish);
            }
        } else {
            self.check_node(run, NodeEvent::Fail)?;
            if self.is_over_outside(run) {
                return self.check_node(run, NodeEvent::Begin);
            }
            if trouble.during == During::Check {
                self.check_node(run, NodeEvent::CheckTransient)?;
            } else {
                self.check_node(run, NodeEvent::StartTransient)?;
            }
        }
        if self.status != WorkflowStatus::Running && !self.nodes[run].is_forked {
            use crate::engine::event::TroubleKind::{NonTransient, Transient};
            if (trouble.kind, trouble.during) == (Transient, During::Check) {
                // Nobody looks after actions of such a job, and this one still runs.
                self.move_node(cx, run, NodeEvent::CheckTransient);
                return Ok(());
            }
            // The job waits already; its resume tries again.
            let kind = if matches!(trouble.kind, Transient) { NonTransient } else { trouble.kind };
            let trouble = Trouble { kind, ..trouble };
            if matches!(trouble.kind, NonTransient) {
                self.then(cx, |job, cx, open| job.trouble(cx, open, run, trouble));
                return Ok(());
            }
            let end = NodeEnd { ok: false, fault: Some(trouble.fault), ..NodeEnd::default() };
            self.then(cx, |job, cx, open| job.finished(cx, open, run, end));
            return Ok(());
        }
        self.then(cx, |job, cx, open| job.trouble(cx, open, run, trouble));
        Ok(())
    }

    /// Whether what an action does is over, and its end is being taken in.
    pub(super) fn is_over_outside(&self, run: usize) -> bool {
        use NodeStatus::{Done, EndManual, EndRetry};
        matches!(self.nodes[run].status, Done | EndRetry | EndManual)
    }

    /// The action was killed.
    pub(in crate::engine) fn node_killed(
        &mut self,
        cx: &mut Context<'_>,
        node: NodeId,
        attempt: u32,
        fault: Option<Fault>,
    ) -> Result<(), EngineError> {
        let run = self.run_of(node, attempt)?;
        self.check_node(run, NodeEvent::KillFails)?;
        self.nodes[run].pending = false;
        if fault.is_some() {
            self.nodes[run].facts_mut().fault = fault;
            self.move_node(cx, run, NodeEvent::KillFails);
        }
        Ok(())
    }

    /// The world was looked at for a node.
    pub(in crate::engine) fn node_looked(
        &mut self,
        cx: &mut Context<'_>,
        node: NodeId,
        facts: &Facts,
    ) -> Result<(), EngineError> {
        let unknown = || EngineError::UnknownAction(node.to_string());
        let run = self.position(node.node).ok_or_else(unknown)?;
        use NodeStatus::{Prep, StartManual, StartRetry, UserRetry};
        let state = &self.nodes[run];
        let waits = matches!(state.status, Prep | StartRetry | StartManual | UserRetry)
            && state.pending
            && state.attempt == 0;
        if !waits {
            return Err(EngineError::Stale { node: node.to_string(), attempt: 0 });
        }
        if self.status == WorkflowStatus::Running || self.nodes[run].is_forked {
            self.then(cx, |job, cx, open| job.begin_with(cx, open, run, facts));
        }
        Ok(())
    }

    /// When a node is tried again that was to be at a time.
    pub(in crate::engine) fn waiting_for(&mut self, node: u32, at: Instant) -> Option<&mut Instant> {
        let run = self.position(node)?;
        self.nodes[run].retry_at.as_mut().filter(|known| **known == at)
    }

    /// A retry is due.
    pub(in crate::engine) fn retry_due(&mut self, cx: &mut Context<'_>, node: NodeId) {
        let Some(run) = self.position(node.node) else { return };
        let state = &self.nodes[run];
        let is_due = state.retry_at.is_some_and(|at| at <= cx.now) && state.pending;
        if self.status != WorkflowStatus::Running || !is_due {
            return;
        }
        match state.status {
            NodeStatus::StartRetry | NodeStatus::UserRetry => self.advance(cx, [Step::Begin(run)]),
            NodeStatus::EndRetry => ask_end(cx, self.number, state.node, state.attempt),
            _ => {}
        }
    }

    /// Whether a node waits for the plan of its sub-workflow; one that was killed meanwhile wants it no more.
    pub(in crate::engine) fn awaits_child(&mut self, node: NodeId) -> Result<bool, EngineError> {
        let unknown = || EngineError::UnknownAction(node.to_string());
        let run = self.position(node.node).ok_or_else(unknown)?;
        if self.is_dying(run) {
            self.nodes[run].pending = false;
            return Ok(false);
        }
        self.check_node(run, NodeEvent::Begin).map(|()| true)
    }

    /// What the sub-workflow of a node is submitted with, while its plan is on its way.
    pub(in crate::engine) fn asked_for(&self, node: NodeId) -> Option<Arc<Conf>> {
        self.nodes.get(self.position(node.node)?)?.facts.as_ref()?.asked.clone()
    }

    /// The sub-workflow of an action was submitted, or refused.
    pub(in crate::engine) fn child_planned(
        &mut self,
        cx: &mut Context<'_>,
        node: NodeId,
        child: Result<u32, Fault>,
    ) -> Result<(), EngineError> {
        let unknown = || EngineError::UnknownAction(node.to_string());
        let run = self.position(node.node).ok_or_else(unknown)?;
        self.check_node(run, NodeEvent::Begin)?;
        if let Some(facts) = &mut self.nodes[run].facts {
            facts.asked = None;
        }
        match child {
            Ok(child) => {
                let facts = self.nodes[run].facts_mut();
                facts.child = Some(child);
                let id = crate::engine::id::JobId::workflow(child).with_middle(&cx.settings.id_middle);
                facts.external_id = Some(id.into());
                facts.tracker = Some("local".into());
                self.begun(cx, run);
            }
            Err(fault) => {
                let kind = crate::engine::event::TroubleKind::Error;
                let trouble = Trouble { kind, during: During::Start, fault };
                self.then(cx, |job, cx, open| job.trouble(cx, open, run, trouble));
            }
        }
        self.begin_due(cx);
        Ok(())
    }

    /// The sub-workflow of an action has ended or was suspended.
    pub(in crate::engine) fn child_changed(
        &mut self,
        cx: &mut Context<'_>,
        node: NodeId,
        child: u32,
        status: WorkflowStatus,
    ) {
        let Some(run) = self.position(node.node) else { return };
        let own = self.nodes[run].facts.as_ref().and_then(|facts| facts.child);
        if own != Some(child) {
            return;
        }
        match status {
            WorkflowStatus::Suspended => self.suspend(cx),
            _ if self.is_forsaken(run) => {}
            _ if status.is_terminal() && self.nodes[run].status == NodeStatus::Running => {
                let external_status = Some(Arc::from(status.name()));
                let ok = status == WorkflowStatus::Succeeded;
                let end = NodeEnd { ok, external_status, ..NodeEnd::default() };
                self.then(cx, |job, cx, open| job.finished(cx, open, run, end));
            }
            _ => {}
        }
    }

    /// The sub-workflow that a node ran before, when a rerun goes on with it.
    pub(in crate::engine) fn old_child(&self, node: NodeId) -> Option<u32> {
        self.nodes.get(self.position(node.node)?)?.facts.as_ref()?.child
    }
}

fn ask_end(cx: &mut Context<'_>, workflow: u32, node: u32, attempt: u32) {
    cx.out.push(Command::EndNode { node: NodeId { workflow, node }, attempt });
}

/// A refusal of the server's.
pub(super) fn refused(code: &'static str, message: impl Into<String>) -> EngineError {
    EngineError::Refused(Refusal::new(code, message))
}
