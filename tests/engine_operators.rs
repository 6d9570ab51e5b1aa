//! What operators do with a coordinator: changes, reruns; its service levels and notifications.

use crate::support::engine::{RUNS, Stage, coordinator_xml, inputs, minute};
use crate::support::hourly::{code, end, end_at, finishing, hours, one, pause, plain, rerun, stage, waiting};
use ankus::engine::status::{ActionStatus as A, JobStatus as J, WorkflowStatus};
use ankus::engine::{ActionsRerun, Command, Conf, Event, Scope, Semantics, Settings, WorkflowRerun};

// Changes

#[test]
fn a_later_end_brings_a_finished_job_back() {
    let mut stage = finishing();
    let job = stage.coordinate(&plain(0, 2, ""), &[]);
    stage.wait_until(minute(100));
    assert_eq!(stage.job_status(job), J::Succeeded);
    stage.must(Event::Change(job, end_at(240)));
    assert_eq!(stage.job_status(job), J::Running);
    stage.wait_until(minute(240));
    assert_eq!(stage.actions(job), [A::Succeeded; 4]);
    assert_eq!(stage.job_status(job), J::Succeeded);
}

#[test]
fn an_earlier_end_removes_what_waits_and_is_refused_by_what_runs() {
    let mut stage = stage();
    let job = stage.coordinate(&waiting(0, 9, "<timeout>-1</timeout>"), &[]);
    stage.wait_until(minute(190));
    stage.put("hdfs://nn/d/2024010100");
    assert_eq!(stage.actions(job), [A::Running, A::Waiting, A::Waiting, A::Waiting]);
    stage.must(Event::Change(job, end_at(90)));
    assert_eq!(stage.actions(job), [A::Running, A::Waiting]);
    assert_eq!(code(stage.tell(Event::Change(job, pause(Some(0))))), "E1022");
    stage.must(Event::Change(job, end_at(60)));
    assert_eq!(stage.actions(job), [A::Running]);
    end(&mut stage, job, 1, true);
    assert_eq!(stage.job_status(job), J::Succeeded);
}

#[test]
fn an_end_before_the_start_ends_the_job() {
    let mut stage = stage();
    let job = stage.coordinate(&plain(5, 9, ""), &[]);
    stage.must(Event::Change(job, end_at(60)));
    assert_eq!(stage.job_status(job), J::Succeeded);
    stage.wait_until(minute(600));
    assert!(stage.actions(job).is_empty());
}

// Reruns

fn with_outputs(kept: &str) -> String {
    let outputs = format!(
        r#"{}<output-events><data-out name="o" dataset="d"><instance>${{coord:current(1)}}</instance></data-out>
<data-out name="k" dataset="d" {kept}><instance>${{coord:current(2)}}</instance></data-out></output-events>{RUNS}"#,
        inputs("current(0)")
    );
    coordinator_xml(&hours(0, 3), "<timeout>-1</timeout>", &outputs)
}

fn cleaned(commands: &[Command]) -> Vec<String> {
    let clean = |command: &Command| match command {
        Command::Clean { uris, .. } => Some(uris.iter().map(|uri| uri.to_string()).collect::<Vec<_>>()),
        _ => None,
    };
    commands.iter().filter_map(clean).flatten().collect()
}

#[test]
fn a_rerun_removes_outputs_unless_they_are_kept() {
    let mut stage = finishing();
    stage.disk.0.insert("hdfs://nn/d/2024010100".to_owned());
    let job = stage.coordinate(&with_outputs(r#"nocleanup="true""#), &[]);
    assert_eq!(stage.actions(job), [A::Succeeded]);
    assert_eq!(cleaned(&stage.must(Event::RerunActions(job, rerun("1")))), ["hdfs://nn/d/2024010101"]);
    assert_eq!(stage.actions(job), [A::Succeeded]);
    let kept = ActionsRerun { nocleanup: true, ..rerun("1") };
    assert!(cleaned(&stage.must(Event::RerunActions(job, kept))).is_empty());
    let failed = ActionsRerun { failed: true, ..rerun("1") };
    assert!(cleaned(&stage.must(Event::RerunActions(job, failed))).is_empty());
}

#[test]
fn a_rerun_by_dates_wants_nominal_times() {
    let mut stage = finishing();
    let job = stage.coordinate(&plain(0, 3, ""), &[]);
    stage.wait_until(minute(200));
    let dates = |text: &str| ActionsRerun { scope: Scope::Dates(text.into()), ..rerun("1") };
    assert_eq!(code(stage.tell(Event::RerunActions(job, dates("2024-01-01T00:30Z")))), "E0605");
    assert_eq!(stage.job_status(job), J::Succeeded);
    stage.finishes = false;
    stage.must(Event::RerunActions(job, dates("2024-01-01T00:30Z::2024-01-01T02:00Z")));
    assert_eq!(stage.actions(job), [A::Succeeded, A::Running, A::Ready]);
    assert_eq!(stage.job_status(job), J::Running);
    assert_eq!(code(stage.tell(Event::RerunActions(job, rerun("2")))), "E1018");
}

#[test]
fn a_rerun_of_what_failed_goes_on_with_the_workflow() {
    let mut stage = stage();
    let job = stage.coordinate(&plain(0, 1, ""), &[]);
    let workflow = stage.workflow_of(job, 1);
    end(&mut stage, job, 1, false);
    assert_eq!(stage.job_status(job), J::Killed);
    stage.must(Event::RerunActions(job, ActionsRerun { failed: true, ..rerun("1") }));
    assert_eq!(stage.workflow_of(job, 1), workflow);
    assert_eq!(stage.engine.workflow(workflow).expect("a workflow").run, 1);
    end(&mut stage, job, 1, true);
    assert_eq!(stage.job_status(job), J::Succeeded);
    // Without, it gets a new one.
    stage.must(Event::RerunActions(job, rerun("1")));
    assert_ne!(stage.workflow_of(job, 1), workflow);
}

#[test]
fn a_workflow_that_is_run_again_by_itself_brings_its_action_back_and_not_its_job() {
    // By the first rules it brought the job back as well.
    for (semantics, then) in [(Semantics::CURRENT, J::Killed), (Semantics::FIRST, J::Succeeded)] {
        run_again_by_itself(semantics, then);
    }
}

fn run_again_by_itself(semantics: Semantics, then: J) {
    let mut stage = stage();
    stage.semantics = semantics;
    let job = stage.coordinate(&plain(0, 1, ""), &[]);
    let workflow = stage.workflow_of(job, 1);
    end(&mut stage, job, 1, false);
    let rerun = WorkflowRerun { failed: true, ..WorkflowRerun::default() };
    stage.must(Event::RerunWorkflow(workflow, rerun));
    assert_eq!(stage.actions(job), [A::Running]);
    assert!(
        stage
            .engine
            .workflow(workflow)
            .and_then(|w| w.conf.clone())
            .is_some_and(|c| c.raw("user.name") == Some("alice"))
    );
    end(&mut stage, job, 1, true);
    assert_eq!(stage.job_status(job), then);
}

/// The configuration that was asked for last.
fn asked(stage: &Stage) -> (String, Conf) {
    let ask = |command: &Command| match command {
        Command::PlanWorkflow { app_path, conf, .. } => Some((app_path.to_string(), Conf::clone(conf))),
        _ => None,
    };
    stage.said.iter().rev().find_map(ask).expect("a request")
}

#[test]
fn a_rerun_with_properties_puts_them_over_all_others_until_others_are_given() {
    let mut stage = finishing();
    stage.add("hdfs://nn/patched", &one());
    let configuration =
        "<configuration><property><name>x</name><value>own</value></property></configuration>";
    let runs = RUNS.replace("</app-path>", &format!("</app-path>{configuration}"));
    let job = stage.coordinate(&coordinator_xml(&hours(0, 1), "", &runs), &[("y", "job")]);
    assert_eq!(asked(&stage).1.raw("x"), Some("own"));
    let conf = Conf::new([("x", "new"), ("z", "more"), ("oozie.wf.application.path", "hdfs://nn/patched")]);
    stage.must(Event::RerunActions(job, ActionsRerun { conf: Some(conf), ..rerun("1") }));
    for _ in 0..2 {
        let (path, conf) = asked(&stage);
        assert_eq!(path, "hdfs://nn/patched");
        let values = ["x", "y", "z"].map(|name| conf.raw(name).map(str::to_owned));
        assert_eq!(values, ["new", "job", "more"].map(|value| Some(value.to_owned())));
        // They stay, also for a workflow that goes on.
        stage.said.clear();
        stage.must(Event::RerunActions(job, ActionsRerun { failed: true, ..rerun("1") }));
    }
    stage.must(Event::RerunActions(
        job,
        ActionsRerun { conf: Some(Conf::new([("x", "last")])), ..rerun("1") },
    ));
    let (path, conf) = asked(&stage);
    assert_eq!((path.as_str(), conf.raw("x"), conf.raw("z")), ("hdfs://nn/wf", Some("last"), None));
    let event = stage.log.last().expect("an event");
    let text = serde_json::to_string(&stage.log).expect("JSON");
    let read: Vec<ankus::engine::Recorded> = serde_json::from_str(&text).expect("JSON");
    assert_eq!(read.last(), Some(event));
}

#[test]
fn what_a_workflow_of_an_action_was_run_again_with_is_kept_for_the_next_rerun() {
    let mut stage = stage();
    let job = stage.coordinate(&plain(0, 1, ""), &[("y", "job")]);
    let workflow = stage.workflow_of(job, 1);
    end(&mut stage, job, 1, false);
    for (conf, expected) in [(Some(Conf::new([("y", "new")])), "new"), (None, "new")] {
        let again = WorkflowRerun { failed: true, conf, ..WorkflowRerun::default() };
        stage.must(Event::RerunWorkflow(workflow, again));
        let conf = stage.engine.workflow(workflow).and_then(|job| job.conf.clone()).expect("a configuration");
        assert_eq!(conf.raw("y"), Some(expected));
        end(&mut stage, job, 1, false);
    }
}

#[test]
fn a_paused_job_keeps_its_pause_time_in_a_rerun() {
    let mut stage = finishing();
    let job = stage.coordinate(&plain(0, 4, ""), &[]);
    stage.must(Event::Change(job, pause(Some(90))));
    stage.wait_until(minute(100));
    stage.must(Event::RerunActions(job, rerun("1")));
    assert_eq!(stage.job_status(job), J::Paused);
    assert_eq!(stage.engine.coordinator(job).expect("a job").pause, Some(minute(90)));
}

#[test]
fn all_actions_suspended_suspend_the_job() {
    let mut stage = stage();
    let job = stage.coordinate(&plain(0, 1, ""), &[]);
    let workflow = stage.workflow_of(job, 1);
    stage.must(Event::Suspend(workflow));
    assert_eq!(stage.job_status(job), J::Suspended);
    stage.must(Event::Resume(job));
    assert_eq!(stage.status(workflow), WorkflowStatus::Running);
    assert_eq!(stage.job_status(job), J::Running);
}

// Notifications, settings, replay

#[test]
fn notifications_tell_every_change_of_an_action() {
    let mut stage = finishing();
    let url = ("oozie.coord.action.notification.url", "http://h/$actionId/$status");
    stage.coordinate(&plain(0, 1, ""), &[url]);
    let urls: Vec<&str> = stage
        .said
        .iter()
        .filter_map(|command| match command {
            Command::Notify { url, .. } => url.strip_prefix("http://h/0000001-C@1/"),
            _ => None,
        })
        .collect();
    assert_eq!(urls, ["WAITING", "READY", "SUBMITTED", "RUNNING", "SUCCEEDED"]);
}

#[test]
fn a_server_by_default_shows_no_states_with_error() {
    let mut stage = Stage::with(Settings { with_error: false, ..Settings::default() });
    stage.answers = true;
    let none = "<action><workflow><app-path>hdfs://nn/none</app-path></workflow></action>";
    let job = stage.coordinate(&coordinator_xml(&hours(0, 2), "", none), &[]);
    assert_eq!(stage.actions(job), [A::Failed]);
    assert_eq!(stage.job_status(job), J::Running);
}

#[test]
fn the_same_events_make_the_same_engine() {
    let mut stage = stage();
    let job = stage.coordinate(&waiting(0, 9, "<timeout>60</timeout><throttle>3</throttle>"), &[]);
    for hour in 0..6 {
        stage.wait_minutes(70);
        stage.put(&format!("hdfs://nn/d/202401010{hour}"));
        if hour == 2 {
            stage.must(Event::Suspend(job));
            stage.wait_minutes(90);
            stage.must(Event::Resume(job));
        }
        let shown = |engine: &ankus::engine::Engine<_>| {
            format!(
                "{:?}",
                engine.coordinators().map(|c| (c.status, &c.actions, c.is_done)).collect::<Vec<_>>()
            )
        };
        assert_eq!(shown(&stage.again()), shown(&stage.engine));
        assert_eq!(stage.again().next_wake(), stage.engine.next_wake());
    }
}
