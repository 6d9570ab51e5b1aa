//! What operators do with a coordinator: changes, reruns; its service levels and notifications.

use crate::support::engine::{RUNS, Stage, coordinator_xml, inputs, minute};
use crate::support::hourly::{code, end, end_at, finishing, hours, pause, plain, rerun, stage, waiting};
use ankus::engine::status::{ActionStatus as A, JobStatus as J, WorkflowStatus};
use ankus::engine::{ActionsRerun, Command, Event, Scope, Settings, SlaKind, WorkflowRerun};

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
fn a_workflow_that_is_run_again_by_itself_brings_its_action_back() {
    let mut stage = stage();
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
    assert_eq!(stage.job_status(job), J::Succeeded);
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

// Service levels and notifications

fn sla() -> String {
    let info = "<sla:info><sla:nominal-time>${coord:nominalTime()}</sla:nominal-time>\
        <sla:should-start>${10 * MINUTES}</sla:should-start><sla:should-end>${30 * MINUTES}</sla:should-end>\
        <sla:max-duration>${5 * MINUTES}</sla:max-duration></sla:info>";
    let runs = RUNS.replace("</action>", &format!("{info}</action>"));
    coordinator_xml(&hours(0, 1), "<timeout>-1</timeout>", &format!("{}{runs}", inputs("current(0)")))
}

fn levels(stage: &Stage) -> Vec<SlaKind> {
    let level = |command: &Command| match command {
        Command::Sla(event) => Some(event.what),
        _ => None,
    };
    stage.said.iter().filter_map(level).collect()
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
