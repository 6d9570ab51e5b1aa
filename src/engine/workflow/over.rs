//! How a workflow stands still and how it ends: suspended, over, and what still runs then.

use std::collections::VecDeque;

use super::job::{JobEvent, WorkflowJob};
use super::node::NodeEvent;
use crate::engine::command::Command;
use crate::engine::context::{Context, Notice};
use crate::engine::event::Parent;
use crate::engine::sla::Ending;
use crate::engine::status::{NodeStatus, WorkflowStatus};
use crate::plan::workflow::ProgramKind;

impl WorkflowJob {
    /// Suspends a job that runs (`SuspendXCommand.suspendJob`): what waits for a retry waits for a resume.
    pub(super) fn suspend(&mut self, cx: &mut Context<'_>) {
        if self.status != WorkflowStatus::Running || self.move_to(cx, JobEvent::Suspend).is_err() {
            return;
        }
        use NodeStatus::{EndManual, EndRetry, StartManual, StartRetry};
        for run in &mut self.nodes {
            if matches!(run.status, StartRetry | StartManual | EndRetry | EndManual) {
                run.pending = false;
            }
        }
    }

    /// Whether an action needs somebody to look at it.
    pub(in crate::engine) fn needs_hand(&self) -> bool {
        use NodeStatus::{EndManual, StartManual};
        self.nodes.iter().any(|run| matches!(run.status, StartManual | EndManual))
    }

    /// The job is over: what still runs is killed.
    pub(super) fn end_job(&mut self, cx: &mut Context<'_>, event: JobEvent) {
        if self.move_to(cx, event).is_err() {
            return;
        }
        self.ended = Some(cx.now);
        let ending = if event == JobEvent::ReachEnd { Ending::Well } else { Ending::Badly };
        self.level_ends(cx, ending);
        self.kill_nodes(cx);
        self.tidy();
    }

    /// A branch that starts together with others fails the job: the kill of the others is queued on a command that is
    /// never called (`SignalXCommand.startForkedActions`), so they go on outside, and nobody looks at them any more.
    pub(super) fn fail_beside(&mut self, cx: &mut Context<'_>) {
        if self.move_to(cx, JobEvent::Fail).is_err() {
            return;
        }
        self.has_left_branches = true;
        self.ended = Some(cx.now);
        self.level_ends(cx, Ending::Badly);
        let conf = self.conf.clone();
        self.tidy();
        // The others may be about to begin.
        self.conf = conf;
    }

    /// `KillXCommand` for a job that has failed: what still runs of it is killed, and it stays as it is.
    pub(super) fn kill_left(&mut self, cx: &mut Context<'_>) {
        self.has_left_branches = false;
        self.ended = Some(cx.now);
        self.kill_nodes(cx);
        self.notify_job(cx);
    }

    /// Forgets what only a job that runs needs.
    fn tidy(&mut self) {
        self.due = VecDeque::new();
        self.forks = Vec::new();
        self.put_off = Vec::new();
        self.skip = Vec::new();
        self.kept = Vec::new();
        self.levels = None;
        self.nodes.shrink_to_fit();
        self.finished.shrink_to_fit();
        // What a rerun was given is known nowhere else.
        if matches!(self.parent, Some(Parent::Action(_))) && self.run == 0 {
            self.conf = None;
        }
    }

    /// `KillXCommand.execute` for the actions.
    pub(super) fn kill_nodes(&mut self, cx: &mut Context<'_>) {
        for run in 0..self.nodes.len() {
            let node = &self.nodes[run];
            if node.status.is_over() {
                continue;
            }
            let child = node.facts.as_ref().and_then(|facts| facts.child);
            let is_outside = node.is_outside() && child.is_none();
            let (attempt, id) = (node.attempt, self.node_id(run));
            self.move_node(cx, run, NodeEvent::Kill);
            self.has_started(run);
            self.nodes[run].is_forked = false;
            let ProgramKind::Action(action) = &self.program.nodes[id.node as usize].kind else {
                self.nodes[run].pending = false;
                continue;
            };
            let asked = is_outside && &*action.kind != "sub-workflow";
            let node = &mut self.nodes[run];
            node.ended = Some(cx.now);
            node.retry_at = None;
            // A plan of a sub-workflow that is on its way answers the kill.
            let awaits_plan = node.facts.as_mut().is_some_and(|facts| facts.asked.take().is_some());
            node.pending = asked || awaits_plan;
            if asked {
                cx.out.push(Command::KillNode { node: id, attempt });
            }
            if let Some(child) = child {
                cx.notices.push_back(Notice::Kill(child));
            }
            self.finished.push(run as u32);
            self.node_level_ends(cx, id.node, Ending::Badly);
            self.notify_node(cx, run);
        }
    }
}
