//! An action that waits for its inputs, looked at again and again.
//!
//! What was seen once stays seen (`CoordActionInputCheckXCommand` with the dependencies it stores). The world and the
//! time that has passed are arguments.

use std::sync::Arc;

use super::action::{Action, Event};
use super::actions::Properties;
use super::input_check::{StartWorld, logic_fault};
use super::job::CoordinatorJob;
use super::logic;
use super::materialize::join;
use super::present::Exists;
use super::scope::{ActionFacts, Scope};
use super::start::{Bound, Start};
use super::template::{Fault, Place};
use super::uri::is_hcat;
use crate::diag::Stage;
use crate::model::functions::Phase;
use crate::plan::input_logic::{Availability, LogicError, LogicExpr, LogicNode, effective, expression};
use crate::time::Instant;

/// What one look has found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Looked {
    /// Are the resolved instances there?
    pub resolved_met: bool,
    /// Are latest and future resolved? `None` when there are none, or when the resolved part is not there.
    pub unresolved_met: Option<bool>,
}

impl Looked {
    /// Whether the action can start.
    pub fn satisfied(self) -> bool {
        self.resolved_met && self.unresolved_met != Some(false)
    }
}

/// An action with input logic that waits. Its job is an argument to whatever is asked of it.
#[derive(Clone, Debug)]
pub struct Waiting {
    number: i64,
    nominal: Instant,
    actual: Instant,
    nodes: Vec<LogicNode>,
    expr: Option<LogicExpr>,
    availability: Availability,
    inputs: Vec<(Arc<str>, Option<String>, bool)>,
    outputs: Vec<(Arc<str>, Option<String>, bool)>,
}

impl CoordinatorJob {
    /// Whether it has input logic.
    pub fn has_input_logic(&self) -> bool {
        self.logic.is_some()
    }

    /// The expression that an action's inputs are held against, in words.
    pub fn effective_logic(&self) -> Result<String, Fault> {
        Ok(effective(&self.logic_nodes()?))
    }

    /// The input logic with everything put in.
    pub(super) fn logic_nodes(&self) -> Result<Vec<LogicNode>, Fault> {
        let start = Start::default();
        let mut scope = Scope::new(Phase::CoordActionStart, &self.variables, self.settings.processing);
        // The action's own times are not known yet when this is evaluated.
        scope.start = Some(&start);
        logic::create(self.logic.as_deref().unwrap_or_default(), &scope)
    }

    /// An action of this job as it begins to wait.
    pub fn waiting(&self, action: &Action) -> Result<Waiting, Fault> {
        let nodes = self.logic_nodes()?;
        let expr = expression(&nodes).map_err(|error| logic_fault(self, &error))?;
        let mut availability = Availability::default();
        for event in &action.inputs {
            let with_flag = |uri: &Arc<str>| match &*event.done_flag {
                "" => uri.to_string(),
                _ if is_hcat(uri) => uri.to_string(),
                flag => format!("{uri}/{flag}"),
            };
            availability.add(&event.name, &event.done_flag, false, event.uris.iter().map(with_flag));
            if let Some(late) = &event.unresolved {
                availability.add_unresolved(&event.name, late.iter().map(|text| text.to_string()).collect());
            }
        }
        let texts = |events: &[Event]| {
            let text = |event: &Event| (!event.uris.is_empty()).then(|| join(&event.uris));
            events.iter().map(|e| (e.name.clone(), text(e), e.unresolved.is_some())).collect()
        };
        let (inputs, outputs) = (texts(&action.inputs), texts(&action.outputs));
        let Action { number, nominal, actual, .. } = *action;
        Ok(Waiting { number, nominal, actual, nodes, expr, availability, inputs, outputs })
    }
}

impl Waiting {
    fn facts<'j>(&self, job: &'j CoordinatorJob) -> ActionFacts<'j> {
        ActionFacts {
            nominal: self.nominal,
            actual: self.actual,
            number: self.number,
            job_id: &job.settings.job_id,
            app_name: &job.app_name,
            job_zone: job.zone,
        }
    }

    /// Looks once; `waited_minutes` have passed since the later of nominal and creation time.
    pub fn look(
        &mut self,
        job: &CoordinatorJob,
        present: &dyn Exists,
        waited_minutes: i64,
    ) -> Result<Looked, LogicError> {
        let world = StartWorld { job, facts: self.facts(job), present: Some(present), waited_minutes };
        self.availability.reload();
        let resolved_met = self.availability.check_resolved(self.expr.as_ref(), &world, waited_minutes)?;
        let unresolved_met = match resolved_met && self.availability.has_unresolved() {
            true => Some(self.availability.check_unresolved(self.expr.as_ref(), &world, waited_minutes)?),
            false => None,
        };
        Ok(Looked { resolved_met, unresolved_met })
    }

    /// What only a dry run of the server would find.
    pub fn validate(&self) -> Result<(), LogicError> {
        self.availability.validate(self.expr.as_ref())
    }

    /// What has been seen.
    pub fn availability(&self) -> &Availability {
        &self.availability
    }

    /// The configuration of the workflow, from what has been seen.
    pub fn configuration(&self, job: &CoordinatorJob) -> Result<Properties, Fault> {
        let start = Start {
            inputs: bound(&self.inputs),
            outputs: bound(&self.outputs),
            logic: job.has_input_logic().then_some((self.nodes.as_slice(), &self.availability)),
            lazy: None,
        };
        let variables = &job.variables;
        let mut scope =
            Scope::new(Phase::CoordActionStart, variables, job.settings.processing).action(self.facts(job));
        scope.start = Some(&start);
        let place = Place { stage: Stage::Action, codes: &["E1004"], variables };
        let evaluate = |property: &super::job::PropertyTemplate| -> Result<_, Fault> {
            let value = property.value.evaluate_shared(&scope);
            let value = value.map_err(|e| property.value.finding(&e, &place))?;
            Ok((property.name.clone(), value))
        };
        let mut found = Vec::with_capacity(job.configuration.len());
        for property in &job.configuration {
            found.push(evaluate(property)?);
        }
        Ok(found)
    }
}

fn bound(events: &[(Arc<str>, Option<String>, bool)]) -> Vec<Bound<'_>> {
    events
        .iter()
        .map(|(name, uris, is_unresolved)| Bound {
            name,
            uris: uris.as_deref(),
            is_unresolved: *is_unresolved,
        })
        .collect()
}
