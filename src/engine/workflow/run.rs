//! How a workflow goes from node to node (`SignalXCommand`, `LiteWorkflowInstance`).

use std::collections::VecDeque;

use super::expressions::{Files, NodeWorld};
use super::job::{Fork, JobEvent, WorkflowJob};
use super::node::{NodeEvent, NodeRun};
use crate::engine::context::Context;
use crate::engine::event::{Facts, Fault};
use crate::engine::sla::Ending;
use crate::engine::status::{NodeStatus, WorkflowStatus};
use crate::plan::workflow::{ProgramKind, Target};

/// A step of a workflow that is still to be made.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    /// Enter a node, within a fork.
    Enter(u32, Option<u32>),
    /// Begin a node that was entered.
    Begin(usize),
    /// Go on behind a node that is over.
    Leave(usize),
}

impl WorkflowJob {
    /// Makes all steps that can be made now.
    pub(super) fn advance(&mut self, cx: &mut Context<'_>, first: impl IntoIterator<Item = Step>) {
        let mut open: VecDeque<Step> = first.into_iter().collect();
        while let Some(next) = open.pop_front() {
            // What starts together with its siblings starts, whatever has become of these.
            let forked = matches!(next, Step::Begin(run) if self.nodes[run].is_forked);
            if self.status != WorkflowStatus::Running && !forked {
                self.put_off(next);
                continue;
            }
            match next {
                Step::Enter(node, fork) => self.enter(cx, &mut open, node, fork),
                Step::Begin(run) => self.begin(cx, &mut open, run),
                Step::Leave(run) => self.leave(cx, &mut open, run),
            }
        }
    }

    /// A step that cannot be made in a job that does not run. What a resume cannot see in the nodes themselves is kept
    /// for it: nodes that were not entered, and those that a rerun skips.
    fn put_off(&mut self, step: Step) {
        let is_kept = match step {
            Step::Enter(..) => true,
            Step::Begin(_) => false,
            Step::Leave(run) => self.nodes[run].ended.is_some(),
        };
        if is_kept && self.status == WorkflowStatus::Suspended {
            self.put_off.push(step);
        }
    }

    /// `LiteWorkflowInstance.signal` with `::synch::`, and what `SignalXCommand` does with new actions.
    fn enter(&mut self, cx: &mut Context<'_>, open: &mut VecDeque<Step>, node: u32, fork: Option<u32>) {
        let mut fork = fork;
        if matches!(self.program.nodes[node as usize].kind, ProgramKind::Join(_)) {
            let Some(around) = fork else {
                return self.break_off(cx, Fault::new("E0720", "a join is entered outside a fork"));
            };
            let around = &mut self.forks[around as usize];
            around.open -= 1;
            if around.open > 0 {
                return;
            }
            fork = around.parent;
        }
        let run = match self.position(node) {
            None => {
                self.nodes.push(NodeRun::new(node, fork, cx.now));
                self.nodes.len() - 1
            }
            Some(run) => {
                if let Ok(at) = self.skip.binary_search(&node) {
                    self.skip.remove(at);
                    self.nodes[run].fork = fork;
                    open.push_back(Step::Leave(run));
                    return;
                }
                let Ok(at) = self.kept.binary_search(&node) else {
                    let name = self.node_name(node);
                    return self.break_off(cx, Fault::new("E0709", format!("`{name}` is entered twice")));
                };
                self.kept.remove(at);
                let facts = self.nodes[run].facts.take();
                self.nodes[run] = NodeRun { facts, ..NodeRun::new(node, fork, cx.now) };
                run
            }
        };
        self.node_level_enters(cx, node);
        if self.suspends_before(node) {
            // What was entered waits for a resume.
            if self.move_to(cx, JobEvent::Suspend).is_ok() {
                return;
            }
        }
        open.push_back(Step::Begin(run));
    }

    /// `SignalXCommand.checkForSuspendNode`
    fn suspends_before(&self, node: u32) -> bool {
        let Some(value) = self.ways().suspends_before.and_then(|name| self.property(name)) else {
            return false;
        };
        let names: Vec<&str> = value.split(',').map(str::trim).filter(|name| !name.is_empty()).collect();
        names == ["*"] || names.contains(&&**self.node_name(node))
    }

    /// `SignalXCommand.execute` for a node that is over.
    fn leave(&mut self, cx: &mut Context<'_>, open: &mut VecDeque<Step>, run: usize) {
        let program = self.program.clone();
        let node = &mut self.nodes[run];
        let skipped = node.ended.is_some();
        node.pending = false;
        node.ended.get_or_insert(cx.now);
        let (index, fork, status) = (node.node, node.fork, node.status);
        let kind = &program.nodes[index as usize].kind;
        let decided = node.transition;
        if !skipped {
            self.finished.push(run as u32);
            let ending = if status == NodeStatus::Ok { Ending::Well } else { Ending::Badly };
            self.node_level_ends(cx, index, ending);
        }
        let mut go = |job: &mut WorkflowJob, cx: &mut Context<'_>, target: &Target, fork| match target.node {
            None => job.no_node(cx, target),
            Some(to) => {
                job.nodes[run].transition = Some(to);
                open.push_back(Step::Enter(to, fork));
            }
        };
        match kind {
            ProgramKind::Start(to) | ProgramKind::Join(to) => go(self, cx, to, fork),
            ProgramKind::Decision { cases, default } => {
                let targets = cases.iter().map(|(_, target)| target).chain([default]);
                let taken = targets.into_iter().find(|target| target.node == decided && decided.is_some());
                let missing = Target { name: "".into(), node: None, label: None };
                go(self, cx, taken.unwrap_or(&missing), fork);
            }
            ProgramKind::Fork(paths) => {
                let open_paths = paths.len() as u32;
                self.forks.push(Fork { parent: fork, open: open_paths });
                let around = self.forks.len() as u32 - 1;
                let first = open.len();
                for path in paths {
                    // All ways are entered at once: a suspension before one of them is for all.
                    match path.node {
                        None => self.no_node(cx, path),
                        Some(to) => {
                            self.nodes[run].transition = Some(to);
                            self.enter(cx, open, to, Some(around));
                        }
                    }
                    if self.status.is_terminal() {
                        break;
                    }
                }
                let together = self.ways().starts_branches_together
                    && self.semantics.follows_commands()
                    && cx.settings.parallel_forks;
                if together && self.status == WorkflowStatus::Running {
                    for step in open.iter().skip(first) {
                        if let Step::Begin(run) = step {
                            self.nodes[*run].is_forked = true;
                        }
                    }
                }
            }
            ProgramKind::Action(action) => {
                let to = if status == NodeStatus::Ok { &action.ok } else { &action.error };
                go(self, cx, to, fork);
            }
            ProgramKind::End => {
                self.tell_left(cx, run, skipped);
                self.end_job(cx, JobEvent::ReachEnd);
                return;
            }
            ProgramKind::Kill { message, fails } => {
                let facts = Facts::default();
                let files = Files::Recorded(&facts);
                let world = NodeWorld { job: self, node: index, settings: cx.settings, now: cx.now, files };
                let fault = match world.text(message) {
                    Ok(message) => Fault::new("E0729", message),
                    Err(why) => {
                        // One that a rerun skips had no message before.
                        if status == NodeStatus::Ok {
                            self.move_node(cx, run, NodeEvent::MessageFails);
                        }
                        Fault::new("E0756", why)
                    }
                };
                self.nodes[run].facts_mut().fault = Some(fault);
                self.tell_left(cx, run, skipped);
                self.end_job(cx, if *fails { JobEvent::Fail } else { JobEvent::ReachKill });
                return;
            }
        }
        self.tell_left(cx, run, skipped);
    }

    /// Tells of a node that is left; of the last one before the end of the job is told (`SignalXCommand`).
    fn tell_left(&self, cx: &mut Context<'_>, run: usize, skipped: bool) {
        if !skipped {
            self.notify_node(cx, run);
        }
    }

    fn no_node(&mut self, cx: &mut Context<'_>, target: &Target) {
        let words = format!("there is no node `{}`", target.name);
        self.break_off(cx, Fault::new("E0708", words));
    }

    /// The control flow is broken: the job fails.
    fn break_off(&mut self, cx: &mut Context<'_>, fault: Fault) {
        self.fault = Some(fault);
        self.end_job(cx, JobEvent::Fail);
    }
}
