//! The rows of `004` 6.1.2 and 6.1.3, a test for each, named after it. What else binds these machines is in
//! `engine_coordinator`.

use crate::support::engine::{Stage, coordinator_xml, minute};
use crate::support::hourly::{code, end, hours, numbers, pause, plain, rerun, stage, status, waiting};
use crate::support::rows;
use ankus::engine::status::{ActionStatus as A, JobStatus as J};
use ankus::engine::{ActionId, Change, Changed, Command, During, Event, Fault, JobId, Trouble, TroubleKind};

/// Makes a test of each row, and the list of their names.
macro_rules! rows {
    ($rows:ident by $check:ident { $($name:ident: $from:path => $to:path, $act:expr;)+ }) => {
        $(#[test]
        fn $name() {
            let act: &dyn Fn(&mut Stage) -> JobId = &$act;
            $check($from, $to, act);
        })+

        const $rows: &[&str] = &[$(stringify!($name)),+];
    };
}

// 6.1.2

/// The job whose workflow nobody knows, so that its actions fail.
const LOST: &str = "<action><workflow><app-path>hdfs://nn/none</app-path></workflow></action>";

/// A job that has come into this state.
fn job_in(stage: &mut Stage, state: J) -> JobId {
    let before = match state {
        J::Prep => return stage.coordinate(&plain(2, 4, ""), &[]),
        J::Running => return stage.coordinate(&plain(0, 4, ""), &[]),
        J::Failed => {
            let job = stage.coordinate(&coordinator_xml(&hours(0, 2), "", LOST), &[]);
            stage.wait_until(minute(60));
            return job;
        }
        J::PrepSuspended | J::PrepPaused => J::Prep,
        J::SuspendedWithError | J::PausedWithError => J::RunningWithError,
        J::Ignored => J::Killed,
        _ => J::Running,
    };
    let job = job_in(stage, before);
    match state {
        J::PrepSuspended | J::Suspended | J::SuspendedWithError => drop(stage.must(Event::Suspend(job))),
        J::PrepPaused | J::Paused | J::PausedWithError => {
            stage.must(Event::Change(job, pause(Some(30))));
            stage.wait_until(minute(30));
        }
        J::RunningWithError => end(stage, job, 1, false),
        J::Killed => drop(stage.must(Event::Kill(job))),
        J::Ignored => drop(stage.must(Event::Change(job, status(J::Ignored)))),
        other => panic!("nobody comes into {other} so"),
    }
    assert_eq!(stage.job_status(job), state);
    job
}

/// The job goes from the one state to the other.
fn job_goes(from: J, to: J, act: &dyn Fn(&mut Stage) -> JobId) {
    let mut stage = stage();
    let job = act(&mut stage);
    let change = Command::Changed(Changed::Job(job, from, to));
    assert!(stage.said.contains(&change), "{:?}", stage.said);
}

/// What makes a job in a state do something.
fn in_state(state: J, event: impl Fn(JobId) -> Event) -> impl Fn(&mut Stage) -> JobId {
    move |stage| {
        let job = job_in(stage, state);
        stage.must(event(job));
        job
    }
}

rows!(JOBS by job_goes {
    prep_to_prepsuspended: J::Prep => J::PrepSuspended, in_state(J::Prep, Event::Suspend);
    prep_to_preppaused: J::Prep => J::PrepPaused, |stage| job_in(stage, J::PrepPaused);
    prep_to_running: J::Prep => J::Running, |stage| {
        let job = job_in(stage, J::Prep);
        stage.wait_until(minute(119));
        assert_eq!(stage.job_status(job), J::Prep);
        stage.wait_until(minute(120));
        job
    };
    prep_to_killed: J::Prep => J::Killed, in_state(J::Prep, Event::Kill);
    running_to_runningwitherror: J::Running => J::RunningWithError, |stage| job_in(stage, J::RunningWithError);
    running_to_suspended: J::Running => J::Suspended, in_state(J::Running, Event::Suspend);
    running_to_paused: J::Running => J::Paused, |stage| job_in(stage, J::Paused);
    running_to_succeeded: J::Running => J::Succeeded, |stage| {
        let job = stage.coordinate(&plain(0, 1, ""), &[]);
        end(stage, job, 1, true);
        job
    };
    running_to_killed: J::Running => J::Killed, in_state(J::Running, Event::Kill);
    runningwitherror_to_running: J::RunningWithError => J::Running,
        in_state(J::RunningWithError, |job| Event::RerunActions(job, rerun("1")));
    runningwitherror_to_suspendedwitherror: J::RunningWithError => J::SuspendedWithError,
        in_state(J::RunningWithError, Event::Suspend);
    runningwitherror_to_pausedwitherror: J::RunningWithError => J::PausedWithError,
        |stage| job_in(stage, J::PausedWithError);
    runningwitherror_to_donewitherror: J::RunningWithError => J::DoneWithError, |stage| {
        let job = job_in(stage, J::RunningWithError);
        stage.finishes = true;
        stage.wait_until(minute(240));
        job
    };
    runningwitherror_to_killed: J::RunningWithError => J::Killed, in_state(J::RunningWithError, Event::Kill);
    runningwitherror_to_failed: J::RunningWithError => J::Failed, |stage| job_in(stage, J::Failed);
    prepsuspended_to_prep: J::PrepSuspended => J::Prep, in_state(J::PrepSuspended, Event::Resume);
    prepsuspended_to_killed: J::PrepSuspended => J::Killed, in_state(J::PrepSuspended, Event::Kill);
    suspended_to_running: J::Suspended => J::Running, in_state(J::Suspended, Event::Resume);
    suspended_to_killed: J::Suspended => J::Killed, in_state(J::Suspended, Event::Kill);
    suspendedwitherror_to_runningwitherror: J::SuspendedWithError => J::RunningWithError,
        in_state(J::SuspendedWithError, Event::Resume);
    suspendedwitherror_to_killed: J::SuspendedWithError => J::Killed,
        in_state(J::SuspendedWithError, Event::Kill);
    preppaused_to_prep: J::PrepPaused => J::Prep,
        in_state(J::PrepPaused, |job| Event::Change(job, pause(None)));
    preppaused_to_killed: J::PrepPaused => J::Killed, in_state(J::PrepPaused, Event::Kill);
    paused_to_suspended: J::Paused => J::Suspended, in_state(J::Paused, Event::Suspend);
    paused_to_running: J::Paused => J::Running,
        in_state(J::Paused, |job| Event::Change(job, pause(None)));
    paused_to_killed: J::Paused => J::Killed, in_state(J::Paused, Event::Kill);
    pausedwitherror_to_suspendedwitherror: J::PausedWithError => J::SuspendedWithError,
        in_state(J::PausedWithError, Event::Suspend);
    pausedwitherror_to_runningwitherror: J::PausedWithError => J::RunningWithError,
        in_state(J::PausedWithError, |job| Event::Change(job, pause(None)));
    pausedwitherror_to_killed: J::PausedWithError => J::Killed, in_state(J::PausedWithError, Event::Kill);
    failed_to_ignored: J::Failed => J::Ignored,
        in_state(J::Failed, |job| Event::Change(job, status(J::Ignored)));
    killed_to_ignored: J::Killed => J::Ignored,
        in_state(J::Killed, |job| Event::Change(job, status(J::Ignored)));
    ignored_to_running: J::Ignored => J::Running,
        in_state(J::Ignored, |job| Event::Change(job, status(J::Running)));
});

#[test]
fn every_row_of_6_1_2_has_its_test() {
    if let Some(spec) = rows::of_coordinators("6.1.2.") {
        assert_eq!(spec.len(), 32);
        rows::hold(&spec, JOBS.iter().copied());
    }
}

// 6.1.3

/// A job whose first action has come into this state.
fn action_in(stage: &mut Stage, state: A) -> JobId {
    let job = match state {
        A::Waiting => stage.coordinate(&waiting(0, 1, "<timeout>5</timeout>"), &[]),
        A::Ready => stage.coordinate(&plain(0, 1, "<concurrency>0</concurrency>"), &[]),
        A::Submitted => {
            let job = action_in(stage, A::Ready);
            stage.answers = false;
            stage.must(Event::Change(job, Change { concurrency: Some(1), ..Change::default() }));
            job
        }
        A::Running => stage.coordinate(&plain(0, 1, ""), &[]),
        A::Failed => stage.coordinate(&coordinator_xml(&hours(0, 1), "", LOST), &[]),
        A::Killed => {
            let job = action_in(stage, A::Running);
            stage.must(Event::KillActions(job, numbers("1")));
            job
        }
        A::TimedOut => {
            let job = action_in(stage, A::Waiting);
            stage.wait_until(minute(6));
            job
        }
        A::Ignored => {
            let job = action_in(stage, A::TimedOut);
            stage.must(Event::IgnoreActions(job, numbers("1")));
            job
        }
        other => panic!("nobody comes into {other} so"),
    };
    assert_eq!(stage.actions(job)[0], state);
    job
}

/// The first action goes from the one state to the other.
fn action_goes(from: A, to: A, act: &dyn Fn(&mut Stage) -> JobId) {
    let mut stage = stage();
    let job = act(&mut stage);
    let action = ActionId { coordinator: job.number, number: 1 };
    let change = Command::Changed(Changed::Action(action, from, to));
    assert!(stage.said.contains(&change), "{:?}", stage.said);
}

fn kill_in(state: A) -> impl Fn(&mut Stage) -> JobId {
    move |stage| {
        let job = action_in(stage, state);
        stage.must(Event::KillActions(job, numbers("1")));
        assert_eq!(code(stage.tell(Event::KillActions(job, numbers("1")))), "E1020");
        job
    }
}

fn ignore_in(state: A) -> impl Fn(&mut Stage) -> JobId {
    move |stage| {
        let job = action_in(stage, state);
        stage.must(Event::IgnoreActions(job, numbers("1")));
        job
    }
}

rows!(ACTIONS by action_goes {
    waiting_to_ready: A::Waiting => A::Ready, |stage| {
        let job = action_in(stage, A::Waiting);
        stage.put("hdfs://nn/d/2024010100");
        job
    };
    waiting_to_timedout: A::Waiting => A::TimedOut, |stage| action_in(stage, A::TimedOut);
    waiting_to_skipped_by_last_only: A::Waiting => A::Skipped, |stage| {
        let controls = "<timeout>-1</timeout><execution>LAST_ONLY</execution>";
        let job = stage.coordinate(&waiting(0, 3, controls), &[]);
        stage.wait_until(minute(60));
        assert_eq!(stage.actions(job)[0], A::Waiting);
        stage.wait_until(minute(61));
        job
    };
    waiting_to_skipped_by_none: A::Waiting => A::Skipped, |stage| {
        let controls = "<timeout>-1</timeout><execution>NONE</execution>";
        let job = stage.coordinate(&waiting(0, 3, controls), &[]);
        stage.wait_until(minute(1));
        assert_eq!(stage.actions(job)[0], A::Waiting);
        stage.wait_until(minute(2));
        job
    };
    waiting_to_killed: A::Waiting => A::Killed, kill_in(A::Waiting);
    ready_to_submitted: A::Ready => A::Submitted, |stage| action_in(stage, A::Submitted);
    ready_to_skipped_by_last_only: A::Ready => A::Skipped, |stage| {
        let controls = "<concurrency>0</concurrency><execution>LAST_ONLY</execution>";
        let job = stage.coordinate(&plain(0, 3, controls), &[]);
        stage.wait_until(minute(61));
        stage.must(Event::Change(job, Change { concurrency: Some(1), ..Change::default() }));
        assert_eq!(stage.actions(job)[..2], [A::Skipped, A::Running]);
        job
    };
    ready_to_skipped_by_none: A::Ready => A::Skipped, |stage| {
        let job = stage.coordinate(&plain(0, 1, "<concurrency>0</concurrency><execution>NONE</execution>"), &[]);
        stage.wait_until(minute(2));
        stage.must(Event::Change(job, Change { concurrency: Some(1), ..Change::default() }));
        job
    };
    ready_to_killed: A::Ready => A::Killed, kill_in(A::Ready);
    submitted_to_running: A::Submitted => A::Running, |stage| action_in(stage, A::Running);
    submitted_to_killed: A::Submitted => A::Killed, kill_in(A::Submitted);
    submitted_to_failed: A::Submitted => A::Failed, |stage| action_in(stage, A::Failed);
    running_to_succeeded_action: A::Running => A::Succeeded, |stage| {
        let job = action_in(stage, A::Running);
        end(stage, job, 1, true);
        job
    };
    running_to_killed_action: A::Running => A::Killed, kill_in(A::Running);
    running_to_failed_action: A::Running => A::Failed, |stage| {
        let job = action_in(stage, A::Running);
        let (kind, during) = (TroubleKind::Failed, During::Start);
        let workflow = stage.workflow_of(job, 1);
        stage.trouble(workflow, "a", Trouble { kind, during, fault: Fault::new("X", "no") });
        job
    };
    failed_to_ignored_action: A::Failed => A::Ignored, ignore_in(A::Failed);
    killed_to_ignored_action: A::Killed => A::Ignored, ignore_in(A::Killed);
    timedout_to_ignored: A::TimedOut => A::Ignored, ignore_in(A::TimedOut);
    ignored_to_waiting: A::Ignored => A::Waiting, |stage| {
        let job = action_in(stage, A::Ignored);
        stage.must(Event::RerunActions(job, rerun("1")));
        job
    };
});

#[test]
fn every_row_of_6_1_3_has_its_test() {
    if let Some(spec) = rows::of_coordinators("6.1.3.") {
        assert_eq!(spec.len(), 17);
        rows::hold(&spec, ACTIONS.iter().copied());
    }
}
