//! Coordinators and bundles that are operated from outside while an executor is at work.

use std::path::{Path, PathBuf};
use std::process::Child;
use std::time::Instant;

use crate::run::{ankus, project, shell, statuses, workflow};
use crate::run_control::{end, gate, start};
use crate::run_rerun::{bundle, marks, rerun};
use crate::support::sinks::PATIENCE;
use crate::support::write_file;

/// An executor that works on a job which comes to no end before the value does.
struct Beside {
    folder: PathBuf,
    executor: Child,
    gate: std::fs::File,
}

impl Beside {
    /// In a project.
    fn new(folder: PathBuf) -> Beside {
        let nodes = format!(r#"<start to="a"/>{}"#, shell("a", "wait.sh", &[], "end"));
        write_file(&folder.join("slow/workflow.xml"), &workflow("slow", &nodes));
        write_file(&folder.join("slow/wait.sh"), "#!/bin/sh\ncat ../../../../../gate > /dev/null\n");
        let gate = gate(&folder);
        let executor = start(&folder, &["run", "slow"]);
        // Opened once the action has opened it too.
        let gate = std::fs::OpenOptions::new().write(true).open(gate).expect("the pipe");
        Beside { folder, executor, gate }
    }

    /// Lets the executor come to its end.
    fn end(self) -> Option<i32> {
        drop(self.gate);
        end(self.executor).0
    }

    /// Asks for something that is done.
    fn job(&self, words: &str) {
        let words: Vec<&str> = std::iter::once("job").chain(words.split(' ')).collect();
        assert_eq!(ankus(&self.folder, &words), (0, String::new(), String::new()), "{words:?}");
    }

    /// Asks for something that is refused; why.
    fn refused(&self, words: &str) -> String {
        let words: Vec<&str> = std::iter::once("job").chain(words.split(' ')).collect();
        let (code, out, err) = ankus(&self.folder, &words);
        assert_eq!((code, out.as_str()), (1, ""), "{words:?}: {err}");
        err
    }

    /// Waits until a job is over.
    fn over(&self, id: &str) {
        assert_eq!(ankus(&self.folder, &["job", id, "log", "-f"]).0, 0);
    }

    fn info(&self, id: &str) -> String {
        ankus(&self.folder, &["job", id, "info"]).1
    }

    /// Waits until `info` says something.
    fn comes(&self, id: &str, words: &str) {
        let begin = Instant::now();
        while !self.info(id).contains(words) {
            assert!(begin.elapsed() < PATIENCE, "`{words}` does not come: {}", self.info(id));
        }
    }
}

#[test]
fn actions_run_again() {
    let folder = bundle("beside-rerun");
    let beside = Beside::new(folder.clone());
    let hours = ["2024-01-01T00:00Z", "2024-01-01T01:00Z"];
    let last = || marks(&folder).last().cloned().unwrap_or_default();
    let count = || marks(&folder).len();
    let again = |words: &[&str]| {
        assert_eq!(rerun(&folder, words[0], &words[1..]), (0, String::new()), "{words:?}");
        beside.over(words[0].split('@').next().expect("a job"));
    };
    assert_eq!(count(), 2);
    again(&["2-C", "--actions", "2", "--nocleanup"]);
    assert_eq!((last().as_str(), count()), (hours[1], 3));
    assert!(folder.join("data/out/01/part").is_file());
    again(&["2-C", "--date", hours[0], "--refresh"]);
    assert_eq!((last().as_str(), count()), (hours[0], 4));
    assert!(!folder.join("data/out/00").exists() && folder.join("data/out/01/part").is_file());
    again(&["2-C@2", "-D", "mode=by hand"]);
    assert_eq!((last().as_str(), count()), ("by hand", 5));
    assert!(!folder.join("data/out/01").exists());
    again(&["2-C", "--actions", "1", "-D", "mode=bad"]);
    assert_eq!((last().as_str(), count()), ("bad", 6));
    again(&["2-C", "--actions", "1", "--failed", "-D", "mode=good"]);
    assert_eq!((last().as_str(), count()), ("good", 7));
    again(&["1-B", "--coordinators", "c", "--date", hours[0]]);
    // What an action was once run again with stays with it.
    assert_eq!((last().as_str(), count()), ("good", 8));
    // A server does nothing where neither coordinators nor dates are named.
    again(&["1-B", "--coordinators", "c"]);
    assert_eq!(count(), 10);
    assert_eq!(beside.end(), Some(0));
    assert!(statuses(&folder).iter().all(|status| status == "SUCCEEDED"), "{:?}", statuses(&folder));
}

/// A bundle of one coordinator with two actions that wait for inputs nobody brings.
fn waiting(name: &str) -> PathBuf {
    let coordinator = r#"<coordinator-app name="c" frequency="60" start="2024-01-01T00:00Z" end="2024-01-01T02:00Z"
        timezone="UTC" xmlns="uri:oozie:coordinator:0.4"><datasets><dataset name="d" frequency="60"
        initial-instance="2024-01-01T00:00Z" timezone="UTC"><uri-template>hdfs://nn/in/${HOUR}</uri-template></dataset>
        </datasets><input-events><data-in name="i" dataset="d"><instance>${coord:current(0)}</instance></data-in>
        </input-events><action><workflow><app-path>hdfs://nn/apps/app</app-path></workflow></action></coordinator-app>"#;
    let bundle = r#"<bundle-app name="b" xmlns="uri:oozie:bundle:0.2">
        <coordinator name="c"><app-path>hdfs://nn/apps/c</app-path></coordinator></bundle-app>"#;
    let text = workflow("w", r#"<start to="end"/>"#);
    project(
        name,
        &[("c/coordinator.xml", coordinator), ("b/bundle.xml", bundle), ("app/workflow.xml", &text)],
    )
}

fn submit(folder: &Path, app: &str) {
    assert_eq!(ankus(folder, &["submit", app]).0, 0);
}

#[test]
fn a_coordinator_is_operated() {
    let folder = waiting("beside-coordinator");
    let beside = Beside::new(folder.clone());
    submit(&folder, "c");
    beside.comes("2-C", "  RUNNING  c");
    beside.comes("2-C", "  @2 ");
    beside.job("2-C suspend");
    assert!(beside.info("2-C").contains("  SUSPENDED  c"), "{}", beside.info("2-C"));
    beside.job("2-C resume");
    beside.comes("2-C", "  RUNNING  c");
    // Pausing begins at the next round of the engine, as on a server; that is for tests with a clock of their own.
    beside.job("2-C pause");
    beside.job("2-C change --pause none");
    beside.job("2-C change --concurrency 3");
    beside.job("2-C@1 kill");
    assert!(beside.info("2-C@1").contains("KILLED"), "{}", beside.info("2-C@1"));
    beside.job("2-C@1 ignore");
    assert!(beside.info("2-C@1").contains("IGNORED"), "{}", beside.info("2-C@1"));
    assert!(beside.refused("2-C@2 ignore").contains("refused: "));
    beside.job("2-C kill --actions 2");
    beside.over("2-C");
    beside.job("2-C rerun --actions 2");
    beside.comes("2-C@2", "WAITING");
    beside.job("2-C kill");
    beside.over("2-C");
    assert!(beside.refused("2-C start").contains("refused: "));
    assert_eq!(beside.end(), Some(0));
    assert_eq!(statuses(&folder), ["SUCCEEDED", "KILLED"]);
}

#[test]
fn a_bundle_is_operated() {
    let folder = waiting("beside-bundle");
    write_file(&folder.join("data/in/00/_SUCCESS"), "");
    let beside = Beside::new(folder.clone());
    submit(&folder, "b");
    beside.job("2-B start");
    beside.comes("2-B", "  RUNNING  b");
    beside.comes("3-C", "  @2 ");
    beside.job("2-B suspend");
    for (id, name) in [("2-B", "b"), ("3-C", "c")] {
        beside.comes(id, &format!("  SUSPENDED  {name}"));
    }
    beside.job("2-B resume");
    for (id, name) in [("2-B", "b"), ("3-C", "c")] {
        beside.comes(id, &format!("  RUNNING  {name}"));
    }
    beside.job("2-B pause");
    beside.job("2-B change --pause none");
    assert!(beside.refused("2-B change --pause 2024-01-01T00:00Z").contains("E1317"));
    beside.job("3-C kill --actions 2");
    beside.over("2-B");
    beside.job("2-B rerun --coordinators c --date 2024-01-01T01:00Z");
    beside.comes("3-C@2", "WAITING");
    beside.job("2-B kill");
    beside.over("2-B");
    assert_eq!(beside.end(), Some(0));
    assert_eq!(statuses(&folder), ["SUCCEEDED", "KILLED", "KILLED", "SUCCEEDED"]);
}

#[test]
fn a_coordinator_that_waits_for_inputs_is_over_when_it_is_killed() {
    let folder = waiting("beside-killed");
    let (code, out, err) = ankus(&folder, &["submit", "c"]);
    assert_eq!(code, 0, "{out}{err}");
    assert_eq!(ankus(&folder, &["job", "1-C", "kill"]).0, 0);
    let (_, _, err) = ankus(&folder, &["run"]);
    assert!(!err.contains("nothing will happen any more"), "{err}");
    assert_eq!(statuses(&folder), ["KILLED"]);
}
