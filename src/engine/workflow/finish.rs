//! How an action ends, and what follows from errors (`ActionEndXCommand`, `ActionXCommand`).

use std::collections::VecDeque;

use super::job::{JobEvent, WorkflowJob};
use super::node::{NodeEvent, NodeRun};
use super::retry::{transient_retry_at, user_retry_at};
use super::run::Step;
use crate::engine::context::Context;
use crate::engine::event::{During, Fault, NodeEnd, Trouble, TroubleKind};
use crate::engine::sla::Ending;
use crate::engine::status::{NodeStatus, WorkflowStatus};
use crate::engine::wake::Wake;

/// `oozie.service.RecoveryService.wf.actions.older.than`, in seconds.
const RECOVERED_SECONDS: i64 = 120;

impl WorkflowJob {
    /// The action is over outside.
    pub(super) fn finished(
        &mut self,
        cx: &mut Context<'_>,
        open: &mut VecDeque<Step>,
        run: usize,
        end: NodeEnd,
    ) {
        let NodeEnd { ok, external_status, fault, data, stats, child_ids } = end;
        self.has_started(run);
        self.nodes[run].is_forked = false;
        let too_long = data.as_ref().is_some_and(|data| data.chars().count() > cx.settings.max_output);
        let node = &mut self.nodes[run];
        node.started.get_or_insert(cx.now);
        node.pending = true;
        let index = node.node;
        if !ok || external_status.is_some() || data.is_some() || stats.is_some() || child_ids.is_some() {
            let facts = node.facts_mut();
            facts.external_status = external_status;
            facts.stats = stats;
            facts.child_ids = child_ids;
            facts.ok = Some(ok && !too_long);
            facts.fault = fault;
            facts.data = data.filter(|_| !too_long);
            if too_long {
                // `LauncherAM`: an output that is too long fails the launcher.
                let words = format!("the output is longer than {} characters", cx.settings.max_output);
                facts.fault = Some(Fault::new("JA018", words));
            }
        } else if let Some(facts) = &mut node.facts {
            facts.ok = Some(true);
            facts.fault = None;
        }
        self.node_level_begins(cx, index);
        if !self.is_over_outside(run) {
            self.move_node(cx, run, NodeEvent::Finish);
        }
        self.end_action(cx, open, run);
    }

    /// `ActionEndXCommand.execute`; in a job that does not run, a resume makes up for it.
    pub(super) fn end_action(&mut self, cx: &mut Context<'_>, open: &mut VecDeque<Step>, run: usize) {
        if self.status != WorkflowStatus::Running {
            return;
        }
        let node = &mut self.nodes[run];
        node.retry_at = None;
        let ok = node.facts.as_ref().is_none_or(|facts| facts.ok != Some(false));
        if !ok && self.retry(cx, run) {
            return;
        }
        self.nodes[run].retries = 0;
        self.move_node(cx, run, if ok { NodeEvent::EndOk } else { NodeEvent::EndError });
        open.push_back(Step::Leave(run));
    }

    /// `ActionXCommand.handleUserRetry`
    fn retry(&mut self, cx: &mut Context<'_>, run: usize) -> bool {
        let node = &self.nodes[run];
        let code = node.facts.as_ref().and_then(|facts| facts.fault.as_ref()).map(|fault| &*fault.code);
        let Some(at) = user_retry_at(self, node.node, node.user_retries, code, cx.settings, cx.now) else {
            return false;
        };
        self.move_node(cx, run, NodeEvent::Retry);
        let id = self.node_id(run);
        let node = &mut self.nodes[run];
        node.user_retries += 1;
        node.pending = true;
        node.attempt = 0;
        node.retry_at = Some(at);
        cx.wakes.insert((at, Wake::Retry(id)));
        true
    }

    /// `ActionXCommand.handleTransient`, `handleNonTransient`, `handleError` and `failJob`.
    pub(super) fn trouble(
        &mut self,
        cx: &mut Context<'_>,
        open: &mut VecDeque<Step>,
        run: usize,
        trouble: Trouble,
    ) {
        let Trouble { kind, during, fault } = trouble;
        let id = self.node_id(run);
        self.nodes[run].facts_mut().fault = Some(fault);
        self.has_started(run);
        let forked = std::mem::take(&mut self.nodes[run].is_forked);
        if forked && self.is_left_alone(cx, run, kind) {
            return;
        }
        match kind {
            TroubleKind::Transient => {
                match transient_retry_at(self, id.node, self.nodes[run].retries, cx.settings, cx.now) {
                    None => self.wait_for_hand(cx, run, during),
                    Some(at) => {
                        self.nodes[run].retries += 1;
                        self.nodes[run].pending = true;
                        let event = match during {
                            During::Start => NodeEvent::StartTransient,
                            During::Check => return self.move_node(cx, run, NodeEvent::CheckTransient),
                            During::End => NodeEvent::EndTransient,
                        };
                        self.move_node(cx, run, event);
                        if during == During::Start {
                            self.nodes[run].attempt = 0;
                        }
                        self.nodes[run].retry_at = Some(at);
                        cx.wakes.insert((at, Wake::Retry(id)));
                        self.notify_trouble(cx, run);
                    }
                }
            }
            TroubleKind::NonTransient => self.wait_for_hand(cx, run, during),
            TroubleKind::Error if self.retry(cx, run) => {}
            TroubleKind::Error if during == During::Start => {
                self.nodes[run].started.get_or_insert(cx.now);
                self.node_level_begins(cx, id.node);
                self.nodes[run].facts_mut().ok = Some(false);
                self.move_node(cx, run, NodeEvent::Finish);
                self.end_action(cx, open, run);
            }
            TroubleKind::Error if during == During::End => {
                self.nodes[run].facts_mut().ok = Some(false);
                self.move_node(cx, run, NodeEvent::EndError);
                open.push_back(Step::Leave(run));
            }
            TroubleKind::Failed if self.retry(cx, run) => {
                if forked {
                    // Its retry is queued by nobody; the recovery finds it.
                    self.recover(cx, run);
                }
            }
            TroubleKind::Error | TroubleKind::Failed => {
                self.move_node(cx, run, NodeEvent::Fail);
                self.nodes[run].pending = false;
                self.nodes[run].ended = Some(cx.now);
                self.finished.push(run as u32);
                self.node_level_ends(cx, id.node, Ending::Badly);
                self.notify_node(cx, run);
                match forked {
                    true => self.fail_beside(cx),
                    false => self.end_job(cx, JobEvent::Fail),
                }
            }
        }
    }

    /// Whether a branch that starts together with others and fails stays as it is: once one of them has failed the job,
    /// the next that would breaks the command off (E0718), at itself and all behind it
    /// (`SignalXCommand.startForkedActions`).
    fn is_left_alone(&self, cx: &Context<'_>, run: usize, kind: TroubleKind) -> bool {
        if !matches!(kind, TroubleKind::Failed | TroubleKind::NonTransient) {
            return false;
        }
        let own = &self.nodes[run];
        let code = |node: &NodeRun| Some(node.facts.as_ref()?.fault.as_ref()?.code.clone());
        let broke_off = |(index, node): (usize, &NodeRun)| {
            index != run && node.fork == own.fork && node.status == NodeStatus::Prep && code(node).is_some()
        };
        if self.nodes.iter().enumerate().any(broke_off) {
            return true;
        }
        let retries =
            || user_retry_at(self, own.node, own.user_retries, code(own).as_deref(), cx.settings, cx.now);
        kind == TroubleKind::Failed && self.status.is_terminal() && retries().is_none()
    }

    /// `RecoveryService`: an action whose command nobody has queued is found after two minutes, at the next look.
    fn recover(&mut self, cx: &mut Context<'_>, run: usize) {
        let id = self.node_id(run);
        let at = cx.now.plus_millis((RECOVERED_SECONDS + cx.settings.recovery_interval_seconds) * 1000);
        if let Some(old) = self.nodes[run].retry_at.replace(at) {
            cx.wakes.remove(&(old, Wake::Retry(id)));
        }
        cx.wakes.insert((at, Wake::Retry(id)));
    }

    /// `handleNonTransient`: the job waits until somebody resumes it.
    fn wait_for_hand(&mut self, cx: &mut Context<'_>, run: usize, during: During) {
        let event = if during == During::End { NodeEvent::EndManual } else { NodeEvent::StartManual };
        self.move_node(cx, run, event);
        let node = &mut self.nodes[run];
        node.pending = false;
        node.retries = 0;
        node.retry_at = None;
        if during != During::End {
            node.attempt = 0;
        }
        self.notify_trouble(cx, run);
        self.suspend(cx);
    }
}
