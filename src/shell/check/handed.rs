//! What an app hands to the workflow that it leads to: the definition as the planner takes it, and its configuration.

use std::collections::{BTreeMap, BTreeSet};

use crate::analysis::parameters::{AppKind, Given, JobConf, Layer};
use crate::analysis::templates::Place;
use crate::analysis::values::Values;
use crate::el;
use crate::model;
use crate::plan::{coordinator, workflow};
use crate::shell::library::{Library, Loaded};
use crate::source::Text;

/// A workflow as the planner takes it, when it is submitted with a configuration.
pub fn workflow_definition<'l>(
    library: &'l Library<'_>,
    app: &'l Loaded,
    model: &'l model::Workflow,
    conf: &JobConf,
) -> Option<workflow::Definition<'l>> {
    let root = app.definition.root.as_ref()?;
    Some(workflow::Definition { root, text: &app.text, model, default_file: library.defaults(app, conf) })
}

/// What a coordinator's action hands to its workflow: the coordinator's own configuration under the action's.
pub fn workflow_conf(
    action: &coordinator::Action,
    conf: &JobConf,
    model: &model::Coordinator,
) -> Option<JobConf> {
    let mut conf = conf.stored();
    let written = model.action.iter().flat_map(|action| &action.configuration.properties);
    let written: BTreeMap<&str, &Text> =
        written.map(|property| (property.name.value.trim(), &property.value)).collect();
    for (name, value) in action.configuration.as_ref()?.iter() {
        let Some(text) = written.get(name.as_ref()) else {
            conf.set(Layer::Action, Given::new(name.as_ref(), value.as_ref()));
            continue;
        };
        let (template, _) = el::parse(text);
        let uses = template.variables().map(|(_, name)| name.to_owned()).collect();
        let given = Given::new(name.as_ref(), text.value.trim()).at(text.span);
        conf.set_evaluated(Layer::Action, given, value, uses);
    }
    conf.set(Layer::Server, Given::new(AppKind::Workflow.property(), action.app_path.as_ref()));
    Some(conf)
}

/// The properties that a coordinator hands to its workflow and that have no value in an action.
pub(super) fn lost<'m>(action: &coordinator::Action, model: &'m model::Coordinator) -> BTreeSet<&'m str> {
    let made = action.configuration.as_ref();
    let has_value = |name: &str| {
        made.is_some_and(|made| made.iter().any(|(n, value)| n.as_ref() == name && !value.trim().is_empty()))
    };
    let written = model.action.iter().flat_map(|action| &action.configuration.properties);
    let written = written.filter(|property| !property.value.value.trim().is_empty());
    written.map(|property| property.name.value.trim()).filter(|name| !has_value(name)).collect()
}

/// The properties of a coordinator's action whose value is another one in every action.
pub(super) fn each_time(model: &model::Coordinator, values: &Values) -> Vec<String> {
    let written = model.action.iter().flat_map(|action| &action.configuration.properties);
    written
        .filter(|property| values.value(&property.value, Place::ActionConfiguration).is_none())
        .map(|property| property.name.value.trim().to_owned())
        .collect()
}
