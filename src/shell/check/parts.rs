//! What one program consists of, gathered while it is followed, so that rules can look at all of it together.

use std::cell::RefCell;

use crate::analysis::subject::{self, Job, Member, Package};
use crate::analysis::values::Values;
use crate::diag::Diagnostic;
use crate::model;
use crate::model::coordinator::Datasets;
use crate::rules::{self, Rule, Sink};
use crate::source::Span;

/// The parts met so far.
#[derive(Debug, Default)]
pub struct Parts<'l>(RefCell<Held<'l>>);

#[derive(Debug, Default)]
struct Held<'l> {
    bundle: Option<(&'l model::Bundle, Values)>,
    coordinators: Vec<Coordinator<'l>>,
    workflows: Vec<(&'l model::Workflow, Values, Option<usize>)>,
}

#[derive(Debug)]
struct Coordinator<'l> {
    model: &'l model::Coordinator,
    values: Values,
    included: Vec<&'l Datasets>,
    name: String,
    place: Option<Span>,
}

impl<'l> Parts<'l> {
    /// The bundle that it begins with.
    pub fn bundle(&self, model: &'l model::Bundle, values: Values) {
        self.0.borrow_mut().bundle = Some((model, values));
    }

    /// A coordinator; `in_bundle` is its name there and its place.
    pub fn coordinator(
        &self,
        model: &'l model::Coordinator,
        values: Values,
        included: Vec<&'l Datasets>,
        in_bundle: Option<(&str, Span)>,
    ) {
        let own = || model.name.as_ref().map_or_else(String::new, |name| name.value.clone());
        let name = in_bundle.map_or_else(own, |(name, _)| name.to_owned());
        let place = in_bundle.map(|(_, place)| place);
        self.0.borrow_mut().coordinators.push(Coordinator { model, values, included, name, place });
    }

    /// A workflow, of the last coordinator if there is one.
    pub fn workflow(&self, model: &'l model::Workflow, values: Values) {
        let mut held = self.0.borrow_mut();
        let coordinator = held.coordinators.len().checked_sub(1);
        held.workflows.push((model, values, coordinator));
    }

    /// What the rules about programs say of all of it.
    pub fn judge(&self, rules: &[&Rule]) -> Vec<Diagnostic> {
        let held = self.0.borrow();
        let package = Package {
            bundle: held.bundle.as_ref().map(|(model, values)| subject::Bundle { model, values }),
            coordinators: held.coordinators.iter().map(Coordinator::member).collect(),
            workflows: held
                .workflows
                .iter()
                .map(|(model, values, coordinator)| Job { model, values, coordinator: *coordinator })
                .collect(),
        };
        let mut sink = Sink::new();
        rules::package(rules, &package, &mut sink);
        sink.into_findings()
    }
}

impl Coordinator<'_> {
    fn member(&self) -> Member<'_> {
        Member {
            app: subject::Coordinator::with(self.model, &self.values, self.included.clone()),
            name: self.name.clone(),
            place: self.place,
        }
    }
}
