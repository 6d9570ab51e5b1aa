//! What a rule gets to look at: a model together with the facts about it that several rules ask for.
//!
//! A fact that two rules need is computed here once.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use super::actions::{self, ActionNode};
use super::app_files::{AppFiles, ByPath, Elsewhere};
use super::expressions::{self, Expression, NodeUse, Predicate};
use super::flow::{Facts, Flow, NodeId};
use super::schedule::{self, Dataset, Event, Schedule};
use super::templates::{self, Place};
use super::values::Values;
use crate::el;
use crate::model::coordinator::Datasets;
use crate::model::sla::Sla;
use crate::model::{self, App, workflow::NodeKind};
use crate::source::Span;

pub use super::properties::Properties;

/// The property by which a job keeps the server from looking at forks and joins
/// (`LiteWorkflowAppParser.WF_VALIDATE_FORK_JOIN`).
pub const VALIDATE_FORK_JOIN: &str = "oozie.wf.validate.ForkJoin";

/// A workflow under analysis.
#[derive(Debug)]
pub struct Workflow<'a> {
    /// What the file says.
    pub model: &'a model::Workflow,
    /// Its control flow.
    pub flow: Facts<'a>,
    /// What is known of its values.
    pub values: &'a Values,
    /// Its expressions, in order of the model.
    pub expressions: Vec<Expression<'a>>,
    /// What lies in its folder, when that is known.
    pub files: Option<&'a AppFiles>,
    /// What is known of files that it names by their whole paths.
    pub elsewhere: Option<&'a ByPath>,
    actions: OnceCell<Vec<ActionNode<'a>>>,
}

impl<'a> Workflow<'a> {
    /// Works out the facts about a workflow of which no value is known.
    pub fn new(model: &'a model::Workflow) -> Workflow<'a> {
        Workflow::with(model, Values::unknown())
    }

    /// Works out the facts about a workflow with these values.
    pub fn with(model: &'a model::Workflow, values: &'a Values) -> Workflow<'a> {
        let mut flow = Facts::new(Flow::new(model));
        flow.dialect = model.dialect;
        // `Configuration.getBoolean` with true as default.
        let validates = values.property(VALIDATE_FORK_JOIN);
        let is_off = validates.is_some_and(|value| value.trim().eq_ignore_ascii_case("false"));
        flow.validates_forks = !is_off && !values.ignores_forks;
        let is_reached = |node: usize| flow.reachable.get(node).copied().unwrap_or(true);
        let expressions = expressions::read(templates::of_workflow(model), values.version, is_reached);
        Workflow { model, flow, values, expressions, files: None, elsewhere: None, actions: OnceCell::new() }
    }

    /// With what lies in its folder.
    pub fn beside(self, files: Option<&'a AppFiles>) -> Workflow<'a> {
        Workflow { files, ..self }
    }

    /// With what is known of files by their whole paths.
    pub fn among(self, elsewhere: &'a ByPath) -> Workflow<'a> {
        Workflow { elsewhere: Some(elsewhere), ..self }
    }

    /// What is known of a file by its whole path.
    pub fn elsewhere(&self, path: &str) -> Option<&'a Elsewhere> {
        self.elsewhere?.get(path)
    }

    /// Its action nodes that say what they do, in document order.
    pub fn actions(&self) -> &[ActionNode<'a>] {
        self.actions.get_or_init(|| actions::actions(&self.flow, self.model))
    }

    /// Every call in an expression that names another node.
    pub fn node_uses(&self) -> impl Iterator<Item = NodeUse<'_>> {
        expressions::node_uses(&self.expressions, &self.flow.flow)
    }

    /// Every decision: its cases in order, each with its expression when it holds one.
    pub fn decisions(&self) -> impl Iterator<Item = (NodeId, Vec<DecisionCase<'_>>)> {
        let mut rest = self.expressions.as_slice();
        self.model.nodes.iter().enumerate().filter_map(move |(index, node)| {
            let NodeKind::Decision { cases, .. } = &node.kind else { return None };
            let first = rest.partition_point(|expression| expression.template.node < Some(index));
            rest = &rest[first..];
            let mut own = rest.iter().take_while(|e| e.template.node == Some(index)).peekable();
            let case = |case: &'a model::workflow::Case| DecisionCase {
                case,
                values: self.values,
                expression: own.next_if(|e| std::ptr::eq(e.template.text, &case.predicate)),
            };
            Some((NodeId::new(index), cases.iter().map(case).collect()))
        })
    }
}

/// A case of a decision.
#[derive(Clone, Copy, Debug)]
pub struct DecisionCase<'a> {
    /// What the file says.
    pub case: &'a model::workflow::Case,
    /// Its predicate, when that holds an expression.
    pub expression: Option<&'a Expression<'a>>,
    values: &'a Values,
}

impl DecisionCase<'_> {
    /// What its predicate can come to, whatever the parameters are.
    pub fn predicate(&self) -> Predicate {
        self.with(Values::unknown_in(self.values.dialect))
    }

    /// What its predicate can come to with the parameters that are known.
    pub fn predicate_with_values(&self) -> Predicate {
        self.with(self.values)
    }

    fn with(&self, values: &Values) -> Predicate {
        match self.expression {
            Some(expression) => expressions::predicate(&expression.parsed, values),
            None => expressions::predicate(&el::parse(&self.case.predicate).0, values),
        }
    }
}

/// The expressions of one app of any kind.
#[derive(Debug)]
pub struct Expressions<'a> {
    /// All of them, in order of the model.
    pub list: &'a [Expression<'a>],
    /// The formal parameters of the app.
    pub parameters: &'a [model::Parameter],
    /// What is known of its values.
    pub values: &'a Values,
}

/// A coordinator under analysis.
#[derive(Debug)]
pub struct Coordinator<'a> {
    /// What the file says.
    pub model: &'a model::Coordinator,
    /// What is known of its values.
    pub values: &'a Values,
    /// When it runs.
    pub schedule: Schedule,
    /// Its datasets by name, those of included files too.
    pub datasets: BTreeMap<&'a str, Dataset<'a>>,
    /// The files of datasets that it includes, in order.
    pub included: Vec<&'a Datasets>,
    /// Its input events.
    pub inputs: Vec<Event<'a>>,
    /// Its output events.
    pub outputs: Vec<Event<'a>>,
}

impl<'a> Coordinator<'a> {
    /// Works out the facts about a coordinator with these values and these included files of datasets.
    pub fn with(
        model: &'a model::Coordinator,
        values: &'a Values,
        included: Vec<&'a Datasets>,
    ) -> Coordinator<'a> {
        let inputs =
            model.inputs.iter().map(|event| (&event.name, event.tag_span, &event.dataset, &event.instances));
        let outputs =
            model.outputs.iter().map(|event| (&event.name, event.tag_span, &event.dataset, &event.instances));
        Coordinator {
            model,
            values,
            schedule: Schedule::new(model, values),
            datasets: schedule::datasets(&model.datasets, &included, values),
            included,
            inputs: schedule::events(inputs, values),
            outputs: schedule::events(outputs, values),
        }
    }
}

/// A service level of a coordinator's action, a workflow or one of its actions.
#[derive(Debug)]
pub struct ServiceLevel<'a> {
    /// What the file says.
    pub model: &'a Sla,
    /// What it is for.
    pub place: Place,
    /// What is known of its values.
    pub values: &'a Values,
}

/// The service levels of an app, in order.
pub fn service_levels<'a>(app: &'a App, values: &'a Values) -> Vec<ServiceLevel<'a>> {
    let level = |place| move |model: &'a Sla| ServiceLevel { model, place, values };
    match app {
        App::Coordinator(app) => {
            let own = app.action.iter().filter_map(|action| action.sla.as_ref());
            own.map(level(Place::CoordinatorSla)).collect()
        }
        App::Workflow(app) => {
            let of_actions = app.nodes.iter().filter_map(|node| match &node.kind {
                NodeKind::Action(action) => action.sla.as_deref(),
                _ => None,
            });
            app.sla.iter().chain(of_actions).map(level(Place::WorkflowSla)).collect()
        }
        App::Bundle(_) | App::Datasets(_) => Vec::new(),
    }
}

/// A bundle under analysis.
#[derive(Debug)]
pub struct Bundle<'a> {
    /// What the file says.
    pub model: &'a model::Bundle,
    /// What is known of its values.
    pub values: &'a Values,
}

/// One program: what a submission leads to, each part with the values that it gets there. A definition that is used
/// several times is here several times.
#[derive(Debug)]
pub struct Package<'a> {
    /// The bundle, when the program begins with one.
    pub bundle: Option<Bundle<'a>>,
    /// The coordinators in order; of a bundle those that are enabled.
    pub coordinators: Vec<Member<'a>>,
    /// The workflows in the order in which they were met, sub-workflows among them.
    pub workflows: Vec<Job<'a>>,
}

/// A coordinator of a program.
#[derive(Debug)]
pub struct Member<'a> {
    /// The coordinator.
    pub app: Coordinator<'a>,
    /// The job's name in the bundle; without a bundle the name as written.
    pub name: String,
    /// The `coordinator` element of the bundle.
    pub place: Option<Span>,
}

/// A workflow of a program.
#[derive(Debug)]
pub struct Job<'a> {
    /// What the file says.
    pub model: &'a model::Workflow,
    /// What is known of its values.
    pub values: &'a Values,
    /// The coordinator that runs it, by its place among the program's.
    pub coordinator: Option<usize>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::parameters::{Given, JobConf, Layer};
    use crate::analysis::testing;

    #[test]
    fn service_levels_are_found_wherever_they_stand() {
        let sla = |name: &str| format!("<sla:info><sla:nominal-time>{name}</sla:nominal-time></sla:info>");
        let listed = |document: &str| {
            let app = testing::app(document);
            let levels = service_levels(&app, Values::unknown());
            let time = |level: &ServiceLevel<'_>| level.model.entries[0].1.value.clone();
            levels.iter().map(|level| format!("{:?} {}", level.place, time(level))).collect::<Vec<_>>()
        };
        let workflow = format!(
            "<workflow-app xmlns='uri:oozie:workflow:0.5' xmlns:sla='uri:oozie:sla:0.2' name='w'><start to='a'/>\
             <action name='a'><fs/><ok to='b'/><error to='e'/>{}</action>\
             <action name='b'><fs/><ok to='e'/><error to='e'/></action><end name='e'/>{}</workflow-app>",
            sla("of-a"),
            sla("of-all"),
        );
        assert_eq!(listed(&workflow), ["WorkflowSla of-all", "WorkflowSla of-a"]);
        let coordinator = format!(
            "<coordinator-app xmlns='uri:oozie:coordinator:0.4' xmlns:sla='uri:oozie:sla:0.2' name='c' frequency='5' \
             start='2024-01-01T00:00Z' end='2024-01-02T00:00Z' timezone='UTC'><action><workflow><app-path>/w</app-path>\
             </workflow>{}</action></coordinator-app>",
            sla("of-action"),
        );
        assert_eq!(listed(&coordinator), ["CoordinatorSla of-action"]);
        let bundle = "<bundle-app xmlns='uri:oozie:bundle:0.2' name='b'><coordinator name='c'><app-path>/c</app-path>\
                      </coordinator></bundle-app>";
        assert_eq!(listed(bundle), [""; 0]);
    }

    #[test]
    fn a_job_may_keep_the_server_from_looking_at_forks() {
        let app = testing::app(
            "<workflow-app xmlns='uri:oozie:workflow:0.5' name='w'><start to='e'/><end name='e'/></workflow-app>",
        );
        let App::Workflow(model) = &app else { panic!("no workflow") };
        let validates = |value: Option<&str>| {
            let mut conf = JobConf::new();
            conf.set(Layer::File, Given::new("a", "1"));
            value.into_iter().for_each(|value| conf.set(Layer::File, Given::new(VALIDATE_FORK_JOIN, value)));
            Workflow::with(model, &Values::of(&app, conf, &[], true)).flow.validates_forks
        };
        let found = [None, Some("true"), Some("no"), Some(""), Some(" FALSE "), Some("false")].map(validates);
        assert_eq!(found, [true, true, true, true, false, false]);
        assert!(Workflow::new(model).flow.validates_forks);
    }

    #[test]
    fn a_workflow_knows_its_files_and_who_asks_for_which_node() {
        let model = testing::workflow(
            "<workflow-app xmlns='uri:oozie:workflow:0.5' name='w'><start to='k'/>\
             <kill name='k'><message>${wf:errorCode('a')} ${wf:errorMessage('none')}</message></kill>\
             <action name='a'><fs/><ok to='e'/><error to='e'/></action><end name='e'/></workflow-app>",
        );
        let subject = Workflow::new(&model);
        let found: Vec<_> = subject.node_uses().map(|found| found.name.to_string()).collect();
        assert_eq!(found, ["a", "none"]);
        assert_eq!(subject.files, None);
        let files = AppFiles { files: ["a".to_owned()].into(), is_whole: true, ..AppFiles::default() };
        assert_eq!(subject.beside(Some(&files)).files, Some(&files));
    }

    #[test]
    fn decisions_have_their_cases_with_their_expressions() {
        let model = testing::workflow(
            "<workflow-app xmlns='uri:oozie:workflow:0.5' name='w'><start to='d'/>\
             <kill name='k'><message>${m}</message></kill>\
             <decision name='d'><switch><case to='k'>yes</case><case to='e'>${x == 1}</case><case to='k'>${false}\
             </case></switch><default to='f'/></decision>\
             <decision name='f'><switch><case to='e'>${true}</case></switch><default to='k'/></decision>\
             <end name='e'/></workflow-app>",
        );
        let subject = Workflow::new(&model);
        let found: Vec<_> = subject
            .decisions()
            .map(|(node, cases)| {
                let case = |it: &DecisionCase<'_>| (it.expression.is_some(), it.predicate());
                (node.index(), cases.iter().map(case).collect::<Vec<_>>())
            })
            .collect();
        let plain = Predicate::NoBoolean("it is plain text, not an expression");
        assert_eq!(
            found,
            [
                (2, vec![(false, plain), (true, Predicate::Open), (true, Predicate::Never)]),
                (3, vec![(true, Predicate::Always)]),
            ]
        );
    }
}
