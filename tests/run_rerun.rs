//! Jobs that are run again: with other properties, with a definition that was mended, and only parts of them.

use std::path::{Path, PathBuf};

use crate::run::{ankus, project, shell, statuses, workflow};

const MARK: &str =
    "#!/bin/sh\necho \"$@\" >> \"$(dirname \"$0\")/../../../../../marks\"\necho ran\ntest \"$1\" != bad\n";

pub fn marks(folder: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(folder.join("marks")).unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}

/// Two actions one after the other; the second does what `mode` says.
fn nodes() -> String {
    let actions = [shell("a", "mark.sh", &["a"], "b"), shell("b", "mark.sh", &["${mode}"], "end")];
    format!(r#"<start to="a"/>{}"#, actions.concat())
}

fn failed(name: &str) -> PathBuf {
    let text = workflow("w", &nodes());
    let folder = project(name, &[("app/workflow.xml", &text), ("app/mark.sh", MARK)]);
    assert_eq!(ankus(&folder, &["-q", "run", "app", "-D", "mode=bad"]).0, 1);
    folder
}

pub fn rerun(folder: &Path, id: &str, more: &[&str]) -> (i32, String) {
    let (code, out, err) = ankus(folder, &[&["job", id, "rerun"], more].concat());
    // Where no executor is at work, it names the command that goes on.
    (code, out.replace("next: `ankus run`\n", "") + &err)
}

#[test]
fn a_workflow_runs_again_with_other_properties() {
    let folder = failed("rerun-properties");
    let (code, words) = rerun(&folder, "1-W", &[]);
    assert!(code == 1 && words.contains("E0401"), "{words}");
    assert_eq!(rerun(&folder, "1-W", &["--failed", "-D", "mode=good"]), (0, String::new()));
    assert_eq!(ankus(&folder, &["-q", "run"]).0, 0);
    assert_eq!(marks(&folder), ["a", "bad", "good"]);
    // What a server reads from a properties file, and nodes that were not run.
    crate::support::write_file(&folder.join("again.properties"), "oozie.wf.rerun.skip.nodes=b\nmode=other\n");
    assert_eq!(rerun(&folder, "1-W", &["-c", "again.properties"]), (0, String::new()));
    assert_eq!(ankus(&folder, &["-q", "run"]).0, 0);
    assert_eq!(marks(&folder), ["a", "bad", "good", "a"]);
    let (code, words) = rerun(&folder, "1-W", &["--skip", "nothing"]);
    assert!(code == 1 && words.contains("E0807"), "{words}");
    let (code, words) = rerun(&folder, "1-W", &["--failed", "--date", "2024-01-01T00:00Z"]);
    assert!(code == 2 && words.contains("`--date` does not belong to the rerun of a workflow"), "{words}");
}

#[test]
fn nothing_to_run_again_is_over_at_once() {
    let folder = failed("rerun-nothing");
    assert_eq!(rerun(&folder, "1-W", &["--failed", "-D", "mode=good"]).0, 0);
    assert_eq!(ankus(&folder, &["-q", "run"]).0, 0);
    assert_eq!(rerun(&folder, "1-W", &["--failed"]).0, 0);
    assert_eq!(statuses(&folder), ["SUCCEEDED"]);
    // No executor has to come by first.
    let (_, purged, _) = ankus(&folder, &["jobs", "purge", "--older-than", "0s"]);
    assert_eq!(purged, "removed 1 job of 1 submission\n");
}

#[test]
fn a_workflow_runs_again_as_its_file_is_now() {
    let folder = failed("rerun-patched");
    let file = folder.join("app/workflow.xml");
    let patched = workflow("w", &nodes().replace("${mode}", "patched"));
    // What a server would refuse is refused, and nothing is changed.
    std::fs::write(&file, patched.replace(r#"to="b""#, r#"to="nowhere""#)).expect("it can be written");
    let (code, words) = rerun(&folder, "1-W", &["--failed"]);
    assert!(code == 1 && words.contains("nowhere"), "{words}");
    assert_eq!(statuses(&folder), ["KILLED"]);
    std::fs::write(&file, &patched).expect("it can be written");
    assert_eq!(rerun(&folder, "1-W", &["--failed"]), (0, String::new()));
    assert_eq!(ankus(&folder, &["-q", "run"]).0, 0);
    assert_eq!(marks(&folder), ["a", "bad", "patched"]);
    assert!(ankus(&folder, &["job", "1-W", "definition"]).1.contains("patched"));
    // What was kept can be run although its file has gone.
    std::fs::remove_file(&file).expect("it can be removed");
    let (code, words) = rerun(&folder, "1-W", &["--skip", "a"]);
    assert!(code == 2 && words.contains("is gone; `--kept` runs what was kept of it"), "{words}");
    assert_eq!(rerun(&folder, "1-W", &["--skip", "a", "--kept"]), (0, String::new()));
    assert_eq!(ankus(&folder, &["-q", "run"]).0, 0);
    assert_eq!(marks(&folder), ["a", "bad", "patched", "patched"]);
}

#[test]
fn a_part_that_is_run_again_stays_that_part() {
    let folder = failed("rerun-part");
    assert_eq!(ankus(&folder, &["-q", "run", "app", "-D", "mode=bad", "--from-node", "b"]).0, 1);
    assert_eq!(rerun(&folder, "2-W", &["--failed", "-D", "mode=good"]), (0, String::new()));
    assert_eq!(ankus(&folder, &["-q", "run"]).0, 0);
    assert_eq!(marks(&folder), ["a", "bad", "bad", "good"]);
}

/// A bundle of one coordinator with two actions, whose outputs are marked.
pub fn bundle(name: &str) -> PathBuf {
    let coordinator = r#"<coordinator-app name="c" frequency="60" start="2024-01-01T00:00Z" end="2024-01-01T02:00Z"
        timezone="UTC" xmlns="uri:oozie:coordinator:0.4"><datasets><dataset name="d" frequency="60"
        initial-instance="2024-01-01T00:00Z" timezone="UTC"><uri-template>hdfs://nn/out/${HOUR}</uri-template></dataset>
        </datasets><output-events><data-out name="o" dataset="d"><instance>${coord:current(0)}</instance></data-out>
        </output-events><action><workflow><app-path>hdfs://nn/apps/app</app-path><configuration><property>
        <name>mode</name><value>${coord:nominalTime()}</value></property></configuration></workflow></action>
        </coordinator-app>"#;
    let bundle = r#"<bundle-app name="all" xmlns="uri:oozie:bundle:0.2">
        <coordinator name="c"><app-path>hdfs://nn/apps/c</app-path></coordinator></bundle-app>"#;
    let text = workflow("w", &format!(r#"<start to="b"/>{}"#, shell("b", "mark.sh", &["${mode}"], "end")));
    let files = [
        ("all/bundle.xml", bundle),
        ("c/coordinator.xml", coordinator),
        ("app/workflow.xml", &text),
        ("app/mark.sh", MARK),
        ("data/out/00/part", "first"),
        ("data/out/01/part", "second"),
    ];
    let folder = project(name, &files);
    let (code, out, err) = ankus(&folder, &["run", "all"]);
    assert_eq!(code, 0, "{out}{err}");
    folder
}

#[test]
fn actions_of_coordinators_and_bundles_run_again() {
    let folder = bundle("rerun-actions");
    let first = ["2024-01-01T00:00Z", "2024-01-01T01:00Z"];
    let last = || marks(&folder).last().cloned().unwrap_or_default();
    let count = || marks(&folder).len();
    assert_eq!(count(), 2);
    let go_on = || assert_eq!(ankus(&folder, &["-q", "run"]).0, 0);
    // By number, by time, and as an action of its own; outputs are removed unless somebody says otherwise.
    assert_eq!(rerun(&folder, "2-C", &["--actions", "2", "--nocleanup"]), (0, String::new()));
    go_on();
    assert_eq!((last().as_str(), count()), (first[1], 3));
    assert!(folder.join("data/out/01/part").is_file());
    assert_eq!(rerun(&folder, "2-C", &["--date", first[0], "--refresh"]), (0, String::new()));
    go_on();
    assert_eq!((last().as_str(), count()), (first[0], 4));
    assert!(!folder.join("data/out/00").exists() && folder.join("data/out/01/part").is_file());
    assert_eq!(rerun(&folder, "2-C@2", &["-D", "mode=by hand"]), (0, String::new()));
    go_on();
    assert_eq!((last().as_str(), count()), ("by hand", 5));
    assert!(!folder.join("data/out/01").exists());
    // Which run wrote what can be seen.
    let log = |more: &[&str]| ankus(&folder, &[&["job", "2-C@2", "log"], more].concat()).1;
    let heads = |log: String| {
        log.lines().filter(|line| line.starts_with("==")).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(heads(log(&[])), ["== @2/b, stdout", "== @2/b, run 2, stdout", "== @2/b, run 3, stdout"]);
    assert_eq!(heads(log(&["--attempt", "last"])), ["== @2/b, run 3, stdout"]);
    let (code, words) = rerun(&folder, "2-C", &[]);
    assert!(code == 2 && words.contains("say which actions run again"), "{words}");
    // All of a bundle, or some of it.
    assert_eq!(rerun(&folder, "1-B", &["--coordinators", "c", "--date", first[0]]), (0, String::new()));
    go_on();
    assert_eq!((last().as_str(), count()), (first[0], 6));
    assert_eq!(rerun(&folder, "1-B", &["--coordinators", "c"]), (0, String::new()));
    go_on();
    assert_eq!(count(), 8);
    let (code, words) = rerun(&folder, "1-B", &["-D", "mode=x"]);
    assert!(code == 2 && words.contains("takes no properties"), "{words}");
    let (code, words) = rerun(&folder, "1-B", &[]);
    assert!(code == 2 && words.contains("name what runs again"), "{words}");
    let (code, words) = rerun(&folder, "1-B", &["--failed"]);
    assert!(code == 2 && words.contains("`--failed` does not belong to the rerun of a bundle"), "{words}");
}

#[test]
fn only_actions_that_failed_run_again() {
    let folder = bundle("rerun-failed");
    let (code, words) = rerun(&folder, "2-C", &["--actions", "1", "-D", "mode=bad"]);
    assert_eq!((code, words.as_str()), (0, ""));
    assert_eq!(ankus(&folder, &["-q", "run"]).0, 1);
    // The workflow of the action goes on where it failed, under its id.
    let jobs = ankus(&folder, &["jobs", "--type", "wf"]).1.lines().count();
    assert_eq!(rerun(&folder, "2-C", &["--actions", "1", "--failed", "-D", "mode=good"]), (0, String::new()));
    assert_eq!(ankus(&folder, &["-q", "run"]).0, 0);
    assert_eq!(marks(&folder).last().map(String::as_str), Some("good"));
    assert_eq!(ankus(&folder, &["jobs", "--type", "wf"]).1.lines().count(), jobs);
}
