//! Each invariant is broken once, by hand, and is told.

use super::*;
use crate::analysis::parameters::{Given, JobConf, Layer};
use crate::engine::status::WorkflowStatus;
use crate::engine::{
    BundleProgram, Conf, CoordinatorProgram, Fault, Key, PlannedWorkflow, Scope, Settings, Submission, Submit,
};
use crate::model::{self, App as Model};
use crate::plan::coordinator::{self, IncludeError, prepare};
use crate::plan::workflow;
use crate::simulate::scenario::{Names, Scenario};
use crate::simulate::{App, Apps, Options, PlayError, play};
use crate::source::Sources;
use crate::time::ProcessingZone;
use crate::xml;

const COORDINATOR: &str = r#"<coordinator-app name="c" frequency="60" start="2024-01-01T00:00Z"
 end="2024-01-01T03:00Z" timezone="UTC" xmlns="uri:oozie:coordinator:0.4"><controls><concurrency>1</concurrency>
<throttle>2</throttle></controls><datasets><dataset name="d" frequency="60" initial-instance="2024-01-01T00:00Z"
 timezone="UTC"><uri-template>/d/${YEAR}${MONTH}${DAY}${HOUR}</uri-template></dataset></datasets><input-events>
<data-in name="i" dataset="d"><instance>${coord:current(0)}</instance></data-in></input-events>
<action><workflow><app-path>/w</app-path></workflow></action></coordinator-app>"#;

const WORKFLOW: &str = r#"<workflow-app name="w" xmlns="uri:oozie:workflow:0.5"><start to="both"/>
<fork name="both"><path start="a"/><path start="b"/></fork>
<action name="a"><shell xmlns="uri:oozie:shell-action:0.3"><exec>a</exec></shell><ok to="met"/><error to="no"/></action>
<action name="b"><shell xmlns="uri:oozie:shell-action:0.3"><exec>b</exec></shell><ok to="met"/><error to="no"/></action>
<join name="met" to="end"/><kill name="no"><message>no</message></kill><end name="end"/></workflow-app>"#;

struct Known(Arc<CoordinatorProgram>, Arc<Program>);

impl Plans for Known {
    fn workflow(&self, _: &str) -> Option<Arc<Program>> {
        Some(self.1.clone())
    }

    fn coordinator(&self, _: &str) -> Option<Arc<CoordinatorProgram>> {
        Some(self.0.clone())
    }

    fn bundle(&self, _: &str) -> Option<Arc<BundleProgram>> {
        None
    }
}

impl Apps for Known {
    fn plan_coordinator(&self, _: &str, _: u32) -> Result<Key, Fault> {
        Ok("c".into())
    }

    fn plan_workflow(&self, _: &str, _: &Arc<Conf>, _: Option<&str>) -> Result<PlannedWorkflow, Fault> {
        Ok(PlannedWorkflow { program: "w".into(), name: "w".into(), conf: None })
    }
}

fn conf() -> JobConf {
    let mut conf = JobConf::new();
    conf.set(Layer::File, Given::new("user.name", "joe"));
    conf
}

fn coordinator(text: &str) -> CoordinatorProgram {
    let file = Sources::new().add("", text);
    let root = xml::read(file, text, &xml::Limits::default()).0.unwrap();
    let (Some(Model::Coordinator(app)), _) = model::lower(&root) else { panic!("a coordinator") };
    let mut conf = conf();
    prepare(&mut conf, &[], app.name_span);
    let mut nothing = |path: &str| Err(IncludeError::Missing(path.to_owned()));
    let settings = coordinator::Settings::default();
    let job = coordinator::submit(&app, &conf, None, &settings, &mut nothing).job.unwrap();
    CoordinatorProgram {
        job,
        conf: Arc::new(Conf::from(&conf.stored())),
        kept_outputs: Vec::new(),
        only: None,
    }
}

fn program() -> Program {
    let file = Sources::new().add("", WORKFLOW);
    let root = xml::read(file, WORKFLOW, &xml::Limits::default()).0.unwrap();
    let (Some(Model::Workflow(model)), _) = model::lower(&root) else { panic!("a workflow") };
    let definition = workflow::Definition { root: &root, text: WORKFLOW, model: &model, default_file: &[] };
    let submitted = workflow::submit(definition, conf()).0.unwrap();
    Program::new(definition, &submitted, None)
}

fn stage(submission: Submission) -> (App, Scenario, Known) {
    stage_of(COORDINATOR, submission)
}

fn stage_of(text: &str, submission: Submission) -> (App, Scenario, Known) {
    let coordinator = Arc::new(coordinator(text));
    let start = coordinator.job.start;
    let names = Names {
        app: "c".into(),
        kind: JobKind::Coordinator,
        coordinators: Vec::new(),
        workflows: Vec::new(),
        datasets: vec!["d".into()],
    };
    // The data are an hour late.
    let late = "[[data]]\ndataset = \"d\"\ndelay = \"1h\"";
    let scenario = Scenario::read(late, ProcessingZone::UTC, &names, start, None).unwrap();
    let app = App {
        names,
        submission,
        coordinators: vec![coordinator.clone()],
        zone: ProcessingZone::UTC,
        server: Default::default(),
        begin: start,
    };
    (app, scenario, Known(coordinator, Arc::new(program())))
}

/// The first invariant that these do not keep, one after the other.
fn broken(submission: Submission, minutes: i64, steps: &[(Event, Vec<Command>)]) -> Option<Invariant> {
    let (app, scenario, known) = stage(submission.clone());
    let start = app.begin;
    let mut world = World::new(&app, &scenario, 0);
    world.now = start.plus_minutes(minutes);
    let mut engine = Engine::new(known, Settings::default());
    let mut checker = Checker::default();
    let submit = Event::Submit(Submit::new(submission, None, true));
    let commands = engine.handle(start, submit.clone()).unwrap();
    let own = [(submit, commands)];
    for (event, commands) in own.iter().chain(steps) {
        if let Err(violation) = checker.take(world.now, 1, event, commands, &engine, &world) {
            return Some(violation.invariant);
        }
    }
    checker.finish(world.now, 1, &engine, &[]).err().map(|violation| violation.invariant)
}

fn of_coordinator(minutes: i64, commands: Vec<Command>) -> Option<Invariant> {
    broken(Submission::Coordinator("c".into()), minutes, &[(Event::Tick, commands)])
}

fn of_workflow(event: Event, commands: Vec<Command>) -> Option<Invariant> {
    let conf = Some(Arc::new(Conf::from(&conf())));
    let planned = PlannedWorkflow { program: "w".into(), name: "w".into(), conf };
    broken(Submission::Workflow(planned), 0, &[(event, commands)])
}

fn moves(number: u32, from: ActionStatus, to: ActionStatus) -> Command {
    Command::Changed(Changed::Action(ActionId { coordinator: 1, number }, from, to))
}

fn created(number: u32) -> Command {
    Command::Created { action: ActionId { coordinator: 1, number }, nominal: Instant::EPOCH }
}

#[test]
fn each_invariant_can_be_broken() {
    use ActionStatus::{Ready, Running, Submitted, Succeeded, Waiting};
    // The engine's own submission keeps all, but for what is not listed in the end.
    assert_eq!(of_coordinator(0, Vec::new()), Some(Invariant::EndsOrListed));
    assert_eq!(of_workflow(Event::Tick, Vec::new()), None);
    let starts = |attempt| Command::StartNode {
        node: NodeId { workflow: 1, node: 2 },
        attempt,
        kind: "shell".into(),
        definition: "".into(),
    };
    assert_eq!(of_workflow(Event::Tick, vec![starts(1)]), Some(Invariant::NotTwice));
    let plans = Command::PlanWorkflow {
        parent: Parent::Action(ActionId { coordinator: 1, number: 1 }),
        app_path: "/w".into(),
        conf: Arc::default(),
        above: None,
    };
    assert_eq!(of_coordinator(0, vec![plans]), Some(Invariant::NotTwice));
    assert_eq!(of_coordinator(0, vec![moves(1, Waiting, Ready)]), Some(Invariant::NotBeforeInputs));
    assert_eq!(of_coordinator(-1, vec![moves(1, Ready, Submitted)]), Some(Invariant::NotBeforeNominal));
    let both = vec![moves(1, Ready, Submitted), moves(1, Submitted, Running), moves(1, Ready, Submitted)];
    assert_eq!(of_coordinator(0, both), Some(Invariant::Concurrency));
    assert_eq!(of_coordinator(0, vec![created(2), created(3)]), Some(Invariant::Throttle));
    assert_eq!(of_coordinator(0, vec![moves(1, Succeeded, Running)]), Some(Invariant::OverStaysOver));
    let suspended = Changed::Job(JobId::coordinator(1), JobStatus::Running, JobStatus::Suspended);
    let rests = |then| of_coordinator(0, vec![Command::Changed(suspended), then]);
    assert_eq!(rests(created(2)), Some(Invariant::SuspendedRests));
    assert_eq!(rests(moves(1, Ready, Submitted)), Some(Invariant::SuspendedRests));
    let join = program().find("met").unwrap();
    let join = Changed::Node(NodeId { workflow: 1, node: join }, NodeStatus::Prep, NodeStatus::Ok);
    assert_eq!(of_workflow(Event::Tick, vec![Command::Changed(join)]), Some(Invariant::JoinWaits));
    assert_eq!(of_workflow(Event::Kill(JobId::workflow(1)), Vec::new()), Some(Invariant::KillEndsAll));
    let id = JobId::workflow(1);
    let again = Changed::Workflow(id, WorkflowStatus::Succeeded, WorkflowStatus::Running);
    assert_eq!(of_workflow(Event::Tick, vec![Command::Changed(again)]), Some(Invariant::OverStaysOver));
}

#[test]
fn only_a_kill_takes_what_has_ended() {
    use ActionStatus::{Killed, Succeeded, Waiting};
    let after = |event: Event, to| {
        let steps = [(event, vec![moves(1, Succeeded, to)])];
        broken(Submission::Coordinator("c".into()), 0, &steps)
    };
    let kill = || Event::KillActions(JobId::coordinator(1), Scope::Numbers("1".into()));
    assert_eq!(after(kill(), Killed), Some(Invariant::EndsOrListed));
    assert_eq!(after(kill(), Waiting), Some(Invariant::OverStaysOver));
    assert_eq!(after(Event::Tick, Killed), Some(Invariant::OverStaysOver));
}

#[test]
fn a_simulation_has_a_limit_of_its_own() {
    let (app, scenario, known) = stage(Submission::Coordinator("c".into()));
    let options = Options { check: true, ..Options::of(&app, &scenario, None, None) };
    let whole = play(&known, &app, &scenario, options, None).unwrap();
    assert_eq!(whole.actions().filter(|(.., action)| action.status().is_over()).count(), 3);
    let exact = Options { max_events: whole.events, ..options };
    assert!(play(&known, &app, &scenario, exact, None).is_ok());
    let limit = whole.events - 1;
    let error = play(&known, &app, &scenario, Options { max_events: limit, ..options }, None).unwrap_err();
    assert!(matches!(error, PlayError::TooLong { limit: told, .. } if told == limit), "{error:?}");
    assert!(error.to_string().contains("shorten it with `--until`"), "{error}");
}

/// Each look is bounded, and so are all looks of a simulation together.
#[test]
fn a_simulation_does_not_search_without_end() {
    let far = COORDINATOR.replace("coord:current(0)", "coord:future(2000000000, 2000000000)");
    let far = far.replace("name=\"d\" frequency=\"60\"", "name=\"d\" frequency=\"1\"");
    let (app, scenario, known) = stage_of(&far, Submission::Coordinator("c".into()));
    let options = Options { max_searched: 10_000, ..Options::of(&app, &scenario, None, None) };
    let error = play(&known, &app, &scenario, options, None).unwrap_err();
    assert!(matches!(error, PlayError::TooFar { limit: 10_000, .. }), "{error:?}");
    assert!(error.to_string().contains("looks through more than 10000 instances"), "{error}");
}
