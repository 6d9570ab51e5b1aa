//! An action that waits for its inputs (`CoordActionInputCheckXCommand`): looked at from its nominal time on, until all
//! is there or its time has passed. What was seen once stays seen.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::Arc;

use super::action::ActionEvent;
use super::job::CoordinatorRun;
use super::policy;
use crate::engine::command::Command;
use crate::engine::conf::Conf;
use crate::engine::context::Context;
use crate::engine::error::EngineError;
use crate::engine::event::{Facts, Fault, Subject};
use crate::engine::status::{ActionStatus, JobStatus};
use crate::engine::wake::Wake;
use crate::plan::coordinator::{
    Action, CoordinatorJob, Event, Exists, Materializer, PlanOptions, Properties, Waiting,
};
use crate::time::Instant;

/// What an action waits for.
#[derive(Debug)]
pub(super) struct Wait {
    /// What must be there, in the order in which it is looked for.
    needs: Vec<Arc<str>>,
    /// How many of these were found.
    found: usize,
    /// Instances that only a look at what is there resolves, input by input.
    late: Vec<Late>,
    /// Whether what its workflow gets cannot be worked out again from the plan alone.
    pub(super) is_kept: bool,
    /// With input logic.
    logic: Option<Waiting>,
    /// What the workflow gets, once it is known; only then is it the action's turn.
    pub(super) properties: Option<Properties>,
    /// Why it cannot be evaluated.
    fault: Option<Fault>,
    /// When its patience ends.
    deadline: Option<Instant>,
    /// What the workflow is submitted with.
    pub(super) conf: Option<Arc<Conf>>,
}

/// Instances of an input that only a look at what is there resolves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Late {
    /// The input's name.
    pub input: Arc<str>,
    /// The dataset's name.
    pub dataset: Arc<str>,
    /// What asks for them, as it is left: `${coord:latest(0)}`.
    pub asks: Arc<str>,
}

impl Late {
    fn of(input: &Event) -> Option<Late> {
        let asks: Vec<&str> =
            input.unresolved.iter().flat_map(|texts| texts.iter().map(|text| &**text)).collect();
        (!asks.is_empty()).then(|| Late {
            input: input.name.clone(),
            dataset: input.dataset.clone(),
            asks: asks.join(", ").into(),
        })
    }
}

impl Wait {
    pub(super) fn new(job: &CoordinatorJob, action: Action) -> Wait {
        let late: Vec<Late> = action.inputs.iter().filter_map(Late::of).collect();
        let logic = match job.has_input_logic() {
            true => Some(job.waiting(&action)),
            false => None,
        };
        let fault = |finding: &crate::diag::Diagnostic| {
            Fault::new(finding.oozie.first().copied().unwrap_or("E1004"), finding.message.as_str())
        };
        let (logic, refusal) = match logic {
            Some(Err(finding)) => (None, Some(fault(&finding))),
            Some(Ok(logic)) => (Some(logic), None),
            None => (None, None),
        };
        let is_plain = late.is_empty() && logic.is_none();
        Wait {
            needs: action.wait_for.iter().flat_map(|texts| texts.iter().cloned()).collect(),
            found: 0,
            late,
            is_kept: !is_plain,
            logic,
            fault: refusal.or_else(|| action.error.as_ref().map(fault)),
            properties: action.configuration.filter(|_| is_plain),
            deadline: None,
            conf: None,
        }
    }

    /// One whose inputs were there before, with what its workflow got then.
    pub(super) fn satisfied(properties: Option<Properties>) -> Wait {
        Wait {
            needs: Vec::new(),
            found: 0,
            late: Vec::new(),
            is_kept: true,
            logic: None,
            fault: None,
            properties: Some(properties.unwrap_or_default()),
            deadline: None,
            conf: None,
        }
    }
}

/// A world that remembers which of the things that it was asked for exist.
#[derive(Debug)]
struct Remembering<'a> {
    outside: &'a dyn Exists,
    seen: RefCell<BTreeSet<Arc<str>>>,
}

impl Exists for Remembering<'_> {
    fn exists(&self, uri: &str) -> bool {
        let exists = self.outside.exists(uri);
        if exists {
            self.seen.borrow_mut().insert(uri.into());
        }
        exists
    }
}

/// A world of what was recorded, and of inputs that were found before.
#[derive(Debug)]
struct Known<'a>(BTreeSet<&'a str>);

impl<'a> Known<'a> {
    fn new(uris: &'a [Arc<str>], found: &'a [Arc<str>]) -> Known<'a> {
        Known(uris.iter().chain(found).map(|uri| &**uri).collect())
    }
}

impl Exists for Known<'_> {
    fn exists(&self, uri: &str) -> bool {
        self.0.contains(uri)
    }
}

impl CoordinatorRun {
    fn waited_minutes(&self, number: u32, now: Instant) -> i64 {
        let action = &self.actions[number as usize - 1];
        now.millis_since(action.nominal.max(action.created)) / 60_000
    }

    /// What an action can see of the world.
    pub(in crate::engine) fn look(&self, number: u32, now: Instant, outside: &dyn Exists) -> Option<Facts> {
        let wait = self.waits.get(&number)?;
        if self.action(number)?.status != ActionStatus::Waiting {
            return None;
        }
        let mut facts = Facts::default();
        let remembering = Remembering { outside, seen: RefCell::default() };
        if let Some(logic) = &wait.logic {
            // What fails here fails again when the answer comes in.
            let _ = logic.clone().look(&self.program.job, &remembering, self.waited_minutes(number, now));
        } else {
            let missing = wait.needs[wait.found..].iter();
            facts.found = missing.take_while(|uri| outside.exists(uri)).count() as u32;
            if !wait.late.is_empty() && wait.found + facts.found as usize == wait.needs.len() {
                let known = Known::new(&[], &wait.needs);
                let both = Either(&known, &remembering);
                let _ = self.once_more(number, &both);
            }
        }
        facts.uris = remembering.seen.into_inner().into_iter().collect();
        Some(facts)
    }

    /// The action once more, with latest and future resolved in a world.
    fn once_more(&self, number: u32, world: &dyn Exists) -> Option<Action> {
        let run = self.action(number)?;
        let options = PlanOptions { present: Some(world), ..self.options(run.created) };
        let job = &self.program.job;
        Materializer::after(job, 0).again(job, number.into(), run.nominal, options).ok()
    }

    /// What an action has seen of the world.
    pub(in crate::engine) fn looked(
        &mut self,
        cx: &mut Context<'_>,
        number: u32,
        facts: &Facts,
    ) -> Result<(), EngineError> {
        self.check_action(number, ActionEvent::InputsThere)?;
        use JobStatus::{Paused, PausedWithError, Running, RunningWithError};
        if !matches!(self.status, Running | RunningWithError | Paused | PausedWithError) {
            return Ok(());
        }
        if self.skip_if_late(cx, number) {
            return Ok(());
        }
        let waited = self.waited_minutes(number, cx.now);
        let program = self.program.clone();
        let Some(mut wait) = self.waits.remove(&number) else { return Ok(()) };
        let there = self.see(number, &mut wait, facts, waited, &program.job);
        let (fault, is_over) = (wait.fault.clone(), self.is_timed_out(number, cx.now));
        self.waits.insert(number, wait);
        match (there, fault) {
            (true, Some(fault)) => {
                self.faults.insert(number, fault);
                self.move_action(cx, number, ActionEvent::Fail);
                self.take_turns(cx);
            }
            (true, None) => {
                self.at(number).was_ready = true;
                self.move_action(cx, number, ActionEvent::InputsThere);
                self.take_turns(cx);
            }
            (false, _) if is_over => self.move_action(cx, number, ActionEvent::TimeOut),
            (false, _) => self.go_on_waiting(cx, number),
        }
        Ok(())
    }

    /// Takes facts in; whether everything is there.
    fn see(&self, number: u32, wait: &mut Wait, facts: &Facts, waited: i64, job: &CoordinatorJob) -> bool {
        if let Some(logic) = &mut wait.logic {
            let known = Known::new(&facts.uris, &[]);
            let looked = logic.look(job, &known, waited);
            return match looked {
                Err(error) => {
                    wait.fault = Some(Fault::new("E1021", error.to_string()));
                    false
                }
                Ok(looked) if looked.satisfied() => {
                    match logic.configuration(job) {
                        Ok(properties) => wait.properties = Some(properties),
                        Err(finding) => wait.fault = Some(Fault::new("E1004", finding.message.as_str())),
                    }
                    true
                }
                Ok(_) => false,
            };
        }
        wait.found = (wait.found + facts.found as usize).min(wait.needs.len());
        if wait.found < wait.needs.len() {
            return false;
        }
        if wait.late.is_empty() {
            return true;
        }
        let world = Known::new(&facts.uris, &wait.needs);
        let Some(action) = self.once_more(number, &world) else { return false };
        if let Some(finding) = action.error {
            wait.fault =
                Some(Fault::new(finding.oozie.first().copied().unwrap_or("E1021"), finding.message.as_str()));
            return true;
        }
        wait.properties = action.configuration;
        action.ready == Some(true)
    }

    pub(super) fn is_timed_out(&self, number: u32, now: Instant) -> bool {
        let action = &self.actions[number as usize - 1];
        policy::is_timed_out(action.nominal, action.created, self.program.job.timeout_minutes, now)
    }

    /// The last time at which an action may still run.
    pub(super) fn limit_of(&self, number: u32, cx: &Context<'_>) -> Option<Instant> {
        let job = &self.program.job;
        let nominal = self.actions[number as usize - 1].nominal;
        let next = || job.next_nominal(number.into(), nominal, self.end);
        policy::skipped_after(job.execution, nominal, next, cx.settings.none_tolerance_minutes)
    }

    /// Skips an action whose time has passed.
    pub(super) fn skip_if_late(&mut self, cx: &mut Context<'_>, number: u32) -> bool {
        let late = self.limit_of(number, cx).is_some_and(|limit| cx.now > limit);
        if late {
            self.move_action(cx, number, ActionEvent::Skip);
        }
        late
    }

    /// Something is missing: it is looked for again, until the action's patience ends.
    fn go_on_waiting(&mut self, cx: &mut Context<'_>, number: u32) {
        let id = self.action_id(number);
        cx.out.push(Command::Await(Subject::Action(id)));
        let action = self.actions[number as usize - 1];
        let from = action.nominal.max(action.created);
        let timeout = self.program.job.timeout_minutes;
        let times_out = policy::times_out_at(action.nominal, action.created, timeout);
        // Looked at in steps of the interval, the first time that lies behind the limit.
        let step = cx.settings.input_check_seconds.max(1) * 1000;
        let skipped = self.limit_of(number, cx);
        let skipped = skipped
            .map(|limit| from.plus_millis((limit.millis_since(from).div_euclid(step) + 1).max(0) * step));
        let deadline = times_out.into_iter().chain(skipped).min().filter(|at| *at > cx.now);
        let Some(wait) = self.waits.get_mut(&number) else { return };
        if wait.deadline != deadline {
            if let Some(old) = std::mem::replace(&mut wait.deadline, deadline) {
                cx.wakes.remove(&(old, Wake::Deadline(id)));
            }
            if let Some(deadline) = deadline {
                cx.wakes.insert((deadline, Wake::Deadline(id)));
            }
        }
        if wait.logic.is_some() {
            // A `wait` of the logic ends by itself.
            cx.wakes.insert((cx.now.plus_millis(step), Wake::Nominal(id)));
        }
    }

    /// What an action that waits no longer wants to be woken for.
    pub(super) fn forget_wakes(&mut self, cx: &mut Context<'_>, number: u32) {
        let id = self.action_id(number);
        let nominal = self.at(number).nominal;
        cx.wakes.remove(&(nominal, Wake::Nominal(id)));
        let deadline = self.waits.get_mut(&number).and_then(|wait| wait.deadline.take());
        if let Some(deadline) = deadline {
            cx.wakes.remove(&(deadline, Wake::Deadline(id)));
        }
    }

    /// A wake of an action that waits.
    pub(in crate::engine) fn look_due(&mut self, cx: &mut Context<'_>, number: u32) {
        if self.action(number).is_some_and(|action| action.status == ActionStatus::Waiting) {
            cx.out.push(Command::Look(Subject::Action(self.action_id(number))));
        }
    }

    /// The patience of an action ends.
    pub(in crate::engine) fn deadline_due(&mut self, cx: &mut Context<'_>, number: u32) {
        if let Some(wait) = self.waits.get_mut(&number) {
            wait.deadline = None;
        }
        self.look_due(cx, number);
    }

    /// The inputs that an action still looks for, in order; some of them may be there by now.
    pub fn needs(&self, number: u32) -> &[Arc<str>] {
        self.waits.get(&number).map_or(&[], |wait| wait.needs.get(wait.found..).unwrap_or_default())
    }

    /// What an action waits for beside these: instances that only a look at what is there resolves.
    pub fn late(&self, number: u32) -> &[Late] {
        self.waits.get(&number).map_or(&[], |wait| &wait.late)
    }

    /// Whether other instances than these would do as well for an action that waits: it has input logic, or instances
    /// that only its start resolves.
    pub fn has_choice(&self, number: u32) -> bool {
        self.waits.get(&number).is_some_and(|wait| wait.logic.is_some() || !wait.late.is_empty())
    }

    /// The first input that an action misses.
    pub fn missing(&self, number: u32) -> Option<&str> {
        self.needs(number).first().map(|uri| &**uri)
    }
}

/// Two worlds; what exists in one exists.
#[derive(Debug)]
struct Either<'a>(&'a dyn Exists, &'a dyn Exists);

impl Exists for Either<'_> {
    fn exists(&self, uri: &str) -> bool {
        self.0.exists(uri) || self.1.exists(uri)
    }
}
