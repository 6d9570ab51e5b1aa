//! Every text of an app that may hold expressions, with the phase in which a server evaluates it.
//!
//! The places and phases are those of `resolveInitial` in `CoordSubmitXCommand`, of `SubmitXCommand` for workflows and
//! of `BundleSubmitXCommand`, which evaluates the whole document. Evaluates nothing.

use crate::diag::Stage;
use crate::el;
use crate::model::coordinator::{Datasets, Instances, LogicNode};
use crate::model::functions::{self, Phase};
use crate::model::sla::Sla;
use crate::model::workflow::NodeKind;
use crate::model::{App, Bundle, Configuration, Coordinator, Dialect, Property, Workflow};
use crate::source::Text;
use crate::xml::{Element, Node};

/// What a text is for; decides its phase and what a fault in it leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// Anywhere in a bundle but its name.
    Bundle,
    /// The name of a bundle, coordinator or workflow.
    AppName,
    /// The frequency of a coordinator or dataset.
    Frequency,
    /// `controls/timeout`
    Timeout,
    /// The first instance of a dataset.
    InitialInstance,
    /// Other attributes and controls, application paths, URI templates, done flags, includes.
    Coordinator,
    /// An instance of an event, or a name in input logic.
    Instance,
    /// A property that a coordinator hands to its workflow.
    ActionConfiguration,
    /// The service level of a coordinator's action.
    CoordinatorSla,
    /// Anything that is evaluated when a workflow node is entered.
    WorkflowNode,
    /// Anything that is evaluated when a node of a `hadoop-workflow` is entered.
    HwsNode,
    /// The service level of a workflow or of one of its actions.
    WorkflowSla,
}

impl Place {
    /// The phase of evaluation, as Oozie's `ELService` has it.
    pub fn phase(self) -> Phase {
        match self {
            Place::Bundle => Phase::BundleSubmit,
            Place::AppName => Phase::JobSubmit,
            Place::Frequency => Phase::CoordJobSubmitFreq,
            Place::Timeout => Phase::CoordJobWaitTimeout,
            Place::InitialInstance => Phase::CoordJobSubmitInitialInstance,
            Place::Coordinator => Phase::CoordJobSubmitNofuncs,
            Place::Instance => Phase::CoordJobSubmitInstances,
            Place::ActionConfiguration => Phase::CoordJobSubmitData,
            Place::CoordinatorSla => Phase::CoordSlaSubmit,
            Place::WorkflowNode => Phase::Workflow,
            Place::HwsNode => Phase::Hws,
            Place::WorkflowSla => Phase::WfSlaSubmit,
        }
    }

    /// What nodes hold in a language.
    pub fn of_nodes(dialect: Dialect) -> Place {
        match dialect {
            Dialect::Oozie => Place::WorkflowNode,
            Dialect::Hws => Place::HwsNode,
        }
    }

    /// When a server notices a fault in the expression.
    pub fn stage(self) -> Stage {
        if matches!(self, Place::WorkflowNode | Place::HwsNode) { Stage::Action } else { Stage::Submit }
    }
}

/// A text with its place.
#[derive(Clone, Copy, Debug)]
pub struct Template<'a> {
    /// The text as decoded.
    pub text: &'a Text,
    /// What it is for.
    pub place: Place,
    /// The codes that a server raises for a fault in the expression, outermost first.
    pub codes: &'static [&'static str],
    /// The index of the workflow node that holds it.
    pub node: Option<usize>,
}

impl Template<'_> {
    /// Whether its value depends on parameters or on who submits: it has a variable or asks for a property.
    pub fn depends_on_parameters(&self) -> bool {
        let (parsed, _) = el::parse(self.text);
        let is_constant = |name: &str| functions::constant(self.place.phase(), name).is_some();
        let asks = |call: &el::Call<'_>| matches!(call.name, "conf" | "user" | "group");
        parsed.variables().any(|(_, name)| !is_constant(name)) || parsed.calls().any(|call| asks(&call))
    }
}

/// The templates of a workflow that hold an expression, in order of the model.
pub fn of_workflow(workflow: &Workflow) -> Vec<Template<'_>> {
    let mut list = List::new();
    list.workflow(workflow);
    list.templates
}

/// The templates of a coordinator that hold an expression.
pub fn of_coordinator(coordinator: &Coordinator) -> Vec<Template<'_>> {
    let mut list = List::new();
    list.coordinator(coordinator);
    list.templates
}

/// The templates of a bundle that hold an expression.
pub fn of_bundle(bundle: &Bundle) -> Vec<Template<'_>> {
    let mut list = List::new();
    list.bundle(bundle);
    list.templates
}

/// The templates of a file of datasets that hold an expression.
pub fn of_datasets(datasets: &Datasets) -> Vec<Template<'_>> {
    let mut list = List::new();
    list.datasets(datasets);
    list.templates
}

/// The templates of an app that hold an expression, in order of the model.
pub fn templates(app: &App) -> Vec<Template<'_>> {
    match app {
        App::Bundle(bundle) => of_bundle(bundle),
        App::Coordinator(coordinator) => of_coordinator(coordinator),
        App::Workflow(workflow) => of_workflow(workflow),
        App::Datasets(datasets) => of_datasets(datasets),
    }
}

/// Whether a text can hold an expression at all.
fn has_expression(text: &str) -> bool {
    text.contains("${") || text.contains("#{")
}

struct List<'a> {
    templates: Vec<Template<'a>>,
    codes: &'static [&'static str],
    node: Option<usize>,
}

impl<'a> List<'a> {
    fn new() -> List<'a> {
        List { templates: Vec::new(), codes: &["E1004"], node: None }
    }

    fn add(&mut self, place: Place, text: &'a Text) {
        if has_expression(&text.value) {
            self.templates.push(Template { text, place, codes: self.codes, node: self.node });
        }
    }

    fn add_all(&mut self, place: Place, texts: impl IntoIterator<Item = &'a Text>) {
        for text in texts {
            self.add(place, text);
        }
    }

    fn name(&mut self, name: &'a Option<Text>) {
        let codes = std::mem::replace(&mut self.codes, &["E0803"]);
        self.add_all(Place::AppName, name);
        self.codes = codes;
    }

    fn configuration(&mut self, place: Place, configuration: &'a Configuration) {
        for Property { name, value, .. } in &configuration.properties {
            self.add_all(place, [name, value]);
        }
    }

    fn sla(&mut self, place: Place, sla: Option<&'a Sla>) {
        self.add_all(place, sla.iter().flat_map(|sla| sla.entries.iter().map(|(_, text)| text)));
    }

    fn bundle(&mut self, bundle: &'a Bundle) {
        self.codes = &["E1310", "E1301"];
        self.add_all(Place::AppName, &bundle.name);
        self.codes = &["E1310", "E1004"];
        for parameter in &bundle.parameters {
            self.add_all(Place::Bundle, std::iter::once(&parameter.name).chain(&parameter.default));
        }
        self.add_all(Place::Bundle, &bundle.kick_off_time);
        for coordinator in &bundle.coordinators {
            self.add_all(Place::Bundle, &coordinator.name);
            self.add_all(Place::Bundle, &coordinator.critical);
            self.add_all(Place::Bundle, &coordinator.enabled);
            self.add_all(Place::Bundle, &coordinator.app_path);
            self.configuration(Place::Bundle, &coordinator.configuration);
        }
    }

    fn coordinator(&mut self, coordinator: &'a Coordinator) {
        self.add_all(Place::Frequency, &coordinator.frequency);
        self.name(&coordinator.name);
        self.add_all(Place::Coordinator, &coordinator.start);
        self.add_all(Place::Coordinator, &coordinator.end);
        self.add_all(Place::Coordinator, &coordinator.timezone);
        let controls = &coordinator.controls;
        self.add_all(Place::Timeout, &controls.timeout);
        self.add_all(Place::Coordinator, &controls.concurrency);
        self.add_all(Place::Coordinator, &controls.throttle);
        self.add_all(Place::Coordinator, &controls.execution);
        self.datasets(&coordinator.datasets);
        for event in &coordinator.inputs {
            self.add_all(Place::Instance, &event.dataset);
            self.instances(&event.instances);
        }
        for event in &coordinator.outputs {
            self.add_all(Place::Instance, &event.dataset);
            self.instances(&event.instances);
        }
        if let Some(logic) = &coordinator.input_logic {
            self.logic(&logic.operands);
        }
        if let Some(action) = &coordinator.action {
            self.add_all(Place::Coordinator, &action.app_path);
            self.configuration(Place::ActionConfiguration, &action.configuration);
            self.sla(Place::CoordinatorSla, action.sla.as_ref());
        }
    }

    fn datasets(&mut self, datasets: &'a Datasets) {
        self.add_all(Place::Coordinator, &datasets.includes);
        for dataset in &datasets.datasets {
            self.add_all(Place::Frequency, &dataset.frequency);
            self.add_all(Place::InitialInstance, &dataset.initial_instance);
            self.add_all(Place::Coordinator, &dataset.timezone);
            self.add_all(Place::Coordinator, &dataset.uri_template);
            self.add_all(Place::Coordinator, &dataset.done_flag);
        }
    }

    fn instances(&mut self, instances: &'a Instances) {
        self.add_all(Place::Instance, &instances.single);
        self.add_all(Place::Instance, &instances.start);
        self.add_all(Place::Instance, &instances.end);
    }

    fn logic(&mut self, operands: &'a [LogicNode]) {
        let mut open: Vec<&LogicNode> = operands.iter().rev().collect();
        while let Some(node) = open.pop() {
            self.add_all(Place::Instance, node.dataset.iter().chain(&node.name));
            open.extend(node.operands.iter().rev());
        }
    }

    fn workflow(&mut self, workflow: &'a Workflow) {
        if workflow.dialect == Dialect::Oozie {
            // The name of a `hadoop-workflow` is no template.
            self.name(&workflow.name);
        }
        self.sla(Place::WorkflowSla, workflow.sla.as_ref());
        self.codes = &[];
        let place = Place::of_nodes(workflow.dialect);
        if let Some(global) = &workflow.global {
            self.element(place, &global.texts);
        }
        for credential in &workflow.credentials {
            for property in &credential.properties {
                self.add_all(place, [&property.name, &property.value]);
            }
        }
        for (index, node) in workflow.nodes.iter().enumerate() {
            self.node = Some(index);
            match &node.kind {
                NodeKind::Kill { message, .. } => self.add_all(place, message),
                NodeKind::Decision { cases, .. } => {
                    self.add_all(place, cases.iter().map(|case| &case.predicate));
                }
                NodeKind::Action(action) => {
                    self.add_all(place, action.retry_max.as_deref());
                    self.add_all(place, action.retry_interval.as_deref());
                    self.add_all(place, action.credentials.as_deref());
                    if let Some(body) = &action.body {
                        self.element(place, &body.texts);
                    }
                    self.codes = &["E1004"];
                    self.sla(Place::WorkflowSla, action.sla.as_deref());
                    self.codes = &[];
                }
                NodeKind::Start { .. } | NodeKind::End | NodeKind::Fork { .. } | NodeKind::Join { .. } => {}
            }
        }
    }

    /// Every attribute value and text in an element, in document order.
    fn element(&mut self, place: Place, element: &'a Element) {
        enum Open<'a> {
            Element(&'a Element),
            Text(&'a Text),
        }
        let mut open = vec![Open::Element(element)];
        while let Some(next) = open.pop() {
            match next {
                Open::Text(text) => self.add(place, text),
                Open::Element(element) => {
                    self.add_all(place, element.attributes.iter().map(|attribute| &attribute.value));
                    open.extend(element.children.iter().rev().filter_map(|node| match node {
                        Node::Element(element) => Some(Open::Element(element)),
                        Node::Text(text) => Some(Open::Text(text)),
                        Node::Comment(_) => None,
                    }));
                }
            }
        }
    }
}

#[cfg(test)]
#[path = "templates_tests.rs"]
mod tests;
