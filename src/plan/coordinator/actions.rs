//! The actions of a job, one after the other.
//!
//! Follows `CoordMaterializeTransitionXCommand.materializeActions` for the times, `CoordCommandUtils` for what an action
//! is made of and `CoordActionInputCheckXCommand` for its start. Nothing is kept but what the next action can use.

use std::rc::Rc;
use std::sync::Arc;

use super::action::{Action, Event, Texts};
use super::event::EventSpec;
use super::findings::CRON_NEVER_FIRES;
use super::input_check::{StartWorld, Started, bound};
use super::job::CoordinatorJob;
use super::materialize::{Context, EventList, EventState};
use super::present::Exists;
use super::scope::{ActionFacts, Scope};
use super::sla;
use super::start::Start;
use super::template::{Fault, Place};
use super::times::Times;
use crate::diag::{Diagnostic, Stage};
use crate::model::functions::Phase;
use crate::plan::input_logic::LogicNode;
use crate::time::Instant;

/// Which actions are wanted and what is known of the world.
#[derive(Clone, Copy, Debug, Default)]
pub struct PlanOptions<'a> {
    /// Only actions with this nominal time or a later one.
    pub from: Option<Instant>,
    /// Only actions with a nominal time before this.
    pub to: Option<Instant>,
    /// The time at which every action is created; without it, its nominal time.
    pub actual: Option<Instant>,
    /// The time at which inputs are looked for; without it, the moment of creation.
    pub now: Option<Instant>,
    /// What exists; without it, everything is taken to be there and nothing is resolved by looking.
    pub present: Option<&'a dyn Exists>,
    /// The id of the job, which `coord:actionId` shows; without it, that of the settings.
    pub job_id: Option<&'a str>,
}

impl CoordinatorJob {
    /// The actions in order. An `Err` ends them: the server would fail the job there.
    pub fn actions<'j>(&'j self, options: PlanOptions<'j>) -> Actions<'j> {
        Actions { job: self, options, materializer: Materializer::after(self, 0), ended: false }
    }

    /// Everything that keeps its first action from being made.
    pub fn faults_of_first_action(&self) -> Vec<Diagnostic> {
        Materializer::faults(self)
    }

    /// What surrounds the input events of an action.
    fn context(&self, number: i64, nominal: Instant, actual: Instant) -> Context<'_> {
        let facts = ActionFacts {
            nominal,
            actual,
            number,
            job_id: &self.settings.job_id,
            app_name: &self.app_name,
            job_zone: self.zone,
        };
        Context { variables: &self.variables, processing: self.settings.processing, facts, is_input: true }
    }
}

/// What is kept of a property from action to action.
#[derive(Debug)]
enum Kept {
    Nothing,
    /// The same for all actions.
    Constant(Arc<str>),
    /// The same as long as the inputs, the outputs or both are.
    WithEvents {
        value: Arc<str>,
        inputs: bool,
        outputs: bool,
    },
}

/// The iterator over a job's actions.
pub struct Actions<'j> {
    job: &'j CoordinatorJob,
    options: PlanOptions<'j>,
    materializer: Materializer,
    ended: bool,
}

/// Makes the actions of a job one after the other, and keeps between them only what the next one can use. The job is
/// an argument: what is kept says nothing that the job and the number of the last action do not say.
#[derive(Debug)]
pub struct Materializer {
    times: Times,
    inputs: Vec<EventState>,
    outputs: Vec<EventState>,
    properties: Vec<Kept>,
}

impl Iterator for Actions<'_> {
    type Item = Result<Action, Diagnostic>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        if let Some(from) = self.options.from {
            self.materializer.times.skip_to(self.job, from);
        }
        loop {
            let (number, nominal) = match self.materializer.times.next(self.job, self.job.end) {
                None => break,
                Some(Err(finding)) => {
                    self.ended = true;
                    return Some(Err(finding));
                }
                Some(Ok(next)) => next,
            };
            if self.options.to.is_some_and(|to| nominal >= to) {
                break;
            }
            if self.options.from.is_some_and(|from| nominal < from) {
                continue;
            }
            let action = self.materializer.make(self.job, self.options, number, nominal);
            self.ended = action.is_err();
            return Some(action.map_err(|fault| *fault));
        }
        self.ended = true;
        None
    }
}

/// The lists of one side of an action.
struct Side {
    lists: Vec<Rc<EventList>>,
    unchanged: bool,
}

fn materialize(specs: &[EventSpec], states: &mut [EventState], context: &Context<'_>) -> Result<Side, Fault> {
    let mut side = Side { lists: Vec::with_capacity(specs.len()), unchanged: true };
    for (spec, state) in specs.iter().zip(states) {
        let (list, unchanged) = state.materialize(spec, context)?;
        side.unchanged &= unchanged;
        side.lists.push(list);
    }
    Ok(side)
}

impl Materializer {
    /// One that goes on behind an action; 0 for the first.
    pub fn after(job: &CoordinatorJob, number: i64) -> Materializer {
        Materializer {
            times: Times::after(job, number),
            inputs: job.inputs.iter().map(|_| EventState::default()).collect(),
            outputs: job.outputs.iter().map(|_| EventState::default()).collect(),
            properties: job.configuration.iter().map(|_| Kept::Nothing).collect(),
        }
    }

    /// The number of the last action.
    pub fn number(&self) -> i64 {
        self.times.number()
    }

    /// The nominal time of the next action, which lies before `end`. An `Err`: the server would fail the job there.
    pub fn peek(&self, job: &CoordinatorJob, end: Instant) -> Option<Result<Instant, Diagnostic>> {
        let mut times = self.times;
        Some(times.next(job, end)?.map(|(_, nominal)| nominal))
    }

    /// The next action, which lies before `end`. An `Err`: the server would fail the job there.
    pub fn next(
        &mut self,
        job: &CoordinatorJob,
        end: Instant,
        options: PlanOptions<'_>,
    ) -> Option<Result<Action, Diagnostic>> {
        let (number, nominal) = match self.times.next(job, end)? {
            Ok(next) => next,
            Err(finding) => return Some(Err(finding)),
        };
        Some(self.make(job, options, number, nominal).map_err(|fault| *fault))
    }

    /// Leaves out the next action, which lies before `end`; its nominal time.
    pub fn leave_out(&mut self, job: &CoordinatorJob, end: Instant) -> Option<Result<Instant, Diagnostic>> {
        Some(self.times.next(job, end)?.map(|(_, nominal)| nominal))
    }

    /// One action once more, without going on.
    pub fn again(
        &mut self,
        job: &CoordinatorJob,
        number: i64,
        nominal: Instant,
        options: PlanOptions<'_>,
    ) -> Result<Action, Fault> {
        self.make(job, options, number, nominal)
    }

    /// The outputs of one action, without going on and without the rest of the action.
    pub fn outputs(
        &mut self,
        job: &CoordinatorJob,
        number: i64,
        nominal: Instant,
        actual: Instant,
    ) -> Result<Vec<Texts>, Fault> {
        let facts = ActionFacts {
            nominal,
            actual,
            number,
            job_id: &job.settings.job_id,
            app_name: &job.app_name,
            job_zone: job.zone,
        };
        let processing = job.settings.processing;
        let context = Context { variables: &job.variables, processing, facts, is_input: false };
        let outputs = materialize(&job.outputs, &mut self.outputs, &context)?;
        Ok(outputs.lists.iter().map(|list| list.uris.clone()).collect())
    }

    /// Everything that keeps the first action from being made, each fault of each event, where a server stops at the
    /// first. A job that is refused anyway is looked at from its start.
    pub(super) fn faults(job: &CoordinatorJob) -> Vec<Diagnostic> {
        let mut all = Materializer::after(job, 0);
        let (number, nominal) = match all.times.next(job, job.end) {
            Some(Ok(next)) => next,
            // The submission has told it at its place.
            Some(Err(finding)) if finding.rule.name == CRON_NEVER_FIRES.name => (1, job.start),
            Some(Err(finding)) => return vec![finding],
            None => (1, job.start),
        };
        let context = job.context(number, nominal, nominal);
        let of_input = job.inputs.iter().zip(&mut all.inputs);
        let mut found: Vec<Diagnostic> = of_input
            .filter_map(|(spec, state)| state.materialize(spec, &context).err())
            .map(|it| *it)
            .collect();
        if job.has_input_logic() {
            found.extend(job.logic_nodes().err().map(|it| *it));
        }
        let context = Context { is_input: false, ..context };
        let of_output = job.outputs.iter().zip(&mut all.outputs);
        found.extend(
            of_output.filter_map(|(spec, state)| state.materialize(spec, &context).err()).map(|it| *it),
        );
        if found.is_empty() {
            found.extend(all.make(job, PlanOptions::default(), number, nominal).err().map(|it| *it));
        }
        found
    }

    /// `CoordCommandUtils.materializeOneInstance`, and what the start would find.
    fn make(
        &mut self,
        job: &CoordinatorJob,
        options: PlanOptions<'_>,
        number: i64,
        nominal: Instant,
    ) -> Result<Action, Fault> {
        let actual = options.actual.unwrap_or(nominal);
        let mut context = job.context(number, nominal, actual);
        if let Some(id) = options.job_id {
            context.facts.job_id = id;
        }
        let (processing, facts) = (context.processing, context.facts);
        let inputs = materialize(&job.inputs, &mut self.inputs, &context)?;
        let nodes = match job.has_input_logic() {
            true => Some(job.logic_nodes()?),
            false => None,
        };
        let outputs = materialize(&job.outputs, &mut self.outputs, &Context { is_input: false, ..context })?;
        let sla = match &job.sla {
            None => None,
            Some(entries) => {
                let start = Start { outputs: bound(&job.outputs, &outputs.lists), ..Start::default() };
                let mut scope = Scope::new(Phase::CoordSlaCreate, &job.variables, processing).action(facts);
                scope.start = Some(&start);
                Some(sla::create(entries, &scope)?)
            }
        };
        let mut action = Action {
            number,
            nominal,
            actual,
            inputs: events(&job.inputs, &inputs.lists),
            outputs: events(&job.outputs, &outputs.lists),
            wait_for: wait_for(&inputs.lists, false),
            push_wait_for: Vec::new(),
            sla,
            app_path: job.app_path.clone(),
            configuration: None,
            ready: None,
            error: None,
        };
        let world = StartWorld {
            job,
            facts,
            present: options.present,
            waited_minutes: waited(nominal, actual, options.now),
        };
        let unchanged = (inputs.unchanged, outputs.unchanged);
        match world.start(&mut action, &inputs.lists, &outputs.lists, nodes.as_deref()) {
            Ok(None) => {}
            Ok(Some(started)) => {
                let looked = options.present.is_some();
                match self.configuration(
                    job,
                    &started,
                    &outputs,
                    facts,
                    (nodes.as_deref(), looked),
                    unchanged,
                ) {
                    Ok(configuration) => action.configuration = Some(configuration),
                    Err(fault) => action.error = Some(*fault),
                }
            }
            Err(fault) => action.error = Some(*fault),
        }
        Ok(action)
    }

    /// `CoordActionInputCheckXCommand.materializeDataProperties`
    fn configuration(
        &mut self,
        job: &CoordinatorJob,
        started: &Started,
        outputs: &Side,
        facts: ActionFacts<'_>,
        (nodes, looked): (Option<&[LogicNode]>, bool),
        unchanged: (bool, bool),
    ) -> Result<Properties, Fault> {
        let start = Start {
            inputs: started.bound(job),
            outputs: bound(&job.outputs, &outputs.lists),
            logic: nodes.zip(started.availability.as_ref()),
            lazy: None,
        };
        let mut scope =
            Scope::new(Phase::CoordActionStart, &job.variables, job.settings.processing).action(facts);
        scope.start = Some(&start);
        let mut found = Vec::with_capacity(job.configuration.len());
        for (property, kept) in job.configuration.iter().zip(&mut self.properties) {
            let value = match kept {
                Kept::Constant(value) => value.clone(),
                Kept::WithEvents { value, inputs, outputs: from_outputs }
                    if !looked && (!*inputs || unchanged.0) && (!*from_outputs || unchanged.1) =>
                {
                    value.clone()
                }
                _ => {
                    let value = property.value.evaluate_shared(&scope).map_err(|error| {
                        let place =
                            Place { stage: Stage::Action, codes: &["E1004"], variables: &job.variables };
                        property.value.finding(&error, &place)
                    })?;
                    let (inputs, outputs) = (scope.effects.touched_inputs(), scope.effects.touched_outputs());
                    *kept = match scope.effects.touched() {
                        true => Kept::Nothing,
                        false if inputs || outputs => {
                            Kept::WithEvents { value: value.clone(), inputs, outputs }
                        }
                        false => Kept::Constant(value.clone()),
                    };
                    value
                }
            };
            found.push((property.name.clone(), value));
        }
        Ok(found)
    }
}

/// Names and values, in order.
pub type Properties = Vec<(Arc<str>, Arc<str>)>;

/// Whole minutes from the later of nominal and creation time.
fn waited(nominal: Instant, actual: Instant, now: Option<Instant>) -> i64 {
    let from = nominal.max(actual);
    now.map_or(0, |now| now.millis_since(from) / 60_000)
}

fn events(specs: &[EventSpec], lists: &[Rc<EventList>]) -> Vec<Event> {
    let event = |(spec, list): (&EventSpec, &Rc<EventList>)| Event {
        name: spec.name.clone(),
        dataset: spec.dataset.name.clone(),
        uris: list.uris.clone(),
        done_flag: spec.dataset.done_flag.clone(),
        unresolved: list.unresolved.clone(),
    };
    specs.iter().zip(lists).map(event).collect()
}

/// No URI is announced by events: the server's default settings know no publisher.
fn wait_for(lists: &[Rc<EventList>], _push: bool) -> Vec<Texts> {
    lists.iter().filter(|list| !list.wait_for.is_empty()).map(|list| list.wait_for.clone()).collect()
}
