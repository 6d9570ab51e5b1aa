//! Input logic step by step, as the server evaluated it: `fixtures/reference/input-logic`.

use crate::support;
use crate::support::input_logic::{Case, cases};
use ankus::plan::coordinator::{Action, CoordinatorJob, Event, PlanOptions, Present, Settings, Waiting};
use ankus::time::ProcessingZone;
use serde_json::{Value, json};

/// What differs from the record, in words.
fn faults(case: &Case) -> Vec<String> {
    let (job, findings) = case.submit(&Settings::default());
    let mut faults = Vec::new();
    if let Some(error) = case.expected.get("submit_error") {
        let code = error["code"].as_str();
        if job.is_some() || !findings.iter().any(|finding| finding.oozie.first().copied() == code) {
            faults.push(format!("refused with {code:?}, found {findings:?}"));
        }
        return faults;
    }
    let Some((job, _)) = job else { return vec![format!("accepted, found {findings:?}")] };
    let instant = |name: &str| {
        let text = case.properties.get(name)?;
        Some(ProcessingZone::UTC.parse_datetime(text).expect("a datetime").instant)
    };
    let options = PlanOptions { actual: instant("oracle.actual-time"), ..Default::default() };
    let action = job.actions(options).next().expect("an action").expect("an action without an error");
    let expected = &case.expected["actions"][0];
    let mut expect = |what: &str, expected: &Value, actual: Value| {
        if *expected != actual {
            faults.push(format!("{what}: expected {expected}, found {actual}"));
        }
    };
    expect(
        "in",
        &expected["in"],
        action.inputs.iter().map(|e| (e.name.to_string(), event_json(e))).collect(),
    );
    expect("effective", &expected["effective"], job.effective_logic().expect("logic").into());
    let waiting = match job.waiting(&action) {
        Ok(waiting) => waiting,
        Err(finding) => {
            // The server fails for the whole action, or for the check and for every step.
            let failed = expected["error"].is_object()
                || !expected["validation_error"].is_null()
                    && expected["steps"].as_array().is_some_and(|s| s.iter().all(|s| s["error"].is_object()));
            if !failed {
                faults.push(format!("evaluated, found {}", finding.message));
            }
            return faults;
        }
    };
    expect("error", &expected["error"], Value::Null);
    expect("valid", &expected["valid"], waiting.validate().is_ok().into());
    steps(case, &job, &action, waiting, &mut faults);
    faults
}

fn steps(case: &Case, job: &CoordinatorJob, action: &Action, fresh: Waiting, faults: &mut Vec<String>) {
    let expected = case.expected["actions"][0]["steps"].as_array().expect("steps");
    let mut waiting = fresh;
    for (step, expected) in case.steps().zip(expected) {
        let mut words = step.split_whitespace();
        let waited = words.next().and_then(|word| word.parse().ok()).expect("minutes");
        let present: Present = words.collect();
        let mut actual = json!({});
        match waiting.look(job, &present, waited) {
            Err(_) => actual["error"] = true.into(),
            Ok(looked) => {
                actual["resolved_met"] = looked.resolved_met.into();
                if let Some(met) = looked.unresolved_met {
                    actual["unresolved_met"] = met.into();
                }
                actual["satisfied"] = looked.satisfied().into();
                let mut available: Vec<&String> =
                    waiting.availability().available().flat_map(|(_, list)| list).collect();
                available.sort();
                actual["available"] = available.into_iter().map(|uri| Value::from(uri.as_str())).collect();
                if looked.satisfied() {
                    match waiting.configuration(job) {
                        Ok(conf) => {
                            actual["conf"] =
                                conf.iter().map(|(n, v)| (n.to_string(), Value::from(&**v))).collect();
                        }
                        Err(_) => actual["error"] = true.into(),
                    }
                    waiting = job.waiting(action).expect("a fresh action");
                }
            }
        }
        if expected["error"].is_object() {
            if actual["error"].is_null() {
                faults.push(format!("step `{step}`: expected {}, found {actual}", expected["error"]));
            }
            continue;
        }
        for key in ["error", "resolved_met", "unresolved_met", "satisfied", "available", "conf"] {
            let (expected, actual) = (&expected[key], &actual[key]);
            if expected != actual {
                faults.push(format!("step `{step}` {key}: expected {expected}, found {actual}"));
            }
        }
    }
}

fn event_json(event: &Event) -> Value {
    let list =
        |texts: &[std::sync::Arc<str>]| texts.iter().map(|text| Value::from(&**text)).collect::<Value>();
    let mut value = json!({ "uris": list(&event.uris) });
    if let Some(unresolved) = &event.unresolved {
        value["unresolved"] = list(unresolved);
    }
    value
}

#[test]
fn input_logic_is_evaluated_as_recorded() {
    let cases = cases();
    let mut differences = support::differences("input-logic");
    let mut lines = Vec::new();
    for case in &cases {
        let faults = faults(case);
        match (faults.is_empty(), differences.remove(&case.name)) {
            (true, Some(_)) => lines.push(format!("{}: listed as different, but is not", case.name)),
            (true, None) | (false, Some(_)) => {}
            (false, None) => lines.push(format!("{}: {}", case.name, faults.join("\n    "))),
        }
    }
    lines.extend(
        differences.keys().map(|name| format!("{name}: listed as different, but there is no such case")),
    );
    assert!(lines.is_empty(), "{} of {} differ:\n{}", lines.len(), cases.len(), lines.join("\n"));
}
