//! What the functions of expressions do, as functions of a [`World`] that is an argument.
//!
//! All of workflows and bundles, and those of coordinators that need neither a dataset nor an event; the planner of
//! coordinators adds the others on top of the same trait. Reads no clock and no file.

mod coordinator;
mod files;
pub mod globs;
mod hash_order;
mod hws;
mod maps;
mod regex;
mod text;
mod workflow;
mod world;

use std::collections::BTreeMap;

use crate::el::{self, Failure, Outcome, Signature, Value};
use crate::model::functions::{self, Phase};

pub use hws::{CALLBACKS, callback_place};
pub use text::{pattern_fault, url_encode as url_encoded};
pub use workflow::variable_text;
pub use world::{Action, Job, World};

/// What the server sets in the Hadoop configuration of every host.
const HADOOP_DEFAULTS: &[(&str, &str)] = &[("fs.hdfs.impl.disable.cache", "true")];

/// A world seen from one phase: what [`el::evaluate`] takes.
#[derive(Debug)]
pub struct InPhase<'w> {
    world: &'w World,
    phase: Phase,
    variables: BTreeMap<&'w str, String>,
}

impl<'w> InPhase<'w> {
    /// Prepares the variables of a phase.
    pub fn new(world: &'w World, phase: Phase) -> InPhase<'w> {
        let mut variables = BTreeMap::new();
        for (name, value) in &world.conf {
            let value = match phase {
                // `DagELFunctions.configureEvaluator`: names that are identifiers; empty values got lost in XML.
                Phase::Workflow if world.is_running() => {
                    if !is_variable(name) || value.is_empty() {
                        continue;
                    }
                    workflow::variable_text(value)
                }
                Phase::Workflow | Phase::Hws => value.clone(),
                // `CoordELEvaluator.setConfigToEval`
                Phase::CoordActionStart if value.is_empty() => continue,
                _ => text::java_trim(value).to_owned(),
            };
            variables.insert(name.as_str(), value);
        }
        InPhase { world, phase, variables }
    }

    /// The world.
    pub fn world(&self) -> &'w World {
        self.world
    }

    /// The phase.
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// A variable as `ELEvaluator.getVariable` has it: any name, also one that no expression can write.
    pub(super) fn text_variable(&self, name: &str) -> Option<String> {
        match self.variables.get(name) {
            Some(value) => Some(value.clone()),
            None => functions::constant(self.phase, name).map(|constant| constant.value().to_string()),
        }
    }
}

/// Whether a property is a variable of a workflow as well (`ParamChecker.isValidIdentifier`).
pub fn is_variable(name: &str) -> bool {
    let begins = name.bytes().next().is_some_and(|b| !b.is_ascii_digit());
    begins && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

impl el::World for InPhase<'_> {
    fn variable(&self, name: &str) -> Option<Value<'_>> {
        if let Some(value) = self.variables.get(name) {
            return Some(Value::from(value.as_str()));
        }
        functions::constant(self.phase, name).map(functions::Constant::value)
    }

    fn function(&self, prefix: &str, name: &str) -> el::Function {
        functions::lookup(self.phase, prefix, name)
    }

    fn call<'a>(
        &'a self,
        function: &'static Signature,
        arguments: Vec<Value<'a>>,
    ) -> Result<Outcome<'a>, Failure> {
        if let Some(outcome) = functions::unevaluated(self.phase, function, &arguments) {
            return Ok(outcome);
        }
        let arguments = Arguments(arguments);
        let world = self.world;
        if self.phase == Phase::Hws
            && let Some(value) = hws::call(world, function.prefix, function.name, &arguments)
        {
            return value.map(Outcome::Value);
        }
        match (function.prefix, function.name) {
            ("wf", name) => workflow::call(world, name, &arguments),
            ("hadoop", "counters") => workflow::counters(world, &arguments.text(0)),
            ("hadoop", "conf") => Ok(hadoop_conf(world, &arguments.text(0), &arguments.text(1))),
            ("fs", name) => files::call(world, name, &arguments.text(0)),
            ("hcat", _) => files::exists_uri(world, &arguments.text(0)).map(Value::Bool),
            ("bundle", _) => Ok(self.text_variable(&arguments.text(0)).map_or(Value::Null, Value::from)),
            ("coord", name) => coordinator::call(self, name, &arguments),
            (_, name) => text::call(world, name, &arguments),
        }
        .map(Outcome::Value)
    }
}

/// `HadoopELFunctions.hadoop_conf`
fn hadoop_conf<'a>(world: &'a World, host: &str, name: &str) -> Value<'a> {
    let given = world.hadoop_conf.get(host).and_then(|properties| properties.get(name)).map(String::as_str);
    let default = || HADOOP_DEFAULTS.iter().find(|(key, _)| *key == name).map(|(_, value)| *value);
    Value::from(given.filter(|value| !value.is_empty()).or_else(default).unwrap_or(""))
}

/// The arguments of a call, already of the types of the parameters.
struct Arguments<'a>(Vec<Value<'a>>);

impl<'a> Arguments<'a> {
    fn text(&self, index: usize) -> std::borrow::Cow<'_, str> {
        self.0.get(index).map(Value::to_text).unwrap_or_default()
    }

    fn value(&self, index: usize) -> Value<'a> {
        self.0.get(index).cloned().unwrap_or(Value::Null)
    }

    fn int(&self, index: usize) -> i32 {
        match self.0.get(index) {
            Some(Value::Long(number)) => *number as i32,
            _ => 0,
        }
    }
}

#[cfg(test)]
mod tests;
