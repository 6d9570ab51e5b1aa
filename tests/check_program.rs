//! `ankus check` and `ankus plan` on a program of several files: what one file says counts in the others.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{ankus, findings_of, folder_of};
use serde_json::Value;

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

/// A coordinator with an execution order and two input events, each with its instances.
fn coordinator(execution: &str, first: &str, second: &str) -> String {
    format!(
        r#"<coordinator-app name="c" frequency="${{coord:days(1)}}" start="2024-01-01T00:00Z" end="2024-02-01T00:00Z"
    timezone="UTC" xmlns="uri:oozie:coordinator:0.4">
  <controls><execution>{execution}</execution></controls>
  <datasets><dataset name="d" frequency="${{coord:days(1)}}" initial-instance="2023-01-01T00:00Z" timezone="UTC">
    <uri-template>hdfs://nn/d/${{YEAR}}/${{MONTH}}/${{DAY}}</uri-template></dataset></datasets>
  <input-events>
    <data-in name="a" dataset="d">{first}</data-in>
    <data-in name="b" dataset="d">{second}</data-in>
  </input-events>
  <action><workflow><app-path>hdfs://nn/wf</app-path><configuration>
    <property><name>a</name><value>${{coord:dataIn('a')}}</value></property>
    <property><name>b</name><value>${{coord:dataIn('b')}}</value></property>
  </configuration></workflow></action>
</coordinator-app>
"#
    )
}

#[test]
fn all_that_keeps_actions_from_being_made_is_told_at_once() {
    let reversed = "<start-instance>${coord:current(0)}</start-instance><end-instance>${coord:current(-3)}</end-instance>";
    let odd = "<instance>x</instance>";
    let rules = |name: &str, text: &str| -> Vec<String> {
        let folder = project(name, &[("coordinator.xml", text)]);
        check(&folder, &["-D", "x=1"])
            .into_iter()
            .filter(|(severity, ..)| severity == "error")
            .map(|it| it.1)
            .collect()
    };
    let found = rules("reversed", &coordinator("FIFO", reversed, reversed));
    assert_eq!(found, ["instance-range-reversed", "instance-range-reversed"]);
    let found = rules("mixed", &coordinator("FIFO", odd, reversed));
    assert_eq!(found, ["instance-invalid", "instance-range-reversed"]);
    let found = rules("refused", &coordinator("RANDOM", reversed, odd));
    assert_eq!(found, ["control-invalid", "instance-range-reversed", "instance-invalid"]);
}

#[test]
fn an_expression_that_is_not_closed_is_told_once() {
    let text = r#"<workflow-app name="w" xmlns="uri:oozie:workflow:0.5">
  <start to="a"/>
  <action name="a"><email xmlns="uri:oozie:email-action:0.1"><to>x@y</to><subject>s</subject><body>${a</body></email>
    <ok to="e"/><error to="k"/></action>
  <kill name="k"><message>m</message></kill>
  <end name="e"/>
</workflow-app>
"#;
    let folder = project("unclosed", &[("workflow.xml", text)]);
    let found = check(&folder, &["-D", "q=1"]);
    assert_eq!(found.iter().filter(|(_, rule, _)| rule == "el-syntax").count(), 1, "{found:?}");
}

#[test]
fn the_chain_of_a_value_leads_through_the_coordinator() {
    let instance = "<instance>${coord:current(0)}</instance>";
    let text = coordinator("FIFO", instance, instance).replace("${coord:dataIn('b')}", "${queue}/x");
    let folder = project("chain", &[("coordinator.xml", &text), ("given.properties", "queue=high\n")]);
    let [app, given] =
        ["coordinator.xml", "given.properties"].map(|name| folder.join(name).display().to_string());
    let outcome = ankus(&["plan", &app, "-c", &given, "--explain-value", "b", "--format", "json"]);
    assert_eq!(outcome.code, 0, "{}{}", outcome.out, outcome.err);
    let report: Value = serde_json::from_str(&outcome.out).expect("JSON");
    let values = report["values"].as_array().expect("values");
    let names: Vec<_> = values.iter().map(|value| (&value["name"], &value["value"])).collect();
    assert_eq!(names, [(&"b".into(), &"high/x".into()), (&"queue".into(), &"high".into())]);
    assert_eq!(values[0]["chain"][0]["value"], "${queue}/x");
    assert_eq!(values[1]["chain"][0]["line"], 1);
}

/// Default files that the configuration names: the first of them counts, all before the one beside the app, and what is
/// given before all of them; a sub-workflow gets them too. One that the project does not hold leaves names open.
#[test]
fn default_files_may_be_named() {
    let file = |values: &[(&str, &str)]| {
        let property = |(name, value): &(&str, &str)| {
            format!("<property><name>{name}</name><value>{value}</value></property>")
        };
        format!("<configuration>{}</configuration>", values.iter().map(property).collect::<String>())
    };
    let workflow = |action: &str| {
        format!(
            "<workflow-app name=\"w\" xmlns=\"uri:oozie:workflow:0.5\"><start to=\"a\"/><action name=\"a\">{action}\
             <ok to=\"end\"/><error to=\"end\"/></action><end name=\"end\"/></workflow-app>"
        )
    };
    let main = workflow("<sub-workflow><app-path>hdfs://nn/apps/sub</app-path></sub-workflow>");
    let sub = workflow("<fs><mkdir path=\"hdfs://nn/x/${b}\"/></fs>");
    let properties = "oozie.wf.application.path=hdfs://nn/apps/main\na=given\nbase=/conf\n\
                      oozie.default.configuration.path=${base}/one.xml, ,${base}/two.xml\n";
    let folder = folder_of(
        "program-default-files",
        &[
            ("ankus.toml", ""),
            ("apps/main/workflow.xml", &main),
            ("apps/main/config-default.xml", &file(&[("a", "beside"), ("b", "beside"), ("d", "beside")])),
            ("apps/sub/workflow.xml", &sub),
            ("conf/one.xml", &file(&[("a", "one"), ("b", "one")])),
            ("conf/two.xml", &file(&[("b", "two"), ("c", "two")])),
            ("job.properties", properties),
        ],
    );
    let job = folder.join("job.properties").display().to_string();
    for (name, expected) in [("a", "given"), ("b", "one"), ("c", "two"), ("d", "beside")] {
        let outcome = ankus(&["plan", &job, "--explain-value", name, "--format", "json"]);
        assert_eq!(outcome.code, 0, "{}{}", outcome.out, outcome.err);
        let json: Value = serde_json::from_str(&outcome.out).expect("JSON");
        assert!(json.to_string().contains(&format!("\"value\":\"{expected}\"")), "{name}: {json}");
    }
    let outcome = ankus(&["plan", &job, "--format", "json"]);
    assert!(outcome.code == 0 && outcome.out.contains("hdfs://nn/x/one"), "{}{}", outcome.out, outcome.err);
    let told = |job: &str| findings_of(&[job]).into_iter().map(|(_, _, rule, _)| rule).collect::<Vec<_>>();
    assert!(!told(&job).iter().any(|rule| rule == "parameter-undefined"), "{:?}", told(&job));
    std::fs::remove_file(folder.join("conf/one.xml")).expect("it was there");
    let outcome = ankus(&["check", &job, "--format", "concise", "-v"]);
    let expected = "`/conf/one.xml` leads to no configuration of the project";
    assert!(outcome.code == 0 && outcome.out.contains(expected), "{}{}", outcome.out, outcome.err);
}

#[test]
fn a_misspelt_part_of_a_date_is_an_error_once_all_is_known() {
    let instance = "<instance>${coord:current(0)}</instance>";
    let text = coordinator("FIFO", instance, instance);
    let text = text.replace("${YEAR}", "${nn}/${YEER}");
    let folder = project("misspelt-part", &[("coordinator.xml", &text)]);
    let said = |more: &[&str]| -> Vec<String> {
        let found = check(&folder, more).into_iter().filter(|(_, rule, _)| rule == "dataset-uri-variable");
        found.map(|(severity, _, _)| severity).collect()
    };
    assert!(text.contains("${YEER}"), "{text}");
    assert_eq!(said(&[]), ["warning"]);
    assert_eq!(said(&["-D", "nn=x"]), ["error"]);
    assert_eq!(said(&["-D", "nn=x", "-D", "YEER=y"]), Vec::<String>::new());
}
