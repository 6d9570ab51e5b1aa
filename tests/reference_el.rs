//! Expressions against the recorded answers of Oozie: values as text, errors by their Java class.

use crate::support;
use std::collections::BTreeMap;

use ankus::analysis::functions::{InPhase, World};
use ankus::el;
use ankus::model::functions::Phase;
use ankus::source::{Sources, Span, Text};
use ankus::time::{Instant, ProcessingZone};
use serde_json::{Value, json};

/// The value, or the class of the exception that the server's evaluator throws.
fn evaluate(expr: &str, world: &World, phase: Phase) -> Result<String, String> {
    evaluate_template(expr, world, phase).map_err(|error| error.thrown().to_owned())
}

/// The value, or the class of the exception at the bottom.
fn evaluate_coordinator(expr: &str, world: &World) -> Result<String, String> {
    evaluate_template(expr, world, Phase::CoordActionStart).map_err(|error| error.java.into_owned())
}

fn evaluate_template(expr: &str, world: &World, phase: Phase) -> Result<String, el::EvalError> {
    let span = Span::new(Sources::new().add("test", expr), 0..expr.len());
    let (template, _) = el::parse(&Text::verbatim(expr, span));
    let surroundings = InPhase::new(world, phase);
    el::evaluate(&template, &surroundings).map(|value| value.to_string())
}

fn world(context: &Value) -> World {
    let mut world: World = serde_json::from_value(context.clone()).expect("a context");
    world.now = Some(now());
    world
}

fn now() -> Instant {
    ProcessingZone::UTC.parse_datetime("2025-01-04T05:06Z").expect("a datetime").instant
}

fn fixture(name: &str) -> Value {
    let path = support::root().join("fixtures/reference/el").join(name);
    serde_json::from_str(&std::fs::read_to_string(path).expect("a fixture")).expect("JSON")
}

fn lines(path: &std::path::Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).expect("a file");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// The deliberate differences of one area.
fn differences(area: &str) -> BTreeMap<String, String> {
    let text = std::fs::read_to_string(support::root().join("fixtures/reference/differences.toml"))
        .expect("a table");
    let table: toml::Table = text.parse().expect("TOML");
    let rows = table["difference"].as_array().expect("rows");
    let text = |row: &toml::Value, key: &str| row[key].as_str().expect("text").to_owned();
    rows.iter()
        .filter(|row| text(row, "area") == area)
        .map(|row| (text(row, "case"), text(row, "reason")))
        .collect()
}

/// Compares all cases of an area; `evaluate` gives ours.
fn compare(area: &str, cases: &[Value], evaluate: impl Fn(&Value) -> Result<String, String>) {
    let mut listed = differences(area);
    let mut wrong = Vec::new();
    for case in cases {
        let expr = case["expr"].as_str().expect("an expression");
        let expected = match &case["value"] {
            Value::String(value) => Ok(value.clone()),
            _ => Err(case["error"].as_str().expect("an error").to_owned()),
        };
        let found = evaluate(case);
        match (found == expected, listed.remove(expr)) {
            (true, Some(_)) => wrong.push(format!("{expr}: listed as a difference, but does not differ")),
            (false, None) => wrong.push(format!("{expr}: expected {expected:?}, found {found:?}")),
            _ => {}
        }
    }
    wrong.extend(
        listed.into_keys().map(|case| format!("{case}: listed as a difference, but there is no such case")),
    );
    println!("{area}: {} cases, {} wrong", cases.len(), wrong.len());
    assert!(wrong.is_empty(), "{area}: {} of {} wrong\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

fn demo(vars: &Value) -> World {
    world(&json!({ "conf": vars, "job": {
        "id": "0000001-W", "name": "demo-wf", "user": "alice", "group": "staff",
        "appPath": "hdfs://nn/apps/demo", "run": 0,
    }}))
}

#[test]
fn recorded_expressions() {
    let cases = fixture("el.json");
    let cases = cases.as_array().expect("cases");
    assert_eq!(cases.len(), 275);
    compare("el", cases, |case| {
        evaluate(case["expr"].as_str().expect("text"), &demo(&case["vars"]), Phase::Workflow)
    });
}

/// Where the older engine differs, ours is the present one.
#[test]
fn differences_of_the_older_engine() {
    let cases = fixture("el-legacy-diff.json");
    let listed = differences("el");
    for case in cases.as_array().expect("cases") {
        let expr = case["expr"].as_str().expect("text");
        assert_ne!(case["current"], case["legacy"], "{expr}");
        if listed.contains_key(expr) {
            continue;
        }
        let found = evaluate(expr, &demo(&case["vars"]), Phase::Workflow);
        let expected = match case["current"]["value"].as_str() {
            Some(value) => Ok(value.to_owned()),
            None => Err(case["current"]["error"].as_str().expect("an error").to_owned()),
        };
        assert_eq!(found, expected, "{expr}");
    }
}

/// Up to Oozie 5.1 another engine evaluates: the values recorded of it, and else the same as of the present one.
#[test]
fn the_older_engine() {
    let (all, different) = (fixture("el.json"), fixture("el-legacy-diff.json"));
    let different = different.as_array().expect("cases");
    let mut found_differences = 0;
    for case in all.as_array().expect("cases") {
        let expr = case["expr"].as_str().expect("text");
        let listed = different.iter().find(|other| other["expr"] == case["expr"]);
        found_differences += usize::from(listed.is_some());
        let expected = listed.map_or(case, |other| &other["legacy"]);
        let span = Span::new(Sources::new().add("test", expr), 0..expr.len());
        let (template, _) = el::parse_for(&Text::verbatim(expr, span), el::Engine::Legacy);
        let world = demo(&case["vars"]);
        let surroundings = InPhase::new(&world, Phase::Workflow);
        let found = el::evaluate(&template, &surroundings).map(|value| value.to_string());
        assert_eq!(found.as_deref().ok(), expected["value"].as_str(), "{expr}: {found:?}");
    }
    assert!(found_differences >= 13, "{found_differences}");
}

#[test]
#[cfg_attr(not(has_reference), ignore = "needs the reference material")]
fn random_expressions() {
    let path = support::reference("oracle/random/el.jsonl");
    let cases = lines(&path);
    let world = demo(&cases[0]["vars"]);
    compare("random-el", &cases[1..], |case| {
        evaluate(case["expr"].as_str().expect("text"), &world, Phase::Workflow)
    });
}

#[test]
fn recorded_states_of_workflows() {
    let recorded = fixture("workflow-state.json");
    let worlds: BTreeMap<&String, World> = recorded["states"]
        .as_object()
        .expect("states")
        .iter()
        .map(|(name, state)| (name, world(&context(state))))
        .collect();
    let cases = recorded["cases"].as_array().expect("cases");
    assert_eq!(cases.len(), 160);
    compare("wf-el", cases, |case| {
        let state = case["state"].as_str().expect("a state").to_owned();
        let found = evaluate(case["expr"].as_str().expect("text"), &worlds[&state], Phase::Workflow);
        found.map(|value| value.replace("#Sat Jan 04 05:06:00 UTC 2025", "#<DATE>"))
    });
}

/// A recorded state in the form of a context.
fn context(state: &Value) -> Value {
    let camel = |name: &str| {
        let mut words = name.split('_');
        let first = words.next().unwrap_or("").to_owned();
        words.fold(first, |all, word| all + &word[..1].to_uppercase() + &word[1..])
    };
    let none = Vec::new();
    let actions = state["actions"].as_array().unwrap_or(&none).iter().map(|action| {
        let fields = action.as_object().expect("an action").iter();
        Value::Object(fields.map(|(name, value)| (camel(name), value.clone())).collect())
    });
    json!({
        "conf": state.get("conf").cloned().unwrap_or_else(|| json!({})),
        "files": state.get("files").cloned().unwrap_or_else(|| json!({})),
        "actions": actions.collect::<Vec<_>>(),
        "job": { "id": "0000001-W", "name": "demo-wf", "user": "alice", "group": state["group"],
                 "appPath": "hdfs://nn1:8020/apps/demo", "run": state.get("run").cloned().unwrap_or(json!(0)) },
    })
}

#[test]
fn recorded_times() {
    let cases = fixture("format-time.json");
    let cases = cases.as_array().expect("cases");
    assert_eq!(cases.len(), 352);
    let world = world(&json!({}));
    compare("format-time", cases, |case| evaluate_coordinator(case["expr"].as_str().expect("text"), &world));
}

#[test]
#[cfg_attr(not(has_reference), ignore = "needs the reference material")]
fn random_times() {
    let path = support::reference("oracle/random/format.jsonl");
    let world = world(&json!({}));
    compare("random-format", &lines(&path), |case| {
        evaluate_coordinator(case["expr"].as_str().expect("text"), &world)
    });
}

#[test]
fn the_command_answers() {
    let run = |arguments: &[&str], input: &str| {
        let outcome = support::ankus_with_input(arguments, input);
        (outcome.code, outcome.out)
    };
    let json = |arguments: &[&str]| run(&[&["eval", "--format", "json"], arguments].concat(), "");
    assert_eq!(
        json(&["${6 * a}", "-D", "a=2"]),
        (0, "{\"version\":1,\"value\":\"12\",\"type\":\"long\"}\n".to_owned())
    );
    assert_eq!(json(&["${null}"]), (0, "{\"version\":1,\"value\":\"\",\"type\":\"null\"}\n".to_owned()));
    let (code, out) = json(&["x${a b}"]);
    assert_eq!(
        (code, out.contains("\"rule\":\"el-syntax\"") && out.contains("\"offset\":5")),
        (1, true),
        "{out}"
    );
    assert_eq!(
        run(&["eval", "${timestamp()}", "--now", "2024-02-29T01:02Z"], ""),
        (0, "2024-02-29T01:02Z\n".into())
    );
    let create = ["eval", "${coord:latest(-1)}", "--phase", "coord-action-create"];
    assert_eq!(run(&create, ""), (0, "${coord:latest(-1)}\n".to_owned()));
    let requests = "{\"expr\":\"${1 + 1}\"}\nnonsense\n\n{\"expr\":\"${wf:id()}\",\"phase\":\"workflow\",\
                    \"context\":{\"job\":{\"id\":\"7-W\"}}}\n{\"expr\":\"x\",\"phase\":\"none\"}\n\
                    {\"expr\":\"${coord:nominalTime()}\",\"phase\":\"coord-action-start\",\
                    \"context\":{\"nominal\":\"2024-01-01T00:00Z\"}}";
    let (code, out) = run(&["eval", "--batch"], requests);
    let answers: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let values: Vec<_> = answers.iter().map(|answer| answer["value"].as_str()).collect();
    assert_eq!(values, [Some("2"), None, None, Some("7-W"), None, Some("2024-01-01T00:00Z")]);
    assert_eq!(code, 0);
}
