//! Jobs on a stage: apps from XML, an engine, and a hand that answers its commands.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;
use std::sync::Arc;

use ankus::analysis::parameters::{Given, JobConf, Layer};
use ankus::engine::status::{ActionStatus, JobStatus, NodeStatus, WorkflowStatus};
use ankus::engine::{
    BundleProgram, ChildProgram, Command, Conf, CoordinatorProgram, Engine, EngineError, Event, Fault, JobId,
    NodeEnd, NodeId, Outside, PlannedWorkflow, Plans, Recorded, Semantics, Settings, Subject, Submission,
    Submit, Trouble, VERSION,
};
use ankus::model::{self, App};
use ankus::plan::coordinator::Exists;
use ankus::plan::workflow::{self, Program};
use ankus::source::Sources;
use ankus::time::Instant;
use ankus::xml;

use super::coordinator::{accepted, app_xml_around};

/// The apps that an engine finds.
#[derive(Clone, Debug, Default)]
pub struct Apps {
    pub workflows: Rc<RefCell<BTreeMap<String, Arc<Program>>>>,
    pub coordinators: Rc<RefCell<BTreeMap<String, Arc<CoordinatorProgram>>>>,
    pub bundles: Rc<RefCell<BTreeMap<String, Arc<BundleProgram>>>>,
}

impl Plans for Apps {
    fn workflow(&self, key: &str) -> Option<Arc<Program>> {
        self.workflows.borrow().get(key).cloned()
    }

    fn coordinator(&self, key: &str) -> Option<Arc<CoordinatorProgram>> {
        self.coordinators.borrow().get(key).cloned()
    }

    fn bundle(&self, key: &str) -> Option<Arc<BundleProgram>> {
        self.bundles.borrow().get(key).cloned()
    }
}

/// What exists.
#[derive(Clone, Debug, Default)]
pub struct Disk(pub BTreeSet<String>);

impl Exists for Disk {
    fn exists(&self, uri: &str) -> bool {
        self.0.contains(uri)
    }
}

impl Outside for Disk {
    fn files(&self, path: &str) -> Vec<(String, Option<i64>)> {
        let below = self.0.iter().filter(|file| file.starts_with(path));
        below.map(|file| (file.clone(), Some(1))).collect()
    }
}

/// A coordinator from its XML.
pub fn coordinator_program(text: &str, given: &[(&str, &str)]) -> CoordinatorProgram {
    let taken = accepted(text, given);
    let kept = taken
        .app
        .outputs
        .iter()
        .filter(|output| output.nocleanup.as_ref().is_some_and(|nocleanup| nocleanup.value == "true"));
    let name = |text: &Option<ankus::source::Text>| text.as_ref().map(|text| Arc::from(text.value.as_str()));
    let kept_outputs = kept.filter_map(|output| name(&output.name)).collect();
    let conf = Arc::new(Conf::from(&taken.conf.stored()));
    CoordinatorProgram { job: taken.job(), conf, kept_outputs, only: None }
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
    // A program serves all jobs, so nothing is refused for values that one of them lacks.
    let (submitted, _) = workflow::resolve(definition, conf);
    Program::new(definition, &submitted, parent)
}

/// A workflow's text around its nodes.
pub fn workflow_xml(nodes: &str) -> String {
    format!(
        r#"<workflow-app name="w" xmlns="uri:oozie:workflow:0.5" xmlns:sla="uri:oozie:sla:0.2">{nodes}</workflow-app>"#
    )
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
    pub disk: Disk,
    /// Answers looks and plans by itself.
    pub answers: bool,
    /// Ends every action well as soon as it is started.
    pub finishes: bool,
    /// Who waits for something.
    pub awaited: BTreeSet<Subject>,
    /// By which rules coordinators and bundles are played.
    pub semantics: Semantics,
    open: VecDeque<Command>,
}

impl Stage {
    pub fn new() -> Stage {
        Stage::with(Settings::default())
    }

    pub fn with(settings: Settings) -> Stage {
        let apps = Apps::default();
        let engine = Engine::new(apps.clone(), settings);
        Stage {
            apps,
            engine,
            now: minute(0),
            log: Vec::new(),
            said: Vec::new(),
            disk: Disk::default(),
            answers: false,
            finishes: false,
            awaited: BTreeSet::new(),
            semantics: Semantics::CURRENT,
            open: VecDeque::new(),
        }
    }

    /// Tells the engine something.
    pub fn tell(&mut self, event: Event) -> Result<Vec<Command>, EngineError> {
        let recorded = Recorded { version: VERSION, at: self.now, event: event.clone() };
        let commands = self.engine.handle(self.now, event)?;
        self.log.push(recorded);
        self.said.extend(commands.iter().cloned());
        if self.answers {
            self.open.extend(commands.iter().cloned());
            self.answer();
        }
        Ok(commands)
    }

    /// Answers what is open, in order.
    fn answer(&mut self) {
        self.answers = false;
        while let Some(command) = self.open.pop_front() {
            let answer = match command {
                Command::Look(subject) => {
                    self.awaited.remove(&subject);
                    self.engine.look(self.now, subject, &self.disk).ok()
                }
                Command::Await(subject) => {
                    self.awaited.insert(subject);
                    None
                }
                Command::PlanWorkflow { parent, app_path, .. } => {
                    let known = self.apps.workflows.borrow().contains_key(&*app_path);
                    let planned = PlannedWorkflow { program: app_path, name: "w".into(), conf: None };
                    let outcome = if known { Ok(planned) } else { Err(Fault::new("E0710", "no workflow")) };
                    Some(Event::WorkflowPlanned { parent, outcome })
                }
                Command::PlanCoordinator { bundle, child } => {
                    let program = &self.engine.bundle(bundle).expect("a bundle").program;
                    let name = program.children[child as usize].name.clone();
                    let known = self.apps.coordinators.borrow().contains_key(&*name);
                    let outcome = if known { Ok(name) } else { Err(Fault::new("E1001", "no coordinator")) };
                    Some(Event::CoordinatorPlanned { bundle, child, outcome })
                }
                Command::StartNode { node, attempt, .. } if self.finishes => {
                    let end = NodeEnd { ok: true, ..NodeEnd::default() };
                    Some(Event::NodeEnded { node, attempt, end })
                }
                Command::KillNode { node, attempt } if self.finishes => {
                    Some(Event::NodeKilled { node, attempt, fault: None })
                }
                _ => None,
            };
            if let Some(event) = answer {
                let commands = self.must(event);
                self.open.extend(commands);
            }
        }
        self.answers = true;
    }

    /// Data appear, and who waits looks again.
    pub fn put(&mut self, uri: &str) {
        self.disk.0.insert(uri.to_owned());
        self.look_again();
    }

    /// Who waits looks again.
    pub fn look_again(&mut self) {
        let waiting = std::mem::take(&mut self.awaited);
        self.open.extend(waiting.into_iter().map(Command::Look));
        self.answer();
    }

    /// Submits a coordinator of this text.
    pub fn coordinate(&mut self, text: &str, conf: &[(&str, &str)]) -> JobId {
        let key = format!("coordinator{}", self.log.len());
        let program = coordinator_program(text, conf);
        self.apps.coordinators.borrow_mut().insert(key.clone(), Arc::new(program));
        let program = Submission::Coordinator(key.as_str().into());
        let submit = Submit { semantics: self.semantics, ..Submit::new(program, None, true) };
        let commands = self.must(Event::Submit(submit));
        let Command::Submitted { job, .. } = commands[0] else { panic!("{commands:?}") };
        job
    }

    /// Submits a bundle of these coordinators: name, whether critical, text; without a text it is refused.
    pub fn bundle(&mut self, kick_off: Option<Instant>, children: &[(&str, bool, Option<&str>)]) -> JobId {
        let key = format!("bundle{}", self.log.len());
        for (name, _, text) in children {
            if let Some(text) = text {
                let program = Arc::new(coordinator_program(text, &[]));
                self.apps.coordinators.borrow_mut().insert((*name).to_owned(), program);
            }
        }
        let child = |(name, critical, _): &(&str, bool, Option<&str>)| ChildProgram {
            name: (*name).into(),
            critical: *critical,
            enabled: true,
        };
        let children = children.iter().map(child).collect();
        let program =
            BundleProgram { name: "b".into(), kick_off, children, fault: None, conf: Conf::default() };
        self.apps.bundles.borrow_mut().insert(key.clone(), Arc::new(program));
        let program = Submission::Bundle(key.as_str().into());
        let submit = Submit { semantics: self.semantics, ..Submit::new(program, None, false) };
        let commands = self.must(Event::Submit(submit));
        let Command::Submitted { job, .. } = commands[0] else { panic!("{commands:?}") };
        job
    }

    /// The state of a coordinator or a bundle.
    pub fn job_status(&self, job: JobId) -> JobStatus {
        let bundle = self.engine.bundle(job).map(|bundle| bundle.status);
        bundle.unwrap_or_else(|| self.engine.coordinator(job).expect("a coordinator").status)
    }

    /// The states of a coordinator's actions.
    pub fn actions(&self, job: JobId) -> Vec<ActionStatus> {
        self.engine.coordinator(job).expect("a coordinator").actions.iter().map(|a| a.status).collect()
    }

    /// The workflow of an action.
    pub fn workflow_of(&self, job: JobId, action: u32) -> JobId {
        let action = self.engine.coordinator(job).and_then(|job| job.action(action)).expect("an action");
        JobId::workflow(action.workflow.expect("a workflow"))
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
    Event::Submit(Submit::new(Submission::Workflow(planned), None, start))
}

/// The nodes that commands start.
pub fn starts(commands: &[Command]) -> Vec<u32> {
    let start = |command: &Command| match command {
        Command::StartNode { node, .. } => Some(node.node),
        _ => None,
    };
    commands.iter().filter_map(start).collect()
}

/// A coordinator of an hour's frequency; `inner` is all that follows its controls.
pub fn coordinator_xml(attributes: &str, controls: &str, inner: &str) -> String {
    let attributes = format!(r#"frequency="${{coord:hours(1)}}" timezone="UTC" {attributes}"#);
    app_xml_around(&attributes, &format!("<controls>{controls}</controls>{inner}"))
}

/// The action of a coordinator.
pub const RUNS: &str = "<action><workflow><app-path>hdfs://nn/wf</app-path></workflow></action>";

/// A dataset `d` of an hour's frequency, and an input of it.
pub fn inputs(instance: &str) -> String {
    format!(
        r#"<datasets><dataset name="d" frequency="${{coord:hours(1)}}" initial-instance="2023-12-31T00:00Z"
 timezone="UTC"><uri-template>hdfs://nn/d/${{YEAR}}${{MONTH}}${{DAY}}${{HOUR}}</uri-template><done-flag></done-flag>
</dataset></datasets><input-events><data-in name="i" dataset="d"><instance>${{coord:{instance}}}</instance></data-in>
</input-events>"#
    )
}
