//! Recorded plays of a real server's commands by `run --stub`, where a play needs nothing that a rehearsal lacks: the
//! same changes at the same times as in `simulate`, which is held against the server itself.
//!
//! `ANKUS_PLAY=name` plays one, `ANKUS_THOROUGH=1` all.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::mpsc::Receiver;
use std::thread;

use ankus::engine::{Answer, Change, Changed, Command, Event, JobId, Submit};
use ankus::execute::clock::Clock;
use ankus::execute::executor::Executor;
use ankus::execute::news::News;
use ankus::report::run_lines::Heard;
use ankus::shell::staging::Stage;
use ankus::simulate::scenario::{self, Scenario, Target};
use ankus::simulate::{Around, Told};
use ankus::time::Instant;
use serde_json::Value;

use crate::support::executor::{lock, options, place};
use crate::support::server_plays::ServerPlay;

/// Of so many plays one is played at the desk.
const SAMPLE: usize = 5;

/// The names of the actions that a play decides on.
fn decided(play: &ServerPlay) -> BTreeSet<&str> {
    let pieces = play.files.values().flat_map(|text| text.split("<action name=\"").skip(1));
    let java =
        pieces.filter(|piece| piece.split("</action>").next().is_some_and(|own| own.contains("<java>")));
    java.filter_map(|piece| piece.split('"').next()).collect()
}

/// How the actions end, as `--stub` says it, and how many minutes each of them takes; nothing where a rehearsal cannot
/// say it: ends that depend on attempts or times, other errors than those of an end, different durations.
fn stubs(play: &ServerPlay) -> Option<(Vec<String>, i64)> {
    let names = decided(play);
    let (mut ends, mut lengths) = (BTreeMap::new(), BTreeMap::new());
    for rule in &play.actions {
        let known = ["node", "status", "duration"];
        if rule.keys().any(|key| !known.contains(&&**key)) {
            return None;
        }
        let of: Vec<&str> = match rule.get("node").and_then(Value::as_str) {
            Some(node) => vec![node],
            None => names.iter().copied().collect(),
        };
        for node in of {
            match rule.get("status").and_then(Value::as_str) {
                None | Some("ok") => {}
                Some("error") => drop(ends.insert(node, "ERROR")),
                Some(_) => return None,
            }
            if let Some(minutes) = rule.get("duration").and_then(Value::as_i64) {
                lengths.insert(node, minutes);
            }
        }
    }
    let minutes: BTreeSet<i64> = names.iter().map(|name| lengths.get(name).copied().unwrap_or(5)).collect();
    let is_one = minutes.len() <= 1 && !play.files.values().any(|text| text.contains("<fs>"));
    let minutes = minutes.first().copied().unwrap_or(5);
    let ends = ends.iter().map(|(name, end)| format!("{name}={end}")).chain(["all".to_owned()]);
    is_one.then(|| (ends.collect(), minutes))
}

/// A clock that is moved.
struct Moved<'a>(Cell<Instant>, &'a Around<'a>);

impl Moved<'_> {
    fn set(&self, now: Instant) {
        self.0.set(self.0.get().max(now));
        self.1.set_now(self.0.get());
    }
}

impl Clock for Moved<'_> {
    fn now(&self) -> Instant {
        self.0.get()
    }

    fn wait(&self, until: Option<Instant>, news: &Receiver<News>) -> Option<News> {
        let heard = news.try_recv().ok();
        if heard.is_none()
            && let Some(until) = until
        {
            self.set(until);
        }
        heard
    }
}

/// What has changed, a line each.
fn changes(at: Instant, commands: &[Command]) -> Option<String> {
    let words = commands.iter().filter_map(|command| match command {
        Command::Changed(Changed::Job(id, from, to)) => Some(format!("{id} {from} {to}")),
        Command::Changed(Changed::Action(id, from, to)) => Some(format!("{id} {from} {to}")),
        Command::Changed(Changed::Workflow(id, from, to)) => Some(format!("{id} {from} {to}")),
        Command::Changed(Changed::Node(id, from, to)) => Some(format!("{id} {from} {to}")),
        Command::Created { action, .. } => Some(format!("{action} is created")),
        Command::Answered(Answer::Refused(fault)) => Some(format!("{} is told", fault.code)),
        _ => None,
    });
    let words: Vec<String> = words.collect();
    (!words.is_empty()).then(|| format!("{}: {}", at.millis() / 60_000, words.join(", ")))
}

/// The job that an operator means.
fn job_of(executor: &Executor<'_>, target: &Target, app: Option<JobId>) -> Option<JobId> {
    let engine = executor.engine();
    let coordinator = |name: &str| engine.coordinators().find(|job| &*job.program.job.name == name);
    match target {
        Target::App => app,
        Target::Coordinator(name) => coordinator(name).map(|job| job.id()),
        Target::WorkflowOf(name, number) => coordinator(name)?.action(*number)?.workflow.map(JobId::workflow),
        Target::Below(above, nodes) => {
            let mut job = job_of(executor, above, app)?;
            for node in nodes {
                let above = engine.workflow(job)?;
                let child = above.node(above.program.find(node)?)?.facts.as_ref()?.child?;
                job = JobId::workflow(child);
            }
            Some(job)
        }
    }
}

fn event_of(command: &scenario::Command, job: JobId) -> Option<Event> {
    use scenario::Command as Told;
    Some(match command {
        Told::Start => Event::Start(job),
        Told::Suspend => Event::Suspend(job),
        Told::Resume => Event::Resume(job),
        Told::Kill => Event::Kill(job),
        Told::KillActions(scope) => Event::KillActions(job, scope.clone()),
        Told::Change(change) => Event::Change(job, change.clone()),
        Told::RerunActions(rerun) => Event::RerunActions(job, rerun.clone()),
        Told::RerunBundle(rerun) => Event::RerunBundle(job, rerun.clone()),
        Told::RerunWorkflow(rerun) => Event::RerunWorkflow(job, rerun.clone()),
        Told::Ignore => {
            let status = Some(ankus::engine::status::JobStatus::Ignored);
            Event::Change(job, Change { status, ..Change::default() })
        }
        Told::IgnoreActions(scope) => Event::IgnoreActions(job, scope.clone()),
        Told::Submit { .. } | Told::Pause => return None,
    })
}

/// What a play comes to, both ways: changes with their minutes, and whether each command was refused.
#[derive(Debug, Default, PartialEq)]
struct Both {
    changes: Vec<String>,
    refused: Vec<bool>,
}

/// What `simulate` and `run --stub` make of a play; nothing when its submission is refused.
fn both(play: &ServerPlay, number: usize) -> Option<Result<(Both, Both), String>> {
    let (stubs, minutes) = stubs(play)?;
    let done = play.accepted(|program, loaded, submitted, folder| {
        let mut simulated = Both::default();
        let mut hear = |told: &Told<'_>| simulated.changes.extend(changes(told.at, told.commands));
        let (simulation, _) = play.played(program, loaded, submitted.clone(), &mut hear)?;
        let operations = simulation.operations.iter().filter(|it| it.command != "submit");
        simulated.refused = operations.map(|it| it.refusal.is_some() || it.unmet.is_some()).collect();

        let (_, app) = Stage::new(program, loaded, submitted.clone(), None);
        let scenario = Scenario::read(&play.scenario(), app.zone, &app.names, app.begin, None);
        let scenario = scenario.map_err(|faults| format!("{faults:?}"))?;
        let begin = scenario.begin.expect("a play says when it begins");
        let around = Around::new(&app, &scenario);
        let clock = Moved(Cell::new(begin), &around);
        around.set_now(begin);
        let store = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("run-server-{number}"));
        let _ = std::fs::remove_dir_all(&store);
        let place = place(&folder.join(&play.app), &store);
        let (mut ran, mut refused) = (Vec::new(), Vec::new());
        let mut hear = |heard: Heard<'_>| ran.extend(changes(heard.recorded.at, heard.commands));
        let stubs: Vec<&str> = stubs.iter().map(String::as_str).collect();
        let mut options = options(&stubs);
        (options.jobs, options.stub_millis) = (usize::MAX, minutes * 60_000);
        options.server = program.server.clone();
        let fault = |error: &dyn std::fmt::Display| error.to_string();
        let mut executor = place
            .executor(lock(&place).map_err(|it| fault(&it))?, options, &clock, Some(&mut hear))
            .map_err(|it| fault(&it))?;
        executor.sees(&around);
        let mut job = None;
        let submit = |executor: &mut Executor<'_>, start: bool| {
            let submission =
                executor.deployed().submission(loaded, &submitted).map_err(|it| it.message.to_string())?;
            let submit = Submit::new(submission, None, start);
            executor.submit(submit).map_err(|it| fault(&it)).map(|(id, _)| Some(id))
        };
        if !scenario.operators.iter().any(|it| matches!(it.command, scenario::Command::Submit { .. })) {
            job = submit(&mut executor, true)?;
        }
        for operator in &scenario.operators {
            executor.run(Some(operator.at)).map_err(|it| fault(&it))?;
            clock.set(operator.at);
            if let scenario::Command::Submit { start, .. } = operator.command {
                job = submit(&mut executor, start)?;
                continue;
            }
            let event =
                job_of(&executor, &operator.target, job).and_then(|job| event_of(&operator.command, job));
            let told = event.map(|event| executor.operate(event));
            refused.push(!matches!(told, Some(Ok(Ok(())))));
        }
        let until = scenario.until.expect("a play says how far it goes");
        // What happens at that very time belongs to it.
        executor.run(Some(until.plus_millis(1))).map_err(|it| fault(&it))?;
        drop(executor);
        let _ = std::fs::remove_dir_all(&store);
        Ok((simulated, Both { changes: ran, refused }))
    });
    done.ok()
}

#[test]
#[cfg_attr(not(has_reference), ignore = "needs the reference material")]
fn plays_of_a_server_are_rehearsed_as_they_are_simulated() {
    let all = crate::reference_server::plays();
    let single = std::env::var("ANKUS_PLAY").is_ok();
    let step = if single || std::env::var_os("ANKUS_THOROUGH").is_some() { 1 } else { SAMPLE };
    let fitting: Vec<(usize, &ServerPlay)> =
        all.iter().enumerate().filter(|(_, play)| stubs(play).is_some()).step_by(step).collect();
    let compare = |(number, play): &(usize, &ServerPlay)| -> Option<String> {
        let (simulated, ran) = match both(play, *number)? {
            Ok(both) => both,
            Err(words) => return Some(format!("{}: {words}", play.name)),
        };
        if simulated == ran {
            return None;
        }
        let lines = simulated.changes.iter().zip(&ran.changes).find(|(one, other)| one != other);
        let (one, other) = (simulated.changes.len(), ran.changes.len());
        let refused = (simulated.refused != ran.refused).then_some((&simulated.refused, &ran.refused));
        Some(format!("{}: {lines:#?}, {one} and {other} changes, refused {refused:?}", play.name))
    };
    let half = fitting.len().div_ceil(2).max(1);
    let faults: Vec<String> = thread::scope(|scope| {
        let parts: Vec<_> = fitting
            .chunks(half)
            .map(|part| scope.spawn(|| part.iter().filter_map(compare).collect::<Vec<_>>()))
            .collect();
        parts.into_iter().flat_map(|part| part.join().expect("a thread")).collect()
    });
    println!("{} of {} plays rehearsed, {} differ", fitting.len(), all.len(), faults.len());
    assert!(single || fitting.len() > 200 / step, "only {} plays", fitting.len());
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
