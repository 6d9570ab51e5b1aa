//! No report shows a secret: not in the lines that it draws, not in words, whatever becomes of the finding about it.

use std::path::Path;

use crate::support::{ankus, folder_of};

const COORDINATOR: &str = r#"<coordinator-app name="c" frequency="60" start="${dbPassword}" end="2025-01-01T00:00Z" timezone="UTC"
    xmlns="uri:oozie:coordinator:0.4"><action><workflow><app-path>hdfs://nn/steps</app-path></workflow></action></coordinator-app>"#;

const WORKFLOW: &str = r#"<workflow-app name="w" xmlns="uri:oozie:workflow:0.5">
  <start to="load"/>
  <action name="load">
    <sqoop xmlns="uri:oozie:sqoop-action:0.4">
      <job-tracker>jt</job-tracker>
      <name-node>hdfs://nn</name-node>
      <command>import --connect jdbc:mysql://bob:tr0ub4dor@db/x --password p&lt;ssw0rd --table t --hive ${</command>
      <file>missing.sql</file>
    </sqoop>
    <ok to="end"/>
    <error to="fial"/>
  </action>
  <kill name="fail"><message>m</message></kill>
  <end name="end"/>
</workflow-app>
"#;

const PROPERTIES: &str = "oozie.coord.application.path=/app\nuser.name=\ndbPassword=tr0ub4dor\nother=1\n";

fn folder(name: &str) -> String {
    let config = "[paths]\n\"/app\" = \".\"\n\"hdfs://nn\" = \".\"\n";
    let files = [
        ("coordinator.xml", COORDINATOR),
        ("steps/workflow.xml", WORKFLOW),
        ("job.properties", PROPERTIES),
        ("ankus.toml", config),
    ];
    folder_of(&format!("check_secrets/{name}"), &files).display().to_string()
}

fn assert_veiled(what: &str, text: &str) {
    for secret in ["tr0ub4dor", "p&lt;ssw0rd", "p<ssw0rd"] {
        assert!(!text.contains(secret), "{what} shows {secret}:\n{text}");
    }
}

#[test]
fn no_format_shows_a_secret() {
    let folder = folder("formats");
    let properties = Path::new(&folder).join("job.properties").display().to_string();
    for format in ["full", "concise", "json", "jsonl", "sarif", "junit", "github", "gitlab", "checkstyle"] {
        for arguments in [&["-v"][..], &["-v", "--ignore", "secret-plaintext"], &["-v", "-c", &properties]] {
            let outcome = ankus(&[&["check", "--format", format, &folder], arguments].concat());
            assert_eq!(outcome.code, 1, "{}", outcome.err);
            assert_veiled(format, &outcome.out);
            assert_veiled(format, &outcome.err);
        }
    }
}

#[test]
fn the_place_of_a_secret_is_drawn_with_stars() {
    let folder = folder("drawn");
    let outcome = ankus(&["check", "--color", "never", "-v", &folder]);
    assert!(
        outcome.out.contains("jdbc:mysql://bob:*********@db/x --password *********** --table"),
        "{}",
        outcome.out
    );
    let properties = Path::new(&folder).join("job.properties").display().to_string();
    let outcome = ankus(&["check", "--color", "never", "-v", &properties]);
    assert!(outcome.out.contains("dbPassword=*********"), "{}", outcome.out);
    assert!(outcome.out.contains("is no datetime: `***`"), "{}", outcome.out);
    let outcome = ankus(&["plan", "--color", "never", &properties]);
    assert_veiled("plan", &format!("{}{}", outcome.out, outcome.err));
}

/// Nor does a simulation: neither what jobs are given, nor what actions capture, nor where they look for data.
#[test]
fn no_simulation_shows_a_secret() {
    let coordinator = r#"<coordinator-app name="c" frequency="60" start="2024-01-01T00:00Z" end="2024-01-01T02:00Z" timezone="UTC"
        xmlns="uri:oozie:coordinator:0.4"><datasets><dataset name="d" frequency="60" initial-instance="2024-01-01T00:00Z"
        timezone="UTC"><uri-template>sftp://bob:tr0ub4dor@host/${YEAR}${MONTH}${DAY}${HOUR}</uri-template></dataset></datasets>
        <input-events><data-in name="i" dataset="d"><instance>${coord:current(0)}</instance></data-in></input-events>
        <action><workflow><app-path>hdfs://nn/wf</app-path><configuration><property><name>api.token</name>
        <value>tr0ub4dor</value></property></configuration></workflow></action></coordinator-app>"#;
    let workflow = r#"<workflow-app name="w" xmlns="uri:oozie:workflow:0.5"><start to="a"/>
        <action name="a"><shell xmlns="uri:oozie:shell-action:0.3"><exec>x</exec><capture-output/></shell><ok to="s"/>
        <error to="fail"/></action><action name="s"><sub-workflow><app-path>hdfs://nn/sub</app-path>
        <propagate-configuration/></sub-workflow><ok to="fail"/><error to="fail"/></action>
        <kill name="fail"><message>x --password ${dbPassword}</message></kill><end name="end"/></workflow-app>"#;
    let sub = r#"<workflow-app name="sub" xmlns="uri:oozie:workflow:0.5"><start to="end"/><end name="end"/></workflow-app>"#;
    let scenario = "[[data]]\ndataset = \"d\"\ndelay = \"5m\"\n[[action]]\nnode = \"a\"\noutput = { secret = \"tr0ub4dor\" }\n";
    let files = [
        ("coordinator.xml", coordinator),
        ("wf/workflow.xml", workflow),
        ("sub/workflow.xml", sub),
        (
            "job.properties",
            "oozie.coord.application.path=hdfs://nn/app\ndbPassword=tr0ub4dor\nurl=http://x:tr0ub4dor@y/z\n",
        ),
        ("ankus.toml", "[paths]\n\"hdfs://nn/app\" = \".\"\n\"hdfs://nn\" = \".\"\n"),
        ("s.toml", scenario),
    ];
    let folder = folder_of("check_secrets/simulated", &files);
    let path = |file: &str| folder.join(file).display().to_string();
    let (properties, scenario) = (path("job.properties"), path("s.toml"));
    for more in [
        &["--format", "text", "-v"][..],
        &["--format", "json"],
        &["--format", "jsonl"],
        &["--format", "html"],
        &["--explain", "c@1"],
        &["--explain", "c@1", "--format", "json"],
    ] {
        let outcome = ankus(&[&["simulate", &properties, "--scenario", &scenario], more].concat());
        assert_eq!(outcome.code, 0, "{}", outcome.err);
        assert!(outcome.out.contains("***") || more[1] == "c@1", "{more:?}\n{}", outcome.out);
        assert_veiled(&more.join(" "), &outcome.out);
        assert_veiled(&more.join(" "), &outcome.err);
    }
}
