//! How fast the engine is: a bundle of ten hourly coordinators whose workflows have five nodes, over one year: 87,600
//! actions, 438,000 nodes. Prints events a second, the memory held at most, and the ratio to plain materialization of
//! the same actions in the same run; of the engine alone, and of a simulation with its world and its record.

#[path = "support/figures.rs"]
#[allow(dead_code, reason = "each bench uses its own part")]
mod figures;

use std::collections::{BTreeMap, VecDeque};
use std::process::ExitCode;
use std::sync::Arc;

use ankus::analysis::parameters::{Given, JobConf, Layer};
use ankus::engine::{
    BundleProgram, ChildProgram, Command, Conf, CoordinatorProgram, Engine, Event, Fault, JobId, JobKind,
    Key, NodeEnd, Outside, PlannedWorkflow, Plans, Settings, Submission, Submit,
};
use ankus::model::{self, App};
use ankus::plan::coordinator::{self, Exists, IncludeError, PlanOptions, prepare};
use ankus::plan::workflow::{self, Program};
use ankus::simulate::scenario::{Names, Scenario};
use ankus::simulate::{self, Options};
use ankus::source::Sources;
use ankus::time::{Instant, ProcessingZone};
use ankus::xml;
use figures::own_time::thread_time;
use figures::{peak_mib, verdict};

/// How many times as long as materializing the actions alone it may take to play them.
const WANTED: f64 = 12.0;

#[derive(Debug)]
struct Apps {
    workflow: Arc<Program>,
    coordinators: BTreeMap<String, Arc<CoordinatorProgram>>,
    bundle: Arc<BundleProgram>,
}

impl Plans for Apps {
    fn workflow(&self, _: &str) -> Option<Arc<Program>> {
        Some(self.workflow.clone())
    }

    fn coordinator(&self, key: &str) -> Option<Arc<CoordinatorProgram>> {
        self.coordinators.get(key).cloned()
    }

    /// The bundle; a number stands for one with so many of its coordinators.
    fn bundle(&self, key: &str) -> Option<Arc<BundleProgram>> {
        let Ok(number) = key.parse() else { return Some(self.bundle.clone()) };
        let children = self.bundle.children.iter().take(number).cloned().collect();
        Some(Arc::new(BundleProgram { children, ..BundleProgram::clone(&self.bundle) }))
    }
}

impl simulate::Apps for Apps {
    fn plan_coordinator(&self, _: &str, child: u32) -> Result<Key, Fault> {
        Ok(format!("c{child}").into())
    }

    fn plan_workflow(&self, _: &str, _: &Arc<Conf>, _: Option<&str>) -> Result<PlannedWorkflow, Fault> {
        Ok(PlannedWorkflow { program: "w".into(), name: "w".into(), conf: None })
    }
}

/// Everything is there.
#[derive(Debug)]
struct Everything;

impl Exists for Everything {
    fn exists(&self, _: &str) -> bool {
        true
    }
}

impl Outside for Everything {
    fn files(&self, _: &str) -> Vec<(String, Option<i64>)> {
        Vec::new()
    }
}

fn coordinator() -> CoordinatorProgram {
    let text = r#"<coordinator-app name="year" frequency="${coord:hours(1)}" start="2024-01-01T00:00Z" end="2024-12-31T00:00Z"
 timezone="UTC" xmlns="uri:oozie:coordinator:0.4">
  <datasets><dataset name="logs" frequency="${coord:hours(1)}" initial-instance="2023-01-01T00:00Z" timezone="UTC">
    <uri-template>${nn}/data/logs/${YEAR}/${MONTH}/${DAY}/${HOUR}</uri-template></dataset></datasets>
  <input-events><data-in name="input" dataset="logs"><instance>${coord:current(0)}</instance></data-in></input-events>
  <output-events><data-out name="output" dataset="logs"><instance>${coord:current(1)}</instance></data-out></output-events>
  <action><workflow><app-path>${nn}/apps/wf</app-path><configuration>
    <property><name>wfInput</name><value>${coord:dataIn('input')}</value></property>
    <property><name>wfOutput</name><value>${coord:dataOut('output')}</value></property>
  </configuration></workflow></action></coordinator-app>"#;
    let mut sources = Sources::new();
    let file = sources.add("coordinator.xml", text);
    let root = xml::read(file, text, &xml::Limits::default()).0.expect("well-formed");
    let (Some(App::Coordinator(app)), _) = model::lower(&root) else { panic!("a coordinator") };
    let mut conf = JobConf::new();
    let given = [Given::new("nn", "hdfs://namenode.example.com:8020"), Given::new("user.name", "joe")];
    conf.set_all(&Layer::File, given);
    prepare(&mut conf, &[], app.name_span);
    let mut nothing = |path: &str| Err(IncludeError::Missing(path.to_owned()));
    let settings = coordinator::Settings::default();
    let submitted = coordinator::submit(&app, &conf, None, &settings, &mut nothing);
    let job = submitted.job.unwrap_or_else(|| panic!("{:?}", submitted.findings));
    CoordinatorProgram {
        job,
        conf: Arc::new(Conf::from(&conf.stored())),
        kept_outputs: Vec::new(),
        only: None,
    }
}

fn program() -> Program {
    let mut nodes = r#"<start to="n1"/>"#.to_owned();
    for node in 1..=5 {
        let ok = if node == 5 { "end".to_owned() } else { format!("n{}", node + 1) };
        nodes += &format!(
            r#"<action name="n{node}"><shell xmlns="uri:oozie:shell-action:0.3"><exec>run.sh</exec>
<argument>${{wfInput}}</argument><argument>${{wfOutput}}</argument></shell><ok to="{ok}"/><error to="fail"/></action>"#
        );
    }
    let text = format!(
        r#"<workflow-app name="w" xmlns="uri:oozie:workflow:0.5">{nodes}<kill name="fail"><message>no</message></kill><end name="end"/></workflow-app>"#
    );
    let mut sources = Sources::new();
    let file = sources.add("workflow.xml", text.as_str());
    let root = xml::read(file, &text, &xml::Limits::default()).0.expect("well-formed");
    let (Some(App::Workflow(model)), _) = model::lower(&root) else { panic!("a workflow") };
    let definition = workflow::Definition { root: &root, text: &text, model: &model, default_file: &[] };
    let mut conf = JobConf::new();
    conf.set(Layer::File, Given::new("user.name", "joe"));
    let submitted = workflow::submit(definition, conf).0.expect("a workflow that is accepted");
    Program::new(definition, &submitted, None)
}

/// Events, actions, nodes.
fn play(apps: &Apps) -> (usize, usize, usize) {
    let mut engine = Engine::new(apps, Settings::default());
    let mut now = apps.coordinators["c0"].job.start;
    let mut ends: VecDeque<(Instant, Event)> = VecDeque::new();
    let mut open: VecDeque<Command> = VecDeque::new();
    let (mut events, mut nodes) = (0, 0);
    let submit = Submit::new(Submission::Bundle("b".into()), None, true);
    let mut next = Some(Event::Submit(submit));
    loop {
        let event = match next.take() {
            Some(event) => event,
            None => match open.pop_front() {
                Some(Command::Look(subject)) => engine.look(now, subject, &Everything).expect("a look"),
                Some(Command::PlanCoordinator { bundle, child }) => {
                    Event::CoordinatorPlanned { bundle, child, outcome: Ok(format!("c{child}").into()) }
                }
                Some(Command::PlanWorkflow { parent, .. }) => {
                    let planned = PlannedWorkflow { program: "w".into(), name: "w".into(), conf: None };
                    Event::WorkflowPlanned { parent, outcome: Ok(planned) }
                }
                Some(Command::StartNode { node, attempt, .. }) => {
                    nodes += 1;
                    let end = NodeEnd { ok: true, ..NodeEnd::default() };
                    ends.push_back((now.plus_minutes(5), Event::NodeEnded { node, attempt, end }));
                    Event::NodeStarted { node, attempt, external_id: None, tracker: None }
                }
                Some(_) => continue,
                None => {
                    let due = ends.front().map(|(at, _)| *at);
                    match (engine.next_wake(), due) {
                        (Some(wake), due) if due.is_none_or(|due| wake <= due) => {
                            now = now.max(wake);
                            Event::Tick
                        }
                        (_, Some(due)) => {
                            now = now.max(due);
                            ends.pop_front().expect("an end").1
                        }
                        _ => break,
                    }
                }
            },
        };
        events += 1;
        open.extend(engine.handle(now, event).expect("an event that is taken"));
    }
    let bundle = engine.bundle(JobId::bundle(1)).expect("a bundle");
    assert_eq!(bundle.status.name(), "SUCCEEDED");
    let actions = engine.coordinators().map(|job| job.actions.len()).sum();
    (events, actions, nodes)
}

/// Plays so many of the coordinators, as `ankus simulate` does: events, actions, nodes.
fn simulated(apps: &Apps, coordinators: usize) -> (usize, usize, usize) {
    let programs: Vec<_> = apps.coordinators.values().take(coordinators).cloned().collect();
    let begin = programs[0].job.start;
    let (coordinators, workflows, datasets) = (Vec::new(), Vec::new(), Vec::new());
    let names = Names { app: "b".into(), kind: JobKind::Bundle, coordinators, workflows, datasets };
    let submission = Submission::Bundle(programs.len().to_string().into());
    let app = simulate::App {
        names,
        submission,
        coordinators: programs,
        zone: ProcessingZone::UTC,
        server: Default::default(),
        begin,
    };
    let scenario = Scenario::default();
    // Without a time it would end after 10,000 actions.
    let until = begin.plus_minutes(370 * 24 * 60);
    let options = Options::of(&app, &scenario, None, Some(until));
    let simulation = simulate::play(apps, &app, &scenario, options, None).expect("it plays");
    assert!(simulation.unfinished.is_empty(), "{:?}", simulation.unfinished.first());
    let nodes = simulation.workflows.iter().map(|workflow| workflow.runs.len()).sum();
    (simulation.events as usize, simulation.actions().count(), nodes)
}

fn main() -> ExitCode {
    let names: Vec<String> = (0..10).map(|index| format!("c{index}")).collect();
    let child = |name: &String| ChildProgram { name: name.as_str().into(), critical: false, enabled: true };
    let children = names.iter().map(child).collect();
    let (name, conf) = ("b".into(), Conf::default());
    let bundle = BundleProgram { name, kick_off: None, children, fault: None, conf };
    let program_of = Arc::new(coordinator());
    let apps = Apps {
        workflow: Arc::new(program()),
        coordinators: names.into_iter().map(|name| (name, program_of.clone())).collect(),
        bundle: Arc::new(bundle),
    };
    let begin = std::time::Instant::now();
    let processor_seconds = || thread_time(begin).as_secs_f64();
    let peak = || peak_mib("/proc/self/status");
    let before = processor_seconds();
    let planned: usize = (0..10).map(|_| program_of.job.actions(PlanOptions::default()).count()).sum();
    let plan = processor_seconds() - before;
    let before = processor_seconds();
    let (events, actions, nodes) = play(&apps);
    let engine = processor_seconds() - before;
    assert_eq!(planned, actions);
    println!("{actions} actions, {nodes} nodes, {events} events in {engine:.2} s of the processor");
    println!("{:.0} events a second, at most {:.0} MiB", events as f64 / engine, peak());
    let verdict = verdict::hold(engine / plan <= WANTED);
    println!("{:.1} times the plain materialization ({plan:.2} s){verdict}", engine / plan);
    let mut each = Vec::new();
    for coordinators in [5, 10] {
        let before = processor_seconds();
        let (events, actions, nodes) = simulated(&apps, coordinators);
        let seconds = processor_seconds() - before;
        println!("simulated: {actions} actions, {nodes} nodes, {events} events in {seconds:.2} s");
        each.push(seconds / actions as f64);
        if actions == planned {
            let (speed, memory) = (events as f64 / seconds, peak());
            println!("simulated: {speed:.0} events a second, at most {memory:.0} MiB");
            println!("simulated: {:.1} times the plain materialization", seconds / plan);
        }
    }
    println!("simulated: {:.2} times as long an action when there are twice as many", each[1] / each[0]);
    verdict::exit_code()
}
