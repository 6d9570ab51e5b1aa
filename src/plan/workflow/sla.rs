//! Service levels of a workflow and of its actions: templates over the job's configuration, registered with the job
//! (`SubmitXCommand.writeSLARegistration`, `ReRunXCommand.writeSLARegistration`).

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
use crate::time::ProcessingZone;

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
    /// Where.
    pub span: Span,
    /// In words.
    pub message: String,
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
        let world = JobWorld { raw };
        let mut values: Vec<(&str, String, Span)> = Vec::with_capacity(self.entries.len());
        for (name, span, template) in &self.entries {
            let fault = |message: String| SlaFault { span: *span, message };
            if template.broken.is_some() {
                return Err(fault(format!("the expression of `{name}` does not parse")));
            }
            let value = evaluate(template, &world).map_err(|error| fault(error.message))?;
            values.push((name, xml_trim(&value.into_text()).to_owned(), *span));
        }
        let get = |name: &str| {
            let found = values.iter().find(|(known, ..)| *known == name);
            found.map(|(_, value, span)| (value.as_str(), *span))
        };
        let fault = |span: Option<Span>, message| SlaFault { span: span.unwrap_or(self.place), message };
        let nominal = match get("nominal-time").filter(|(text, _)| !text.is_empty()) {
            None => return Err(fault(None, "`nominal-time` is empty".to_owned())),
            Some((text, span)) => processing.parse_datetime(text).map_err(|error| {
                fault(Some(span), format!("`nominal-time` is no datetime: `{text}`: {error}"))
            })?,
        };
        // The end is compared with whatever the schema lets pass.
        if get("should-end").is_none_or(|(text, _)| text.is_empty()) {
            return Err(fault(None, "`should-end` is empty".to_owned()));
        }
        // `SLADbOperations`, which sees the workflow's own level alone.
        let wants_whole: &[&str] = if self.node.is_none() { &["should-start", "should-end"] } else { &[] };
        for name in wants_whole {
            if let Some((text, span)) = get(name).filter(|(text, _)| !text.is_empty() && !is_whole(text)) {
                let words = format!("`{name}` is no whole number of minutes: `{text}`");
                return Err(fault(Some(span), words));
            }
        }
        register(nominal.instant, &get).map_err(|(span, message, _)| fault(span, message))
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
