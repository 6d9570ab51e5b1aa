//! Operators' commands, by the kind of job.

use std::sync::Arc;

use super::command::{Answer, Command};
use super::error::{EngineError, Refusal};
use super::event::{ActionsRerun, BundleRerun, Change, Fault, Scope};
use super::id::{JobId, JobKind};
use super::status::JobStatus;
use super::{Engine, Plans};

impl<P: Plans> Engine<P> {
    pub(super) fn start(&mut self, id: JobId) -> Result<(), EngineError> {
        match id.kind {
            JobKind::Workflow => self.of_workflow(id, |job, cx| job.start(cx)),
            JobKind::Coordinator => self.of_coordinator(id, |job, _| {
                let words = format!("a coordinator starts by itself; this one is {}", job.status);
                Err(Refusal::new("E0301", words).into())
            }),
            JobKind::Bundle => self.of_bundle(id, |job, cx| job.start(cx)),
        }
    }

    pub(super) fn suspend(&mut self, id: JobId) -> Result<(), EngineError> {
        match id.kind {
            JobKind::Workflow => self.of_workflow(id, |job, cx| job.suspend_by_hand(cx)),
            JobKind::Coordinator => self.of_coordinator(id, |job, cx| job.suspend(cx)),
            JobKind::Bundle => self.of_bundle(id, |job, cx| job.suspend(cx)),
        }
    }

    pub(super) fn resume(&mut self, id: JobId) -> Result<(), EngineError> {
        match id.kind {
            JobKind::Workflow => self.of_workflow(id, |job, cx| job.resume(cx)),
            JobKind::Coordinator => self.of_coordinator(id, |job, cx| job.resume(cx)),
            JobKind::Bundle => self.of_bundle(id, |job, cx| job.resume(cx)),
        }
    }

    pub(super) fn kill(&mut self, id: JobId) -> Result<(), EngineError> {
        match id.kind {
            JobKind::Workflow => self.of_workflow(id, |job, cx| job.kill(cx)),
            JobKind::Coordinator => self.of_coordinator(id, |job, cx| job.kill(cx)),
            JobKind::Bundle => self.of_bundle(id, |job, cx| job.kill(cx)),
        }
    }

    pub(super) fn change(&mut self, id: JobId, change: &Change) -> Result<(), EngineError> {
        match id.kind {
            JobKind::Workflow => {
                self.of_workflow(id, |_, _| Err(Refusal::new("E1017", "a workflow cannot be changed").into()))
            }
            JobKind::Coordinator => self.of_coordinator(id, |job, cx| job.change(cx, change)),
            JobKind::Bundle => self.change_bundle(id, change),
        }
    }

    /// The coordinators of a bundle that are not killed.
    fn coordinators_of(&self, id: JobId) -> Result<Vec<JobId>, EngineError> {
        let bundle = self.bundle(id).ok_or(EngineError::UnknownJob(id))?;
        let children = bundle.children.iter().flatten();
        let alive = children.filter(|child| child.status != JobStatus::Killed);
        Ok(alive.filter_map(|child| child.coordinator).map(JobId::coordinator).collect())
    }

    /// `BundleJobChangeXCommand`: the pause time or the end, of the bundle and of every coordinator. What one of these
    /// refuses, the bundle refuses.
    fn change_bundle(&mut self, id: JobId, change: &Change) -> Result<(), EngineError> {
        let coordinators = self.coordinators_of(id)?;
        let bundle = self.bundle(id).ok_or(EngineError::UnknownJob(id))?;
        let refused = |code, words: &str| Err(Refusal::new(code, words).into());
        use JobStatus::{DoneWithError, Failed, Killed, Succeeded};
        match (change.pause, change.end) {
            (Some(_), Some(_)) | (None, None) => {
                return refused("E1317", "a bundle takes a change of its pause time or of its end");
            }
            (Some(pause), None) => {
                if matches!(bundle.status, Succeeded | Failed | Killed | DoneWithError) {
                    return Err(EngineError::Dropped(Refusal::new("E1312", "the bundle is over")));
                }
                if pause.is_some_and(|pause| pause < self.now) {
                    return refused("E1317", "the pause time lies in the past");
                }
            }
            (None, Some(end)) => {
                if bundle.status == Killed {
                    return Err(EngineError::Dropped(Refusal::new("E1312", "the bundle was killed")));
                }
                // The command looks for the kick-off time where it has not loaded it.
                let follows = bundle.semantics.follows_commands();
                if !follows && bundle.program.kick_off.is_some_and(|at| end < at) {
                    return refused("E1317", "the end lies before the kick-off time");
                }
            }
        }
        if change.concurrency.is_some() || change.status.is_some() {
            return refused("E1317", "a bundle takes a change of its pause time or of its end");
        }
        if bundle.semantics.follows_commands() {
            return self.change_children(id, &coordinators, change);
        }
        for coordinator in &coordinators {
            let job = self.coordinator(*coordinator).ok_or(EngineError::UnknownJob(*coordinator))?;
            job.check_change(change)?;
        }
        // The bundle's own status follows from theirs.
        for coordinator in coordinators {
            let changed = self.of_coordinator(coordinator, |job, cx| job.change(cx, change));
            debug_assert!(changed.is_ok(), "{changed:?}");
        }
        self.of_bundle(id, |job, cx| {
            match change.pause {
                Some(pause) => job.set_pause(cx, pause),
                None => job.extended(cx),
            }
            Ok(())
        })
    }

    /// Changes the coordinators of a bundle that can be changed, and the bundle in any case; what the others say is told
    /// under one code.
    fn change_children(
        &mut self,
        id: JobId,
        coordinators: &[JobId],
        change: &Change,
    ) -> Result<(), EngineError> {
        let bundle = self.bundle(id).ok_or(EngineError::UnknownJob(id))?;
        // What was killed, and what was never submitted, is told as a refusal too.
        let is_left_out = |status: JobStatus, known: bool| status != JobStatus::Ignored && !known;
        let children = bundle.children.iter().flatten();
        let left_out = children.filter(|child| {
            is_left_out(child.status, child.status != JobStatus::Killed && child.coordinator.is_some())
        });
        let mut refusals: Vec<String> = left_out
            .map(|child| match child.coordinator.map(JobId::coordinator) {
                Some(coordinator) => format!("{coordinator}: it was killed"),
                None => "a coordinator that was not submitted".to_owned(),
            })
            .collect();
        for coordinator in coordinators {
            let changed = self.of_coordinator(*coordinator, |job, cx| match job.status {
                JobStatus::Ignored => Ok(()),
                _ => job.change(cx, change),
            });
            if let Err(error) = changed {
                refusals.push(format!("{coordinator}: {error}"));
            }
        }
        if !refusals.is_empty() {
            let refusal = Fault::new("E1320", refusals.join("; "));
            self.out.push(Command::Answered(Answer::Refused(refusal)));
        }
        self.of_bundle(id, |job, cx| {
            match change.pause {
                Some(pause) => job.set_pause(cx, pause),
                None => job.extended(cx),
            }
            Ok(())
        })
    }

    /// `BundleRerunXCommand`: reruns of coordinators are queued, so the bundle does not hear of refusals. By the first
    /// rules it refused when all of them did.
    pub(super) fn rerun_bundle(&mut self, id: JobId, rerun: &BundleRerun) -> Result<(), EngineError> {
        let bundle = self.bundle(id).ok_or(EngineError::UnknownJob(id))?;
        if !bundle.semantics.follows_commands() {
            return self.rerun_bundle_at_once(id, rerun);
        }
        bundle.check_rerun()?;
        let program = bundle.program.clone();
        let children = (0..).zip(bundle.children.iter().zip(&program.children));
        let is_meant = |name: &Arc<str>| match rerun.coordinators.is_empty() {
            true => rerun.dates.is_some(),
            false => rerun.coordinators.contains(name),
        };
        let named = children.filter_map(|(child, (run, what))| {
            let run = run.as_ref().filter(|run| run.status != JobStatus::Ignored && is_meant(&what.name))?;
            Some((child, JobId::coordinator(run.coordinator?)))
        });
        let named: Vec<(u32, JobId)> = named.collect();
        if named.is_empty() {
            self.out.push(Command::Answered(Answer::Nothing));
            return Ok(());
        }
        self.of_bundle(id, |job, cx| {
            named.iter().for_each(|(child, _)| job.await_rerun(*child));
            job.rerun(cx)
        })?;
        for (child, coordinator) in named {
            // What one of them refuses is known to nobody.
            let _ = self.rerun_child(coordinator, rerun);
            let status = self.coordinator(coordinator).map(|job| job.status);
            self.of_bundle(id, |job, cx| {
                if let Some(status) = status {
                    job.child_changed(cx, child, status, true);
                }
                Ok(())
            })?;
        }
        Ok(())
    }

    /// Runs the actions of a coordinator again, as its bundle has it.
    fn rerun_child(&mut self, coordinator: JobId, rerun: &BundleRerun) -> Result<(), EngineError> {
        let processing = self.settings.processing;
        self.of_coordinator(coordinator, |job, cx| {
            let show = |at| processing.format(at);
            let whole = || format!("{}::{}", show(job.program.job.start), show(job.end)).into();
            let scope = Scope::Dates(rerun.dates.clone().unwrap_or_else(whole));
            let (nocleanup, refresh) = (rerun.nocleanup, rerun.refresh);
            job.rerun(cx, &ActionsRerun { nocleanup, refresh, ..ActionsRerun::of(scope) })
        })
    }

    fn rerun_bundle_at_once(&mut self, id: JobId, rerun: &BundleRerun) -> Result<(), EngineError> {
        let bundle = self.bundle(id).ok_or(EngineError::UnknownJob(id))?;
        bundle.check_rerun()?;
        let program = bundle.program.clone();
        let named =
            bundle.children.iter().zip(&program.children).filter(|(_, child)| {
                rerun.coordinators.is_empty() || rerun.coordinators.contains(&child.name)
            });
        let named: Vec<JobId> =
            named.filter_map(|(child, _)| child.as_ref()?.coordinator).map(JobId::coordinator).collect();
        let is_known = |name: &Arc<str>| program.children.iter().any(|child| child.name == *name);
        let words = match rerun.coordinators.first() {
            Some(name) if !rerun.coordinators.iter().any(is_known) => {
                format!("the bundle has no coordinator `{name}`")
            }
            _ => "no coordinator of these was begun, so none can be run again".to_owned(),
        };
        let mut refusal = Refusal::new("E1018", words).into();
        let mut some = false;
        for coordinator in named {
            match self.rerun_child(coordinator, rerun) {
                Ok(()) => some = true,
                Err(error) => refusal = error,
            }
        }
        if !some {
            return Err(refusal);
        }
        self.of_bundle(id, |job, cx| job.rerun(cx))
    }
}
