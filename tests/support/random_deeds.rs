//! What happens next in a random play: operators, data, and news of what runs outside.

use ankus::engine::status::{JobStatus, WorkflowStatus};
use ankus::engine::{
    ActionsRerun, BundleRerun, Change, Conf, During, Event, Fault, JobId, NodeEnd, NodeId, PlannedWorkflow,
    Scope, Submission, Submit, Trouble, TroubleKind, WorkflowRerun,
};

use super::engine::minute;
use super::play::Play;
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

fn at(play: &mut Play) -> ankus::time::Instant {
    minute(play.random.below(600) as i64)
}

/// The next deed; nothing where there is nothing to do it with.
pub fn deed(play: &mut Play) -> Option<Event> {
    Some(match play.random.below(100) {
        0..=7 => return submit(play),
        8..=17 => {
            let (hour, dataset) = (play.random.below(12), play.random.below(2));
            play.put(format!("hdfs://nn/{}/20240101{hour:02}", ["d", "e"][dataset]));
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
        83..=87 => {
            let over = workflow(play, WorkflowStatus::is_terminal)?;
            Event::RerunWorkflow(over, rerun(play, over))
        }
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
    let kind = play.random.below(6);
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
    Some(Event::Submit(Submit { program, external_id, start: !play.random.one_in(3) }))
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
    Some(match play.random.below(20) {
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
            let during = [During::Start, During::Check, During::End][play.random.below(3)];
            Event::NodeTrouble { node, attempt, trouble: Trouble { kind, during, fault: fault() } }
        }
    })
}
