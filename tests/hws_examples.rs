//! The examples of the specification through `check`, and what every check can do.

use serde_json::Value;

use crate::support::{ankus, folder_of, root};

/// An http action without a mode.
const HTTP: &str = "<hadoop-workflow name=\"w\">\n<start to=\"a\"/>\n<http name=\"a\"><url>http://h/x</url><transition \
                    name=\"OK\" to=\"e\"/><transition name=\"ERROR\" to=\"f\"/></http>\n<fail \
                    name=\"f\"><message>no</message></fail>\n<end name=\"e\"/>\n</hadoop-workflow>\n";

/// The examples of the specification: corrected they are clean, as they are written they get the finding of their slip.
#[test]
fn the_examples() {
    let findings = |folder: &str| -> Vec<String> {
        let path = root().join("fixtures/hws").join(folder);
        let outcome = ankus(&["check", &path.to_string_lossy(), "--format", "json"]);
        let report: Value = serde_json::from_str(&outcome.out).expect("JSON");
        let name = |finding: &Value| finding["rule"].as_str().expect("a rule").to_owned();
        // Nobody has given what the examples ask for by name.
        let told = |finding: &&Value| finding["rule"] != "parameter-undefined";
        report["findings"].as_array().expect("findings").iter().filter(told).map(name).collect()
    };
    for folder in [
        "decision",
        "email",
        "fork-join",
        "hdfs",
        "http",
        "map-reduce",
        "parameters",
        "pig",
        "ssh",
        "streaming",
        "sub-workflow/child",
        "sub-workflow/parent",
    ] {
        assert_eq!(findings(folder), [""; 0], "HWS-15-1 HWS-A-2 {folder}");
    }
    assert_eq!(findings("as-written/decision"), ["el-function-alias"; 3], "HWS-3.1.4-14");
    assert_eq!(findings("as-written/email"), ["expression-misspelt"]);
    assert_eq!(findings("as-written/files"), ["xml-not-well-formed"]);
    assert_eq!(findings("as-written/map-reduce"), ["xml-not-well-formed"]);
    assert_eq!(findings("as-written/parameters"), ["schema-violation"; 6]);
    // The misspelt `params` is refused, so that the script's names are given by nobody.
    let pig = [
        "action-missing-endpoint",
        "script-parameter-missing",
        "script-parameter-missing",
        "schema-violation",
    ];
    assert_eq!(findings("as-written/pig"), pig, "HWS-3.2.3-9");
    assert_eq!(findings("as-written/streaming"), ["expression-misspelt"]);
}

/// A baseline hides old findings, a comment allows one, and every format is written.
#[test]
fn findings_are_chosen_and_written_as_ever() {
    let text = HTTP.to_owned();
    let allowed = text.replace("<http ", "<!-- ankus: allow(http-mode-invalid) it is a test --><http ");
    let folder = folder_of("hws-choice", &[("app/workflow.xml", &text), ("allowed/workflow.xml", &allowed)]);
    let (app, allowed) = (folder.join("app"), folder.join("allowed"));
    let (app, allowed) = (app.to_string_lossy(), allowed.to_string_lossy());
    let clean = |arguments: &[&str]| ankus(arguments).code == 0;
    assert!(!clean(&["check", &app, "--fail-on", "warning"]), "HWS-X-3");
    assert!(clean(&["check", &allowed, "--fail-on", "warning"]));
    let baseline = folder.join("baseline.json");
    let baseline = baseline.to_string_lossy();
    assert!(clean(&["check", &app, "--fail-on", "warning", "--write-baseline", &baseline]));
    assert!(clean(&["check", &app, "--fail-on", "warning", "--baseline", &baseline]));
    for format in ["full", "json", "sarif", "junit", "github", "gitlab", "checkstyle"] {
        let outcome = ankus(&["check", &app, "--format", format]);
        assert!(outcome.out.contains("http-mode-invalid"), "{format}: {}", outcome.out);
    }
}
