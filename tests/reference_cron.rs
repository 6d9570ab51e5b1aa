//! Cron expressions against the recorded answers of Oozie and Quartz.

use crate::support;
use ankus::time::cron::{Cron, SearchError};
use ankus::time::{Instant, ProcessingZone};
use serde_json::Value;

const UTC: ProcessingZone = ProcessingZone::UTC;

/// What our reader makes of a case, in the words of the recorded answers.
fn answer(cron: &str, from: Instant, count: usize) -> (Vec<String>, Option<&'static str>) {
    let parsed = match Cron::parse(cron) {
        Ok(parsed) => parsed,
        Err(_) => return (Vec::new(), Some("IllegalArgumentException")),
    };
    let mut fires = Vec::new();
    for next in parsed.times_from(from, UTC).take(count) {
        match next {
            Ok(at) => fires.push(UTC.format(at)),
            Err(SearchError::Exhausted) => return (fires, Some("exhausted")),
            Err(SearchError::Hang) => return (fires, Some("hang")),
            Err(SearchError::Crash { exception }) => return (fires, Some(exception)),
        }
    }
    (fires, None)
}

/// Compares one case; `count` is how many times were recorded at most.
fn check(case: &Value, count: usize) -> Result<(), String> {
    let cron = case["cron"].as_str().expect("an expression");
    let from = UTC.parse_datetime(case["from"].as_str().expect("a start")).expect("a datetime").instant;
    let flag = |name: &str| case[name].as_bool().unwrap_or(false);
    let expected_end = match case["error"].as_str() {
        Some(error) => Some(error.split(':').next().expect("a class")),
        None if flag("hang") => Some("hang"),
        None if flag("exhausted") => Some("exhausted"),
        None => None,
    };
    let expected: Vec<&str> = case["fires"]
        .as_array()
        .map(|fires| fires.iter().filter_map(Value::as_str).collect())
        .unwrap_or_default();
    let (fires, end) = answer(cron, from, count);
    if fires == expected && end == expected_end {
        return Ok(());
    }
    Err(format!("{cron}: expected {expected:?} {expected_end:?}, found {fires:?} {end:?}"))
}

#[test]
fn recorded_expressions_fire_when_they_did() {
    let text = std::fs::read_to_string(support::root().join("fixtures/reference/time/cron.json")).unwrap();
    let cases: Vec<Value> = serde_json::from_str(&text).unwrap();
    let wrong: Vec<String> = cases.iter().filter_map(|case| check(case, 10).err()).collect();
    println!("{} of {}", cases.len() - wrong.len(), cases.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
#[cfg_attr(not(has_reference), ignore = "needs the reference material")]
fn random_expressions_fire_when_they_did() {
    let file = support::reference("oracle/random/cron.jsonl");
    let text = std::fs::read_to_string(file).unwrap();
    let cases: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let wrong: Vec<String> = cases.iter().filter_map(|case| check(case, 6).err()).collect();
    println!("{} of {}", cases.len() - wrong.len(), cases.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Expressions that nobody should write: each kind of item with something too much or too little, in each field.
#[test]
fn odd_expressions_fire_as_in_quartz() {
    let text =
        std::fs::read_to_string(support::root().join("fixtures/reference/time/cron_odd.jsonl")).unwrap();
    let cases: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let wrong: Vec<String> = cases.iter().filter_map(|case| check(case, 6).err()).collect();
    println!("{} of {}", cases.len() - wrong.len(), cases.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
