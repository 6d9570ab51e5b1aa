//! `ankus check` and `ankus plan` on a program of several files: what one file says counts in the others.

mod support;

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use support::ankus;

/// A folder of its own with these files.
fn project(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("check_program").join(name);
    let _ = fs::remove_dir_all(&folder);
    for (path, text) in files {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder can be made");
        fs::write(path, text).expect("a file can be written");
    }
    folder
}

/// The findings of `check -v` with these further arguments: rule and message.
fn check(folder: &Path, more: &[&str]) -> Vec<(String, String, String)> {
    let folder = folder.display().to_string();
    let mut arguments = vec!["check", "-v", "--format", "json", &folder];
    arguments.extend(more);
    let outcome = ankus(&arguments);
    assert_ne!(outcome.code, 2, "{}", outcome.err);
    let report: Value = serde_json::from_str(&outcome.out).expect("check prints JSON");
    let text = |finding: &Value, key: &str| finding[key].as_str().unwrap_or_default().to_owned();
    let findings = report["findings"].as_array().expect("findings").iter();
    findings.map(|it| (text(it, "severity"), text(it, "rule"), text(it, "message"))).collect()
}

const OPEN_FORK: &str = r#"<workflow-app name="w" xmlns="uri:oozie:workflow:0.5">
  <start to="f"/>
  <fork name="f"><path start="a"/><path start="b"/></fork>
  <action name="a"><fs><mkdir path="hdfs://nn/a"/></fs><ok to="j"/><error to="k"/></action>
  <action name="b"><fs><mkdir path="hdfs://nn/b"/></fs><ok to="e"/><error to="k"/></action>
  <join name="j" to="e"/>
  <kill name="k"><message>m</message></kill>
  <end name="e"/>
</workflow-app>
"#;

#[test]
fn a_job_may_keep_the_server_from_looking_at_forks() {
    let folder = project("fork", &[("workflow.xml", OPEN_FORK)]);
    let app = folder.display().to_string();
    let off = "oozie.wf.validate.ForkJoin=false";
    let refused = ankus(&["plan", &app, "-D", "x=1"]);
    assert_eq!(refused.code, 1, "{}", refused.out);
    let taken = ankus(&["plan", &app, "-D", off]);
    assert_eq!(taken.code, 0, "{}", taken.out);
    let severities: Vec<_> =
        check(&folder, &["-D", off]).into_iter().map(|(severity, rule, _)| (severity, rule)).collect();
    assert_eq!(severities, [("warning".to_owned(), "end-inside-fork".to_owned())]);
}

#[test]
fn what_the_parent_misses_is_not_missing_in_its_child() {
    let parent = r#"<workflow-app name="w" xmlns="uri:oozie:workflow:0.5">
  <parameters><property><name>must</name></property></parameters>
  <start to="s"/>
  <action name="s"><sub-workflow><app-path>hdfs://nn/apps/sub</app-path><propagate-configuration/></sub-workflow>
    <ok to="e"/><error to="k"/></action>
  <kill name="k"><message>${must}</message></kill>
  <end name="e"/>
</workflow-app>
"#;
    let child = r#"<workflow-app name="c" xmlns="uri:oozie:workflow:0.5">
  <start to="a"/>
  <action name="a"><fs><mkdir path="${nameNode}/a"/></fs><ok to="e"/><error to="k"/></action>
  <kill name="k"><message>m</message></kill>
  <end name="e"/>
</workflow-app>
"#;
    let folder = project("parent", &[("apps/main/workflow.xml", parent), ("apps/sub/workflow.xml", child)]);
    let found = check(&folder.join("apps/main/workflow.xml"), &["-D", "nameNode=hdfs://nn"]);
    let missing: Vec<_> = found.iter().filter(|(_, rule, _)| rule == "parameter-undefined").collect();
    assert_eq!(missing.len(), 1, "{found:?}");
    assert!(missing[0].2.contains("`must`"), "{found:?}");
}
