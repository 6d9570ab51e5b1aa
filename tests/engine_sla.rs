//! Service levels: of a coordinator's actions, of workflows, of a workflow's actions.

use crate::support::engine::{
    ENDS, RUNS, Stage, action, action_with, coordinator_xml, inputs, minute, submission,
};
use crate::support::hourly::{code, end, finishing, hours, numbers, rerun, stage};
use ankus::engine::status::{ActionStatus as A, NodeStatus, WorkflowStatus};
use ankus::engine::{Command, Event, JobId, SlaKind, Watched, WorkflowRerun};

/// What is expected after this time: a start after ten minutes, an end after thirty, no more than five minutes.
fn info(nominal: &str) -> String {
    format!(
        "<sla:info><sla:nominal-time>{nominal}</sla:nominal-time>\
         <sla:should-start>${{10 * MINUTES}}</sla:should-start><sla:should-end>${{30 * MINUTES}}</sla:should-end>\
         <sla:max-duration>${{5 * MINUTES}}</sla:max-duration></sla:info>"
    )
}

/// A coordinator whose action starts within ten minutes, ends within thirty and takes no more than five.
fn sla() -> String {
    let info = info("${coord:nominalTime()}");
    let runs = RUNS.replace("</action>", &format!("{info}</action>"));
    coordinator_xml(&hours(0, 1), "<timeout>-1</timeout>", &format!("{}{runs}", inputs("current(0)")))
}

/// What was told, and of what.
fn told(stage: &Stage) -> Vec<(Watched, SlaKind)> {
    let level = |command: &Command| match command {
        Command::Sla(event) => Some((event.subject, event.what)),
        _ => None,
    };
    stage.said.iter().filter_map(level).collect()
}

fn levels(stage: &Stage) -> Vec<SlaKind> {
    told(stage).into_iter().map(|(_, what)| what).collect()
}

#[test]
fn service_levels_are_met() {
    let mut stage = stage();
    let job = stage.coordinate(&sla(), &[]);
    stage.put("hdfs://nn/d/2024010100");
    assert_eq!(levels(&stage), [SlaKind::StartMet]);
    stage.wait_until(minute(5));
    end(&mut stage, job, 1, true);
    assert_eq!(levels(&stage), [SlaKind::StartMet, SlaKind::DurationMet, SlaKind::EndMet]);
    assert_eq!(stage.engine.next_wake(), None);
}

#[test]
fn service_levels_are_missed_at_their_times() {
    let mut stage = stage();
    let job = stage.coordinate(&sla(), &[]);
    stage.wait_until(minute(10));
    assert!(levels(&stage).is_empty());
    stage.wait_until(minute(11));
    assert_eq!(levels(&stage), [SlaKind::StartMiss]);
    stage.put("hdfs://nn/d/2024010100");
    stage.wait_until(minute(17));
    assert_eq!(levels(&stage), [SlaKind::StartMiss, SlaKind::DurationMiss]);
    stage.wait_until(minute(31));
    let all = [SlaKind::StartMiss, SlaKind::DurationMiss, SlaKind::EndMiss];
    assert_eq!(levels(&stage), all);
    end(&mut stage, job, 1, true);
    assert_eq!(levels(&stage), all);
}

#[test]
fn an_end_without_success_is_a_miss() {
    let mut stage = stage();
    let job = stage.coordinate(&sla(), &[]);
    stage.put("hdfs://nn/d/2024010100");
    end(&mut stage, job, 1, false);
    assert_eq!(levels(&stage), [SlaKind::StartMet, SlaKind::DurationMet, SlaKind::EndMiss]);
}

#[test]
fn an_action_that_is_skipped_has_met_its_end_and_one_that_times_out_has_missed_it() {
    for (controls, status, expected) in [
        ("<timeout>-1</timeout><execution>NONE</execution>", A::Skipped, SlaKind::EndMet),
        ("<timeout>5</timeout>", A::TimedOut, SlaKind::EndMiss),
    ] {
        let mut stage = stage();
        let job = stage.coordinate(&sla().replace("<timeout>-1</timeout>", controls), &[]);
        stage.wait_until(minute(9));
        assert_eq!(stage.actions(job), [status]);
        assert_eq!(levels(&stage), [expected]);
        assert_eq!(stage.engine.next_wake(), None);
    }
}

#[test]
fn a_rerun_watches_the_service_level_again() {
    let mut stage = finishing();
    stage.disk.0.insert("hdfs://nn/d/2024010100".to_owned());
    let job = stage.coordinate(&sla(), &[]);
    let met = [SlaKind::StartMet, SlaKind::DurationMet, SlaKind::EndMet];
    assert_eq!(levels(&stage), met);
    stage.wait_until(minute(20));
    stage.said.clear();
    stage.must(Event::RerunActions(job, rerun("1")));
    assert_eq!(levels(&stage), [SlaKind::StartMiss, SlaKind::DurationMet, SlaKind::EndMet]);
}

#[test]
fn an_action_that_a_change_removes_has_no_service_level() {
    let mut stage = stage();
    let text = sla().replace("T01:00Z", "T03:00Z");
    let job = stage.coordinate(&text, &[]);
    stage.must(Event::KillActions(job, numbers("1")));
    stage.wait_until(minute(60));
    assert_eq!(stage.actions(job), [A::Killed, A::Waiting]);
    stage.must(Event::Change(job, crate::support::hourly::end_at(60)));
    stage.said.clear();
    stage.wait_until(minute(200));
    assert!(told(&stage).is_empty());
}

// Workflows

/// A workflow of two actions with a level of its own and one of the second action.
fn with_levels(nominal: &str) -> String {
    let second = action("b", "end", "fail").replace("</action>", &format!("{}</action>", info(nominal)));
    format!("<start to=\"a\"/>{}{second}{ENDS}{}", action("a", "b", "fail"), info(nominal))
}

/// Submits such a workflow, whose times count from the beginning of 2024.
fn submit(stage: &mut Stage) -> JobId {
    stage.submit(&with_levels("${at}"), &[("at", "2024-01-01T00:00Z")])
}

fn node(stage: &Stage, job: JobId, name: &str) -> Watched {
    Watched::Node(stage.node(job, name).0)
}

#[test]
fn the_service_levels_of_a_workflow_and_its_action_are_met() {
    let mut stage = Stage::new();
    let job = submit(&mut stage);
    stage.must(Event::Start(job));
    assert_eq!(told(&stage), [(Watched::Workflow(job), SlaKind::StartMet)]);
    stage.started(job, "a");
    stage.ok(job, "a");
    stage.wait_until(minute(2));
    stage.started(job, "b");
    let action = node(&stage, job, "b");
    assert_eq!(told(&stage)[1..], [(action, SlaKind::StartMet)]);
    stage.wait_until(minute(5));
    stage.said.clear();
    stage.ok(job, "b");
    let met = [SlaKind::DurationMet, SlaKind::EndMet];
    let expected = [action, Watched::Workflow(job)].map(|subject| met.map(|what| (subject, what)));
    assert_eq!(told(&stage), expected.concat());
    assert_eq!(stage.engine.next_wake(), None);
}

#[test]
fn the_service_levels_of_a_workflow_and_its_action_are_missed_at_their_times() {
    let mut stage = Stage::new();
    let job = submit(&mut stage);
    stage.wait_until(minute(11));
    // A job that was submitted and not started misses its start; an action that was not entered misses nothing.
    assert_eq!(told(&stage), [(Watched::Workflow(job), SlaKind::StartMiss)]);
    stage.must(Event::Start(job));
    stage.started(job, "a");
    stage.wait_until(minute(17));
    assert_eq!(told(&stage)[1..], [(Watched::Workflow(job), SlaKind::DurationMiss)]);
    stage.ok(job, "a");
    let action = node(&stage, job, "b");
    stage.wait_until(minute(18));
    assert_eq!(told(&stage)[2..], [(action, SlaKind::StartMiss)]);
    stage.started(job, "b");
    stage.wait_until(minute(31));
    let late = [
        (action, SlaKind::DurationMiss),
        (Watched::Workflow(job), SlaKind::EndMiss),
        (action, SlaKind::EndMiss),
    ];
    assert_eq!(told(&stage)[3..], late);
    stage.ok(job, "b");
    assert_eq!(told(&stage).len(), 6, "each is told once");
}

#[test]
fn what_ends_badly_misses_its_end_and_what_is_never_entered_tells_nothing() {
    let mut stage = Stage::new();
    let job = submit(&mut stage);
    stage.must(Event::Start(job));
    stage.said.clear();
    stage.error(job, "a", "X");
    assert_eq!(stage.status(job), WorkflowStatus::Killed);
    let workflow = Watched::Workflow(job);
    assert_eq!(told(&stage), [(workflow, SlaKind::DurationMet), (workflow, SlaKind::EndMiss)]);
    assert_eq!(stage.engine.next_wake(), None);
}

#[test]
fn a_kill_misses_the_ends_of_job_and_action() {
    let mut stage = Stage::new();
    let job = submit(&mut stage);
    stage.must(Event::Start(job));
    stage.ok(job, "a");
    stage.said.clear();
    stage.must(Event::Kill(job));
    let ends: Vec<Watched> =
        told(&stage).into_iter().filter(|(_, what)| *what == SlaKind::EndMiss).map(|(of, _)| of).collect();
    assert_eq!(ends, [Watched::Workflow(job), node(&stage, job, "b")]);
}

#[test]
fn an_action_that_waits_for_its_own_retry_has_not_ended() {
    let mut stage = Stage::new();
    let retried = action_with("a", r#"retry-max="1" retry-interval="1""#, "end", "fail");
    let retried = retried.replace("</action>", &format!("{}</action>", info("2024-01-01T00:00Z")));
    let job = stage.run(&format!("<start to=\"a\"/>{retried}{ENDS}"), &[]);
    stage.started(job, "a");
    stage.error(job, "a", "JA008");
    assert_eq!(stage.node_status(job, "a"), Some(NodeStatus::UserRetry));
    assert_eq!(levels(&stage), [SlaKind::StartMet]);
    stage.wait_minutes(1);
    stage.ok(job, "a");
    assert_eq!(levels(&stage), [SlaKind::StartMet, SlaKind::DurationMet, SlaKind::EndMet]);
}

#[test]
fn a_workflow_that_is_run_again_is_watched_again_but_for_what_is_skipped() {
    let mut stage = Stage::new();
    let job = submit(&mut stage);
    stage.must(Event::Start(job));
    stage.ok(job, "a");
    stage.ok(job, "b");
    stage.said.clear();
    let again = WorkflowRerun { skip: Some(vec!["a".into(), "b".into()]), ..WorkflowRerun::default() };
    stage.must(Event::RerunWorkflow(job, again));
    let met = [SlaKind::StartMet, SlaKind::DurationMet, SlaKind::EndMet];
    assert_eq!(told(&stage), met.map(|what| (Watched::Workflow(job), what)));
    stage.said.clear();
    let conf = Some(ankus::engine::Conf::new([("at", "2024-01-02T00:00Z")]));
    let again = WorkflowRerun { skip: Some(vec!["a".into()]), conf, ..WorkflowRerun::default() };
    stage.must(Event::RerunWorkflow(job, again));
    stage.wait_until(minute(60));
    stage.ok(job, "b");
    let action = node(&stage, job, "b");
    let what: Vec<SlaKind> =
        told(&stage).into_iter().filter(|(of, _)| *of == action).map(|(_, w)| w).collect();
    assert_eq!(what, [SlaKind::StartMet, SlaKind::DurationMet, SlaKind::EndMet], "the new time counts");
}

#[test]
fn a_service_level_that_cannot_be_registered_refuses_the_whole_submission() {
    for (wrong, conf) in [
        (with_levels("${at}"), ("x", "")),
        (with_levels("tomorrow"), ("x", "")),
        (with_levels("${at}").replacen("${30 * MINUTES}", "-1", 1), ("at", "2024-01-01T00:00Z")),
    ] {
        let mut stage = Stage::new();
        stage.add("app", &wrong);
        assert_eq!(code(stage.tell(submission("app", &[conf], true))), "E1007", "{wrong}");
        assert_eq!(stage.engine.workflows().count(), 0);
        // The next submission gets the number that this one did not take.
        stage.add("other", &crate::support::hourly::one());
        let commands = stage.must(submission("other", &[], false));
        assert_eq!(commands, [Command::Submitted { job: JobId::workflow(1), existed: false }]);
    }
    // Below a coordinator it fails the action, below a workflow the node.
    let mut stage = stage();
    stage.add("hdfs://nn/wf", &with_levels("tomorrow"));
    let job = stage.coordinate(&coordinator_xml(&hours(0, 1), "", RUNS), &[]);
    assert_eq!(stage.actions(job), [A::Failed]);
    let fault = stage.engine.coordinator(job).and_then(|job| job.fault_of(1)).expect("a fault");
    assert_eq!(&*fault.code, "E1007");
    let sub = "<start to=\"s\"/><action name=\"s\"><sub-workflow><app-path>hdfs://nn/wf</app-path></sub-workflow>\
        <ok to=\"end\"/><error to=\"fail\"/></action>";
    let job = stage.run(&format!("{sub}{ENDS}"), &[]);
    assert_eq!(stage.node_status(job, "s"), Some(NodeStatus::Error));
    assert_eq!(stage.engine.workflows().count(), 1);
}

#[test]
fn service_levels_survive_a_replay() {
    let mut stage = Stage::new();
    let job = submit(&mut stage);
    stage.must(Event::Start(job));
    stage.ok(job, "a");
    let mut again = stage.again();
    assert_eq!(again.next_wake(), stage.engine.next_wake());
    let told = again.handle(minute(31), Event::Tick).expect("a tick");
    assert_eq!(told, stage.engine.handle(minute(31), Event::Tick).expect("a tick"));
    assert!(told.iter().any(|command| matches!(command, Command::Sla(_))));
}
