//! What happens next in a random play: operators, data, and news of what runs outside.

use ankus::engine::coordinator::ActionRun;
use ankus::engine::status::{ActionStatus as A, JobStatus, NodeStatus, WorkflowStatus};
use ankus::engine::{
    ActionsRerun, BundleRerun, Change, Conf, CoordinatorRun, During, Event, Fault, JobId, JobKind, NodeEnd,
    NodeId, PlannedWorkflow, Scope, Semantics, Submission, Submit, Trouble, TroubleKind, WorkflowRerun,
};

use ankus::time::{Instant, ProcessingZone};

use super::engine::minute;
use super::play::{Play, Theme};
use super::random_apps::{BUNDLES, COORDINATORS, WORKFLOWS};

fn any<T: Copy>(play: &mut Play, all: &[T]) -> Option<T> {
    (!all.is_empty()).then(|| all[play.random.below(all.len())])
}

fn bundles_and_coordinators(play: &Play) -> Vec<JobId> {
    let bundles = play.engine.bundles().map(|job| job.id());
    bundles.chain(play.engine.coordinators().map(|job| job.id())).collect()
}

fn coordinator(play: &mut Play) -> Option<JobId> {
    let all: Vec<JobId> = play.engine.coordinators().map(|job| job.id()).collect();
    any(play, &all)
}

fn workflow(play: &mut Play, wanted: impl Fn(WorkflowStatus) -> bool) -> Option<JobId> {
    let all = play.engine.workflows().filter(|job| wanted(job.status));
    let all: Vec<JobId> = all.map(|job| job.id()).collect();
    any(play, &all)
}

fn bundle(play: &mut Play) -> Option<JobId> {
    let all: Vec<JobId> = play.engine.bundles().map(|job| job.id()).collect();
    any(play, &all)
}

/// Some job of any kind.
fn job(play: &mut Play) -> Option<JobId> {
    if play.random.one_in(3) {
        return workflow(play, |_| true);
    }
    let all = bundles_and_coordinators(play);
    any(play, &all)
}

/// Actions of a coordinator, some of which may not exist.
fn scope(play: &mut Play) -> Scope {
    let first = 1 + play.random.below(5);
    match play.random.below(4) {
        0 => Scope::Numbers(format!("{first}-{}", first + play.random.below(3)).into()),
        1 => {
            let hour = play.random.below(8);
            Scope::Dates(format!("2024-01-01T{hour:02}:00Z::2024-01-01T{:02}:00Z", hour + 2).into())
        }
        _ => Scope::Numbers(first.to_string().into()),
    }
}

fn at(play: &mut Play) -> Instant {
    minute(play.random.below(600) as i64)
}

/// The next deed; nothing where there is nothing to do it with.
pub fn deed(play: &mut Play) -> Option<Event> {
    match play.theme {
        Theme::Bundles if play.random.one_in(2) => {
            let job = bundle(play)?;
            operate(play, job)
        }
        Theme::Coordinators if play.random.one_in(2) => {
            let job = coordinator(play)?;
            operate(play, job)
        }
        Theme::Nodes if !play.random.one_in(4) => match play.random.below(5) {
            _ if play.outside.is_empty() => {
                if play.random.one_in(2) {
                    play.world.flag = Some(Some(1));
                }
                let wake = play.engine.next_wake().unwrap_or(play.now);
                play.wait_until(wake.max(play.now));
                workflow(play, |status| status == WorkflowStatus::Suspended).map(Event::Resume)
            }
            0 => workflow(play, |status| status == WorkflowStatus::Suspended).map(Event::Resume),
            1 => {
                play.world.flag = [None, Some(None), Some(Some(1))][play.random.below(3)];
                None
            }
            _ => news(play),
        },
        _ => anything(play),
    }
}

/// What is done with a bundle or a coordinator.
fn operate(play: &mut Play, job: JobId) -> Option<Event> {
    let of_bundle = job.kind == JobKind::Bundle;
    Some(match play.random.below(20) {
        0 if of_bundle => Event::Start(job),
        0 => Event::Change(job, Change { status: Some(JobStatus::Running), ..Change::default() }),
        1 if of_bundle => Event::Start(job),
        1 => Event::Change(job, Change { status: Some(JobStatus::Ignored), ..Change::default() }),
        2 | 3 => Event::Suspend(job),
        4 | 5 => Event::Resume(job),
        6 => Event::Change(job, Change { pause: Some(None), ..Change::default() }),
        7 | 8 => {
            let pause = play.now.plus_minutes(play.random.below(6) as i64);
            Event::Change(job, Change { pause: Some(Some(pause)), ..Change::default() })
        }
        9 => {
            let end = if play.random.one_in(3) { minute(0) } else { at(play) };
            Event::Change(job, Change { end: Some(end), ..Change::default() })
        }
        10 if !play.gentle || play.random.one_in(5) => Event::Kill(job),
        12 if !of_bundle => {
            let concurrency = Some(play.random.below(4) as i32 - 1);
            Event::Change(job, Change { concurrency, ..Change::default() })
        }
        13 if !of_bundle => {
            let number = any_over(play, |it| it.id() == job)?.0;
            Event::IgnoreActions(job, Scope::Numbers(number.to_string().into()))
        }
        11 if play.random.one_in(2) => return rerun_of_over(play),
        11 => {
            // The workflow of an action that waits again.
            let waits = |action: &&ActionRun| {
                matches!(action.status, A::Waiting | A::Ready | A::TimedOut | A::Skipped)
            };
            let actions = play.engine.coordinators().flat_map(|job| job.actions.iter().filter(waits));
            let workflows: Vec<u32> = actions.filter_map(|action| action.workflow).collect();
            let again = JobId::workflow(any(play, &workflows)?);
            Event::RerunWorkflow(again, rerun(play, again))
        }
        _ if of_bundle => {
            let refresh = play.random.one_in(3);
            let at = any_over(play, |it| it.bundle.is_some_and(|(of, _)| of == job.number))?.1;
            let dates = Some(ProcessingZone::UTC.format(at).into());
            Event::RerunBundle(job, BundleRerun { nocleanup: true, refresh, dates, ..BundleRerun::default() })
        }
        _ => {
            let (failed, refresh) = (play.random.one_in(2), play.random.one_in(3));
            if refresh && play.random.one_in(2) {
                // All that was there is lost, so what is refreshed waits in vain.
                play.world.uris.clear();
            }
            let number = any_over(play, |it| it.id() == job)?.0;
            let scope = Scope::Numbers(number.to_string().into());
            Event::RerunActions(job, ActionsRerun { refresh, failed, ..ActionsRerun::of(scope) })
        }
    })
}

/// An action that is over, of such coordinators: its number and its time.
fn any_over(play: &mut Play, of: impl Fn(&CoordinatorRun) -> bool) -> Option<(u32, Instant)> {
    let jobs = play.engine.coordinators().filter(|job| of(job));
    let over = |job: &CoordinatorRun| -> Vec<(u32, Instant)> {
        let over = (1u32..).zip(&job.actions).filter(|(_, action)| action.status.is_rerunnable());
        over.map(|(number, action)| (number, action.nominal)).collect()
    };
    let all: Vec<(u32, Instant)> = jobs.flat_map(over).collect();
    any(play, &all)
}

/// A rerun of some workflow that is over.
fn rerun_of_over(play: &mut Play) -> Option<Event> {
    let over = workflow(play, WorkflowStatus::is_terminal)?;
    Some(Event::RerunWorkflow(over, rerun(play, over)))
}

fn anything(play: &mut Play) -> Option<Event> {
    Some(match play.random.below(100) {
        0..=7 => return submit(play),
        8..=17 => {
            let (hour, dataset) = (play.random.below(12), play.random.below(2));
            let uri = format!("hdfs://nn/{}/20240101{hour:02}", ["d", "e"][dataset]);
            if play.random.one_in(5) {
                play.world.uris.remove(&uri);
            } else {
                play.put(uri);
            }
            return None;
        }
        18 => {
            play.world.flag = [None, Some(None), Some(Some(1))][play.random.below(3)];
            return None;
        }
        19..=61 => return news(play),
        62..=63 => Event::Start(job(play)?),
        64..=67 => Event::Suspend(job(play)?),
        68..=74 => {
            let suspended = workflow(play, |status| status == WorkflowStatus::Suspended);
            Event::Resume(suspended.filter(|_| true).or_else(|| job(play))?)
        }
        75 => Event::Resume(job(play)?),
        76..=77 => Event::Kill(job(play)?),
        78..=82 => {
            let job = job(play)?;
            Event::Change(job, change(play))
        }
        83..=87 => return rerun_of_over(play),
        88..=92 => {
            let (scope, conf) = (scope(play), play.random.one_in(4).then(|| Conf::new([("p", "3")])));
            let (nocleanup, refresh, failed) =
                (play.random.one_in(2), play.random.one_in(3), play.random.one_in(3));
            Event::RerunActions(coordinator(play)?, ActionsRerun { scope, nocleanup, refresh, failed, conf })
        }
        93..=94 => {
            let coordinators = if play.random.one_in(2) { vec![COORDINATORS[0].into()] } else { Vec::new() };
            let dates = play.random.one_in(2).then(|| "2024-01-01T00:00Z::2024-01-01T04:00Z".into());
            let refresh = play.random.one_in(3);
            Event::RerunBundle(bundle(play)?, BundleRerun { coordinators, dates, nocleanup: true, refresh })
        }
        95..=96 => {
            let scope = scope(play);
            Event::KillActions(coordinator(play)?, scope)
        }
        97..=98 => {
            let scope = scope(play);
            Event::IgnoreActions(coordinator(play)?, scope)
        }
        _ => Event::Tick,
    })
}

fn submit(play: &mut Play) -> Option<Event> {
    let bundled = play.engine.coordinators().filter(|job| job.bundle.is_none()).count();
    let alone = play.engine.workflows().filter(|job| job.parent.is_none()).count();
    if bundled + alone + play.engine.bundles().count() >= play.most_jobs {
        return None;
    }
    let kind = match play.theme {
        Theme::Everything => play.random.below(6),
        Theme::Nodes => 0,
        Theme::Coordinators => 2,
        Theme::Bundles => 5,
    };
    let program = match kind {
        0 | 1 => {
            let program = any(play, &WORKFLOWS)?.into();
            let conf = Some(play.conf());
            Submission::Workflow(PlannedWorkflow { program, name: "w".into(), conf })
        }
        2 | 3 => Submission::Coordinator(any(play, &COORDINATORS)?.into()),
        _ => Submission::Bundle(any(play, &BUNDLES)?.into()),
    };
    let external_id = play.random.one_in(4).then(|| "mine".into());
    let submit = Submit::new(program, external_id, !play.random.one_in(3));
    // What an older version has left behind is played on by its rules.
    let semantics = if play.random.one_in(5) { Semantics::FIRST } else { Semantics::CURRENT };
    Some(Event::Submit(Submit { semantics, ..submit }))
}

fn change(play: &mut Play) -> Change {
    let mut change = Change::default();
    match play.random.below(6) {
        0 => change.concurrency = Some(play.random.below(4) as i32 - 1),
        1 => change.end = Some(at(play)),
        2 => change.pause = Some(None),
        3 => change.status = Some([JobStatus::Running, JobStatus::Ignored][play.random.below(2)]),
        _ => {
            let minutes = play.random.below(90) as i64;
            change.pause = Some(Some(play.now.plus_minutes(minutes)));
        }
    }
    change
}

fn rerun(play: &mut Play, job: JobId) -> WorkflowRerun {
    let conf = play.random.one_in(3).then(|| Conf::new([("p", "2"), ("lost", "found")]));
    let program = play.random.one_in(5).then(|| WORKFLOWS[play.random.below(3)].into());
    if !play.random.one_in(3) {
        return WorkflowRerun { failed: true, conf, program, ..WorkflowRerun::default() };
    }
    let run = play.engine.workflow(job).expect("a workflow");
    let names: Vec<_> = run.nodes.iter().map(|node| run.node_name(node.node).clone()).collect();
    let skip = names.into_iter().filter(|_| play.random.one_in(4)).collect();
    WorkflowRerun { skip: Some(skip), conf, program, failed: false }
}

/// News of what runs outside, or ran.
fn news(play: &mut Play) -> Option<Event> {
    if play.random.one_in(6) && !play.dying.is_empty() {
        let at = play.random.below(play.dying.len());
        let (node, attempt) = play.dying.remove(at);
        let fault = play.random.one_in(3).then(|| Fault::new("JA017", "it does not die"));
        return Some(Event::NodeKilled { node, attempt, fault });
    }
    let (node, attempt) = play.any_outside()?;
    let code = ["JA008", "JA008", "JA018", "X"][play.random.below(4)];
    let fault = || Fault::new(code, "no");
    let ended = |end: NodeEnd| Event::NodeEnded { node, attempt, end };
    let kinds = if play.theme == Theme::Nodes { 34 } else { 20 };
    Some(match play.random.below(kinds) {
        0..=5 => Event::NodeStarted { node, attempt, external_id: Some("x".into()), tracker: None },
        6..=9 => ended(NodeEnd { ok: true, ..NodeEnd::default() }),
        10 => {
            let data = Some(format!("x={}", "y".repeat(1_500 + play.random.below(1_000))).into());
            ended(NodeEnd { ok: true, data, ..NodeEnd::default() })
        }
        11..=12 => ended(NodeEnd { ok: false, fault: Some(fault()), ..NodeEnd::default() }),
        13 => {
            // Late, or of nobody.
            let node = NodeId { node: node.node + play.random.below(2) as u32, ..node };
            Event::NodeEnded { node, attempt: attempt - 1, end: NodeEnd::default() }
        }
        _ => {
            use TroubleKind::{Error, Failed, NonTransient, Transient};
            let kind = [Transient, Transient, NonTransient, Error, Failed][play.random.below(5)];
            let during = match play.theme {
                Theme::Nodes => fitting(play, node),
                _ => [During::Start, During::Check, During::End][play.random.below(3)],
            };
            Event::NodeTrouble { node, attempt, trouble: Trouble { kind, during, fault: fault() } }
        }
    })
}

/// What can go wrong with a node as it is.
fn fitting(play: &mut Play, node: NodeId) -> During {
    use NodeStatus::{Done, EndManual, EndRetry, Running};
    let status = play.engine.workflow(node.job()).and_then(|job| job.node(node.node)).map(|run| run.status);
    match status {
        Some(Running) => [During::Check, During::End][play.random.below(2)],
        Some(Done | EndRetry | EndManual) => During::End,
        _ => During::Start,
    }
}
