//! The engine on random apps with random operators, data, ends, troubles and crashes: what must hold holds after every
//! event, an engine made again goes on alike, and all rows of all tables are taken.
//!
//! `ANKUS_SEEDS=100000` plays so many, `ANKUS_SEED=7` one.

use std::collections::BTreeSet;

use crate::support::engine::{ENDS, Stage, action, submission};
use crate::support::hourly::{end, one, rerun, waiting};
use crate::support::play::Play;
use crate::support::{expect_file, root, update};
use ankus::engine::status::{ActionStatus, NodeStatus, WorkflowStatus};
use ankus::engine::table::{Named, Row, Taken};
use ankus::engine::{
    ActionsRerun, Command, During, Event, Facts, Fault, Semantics, Settings, Subject, Submit, Trouble,
    TroubleKind, WorkflowRerun, bundle, coordinator, workflow,
};

/// Seeds at the desk, and where time is no matter.
const SEEDS: (u64, u64) = (40, 500);

/// What replays a seed, said when it fails.
struct Replay(u64);

impl Drop for Replay {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("replay: ANKUS_SEED={} cargo test --test all engine_random::random_plays_hold", self.0);
        }
    }
}

fn number(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name} is no number: `{text}`")))
}

/// Plays a seed; says how to do it again when it fails.
fn played(seed: u64) -> Play {
    let replay = Replay(seed);
    let play = Play::of(seed);
    drop(replay);
    play
}

#[test]
fn random_plays_hold() {
    if let Some(seed) = number("ANKUS_SEED") {
        let play = played(seed);
        println!("{} events", play.log.len());
        return;
    }
    let thorough = std::env::var_os("ANKUS_THOROUGH").is_some();
    let count = number("ANKUS_SEEDS").unwrap_or(if thorough { SEEDS.1 } else { SEEDS.0 });
    let events: usize = (0..count).map(|seed| played(seed).log.len()).sum();
    assert!(events as u64 > count * 50, "{events} events in {count} plays");
}

/// The seeds whose plays together take every row; `UPDATE=1` looks for them anew, among so many.
const ROW_SEEDS: (&str, u64) = ("snapshots/engine/row-seeds.txt", 4_000);

/// Rows that no play takes, each with its reason.
const UNSEEN: &[(&str, &str, &str, &str)] = &[(
    "action",
    "SUSPENDED",
    "a workflow that has succeeded",
    "a workflow is resumed before it ends, which its action hears first",
)];

/// Rows that random plays hardly come to, taken on purpose.
fn rare() -> BTreeSet<Taken> {
    let mut stage = Stage::with(Settings { tells_rows: true, ..Settings::default() });
    // A decision that fails until somebody resumes the job, since its file is a folder.
    let switch = r#"<switch><case to="end">${(5 % fs:fileSize('hdfs://nn/x')) ge 0}</case><default to="end"/></switch>"#;
    // Only by the rules of old stores: a server fails it at once.
    stage.add("old", &format!(r#"<start to="d"/><decision name="d">{switch}</decision>{ENDS}"#));
    let Event::Submit(submit) = submission("old", &[], true) else { panic!("a submission") };
    let old = Event::Submit(Submit { semantics: Semantics::FIRST, ..submit });
    // The file is there at the first retry, or only after somebody has resumed the job.
    for retries in [1, 3] {
        let commands = stage.must(old.clone());
        let Command::Submitted { job, .. } = commands[0] else { panic!("{commands:?}") };
        let (node, _) = stage.node(job, "d");
        let looked = |length: Option<i64>| {
            let facts = Facts { files: vec![("hdfs://nn/x".into(), length)], ..Facts::default() };
            Event::Looked { subject: Subject::Node(node), facts }
        };
        for _ in 0..retries {
            stage.must(looked(None));
            assert_eq!(stage.node_status(job, "d"), Some(NodeStatus::StartRetry));
            stage.wait_seconds(10);
        }
        if retries == 3 {
            stage.must(looked(None));
            assert_eq!(stage.node_status(job, "d"), Some(NodeStatus::StartManual));
            stage.must(Event::Resume(job));
        }
        stage.must(looked(Some(7)));
        assert_eq!(stage.status(job), WorkflowStatus::Succeeded);
    }
    // A branch suspends the job at its start, and the next fails it.
    let nodes =
        r#"<start to="f"/><fork name="f"><path start="a"/><path start="b"/></fork><join name="j" to="end"/>"#;
    let nodes = format!("{nodes}{}{}{ENDS}", action("a", "j", "fail"), action("b", "j", "fail"));
    let job = stage.run(&nodes, &[]);
    let trouble = |kind| Trouble { kind, during: During::Start, fault: Fault::new("X", "it did not work") };
    stage.trouble(job, "a", trouble(TroubleKind::NonTransient));
    assert_eq!(stage.status(job), WorkflowStatus::Suspended);
    stage.trouble(job, "b", trouble(TroubleKind::Failed));
    assert_eq!(stage.status(job), WorkflowStatus::Failed);
    assert_eq!(stage.node_status(job, "a"), Some(NodeStatus::StartManual));
    // The same below a coordinator: its action is suspended when the workflow fails.
    stage.answers = true;
    stage.add("hdfs://nn/wf", &nodes);
    stage.disk.0.insert("hdfs://nn/d/2024010100".to_owned());
    let above = stage.coordinate(&waiting(0, 1, "<timeout>5</timeout>"), &[]);
    let job = stage.workflow_of(above, 1);
    stage.trouble(job, "a", trouble(TroubleKind::NonTransient));
    assert_eq!(stage.actions(above), [ActionStatus::Suspended]);
    stage.trouble(job, "b", trouble(TroubleKind::Failed));
    assert_eq!(stage.actions(above), [ActionStatus::Failed]);
    // An action that is run again in vain, and whose workflow is run again nevertheless.
    stage.add("hdfs://nn/wf", &one());
    stage.disk.0.insert("hdfs://nn/d/2024010100".to_owned());
    let job = stage.coordinate(&waiting(0, 1, "<timeout>5</timeout>"), &[]);
    end(&mut stage, job, 1, true);
    stage.disk.0.clear();
    stage.must(Event::RerunActions(job, ActionsRerun { failed: true, refresh: true, ..rerun("1") }));
    stage.wait_minutes(10);
    assert_eq!(stage.actions(job), [ActionStatus::TimedOut]);
    let again = WorkflowRerun { skip: Some(Vec::new()), ..WorkflowRerun::default() };
    stage.must(Event::RerunWorkflow(stage.workflow_of(job, 1), again));
    assert_eq!(stage.actions(job), [ActionStatus::Running]);
    let row = |command: &Command| match command {
        Command::Took(row) => Some(*row),
        _ => None,
    };
    stage.said.iter().filter_map(row).collect()
}

/// The rows of one table.
fn rows_of<S: Named, T: Named>(machine: &'static str, table: &[Row<S, T>]) -> Vec<Taken> {
    table.iter().map(|row| Taken::new(machine, row.from, row.on)).collect()
}

#[test]
fn every_row_of_every_table_is_taken() {
    let all: BTreeSet<Taken> = [
        rows_of("workflow", workflow::JOB_TABLE),
        rows_of("node", workflow::NODE_TABLE),
        rows_of("coordinator", coordinator::JOB_TABLE),
        rows_of("action", coordinator::ACTION_TABLE),
        rows_of("bundle", bundle::JOB_TABLE),
        rows_of("bundle action", bundle::CHILD_TABLE),
    ]
    .concat()
    .into_iter()
    .collect();
    let listed: BTreeSet<Taken> =
        UNSEEN.iter().map(|(machine, state, event, _)| Taken { machine, state, event }).collect();
    let is_all = |taken: &BTreeSet<Taken>| all.iter().all(|row| taken.contains(row) || listed.contains(row));
    let path = root().join(ROW_SEEDS.0);
    if update() {
        let (mut taken, mut found) = (rare(), String::new());
        for seed in 0..ROW_SEEDS.1 {
            let before = taken.len();
            taken.extend(played(seed).taken);
            if taken.len() > before {
                found += &format!("{seed}\n");
            }
            if is_all(&taken) {
                break;
            }
        }
        expect_file(&path, &found).expect("it is written");
    }
    let seeds = std::fs::read_to_string(&path).expect("seeds");
    let mut taken = rare();
    for seed in seeds.lines() {
        taken.extend(played(seed.parse().expect("a seed")).taken);
    }
    let mut faults = Vec::new();
    faults.extend(taken.difference(&all).map(|row| format!("taken, and in no table: {row:?}")));
    faults.extend(listed.difference(&all).map(|row| format!("listed, and in no table: {row:?}")));
    faults.extend(listed.intersection(&taken).map(|row| format!("listed as unseen, and seen: {row:?}")));
    let unseen = all.iter().filter(|row| !taken.contains(row) && !listed.contains(row));
    faults.extend(unseen.map(|row| format!("no play takes it (UPDATE=1 looks for seeds anew): {row:?}")));
    assert!(faults.is_empty(), "{} of {} rows were taken\n{}", taken.len(), all.len(), faults.join("\n"));
}
