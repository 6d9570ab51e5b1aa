//! The services of a server that come by less often than each minute: what they find they find late.

use crate::support::engine::{Stage, minute};
use crate::support::hourly::{end, one, pause, plain};
use ankus::engine::status::{ActionStatus, JobStatus};
use ankus::engine::{Event, JobId, Server, Settings};

/// A stage whose services come by so often, in minutes.
fn stage(status: i64, pauses: i64) -> Stage {
    let server = Server { status_interval: status * 60, pause_interval: pauses * 60, ..Server::default() };
    let mut stage = Stage::with(server.over(&Settings::default()));
    stage.answers = true;
    stage.add("hdfs://nn/wf", &one());
    stage
}

/// The states that a job has at these minutes.
fn states(stage: &mut Stage, job: JobId, minutes: &[i64]) -> Vec<JobStatus> {
    let at = |until: &i64| {
        stage.wait_until(minute(*until));
        stage.job_status(job)
    };
    minutes.iter().map(at).collect()
}

#[test]
fn the_status_service_looks_at_its_own_times() {
    use JobStatus::{Running, Succeeded};
    for (interval, after) in [(1, [Succeeded; 3]), (10, [Running, Running, Succeeded])] {
        let mut stage = stage(interval, 1);
        let text = plain(0, 1, "");
        let bundle = stage.bundle(Some(minute(0)), &[("one", false, Some(&text))]);
        let coordinator = stage.engine.coordinators().next().expect("a coordinator").id();
        stage.wait_until(minute(3));
        end(&mut stage, coordinator, 1, true);
        assert_eq!(stage.actions(coordinator), [ActionStatus::Succeeded]);
        assert_eq!(states(&mut stage, coordinator, &[3, 9, 10]), after, "{interval}");
        assert_eq!(stage.job_status(bundle), Succeeded);
        assert_eq!(stage.again().coordinator(coordinator).map(|job| job.status), Some(Succeeded));
    }
}

#[test]
fn the_pause_service_pauses_at_its_own_times() {
    use JobStatus::{Paused, Running};
    for (interval, then) in [(1, [Paused, Paused, Paused]), (10, [Running, Running, Paused])] {
        let mut stage = stage(1, interval);
        let text = plain(0, 3, "");
        let coordinator = stage.coordinate(&text, &[]);
        let bundle = stage.bundle(Some(minute(0)), &[("one", false, Some(&text))]);
        for job in [coordinator, bundle] {
            let begin = (stage.now.millis() - minute(0).millis()) / 60_000;
            stage.must(Event::Change(job, pause(Some(begin + 12))));
            let at = [12, 19, 20].map(|minutes| begin + minutes);
            assert_eq!(states(&mut stage, job, &at), then, "{job} {interval}");
            // The time has passed when it is told.
            stage.must(Event::Change(job, pause(None)));
            assert_eq!(stage.job_status(job), Running);
            let told = begin + 33;
            stage.wait_until(minute(told));
            stage.must(Event::Change(job, pause(Some(if job == bundle { told } else { told - 2 }))));
            assert_eq!(states(&mut stage, job, &[told, begin + 39, begin + 40]), then, "{job} {interval}");
            stage.must(Event::Change(job, pause(None)));
        }
    }
}

#[test]
fn a_pause_that_is_taken_back_in_time_never_comes() {
    let mut stage = stage(1, 10);
    let job = stage.coordinate(&plain(0, 3, ""), &[]);
    stage.must(Event::Change(job, pause(Some(12))));
    stage.wait_until(minute(15));
    stage.must(Event::Change(job, pause(None)));
    assert_eq!(states(&mut stage, job, &[20, 30]), [JobStatus::Running; 2]);
}

#[test]
fn the_pause_service_starts_bundles_at_its_own_times() {
    use JobStatus::{Prep, Running};
    let text = plain(0, 3, "");
    for (kick_off, interval, then) in [
        (Some(12), 1, [Prep, Running, Running, Running]),
        (Some(12), 10, [Prep, Prep, Prep, Running]),
        (None, 1, [Running; 4]),
        (None, 20, [Prep, Prep, Prep, Running]),
    ] {
        let mut stage = stage(1, interval);
        stage.wait_until(minute(2));
        let job = stage.bundle(kick_off.map(minute), &[("one", false, Some(&text))]);
        assert_eq!(stage.job_status(job), Prep);
        assert_eq!(states(&mut stage, job, &[11, 12, 19, 20]), then, "{kick_off:?} {interval}");
    }
}
