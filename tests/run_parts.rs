//! Parts of an app that are run, and not the whole of it.

use std::path::{Path, PathBuf};

use crate::run::{ankus, project, shell, statuses, workflow};

/// A workflow that adds what it is for to a file of the project.
const MARK: &str = "#!/bin/sh\necho \"$@\" >> \"$(dirname \"$0\")/../../../../../marks\"\n";

fn marks(folder: &Path) -> String {
    std::fs::read_to_string(folder.join("marks")).unwrap_or_default()
}

/// A workflow with these nodes and a script that leaves marks.
fn with_nodes(name: &str, nodes: &str) -> PathBuf {
    project(name, &[("app/workflow.xml", &workflow("w", nodes)), ("app/mark.sh", MARK)])
}

fn coordinator(name: &str) -> String {
    format!(
        r#"<coordinator-app name="{name}" frequency="60" start="2024-01-01T00:00Z" end="2024-01-02T00:00Z"
        timezone="UTC" xmlns="uri:oozie:coordinator:0.4"><action><workflow>
        <app-path>hdfs://nn/apps/app</app-path><configuration><property><name>who</name>
        <value>{name} ${{coord:nominalTime()}}</value></property></configuration></workflow></action></coordinator-app>"#
    )
}

/// A bundle of two coordinators of 24 actions each.
fn bundle(name: &str) -> PathBuf {
    let bundle = r#"<bundle-app name="both" xmlns="uri:oozie:bundle:0.2">
        <coordinator name="one"><app-path>hdfs://nn/apps/one</app-path></coordinator>
        <coordinator name="two" enabled="${'false'}"><app-path>hdfs://nn/apps/two</app-path></coordinator>
        <coordinator name="three"><app-path>hdfs://nn/apps/three</app-path></coordinator></bundle-app>"#;
    let [one, two, three] = ["one", "two", "three"].map(coordinator);
    let text = workflow("w", &format!(r#"<start to="a"/>{}"#, shell("a", "mark.sh", &["${who}"], "end")));
    project(
        name,
        &[
            ("all/bundle.xml", bundle),
            ("one/coordinator.xml", &one),
            ("two/coordinator.xml", &two),
            ("three/coordinator.xml", &three),
            ("app/workflow.xml", &text),
            ("app/mark.sh", MARK),
        ],
    )
}

#[test]
fn some_actions_of_a_coordinator_are_run() {
    let folder = bundle("run-actions");
    let (code, out, err) = ankus(&folder, &["run", "one", "--actions", "3-4,20"]);
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    let mut lines: Vec<String> = marks(&folder).lines().map(str::to_owned).collect();
    lines.sort();
    assert_eq!(lines, ["one 2024-01-01T02:00Z", "one 2024-01-01T03:00Z", "one 2024-01-01T19:00Z"]);
    let (_, info, _) = ankus(&folder, &["job", "1-C", "info"]);
    let skipped: Vec<&str> = info.lines().filter(|line| line.contains("SKIPPED")).collect();
    assert_eq!(skipped.len(), 17, "{info}");
    assert!(!info.contains("@21"), "what lies behind the last is never made: {info}");
    for (actions, words) in [
        ("25", "the coordinator has no action 25"),
        ("0", "`0` is no number of an action"),
        ("5-3", "the range `5-3` runs backwards"),
    ] {
        let (code, _, err) = ankus(&folder, &["run", "one", "--new", "--actions", actions]);
        assert_eq!(code, 2);
        assert!(err.contains(words), "{err}");
    }
    let (code, _, err) = ankus(&folder, &["run", "app", "-D", "who=x", "--actions", "1"]);
    assert_eq!(code, 2);
    assert!(err.contains("`--actions` is for a coordinator"), "{err}");
}

#[test]
fn some_coordinators_of_a_bundle_are_run() {
    let folder = bundle("run-only");
    for (name, words) in [("nine", "it has one, two, three"), ("two", "`two` is not enabled")] {
        let (code, _, err) = ankus(&folder, &["run", "all", "--only", name]);
        assert_eq!(code, 2);
        assert!(err.contains(words), "{err}");
        assert!(!folder.join(".ankus").exists(), "nothing is begun");
    }
    let all = ["run", "all", "--stub", "all", "--only", "three"];
    let (code, out, err) = ankus(&folder, &[&all[..], &["--until", "2020-01-01T00:00Z"]].concat());
    assert_eq!(code, 1, "{out}");
    assert!(err.contains("stopped at the time"), "{err}");
    // Another part of it is another job.
    let (code, _, err) = ankus(&folder, &["run", "all", "--stub", "all", "--only", "one"]);
    assert_eq!(code, 2);
    assert!(err.contains("the unfinished job 0000001-B of this app runs another part of it"), "{err}");
    // The same part goes on.
    let (_, jobs, _) = ankus(&folder, &["jobs", "--len", "1"]);
    let (code, _, _) = ankus(&folder, &[&all[..], &["--until", "2020-01-01T00:00Z"]].concat());
    assert_eq!(code, 1);
    assert_eq!(ankus(&folder, &["jobs", "--len", "1"]).1, jobs);
    let (_, info, _) = ankus(&folder, &["job", "1-B", "info"]);
    assert!(info.contains("three") && info.matches("LEFT OUT").count() == 2, "{info}");
}

#[test]
fn a_workflow_begins_at_a_node() {
    let nodes = format!(
        r#"<start to="a"/>{}<fork name="f"><path start="b"/><path start="c"/></fork>{}{}<join name="j" to="d"/>{}"#,
        shell("a", "mark.sh", &["a"], "f"),
        shell("b", "mark.sh", &["b"], "j"),
        shell("c", "mark.sh", &["c"], "j"),
        shell("d", "mark.sh", &["d"], "end")
    );
    let folder = with_nodes("run-from", &nodes);
    for (node, words) in [
        ("b", "from `b` the join `j` is reached without its fork"),
        ("j", "from `j` the join `j` is reached without its fork"),
        ("x", "the workflow has no node `x`"),
    ] {
        let (code, _, err) = ankus(&folder, &["run", "app", "--from-node", node]);
        assert_eq!(code, 2);
        assert!(err.contains(words), "{err}");
    }
    assert_eq!(statuses(&folder), [] as [&str; 0]);
    assert_eq!(ankus(&folder, &["-q", "run", "app", "--from-node", "d"]).0, 0);
    assert_eq!(marks(&folder), "d\n");
    assert_eq!(ankus(&folder, &["-q", "run", "app", "--from-node", "f"]).0, 0);
    let mut lines: Vec<String> = marks(&folder).lines().map(str::to_owned).collect();
    lines[1..3].sort();
    assert_eq!(lines, ["d", "b", "c", "d"]);
    assert_eq!(statuses(&folder), ["SUCCEEDED", "SUCCEEDED"]);
}
