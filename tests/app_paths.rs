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
        let words = ["`hdfs://nn1:8020/gone` leads to `", "cluster/gone`, where there is no workflow"];
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

#[test]
fn a_folder_of_many_apps_is_none_of_them() {
    let one = coordinator("hdfs://nn/apps/a", "");
    let many: Vec<(String, &str)> =
        (0..20).map(|n| (format!("apps/a{n:02}/workflow.xml"), WORKFLOW)).collect();
    let mut files: Vec<(&str, &str)> = many.iter().map(|(path, text)| (path.as_str(), *text)).collect();
    files.push(("ankus.toml", ""));
    let root = folder_of("paths-many", &files).display().to_string();
    for command in ["plan", "simulate", "run", "graph"] {
        let outcome = ankus(&[command, &root]);
        assert_eq!(outcome.code, 2, "{command}: {}", outcome.err);
        assert!(outcome.err.contains("holds several apps"), "{command}: {}", outcome.err);
        assert!(outcome.err.contains("a00/workflow.xml`") && outcome.err.contains(" and 8 more"));
    }
    // A coordinator and its workflow in one folder are one app.
    let app =
        folder_of("paths-one", &[("ankus.toml", ""), ("coordinator.xml", &one), ("workflow.xml", WORKFLOW)]);
    assert_eq!(ankus(&["plan", &app.display().to_string(), "--next", "1"]).code, 0);
}

#[test]
fn job_properties_come_before_other_properties() {
    let properties = "oozie.wf.application.path=hdfs://nn/apps/paths-job\n";
    let files = [
        ("ankus.toml", ""),
        ("workflow.xml", WORKFLOW),
        ("job.properties", properties),
        ("prod.properties", properties),
    ];
    let folder = folder_of("paths-job", &files).display().to_string();
    assert_eq!(ankus(&["plan", &folder]).code, 0);
    std::fs::remove_file(format!("{folder}/job.properties")).expect("it is there");
    std::fs::write(format!("{folder}/qa.properties"), properties).expect("it can be written");
    let outcome = ankus(&["plan", &folder]);
    assert!(outcome.code == 2 && outcome.err.contains("name one of"), "{}", outcome.err);
}

#[test]
fn a_slip_in_a_path_is_a_warning_with_what_is_meant() {
    let bundle = |path: &str| {
        format!(
            r#"<bundle-app name="b" xmlns="uri:oozie:bundle:0.2"><coordinator name="c"><app-path>{path}</app-path></coordinator></bundle-app>"#
        )
    };
    let folder = folder_of(
        "paths-slips",
        &[
            ("ankus.toml", ""),
            ("apps/daily/workflow.xml", WORKFLOW),
            ("apps/daily/coordinator.xml", &coordinator("${nn}/apps/daily/wrokflow.xml", "")),
            (
                "apps/daily/job.properties",
                "oozie.coord.application.path=hdfs://nn/apps/dialy\nnn=hdfs://nn\n",
            ),
            ("apps/all/bundle.xml", &bundle("hdfs://nn/apps/daily/cordinator.xml")),
        ],
    );
    let file = |name: &str| folder.join(name).display().to_string();
    let rule = "app-path-missing";
    expect(
        rule,
        &[&file("apps/daily/coordinator.xml")],
        "warning",
        &["but nearly to `", "daily/workflow.xml`"],
    );
    let properties = file("apps/daily/job.properties");
    assert!(said(rule, &[&properties]).iter().any(|(severity, words)| {
        severity == "warning" && words.contains("`hdfs://nn/apps/dialy` leads to no coordinator")
    }));
    let bundle = file("apps/all/bundle.xml");
    expect("bundle-coordinator-missing", &[&bundle], "warning", &["but nearly to `"]);
    let plan = ankus(&["plan", "--color", "never", "-D", "nn=hdfs://nn", &bundle]);
    assert_eq!(plan.code, 0, "{}{}", plan.out, plan.err);
    assert!(plan.err.contains("did you mean `hdfs://nn/apps/daily/coordinator.xml`?"), "{}", plan.err);
}

/// Profiles that differ in what comes before the written end of a path have one fault, not one each.
#[test]
fn a_path_is_one_fault_under_all_properties() {
    let coordinator = coordinator("${nn}/elsewhere/w_load.xml", "");
    let properties =
        |host: &str| format!("nn=hdfs://{host}\noozie.coord.application.path=${{nn}}/apps/load\n");
    let (dev, prod) = (properties("dev"), properties("prod"));
    let folder = folder_of(
        "paths-profiles",
        &[
            ("ankus.toml", ""),
            ("oozie/load/coordinator.xml", &coordinator),
            ("oozie/load/w_load.xml", WORKFLOW),
            ("conf/dev.properties", &dev),
            ("conf/prod.properties", &prod),
        ],
    );
    let found = said("app-path-missing", &[&folder.display().to_string()]);
    let warnings: Vec<_> = found.iter().filter(|(severity, _)| severity == "warning").collect();
    let [(_, words)] = warnings[..] else { panic!("{found:?}") };
    assert!(words.starts_with("`${nn}/elsewhere/w_load.xml` shares only its file name"), "{words}");
}

/// Of several files that fit equally well the nearest is taken, and the others are named.
#[test]
fn a_choice_by_nearness_names_the_others() {
    let coordinator = coordinator("hdfs://nn/etl/load", "");
    let folder = folder_of(
        "paths-nearest",
        &[
            ("ankus.toml", ""),
            ("one/jobs/coordinator.xml", &coordinator),
            ("one/etl/load/workflow.xml", WORKFLOW),
            ("two/etl/load/workflow.xml", WORKFLOW),
        ],
    );
    let file = folder.join("one/jobs/job.properties");
    crate::support::write_file(&file, "oozie.coord.application.path=hdfs://nn/one/jobs\n");
    let words =
        ["fits several workflows", "one/etl/load/workflow.xml` is the nearest", "two/etl/load/workflow.xml"];
    expect("app-path-missing", &[&file.display().to_string()], "info", &words);
}
