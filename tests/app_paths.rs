//! What is said of paths that lead from one app to another, and lead nowhere, out of the project or to two places.

use crate::support::{ankus, folder_of};

const WORKFLOW: &str =
    r#"<workflow-app name="w" xmlns="uri:oozie:workflow:0.5"><start to="e"/><end name="e"/></workflow-app>"#;

fn coordinator(path: &str, datasets: &str) -> String {
    format!(
        r#"<coordinator-app name="c" frequency="${{coord:days(1)}}" start="2024-01-01T00:00Z" end="2024-01-03T00:00Z"
 timezone="UTC" xmlns="uri:oozie:coordinator:0.4">{datasets}<action><workflow><app-path>{path}</app-path></workflow></action></coordinator-app>"#
    )
}

fn caller(path: &str) -> String {
    format!(
        r#"<workflow-app name="w" xmlns="uri:oozie:workflow:0.5"><start to="a"/><action name="a">
<sub-workflow><app-path>{path}</app-path></sub-workflow><ok to="e"/><error to="e"/></action><end name="e"/></workflow-app>"#
    )
}

/// What `check` with these arguments says under one rule: severity and message.
fn said(rule: &str, arguments: &[&str]) -> Vec<(String, String)> {
    let outcome = ankus(&[&["check", "--format", "json"], arguments].concat());
    let report: serde_json::Value =
        serde_json::from_str(&outcome.out).unwrap_or_else(|_| panic!("{}", outcome.err));
    let text = |value: &serde_json::Value| value.as_str().expect("a text").to_owned();
    let findings = report["findings"].as_array().expect("findings").iter();
    let findings = findings.filter(|finding| finding["rule"] == rule);
    findings.map(|finding| (text(&finding["severity"]), text(&finding["message"]))).collect()
}

/// The only thing that is said, and how grave it is.
fn expect(rule: &str, arguments: &[&str], severity: &str, words: &[&str]) {
    let said = said(rule, arguments);
    let [(found, message)] = &said[..] else { panic!("{arguments:?}: {said:?}") };
    assert_eq!(found, severity, "{message}");
    assert!(words.iter().all(|word| message.contains(word)), "{words:?} in {message}");
}

#[test]
fn the_path_of_a_workflow_is_looked_at() {
    let folder = folder_of(
        "paths-workflow",
        &[
            ("ankus.toml", "[paths]\n\"hdfs://nn1:8020\" = \"cluster\"\n"),
            ("cluster/there/workflow.xml", WORKFLOW),
            ("x/twice/workflow.xml", WORKFLOW),
            ("y/twice/workflow.xml", WORKFLOW),
            ("c/out.xml", &coordinator("../../../../etc", "")),
            ("c/twice.xml", &coordinator("hdfs://nn/twice", "")),
            ("c/gone.xml", &coordinator("hdfs://nn/gone", "")),
            ("c/mapped.xml", &coordinator("hdfs://nn1:8020/there", "")),
            ("c/mapped-gone.xml", &coordinator("hdfs://nn1:8020/gone", "")),
            ("c/mapped-open.xml", &coordinator("hdfs://nn1:8020/${which}", "")),
            ("w/out.xml", &caller("hdfs://nn/a/../../b")),
            ("w/twice.xml", &caller("hdfs://nn/twice")),
            ("w/gone.xml", &caller("hdfs://nn/gone")),
            ("w/mapped-gone.xml", &caller("hdfs://nn1:8020/gone")),
        ],
    );
    let file = |name: &str| folder.join(name).display().to_string();
    let rule = "app-path-missing";
    for kind in ["c", "w"] {
        let of = |name: &str| file(&format!("{kind}/{name}.xml"));
        expect(rule, &[&of("out")], "warning", &["leads out of the project"]);
        let two = ["may lead to `", "x/twice/workflow.xml` or to `", "y/twice/workflow.xml`"];
        expect(rule, &[&of("twice")], "warning", &two);
        // Where not all is known, the project may not be whole either.
        assert!(said(rule, &[&of("gone")]).is_empty());
        let severity = if kind == "c" { "info" } else { "warning" };
        let words = ["`hdfs://nn/gone` leads to no workflow of the project"];
        expect(rule, &[&of("gone"), "-D", "a=b"], severity, &words);
        let words = ["`hdfs://nn1:8020/gone` leads to `", "cluster/gone`, where no workflow is"];
        expect(rule, &[&of("mapped-gone")], "error", &words);
    }
    assert!(said(rule, &[&file("c/mapped.xml")]).is_empty());
    assert!(said(rule, &[&file("c/mapped-open.xml")]).is_empty());
    let plan = ankus(&["plan", &file("c/out.xml"), "--next", "1"]);
    assert_eq!(plan.code, 0);
    assert!(plan.err.contains("leads out of the project"), "{}", plan.err);
}

#[test]
fn a_bundle_says_which_coordinators_may_be_meant() {
    let bundle = r#"<bundle-app name="b" xmlns="uri:oozie:bundle:0.2"><coordinator name="c"><app-path>hdfs://nn/coordA</app-path></coordinator></bundle-app>"#;
    let one = coordinator("hdfs://nn/wf", "");
    let folder = folder_of(
        "paths-bundle",
        &[
            ("ankus.toml", ""),
            ("bundle/bundle.xml", bundle),
            ("x/coordA/coordinator.xml", &one),
            ("y/coordA/coordinator.xml", &one),
        ],
    );
    let file = folder.join("bundle/bundle.xml").display().to_string();
    let words = ["`hdfs://nn/coordA` may lead to `", "x/coordA/coordinator.xml` or to `"];
    expect("bundle-coordinator-missing", &[&file], "warning", &words);
    assert_eq!(ankus(&["plan", &file]).code, 1, "a coordinator of it is not planned");
}

#[test]
fn an_include_says_where_it_leads() {
    let included = |path: &str| {
        let datasets = format!("<datasets><include>{path}</include></datasets>");
        coordinator("hdfs://nn/wf", &datasets)
    };
    let folder = folder_of(
        "paths-include",
        &[
            ("ankus.toml", ""),
            ("abs/coordinator.xml", &included("file:///etc/passwd")),
            ("out/coordinator.xml", &included("../../../datasets.xml")),
            ("self/coordinator.xml", &included("hdfs://nn/self/coordinator.xml")),
            ("gone/coordinator.xml", &included("hdfs://nn/gone.xml")),
        ],
    );
    let file = |name: &str| folder.join(name).join("coordinator.xml").display().to_string();
    let rule = "dataset-include-missing";
    expect(rule, &[&file("abs")], "error", &["`file:///etc/passwd` leads out of the project"]);
    expect(rule, &[&file("out")], "error", &["`../../../datasets.xml` leads out of the project"]);
    // The cluster may hold it, but nothing can be planned without it.
    let words = "`hdfs://nn/gone.xml` leads to no dataset file of the project";
    expect(rule, &[&file("gone")], "info", &[words]);
    let plan = ankus(&["plan", "--color", "never", &file("gone")]);
    assert!(plan.code == 1 && plan.out.contains(&format!("error[{rule}] (E1002)")), "{}", plan.out);
    expect(rule, &[&file("self")], "warning", &["is a `coordinator-app`, no file of `datasets`"]);
}

#[test]
fn plan_says_what_the_reader_says() {
    let deep = format!("<workflow-app name=\"w\" xmlns=\"uri:oozie:workflow:0.5\">{}", "<a>".repeat(10_000));
    let folder = folder_of(
        "paths-reader",
        &[
            ("ankus.toml", ""),
            ("deep/workflow.xml", &deep),
            ("app/workflow.xml", WORKFLOW),
            ("bom.properties", "\u{FEFF}oozie.wf.application.path=hdfs://nn/app\n"),
            ("none.properties", "a=b\n"),
        ],
    );
    let file = |name: &str| folder.join(name).display().to_string();
    let outcome = ankus(&["plan", &file("deep/workflow.xml")]);
    assert!(outcome.code == 1 && outcome.out.contains("xml-too-deep"), "{}{}", outcome.out, outcome.err);
    for command in ["plan", "check"] {
        let outcome = ankus(&[command, &file("bom.properties")]);
        assert_eq!(outcome.code, 1, "{}", outcome.err);
        assert!(outcome.out.contains("properties-byte-order-mark"), "{}", outcome.out);
        assert!(outcome.out.contains("no app is named"), "{}", outcome.out);
        assert_eq!(ankus(&[command, &file("none.properties")]).code, 2);
    }
    // In a folder such a file is not passed over.
    let folder = folder.display().to_string();
    assert!(ankus(&["check", &folder]).out.contains("properties-byte-order-mark"));
}

#[test]
fn a_folder_with_several_apps_has_a_name() {
    let folder = folder_of("paths-several", &[("a.xml", WORKFLOW), ("b.xml", WORKFLOW)]);
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_ankus"));
    let output = command.current_dir(&folder).args(["plan", "."]).output().expect("it runs");
    let err = String::from_utf8(output.stderr).expect("text");
    assert!(err.contains("`.` holds several apps"), "{err}");
}
