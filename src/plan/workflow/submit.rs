//! The submission of a workflow (`SubmitXCommand`), as far as the configuration decides.

use super::Definition;
use super::sla::{self, SlaFault};
use crate::analysis::parameters::{self, AppKind, JobConf, check_default_file, check_user};
use crate::diag::{Diagnostic, Severity, Stage};
use crate::model::functions::Phase;
use crate::model::workflow::NodeKind;
use crate::plan::evaluate::evaluate;
use crate::plan::serialize::serialize;
use crate::plan::sla::SLA_INVALID;
use crate::source::{Sources, Text};
use crate::xml::{self, Element};

/// A workflow that a server has taken.
#[derive(Clone, Debug)]
pub struct Submitted {
    /// The resolved name.
    pub name: String,
    /// The configuration as stored.
    pub conf: JobConf,
    /// The properties of the default file as actions get them.
    pub(super) defaults: super::merge::Properties,
}

/// Submits a workflow: `conf` is what the user, the coordinator or the parent gave. Nothing when a server would refuse
/// it. What the schema and the control flow say is not said here.
pub fn submit(definition: Definition<'_>, conf: JobConf) -> (Option<Submitted>, Vec<Diagnostic>) {
    let (submitted, findings) = resolve(definition, conf);
    let refused =
        findings.iter().any(|found| found.severity == Severity::Error && found.stage == Some(Stage::Submit));
    ((!refused).then_some(submitted), findings)
}

/// What a submission works out, whether a server would take it or not.
pub fn resolve(definition: Definition<'_>, mut conf: JobConf) -> (Submitted, Vec<Diagnostic>) {
    let place = definition.model.name_span;
    // Whatever is no `WorkflowException` comes out wrapped in E0803.
    let mut wrapped = check_default_file(AppKind::Workflow, definition.default_file, place);
    conf.inject_defaults(definition.default_file.iter().cloned());
    let defaults = defaults(definition, &conf);
    let more = check_user(AppKind::Workflow, &conf, place);
    let is_new = |found: &Diagnostic| !wrapped.iter().any(|old| old.is_of_same_fault(found));
    let more: Vec<_> = more.into_iter().filter(is_new).collect();
    wrapped.extend(more);
    let model = definition.model;
    let mut findings = parameters::verify(&mut conf, &model.namespace.value, &model.parameters);
    findings.extend(retries(definition, &conf));
    wrapped.extend(conf.resolve(place));
    for finding in &mut wrapped {
        finding.oozie.insert(0, "E0803");
    }
    findings.extend(wrapped);
    let name = match model.name.as_ref().map(|name| evaluate(name, &conf, Phase::JobSubmit, &["E0803"])) {
        None => String::new(),
        Some(Ok(name)) => name.text,
        Some(Err(more)) => {
            findings.extend(more);
            String::new()
        }
    };
    findings.extend(service_levels(definition, &conf));
    findings.extend(unregistered(definition, &conf));
    (Submitted { name, conf: conf.stored(), defaults }, findings)
}

/// The properties of the default file that every action gets (`resolveDefaultConfVariables`): references are looked up
/// in the file itself, and where that is not enough, the job's own value counts.
fn defaults(definition: Definition<'_>, conf: &JobConf) -> super::merge::Properties {
    let mut alone = JobConf::new();
    alone.inject_defaults(definition.default_file.iter().cloned());
    let place = definition.model.name_span;
    let value = |name: &str, raw: &str| -> Option<String> {
        let own = alone.get(name).ok()??;
        if raw.contains('$') && own.contains('$') { conf.get(name).ok()? } else { Some(own) }
    };
    alone
        .iter()
        .filter_map(|(name, raw)| Some((name.to_owned(), Text::computed(value(name, raw)?, place))))
        .collect()
}

/// The retries of the actions, which are resolved when the definition is parsed (`LiteWorkflowAppParser.parse`).
fn retries(definition: Definition<'_>, conf: &JobConf) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    for node in &definition.model.nodes {
        let NodeKind::Action(action) = &node.kind else { continue };
        for text in [&action.retry_max, &action.retry_interval, &action.retry_policy].into_iter().flatten() {
            findings.extend(evaluate(text, conf, Phase::JobSubmit, &["E0703"]).err().unwrap_or_default());
        }
    }
    findings
}

/// The service levels of the workflow and of its actions must evaluate, and be XML afterwards (`verifySlaElements`).
fn service_levels(definition: Definition<'_>, conf: &JobConf) -> Vec<Diagnostic> {
    let is_info = |element: &&Element| {
        &*element.name.local == "info" && element.name.namespace.starts_with("uri:oozie:sla:")
    };
    let actions = definition.root.children_named("action").flat_map(|action| action.elements().find(is_info));
    let mut findings = Vec::new();
    for element in definition.root.elements().find(is_info).into_iter().chain(actions) {
        let text = serialize(element, definition.text);
        match evaluate(&text, conf, Phase::WfSlaSubmit, &["E0803", "E1004"]) {
            Err(more) => findings.extend(more),
            Ok(resolved) => {
                let file = Sources::new().add("", "");
                if xml::read(file, &resolved.text, &xml::Limits::default()).0.is_none() {
                    let message = "a value breaks the service level: it is no longer XML";
                    let found =
                        Diagnostic::new(&crate::plan::bundle::VALUE_BREAKS_XML, element.name_span, message);
                    findings.push(found.oozie(&["E0803", "E1004"]));
                }
            }
        }
    }
    findings
}

/// What keeps service levels from being registered, which happens before the job is stored (`writeSLARegistration`).
fn unregistered(definition: Definition<'_>, conf: &JobConf) -> Vec<Diagnostic> {
    let raw = |name: &str| conf.get_raw(name).map(str::to_owned);
    let levels = sla::programs(definition, conf.engine());
    let faults = levels.iter().flat_map(|level| level.faults(&raw, conf.zone()));
    let finding = |fault: SlaFault| {
        let codes = ["E0803", "E1007"].iter().chain(fault.codes).copied().collect::<Vec<_>>();
        Diagnostic::new(&SLA_INVALID, fault.span, fault.message).stage(Some(Stage::Submit)).oozie(&codes)
    };
    faults.map(finding).collect()
}
