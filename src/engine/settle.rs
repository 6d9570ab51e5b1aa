//! What follows from an event: due times, and what machines tell each other.

use super::command::Watched;
use super::context::Notice;
use super::event::Parent;
use super::id::{JobId, NodeId};
use super::status::WorkflowStatus;
use super::wake::Wake;
use super::{Engine, Plans};
use crate::time::Instant;

impl<P: Plans> Engine<P> {
    /// Does what is due.
    pub(super) fn tick(&mut self) {
        while let Some((at, wake)) = self.wakes.first().copied() {
            if at > self.now {
                break;
            }
            self.wakes.remove(&(at, wake));
            self.wake(wake);
            self.settle();
        }
    }

    /// Lets retries come after as long as they were to, though the clock was set.
    pub(super) fn keep_spans(&mut self, millis: i64) {
        let retry = |(at, wake): &(Instant, Wake)| match wake {
            Wake::Retry(node) => Some((*at, *node)),
            _ => None,
        };
        let retries: Vec<(Instant, NodeId)> = self.wakes.iter().filter_map(retry).collect();
        for (at, node) in retries {
            let run = self.workflows.get_mut(&node.workflow).and_then(|job| job.waiting_for(node.node, at));
            if let Some(retry_at) = run {
                let moved = at.plus_millis(millis);
                *retry_at = moved;
                self.wakes.remove(&(at, Wake::Retry(node)));
                self.wakes.insert((moved, Wake::Retry(node)));
            }
        }
    }

    fn wake(&mut self, wake: Wake) {
        let job = |number| JobId::coordinator(number);
        let done = match wake {
            Wake::Retry(node) => self.of_workflow(node.job(), |job, cx| {
                job.retry_due(cx, node);
                Ok(())
            }),
            Wake::BundlePause(number) => self.of_bundle(JobId::bundle(number), |job, cx| {
                job.pause_due(cx);
                Ok(())
            }),
            Wake::KickOff(number) => self.of_bundle(JobId::bundle(number), |job, cx| {
                job.kick_off_due(cx);
                Ok(())
            }),
            Wake::CoordinatorPause(number) => self.of_coordinator(job(number), |job, cx| {
                job.pause_due(cx);
                Ok(())
            }),
            Wake::Materialize(number) => self.of_coordinator(job(number), |job, cx| {
                job.pass_due(cx);
                Ok(())
            }),
            Wake::Recovery(number) => self.of_coordinator(job(number), |job, cx| {
                job.recovery_due(cx);
                Ok(())
            }),
            Wake::Nominal(action) => self.of_coordinator(action.job(), |job, cx| {
                job.look_due(cx, action.number);
                Ok(())
            }),
            Wake::Deadline(action) => self.of_coordinator(action.job(), |job, cx| {
                job.deadline_due(cx, action.number);
                Ok(())
            }),
            Wake::CoordinatorStatus(number) => self.of_coordinator(job(number), |job, cx| {
                job.transit(cx);
                Ok(())
            }),
            Wake::BundleStatus(number) => self.of_bundle(JobId::bundle(number), |job, cx| {
                job.transit(cx);
                Ok(())
            }),
            Wake::Sla(Watched::Action(action)) => self.of_coordinator(action.job(), |job, cx| {
                job.sla_due(cx, action.number);
                Ok(())
            }),
            Wake::Sla(Watched::Workflow(id)) => self.of_workflow(id, |job, cx| {
                job.sla_due(cx, None);
                Ok(())
            }),
            Wake::Sla(Watched::Node(node)) => self.of_workflow(node.job(), |job, cx| {
                job.sla_due(cx, Some(node.node));
                Ok(())
            }),
        };
        debug_assert!(done.is_ok(), "a wake of a job that does not exist");
    }

    /// Tells machines what others have to tell them, until nobody has anything to tell.
    pub(super) fn settle(&mut self) {
        while let Some(notice) = self.next_notice() {
            match notice {
                Notice::Workflow(number, status) => self.workflow_changed(number, status),
                Notice::Kill(number) => {
                    self.workflow_told(number, |status| !status.is_terminal(), Told::Kill)
                }
                Notice::Suspend(number) => {
                    self.workflow_told(number, |status| status == WorkflowStatus::Running, Told::Suspend);
                }
                Notice::Resume(number) => {
                    self.workflow_told(number, |status| status == WorkflowStatus::Suspended, Told::Resume);
                }
                Notice::CoordinatorStatus(number, _) => self.coordinator_changed(number, false),
                Notice::GoOn(number) => {
                    let done = self.of_coordinator(JobId::coordinator(number), |job, cx| {
                        job.go_on(cx);
                        Ok(())
                    });
                    debug_assert!(done.is_ok(), "{done:?}");
                }
                Notice::Examine(number) => {
                    let done = self.of_coordinator(JobId::coordinator(number), |job, cx| {
                        job.transit(cx);
                        Ok(())
                    });
                    debug_assert!(done.is_ok(), "{done:?}");
                }
                Notice::SuspendCoordinator(number) => self.coordinator_told(number, Told::Suspend),
                Notice::ResumeCoordinator(number) => self.coordinator_told(number, Told::Resume),
                Notice::KillCoordinator(number) => self.coordinator_told(number, Told::Kill),
                Notice::ExamineBundle(number) => {
                    let done = self.of_bundle(JobId::bundle(number), |job, cx| {
                        job.transit(cx);
                        Ok(())
                    });
                    debug_assert!(done.is_ok(), "{done:?}");
                }
            }
        }
    }

    /// The next of what is to be told. A server looks at the status of jobs once its commands are done, coordinators
    /// before bundles, or when its service comes by next. By the first rules each look came in its turn.
    fn next_notice(&mut self) -> Option<Notice> {
        while let Some(notice) = self.notices.pop_front() {
            let (job, wake) = match notice {
                Notice::Examine(number) => {
                    let job = self.coordinators.get(&number);
                    (job.map(|job| (job.semantics, job.server.as_ref())), Wake::CoordinatorStatus(number))
                }
                Notice::ExamineBundle(number) => {
                    let job = self.bundles.get(&number);
                    (job.map(|job| (job.semantics, job.server.as_ref())), Wake::BundleStatus(number))
                }
                _ => return Some(notice),
            };
            match job {
                Some((semantics, server)) if semantics.follows_commands() => {
                    let at = server.map_or(&self.settings, |own| own).status_look(self.now);
                    if at > self.now {
                        self.wakes.insert((at, wake));
                    } else {
                        self.looks.insert(notice);
                    }
                }
                _ => return Some(notice),
            }
        }
        self.looks.pop_first()
    }

    /// Tells a workflow something that it can do; its coordinator hears what came of it.
    fn workflow_told(&mut self, number: u32, can: impl Fn(WorkflowStatus) -> bool, told: Told) {
        let id = JobId::workflow(number);
        let Some((status, semantics)) = self.workflow(id).map(|job| (job.status, job.semantics)) else {
            return;
        };
        if !can(status) {
            // A command that finds its precondition unmet tells nobody; only a kill of what has failed does something.
            if semantics.follows_commands() && (told != Told::Kill || status != WorkflowStatus::Failed) {
                return;
            }
            if semantics.follows_commands() {
                let _ = self.of_workflow(id, |job, cx| job.kill(cx));
            }
            return self.workflow_changed(number, status);
        }
        let done = self.of_workflow(id, |job, cx| match told {
            Told::Kill => job.kill(cx),
            Told::Suspend => job.suspend_by_hand(cx),
            Told::Resume => job.resume(cx),
        });
        debug_assert!(done.is_ok(), "{done:?}");
    }

    /// Tells a coordinator what its bundle wants; one that cannot stays as it is.
    fn coordinator_told(&mut self, number: u32, told: Told) {
        let _ = self.of_coordinator(JobId::coordinator(number), |job, cx| match told {
            Told::Kill => job.kill(cx),
            Told::Suspend => job.suspend(cx),
            Told::Resume => job.resume(cx),
        });
        self.coordinator_changed(number, true);
    }

    fn workflow_changed(&mut self, number: u32, status: WorkflowStatus) {
        let Some(job) = self.workflows.get(&number) else { return };
        let parent = job.parent;
        // A suspension goes up to the workflow above (`SuspendXCommand.suspendParentWorkFlow`), but for that of an
        // action that needs somebody to look at it (`ActionXCommand.handleNonTransient`).
        if status == WorkflowStatus::Suspended && matches!(parent, Some(Parent::Node(_))) && job.needs_hand()
        {
            return;
        }
        let told = match parent {
            None => Ok(()),
            Some(Parent::Node(node)) => self.of_workflow(node.job(), |job, cx| {
                job.child_changed(cx, node, number, status);
                Ok(())
            }),
            Some(Parent::Action(action)) => self.of_coordinator(action.job(), |job, cx| {
                job.workflow_changed(cx, action.number, number, status);
                Ok(())
            }),
        };
        debug_assert!(told.is_ok(), "a workflow without what runs it");
    }

    fn coordinator_changed(&mut self, number: u32, answers: bool) {
        let Some(job) = self.coordinators.get(&number) else { return };
        let (status, Some((bundle, child))) = (job.status, job.bundle) else { return };
        let told = self.of_bundle(JobId::bundle(bundle), |job, cx| {
            job.child_changed(cx, child, status, answers);
            Ok(())
        });
        debug_assert!(told.is_ok(), "a coordinator without its bundle");
    }
}

/// What a job above tells one below.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Told {
    Kill,
    Suspend,
    Resume,
}
