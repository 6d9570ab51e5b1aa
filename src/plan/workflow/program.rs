//! A workflow made ready to run: transitions as indices, texts as templates, everything put in that the definition
//! itself decides. One program serves all jobs of a workflow, since nothing in it depends on a job's values.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Definition;
use super::merge::{self, Global, child};
use super::nodes::{action_element, action_text, predicate_text};
use super::sla::{self, SlaProgram};
use super::submit::Submitted;
use crate::analysis::parameters::java_trim;
use crate::analysis::project::application_uri;
use crate::el::{self, Engine, Template};
use crate::model::Dialect;
use crate::model::workflow::{self as model, NodeKind};
use crate::source::{Sources, Text};
use crate::xml;

/// A workflow that can be run.
#[derive(Debug)]
pub struct Program {
    /// The language of the workflow.
    pub dialect: Dialect,
    /// The nodes in document order; the start node is [`Program::start`].
    pub nodes: Vec<ProgramNode>,
    /// The name, a template over the job's configuration.
    pub name: Template,
    /// The service levels of the workflow and of its actions; mostly there are none.
    pub levels: Vec<SlaProgram>,
    global: Option<Global>,
    start: usize,
}

/// A node that can be run.
#[derive(Debug)]
pub struct ProgramNode {
    /// Its name.
    pub name: Arc<str>,
    /// What it does.
    pub kind: ProgramKind,
    /// Whether its expressions ask for files or partitions, which only the world knows.
    pub asks_outside: bool,
}

/// A transition.
#[derive(Clone, Debug)]
pub struct Target {
    /// The name of the node.
    pub name: Arc<str>,
    /// The node; `None` when there is none of this name.
    pub node: Option<u32>,
    /// The name of the evaluation that leads there, where evaluations have names.
    pub label: Option<Arc<str>>,
}

/// What a node does.
#[derive(Debug)]
pub enum ProgramKind {
    /// Begins.
    Start(Target),
    /// Ends well.
    End,
    /// Ends badly, with a message.
    Kill {
        /// Its message.
        message: Template,
        /// The job ends as FAILED, not as KILLED.
        fails: bool,
    },
    /// Takes the first case whose predicate gives `true`.
    Decision {
        /// Predicates and where they lead.
        cases: Vec<(Template, Target)>,
        /// Where to go otherwise.
        default: Target,
    },
    /// Goes several ways at once.
    Fork(Vec<Target>),
    /// Waits for all ways of a fork.
    Join(Target),
    /// Does something.
    Action(Box<ActionProgram>),
}

/// The counters of an action that ended without being run: a map-reduce action that succeeds always has some, so that
/// `hadoop:counters` of it is a map, in which nothing stands yet.
pub fn counters_of(kind: &str, ok: bool) -> Option<&'static str> {
    (ok && kind == "map-reduce").then_some("{}")
}

impl ProgramKind {
    /// The name of the kind, as in definitions.
    pub fn name(&self) -> &str {
        match self {
            ProgramKind::Start(_) => "start",
            ProgramKind::End => "end",
            ProgramKind::Kill { fails: true, .. } => Dialect::Hws.kill(),
            ProgramKind::Kill { .. } => "kill",
            ProgramKind::Decision { .. } => "decision",
            ProgramKind::Fork(_) => "fork",
            ProgramKind::Join(_) => "join",
            ProgramKind::Action(_) => "action",
        }
    }
}

/// What an action does.
#[derive(Debug)]
pub struct ActionProgram {
    /// The type: `shell`, `sub-workflow`…
    pub kind: Arc<str>,
    /// The element as XML, a template.
    pub definition: Template,
    /// Where it goes after success.
    pub ok: Target,
    /// Where it goes after an error.
    pub error: Target,
    /// How often it may be run again.
    pub retry_max: Option<Template>,
    /// Minutes before it is run again.
    pub retry_interval: Option<Template>,
    /// `periodic` or `exponential`.
    pub retry_policy: Option<Template>,
}

impl Program {
    /// Makes a workflow ready. `parent` is the program of the workflow that runs it, whose `global` counts here too.
    pub fn new(definition: Definition<'_>, submitted: &Submitted, parent: Option<&Program>) -> Program {
        let model = definition.model;
        let place = model.name_span;
        let engine = submitted.conf.engine();
        let inherited =
            parent.and_then(|parent| parent.global.as_ref()).map(|global| global.handed_down(place));
        let own = model.global.as_ref();
        let global =
            own.map(|own| Global::new(&own.element, inherited.as_ref(), definition.text)).or(inherited);
        let names: BTreeMap<&str, u32> =
            model.nodes.iter().zip(0..).map(|(node, index)| (node.name.value.as_str(), index)).collect();
        let target = |text: &Option<Text>| {
            let name = text.as_ref().map_or("", |text| text.value.as_str());
            Target { name: name.into(), node: names.get(name).copied(), label: None }
        };
        let node = |node: &model::Node| {
            let kind = match &node.kind {
                NodeKind::Start { to } => ProgramKind::Start(target(to)),
                NodeKind::End => ProgramKind::End,
                NodeKind::Kill { message, fails } => {
                    ProgramKind::Kill { message: template(message.as_ref(), place, engine), fails: *fails }
                }
                NodeKind::Decision { cases, default, default_name } => {
                    let predicate = |text: &Text| el::parse_for(&predicate_text(definition, text), engine).0;
                    let named = |to: &Option<Text>, name: &Option<Box<Text>>| Target {
                        label: name.as_ref().map(|name| name.value.trim().into()),
                        ..target(to)
                    };
                    let cases =
                        cases.iter().map(|case| (predicate(&case.predicate), named(&case.to, &case.name)));
                    let default = named(default, default_name);
                    ProgramKind::Decision { cases: cases.collect(), default }
                }
                NodeKind::Fork { paths } => {
                    ProgramKind::Fork(paths.iter().map(|path| target(&Some(path.clone()))).collect())
                }
                NodeKind::Join { to } => ProgramKind::Join(target(to)),
                NodeKind::Action(action) => {
                    let (kind, text) = match &action.body {
                        None => ("".into(), Text::computed(String::new(), place)),
                        Some(body) => {
                            let element = action_element(definition, body, global.as_ref(), submitted);
                            (Arc::from(body.kind.as_str()), action_text(definition, &element))
                        }
                    };
                    let optional =
                        |text: &Option<Box<Text>>| text.as_ref().map(|text| el::parse_for(text, engine).0);
                    ProgramKind::Action(Box::new(ActionProgram {
                        kind,
                        definition: el::parse_for(&text, engine).0,
                        ok: target(&action.ok),
                        error: target(&action.error),
                        retry_max: optional(&action.retry_max),
                        retry_interval: optional(&action.retry_interval),
                        retry_policy: optional(&action.retry_policy),
                    }))
                }
            };
            let asks_outside = match &kind {
                ProgramKind::Decision { cases, .. } => cases.iter().any(|(predicate, _)| asks(predicate)),
                ProgramKind::Action(action) => asks(&action.definition),
                _ => false,
            };
            ProgramNode { name: node.name.value.as_str().into(), kind, asks_outside }
        };
        let nodes: Vec<ProgramNode> = model.nodes.iter().map(node).collect();
        let start = nodes.iter().position(|node| matches!(node.kind, ProgramKind::Start(_))).unwrap_or(0);
        let levels = sla::programs(definition, engine);
        let dialect = model.dialect;
        Program { dialect, name: template(model.name.as_ref(), place, engine), levels, nodes, global, start }
    }

    /// The start node.
    pub fn start(&self) -> u32 {
        self.start as u32
    }

    /// The node of a name.
    pub fn find(&self, name: &str) -> Option<u32> {
        self.nodes.iter().position(|node| &*node.name == name).map(|index| index as u32)
    }
}

fn asks(template: &Template) -> bool {
    template.calls().any(|call| matches!(call.prefix, "fs" | "hcat" | "hdfs"))
}

fn template(text: Option<&Text>, place: crate::source::Span, engine: Engine) -> Template {
    match text {
        Some(text) => el::parse_for(text, engine).0,
        None => el::parse_for(&Text::computed(String::new(), place), engine).0,
    }
}

/// What a sub-workflow action asks for, once its definition is evaluated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChildRequest {
    /// Where the workflow lies.
    pub app_path: String,
    /// Whether it gets the configuration of its parent.
    pub propagates: bool,
    /// Whether the application is named, not its path; such a child gets nothing of its parent but the user.
    pub is_named: bool,
    /// Its own properties.
    pub properties: Vec<(String, String)>,
}

impl ChildRequest {
    /// Reads the evaluated definition of a sub-workflow action; `None` when it is no XML.
    pub fn read(definition: &str) -> Option<ChildRequest> {
        let file = Sources::new().add("", "");
        let root = xml::read(file, definition, &xml::Limits::default()).0?;
        let application = child(&root, "hadoop-workflow").map(|name| name.text().value);
        let is_named = application.is_some();
        let app_path = match application {
            Some(name) => application_uri(&name),
            None => child(&root, "app-path").map(|path| path.text().value).unwrap_or_default(),
        };
        let own = child(&root, "configuration").map(|own| merge::properties(own, definition));
        let own = own.into_iter().flatten().map(|(name, text)| (name, text.value));
        Some(ChildRequest {
            app_path: java_trim(&app_path).to_owned(),
            propagates: child(&root, "propagate-configuration").is_some(),
            is_named,
            properties: own.collect(),
        })
    }
}
