//! `ankus check` through the program, on every recorded application: what a server accepts has no error of stage submit,
//! what it refuses has one with the server's code.

use crate::support;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{ankus, differences, names_in, root};
use serde_json::Value;

/// An empty folder of its own for a case.
fn folder(area: &str, name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("reference_check").join(area).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder can be made");
    folder
}

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().expect("a file has a folder")).expect("a folder can be made");
    fs::write(path, text).expect("a file can be written");
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The findings of `check` with these properties.
fn findings(definition: &Path, properties: &Path) -> Vec<Value> {
    let [definition, properties] = [definition, properties].map(|path| path.display().to_string());
    let outcome = ankus(&["check", &definition, "-c", &properties, "--format", "json"]);
    assert_ne!(outcome.code, 2, "{definition}: {}", outcome.err);
    let report: Value = serde_json::from_str(&outcome.out).expect("check prints JSON");
    report["findings"].as_array().expect("findings").clone()
}

/// What is wrong with a verdict; `codes` are those of the server, none when it accepts.
fn fault(findings: &[Value], codes: Option<&[&str]>) -> Option<String> {
    let errors = findings.iter().filter(|finding| finding["severity"] == "error");
    let submit: Vec<_> = errors.filter(|finding| finding["stage"] == "submit").collect();
    let told: Vec<_> = submit.iter().map(|finding| (&finding["rule"], &finding["oozie"])).collect();
    let Some(codes) = codes else {
        return (!submit.is_empty()).then(|| format!("accepted by the server, refused here: {told:?}"));
    };
    // An exception without a code of its own has none that could be told.
    let codes: Vec<_> = codes.iter().filter(|code| is_code(code)).collect();
    let holds = |finding: &&Value| {
        let said = finding["oozie"].as_array().expect("codes");
        codes.iter().all(|code| said.iter().any(|other| other == **code))
    };
    (!submit.iter().any(holds)).then(|| format!("{codes:?} expected, found {told:?}"))
}

fn is_code(text: &str) -> bool {
    text.strip_prefix('E')
        .is_some_and(|digits| digits.len() == 4 && digits.bytes().all(|b| b.is_ascii_digit()))
}

/// Holds the faults of an area against the table of deliberate differences.
fn judge(area: &str, faults: &BTreeMap<String, Option<String>>) {
    let listed = differences(area);
    let wrong: Vec<String> = faults
        .iter()
        .filter_map(|(case, fault)| match (fault, listed.contains_key(case)) {
            (Some(fault), false) => Some(format!("{case}: {fault}")),
            (None, true) => Some(format!("{case}: is listed as different and is not")),
            _ => None,
        })
        .collect();
    assert!(faults.len() > 50, "{area}: only {} cases", faults.len());
    assert!(wrong.is_empty(), "{area}: {} of {}\n{}", wrong.len(), faults.len(), wrong.join("\n"));
}

/// The properties of a case without those that only speak of its recording.
fn job_properties(text: &str) -> String {
    text.lines().filter(|line| !line.starts_with("oracle.")).map(|line| format!("{line}\n")).collect()
}

/// The names of the cases in a folder of records.
fn cases(records: &Path) -> Vec<String> {
    let names = names_in(records);
    names.iter().filter_map(|name| name.strip_suffix(".expected.json")).map(str::to_owned).collect()
}

/// What the record says of a submission.
fn submit_codes(expected: &Value) -> Option<Vec<String>> {
    let error = expected.get("submit_error")?;
    let inner = error["inner_codes"].as_array().into_iter().flatten();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    Some(std::iter::once(&error["code"]).chain(inner).map(text).collect())
}

#[test]
fn workflows_are_judged_as_by_the_server() {
    let records = root().join("fixtures/reference/workflow");
    let expected: BTreeMap<String, Value> =
        serde_json::from_str(&read(&records.join("expected.json"))).expect("JSON");
    let faults = expected.iter().map(|(name, expected)| {
        let folder = folder("workflow", name);
        let (app, properties) = (folder.join("workflow.xml"), folder.join("job.properties"));
        write(&app, &read(&records.join(name)));
        write(&properties, "");
        let code = expected["code"].as_str().map(|code| vec![code]);
        (name.clone(), fault(&findings(&app, &properties), code.as_deref()))
    });
    judge("workflow", &faults.collect());
}

fn coordinators(area: &str) {
    let records = root().join("fixtures/reference").join(area);
    let faults = cases(&records).into_iter().filter_map(|name| {
        let text = |suffix: &str| fs::read_to_string(records.join(format!("{name}.{suffix}"))).ok();
        let given = text("properties").expect("properties");
        // Submitted by a bundle under a name that only the library can give.
        if given.contains("oracle.bundle-coordinator-name") {
            return None;
        }
        let folder = folder(area, &name);
        write(&folder.join("ankus.toml"), "[paths]\n\"hdfs://nn1:8020\" = \"cluster\"\n");
        let home = folder.join("cluster/coords").join(&name);
        write(&home.join("coordinator.xml"), &text("xml").expect("a definition"));
        if let Some(default_file) = text("default.xml") {
            write(&home.join("coord-config-default.xml"), &default_file);
        }
        for file in names_in(&records) {
            let included =
                file.strip_prefix(&format!("{name}.")).and_then(|rest| rest.strip_suffix(".inc.xml"));
            if let Some(included) = included {
                write(&folder.join(format!("cluster/inc/{included}.xml")), &read(&records.join(&file)));
            }
        }
        let properties = folder.join("job.properties");
        let path = match area {
            "coord2" => format!("oozie.coord.application.path=hdfs://nn1:8020/coords/{name}\n"),
            _ => String::new(),
        };
        write(&properties, &(job_properties(&given) + &path));
        let expected: Value =
            serde_json::from_str(&text("expected.json").expect("an outcome")).expect("JSON");
        let codes = submit_codes(&expected);
        let codes: Option<Vec<&str>> = codes.as_ref().map(|codes| codes.iter().map(String::as_str).collect());
        let found = findings(&home.join("coordinator.xml"), &properties);
        let mut fault = fault(&found, codes.as_deref());
        let later = expected.get("materialize_error").is_some();
        let is_error = |finding: &Value| finding["severity"] == "error" && finding["stage"] == "materialize";
        if later && !found.iter().any(is_error) {
            fault = Some("creating actions fails on the server, nothing here says so".to_owned());
        }
        Some((name, fault))
    });
    judge(area, &faults.collect());
}

#[test]
fn coordinators_are_judged_as_by_the_server() {
    coordinators("coord");
}

#[test]
fn coordinators_with_includes_and_defaults_are_judged_as_by_the_server() {
    coordinators("coord2");
}

/// A coordinator that any bundle may hold.
const CHILD: &str = r#"<coordinator-app name="x" frequency="${coord:days(1)}" start="2024-01-01T00:00Z"
  end="2024-01-02T00:00Z" timezone="UTC" xmlns="uri:oozie:coordinator:0.4">
  <action><workflow><app-path>hdfs://nn1:8020/apps/wf</app-path></workflow></action>
</coordinator-app>"#;

/// The coordinators' folders that texts name: what follows `/coords/`.
fn child_paths(text: &str) -> impl Iterator<Item = String> {
    let ends = |c: char| !(c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-'));
    text.split("/coords/").skip(1).map(move |rest| rest.split(ends).next().unwrap_or_default().to_owned())
}

#[test]
fn bundles_are_judged_as_by_the_server() {
    let records = root().join("fixtures/reference/bundle");
    let faults = cases(&records).into_iter().map(|name| {
        let text = |suffix: &str| fs::read_to_string(records.join(format!("{name}.{suffix}"))).ok();
        let folder = folder("bundle", &name);
        write(&folder.join("ankus.toml"), "[paths]\n\"hdfs://nn1:8020\" = \"cluster\"\n");
        let home = folder.join("cluster/bundle").join(&name);
        let (xml, given) = (text("xml").expect("a definition"), text("properties").expect("properties"));
        write(&home.join("bundle.xml"), &xml);
        if let Some(default_file) = text("default.xml") {
            write(&home.join("bundle-config-default.xml"), &default_file);
        }
        let missing = support::properties(&given).remove("oracle.missing").unwrap_or_default();
        let expected_text = text("expected.json").expect("an outcome");
        for child in child_paths(&format!("{xml}{given}{expected_text}")).filter(|child| !child.is_empty()) {
            if !missing.split_whitespace().any(|path| path.ends_with(&format!("/coords/{child}"))) {
                write(&folder.join("cluster/coords").join(&child).join("coordinator.xml"), CHILD);
            }
        }
        let properties = folder.join("job.properties");
        let path = format!("oozie.bundle.application.path=hdfs://nn1:8020/bundle/{name}\n");
        write(&properties, &(job_properties(&given) + &path));
        let expected: Value = serde_json::from_str(&expected_text).expect("JSON");
        let codes = submit_codes(&expected);
        let codes: Option<Vec<&str>> = codes.as_ref().map(|codes| codes.iter().map(String::as_str).collect());
        let found = findings(&home.join("bundle.xml"), &properties);
        let mut fault = fault(&found, codes.as_deref());
        if let Some(code) = expected["start_error"]["code"].as_str().filter(|code| is_code(code)) {
            let says = |finding: &Value| {
                finding["severity"] == "error"
                    && finding["oozie"].as_array().is_some_and(|codes| codes.iter().any(|it| it == code))
            };
            if !found.iter().any(says) {
                fault = Some(format!("its start fails with {code}, nothing here says so"));
            }
        }
        (name, fault)
    });
    judge("bundle", &faults.collect());
}
