//! What the start of an action will say of instances that only the world tells: `latest` and `future`.
//!
//! Looks at no world: only what fails whatever is there.

use super::action::Action;
use super::bounds::{Func, func_of};
use super::event::EventSpec;
use super::findings::{INPUT_LOGIC_INVALID, INSTANCE_INVALID};
use super::input_check::output_unresolved;
use super::job::{CoordinatorJob, LogicTemplate};
use super::scope::Scope;
use super::start::{BAD_BOUNDS, Start};
use super::template::Compiled;
use crate::diag::{Diagnostic, Severity, Stage};
use crate::model::coordinator::LogicKind;
use crate::model::functions::Phase;
use crate::plan::input_logic::{Availability, LogicError, expression};
use crate::source::Span;

impl CoordinatorJob {
    /// The output events of an action that have an instance which only the world tells. Where inputs have one too, the
    /// start of the action fails (`checkUnresolvedInstances`); else nothing is put in for the output.
    pub fn late_outputs(&self, action: &Action) -> Vec<Diagnostic> {
        let fails = action.inputs.iter().any(|input| input.unresolved.is_some());
        let outputs = self.outputs.iter().zip(&action.outputs);
        let late = outputs.filter(|(_, output)| output.unresolved.is_some());
        late.map(|(spec, _)| match fails {
            true => output_unresolved(spec),
            false => output_unresolved(spec).stage(None).severity(Severity::Warning),
        })
        .collect()
    }

    /// The input events of an action with a `latest` or `future` whose numbers are refused when the action looks for its
    /// inputs (`ph3_coord_latest`, `ph3_coord_future`): each look fails, and the action waits until it times out. Input
    /// logic may do without the event, so that this is only suspect there.
    pub fn late_inputs(&self, action: &Action) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        for (spec, input) in self.inputs.iter().zip(&action.inputs) {
            let Some(late) = &input.unresolved else { continue };
            let places = places(spec);
            for (index, text) in late.iter().enumerate() {
                let place = if places.len() == late.len() { places[index] } else { spec.span };
                found.extend(self.refused_bounds(text, place));
            }
        }
        found
    }

    /// An input logic that no look at an action can evaluate: `combine` over ranges of different length, or over what only
    /// the world tells. A server takes the submission, and every look fails until the action times out.
    pub fn refused_logic(&self, action: &Action) -> Option<Diagnostic> {
        let nodes = self.logic_nodes().ok().filter(|_| self.has_input_logic())?;
        let expr = expression(&nodes).ok()?;
        let mut availability = Availability::default();
        for (spec, input) in self.inputs.iter().zip(&action.inputs) {
            let uris = input.uris.iter().map(|uri| uri.to_string());
            availability.add(&spec.name, &spec.dataset.done_flag, false, uris);
            if let Some(late) = &input.unresolved {
                availability.add_unresolved(&spec.name, late.iter().map(|text| text.to_string()).collect());
            }
        }
        let error = availability.validate(expr.as_ref()).err()?;
        if !matches!(error, LogicError::CombineUnequal(..) | LogicError::CombineUnresolved) {
            return None;
        }
        let mut open: Vec<&LogicTemplate> = self.logic.iter().flatten().collect();
        let mut place = self.span;
        while let Some(next) = open.pop() {
            if next.node.kind == LogicKind::Combine {
                place = next.span;
                break;
            }
            open.extend(&next.operands);
        }
        let help = match error {
            LogicError::CombineUnequal(..) => "give all data-ins of a `combine` as many instances",
            _ => "use `coord:current` or `coord:offset` in the data-ins of a `combine`, or `or` instead",
        };
        let finding = Diagnostic::new(&INPUT_LOGIC_INVALID, place, error.to_string()).help(help);
        Some(finding.at("no look at the inputs succeeds, and the action times out"))
    }

    fn refused_bounds(&self, text: &str, place: Span) -> Option<Diagnostic> {
        let compiled = Compiled::computed(text, place, self.settings.engine);
        let nothing = Start::default();
        let mut scope = Scope::new(Phase::CoordActionStart, &self.variables, self.settings.processing);
        scope.start = Some(&nothing);
        let error = compiled.evaluate(&scope).err().filter(|error| error.java == BAD_BOUNDS)?;
        let finding = Diagnostic::new(&INSTANCE_INVALID, place, error.message)
            .stage(Some(Stage::Action))
            .oozie(&["E1021", "E1004"]);
        let finding = match func_of(text) {
            Func::Latest => {
                finding.help("count back from `coord:latest(0)`: `coord:latest(-1)` is the one before")
            }
            _ => finding.help("count from `coord:future(0, 1)`, which is the first"),
        };
        Some(match self.has_input_logic() {
            true => finding.severity(Severity::Warning).stage(None),
            false => finding,
        })
    }
}

/// Where the instances of an event stand that only the world tells, in the order in which they are resolved.
fn places(spec: &EventSpec) -> Vec<Span> {
    let is_late =
        |compiled: &&Compiled| matches!(func_of(&compiled.text().value), Func::Latest | Func::Future);
    let range = spec.range.iter().map(|(start, _)| start);
    spec.singles.iter().chain(range).filter(is_late).map(Compiled::span).collect()
}
