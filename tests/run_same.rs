//! What `run` does with actions that are not run is what `simulate` plays, event by event.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::mpsc::Receiver;

use ankus::engine::status::ActionStatus;
use ankus::engine::{Changed, Command, Event, JobKind, Submit};
use ankus::execute::clock::{Clock, JumpingClock};
use ankus::execute::executor::Stop;
use ankus::execute::news::News;
use ankus::report::run_lines::Heard;
use ankus::shell::staging::Stage;
use ankus::shell::submission::Submitted;
use ankus::simulate::scenario::Scenario;
use ankus::simulate::{self, Around, Told, play};
use ankus::time::Instant;

use crate::run::{shell, workflow};
use crate::support::executor::{lock, options, place, with_app};
use crate::support::{folder_of, root};

/// Combinations of outcomes that are tried of one app.
const MOST: u32 = 64;

/// How long coordinators are played, in minutes: the first of these after which no more than [`EVENTS`] have happened.
const HORIZONS: [i64; 5] = [24 * 60, 6 * 60, 60, 20, 0];

/// How many events a play of a coordinator has at most, unless it has them at once.
const EVENTS: u64 = 250;

/// All definitions of apps below a folder.
fn apps(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<_> =
        std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            apps(&path, found);
        } else if path.file_name().is_some_and(|name| {
            ["workflow.xml", "coordinator.xml", "bundle.xml"].iter().any(|wanted| name == *wanted)
        }) {
            found.push(path);
        }
    }
}

/// What happened, times aside.
fn shown(event: &Event, commands: &[Command]) -> String {
    let what = match event {
        Event::Submit(_) => "submit".to_owned(),
        Event::Tick => "tick".to_owned(),
        Event::CoordinatorPlanned { bundle, child, outcome } => {
            format!("planned {bundle} {child} {}", outcome.is_ok())
        }
        Event::WorkflowPlanned { parent, outcome } => format!("planned {parent:?} {}", outcome.is_ok()),
        Event::Looked { subject, facts } => format!("looked {subject:?} {facts:?}"),
        Event::NodeStarted { node, attempt, .. } => format!("started {node} {attempt}"),
        Event::NodeEnded { node, attempt, end } => format!("ended {node} {attempt} {}", end.ok),
        Event::NodeKilled { node, attempt, .. } => format!("killed {node} {attempt}"),
        other => format!("{other:?}"),
    };
    let changes = commands.iter().filter_map(|command| match command {
        Command::Changed(Changed::Job(id, from, to)) => Some(format!("{id} {from} {to}")),
        Command::Changed(Changed::Action(id, from, to)) => Some(format!("{id} {from} {to}")),
        Command::Changed(Changed::Workflow(id, from, to)) => Some(format!("{id} {from} {to}")),
        Command::Changed(Changed::Node(id, from, to)) => Some(format!("{id} {from} {to}")),
        Command::Created { action, nominal } => Some(format!("{action} for {nominal:?}")),
        Command::Sla(event) => Some(format!("{event:?}")),
        _ => None,
    });
    format!("{what}: {}", changes.collect::<Vec<_>>().join(", "))
}

/// A clock that tells the world what time it is.
struct WithWorld<'a>(JumpingClock, &'a Around<'a>);

impl Clock for WithWorld<'_> {
    fn now(&self) -> Instant {
        self.0.now()
    }

    fn wait(&self, until: Option<Instant>, news: &Receiver<News>) -> Option<News> {
        let heard = self.0.wait(until, news);
        self.1.set_now(self.0.now());
        heard
    }
}

/// What was compared of one app.
#[derive(Default)]
struct Compared {
    plays: u32,
    events: usize,
    /// Actions of coordinators that ended well.
    actions: usize,
}

/// Plays one app with every combination of outcomes, both ways; nothing when it is refused, or when it runs what the
/// project does not hold, which is played as one action and cannot be run.
fn compare(path: &Path, number: usize) -> Option<(JobKind, Compared)> {
    let store = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("same-{number}"));
    let compared = with_app(path, |program, loaded, submitted| {
        let place = place(path, &store);
        let (kind, mut compared) = (kind_of(&submitted), Compared::default());
        let is_workflow = kind == JobKind::Workflow;
        let begin = is_workflow.then_some(Instant::EPOCH);
        let names: BTreeSet<String> = {
            let (_, app) = Stage::new(program, loaded, submitted.clone(), begin);
            app.names.workflows.iter().flat_map(|it| it.nodes.iter()).map(|name| name.to_string()).collect()
        };
        let mut horizon = None;
        for outcomes in 0..(1_u32 << names.len().min(6)).min(MOST) {
            let is_bad = |index: usize| index < 6 && outcomes >> index & 1 == 1;
            let bad: Vec<&String> =
                names.iter().enumerate().filter(|(index, _)| is_bad(*index)).map(|(_, name)| name).collect();
            let mut text = "[[action]]\nduration = \"60s\"\n".to_owned();
            for name in &bad {
                text.push_str(&format!("[[action]]\nnode = \"{name}\"\nstatus = \"error\"\n"));
            }
            // Simulated.
            let (simulated, record) = loop {
                let (stage, app) = Stage::new(program, loaded, submitted.clone(), begin);
                let scenario = Scenario::read(&text, app.zone, &app.names, app.begin, None).ok()?;
                let until = horizon.map(|index: usize| app.begin.plus_minutes(HORIZONS[index]));
                let mut events = Vec::new();
                let mut hear = |told: Told<'_>| events.push(shown(told.event, told.commands));
                let options = simulate::Options::of(&app, &scenario, None, until);
                let options = simulate::Options { max_events: EVENTS * 20, ..options };
                let played = play(&stage, &app, &scenario, options, Some(&mut hear));
                if !stage.strangers().is_empty() {
                    return None;
                }
                let next = horizon.map_or(0, |index| index + 1);
                if (is_workflow || played.as_ref().is_ok_and(|played| played.events <= EVENTS))
                    || next == HORIZONS.len()
                {
                    let played =
                        played.unwrap_or_else(|error| panic!("{} does not play: {error:?}", path.display()));
                    break (events, played);
                }
                horizon = Some(next);
            };
            // Run.
            let (_, app) = Stage::new(program, loaded, submitted.clone(), begin);
            let scenario = Scenario::read(&text, app.zone, &app.names, app.begin, None).ok()?;
            let around = Around::new(&app, &scenario);
            around.set_now(app.begin);
            let clock = WithWorld(JumpingClock::at(app.begin, false), &around);
            let _ = std::fs::remove_dir_all(&place.folder);
            let mut stubs: Vec<String> = bad.iter().map(|name| format!("{name}=ERROR")).collect();
            stubs.push("all".to_owned());
            let stubs: Vec<&str> = stubs.iter().map(String::as_str).collect();
            let (mut ran, written, mut made) = (Vec::new(), Cell::new(0), BTreeMap::new());
            let mut hear = |heard: Heard<'_>| {
                ran.push(shown(&heard.recorded.event, heard.commands));
                for command in heard.commands {
                    match command {
                        Command::Created { action, nominal } => {
                            made.insert(*action, (*nominal, heard.recorded.at));
                        }
                        Command::Changed(Changed::Action(id, _, ActionStatus::Succeeded)) => {
                            let name = record.coordinators.iter().find(|it| it.id == id.job());
                            let name = &name.expect("it was simulated too").name;
                            let program = app.coordinators.iter().find(|it| it.job.name == *name);
                            let (nominal, created) = made[id];
                            around.write(program.expect("a coordinator of the app"), *id, nominal, created);
                            written.set(written.get() + 1);
                        }
                        _ => {}
                    }
                }
            };
            let store = lock(&place).expect("a store");
            let mut options = options(&stubs);
            options.jobs = usize::MAX;
            let mut executor = place.executor(store, options, &clock, Some(&mut hear)).expect("an executor");
            executor.sees(&around);
            let submission = executor.deployed().submission(loaded, &submitted).expect("a submission");
            let submit = Submit::new(submission, None, true);
            executor.submit(submit).expect("submitted");
            // What happens at that very time belongs to it.
            let until = horizon.map(|index| app.begin.plus_minutes(HORIZONS[index]).plus_millis(1));
            let stop = executor.run(until).expect("it runs");
            assert!(matches!(stop, Stop::Done | Stop::Stuck | Stop::Until), "{stop:?}");
            drop(executor);
            assert_eq!(ran, simulated, "{} with {bad:?} failing until {horizon:?}", path.display());
            compared.plays += 1;
            compared.events += ran.len();
            compared.actions += written.get();
        }
        Some((kind, compared))
    });
    let _ = std::fs::remove_dir_all(&store);
    compared
}

fn kind_of(submitted: &Submitted) -> JobKind {
    match submitted {
        Submitted::Workflow(_) => JobKind::Workflow,
        Submitted::Coordinator(..) => JobKind::Coordinator,
        Submitted::Bundle(..) => JobKind::Bundle,
    }
}

/// Compares all apps of one kind; what was compared of how many.
fn compare_all(name: &str, wanted: JobKind) -> (usize, Compared) {
    let mut found = Vec::new();
    for folder in ["fixtures/rules", "fixtures/simulate", "fixtures/graph", "fixtures/demo"] {
        apps(&root().join(folder), &mut found);
    }
    found.retain(|path| path.ends_with(name));
    let mut all = Compared::default();
    let mut compared = 0;
    for (number, path) in found.iter().enumerate() {
        let Some((kind, one)) = compare(path, number + 1_000 * (wanted as usize)) else { continue };
        if wanted != JobKind::Workflow {
            println!(
                "{}: {} plays, {} events, {} actions",
                path.display(),
                one.plays,
                one.events,
                one.actions
            );
        }
        assert_eq!(kind, wanted, "{}", path.display());
        compared += 1;
        all.plays += one.plays;
        all.events += one.events;
        all.actions += one.actions;
    }
    println!(
        "{compared} of {} apps, {} plays, {} events, {} actions of coordinators",
        found.len(),
        all.plays,
        all.events,
        all.actions
    );
    (compared, all)
}

#[test]
fn a_rehearsal_is_what_is_simulated() {
    let (apps, _) = compare_all("workflow.xml", JobKind::Workflow);
    assert!(apps > 100, "only {apps} apps are accepted");
}

#[test]
fn a_rehearsal_of_a_coordinator_is_what_is_simulated() {
    let (apps, all) = compare_all("coordinator.xml", JobKind::Coordinator);
    assert!(apps > 20 && all.actions > 2, "{apps} apps, {} actions", all.actions);
}

#[test]
fn a_rehearsal_of_a_bundle_is_what_is_simulated() {
    let (apps, all) = compare_all("bundle.xml", JobKind::Bundle);
    assert!(apps > 5 && all.actions > 1, "{apps} apps, {} actions", all.actions);
}

/// Two coordinators of which one reads what the other writes, one that only takes the last, and one whose data are late;
/// their workflows have a fork, a decision and a workflow below.
fn woven() -> PathBuf {
    let data = |inner: &str| {
        format!(
            r#"<datasets><dataset name="raw" frequency="60" initial-instance="2024-01-01T00:00Z" timezone="UTC">
            <uri-template>hdfs://nn/raw/${{DAY}}/${{HOUR}}</uri-template></dataset>
            <dataset name="made" frequency="60" initial-instance="2024-01-01T00:00Z" timezone="UTC">
            <uri-template>hdfs://nn/made/${{DAY}}/${{HOUR}}</uri-template></dataset></datasets>{inner}"#
        )
    };
    let input = |dataset: &str, instance: &str| {
        format!(
            r#"<input-events><data-in name="in" dataset="{dataset}"><instance>${{coord:{instance}}}</instance></data-in>
            </input-events>"#
        )
    };
    let output = r#"<output-events><data-out name="out" dataset="made"><instance>${coord:current(0)}</instance>
        </data-out></output-events>"#;
    let coordinator = |name: &str, controls: &str, inner: &str, app: &str| {
        format!(
            r#"<coordinator-app name="{name}" frequency="60" start="2024-01-01T00:00Z" end="2024-01-01T04:00Z"
            timezone="UTC" xmlns="uri:oozie:coordinator:0.4"><controls>{controls}</controls>{}<action><workflow>
            <app-path>hdfs://nn/apps/{app}</app-path></workflow></action></coordinator-app>"#,
            data(inner)
        )
    };
    let made = format!("{}{output}", input("raw", "current(0)"));
    let below = r#"<action name="below"><sub-workflow><app-path>hdfs://nn/apps/leaf</app-path></sub-workflow>
        <ok to="end"/><error to="look"/></action><decision name="look"><switch>
        <case to="fail">${wf:errorCode('below') eq 'E9999'}</case><default to="mend"/></switch></decision>"#;
    let fork = format!(
        r#"<start to="fork"/><fork name="fork"><path start="left"/><path start="right"/></fork>{}{}
        <join name="join" to="below"/>{below}{}"#,
        shell("left", "x", &[], "join"),
        shell("right", "x", &[], "join"),
        shell("mend", "x", &[], "end")
    );
    let leaf = format!(r#"<start to="leaf"/>{}"#, shell("leaf", "x", &[], "end"));
    let bundle = r#"<bundle-app name="woven" xmlns="uri:oozie:bundle:0.2">
        <coordinator name="makes"><app-path>hdfs://nn/apps/makes</app-path></coordinator>
        <coordinator name="reads"><app-path>hdfs://nn/apps/reads</app-path></coordinator></bundle-app>"#;
    let files = [
        ("ankus.toml", "[paths]\n\"hdfs://nn/apps\" = \".\"\n".to_owned()),
        ("all/bundle.xml", bundle.to_owned()),
        ("makes/coordinator.xml", coordinator("makes", "", &made, "fork")),
        ("reads/coordinator.xml", coordinator("reads", "", &input("made", "current(0)"), "leaf")),
        ("last/coordinator.xml", coordinator("last", "<execution>LAST_ONLY</execution>", "", "fork")),
        ("lifo/coordinator.xml", coordinator("lifo", "<execution>LIFO</execution>", "", "leaf")),
        ("none/coordinator.xml", coordinator("none", "<execution>NONE</execution>", "", "leaf")),
        (
            "late/coordinator.xml",
            coordinator("late", "<timeout>30</timeout>", &input("raw", "current(1)"), "leaf"),
        ),
        ("newest/coordinator.xml", coordinator("newest", "", &input("raw", "latest(0)"), "leaf")),
        ("coming/coordinator.xml", coordinator("coming", "", &input("raw", "future(1, 3)"), "leaf")),
        ("fork/workflow.xml", workflow("fork", &fork)),
        ("leaf/workflow.xml", workflow("leaf", &leaf)),
    ];
    let files: Vec<_> = files.iter().map(|(path, text)| (*path, text.as_str())).collect();
    folder_of("same-woven", &files)
}

#[test]
fn a_rehearsal_of_what_waits_for_each_other_is_what_is_simulated() {
    let mut found = Vec::new();
    apps(&woven(), &mut found);
    let mut actions = 0;
    for (number, path) in found.iter().enumerate() {
        let one = compare(path, 10_000 + number);
        let (_, one) = one.unwrap_or_else(|| panic!("{} is not compared", path.display()));
        println!("{}: {} plays, {} events, {} actions", path.display(), one.plays, one.events, one.actions);
        actions += one.actions;
    }
    assert_eq!(found.len(), 11);
    assert!(actions > 100, "{actions}");
}
