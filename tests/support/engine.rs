//! Jobs on a stage: apps from XML, an engine, and a hand that answers its commands.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use ankus::analysis::parameters::{Given, JobConf, Layer};
use ankus::engine::status::{NodeStatus, WorkflowStatus};
use ankus::engine::{
    Command, Conf, Engine, EngineError, Event, Fault, JobId, NodeEnd, NodeId, PlannedWorkflow, Plans,
    Recorded, Settings, Submission, Submit, Trouble, VERSION,
};
use ankus::model::{self, App};
use ankus::plan::workflow::{self, Program};
use ankus::source::Sources;
use ankus::time::Instant;
use ankus::xml;

/// The apps that an engine finds.
#[derive(Clone, Debug, Default)]
pub struct Apps {
    pub workflows: Rc<RefCell<BTreeMap<String, Arc<Program>>>>,
}

impl Plans for Apps {
    fn workflow(&self, key: &str) -> Option<Arc<Program>> {
        self.workflows.borrow().get(key).cloned()
    }
}

/// A workflow from its XML, and its name.
pub fn program(text: &str, parent: Option<&Program>) -> Program {
    let mut sources = Sources::new();
    let file = sources.add("workflow.xml", text);
    let (root, findings) = xml::read(file, text, &xml::Limits::default());
    let root = root.unwrap_or_else(|| panic!("{findings:?}"));
    let (Some(App::Workflow(model)), _) = model::lower(&root) else { panic!("a workflow") };
    let definition = workflow::Definition { root: &root, text, model: &model, default_file: &[] };
    let mut conf = JobConf::new();
    conf.set(Layer::File, Given::new("user.name", "alice"));
    let (submitted, findings) = workflow::submit(definition, conf);
    let submitted = submitted.unwrap_or_else(|| panic!("{findings:?}"));
    Program::new(definition, &submitted, parent)
}

/// A workflow's text around its nodes.
pub fn workflow_xml(nodes: &str) -> String {
    format!(r#"<workflow-app name="w" xmlns="uri:oozie:workflow:0.5">{nodes}</workflow-app>"#)
}

/// An action that does something.
pub fn action(name: &str, ok: &str, error: &str) -> String {
    action_with(name, "", ok, error)
}

/// An action with attributes.
pub fn action_with(name: &str, attributes: &str, ok: &str, error: &str) -> String {
    format!(
        r#"<action name="{name}" {attributes}><shell xmlns="uri:oozie:shell-action:0.3"><exec>{name}</exec>
        </shell><ok to="{ok}"/><error to="{error}"/></action>"#
    )
}

/// The end and a kill node.
pub const ENDS: &str = r#"<kill name="fail"><message>failed</message></kill><end name="end"/>"#;

/// Minutes after the beginning of 2024.
pub fn minute(minutes: i64) -> Instant {
    Instant::from_seconds(1_704_067_200).plus_minutes(minutes)
}

/// An engine with what it was told and what it has said.
pub struct Stage {
    pub apps: Apps,
    pub engine: Engine<Apps>,
    pub now: Instant,
    pub log: Vec<Recorded>,
    pub said: Vec<Command>,
}

impl Stage {
    pub fn new() -> Stage {
        Stage::with(Settings::default())
    }

    pub fn with(settings: Settings) -> Stage {
        let apps = Apps::default();
        let engine = Engine::new(apps.clone(), settings);
        Stage { apps, engine, now: minute(0), log: Vec::new(), said: Vec::new() }
    }

    /// Tells the engine something.
    pub fn tell(&mut self, event: Event) -> Result<Vec<Command>, EngineError> {
        let recorded = Recorded { version: VERSION, at: self.now, event: event.clone() };
        let commands = self.engine.handle(self.now, event)?;
        self.log.push(recorded);
        self.said.extend(commands.iter().cloned());
        Ok(commands)
    }

    /// Tells the engine something that it takes.
    pub fn must(&mut self, event: Event) -> Vec<Command> {
        let text = format!("{event:?}");
        self.tell(event).unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    /// Lets time pass, with all that falls into it.
    pub fn wait_until(&mut self, until: Instant) {
        while let Some(at) = self.engine.next_wake().filter(|at| *at <= until) {
            self.now = self.now.max(at);
            self.must(Event::Tick);
        }
        self.now = until;
    }

    pub fn wait_seconds(&mut self, seconds: i64) {
        self.wait_until(self.now.plus_millis(seconds * 1000));
    }

    pub fn wait_minutes(&mut self, minutes: i64) {
        self.wait_until(self.now.plus_minutes(minutes));
    }

    /// Adds a workflow under a key.
    pub fn add(&mut self, key: &str, nodes: &str) {
        let parent = None;
        let program = program(&workflow_xml(nodes), parent);
        self.apps.workflows.borrow_mut().insert(key.to_owned(), Arc::new(program));
    }

    /// Submits and starts a workflow of these nodes.
    pub fn run(&mut self, nodes: &str, conf: &[(&str, &str)]) -> JobId {
        let job = self.submit(nodes, conf);
        self.must(Event::Start(job));
        job
    }

    /// Submits a workflow of these nodes.
    pub fn submit(&mut self, nodes: &str, conf: &[(&str, &str)]) -> JobId {
        let key = format!("app{}", self.log.len());
        self.add(&key, nodes);
        let commands = self.must(submission(&key, conf, false));
        let Command::Submitted { job, existed: false } = commands[0] else { panic!("{commands:?}") };
        job
    }

    /// The node of a name, and the attempt that was started last.
    pub fn node(&self, job: JobId, name: &str) -> (NodeId, u32) {
        let workflow = self.engine.workflow(job).expect("a workflow");
        let node = workflow.program.find(name).expect("a node");
        let attempt = workflow.node(node).map_or(0, |run| run.attempt);
        (NodeId { workflow: job.number, node }, attempt)
    }

    pub fn started(&mut self, job: JobId, name: &str) -> Vec<Command> {
        let (node, attempt) = self.node(job, name);
        self.must(Event::NodeStarted { node, attempt, external_id: None, tracker: None })
    }

    pub fn ended(&mut self, job: JobId, name: &str, end: NodeEnd) -> Vec<Command> {
        let (node, attempt) = self.node(job, name);
        self.must(Event::NodeEnded { node, attempt, end })
    }

    pub fn ok(&mut self, job: JobId, name: &str) -> Vec<Command> {
        self.ended(job, name, NodeEnd { ok: true, ..NodeEnd::default() })
    }

    pub fn error(&mut self, job: JobId, name: &str, code: &str) -> Vec<Command> {
        let fault = Some(Fault::new(code, "it did not work"));
        self.ended(job, name, NodeEnd { ok: false, fault, ..NodeEnd::default() })
    }

    pub fn trouble(&mut self, job: JobId, name: &str, trouble: Trouble) -> Vec<Command> {
        let (node, attempt) = self.node(job, name);
        self.must(Event::NodeTrouble { node, attempt, trouble })
    }

    pub fn status(&self, job: JobId) -> WorkflowStatus {
        self.engine.workflow(job).expect("a workflow").status
    }

    pub fn node_status(&self, job: JobId, name: &str) -> Option<NodeStatus> {
        let workflow = self.engine.workflow(job).expect("a workflow");
        workflow.node(workflow.program.find(name).expect("a node")).map(|run| run.status)
    }

    /// The engine made again from what it was told.
    pub fn again(&self) -> Engine<Apps> {
        Engine::replay(self.apps.clone(), self.engine.settings().clone(), &self.log).expect("a replay")
    }
}

/// The submission of a workflow.
pub fn submission(key: &str, conf: &[(&str, &str)], start: bool) -> Event {
    let conf = Conf::new(conf.iter().copied());
    let planned = PlannedWorkflow { program: key.into(), name: "w".into(), conf: Some(Arc::new(conf)) };
    Event::Submit(Submit { program: Submission::Workflow(planned), external_id: None, start })
}

/// The nodes that commands start.
pub fn starts(commands: &[Command]) -> Vec<u32> {
    let start = |command: &Command| match command {
        Command::StartNode { node, .. } => Some(node.node),
        _ => None,
    };
    commands.iter().filter_map(start).collect()
}
