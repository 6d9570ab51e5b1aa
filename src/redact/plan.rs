//! Plans without secrets. Configurations are redacted by the names of their properties; URIs, definitions and messages by
//! what is known to be secret and by what looks like it.

use std::borrow::Cow;
use std::sync::Arc;

use super::{Redactor, places};
use crate::analysis::parameters::{Explanation, Given, JobConf, Layer, explain};
use crate::analysis::secrets::{STARS, names_secret, shown_within, starred};
use crate::plan::coordinator::{Action, Event, SlaOutcome, Texts};
use crate::plan::workflow::{PlannedNode, WorkflowPlan};

/// A configuration with stars for what is secret in it: the values of properties with the names of secrets, what stands
/// where secrets do in others, and what was put into these from them. What is only equal to a secret stays. Whatever is
/// evaluated with it shows no secret and mangles no name.
pub fn masked(conf: &JobConf) -> JobConf {
    let mut hidden = conf.clone();
    for (name, value) in conf.iter() {
        let shown = own(name, value, &explain(conf, name)[1..]);
        if *shown != *value {
            hidden.set(Layer::File, Given::new(name, shown));
        }
    }
    hidden
}

/// An action as it is planned without the values of secrets; none where it hangs on such a value, so that it would be
/// another one.
pub fn alike(action: &Action, without: Action) -> Option<Action> {
    let names = |action: &Action| -> Option<Vec<Arc<str>>> {
        Some(action.configuration.as_ref()?.iter().map(|(name, _)| name.clone()).collect())
    };
    let same = |one: &[Event], other: &[Event]| {
        let is_same = |(one, other): (&Event, &Event)| {
            one.uris.len() == other.uris.len()
                && one.unresolved.as_ref().map(|texts| texts.len())
                    == other.unresolved.as_ref().map(|texts| texts.len())
        };
        one.len() == other.len() && one.iter().zip(other).all(is_same)
    };
    let is_alike = action.nominal == without.nominal
        && action.error.is_none()
        && without.error.is_none()
        && action.sla_fault().is_none()
        && without.sla_fault().is_none()
        && names(action) == names(&without)
        && same(&action.inputs, &without.inputs)
        && same(&action.outputs, &without.outputs);
    // Whether data are there was asked for their real paths.
    is_alike.then_some(Action { ready: action.ready, ..without })
}

/// The value of a property without its own secrets, and without those of the values that were put into it.
fn own(name: &str, value: &str, put_in: &[Explanation]) -> String {
    let mut redactor = Redactor::default();
    for part in put_in {
        let values = part.value.as_deref().into_iter().chain(part.steps.iter().map(|step| &*step.value));
        values.for_each(|value| redactor.learn(&part.name, value));
    }
    if names_secret(name) && !value.trim().is_empty() {
        return STARS.to_owned();
    }
    let mut found = redactor.known(value);
    found.extend(places(name, value));
    starred(value, found).into_owned()
}

/// Where values come from, without secrets.
pub fn explanations(parts: &mut [Explanation]) {
    let whole = parts.to_vec();
    for (index, part) in parts.iter_mut().enumerate() {
        let others: Vec<Explanation> = [&whole[..index], &whole[index + 1..]].concat();
        if let Some(value) = &mut part.value {
            *value = own(&part.name, value, &others);
        }
        for step in &mut part.steps {
            step.value = own(&part.name, &step.value, &others).into();
        }
    }
}

impl Redactor {
    /// Whether anything of an action can be secret; its first action stands for all of a coordinator.
    pub fn concerns(&self, action: &Action) -> bool {
        let may_hold = |text: &Arc<str>| shown_within(text).next().is_some();
        let events = action.inputs.iter().chain(&action.outputs);
        let properties = action.configuration.iter().flatten();
        !self.is_empty()
            || may_hold(&action.app_path)
            || properties.clone().any(|(name, value)| names_secret(name) || may_hold(value))
            || events.flat_map(|event| event.uris.iter()).any(may_hold)
    }

    /// An action of a coordinator without secrets.
    pub fn action(&mut self, action: &mut Action) {
        let properties = action.configuration.iter().flatten();
        let properties: Vec<_> = properties.map(|(name, value)| (name.clone(), value.clone())).collect();
        self.learn_all(properties.iter().map(|(name, value)| (&**name, &**value)));
        for (name, value) in action.configuration.iter_mut().flatten() {
            let hidden = self.value(Some(name), value);
            if hidden != **value {
                *value = hidden.into();
            }
        }
        action.inputs.iter_mut().chain(&mut action.outputs).for_each(|event| self.event(event));
        action.wait_for.iter_mut().chain(&mut action.push_wait_for).for_each(|texts| self.texts(texts));
        self.arc(&mut action.app_path);
        if let Some(finding) = &mut action.error {
            self.string(&mut finding.message);
        }
        match &mut action.sla {
            Some(SlaOutcome::Failed(finding)) => self.string(&mut finding.message),
            Some(SlaOutcome::Registered(sla)) => {
                let texts = [&mut sla.alert_contact, &mut sla.notification_msg, &mut sla.upstream_apps];
                texts.into_iter().flatten().for_each(|text| self.string(text));
            }
            None => {}
        }
    }

    fn event(&self, event: &mut Event) {
        self.texts(&mut event.uris);
        event.unresolved.iter_mut().for_each(|texts| self.texts(texts));
    }

    fn texts(&self, texts: &mut Texts) {
        if texts.iter().any(|text| matches!(self.text(text), Cow::Owned(_))) {
            *texts = texts.iter().map(|text| Arc::from(&*self.text(text))).collect();
        }
    }

    fn arc(&self, text: &mut Arc<str>) {
        if let Cow::Owned(hidden) = self.text(text) {
            *text = hidden.into();
        }
    }

    fn string(&self, text: &mut String) {
        if let Cow::Owned(hidden) = self.text(text) {
            *text = hidden;
        }
    }

    /// A configuration without secrets.
    pub fn conf(&self, conf: &JobConf) -> JobConf {
        let mut hidden = conf.clone();
        for (name, value) in conf.iter() {
            let shown = self.value(Some(name), value);
            if shown != value {
                hidden.set(Layer::File, Given::new(name, shown.into_owned()));
            }
        }
        hidden
    }

    /// The plan of a workflow, and of all below it, without secrets. Recursive, no deeper than sub-workflows are followed.
    pub fn workflow(&mut self, plan: &mut WorkflowPlan) {
        self.learn_all(plan.parameters.iter());
        for node in &plan.nodes {
            if let Some(action) = &node.action {
                self.learn_definition(&action.definition);
            }
        }
        plan.parameters = self.conf(&plan.parameters);
        self.string(&mut plan.name);
        for node in &mut plan.nodes {
            self.node(node);
        }
    }

    fn node(&mut self, node: &mut PlannedNode) {
        let texts =
            node.cases.iter_mut().map(|(_, text)| text).chain(&mut node.message).chain(&mut node.deferred);
        texts.for_each(|text| self.string(text));
        node.findings.iter_mut().for_each(|finding| self.string(&mut finding.message));
        let Some(action) = &mut node.action else { return };
        action.definition = self.xml(&action.definition);
        action.deferred.iter_mut().for_each(|text| self.string(text));
        let Some(child) = &mut action.child else { return };
        self.string(&mut child.app_path);
        child.findings.iter_mut().for_each(|finding| self.string(&mut finding.message));
        if let Some(plan) = &mut child.plan {
            self.workflow(plan);
        }
    }
}
