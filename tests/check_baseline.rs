//! Baselines: what was there before is hidden, what is new is told.

use std::path::{Path, PathBuf};

use crate::support::{Outcome, ankus, findings_of, folder_of, write_file};

/// `transition-unknown` twice: at `a` and at `b`.
const WORKFLOW: &str = r#"<workflow-app name="w" xmlns="uri:oozie:workflow:0.5">
<start to="a"/>
<action name="a"><fs><mkdir path="hdfs://nn/x"/></fs><ok to="b"/><error to="gone"/></action>
<action name="b"><fs><mkdir path="hdfs://nn/x"/></fs><ok to="done"/><error to="lost"/></action>
<end name="done"/>
</workflow-app>
"#;

/// A folder with the workflow and the baseline of it.
fn app(name: &str, config: &str) -> PathBuf {
    let folder =
        folder_of(&format!("check-baseline-{name}"), &[("ankus.toml", config), ("a/workflow.xml", WORKFLOW)]);
    let outcome = check(&folder, &["--write-baseline", &text(&folder.join("baseline.json"))]);
    assert_eq!(outcome.code, 0, "{}{}", outcome.out, outcome.err);
    assert!(outcome.err.starts_with("wrote `") && outcome.err.contains("known finding"), "{}", outcome.err);
    folder
}

fn text(path: &Path) -> String {
    path.display().to_string()
}

fn check(folder: &Path, more: &[&str]) -> Outcome {
    let path = text(folder);
    let mut arguments = vec!["check", "--format", "concise", path.as_str()];
    arguments.extend(more);
    ankus(&arguments)
}

fn with_baseline(folder: &Path, more: &[&str]) -> Outcome {
    let baseline = text(&folder.join("baseline.json"));
    let mut arguments = vec!["--baseline", baseline.as_str()];
    arguments.extend(more);
    check(folder, &arguments)
}

#[test]
fn old_findings_are_hidden_and_counted() {
    let folder = app("old", "");
    assert_eq!(check(&folder, &[]).code, 1);
    let outcome = with_baseline(&folder, &["-v"]);
    assert_eq!(outcome.code, 0);
    assert_eq!(outcome.out, "1 file checked: 0 errors, 0 warnings, 0 infos; 2 in the baseline\n");
    let json = with_baseline(&folder, &["--format", "json"]);
    assert_eq!(json.code, 2, "one format only");
    let path = text(&folder);
    let baseline = text(&folder.join("baseline.json"));
    let json = ankus(&["check", "--format", "json", "--baseline", &baseline, &path]);
    let report: serde_json::Value = serde_json::from_str(&json.out).expect("JSON");
    assert_eq!(report["summary"]["baseline"], 2);
}

#[test]
fn moved_lines_change_nothing_and_new_faults_are_told() {
    let folder = app("moved", "");
    let moved =
        WORKFLOW.replace("<start", "\n\n<!-- moved -->\n   <start").replace("to=\"gone\"", "\n to=\"gone\"");
    write_file(&folder.join("a/workflow.xml"), &moved);
    assert_eq!(with_baseline(&folder, &[]).code, 0);
    // The same rule in another element is another finding.
    let more = moved.replace("<ok to=\"done\"/>", "<ok to=\"missing\"/>");
    write_file(&folder.join("a/workflow.xml"), &more);
    let outcome = with_baseline(&folder, &[]);
    assert_eq!(outcome.code, 1);
    assert!(outcome.out.contains("`missing`") && !outcome.out.contains("`gone`"), "{}", outcome.out);
    // Another file as well.
    write_file(&folder.join("a/workflow.xml"), WORKFLOW);
    write_file(&folder.join("b/workflow.xml"), WORKFLOW);
    let outcome = with_baseline(&folder, &[]);
    assert!(
        outcome.out.contains("b/workflow.xml") && !outcome.out.contains("a/workflow.xml"),
        "{}",
        outcome.out
    );
}

#[test]
fn the_same_findings_give_the_same_bytes() {
    let folder = app("bytes", "");
    let path = folder.join("baseline.json");
    let first = std::fs::read_to_string(&path).expect("it was written");
    check(&folder, &["--write-baseline", &text(&path)]);
    assert_eq!(std::fs::read_to_string(&path).expect("it was written"), first);
    let expected = r#"{"version":1,"findings":[
{"file":"a/workflow.xml","at":"workflow-app/action[a]/error","rule":"transition-unknown","count":1},
{"file":"a/workflow.xml","at":"workflow-app/action[b]/error","rule":"transition-unknown","count":1}
]}
"#;
    assert_eq!(first, expected);
}

#[test]
fn stale_entries_are_told_and_pruned() {
    let folder = app("stale", "");
    let baseline = text(&folder.join("baseline.json"));
    write_file(&folder.join("a/workflow.xml"), &WORKFLOW.replace("\"lost\"", "\"done\""));
    let found = findings_of(&[&text(&folder), "--baseline", &baseline]);
    let stale: Vec<_> = found.iter().filter(|(.., rule, _)| rule == "baseline-stale").collect();
    assert_eq!(stale, [&("baseline.json".to_owned(), 3, "baseline-stale".to_owned(), "info".to_owned())]);
    assert_eq!(with_baseline(&folder, &[]).code, 0);
    check(&folder, &["--write-baseline", &baseline]);
    let pruned = std::fs::read_to_string(&baseline).expect("it was written");
    assert!(pruned.contains("action[a]") && !pruned.contains("action[b]"), "{pruned}");
    // What was not looked at is not stale; what is not there any more is.
    write_file(&folder.join("b/workflow.xml"), &WORKFLOW.replace("gone", "done").replace("lost", "done"));
    let is_stale = |path: &Path, more: &[&str]| {
        let (path, mut arguments) = (text(path), vec!["--baseline", baseline.as_str()]);
        arguments.push(&path);
        arguments.extend(more);
        findings_of(&arguments).iter().any(|(.., rule, _)| rule == "baseline-stale")
    };
    assert!(!is_stale(&folder.join("b"), &[]));
    assert!(!is_stale(&folder, &["--ignore", "transition-unknown"]));
    std::fs::remove_file(folder.join("a/workflow.xml")).expect("it was there");
    assert!(is_stale(&folder.join("b"), &[]));
}

#[test]
fn the_configuration_may_name_it() {
    let folder = app("configured", "[check]\nbaseline = \"baseline.json\"\n");
    assert_eq!(check(&folder, &[]).code, 0);
    assert_eq!(findings_of(&[&text(&folder.join("a/workflow.xml"))]).len(), 0);
    std::fs::remove_file(folder.join("baseline.json")).expect("it was there");
    let outcome = check(&folder, &[]);
    assert!(outcome.code == 2 && outcome.err.contains("--write-baseline"), "{}", outcome.err);
    assert_eq!(check(&folder, &["--write-baseline", &text(&folder.join("baseline.json"))]).code, 0);
}

#[test]
fn nothing_else_is_overwritten() {
    let folder = app("other", "");
    let workflow = folder.join("a/workflow.xml");
    let outcome = check(&folder, &["--write-baseline", &text(&workflow)]);
    assert!(outcome.code == 2 && outcome.err.contains("it is no baseline"), "{}", outcome.err);
    assert_eq!(std::fs::read_to_string(&workflow).expect("it is there"), WORKFLOW);
    write_file(&folder.join("other.json"), "{\"version\":9,\"findings\":[]}");
    let outcome = check(&folder, &["--baseline", &text(&folder.join("other.json"))]);
    assert!(outcome.code == 2 && outcome.err.contains("version 9"), "{}", outcome.err);
}

/// The values of properties stay out of it: it is committed, and they may be secret.
#[test]
fn no_values_are_written() {
    let properties = "oozie.wf.application.path=hdfs://nn/apps/a\nMINUTES=topsecret\n";
    let folder = folder_of(
        "check-baseline-values",
        &[("ankus.toml", ""), ("a/workflow.xml", WORKFLOW), ("a/job.properties", properties)],
    );
    let baseline = folder.join("baseline.json");
    check(&folder, &["--write-baseline", &text(&baseline)]);
    let written = std::fs::read_to_string(baseline).expect("it was written");
    assert!(written.contains("\"at\":\"MINUTES\"") && !written.contains("topsecret"), "{written}");
}
