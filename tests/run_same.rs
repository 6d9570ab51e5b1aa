//! What `run` does with actions that are not run is what `simulate` plays, event by event.

use std::path::{Path, PathBuf};

use ankus::engine::{Changed, Command, Event, Submission, Submit};
use ankus::model::App as Model;
use ankus::report::run_lines::Heard;
use ankus::shell::check::program::Program;
use ankus::shell::config::Config;
use ankus::shell::context::Common;
use ankus::shell::library::Library;
use ankus::shell::planning::{self, Submitted};
use ankus::shell::project::Project;
use ankus::shell::run::clock::JumpingClock;
use ankus::shell::run::executor::{Options, Stop};
use ankus::shell::run::open::Place;
use ankus::shell::run::store::Store;
use ankus::shell::run::stub::Stubs;
use ankus::shell::staging::Stage;
use ankus::simulate::scenario::Scenario;
use ankus::simulate::{self, Told, play};
use ankus::source::Sources;
use ankus::time::Instant;

use crate::support::root;

/// Combinations of outcomes that are tried of one app.
const MOST: u32 = 64;

/// All definitions of workflows below a folder.
fn workflows(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<_> =
        std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            workflows(&path, found);
        } else if path.file_name().is_some_and(|name| name == "workflow.xml") {
            found.push(path);
        }
    }
}

/// What happened, times aside.
fn shown(event: &Event, commands: &[Command]) -> String {
    let what = match event {
        Event::Submit(_) => "submit".to_owned(),
        Event::Tick => "tick".to_owned(),
        Event::WorkflowPlanned { parent, outcome } => format!("planned {parent:?} {}", outcome.is_ok()),
        Event::Looked { subject, facts } => format!("looked {subject:?} {facts:?}"),
        Event::NodeStarted { node, attempt, .. } => format!("started {node} {attempt}"),
        Event::NodeEnded { node, attempt, end } => format!("ended {node} {attempt} {}", end.ok),
        Event::NodeKilled { node, attempt, .. } => format!("killed {node} {attempt}"),
        other => format!("{other:?}"),
    };
    let changes = commands.iter().filter_map(|command| match command {
        Command::Changed(Changed::Workflow(id, from, to)) => Some(format!("{id} {from} {to}")),
        Command::Changed(Changed::Node(id, from, to)) => Some(format!("{id} {from} {to}")),
        _ => None,
    });
    format!("{what}: {}", changes.collect::<Vec<_>>().join(", "))
}

/// Plays one workflow with every combination of outcomes, both ways; how many there were.
fn compare(path: &Path, number: usize) -> Option<u32> {
    let config = Config::find(None, path).ok()?;
    let project = Project::of(path, &config);
    let mut sources = Sources::new();
    let common = Common::default();
    let chosen = ankus::shell::app::choose(path, &common, &config, &project, &mut sources).ok()?;
    let library = Library::new(&project, sources).with_version(config.version(None).ok()?);
    let zone = config.zone().ok()?;
    let program = Program::new(&library, zone);
    let Ok(Ok((loaded, submitted, _))) = planning::accept(&program, chosen) else { return None };
    let Some(Model::Workflow(model)) = &loaded.definition.app else { return None };
    let names: Vec<String> = model
        .nodes
        .iter()
        .filter(|node| matches!(node.kind, ankus::model::workflow::NodeKind::Action(_)))
        .map(|node| node.name.value.clone())
        .collect();
    let Submitted::Workflow(own) = &submitted else { return None };
    let place = Place::of(
        path,
        Some(&PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("same-{number}"))),
        None,
        None,
    )
    .ok()?;
    let mut tried = 0;
    for outcomes in 0..(1_u32 << names.len().min(6)).min(MOST) {
        let is_bad = |index: usize| index < 6 && outcomes >> index & 1 == 1;
        let bad: Vec<&String> =
            names.iter().enumerate().filter(|(index, _)| is_bad(*index)).map(|(_, name)| name).collect();
        // Simulated.
        let submission = Submitted::Workflow(own.clone());
        let (stage, app) = Stage::new(&program, loaded, submission, Some(Instant::EPOCH));
        let mut text = "[[action]]\nduration = \"1s\"\n".to_owned();
        for name in &bad {
            text.push_str(&format!("[[action]]\nnode = \"{name}\"\nstatus = \"error\"\n"));
        }
        let Ok(scenario) = Scenario::read(&text, app.zone, &app.names, app.begin, None) else { return None };
        let mut simulated = Vec::new();
        let mut hear = |told: Told<'_>| simulated.push(shown(told.event, told.commands));
        let options = simulate::Options::of(&app, &scenario, None, None);
        play(&stage, &app, &scenario, options, Some(&mut hear)).expect("it plays");
        if !stage.strangers().is_empty() {
            // What the project does not hold is played as one action, and cannot be run.
            return None;
        }
        // Run.
        let _ = std::fs::remove_dir_all(&place.folder);
        let store = Store::lock(&place.folder).expect("a store").expect("nobody else has it");
        let mut stubs: Vec<String> = bad.iter().map(|name| format!("{name}=ERROR")).collect();
        stubs.push("all".to_owned());
        let options = Options {
            stubs: Stubs::parse(&stubs).expect("stubs"),
            jobs: usize::MAX,
            commands: std::collections::BTreeMap::new(),
            program: PathBuf::new(),
            look_millis: 1_000,
            stub_millis: 1_000,
        };
        let clock = JumpingClock::at(Instant::EPOCH, false);
        let mut ran = Vec::new();
        let mut hear = |heard: Heard<'_>| ran.push(shown(&heard.recorded.event, heard.commands));
        let mut executor = place.executor(store, options, &clock, Some(&mut hear)).expect("an executor");
        let submission = executor.deployed().submission(loaded, &submitted).expect("a submission");
        assert!(matches!(submission, Submission::Workflow(_)));
        let submit = Submit { program: submission, external_id: None, start: true };
        executor.submit(submit).expect("submitted");
        let stop = executor.run(None).expect("it runs");
        assert!(matches!(stop, Stop::Done | Stop::Stuck), "{stop:?}");
        drop(executor);
        assert_eq!(ran, simulated, "{} with {bad:?} failing", path.display());
        tried += 1;
    }
    let _ = std::fs::remove_dir_all(&place.folder);
    Some(tried)
}

#[test]
fn a_rehearsal_is_what_is_simulated() {
    let mut found = Vec::new();
    for folder in ["fixtures/rules", "fixtures/simulate", "fixtures/graph"] {
        workflows(&root().join(folder), &mut found);
    }
    let tried: Vec<u32> =
        found.iter().enumerate().filter_map(|(number, path)| compare(path, number)).collect();
    println!("{} apps, {} plays", tried.len(), tried.iter().sum::<u32>());
    assert!(tried.len() > 100, "only {} apps of {} are accepted", tried.len(), found.len());
}
