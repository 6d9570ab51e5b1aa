//! The bundle machine: the State Transition table of `000` row by row, and what binds it.

use crate::support::engine::{Stage, minute};
use crate::support::hourly::{finishing, pause, plain, stage};
use crate::support::rows;
use ankus::engine::status::{ActionStatus as A, JobStatus as J};
use ankus::engine::{
    Answer, BundleRerun, Change, Command, EngineError, Event, Fault, JobId, Semantics, Submission, Submit,
};
use std::collections::BTreeSet;

/// Tests with their names; one that does not exist does not compile.
macro_rules! rows {
    ($($name:ident,)+) => { [$((stringify!($name), $name as fn())),+] };
}

fn text() -> String {
    plain(0, 3, "")
}

/// A bundle of two coordinators in PREP.
fn prep(stage: &mut Stage) -> JobId {
    let text = text();
    stage.bundle(Some(minute(100_000)), &[("one", false, Some(&text)), ("two", false, Some(&text))])
}

fn running(stage: &mut Stage) -> JobId {
    let job = prep(stage);
    stage.must(Event::Start(job));
    assert_eq!(stage.job_status(job), J::Running);
    job
}

/// A bundle one of whose coordinators is refused.
fn with_error(stage: &mut Stage) -> JobId {
    let text = text();
    let job = stage.bundle(None, &[("one", false, Some(&text)), ("none", false, None)]);
    stage.must(Event::Start(job));
    assert_eq!(stage.job_status(job), J::RunningWithError);
    job
}

fn children(stage: &Stage, job: JobId) -> Vec<J> {
    let bundle = stage.engine.bundle(job).expect("a bundle");
    bundle.children.iter().flatten().map(|child| child.status).collect()
}

fn coordinator(stage: &Stage, job: JobId, index: usize) -> JobId {
    let bundle = stage.engine.bundle(job).expect("a bundle");
    let child = bundle.children[index].as_ref().expect("an enabled one");
    JobId::coordinator(child.coordinator.expect("a coordinator"))
}

/// Pauses a bundle in ten minutes, and waits for it.
fn paused(stage: &mut Stage, job: JobId) {
    stage.must(Event::Change(job, pause(Some(10))));
    stage.wait_until(minute(10));
}

#[test]
fn start_prep_user_submit() {
    let mut stage = stage();
    let job = prep(&mut stage);
    assert_eq!(stage.job_status(job), J::Prep);
    stage.wait_until(minute(100));
    assert_eq!(stage.job_status(job), J::Prep);
    assert_eq!(stage.engine.coordinators().count(), 0);
}

#[test]
fn one_without_a_kick_off_time_starts_by_itself_within_a_minute() {
    for (semantics, then) in [(Semantics::CURRENT, J::Running), (Semantics::FIRST, J::Prep)] {
        let mut stage = stage();
        stage.semantics = semantics;
        let job = stage.bundle(None, &[("one", false, Some(&text()))]);
        assert_eq!(stage.job_status(job), J::Prep);
        stage.wait_until(minute(1));
        assert_eq!(stage.job_status(job), then);
    }
}

#[test]
fn prep_running_user_start() {
    let mut stage = stage();
    let job = prep(&mut stage);
    let commands = stage.must(Event::Start(job));
    let plans = commands.iter().filter(|command| matches!(command, Command::PlanCoordinator { .. })).count();
    assert_eq!(plans, 2);
    assert_eq!(children(&stage, job), [J::Running, J::Running]);
    assert!(!stage.engine.bundle(job).expect("a bundle").is_pending());
    assert!(matches!(stage.tell(Event::Start(job)), Err(EngineError::NotAllowed { .. })));
}

#[test]
fn children_are_pending_until_they_are_submitted() {
    let mut stage = stage();
    let job = prep(&mut stage);
    stage.answers = false;
    stage.must(Event::Start(job));
    assert_eq!(children(&stage, job), [J::Prep, J::Prep]);
    assert!(stage.engine.bundle(job).expect("a bundle").is_pending());
    for child in 0..2 {
        let outcome = Ok(["one", "two"][child as usize].into());
        stage.must(Event::CoordinatorPlanned { bundle: job, child, outcome });
    }
    assert!(!stage.engine.bundle(job).expect("a bundle").is_pending());
    let again = stage.tell(Event::CoordinatorPlanned { bundle: job, child: 0, outcome: Ok("one".into()) });
    assert!(matches!(again, Err(EngineError::UnknownAction(_))));
}

#[test]
fn prep_running_kick_off_time_reaches() {
    let mut stage = stage();
    let text = text();
    let job = stage.bundle(Some(minute(30)), &[("one", false, Some(&text))]);
    stage.wait_until(minute(29));
    assert_eq!(stage.job_status(job), J::Prep);
    stage.wait_until(minute(30));
    assert_eq!(stage.job_status(job), J::Running);
}

#[test]
fn a_user_may_start_before_the_kick_off_time() {
    let mut stage = stage();
    let text = text();
    let job = stage.bundle(Some(minute(30)), &[("one", false, Some(&text))]);
    stage.must(Event::Start(job));
    assert_eq!(stage.job_status(job), J::Running);
    stage.wait_until(minute(40));
    assert_eq!(stage.engine.coordinators().count(), 1);
}

#[test]
fn what_is_over_wants_to_be_woken_no_more() {
    let (far, farther) = (1_000_000, 2_000_000);
    let text = plain(0, 1, "");
    for is_killed in [false, true] {
        let mut stage = if is_killed { stage() } else { finishing() };
        let job = stage.bundle(Some(minute(far)), &[("one", false, Some(&text))]);
        for pause in [pause(Some(far)), pause(Some(farther))] {
            stage.must(Event::Change(job, pause));
        }
        stage.must(Event::Start(job));
        let one = coordinator(&stage, job, 0);
        assert_eq!(stage.engine.coordinator(one).expect("a coordinator").pause, Some(minute(farther)));
        if is_killed {
            stage.must(Event::Kill(job));
        }
        stage.wait_until(minute(100));
        let end = if is_killed { J::Killed } else { J::Succeeded };
        assert_eq!((stage.job_status(job), stage.job_status(one)), (end, end));
        assert_eq!(stage.engine.next_wake(), None);
    }
    // One that is killed before its time as well.
    let mut stage = finishing();
    let job = stage.bundle(Some(minute(far)), &[("one", false, Some(&text))]);
    stage.must(Event::Kill(job));
    assert_eq!(stage.engine.next_wake(), None);
}

#[test]
fn prep_preppaused_pause_time_reaches() {
    let mut stage = stage();
    let job = prep(&mut stage);
    stage.must(Event::Change(job, pause(Some(10))));
    stage.wait_until(minute(9));
    assert_eq!(stage.job_status(job), J::Prep);
    stage.wait_until(minute(10));
    assert_eq!(stage.job_status(job), J::PrepPaused);
    assert!(matches!(stage.tell(Event::Start(job)), Err(EngineError::NotAllowed { .. })));
}

#[test]
fn preppaused_prep_user_reset_pause_time() {
    let mut stage = stage();
    let job = prep(&mut stage);
    paused(&mut stage, job);
    stage.must(Event::Change(job, pause(None)));
    assert_eq!(stage.job_status(job), J::Prep);
}

#[test]
fn prep_prepsuspended_user_suspend() {
    let mut stage = stage();
    let job = prep(&mut stage);
    stage.must(Event::Suspend(job));
    assert_eq!(stage.job_status(job), J::PrepSuspended);
    assert!(matches!(stage.tell(Event::Start(job)), Err(EngineError::NotAllowed { .. })));
}

#[test]
fn prepsuspended_prep_user_resume() {
    let mut stage = stage();
    let job = prep(&mut stage);
    stage.must(Event::Suspend(job));
    stage.must(Event::Resume(job));
    assert_eq!(stage.job_status(job), J::Prep);
    stage.must(Event::Start(job));
    assert_eq!(stage.job_status(job), J::Running);
}

#[test]
fn running_suspended_user_suspend_suspends_children() {
    let mut stage = stage();
    let job = running(&mut stage);
    stage.must(Event::Suspend(job));
    assert_eq!(stage.job_status(job), J::Suspended);
    assert_eq!(children(&stage, job), [J::Suspended, J::Suspended]);
    assert_eq!(stage.actions(coordinator(&stage, job, 0)), [A::Suspended]);
}

#[test]
fn running_paused_pause_time_reaches() {
    let mut stage = stage();
    let job = running(&mut stage);
    paused(&mut stage, job);
    assert_eq!(stage.job_status(job), J::Paused);
    // The coordinators have the pause time too.
    assert_eq!(children(&stage, job), [J::Paused, J::Paused]);
}

#[test]
fn running_failed_submit_of_critical_child_fails_kills_children() {
    let mut stage = stage();
    let text = text();
    let job =
        stage.bundle(None, &[("one", false, Some(&text)), ("none", true, None), ("two", false, Some(&text))]);
    stage.must(Event::Start(job));
    assert_eq!(stage.job_status(job), J::Failed);
    assert_eq!(children(&stage, job), [J::Killed, J::Failed, J::Killed]);
    assert_eq!(stage.job_status(JobId::coordinator(2)), J::Killed);
    // The one that was not submitted yet is not wanted any more.
    assert_eq!(stage.engine.coordinators().count(), 1);
    stage.wait_until(minute(300));
    assert_eq!(stage.job_status(job), J::Failed);
}

#[test]
fn running_runningwitherror_submit_of_non_critical_child_fails() {
    let mut stage = stage();
    let job = with_error(&mut stage);
    assert_eq!(children(&stage, job), [J::Running, J::Failed]);
}

#[test]
fn running_succeeded_all_children_terminated() {
    let mut stage = stage();
    stage.finishes = true;
    let job = running(&mut stage);
    stage.wait_until(minute(180));
    assert_eq!(children(&stage, job), [J::Succeeded, J::Succeeded]);
    assert_eq!(stage.job_status(job), J::Succeeded);
}

#[test]
fn runningwitherror_failed_submit_of_critical_child_fails() {
    let mut stage = stage();
    let text = text();
    let job = stage
        .bundle(None, &[("one", false, Some(&text)), ("none", false, None), ("crit", true, Some(&text))]);
    stage.answers = false;
    stage.must(Event::Start(job));
    let refused = || Err(Fault::new("E1001", "no"));
    stage.must(Event::CoordinatorPlanned { bundle: job, child: 0, outcome: Ok("one".into()) });
    stage.must(Event::CoordinatorPlanned { bundle: job, child: 1, outcome: refused() });
    assert_eq!(stage.job_status(job), J::RunningWithError);
    stage.must(Event::CoordinatorPlanned { bundle: job, child: 2, outcome: refused() });
    assert_eq!(stage.job_status(job), J::Failed);
    assert_eq!(children(&stage, job), [J::Killed, J::Failed, J::Failed]);
}

#[test]
fn runningwitherror_donewitherror_all_children_terminated() {
    let mut stage = stage();
    stage.finishes = true;
    let job = with_error(&mut stage);
    stage.wait_until(minute(180));
    assert_eq!(children(&stage, job), [J::Succeeded, J::Failed]);
    assert_eq!(stage.job_status(job), J::DoneWithError);
}

#[test]
fn runningwitherror_suspendedwitherror_user_suspend_suspends_children() {
    let mut stage = stage();
    let job = with_error(&mut stage);
    stage.must(Event::Suspend(job));
    assert_eq!(stage.job_status(job), J::SuspendedWithError);
    assert_eq!(children(&stage, job), [J::Suspended, J::Failed]);
}

#[test]
fn runningwitherror_pausedwitherror_pause_time_reaches() {
    let mut stage = stage();
    let job = with_error(&mut stage);
    paused(&mut stage, job);
    assert_eq!(stage.job_status(job), J::PausedWithError);
}

#[test]
fn paused_running_user_reset_pause_time_resets_that_of_children() {
    let mut stage = stage();
    let job = running(&mut stage);
    paused(&mut stage, job);
    stage.must(Event::Change(job, pause(None)));
    assert_eq!(stage.job_status(job), J::Running);
    assert_eq!(children(&stage, job), [J::Running, J::Running]);
    assert_eq!(stage.engine.coordinator(coordinator(&stage, job, 1)).expect("a job").pause, None);
}

#[test]
fn paused_suspended_user_suspend_suspends_children() {
    let mut stage = stage();
    let job = running(&mut stage);
    paused(&mut stage, job);
    stage.must(Event::Suspend(job));
    assert_eq!(stage.job_status(job), J::Suspended);
    assert_eq!(children(&stage, job), [J::Suspended, J::Suspended]);
}

#[test]
fn pausedwitherror_runningwitherror_user_reset_pause_time() {
    let mut stage = stage();
    let job = with_error(&mut stage);
    paused(&mut stage, job);
    stage.must(Event::Change(job, pause(None)));
    assert_eq!(stage.job_status(job), J::RunningWithError);
}

#[test]
fn pausedwitherror_suspendedwitherror_user_suspend() {
    let mut stage = stage();
    let job = with_error(&mut stage);
    paused(&mut stage, job);
    stage.must(Event::Suspend(job));
    assert_eq!(stage.job_status(job), J::SuspendedWithError);
}

#[test]
fn suspended_running_user_resume_resumes_children() {
    let mut stage = stage();
    let job = running(&mut stage);
    stage.must(Event::Suspend(job));
    stage.must(Event::Resume(job));
    assert_eq!(stage.job_status(job), J::Running);
    assert_eq!(children(&stage, job), [J::Running, J::Running]);
    assert_eq!(stage.actions(coordinator(&stage, job, 0)), [A::Running]);
    assert!(!stage.engine.bundle(job).expect("a bundle").is_pending());
}

#[test]
fn suspendedwitherror_runningwitherror_user_resume_resumes_children() {
    let mut stage = stage();
    let job = with_error(&mut stage);
    stage.must(Event::Suspend(job));
    stage.must(Event::Resume(job));
    assert_eq!(stage.job_status(job), J::RunningWithError);
    assert_eq!(children(&stage, job), [J::Running, J::Failed]);
}

#[test]
fn any_state_killed_user_kill_kills_children() {
    type Prepare = fn(&mut Stage) -> JobId;
    let begun: [Prepare; 3] = [prep, running, with_error];
    let then: [fn(&mut Stage, JobId); 3] =
        [|_, _| (), |stage, job| drop(stage.must(Event::Suspend(job))), |stage, job| paused(stage, job)];
    let mut states = BTreeSet::new();
    for (begin, then) in begun.iter().flat_map(|begin| then.iter().map(move |then| (begin, then))) {
        let mut stage = stage();
        let job = begin(&mut stage);
        then(&mut stage, job);
        states.insert(stage.job_status(job));
        stage.must(Event::Kill(job));
        assert_eq!(stage.job_status(job), J::Killed);
        for status in children(&stage, job) {
            assert!(matches!(status, J::Killed | J::Failed), "{status}");
        }
        assert!(!stage.engine.bundle(job).expect("a bundle").is_pending());
        // What is over cannot be killed, as a server has it.
        assert!(matches!(stage.tell(Event::Kill(job)), Err(EngineError::NotAllowed { .. })));
    }
    let alive = J::ALL.iter().filter(|status| !status.is_terminal());
    assert!(alive.eq(&states), "{states:?}");
}

#[test]
fn a_kill_before_the_coordinators_are_submitted_submits_none() {
    let mut stage = stage();
    let job = prep(&mut stage);
    stage.answers = false;
    stage.must(Event::Start(job));
    stage.must(Event::Kill(job));
    assert_eq!(stage.job_status(job), J::Killed);
    for child in 0..2 {
        let outcome = Ok(["one", "two"][child as usize].into());
        stage.must(Event::CoordinatorPlanned { bundle: job, child, outcome });
    }
    assert_eq!(stage.engine.coordinators().count(), 0);
    assert_eq!(stage.job_status(job), J::Killed);
    assert!(!stage.engine.bundle(job).expect("a bundle").is_pending());
}

#[test]
fn a_second_submission_with_an_external_id_finds_the_first() {
    let mut stage = stage();
    prep(&mut stage);
    let program = Submission::Bundle("bundle0".into());
    let submit = Submit::new(program, Some("mine".into()), false);
    let first = stage.must(Event::Submit(submit.clone()));
    assert_eq!(first, [Command::Submitted { job: JobId::bundle(2), existed: false }]);
    let second = stage.must(Event::Submit(submit));
    assert_eq!(second, [Command::Submitted { job: JobId::bundle(2), existed: true }]);
}

#[test]
fn a_start_that_fails_submits_nothing() {
    let mut stage = stage();
    prep(&mut stage);
    let broken = {
        let bundles = stage.apps.bundles.borrow();
        let mut program = ankus::engine::BundleProgram::clone(&bundles["bundle0"]);
        program.fault = Some(Fault::new("E1318", "nobody is enabled"));
        program
    };
    stage.apps.bundles.borrow_mut().insert("broken".to_owned(), std::sync::Arc::new(broken));
    let program = Submission::Bundle("broken".into());
    stage.must(Event::Submit(Submit::new(program, None, true)));
    assert_eq!(stage.job_status(JobId::bundle(2)), J::Failed);
    assert_eq!(stage.engine.coordinators().count(), 0);
}

#[test]
fn a_rerun_runs_coordinators_by_name_and_date() {
    let mut stage = stage();
    stage.finishes = true;
    let job = running(&mut stage);
    stage.wait_until(minute(180));
    assert_eq!(stage.job_status(job), J::Succeeded);
    stage.finishes = false;
    let dates = Some("2024-01-01T01:00Z::2024-01-01T02:00Z".into());
    let rerun = BundleRerun { coordinators: vec!["two".into()], dates, ..BundleRerun::default() };
    stage.must(Event::RerunBundle(job, rerun));
    assert_eq!(stage.job_status(job), J::Running);
    assert_eq!(stage.actions(coordinator(&stage, job, 0)), [A::Succeeded; 3]);
    assert_eq!(stage.actions(coordinator(&stage, job, 1)), [A::Succeeded, A::Running, A::Ready]);
    let none = BundleRerun { coordinators: vec!["three".into()], ..BundleRerun::default() };
    // One that it does not have is taken, and nothing is done.
    assert!(stage.must(Event::RerunBundle(job, none)).contains(&Command::Answered(Answer::Nothing)));
    stage.must(Event::Kill(job));
    assert!(matches!(
        stage.tell(Event::RerunBundle(job, BundleRerun::default())),
        Err(EngineError::NotAllowed { .. })
    ));
}

#[test]
fn a_change_of_the_end_goes_to_every_coordinator() {
    let mut stage = stage();
    stage.finishes = true;
    let job = running(&mut stage);
    stage.wait_until(minute(180));
    stage.must(Event::Change(job, Change { end: Some(minute(300)), ..Change::default() }));
    assert_eq!(stage.job_status(job), J::Running);
    stage.wait_until(minute(300));
    assert_eq!(stage.actions(coordinator(&stage, job, 1)), [A::Succeeded; 5]);
    assert_eq!(stage.job_status(job), J::Succeeded);
    let past = Change { pause: Some(Some(minute(5))), ..Change::default() };
    assert!(matches!(stage.tell(Event::Change(job, past)), Err(EngineError::Dropped(_))));
}

#[test]
fn coordinators_that_are_not_enabled_are_left_out() {
    let mut stage = stage();
    prep(&mut stage);
    let mut program = ankus::engine::BundleProgram::clone(&stage.apps.bundles.borrow()["bundle0"]);
    program.children[0].enabled = false;
    stage.apps.bundles.borrow_mut().insert("half".to_owned(), std::sync::Arc::new(program));
    let program = Submission::Bundle("half".into());
    stage.must(Event::Submit(Submit::new(program, None, true)));
    assert_eq!(children(&stage, JobId::bundle(2)), [J::Running]);
}

/// The tests that are named after rows.
const ROWS: &[(&str, fn())] = &rows![
    start_prep_user_submit,
    prep_running_user_start,
    prep_running_kick_off_time_reaches,
    prep_preppaused_pause_time_reaches,
    preppaused_prep_user_reset_pause_time,
    prep_prepsuspended_user_suspend,
    prepsuspended_prep_user_resume,
    running_suspended_user_suspend_suspends_children,
    running_paused_pause_time_reaches,
    running_failed_submit_of_critical_child_fails_kills_children,
    running_runningwitherror_submit_of_non_critical_child_fails,
    running_succeeded_all_children_terminated,
    runningwitherror_failed_submit_of_critical_child_fails,
    runningwitherror_donewitherror_all_children_terminated,
    runningwitherror_suspendedwitherror_user_suspend_suspends_children,
    runningwitherror_pausedwitherror_pause_time_reaches,
    paused_running_user_reset_pause_time_resets_that_of_children,
    paused_suspended_user_suspend_suspends_children,
    pausedwitherror_runningwitherror_user_reset_pause_time,
    pausedwitherror_suspendedwitherror_user_suspend,
    suspended_running_user_resume_resumes_children,
    suspendedwitherror_runningwitherror_user_resume_resumes_children,
    any_state_killed_user_kill_kills_children,
];

#[test]
fn every_row_of_the_state_transition_table_has_its_test() {
    if let Some(spec) = rows::of_bundles() {
        assert_eq!(spec.values().sum::<usize>(), 23);
        rows::hold(&spec, ROWS.iter().map(|(name, _)| *name));
    }
}
