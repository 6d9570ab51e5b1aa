//! Coordinators as the server submitted and materialized them: `fixtures/reference/coord` and `coord2`, recorded from
//! its own classes, and the random ones of `random/coord.jsonl`.

use crate::support;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use ankus::analysis::parameters::{Given, JobConf, Layer};
use ankus::diag::{Diagnostic, Severity, Stage};
use ankus::model::{self, App};
use ankus::plan::coordinator::{
    Action, CoordinatorJob, Event, IncludeError, Included, PlanOptions, Present, Settings, SlaOutcome,
    prepare, submit,
};
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
    included: BTreeMap<String, String>,
    expected: Value,
}

/// The cases of an area.
fn cases(area: &str) -> Vec<Case> {
    let folder = support::root().join("fixtures/reference").join(area);
    let files = support::names_in(&folder);
    let names = files.iter().filter_map(|name| name.strip_suffix(".expected.json"));
    names.map(|name| case(&folder, name, &files)).collect()
}

fn case(folder: &Path, name: &str, files: &[String]) -> Case {
    let read = |suffix: &str| fs::read_to_string(folder.join(format!("{name}.{suffix}")));
    let prefix = format!("{name}.");
    let includes = files.iter().filter_map(|file| file.strip_prefix(&prefix)?.strip_suffix(".inc.xml"));
    Case {
        name: name.to_owned(),
        xml: read("xml").expect("a definition"),
        properties: support::properties(&read("properties").expect("properties")),
        default_file: read("default.xml").map(|text| support::configuration(&text)).unwrap_or_default(),
        included: includes
            .map(|x| {
                let text = read(&format!("{x}.inc.xml")).expect("an included file");
                (format!("hdfs://nn1:8020/inc/{x}.xml"), text)
            })
            .collect(),
        expected: serde_json::from_str(&read("expected.json").expect("an outcome")).expect("JSON"),
    }
}

/// What a case comes to.
struct Outcome {
    findings: Vec<Diagnostic>,
    job: Option<CoordinatorJob>,
}

fn run(case: &Case) -> Outcome {
    let mut sources = Sources::new();
    let file = sources.add("coordinator.xml", case.xml.as_str());
    let (root, mut findings) = xml::read(file, &case.xml, &xml::Limits::default());
    let Some(root) = root else { return Outcome { findings, job: None } };
    findings.extend(schema::check(&root, &case.xml, schema::Kind::Coordinator));
    let (Some(App::Coordinator(app)), _) = model::lower(&root) else {
        return Outcome { findings, job: None };
    };
    let mut conf = JobConf::new();
    let given = case.properties.iter().filter(|(name, _)| !name.starts_with("oracle."));
    conf.set_all(&Layer::File, given.map(|(name, value)| Given::new(name, value)));
    if !conf.contains("user.name") {
        conf.set(Layer::File, Given::new("user.name", "alice"));
    }
    findings.extend(prepare(&mut conf, &case.default_file, app.name_span));
    let bundle_name = case.properties.get("oracle.bundle-coordinator-name");
    let mut includes = |path: &str| {
        let text = case.included.get(path).ok_or_else(|| IncludeError::Missing(path.to_owned()))?;
        let file = sources.add(path, text.as_str());
        let (root, findings) = xml::read(file, text, &xml::Limits::default());
        root.map(|root| Included::new(&root)).ok_or(IncludeError::Malformed(findings))
    };
    let settings = Settings::default();
    let submitted = submit(&app, &conf, bundle_name.map(String::as_str), &settings, &mut includes);
    findings.extend(submitted.findings);
    let refused = findings.iter().any(refuses);
    Outcome { findings, job: submitted.job.filter(|_| !refused) }
}

fn refuses(finding: &Diagnostic) -> bool {
    finding.severity == Severity::Error && finding.stage == Some(Stage::Submit)
}

/// What differs from the record, in words.
fn faults(case: &Case, limit: usize) -> Vec<String> {
    let outcome = run(case);
    let told = || {
        let findings = outcome.findings.iter().filter(|finding| refuses(finding));
        findings.map(|f| format!("{} {:?} {}", f.rule.name, f.oozie, f.message)).collect::<Vec<_>>()
    };
    if let Some(error) = case.expected.get("submit_error") {
        let code = error["code"].as_str().expect("a code");
        let mut findings = outcome.findings.iter().filter(|finding| refuses(finding));
        if outcome.job.is_some() {
            return vec![format!("refused with {code} ({}), found accepted", error["message"])];
        }
        let found = findings.any(|finding| finding.oozie.first().copied() == Some(code));
        return if found { Vec::new() } else { vec![format!("refused with {code}, found {:?}", told())] };
    }
    let Some(job) = &outcome.job else {
        return vec![format!("accepted, found {:?}", told())];
    };
    let mut faults = Vec::new();
    let mut expect = |what: &str, expected: &Value, actual: Value| {
        if *expected != actual {
            faults.push(format!("{what}: expected {expected}, found {actual}"));
        }
    };
    expect("job", &case.expected["job"], job_json(job));
    let mut actual: Vec<Value> = Vec::new();
    let mut ended = None;
    let present =
        case.properties.get("oracle.existing").map(|list| list.split_whitespace().collect::<Present>());
    let instant = |name: &str| {
        let text = case.properties.get(name)?;
        Some(ProcessingZone::UTC.parse_datetime(text).expect("a datetime").instant)
    };
    // The records only look for latest and future; everything else counts as there.
    let present = present.map(|present| {
        let options = PlanOptions { actual: instant("oracle.actual-time"), ..Default::default() };
        let planned = job.actions(options).take(limit).flatten().collect::<Vec<_>>();
        let known = planned.iter().flat_map(|action| &action.wait_for).flat_map(|list| list.iter());
        present.with(known.map(|uri| &**uri))
    });
    let looked = PlanOptions {
        actual: instant("oracle.actual-time"),
        present: present.as_ref().map(|present| present as _),
        ..Default::default()
    };
    let plain = PlanOptions { present: None, ..looked };
    let mut plans = job.actions(looked).zip(job.actions(plain)).take(limit);
    for (looked, plain) in &mut plans {
        match (looked, plain) {
            (Ok(looked), Ok(plain)) => actual.push(action_json(&looked, &plain)),
            (Err(finding), _) | (_, Err(finding)) => ended = Some(finding),
        }
    }
    if let Some(error) = case.expected.get("materialize_error") {
        let code = error["code"].as_str().expect("a code");
        match ended {
            None => faults.push(format!(
                "ends with {code} ({}), found {} actions",
                error["message"],
                actual.len()
            )),
            Some(finding) => {
                let found = finding.oozie.first().copied();
                let bare = !code.starts_with('E') || code.len() != 5;
                if if bare { found.is_some() } else { found != Some(code) } {
                    faults.push(format!("ends with {code}, found {:?} {}", finding.oozie, finding.message));
                }
            }
        }
        return faults;
    }
    if let Some(finding) = ended {
        faults.push(format!("goes on, found {} {:?} {}", finding.rule.name, finding.oozie, finding.message));
    }
    let expected = case.expected["actions"].as_array().expect("actions");
    if expected.len() != actual.len() {
        faults.push(format!("{} actions expected, found {}", expected.len(), actual.len()));
    }
    for (expected, actual) in expected.iter().zip(&actual) {
        faults.extend(action_faults(expected, actual));
    }
    faults
}

/// Only what the record of an action speaks of is compared.
fn action_faults(expected: &Value, actual: &Value) -> Vec<String> {
    let keys = expected.as_object().expect("an action").keys();
    let mut faults = Vec::new();
    for key in keys {
        let (expected, found) = (&expected[key], &actual[key]);
        let same = match key.as_str() {
            "action_error" => expected["code"] == found["code"],
            "sla" if expected.get("error").is_some() => expected["error"]["code"] == found["error"]["code"],
            "actual" => true,
            "conf" if expected.is_null() => true,
            _ => expected == found,
        };
        if !same {
            faults.push(format!("action {} {key}: expected {expected}, found {found}", actual["n"]));
        }
    }
    for key in ["action_error", "wait_for", "conf"] {
        if expected.get(key).is_none() && !actual[key].is_null() && !(key == "wait_for" && actual[key] == "")
        {
            faults.push(format!("action {} {key}: expected none, found {}", actual["n"], actual[key]));
        }
    }
    faults
}

fn job_json(job: &CoordinatorJob) -> Value {
    let time = |at| ProcessingZone::UTC.format(at);
    serde_json::json!({
        "name": &*job.name, "frequency": job.frequency, "time_unit": job.time_unit.name(),
        "start": time(job.start), "end": time(job.end), "timezone": job.timezone,
        "timeout": job.timeout_minutes, "concurrency": job.concurrency, "throttle": job.throttle,
        "execution": job.execution.name(), "end_of_duration": job.end_of_duration.name(),
    })
}

/// The form of the records: `looked` is the action after looking for its inputs, `plain` as it was created.
fn action_json(looked: &Action, plain: &Action) -> Value {
    let time = |at| ProcessingZone::UTC.format(at);
    let list =
        |texts: &[std::sync::Arc<str>]| texts.iter().map(|text| Value::from(&**text)).collect::<Value>();
    let event = |event: &Event| {
        let mut value = serde_json::json!({ "uris": list(&event.uris) });
        if let Some(unresolved) = &event.unresolved {
            value["unresolved"] = list(unresolved);
        }
        value
    };
    let events = |events: &[Event]| events.iter().map(|e| (e.name.to_string(), event(e))).collect::<Value>();
    let wait_for: Vec<&str> =
        plain.wait_for.iter().flat_map(|list| list.iter()).map(|text| &**text).collect();
    let mut waits = wait_for.join("#");
    for event in &plain.inputs {
        if let Some(unresolved) = &event.unresolved {
            waits.push_str("!!");
            waits.push_str(&unresolved.iter().map(|text| &**text).collect::<Vec<_>>().join("#"));
        }
    }
    let mut value = serde_json::json!({
        "n": plain.number, "nominal": time(plain.nominal),
        "in": events(&plain.inputs), "out": events(&plain.outputs), "wait_for": waits, "app_path": &*plain.app_path,
    });
    let resolved = looked.ready.is_some_and(|_| plain.inputs.iter().any(|event| event.unresolved.is_some()));
    if resolved {
        let satisfied = looked.inputs.iter().all(|event| event.unresolved.is_none());
        value["unresolved_satisfied"] = satisfied.into();
        let changed = plain.inputs.iter().zip(&looked.inputs).filter(|(plain, _)| plain.unresolved.is_some());
        value["in_resolved"] = changed.map(|(_, e)| (e.name.to_string(), event(e))).collect();
    }
    let speaking = if resolved { looked } else { plain };
    if let Some(conf) = &speaking.configuration {
        value["conf"] = conf.iter().map(|(name, value)| (name.to_string(), Value::from(&**value))).collect();
    }
    if let Some(error) = &speaking.error {
        value["action_error"] = serde_json::json!({ "code": error.oozie.first() });
    }
    match &plain.sla {
        None => {}
        Some(SlaOutcome::Failed(finding)) => {
            value["sla"] = serde_json::json!({ "error": { "code": finding.oozie.first() } });
        }
        Some(SlaOutcome::Registered(sla)) => {
            let seconds = |at| Some(time(at?).replace('Z', ":00Z"));
            value["sla"] = serde_json::json!({
                "nominal": sla.nominal.map(time), "expected_start": seconds(sla.expected_start),
                "expected_end": seconds(sla.expected_end), "expected_duration_ms": sla.expected_duration_millis,
                "alert_events": sla.alert_events, "alert_contact": sla.alert_contact,
                "notification_msg": sla.notification_msg, "upstream_apps": sla.upstream_apps,
            });
        }
    }
    value
}

/// Holds an area against its records.
fn check(area: &str, cases: &[Case], limit: usize) {
    let mut differences = support::differences(area);
    let mut lines = Vec::new();
    for case in cases {
        let faults = faults(case, limit);
        match (faults.is_empty(), differences.remove(&case.name)) {
            (true, Some(_)) => lines.push(format!("{}: listed as different, but is not", case.name)),
            (true, None) | (false, Some(_)) => {}
            (false, None) => {
                lines.push(format!("{}: {}", case.name, faults[..faults.len().min(3)].join("\n    ")))
            }
        }
    }
    lines.extend(
        differences.keys().map(|name| format!("{name}: listed as different, but there is no such case")),
    );
    assert!(lines.is_empty(), "{} of {} differ:\n{}", lines.len(), cases.len(), lines.join("\n"));
}

#[test]
fn coordinators_are_planned_as_recorded() {
    let cases = cases("coord");
    assert_eq!(cases.len(), 71);
    check("coord", &cases, 400);
}

#[test]
fn includes_defaults_and_service_levels_are_planned_as_recorded() {
    let cases = cases("coord2");
    assert_eq!(cases.len(), 102);
    check("coord2", &cases, 400);
}

#[test]
#[cfg_attr(not(has_reference), ignore = "needs the reference material")]
fn random_coordinators_are_planned_as_recorded() {
    let file = support::reference("oracle/random/coord.jsonl");
    let text = fs::read_to_string(file).expect("the cases");
    let cases: Vec<Case> = text.lines().enumerate().map(|(index, line)| random_case(index, line)).collect();
    check("random-coord", &cases, 12);
}

fn random_case(index: usize, line: &str) -> Case {
    let value: Value = serde_json::from_str(line).expect("JSON");
    let properties = value["properties"].as_object().expect("properties");
    Case {
        name: (index + 1).to_string(),
        xml: value["xml"].as_str().expect("a definition").to_owned(),
        properties: properties
            .iter()
            .map(|(n, v)| (n.clone(), v.as_str().expect("a text").to_owned()))
            .collect(),
        default_file: Vec::new(),
        included: BTreeMap::new(),
        expected: value["expected"].clone(),
    }
}
