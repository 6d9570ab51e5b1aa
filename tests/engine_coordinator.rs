//! The coordinator machine: the rows of `004` 6.1.2 and 6.1.3, its policies, and what operators do with it.

use crate::support::engine::{RUNS, Stage, coordinator_xml, inputs, minute};
use crate::support::hourly::{
    code, end, finishing, hours, numbers, pause, plain, rerun, stage, status, waiting,
};
use ankus::engine::status::{ActionStatus as A, JobStatus as J, WorkflowStatus};
use ankus::engine::{ActionsRerun, Change, Command, Event, JobId, Scope};

// 6.1.2

#[test]
fn prep_to_running() {
    let mut stage = finishing();
    let job = stage.coordinate(&plain(2, 4, ""), &[]);
    assert_eq!(stage.job_status(job), J::Prep);
    stage.wait_until(minute(119));
    assert_eq!(stage.job_status(job), J::Prep);
    stage.wait_until(minute(120));
    assert_eq!(stage.job_status(job), J::Running);
    stage.wait_until(minute(240));
    assert_eq!(stage.actions(job), [A::Succeeded, A::Succeeded]);
    assert_eq!(stage.job_status(job), J::Succeeded);
    assert_eq!(stage.engine.next_wake(), None);
}

#[test]
fn prep_to_prepsuspended_to_prep() {
    let mut stage = finishing();
    let job = stage.coordinate(&plain(2, 4, ""), &[]);
    stage.must(Event::Suspend(job));
    assert_eq!(stage.job_status(job), J::PrepSuspended);
    stage.wait_until(minute(150));
    assert!(stage.actions(job).is_empty());
    stage.must(Event::Resume(job));
    assert_eq!(stage.job_status(job), J::Prep);
    stage.wait_until(minute(240));
    // Nothing is lost.
    assert_eq!(stage.actions(job), [A::Succeeded, A::Succeeded]);
}

#[test]
fn prep_to_preppaused_to_prep() {
    let mut stage = finishing();
    let job = stage.coordinate(&plain(2, 4, ""), &[]);
    stage.must(Event::Change(job, pause(Some(10))));
    stage.wait_until(minute(10));
    assert_eq!(stage.job_status(job), J::PrepPaused);
    stage.wait_until(minute(150));
    stage.must(Event::Change(job, pause(None)));
    assert_eq!(stage.job_status(job), J::Prep);
    stage.wait_until(minute(240));
    assert_eq!(stage.job_status(job), J::Succeeded);
}

#[test]
fn prep_prepsuspended_and_preppaused_to_killed() {
    for prepare in [0, 1, 2] {
        let mut stage = stage();
        let job = stage.coordinate(&plain(2, 4, ""), &[]);
        match prepare {
            0 => {}
            1 => drop(stage.must(Event::Suspend(job))),
            _ => {
                stage.must(Event::Change(job, pause(Some(10))));
                stage.wait_until(minute(11));
                assert_eq!(stage.job_status(job), J::PrepPaused);
            }
        }
        stage.must(Event::Kill(job));
        assert_eq!(stage.job_status(job), J::Killed);
        assert_eq!(code(stage.tell(Event::Kill(job))), "not allowed");
    }
}

#[test]
fn running_to_runningwitherror_to_running() {
    let mut stage = stage();
    let job = stage.coordinate(&plain(0, 3, "<concurrency>3</concurrency>"), &[]);
    end(&mut stage, job, 1, false);
    assert_eq!(stage.actions(job), [A::Killed]);
    assert_eq!(stage.job_status(job), J::RunningWithError);
    stage.must(Event::RerunActions(job, rerun("1")));
    assert_eq!(stage.actions(job), [A::Running]);
    assert_eq!(stage.job_status(job), J::Running);
}

#[test]
fn running_to_suspended_to_running() {
    let mut stage = stage();
    let job = stage.coordinate(&plain(0, 3, ""), &[]);
    let workflow = stage.workflow_of(job, 1);
    stage.must(Event::Suspend(job));
    assert_eq!(stage.job_status(job), J::Suspended);
    assert_eq!(stage.actions(job), [A::Suspended]);
    assert_eq!(stage.status(workflow), WorkflowStatus::Suspended);
    // It creates nothing and loses nothing.
    stage.wait_until(minute(200));
    assert_eq!(stage.actions(job).len(), 1);
    stage.must(Event::Resume(job));
    assert_eq!(stage.job_status(job), J::Running);
    assert_eq!(stage.status(workflow), WorkflowStatus::Running);
    stage.finishes = true;
    end(&mut stage, job, 1, true);
    stage.wait_until(minute(210));
    assert_eq!(stage.actions(job), [A::Succeeded; 3]);
    assert_eq!(stage.job_status(job), J::Succeeded);
}

#[test]
fn running_to_paused_to_running() {
    let mut stage = finishing();
    let job = stage.coordinate(&plain(0, 4, ""), &[]);
    stage.must(Event::Change(job, pause(Some(90))));
    stage.wait_until(minute(90));
    assert_eq!(stage.job_status(job), J::Paused);
    stage.wait_until(minute(200));
    assert_eq!(stage.actions(job), [A::Succeeded; 2]);
    stage.must(Event::Change(job, pause(None)));
    assert_eq!(stage.job_status(job), J::Running);
    stage.wait_until(minute(240));
    assert_eq!(stage.actions(job), [A::Succeeded; 4]);
}

#[test]
fn running_to_succeeded() {
    let mut stage = finishing();
    let job = stage.coordinate(&plain(0, 2, ""), &[]);
    stage.wait_until(minute(60));
    assert_eq!(stage.job_status(job), J::Succeeded);
}

#[test]
fn running_to_killed_with_all_that_runs_or_waits() {
    let mut stage = stage();
    let job = stage.coordinate(&plain(0, 3, ""), &[]);
    let workflow = stage.workflow_of(job, 1);
    stage.wait_until(minute(60));
    assert_eq!(stage.actions(job), [A::Running, A::Ready]);
    stage.must(Event::Kill(job));
    assert_eq!(stage.job_status(job), J::Killed);
    assert_eq!(stage.actions(job), [A::Killed, A::Killed]);
    assert_eq!(stage.status(workflow), WorkflowStatus::Killed);
    assert!(!stage.engine.coordinator(job).expect("a job").is_pending());
    stage.wait_until(minute(300));
    assert_eq!(stage.actions(job).len(), 2);
}

/// A job whose first action has ended with an error while others are to come.
fn with_error(stage: &mut Stage) -> JobId {
    let job = stage.coordinate(&plain(0, 4, ""), &[]);
    end(stage, job, 1, false);
    assert_eq!(stage.job_status(job), J::RunningWithError);
    job
}

#[test]
fn runningwitherror_to_suspendedwitherror_to_runningwitherror() {
    let mut stage = stage();
    let job = with_error(&mut stage);
    stage.must(Event::Suspend(job));
    assert_eq!(stage.job_status(job), J::SuspendedWithError);
    stage.must(Event::Resume(job));
    assert_eq!(stage.job_status(job), J::RunningWithError);
}

#[test]
fn runningwitherror_to_pausedwitherror_to_runningwitherror() {
    let mut stage = stage();
    let job = with_error(&mut stage);
    stage.must(Event::Change(job, pause(Some(30))));
    stage.wait_until(minute(30));
    assert_eq!(stage.job_status(job), J::PausedWithError);
    stage.must(Event::Change(job, pause(None)));
    assert_eq!(stage.job_status(job), J::RunningWithError);
}

#[test]
fn runningwitherror_to_donewitherror() {
    let mut stage = stage();
    let job = with_error(&mut stage);
    stage.finishes = true;
    stage.wait_until(minute(240));
    assert_eq!(stage.actions(job), [A::Killed, A::Succeeded, A::Succeeded, A::Succeeded]);
    assert_eq!(stage.job_status(job), J::DoneWithError);
}

#[test]
fn runningwitherror_to_killed() {
    let mut stage = stage();
    let job = with_error(&mut stage);
    stage.must(Event::Kill(job));
    assert_eq!(stage.job_status(job), J::Killed);
}

#[test]
fn runningwitherror_to_failed() {
    // All actions that were created have failed, and nothing more can be created.
    let mut stage = stage();
    let job = stage.coordinate(&plain(0, 2, ""), &[]);
    let refused = stage.coordinate(
        &coordinator_xml(
            &hours(0, 2),
            "",
            "<action><workflow><app-path>hdfs://nn/none</app-path></workflow></action>",
        ),
        &[],
    );
    assert_eq!(stage.actions(refused), [A::Failed]);
    assert_eq!(stage.job_status(refused), J::RunningWithError);
    stage.wait_until(minute(60));
    assert_eq!(stage.actions(refused), [A::Failed, A::Failed]);
    assert_eq!(stage.job_status(refused), J::Failed);
    let fault = stage.engine.coordinator(refused).and_then(|job| job.fault_of(1).cloned());
    assert_eq!(fault.map(|fault| fault.code.to_string()).as_deref(), Some("E0710"));
    assert_eq!(stage.job_status(job), J::Running);
}

#[test]
fn suspended_and_suspendedwitherror_to_killed() {
    let mut stage = stage();
    let job = stage.coordinate(&plain(0, 4, ""), &[]);
    let other = with_error(&mut stage);
    for job in [job, other] {
        stage.must(Event::Suspend(job));
        stage.must(Event::Kill(job));
        assert_eq!(stage.job_status(job), J::Killed);
    }
}

#[test]
fn paused_to_suspended_and_killed() {
    for kill in [false, true] {
        let mut stage = stage();
        let job = stage.coordinate(&plain(0, 4, ""), &[]);
        stage.must(Event::Change(job, pause(Some(30))));
        stage.wait_until(minute(30));
        assert_eq!(stage.job_status(job), J::Paused);
        stage.must(if kill { Event::Kill(job) } else { Event::Suspend(job) });
        assert_eq!(stage.job_status(job), if kill { J::Killed } else { J::Suspended });
    }
}

#[test]
fn pausedwitherror_to_suspendedwitherror_and_killed() {
    for kill in [false, true] {
        let mut stage = stage();
        let job = with_error(&mut stage);
        stage.must(Event::Change(job, pause(Some(30))));
        stage.wait_until(minute(30));
        assert_eq!(stage.job_status(job), J::PausedWithError);
        stage.must(if kill { Event::Kill(job) } else { Event::Suspend(job) });
        assert_eq!(stage.job_status(job), if kill { J::Killed } else { J::SuspendedWithError });
    }
}

#[test]
fn failed_and_killed_to_ignored_to_running() {
    let mut stage = finishing();
    let job = stage.coordinate(&plain(0, 4, ""), &[]);
    assert_eq!(code(stage.tell(Event::Change(job, status(J::Ignored)))), "E1015");
    stage.must(Event::Kill(job));
    assert_eq!(
        code(stage.tell(Event::Change(job, Change { concurrency: Some(2), ..status(J::Ignored) }))),
        "E1016"
    );
    stage.must(Event::Change(job, status(J::Ignored)));
    assert_eq!(stage.job_status(job), J::Ignored);
    assert_eq!(code(stage.tell(Event::RerunActions(job, rerun("1")))), "E1018");
    stage.must(Event::Change(job, status(J::Running)));
    assert_eq!(stage.job_status(job), J::Running);
    stage.wait_until(minute(240));
    assert_eq!(stage.actions(job), [A::Succeeded; 4]);
}

// 6.1.3

#[test]
fn waiting_to_ready_to_submitted_to_running_to_succeeded() {
    let mut stage = stage();
    let job = stage.coordinate(&waiting(0, 1, ""), &[]);
    assert_eq!(stage.actions(job), [A::Waiting]);
    assert_eq!(stage.engine.coordinator(job).and_then(|job| job.missing(1)), Some("hdfs://nn/d/2024010100"));
    stage.put("hdfs://nn/d/2024010100");
    assert_eq!(stage.actions(job), [A::Running]);
    let seen: Vec<A> = stage
        .said
        .iter()
        .filter_map(|command| match command {
            Command::Changed(ankus::engine::Changed::Action(_, _, to)) => Some(*to),
            _ => None,
        })
        .collect();
    assert_eq!(seen, [A::Ready, A::Submitted, A::Running]);
    end(&mut stage, job, 1, true);
    assert_eq!(stage.actions(job), [A::Succeeded]);
    assert_eq!(stage.job_status(job), J::Succeeded);
}

#[test]
fn waiting_to_timedout() {
    let mut stage = stage();
    let job = stage.coordinate(&waiting(0, 1, "<timeout>10</timeout>"), &[]);
    stage.wait_until(minute(10));
    assert_eq!(stage.actions(job), [A::Waiting]);
    stage.wait_until(minute(11));
    assert_eq!(stage.actions(job), [A::TimedOut]);
    // All timed out is done with error.
    assert_eq!(stage.job_status(job), J::DoneWithError);
    assert_eq!(stage.engine.next_wake(), None);
}

#[test]
fn ready_does_not_time_out() {
    let mut stage = stage();
    let job = stage.coordinate(&plain(0, 2, "<timeout>10</timeout>"), &[]);
    stage.wait_until(minute(300));
    assert_eq!(stage.actions(job), [A::Running, A::Ready]);
}

#[test]
fn waiting_to_skipped_when_only_the_last_counts() {
    let mut stage = stage();
    let job = stage.coordinate(&waiting(0, 3, "<timeout>-1</timeout><execution>LAST_ONLY</execution>"), &[]);
    stage.wait_until(minute(60));
    assert_eq!(stage.actions(job), [A::Waiting, A::Waiting]);
    stage.wait_until(minute(61));
    assert_eq!(stage.actions(job), [A::Skipped, A::Waiting]);
    stage.wait_until(minute(300));
    // The end falls on the frequency, so it counts as the time after the last.
    assert_eq!(stage.actions(job), [A::Skipped; 3]);
    assert_eq!(stage.job_status(job), J::Succeeded);
}

#[test]
fn ready_to_skipped() {
    let mut stage = stage();
    let job = stage.coordinate(&plain(0, 3, "<execution>LAST_ONLY</execution>"), &[]);
    // The recovery service looks at what is ready for ten minutes.
    stage.wait_until(minute(120));
    assert_eq!(stage.actions(job), [A::Running, A::Ready, A::Ready]);
    stage.wait_until(minute(150));
    assert_eq!(stage.actions(job), [A::Running, A::Skipped, A::Ready]);
    end(&mut stage, job, 1, true);
    assert_eq!(stage.actions(job), [A::Succeeded, A::Skipped, A::Running]);
}

#[test]
fn waiting_and_ready_to_skipped_when_only_punctual_ones_count() {
    let mut stage = stage();
    let job = stage.coordinate(&waiting(0, 2, "<timeout>-1</timeout><execution>NONE</execution>"), &[]);
    stage.wait_until(minute(1));
    assert_eq!(stage.actions(job), [A::Waiting]);
    stage.wait_until(minute(2));
    assert_eq!(stage.actions(job), [A::Skipped]);
}

#[test]
fn ready_to_skipped_when_only_punctual_ones_count() {
    let mut stage = stage();
    let job = stage.coordinate(&plain(0, 4, "<execution>NONE</execution>"), &[]);
    stage.wait_until(minute(121));
    // One minute behind its time is punctual, more is not; who has a turn is looked at when an action gets ready.
    assert_eq!(stage.actions(job), [A::Running, A::Skipped, A::Ready]);
    end(&mut stage, job, 1, true);
    assert_eq!(stage.actions(job), [A::Succeeded, A::Skipped, A::Running]);
    stage.wait_until(minute(182));
    end(&mut stage, job, 3, true);
    assert_eq!(stage.actions(job)[3], A::Skipped);
    assert_eq!(stage.job_status(job), J::Succeeded);
}

#[test]
fn waiting_ready_submitted_running_and_suspended_to_killed() {
    let mut stage = stage();
    let job = stage.coordinate(&waiting(0, 4, "<concurrency>1</concurrency>"), &[]);
    stage.wait_until(minute(120));
    stage.put("hdfs://nn/d/2024010100");
    stage.put("hdfs://nn/d/2024010101");
    assert_eq!(stage.actions(job), [A::Running, A::Ready, A::Waiting]);
    stage.must(Event::KillActions(job, numbers("2-9")));
    assert_eq!(stage.actions(job), [A::Running, A::Killed, A::Killed]);
    let workflow = stage.workflow_of(job, 1);
    stage.must(Event::Suspend(workflow));
    assert_eq!(stage.actions(job)[0], A::Suspended);
    stage.must(Event::KillActions(job, Scope::Dates("2024-01-01T00:00Z".into())));
    assert_eq!(stage.actions(job), [A::Killed; 3]);
    assert_eq!(stage.status(workflow), WorkflowStatus::Killed);
    // By number, one that is over is taken as well.
    stage.must(Event::KillActions(job, numbers("1")));
    assert_eq!(stage.actions(job), [A::Killed; 3]);
    // SUBMITTED
    stage.answers = false;
    stage.wait_until(minute(180));
    let action = ankus::engine::ActionId { coordinator: job.number, number: 4 };
    stage.disk.0.insert("hdfs://nn/d/2024010103".to_owned());
    let looked =
        stage.engine.look(stage.now, ankus::engine::Subject::Action(action), &stage.disk).expect("facts");
    stage.must(looked);
    assert_eq!(stage.actions(job)[3], A::Submitted);
    stage.must(Event::KillActions(job, numbers("4")));
    assert_eq!(stage.actions(job)[3], A::Killed);
}

#[test]
fn running_to_failed_and_killed() {
    for (fail, expected) in [(true, A::Failed), (false, A::Killed)] {
        let mut stage = stage();
        let job = stage.coordinate(&plain(0, 2, ""), &[]);
        let workflow = stage.workflow_of(job, 1);
        if fail {
            let fault = ankus::engine::Fault::new("X", "no");
            let (kind, during) = (ankus::engine::TroubleKind::Failed, ankus::engine::During::Start);
            stage.trouble(workflow, "a", ankus::engine::Trouble { kind, during, fault });
        } else {
            stage.must(Event::Kill(workflow));
        }
        assert_eq!(stage.actions(job), [expected]);
    }
}

#[test]
fn submitted_to_failed() {
    let mut stage = stage();
    let none = "<action><workflow><app-path>hdfs://nn/none</app-path></workflow></action>";
    let job = stage.coordinate(&coordinator_xml(&hours(0, 1), "", none), &[]);
    assert_eq!(stage.actions(job), [A::Failed]);
}

#[test]
fn failed_killed_and_timedout_to_ignored_to_waiting() {
    let mut stage = stage();
    let job = stage.coordinate(&waiting(0, 4, "<timeout>5</timeout>"), &[]);
    stage.wait_until(minute(60));
    assert_eq!(code(stage.tell(Event::IgnoreActions(job, numbers("2")))), "E1024");
    assert_eq!(stage.job_status(job), J::RunningWithError);
    stage.must(Event::KillActions(job, numbers("2")));
    stage.must(Event::IgnoreActions(job, numbers("1-2")));
    assert_eq!(stage.actions(job), [A::Ignored, A::Ignored]);
    // What is ignored is no error.
    assert_eq!(stage.job_status(job), J::Running);
    stage.disk.0.insert("hdfs://nn/d/2024010100".to_owned());
    let commands = stage.must(Event::RerunActions(job, rerun("1")));
    let id = ankus::engine::ActionId { coordinator: job.number, number: 1 };
    assert!(commands.contains(&Command::Changed(ankus::engine::Changed::Action(id, A::Ignored, A::Waiting))));
    assert_eq!(stage.actions(job), [A::Running, A::Ignored]);
}

// Policies

#[test]
fn concurrency_and_order() {
    for (order, expected) in [
        ("FIFO", [A::Running, A::Running, A::Ready, A::Ready]),
        ("LIFO", [A::Running, A::Ready, A::Ready, A::Running]),
    ] {
        let mut stage = stage();
        let controls = format!("<concurrency>2</concurrency><execution>{order}</execution>");
        let job = stage.coordinate(&waiting(0, 4, &format!("<timeout>-1</timeout>{controls}")), &[]);
        stage.wait_until(minute(200));
        stage.put("hdfs://nn/d/2024010100");
        for hour in 1..4 {
            stage.disk.0.insert(format!("hdfs://nn/d/202401010{hour}"));
        }
        // All at once: the first that is seen takes the free place.
        stage.must(Event::Change(job, Change { concurrency: Some(1), ..Change::default() }));
        stage.look_again();
        assert_eq!(stage.actions(job), [A::Running, A::Ready, A::Ready, A::Ready]);
        stage.must(Event::Change(job, Change { concurrency: Some(2), ..Change::default() }));
        assert_eq!(stage.actions(job), expected, "{order}");
        // A negative number is no larger one: what is ready waits for the recovery service.
        stage.must(Event::Change(job, Change { concurrency: Some(-1), ..Change::default() }));
        assert_eq!(stage.actions(job), expected, "{order}");
        stage.wait_minutes(11);
        assert_eq!(stage.actions(job), [A::Running; 4]);
    }
}

#[test]
fn the_throttle_limits_what_waits() {
    let mut stage = stage();
    stage.now = minute(60 * 20);
    let job = stage.coordinate(&waiting(0, 20, "<timeout>-1</timeout><throttle>3</throttle>"), &[]);
    assert_eq!(stage.actions(job), [A::Waiting; 3]);
    stage.wait_minutes(30);
    assert_eq!(stage.actions(job), [A::Waiting; 3]);
    stage.put("hdfs://nn/d/2024010100");
    stage.wait_minutes(5);
    assert_eq!(stage.actions(job), [A::Running, A::Waiting, A::Waiting, A::Waiting]);
}

#[test]
fn catching_up_runs_everything_in_order() {
    let mut stage = finishing();
    stage.now = minute(60 * 23);
    let job = stage.coordinate(&plain(0, 20, "<throttle>4</throttle>"), &[]);
    assert_eq!(stage.actions(job), [A::Succeeded; 4]);
    stage.wait_minutes(30);
    assert_eq!(stage.actions(job), [A::Succeeded; 20]);
    assert_eq!(stage.job_status(job), J::Succeeded);
}

#[test]
fn catching_up_skips_what_only_the_last_counts_for() {
    let mut stage = finishing();
    stage.now = minute(60 * 5 + 30);
    let job = stage.coordinate(&plain(0, 8, "<execution>LAST_ONLY</execution>"), &[]);
    assert_eq!(
        stage.actions(job),
        [A::Skipped, A::Skipped, A::Skipped, A::Skipped, A::Skipped, A::Succeeded]
    );
}

#[test]
fn latest_is_resolved_when_the_action_starts() {
    let configuration = r#"<configuration><property><name>in</name><value>${coord:dataIn('i')}</value></property>
</configuration>"#;
    let runs = RUNS.replace("</app-path>", &format!("</app-path>{configuration}"));
    let text = coordinator_xml(&hours(0, 1), "", &format!("{}{runs}", inputs("latest(-1)")));
    let mut stage = stage();
    let job = stage.coordinate(&text, &[]);
    stage.put("hdfs://nn/d/2023123120");
    assert_eq!(stage.actions(job), [A::Waiting]);
    stage.put("hdfs://nn/d/2023123122");
    assert_eq!(stage.actions(job), [A::Running]);
    let conf = stage.said.iter().find_map(|command| match command {
        Command::PlanWorkflow { conf, .. } => conf.raw("in").map(str::to_owned),
        _ => None,
    });
    assert_eq!(conf.as_deref(), Some("hdfs://nn/d/2023123120"));
    // A rerun without refresh keeps it; one with refresh looks again.
    end(&mut stage, job, 1, true);
    stage.disk.0.insert("hdfs://nn/d/2023123123".to_owned());
    for (refresh, expected) in [(false, "hdfs://nn/d/2023123120"), (true, "hdfs://nn/d/2023123122")] {
        stage.said.clear();
        stage.must(Event::RerunActions(job, ActionsRerun { refresh, ..rerun("1") }));
        let conf = stage.said.iter().find_map(|command| match command {
            Command::PlanWorkflow { conf, .. } => conf.raw("in").map(str::to_owned),
            _ => None,
        });
        assert_eq!(conf.as_deref(), Some(expected), "refresh {refresh}");
        end(&mut stage, job, 1, true);
    }
}

#[test]
fn future_is_resolved_when_the_action_starts() {
    let text = coordinator_xml(&hours(0, 1), "", &format!("{}{RUNS}", inputs("future(1, 3)")));
    let mut stage = stage();
    let job = stage.coordinate(&text, &[]);
    stage.put("hdfs://nn/d/2024010100");
    assert_eq!(stage.actions(job), [A::Waiting], "the second of those that come");
    stage.put("hdfs://nn/d/2024010102");
    assert_eq!(stage.actions(job), [A::Running]);
}

#[test]
fn a_second_submission_with_an_external_id_finds_the_first() {
    let mut stage = finishing();
    stage.coordinate(&plain(0, 1, ""), &[]);
    let program = ankus::engine::Submission::Coordinator("coordinator0".into());
    let submit = ankus::engine::Submit::new(program, Some("mine".into()), true);
    let submitted = |commands: Vec<Command>| match commands.first() {
        Some(Command::Submitted { job, existed }) => (*job, *existed),
        other => panic!("{other:?}"),
    };
    let (first, existed) = submitted(stage.must(Event::Submit(submit.clone())));
    assert!(!existed);
    assert_eq!(submitted(stage.must(Event::Submit(submit.clone()))), (first, true));
    // What is not known leaves nothing behind.
    let program = ankus::engine::Submission::Coordinator("none".into());
    let unknown = ankus::engine::Submit { program, external_id: Some("other".into()), ..submit };
    let before = stage.engine.coordinators().count();
    assert!(stage.tell(Event::Submit(unknown)).is_err());
    assert_eq!(stage.engine.coordinators().count(), before);
}
