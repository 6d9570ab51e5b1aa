//! Laws of the engine, on random jobs with random operators, data, ends and troubles: an engine made again from its
//! events at any point goes on alike, and what must never happen never does.

use crate::support;
use std::collections::BTreeMap;

use crate::support::engine::{ENDS, RUNS, Stage, action, action_with, coordinator_xml, inputs, minute};
use ankus::engine::status::{ActionStatus, JobStatus, NodeStatus, WorkflowStatus};
use ankus::engine::{
    ActionsRerun, Change, During, Event, Fault, JobId, NodeEnd, Scope, Trouble, TroubleKind, WorkflowRerun,
};
use proptest::prelude::*;

/// What happens next; numbers choose among what there is.
#[derive(Clone, Debug)]
enum Deed {
    Wait(i64),
    Data(u8),
    End(u8, bool),
    Begin(u8),
    Trouble(u8, u8),
    Suspend(u8),
    Resume(u8),
    Kill(u8),
    Pause(u8, Option<i64>),
    Concurrency(u8, i32),
    MoveEnd(u8, i64),
    Rerun(u8, u8, bool, bool),
    KillActions(u8, u8),
    Ignore(u8, u8),
    RerunWorkflow(u8),
}

fn deed() -> impl Strategy<Value = Deed> {
    prop_oneof![
        6 => (1..200i64).prop_map(Deed::Wait),
        6 => (0..24u8).prop_map(Deed::Data),
        10 => (any::<u8>(), prop::bool::weighted(0.8)).prop_map(|(n, ok)| Deed::End(n, ok)),
        3 => any::<u8>().prop_map(Deed::Begin),
        2 => (any::<u8>(), 0..6u8).prop_map(|(n, kind)| Deed::Trouble(n, kind)),
        2 => any::<u8>().prop_map(Deed::Suspend),
        4 => any::<u8>().prop_map(Deed::Resume),
        1 => any::<u8>().prop_map(Deed::Kill),
        1 => (any::<u8>(), prop::option::of(0..900i64)).prop_map(|(n, at)| Deed::Pause(n, at)),
        1 => (any::<u8>(), -1..4i32).prop_map(|(n, c)| Deed::Concurrency(n, c)),
        1 => (any::<u8>(), 0..1200i64).prop_map(|(n, at)| Deed::MoveEnd(n, at)),
        2 => (any::<u8>(), 1..6u8, any::<bool>(), any::<bool>())
            .prop_map(|(n, a, refresh, failed)| Deed::Rerun(n, a, refresh, failed)),
        1 => (any::<u8>(), 1..6u8).prop_map(|(n, a)| Deed::KillActions(n, a)),
        1 => (any::<u8>(), 1..6u8).prop_map(|(n, a)| Deed::Ignore(n, a)),
        1 => any::<u8>().prop_map(Deed::RerunWorkflow),
    ]
}

fn workflow() -> String {
    let fork = r#"<start to="f"/><fork name="f"><path start="a"/><path start="d"/></fork>"#;
    let decision = r#"<decision name="d"><switch><case to="b">${wf:run() eq 0}</case><default to="c"/></switch></decision>"#;
    format!(
        "{fork}{decision}{}{}{}<join name=\"j\" to=\"e\"/>{}{ENDS}",
        action_with("a", r#"retry-max="2" retry-interval="3""#, "j", "fail"),
        action("b", "j", "fail"),
        action("c", "j", "j"),
        action("e", "end", "fail")
    )
}

/// A bundle of three coordinators: with inputs, without, and with latest.
fn prepared() -> Stage {
    let mut stage = Stage::new();
    stage.answers = true;
    stage.add("hdfs://nn/wf", &workflow());
    let hours = r#"start="2024-01-01T00:00Z" end="2024-01-01T09:00Z""#;
    let with = |controls: &str, inputs: &str| coordinator_xml(hours, controls, &format!("{inputs}{RUNS}"));
    let first = with(
        "<timeout>90</timeout><concurrency>2</concurrency><throttle>3</throttle>",
        &inputs("current(0)"),
    );
    let second = with("<execution>LAST_ONLY</execution>", "");
    let third = with("<timeout>-1</timeout><execution>LIFO</execution>", &inputs("latest(-1)"));
    let job = stage.bundle(
        None,
        &[("first", false, Some(&first)), ("second", true, Some(&second)), ("third", false, Some(&third))],
    );
    stage.must(Event::Start(job));
    stage
}

fn pick<T: Copy>(all: &[T], number: u8) -> Option<T> {
    (!all.is_empty()).then(|| all[usize::from(number) % all.len()])
}

/// The nodes that run outside.
fn outside(stage: &Stage) -> Vec<(ankus::engine::NodeId, u32)> {
    let mut found = Vec::new();
    for job in stage.engine.workflows() {
        for run in job.nodes.iter().filter(|run| run.attempt > 0 && run.pending && !run.status.is_over()) {
            found.push((ankus::engine::NodeId { workflow: job.number, node: run.node }, run.attempt));
        }
    }
    found
}

fn jobs(stage: &Stage) -> Vec<JobId> {
    let bundles = stage.engine.bundles().map(|job| job.id());
    bundles.chain(stage.engine.coordinators().map(|job| job.id())).collect()
}

/// The event that a deed is now; nothing where there is nothing to do it with.
fn event(stage: &Stage, deed: &Deed) -> Option<Event> {
    let coordinators: Vec<JobId> = stage.engine.coordinators().map(|job| job.id()).collect();
    let numbers = |number: &u8| Scope::Numbers(number.to_string().into());
    Some(match deed {
        Deed::Wait(_) | Deed::Data(_) => return None,
        Deed::End(number, ok) => {
            let (node, attempt) = pick(&outside(stage), *number)?;
            let fault = (!ok).then(|| Fault::new("JA008", "no"));
            Event::NodeEnded { node, attempt, end: NodeEnd { ok: *ok, fault, ..NodeEnd::default() } }
        }
        Deed::Begin(number) => {
            let (node, attempt) = pick(&outside(stage), *number)?;
            Event::NodeStarted { node, attempt, external_id: None, tracker: None }
        }
        Deed::Trouble(number, kind) => {
            let (node, attempt) = pick(&outside(stage), *number)?;
            let during = [During::Start, During::Check, During::End][usize::from(kind % 3)];
            use TroubleKind::{Error, Failed, NonTransient, Transient};
            let kind = [Transient, NonTransient, Error, Failed][usize::from(kind % 4)];
            let trouble = Trouble { kind, during, fault: Fault::new("X", "no") };
            Event::NodeTrouble { node, attempt, trouble }
        }
        Deed::Suspend(number) => Event::Suspend(pick(&jobs(stage), *number)?),
        Deed::Resume(number) => {
            let mut all = jobs(stage);
            let suspended = stage.engine.workflows().filter(|job| job.status == WorkflowStatus::Suspended);
            all.extend(suspended.map(|job| job.id()));
            Event::Resume(pick(&all, *number)?)
        }
        Deed::Kill(number) => Event::Kill(pick(&jobs(stage), *number)?),
        Deed::Pause(number, at) => {
            let pause = Some(at.map(minute));
            Event::Change(pick(&jobs(stage), *number)?, Change { pause, ..Change::default() })
        }
        Deed::Concurrency(number, concurrency) => {
            let change = Change { concurrency: Some(*concurrency), ..Change::default() };
            Event::Change(pick(&coordinators, *number)?, change)
        }
        Deed::MoveEnd(number, at) => Event::Change(
            pick(&jobs(stage), *number)?,
            Change { end: Some(minute(*at)), ..Change::default() },
        ),
        Deed::Rerun(number, action, refresh, failed) => {
            let scope = numbers(action);
            let rerun = ActionsRerun { refresh: *refresh, failed: *failed, ..ActionsRerun::of(scope) };
            Event::RerunActions(pick(&coordinators, *number)?, rerun)
        }
        Deed::KillActions(number, action) => {
            Event::KillActions(pick(&coordinators, *number)?, numbers(action))
        }
        Deed::Ignore(number, action) => Event::IgnoreActions(pick(&coordinators, *number)?, numbers(action)),
        Deed::RerunWorkflow(number) => {
            let all: Vec<JobId> = stage.engine.workflows().map(|job| job.id()).collect();
            let rerun = WorkflowRerun { failed: true, ..WorkflowRerun::default() };
            Event::RerunWorkflow(pick(&all, *number)?, rerun)
        }
    })
}

fn perform(stage: &mut Stage, deed: &Deed) {
    match deed {
        Deed::Wait(minutes) => stage.wait_minutes(*minutes),
        Deed::Data(hour) => stage.put(&format!("hdfs://nn/d/20240101{hour:02}")),
        other => {
            if let Some(event) = event(stage, other) {
                // What is refused changes nothing, which the replay shows.
                let _ = stage.tell(event);
            }
        }
    }
}

/// All that can be seen of an engine.
fn shown(engine: &ankus::engine::Engine<support::engine::Apps>) -> String {
    let coordinators = engine.coordinators().map(|job| {
        (
            job.id(),
            job.status,
            &job.actions,
            job.is_done,
            job.pause,
            job.end,
            job.concurrency,
            job.is_pending(),
        )
    });
    let workflows = engine.workflows().map(|job| (job.id(), job.status, job.run, &job.nodes, &job.finished));
    let bundles = engine.bundles().map(|job| (job.id(), job.status, &job.children, job.pause));
    format!(
        "{:?} {:?} {:?} {:?}",
        coordinators.collect::<Vec<_>>(),
        workflows.collect::<Vec<_>>(),
        bundles.collect::<Vec<_>>(),
        engine.next_wake()
    )
}

/// What must hold at every moment.
fn check(stage: &Stage) {
    for job in stage.engine.coordinators() {
        let mut counted: BTreeMap<ActionStatus, u32> = BTreeMap::new();
        for action in &job.actions {
            *counted.entry(action.status).or_default() += 1;
            let begun = action.workflow.is_some();
            assert!(!begun || action.nominal <= stage.now, "an action began before its time");
            // Nobody looks any more at what is ignored.
            let is_over = action.status.is_over() && action.status != ActionStatus::Ignored;
            if let Some(workflow) = action.workflow.filter(|_| is_over) {
                let workflow = stage.engine.workflow(JobId::workflow(workflow)).expect("a workflow");
                assert!(workflow.status.is_terminal(), "{} is over, {} runs", job.id(), workflow.id());
            }
        }
        for status in ActionStatus::ALL {
            assert_eq!(counted.get(status).copied().unwrap_or(0), job.count(*status), "{status}");
        }
        if job.status == JobStatus::Killed {
            assert!(
                job.actions.iter().all(|action| action.status.is_over()),
                "a killed job leaves nothing running"
            );
        }
    }
    for job in stage.engine.workflows() {
        let join = job.program.find("j").expect("a join");
        if let Some(run) = job.node(join) {
            let over = |name: &str| {
                let node = job.program.find(name).expect("a node");
                job.node(node).is_none_or(|run| run.status.is_over())
            };
            assert!(over("a") && over("b") && over("c"), "{:?}: a join before its branches", run);
        }
        if job.status.is_terminal() {
            assert!(job.nodes.iter().all(|run| run.status.is_over()), "{}: {:?}", job.id(), job.nodes);
        }
        let started = job.nodes.iter().filter(|run| run.status == NodeStatus::Running).count();
        assert!(started <= 2);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn an_engine_made_again_goes_on_alike(deeds in prop::collection::vec(deed(), 1..60), cut in 0..60usize) {
        let mut stage = prepared();
        let mut twin = None;
        for (index, deed) in deeds.iter().enumerate() {
            if index == cut {
                let again = stage.again();
                prop_assert_eq!(shown(&again), shown(&stage.engine));
                twin = Some((again, stage.log.len()));
            }
            perform(&mut stage, deed);
            check(&stage);
        }
        if let Some((mut twin, from)) = twin {
            for recorded in &stage.log[from..] {
                twin.handle(recorded.at, recorded.event.clone()).expect("taken once, taken twice");
            }
            prop_assert_eq!(shown(&twin), shown(&stage.engine));
        }
        let text = serde_json::to_string(&stage.log).expect("JSON");
        let read: Vec<ankus::engine::Recorded> = serde_json::from_str(&text).expect("JSON");
        prop_assert_eq!(&read, &stage.log);
    }
}

/// More when asked for.
fn cases() -> u32 {
    if std::env::var_os("ANKUS_THOROUGH").is_some() { 1_000 } else { 150 }
}
