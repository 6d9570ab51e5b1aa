//! New jobs: submissions, and what a bundle, a coordinator or a workflow runs below it.

use std::sync::Arc;

use super::bundle::BundleRun;
use super::command::Command;
use super::conf::Conf;
use super::coordinator::CoordinatorRun;
use super::error::EngineError;
use super::event::{Fault, Key, Parent, PlannedWorkflow, Submission, Submit, WorkflowRerun};
use super::id::JobId;
use super::semantics::Semantics;
use super::settings::Settings;
use super::workflow::{self, WorkflowJob};
use super::{Engine, Plans};
use crate::plan::workflow::Program;

/// By which rules a job is played, and on which server, when its submission has one of its own.
type Rules = (Semantics, Option<Arc<Settings>>);

impl<P: Plans> Engine<P> {
    fn number(&mut self) -> u32 {
        self.last_number += 1;
        self.last_number
    }

    /// A submission. One with an external id that is known finds the first job of that name.
    pub(super) fn submit(&mut self, submit: Submit) -> Result<(), EngineError> {
        if let Some(job) = submit.external_id.as_ref().and_then(|id| self.external_ids.get(id)) {
            self.out.push(Command::Submitted { job: *job, existed: true });
            return Ok(());
        }
        let server = submit.server.map(|server| Arc::new(server.over(&self.settings)));
        let job = match submit.program {
            Submission::Workflow(planned) => {
                self.add_workflow(planned, None, None, (submit.semantics, server))?
            }
            Submission::Coordinator(key) => self.add_coordinator(key, None, (submit.semantics, server))?,
            Submission::Bundle(key) => {
                let unknown = || EngineError::UnknownProgram(key.to_string());
                let program = self.plans.bundle(&key).ok_or_else(unknown)?;
                let number = self.number();
                let mut bundle = BundleRun::new(number, key, program, submit.semantics, self.now);
                bundle.server = server;
                self.bundles.insert(number, Box::new(bundle));
                JobId::bundle(number)
            }
        };
        self.out.push(Command::Submitted { job, existed: false });
        if let Some(external_id) = submit.external_id {
            self.external_ids.insert(external_id, job);
        }
        let begun = match job.kind {
            super::JobKind::Workflow if submit.start => self.of_workflow(job, |job, cx| job.start(cx)),
            super::JobKind::Workflow => Ok(()),
            // A coordinator starts by itself.
            super::JobKind::Coordinator => self.of_coordinator(job, |job, cx| {
                job.begin(cx);
                Ok(())
            }),
            super::JobKind::Bundle => self.of_bundle(job, |job, cx| job.begin(cx, submit.start)),
        };
        debug_assert!(begun.is_ok(), "{begun:?}");
        Ok(())
    }

    fn program(&self, key: &Key) -> Result<Arc<Program>, EngineError> {
        self.plans.workflow(key).ok_or_else(|| EngineError::UnknownProgram(key.to_string()))
    }

    /// A coordinator in PREP.
    fn add_coordinator(
        &mut self,
        key: Key,
        bundle: Option<(u32, u32)>,
        (semantics, server): Rules,
    ) -> Result<JobId, EngineError> {
        let unknown = || EngineError::UnknownProgram(key.to_string());
        let program = self.plans.coordinator(&key).ok_or_else(unknown)?;
        let number = self.number();
        let mut job = CoordinatorRun::new(
            number,
            key,
            program,
            bundle,
            semantics,
            (self.now, &self.settings.id_middle),
        );
        job.server = server;
        self.coordinators.insert(number, Box::new(job));
        Ok(JobId::coordinator(number))
    }

    /// A workflow in PREP.
    fn add_workflow(
        &mut self,
        planned: PlannedWorkflow,
        parent: Option<Parent>,
        given: Option<Arc<Conf>>,
        (semantics, server): Rules,
    ) -> Result<JobId, EngineError> {
        let program = self.program(&planned.program)?;
        let conf = planned.conf.or(given);
        let settings = server.as_deref().unwrap_or(&self.settings);
        let levels = workflow::register(&program, conf.as_ref(), settings)?;
        let number = self.number();
        let depth = match parent {
            Some(Parent::Node(node)) => self.workflows.get(&node.workflow).map_or(0, |above| above.depth + 1),
            _ => 0,
        };
        let mut job = WorkflowJob::new(
            number,
            planned.program,
            program,
            planned.name,
            conf,
            parent,
            (depth, semantics),
            self.now,
        );
        job.server = server;
        self.workflows.insert(number, Box::new(job));
        if let Some(parent) = parent {
            self.out.push(Command::Bound { parent, workflow: JobId::workflow(number) });
        }
        let id = JobId::workflow(number);
        if levels.is_some() {
            self.of_workflow(id, |job, cx| {
                job.watch(cx, levels);
                Ok(())
            })?;
        }
        Ok(id)
    }

    /// The configuration of a workflow, worked out again where it was let go.
    pub fn conf_of(&self, id: JobId) -> Option<Arc<Conf>> {
        let job = self.workflow(id)?;
        match (&job.conf, job.parent) {
            (Some(conf), _) => Some(conf.clone()),
            (None, Some(Parent::Action(action))) => {
                self.coordinators.get(&action.coordinator)?.conf_again(action.number)
            }
            (None, _) => None,
        }
    }

    /// Runs a workflow again (`ReRunXCommand`).
    pub(super) fn rerun_workflow(&mut self, id: JobId, rerun: WorkflowRerun) -> Result<(), EngineError> {
        let job = self.workflow(id).ok_or(EngineError::UnknownJob(id))?;
        let skip = job.check_rerun(&rerun)?;
        let key = rerun.program.clone().unwrap_or_else(|| job.key.clone());
        let old = self.conf_of(id).unwrap_or_default();
        let program = self.program(&key)?;
        let conf = match rerun.conf {
            None => old,
            Some(own) => {
                let mut conf = Conf::over(&old);
                conf.extend(own.all());
                Arc::new(conf)
            }
        };
        let job = self.workflow(id).ok_or(EngineError::UnknownJob(id))?;
        let settings = job.server.as_deref().unwrap_or(&self.settings);
        let levels = workflow::register(&program, Some(&conf), settings)?;
        self.of_workflow(id, |job, cx| {
            job.prepare_rerun(cx, &skip, rerun.failed, conf, (key, program))?;
            job.watch(cx, levels);
            job.start(cx)
        })
    }

    /// A workflow that was asked for was planned.
    pub(super) fn workflow_planned(
        &mut self,
        parent: Parent,
        outcome: Result<PlannedWorkflow, Fault>,
    ) -> Result<(), EngineError> {
        let (old, given) = match parent {
            Parent::Node(node) => {
                if !self.of_workflow(node.job(), |job, _| job.awaits_child(node))? {
                    return Ok(());
                }
                let job = self.workflow(node.job());
                (job.and_then(|job| job.old_child(node)), job.and_then(|job| job.asked_for(node)))
            }
            Parent::Action(action) => self.of_coordinator(action.job(), |job, _| {
                Ok((job.awaits_plan(action.number)?, job.conf_of(action.number)))
            })?,
        };
        let outcome = match outcome {
            Err(fault) => Err(fault),
            Ok(planned) => {
                self.program(&planned.program)?;
                let old = old.map(JobId::workflow).filter(|old| self.workflow(*old).is_some());
                match old {
                    None => match self.run_workflow(planned, parent, given) {
                        Err(EngineError::Refused(refusal)) => Err(Fault::new(refusal.code, refusal.message)),
                        run => Ok(run?),
                    },
                    Some(old) => self.run_again(old, planned, given),
                }
            }
        };
        match parent {
            Parent::Node(node) => {
                self.of_workflow(node.job(), |job, cx| job.child_planned(cx, node, outcome))
            }
            Parent::Action(action) => self.of_coordinator(action.job(), |job, cx| {
                job.planned(cx, action.number, outcome);
                Ok(())
            }),
        }
    }

    /// A new workflow, started.
    fn run_workflow(
        &mut self,
        planned: PlannedWorkflow,
        parent: Parent,
        given: Option<Arc<Conf>>,
    ) -> Result<u32, EngineError> {
        let rules = match parent {
            Parent::Node(node) => {
                let above = self.workflows.get(&node.workflow);
                above.map(|above| (above.semantics, above.server.clone()))
            }
            Parent::Action(action) => {
                let above = self.coordinators.get(&action.coordinator);
                above.map(|above| (above.semantics, above.server.clone()))
            }
        };
        let rules = rules.unwrap_or((Semantics::CURRENT, None));
        let job = self.add_workflow(planned, Some(parent), given, rules)?;
        self.of_workflow(job, |job, cx| job.start(cx))?;
        Ok(job.number)
    }

    /// The workflow of before, with its failed nodes only. A refusal is one of its parent's.
    fn run_again(
        &mut self,
        old: JobId,
        planned: PlannedWorkflow,
        given: Option<Arc<Conf>>,
    ) -> Result<u32, Fault> {
        let conf = planned.conf.or(given).map(|conf| Conf::clone(&conf));
        let rerun = WorkflowRerun { skip: None, failed: true, conf, program: Some(planned.program) };
        match self.rerun_workflow(old, rerun) {
            Ok(()) => Ok(old.number),
            Err(EngineError::Refused(refusal)) => Err(Fault::new(refusal.code, refusal.message)),
            Err(error) => Err(Fault::new("E1005", error.to_string())),
        }
    }

    /// A coordinator of a bundle was planned (`BundleCoordSubmitXCommand`).
    pub(super) fn coordinator_planned(
        &mut self,
        bundle: JobId,
        child: u32,
        outcome: Result<Key, Fault>,
    ) -> Result<(), EngineError> {
        let (wanted, pause, rules) = self.of_bundle(bundle, |job, _| {
            job.awaits_plan(child)?;
            Ok((job.wants(child), job.pause, (job.semantics, job.server.clone())))
        })?;
        let outcome = match outcome {
            Err(fault) => Err(fault),
            Ok(_) if !wanted => Err(Fault::new("E1100", "the bundle was killed")),
            Ok(key) => Ok(self.add_coordinator(key, Some((bundle.number, child)), rules)?),
        };
        let number = outcome.as_ref().ok().map(|job| job.number);
        let outcome = outcome.map(|job| job.number);
        self.of_bundle(bundle, |job, cx| {
            job.child_planned(cx, child, outcome);
            Ok(())
        })?;
        // What the bundle has been told meanwhile comes before the coordinator's own start.
        self.settle();
        match number.map(JobId::coordinator) {
            None => Ok(()),
            Some(job) => self.of_coordinator(job, |job, cx| {
                job.set_pause(cx, pause);
                job.begin(cx);
                Ok(())
            }),
        }
    }
}
