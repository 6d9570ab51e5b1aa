//! Bundles as the server took them: `fixtures/reference/bundle`, recorded from its own classes.

use crate::support;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use ankus::analysis::parameters::{Given, JobConf, Layer};
use ankus::analysis::project::{Astray, Kind};
use ankus::diag::{Diagnostic, Severity, Stage};
use ankus::model::{self, App};
use ankus::plan::bundle::{Definition, Started, Submitted, start, submit};
use ankus::schema;
use ankus::source::Sources;
use ankus::time::ProcessingZone;
use ankus::xml;
use serde_json::Value;

/// A recorded case.
struct Case {
    name: String,
    xml: String,
    properties: BTreeMap<String, String>,
    default_file: Vec<Given>,
    missing: BTreeSet<String>,
    expected: Value,
}

/// A case's outcome, as far as the records speak of it.
struct Outcome {
    findings: Vec<Diagnostic>,
    submitted: Option<Submitted>,
    started: Option<Started>,
}

fn cases() -> Vec<Case> {
    let folder = support::root().join("fixtures/reference/bundle");
    let names = support::names_in(&folder);
    let names = names.iter().filter_map(|name| name.strip_suffix(".expected.json"));
    names
        .map(|name| {
            let read = |suffix: &str| fs::read_to_string(folder.join(format!("{name}.{suffix}")));
            let mut properties = support::properties(&read("properties").expect("properties"));
            let missing = properties.remove("oracle.missing").unwrap_or_default();
            let path = format!("hdfs://nn1:8020/bundle/{name}");
            properties.insert("oozie.bundle.application.path".to_owned(), path);
            Case {
                name: name.to_owned(),
                xml: read("xml").expect("a definition"),
                properties,
                default_file: read("default.xml")
                    .map(|text| support::configuration(&text))
                    .unwrap_or_default(),
                missing: missing.split_whitespace().map(str::to_owned).collect(),
                expected: serde_json::from_str(&read("expected.json").expect("an outcome")).expect("JSON"),
            }
        })
        .collect()
}

fn run(case: &Case) -> Outcome {
    let mut sources = Sources::new();
    let file = sources.add("bundle.xml", case.xml.as_str());
    let mut outcome = Outcome { findings: Vec::new(), submitted: None, started: None };
    let (root, findings) = xml::read(file, &case.xml, &xml::Limits::default());
    outcome.findings.extend(findings);
    let Some(root) = root else { return outcome };
    outcome.findings.extend(schema::check(&root, &case.xml, schema::Kind::Bundle));
    let (Some(App::Bundle(bundle)), _) = model::lower(&root) else { return outcome };
    let mut conf = JobConf::new();
    let given = case.properties.iter().map(|(name, value)| Given::new(name, value));
    conf.set_all(&Layer::File, given);
    let definition = Definition { root: &root, text: &case.xml, model: &bundle };
    let (submitted, findings) = submit(definition, conf, &case.default_file, ProcessingZone::UTC);
    outcome.findings.extend(findings);
    outcome.started = submitted.as_ref().map(|it| {
        start(it, &|path| case.missing.contains(path).then(|| Astray::unknown(path, Kind::Coordinator)))
    });
    outcome.submitted = submitted;
    outcome
}

/// What differs from the record, in words.
fn faults(case: &Case, outcome: &Outcome) -> Vec<String> {
    let refusals: Vec<_> = outcome
        .findings
        .iter()
        .filter(|finding| finding.severity == Severity::Error && finding.stage == Some(Stage::Submit))
        .collect();
    let mut faults = Vec::new();
    let mut expect = |what: &str, expected: Value, actual: Value| {
        if expected != actual {
            faults.push(format!("{what}: expected {expected}, found {actual}"));
        }
    };
    if let Some(error) = case.expected.get("submit_error") {
        let mut codes: Vec<_> = error["inner_codes"].as_array().into_iter().flatten().cloned().collect();
        if codes.first() != Some(&error["code"]) {
            codes.insert(0, error["code"].clone());
        }
        let found: Vec<Value> =
            refusals.iter().map(|finding| finding.oozie.iter().copied().collect()).collect();
        if found.first() != Some(&Value::Array(codes.clone())) {
            faults.push(format!("refused with {codes:?}, found {found:?}"));
        }
        return faults;
    }
    let (Some(submitted), Some(started), []) = (&outcome.submitted, &outcome.started, &*refusals) else {
        return vec![format!(
            "accepted, found {:?}",
            refusals.iter().map(|it| &it.message).collect::<Vec<_>>()
        )];
    };
    expect("name", case.expected["name"].clone(), submitted.name.clone().into());
    let kick_off = submitted.kick_off.map(|at| ProcessingZone::UTC.format(at));
    expect("kick-off", case.expected["kick_off"].clone(), kick_off.into());
    expect("group", case.expected["group"].clone(), submitted.group.clone().into());
    expect("configuration", case.expected["job_conf"].clone(), json(&submitted.conf));
    let error = case.expected.get("start_error").map(|error| error["code"].clone());
    let found = started.error.as_ref().map(|error| error.oozie.first().copied().unwrap_or("none"));
    expect("start", error.unwrap_or_default(), found.into());
    let coordinators = case.expected["coordinators"].as_array().expect("coordinators");
    for (number, expected) in coordinators.iter().enumerate() {
        let Some(child) = started.children.get(number) else {
            expect("coordinator", expected.clone(), Value::Null);
            continue;
        };
        let mut expect = |what: &str, actual: Value| {
            expect(
                &format!("coordinator {number} {what}"),
                expected.get(what).cloned().unwrap_or_default(),
                actual,
            );
        };
        expect("critical", child.is_critical.into());
        if expected.get("error").is_some() {
            continue;
        }
        expect("enabled", child.is_enabled.into());
        expect("app_path", child.app_path.clone().into());
        expect("conf", json(&child.conf));
        if child.is_enabled {
            expect("resolved_name", child.name.clone().into());
        }
    }
    if case.expected.get("start_error").is_none() && started.children.len() != coordinators.len() {
        faults.push("another number of coordinators".to_owned());
    }
    faults
}

fn json(conf: &JobConf) -> Value {
    conf.iter().map(|(name, value)| (name.to_owned(), Value::from(value))).collect()
}

#[test]
fn every_bundle_comes_out_as_recorded() {
    let differences = support::differences("bundle");
    let cases = cases();
    assert_eq!(cases.len(), 51);
    let mut faults_seen = Vec::new();
    for case in &cases {
        let found = faults(case, &run(case));
        match (found.is_empty(), differences.get(&case.name)) {
            (true, Some(_)) => faults_seen.push(format!("{}: is listed as different and is not", case.name)),
            (false, None) => faults_seen.push(format!("{}: {}", case.name, found.join("\n  "))),
            _ => {}
        }
    }
    assert!(faults_seen.is_empty(), "{} of {}:\n{}", faults_seen.len(), cases.len(), faults_seen.join("\n"));
}
