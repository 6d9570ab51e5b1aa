//! Service levels of a workflow and of its actions: templates over the job's configuration, registered with the job
//! (`SubmitXCommand.writeSLARegistration`, `ReRunXCommand.writeSLARegistration`).

use std::collections::BTreeSet;

use super::Definition;
use crate::analysis::parameters::xml_trim;
use crate::el::{
    self, Engine, Failure, Function, Outcome, Signature, Template, Value, World, evaluate, parse_for,
};
use crate::model::functions::{self, Phase};
use crate::model::sla::Sla;
use crate::model::workflow::NodeKind;
use crate::plan::sla::{SlaRegistration, is_whole, register};
use crate::source::Span;
use crate::time::{Instant, ProcessingZone};

const NOMINAL_TIME: &str = "nominal-time";
const SHOULD_START: &str = "should-start";
const SHOULD_END: &str = "should-end";

/// The service level of a workflow or of one of its actions.
#[derive(Debug)]
pub struct SlaProgram {
    /// The action's index among the nodes; `None`: the workflow's own.
    pub node: Option<u32>,
    place: Span,
    entries: Vec<(String, Span, Template)>,
}

/// Why a service level cannot be registered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlaFault {
    /// The entry that is wrong.
    pub entry: String,
    /// Where.
    pub span: Span,
    /// In words.
    pub message: String,
    /// The server's own code below E1007, where it has one.
    pub codes: &'static [&'static str],
}

/// All service levels of a definition, the workflow's own first.
pub(super) fn programs(definition: Definition<'_>, engine: Engine) -> Vec<SlaProgram> {
    let model = definition.model;
    let own = model.sla.as_ref().map(|sla| SlaProgram::new(None, sla, engine));
    let actions = (0..).zip(&model.nodes).filter_map(|(index, node)| match &node.kind {
        NodeKind::Action(action) => Some(SlaProgram::new(Some(index), action.sla.as_ref()?, engine)),
        _ => None,
    });
    own.into_iter().chain(actions).collect()
}

impl SlaProgram {
    fn new(node: Option<u32>, sla: &Sla, engine: Engine) -> SlaProgram {
        let entry = |(name, text): &(String, crate::source::Text)| {
            (name.clone(), text.span, parse_for(text, engine).0)
        };
        SlaProgram { node, place: sla.span, entries: sla.entries.iter().map(entry).collect() }
    }

    /// Registers it for a job; `raw` gives a property of the job's configuration.
    pub fn register(
        &self,
        raw: &dyn Fn(&str) -> Option<String>,
        processing: ProcessingZone,
    ) -> Result<SlaRegistration, SlaFault> {
        let mut values = Vec::with_capacity(self.entries.len());
        for (name, span, template) in &self.entries {
            let value = self.value(template, raw).map_err(|message| SlaFault {
                entry: name.clone(),
                span: *span,
                message: message.unwrap_or_else(|| format!("the expression of `{name}` does not parse")),
                codes: &[],
            })?;
            values.push((name.as_str(), value, *span));
        }
        self.of_values(&values, processing, &BTreeSet::new())
    }

    /// Everything that keeps it from being registered, as far as its values are known: what has no value yet, or one
    /// that only the run will know, is taken for right. What is wrong with the expressions is not said.
    pub(super) fn faults(
        &self,
        raw: &dyn Fn(&str) -> Option<String>,
        processing: ProcessingZone,
    ) -> Vec<SlaFault> {
        let (mut values, mut right) = (Vec::with_capacity(self.entries.len()), BTreeSet::new());
        for (name, span, template) in &self.entries {
            match self.value(template, raw) {
                Ok(value) if !value.contains("${") => values.push((name.as_str(), value, *span)),
                _ => drop(right.insert(name.clone())),
            }
        }
        // What was told is taken for right, so that the next is found.
        let mut faults: Vec<SlaFault> = Vec::new();
        while let Err(fault) = self.of_values(&values, processing, &right) {
            if !right.insert(fault.entry.clone()) {
                break;
            }
            faults.push(fault);
        }
        faults
    }

    /// The value of an entry, or in words why it has none; no words for a broken expression.
    fn value(
        &self,
        template: &Template,
        raw: &dyn Fn(&str) -> Option<String>,
    ) -> Result<String, Option<String>> {
        if template.broken.is_some() {
            return Err(None);
        }
        let world = JobWorld { raw };
        let value = evaluate(template, &world).map_err(|error| Some(error.message))?;
        Ok(xml_trim(&value.into_text()).to_owned())
    }

    /// Registers it with these values; the entries that are taken for right stand for no time at all.
    fn of_values(
        &self,
        values: &[(&str, String, Span)],
        processing: ProcessingZone,
        right: &BTreeSet<String>,
    ) -> Result<SlaRegistration, SlaFault> {
        let get = |name: &str| {
            if right.contains(name) {
                return Some(("0", self.place));
            }
            let found = values.iter().find(|(known, ..)| *known == name);
            found.map(|(_, value, span)| (value.as_str(), *span))
        };
        let fault = |entry: &str, span: Option<Span>, message| {
            let at_entry = || values.iter().find(|(known, ..)| *known == entry).map(|(.., span)| *span);
            let span = span.or_else(at_entry).unwrap_or(self.place);
            SlaFault { entry: entry.to_owned(), span, message, codes: &[] }
        };
        let nominal = match get(NOMINAL_TIME).filter(|(text, _)| !text.is_empty()) {
            _ if right.contains(NOMINAL_TIME) => Instant::EPOCH,
            None => return Err(fault(NOMINAL_TIME, None, "`nominal-time` is empty".to_owned())),
            Some((text, span)) => {
                let parsed = processing.parse_datetime(text).map_err(|error| {
                    let words = format!("`nominal-time` is no datetime: `{text}`: {error}");
                    fault(NOMINAL_TIME, Some(span), words)
                })?;
                parsed.instant
            }
        };
        // The end is compared with whatever the schema lets pass.
        if get(SHOULD_END).is_none_or(|(text, _)| text.is_empty()) {
            return Err(fault(SHOULD_END, None, "`should-end` is empty".to_owned()));
        }
        // `SLADbOperations`, which sees the workflow's own level alone.
        let wants_whole: &[&str] = if self.node.is_none() { &[SHOULD_START, SHOULD_END] } else { &[] };
        for name in wants_whole {
            if let Some((text, span)) = get(name).filter(|(text, _)| !text.is_empty() && !is_whole(text)) {
                let words = format!("`{name}` is no whole number of minutes: `{text}`");
                return Err(fault(name, Some(span), words));
            }
        }
        register(nominal, &get)
            .map_err(|found| SlaFault { codes: found.codes, ..fault(found.entry, found.span, found.message) })
    }
}

/// What the expressions of a service level see (`wf-sla-submit`): properties and constants.
struct JobWorld<'c> {
    raw: &'c dyn Fn(&str) -> Option<String>,
}

impl World for JobWorld<'_> {
    fn variable(&self, name: &str) -> Option<Value<'_>> {
        match (self.raw)(name) {
            Some(value) => Some(Value::from(value)),
            None => functions::constant(Phase::WfSlaSubmit, name).map(functions::Constant::value),
        }
    }

    fn function(&self, prefix: &str, name: &str) -> Function {
        functions::lookup(Phase::WfSlaSubmit, prefix, name)
    }

    fn call<'a>(&'a self, function: &'static Signature, _: Vec<Value<'a>>) -> Result<Outcome<'a>, Failure> {
        let words = format!("`{}` is not known in a service level", function.full_name());
        Err(el::Failure::new("ELException", words))
    }
}
