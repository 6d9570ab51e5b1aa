//! The start of one action: are its inputs there, and which URIs do latest and future come to?
//!
//! Follows `CoordActionInputCheckXCommand`, `CoordOldInputDependency` and, with input logic, `CoordPullInputDependency`.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use super::action::Action;
use super::event::EventSpec;
use super::findings::{INPUT_LOGIC_INVALID, OUTPUT_UNRESOLVED};
use super::job::CoordinatorJob;
use super::materialize::{EventList, join};
use super::present::Exists;
use super::scope::{ActionFacts, Scope};
use super::start::{Bound, Lazy, LazyOutcome, Start};
use super::template::{Compiled, Fault, Place};
use crate::diag::{Diagnostic, Stage};
use crate::model::functions::Phase;
use crate::plan::input_logic::{Availability, LogicError, LogicNode, Resolution, World, expression};

/// Events as functions see them.
pub(super) fn bound<'a>(specs: &'a [EventSpec], lists: &'a [Rc<EventList>]) -> Vec<Bound<'a>> {
    let bound = |(spec, list): (&'a EventSpec, &'a Rc<EventList>)| Bound {
        name: &spec.name,
        uris: list.joined().map(|joined| &**joined),
        is_unresolved: list.unresolved.is_some(),
    };
    specs.iter().zip(lists).map(bound).collect()
}

/// What a start has found.
pub(super) struct Started {
    lists: Vec<Rc<EventList>>,
    /// For each input, the URIs after latest and future were resolved, and whether all were.
    resolved: Option<Vec<(Option<Arc<str>>, bool)>>,
    pub(super) availability: Option<Availability>,
}

impl Started {
    pub(super) fn bound<'a>(&'a self, job: &'a CoordinatorJob) -> Vec<Bound<'a>> {
        let mut all = bound(&job.inputs, &self.lists);
        for (bound, (uris, is_resolved)) in all.iter_mut().zip(self.resolved.iter().flatten()) {
            bound.uris = uris.as_deref();
            bound.is_unresolved = !is_resolved;
        }
        all
    }
}

/// The URIs that expressions were resolved to, and the expressions that were not.
type Resolved = (Vec<Arc<str>>, Vec<Arc<str>>);

/// The start of one action.
pub(super) struct StartWorld<'a> {
    pub(super) job: &'a CoordinatorJob,
    pub(super) facts: ActionFacts<'a>,
    pub(super) present: Option<&'a dyn Exists>,
    pub(super) waited_minutes: i64,
}

impl StartWorld<'_> {
    /// Looks for the inputs. `None`: they are not there.
    pub(super) fn start(
        &self,
        action: &mut Action,
        lists: &[Rc<EventList>],
        outputs: &[Rc<EventList>],
        nodes: Option<&[LogicNode]>,
    ) -> Result<Option<Started>, Fault> {
        let lists = lists.to_vec();
        let Some(nodes) = nodes else {
            let Some(present) = self.present else {
                return Ok(Some(Started { lists, resolved: None, availability: None }));
            };
            return self.look(present, action, lists, outputs);
        };
        let expr = expression(nodes).map_err(|error| logic_fault(self.job, &error))?;
        let mut availability = Availability::default();
        for (spec, list) in self.job.inputs.iter().zip(&lists) {
            let uris = list.wait_for.iter().map(|uri| uri.to_string());
            availability.add(&spec.name, &spec.dataset.done_flag, false, uris);
            if let Some(late) = &list.unresolved {
                let late = late.iter().map(|text| text.to_string()).collect();
                availability.add_unresolved(&spec.name, late);
            }
        }
        let fault = |error: LogicError| logic_fault(self.job, &error);
        if self.present.is_none() {
            let met = availability.check_resolved(expr.as_ref(), self, self.waited_minutes).map_err(fault)?;
            return Ok(met.then_some(Started { lists, resolved: None, availability: Some(availability) }));
        }
        let mut ready =
            availability.check_resolved(expr.as_ref(), self, self.waited_minutes).map_err(fault)?;
        if ready && availability.has_unresolved() {
            ready = availability.check_unresolved(expr.as_ref(), self, self.waited_minutes).map_err(fault)?;
            self.check_outputs(outputs)?;
        }
        for (event, spec) in action.inputs.iter_mut().zip(&self.job.inputs) {
            if let Some(late) = availability.unresolved(&spec.name).filter(|late| late.is_resolved) {
                let all =
                    late.resolved.iter().map(|uri| Arc::from(uri.as_str())).chain(event.uris.iter().cloned());
                event.uris = all.collect();
                event.unresolved = None;
            }
        }
        action.ready = Some(ready);
        Ok(ready.then_some(Started { lists, resolved: None, availability: Some(availability) }))
    }

    /// Without input logic: everything must be there, and every latest and future found.
    fn look(
        &self,
        present: &dyn Exists,
        action: &mut Action,
        lists: Vec<Rc<EventList>>,
        outputs: &[Rc<EventList>],
    ) -> Result<Option<Started>, Fault> {
        let mut ready = lists.iter().all(|list| list.wait_for.iter().all(|uri| present.exists(uri)));
        let mut resolved = Vec::with_capacity(lists.len());
        for ((index, list), event) in lists.iter().enumerate().zip(&mut action.inputs) {
            let Some(late) = &list.unresolved else {
                resolved.push((list.joined().cloned(), true));
                continue;
            };
            let (found, left) = self.resolve_all(index, late)?;
            let all: Vec<Arc<str>> = found.into_iter().chain(list.uris.iter().cloned()).collect();
            ready &= left.is_empty();
            resolved.push((Some(join(&all).into()), left.is_empty()));
            event.uris = all.into();
            event.unresolved = (!left.is_empty()).then(|| left.into());
        }
        if ready && lists.iter().any(|list| list.unresolved.is_some()) {
            self.check_outputs(outputs)?;
        }
        action.ready = Some(ready);
        Ok(ready.then_some(Started { lists, resolved: Some(resolved), availability: None }))
    }

    /// The URIs that expressions of one event are resolved to, and the expressions that are not.
    fn resolve_all(&self, index: usize, late: &[Arc<str>]) -> Result<Resolved, Fault> {
        let (mut found, mut left) = (Vec::new(), Vec::new());
        for expression in late {
            let outcome = self.resolve_one(index, expression, None)?;
            match outcome.found {
                Some(uris) if outcome.is_resolved => found.extend(uris.split('#').map(Arc::from)),
                _ => left.push(expression.clone()),
            }
        }
        Ok((found, left))
    }

    /// `CoordOldInputDependency.checkUnresolved` for one expression.
    fn resolve_one(
        &self,
        index: usize,
        expression: &str,
        found: Option<String>,
    ) -> Result<LazyOutcome, Fault> {
        let Some(present) = self.present else { return Ok(LazyOutcome::default()) };
        let spec = &self.job.inputs[index];
        let compiled = Compiled::computed(expression, spec.span, self.job.settings.engine);
        let lazy = Lazy {
            uri: &spec.dataset.uri,
            done_flag: &spec.dataset.done_flag,
            present,
            outcome: RefCell::new(LazyOutcome { is_resolved: false, found }),
        };
        let start = Start { lazy: Some(lazy), ..Start::default() };
        let walk = RefCell::default();
        let variables = &self.job.variables;
        let mut scope = Scope::new(Phase::CoordActionStart, variables, self.job.settings.processing)
            .action(self.facts)
            .dataset(&spec.dataset.series, &walk);
        scope.start = Some(&start);
        compiled.evaluate(&scope).map_err(|error| {
            let place = Place { stage: Stage::Action, codes: &["E1021", "E1004"], variables };
            compiled.finding(&error, &place)
        })?;
        let outcome = start.lazy.as_ref().map(|lazy| lazy.outcome.borrow().clone());
        Ok(outcome.unwrap_or_default())
    }

    /// An output may not be late (`checkUnresolvedInstances`).
    fn check_outputs(&self, outputs: &[Rc<EventList>]) -> Result<(), Fault> {
        for (spec, list) in self.job.outputs.iter().zip(outputs) {
            if list.unresolved.is_some() {
                return Err(output_unresolved(spec).into());
            }
        }
        Ok(())
    }
}

/// The finding for an output whose instance only the world tells.
pub(super) fn output_unresolved(spec: &EventSpec) -> Diagnostic {
    let message = format!("the output event `{}` has a `latest` or `future` instance", spec.name);
    let place = spec.singles.first().map_or(spec.span, |instance| instance.span());
    Diagnostic::new(&OUTPUT_UNRESOLVED, place, message).help("use `coord:current` or `coord:offset`")
}

/// The finding for an input logic that cannot be evaluated.
pub(super) fn logic_fault(job: &CoordinatorJob, error: &LogicError) -> Fault {
    let span = job.logic.iter().flatten().map(|node| node.span).next().unwrap_or(job.span);
    Diagnostic::new(&INPUT_LOGIC_INVALID, span, error.to_string()).into()
}

impl World for StartWorld<'_> {
    fn exists(&self, uri: &str) -> bool {
        self.present.is_none_or(|present| present.exists(uri))
    }

    fn resolve(&self, data_in: &str, expression: &str, found: Option<String>) -> Resolution {
        let Some(index) = self.job.inputs.iter().position(|spec| &*spec.name == data_in) else {
            return Resolution::default();
        };
        match self.resolve_one(index, expression, found) {
            Ok(outcome) => Resolution { is_resolved: outcome.is_resolved, found: outcome.found },
            Err(_) => Resolution::default(),
        }
    }
}
