//! The verdicts of the server on whole workflows: 84 written ones, and 2,000 random graphs.
//!
//! Accepted means no error of the stage `submit`; refused means that the server's code is among ours.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;

use crate::support::{ankus, reference, root};
use ankus::analysis::parameters::JobConf;
use ankus::analysis::subject;
use ankus::model::{self, App};
use ankus::plan::workflow::{Definition, submit};
use ankus::rules::{self, Sink};
use ankus::source::Sources;
use ankus::xml::{self, Limits};
use ankus::{report, schema};
use serde_json::Value;

/// The difference between our findings, as `check` prints them, and the server's answer, if there is one.
fn difference<'a>(findings: impl IntoIterator<Item = &'a Value>, expected: &Value) -> Option<String> {
    let refuses = |found: &&Value| found["severity"] == "error" && found["stage"] == "submit";
    let refusals: Vec<&Value> = findings.into_iter().filter(refuses).collect();
    let words =
        || refusals.iter().map(|found| format!("{} {}", found["rule"], found["oozie"])).collect::<Vec<_>>();
    match expected["code"].as_str() {
        None => (!refusals.is_empty()).then(|| format!("accepted, but {:?}", words())),
        Some(code) => {
            let codes = |found: &Value| found["oozie"].as_array().cloned().unwrap_or_default();
            let has = refusals.iter().any(|found| codes(found).iter().any(|ours| ours == code));
            (!has).then(|| format!("{code}, but {:?}", words()))
        }
    }
}

fn assert_none(differences: &[String], total: usize) {
    println!("{} of {total} as the server", total - differences.len());
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[test]
fn written_workflows_get_the_verdict_of_the_server() {
    let folder = root().join("fixtures/reference/workflow");
    let text = fs::read_to_string(folder.join("expected.json")).expect("the answers are there");
    let answers: BTreeMap<String, Value> = serde_json::from_str(&text).expect("the answers are JSON");
    let mut differences = Vec::new();
    for (name, expected) in &answers {
        let path = format!("fixtures/reference/workflow/{name}");
        let outcome = ankus(&["check", "--format", "json", &path]);
        let mut value: Value = serde_json::from_str(&outcome.out).expect("check prints JSON");
        let findings = value["findings"].as_array_mut().expect("findings");
        // The recorded submissions have an empty configuration; a check alone does not take it that nothing comes.
        let bytes = fs::read(folder.join(name)).expect("the workflow is there");
        findings.extend(submission(&String::from_utf8_lossy(&bytes)));
        differences.extend(difference(&*findings, expected).map(|found| format!("{name}: {found}")));
    }
    assert_eq!(answers.len(), 84);
    assert_none(&differences, answers.len());
}

/// What a submission with an empty configuration says about a text beyond schema and graph.
fn submission(text: &str) -> Vec<Value> {
    let mut sources = Sources::new();
    let file = sources.add("workflow.xml", text);
    let Some(root) = xml::read(file, text, &Limits::default()).0 else { return Vec::new() };
    let (Some(App::Workflow(model)), _) = model::lower(&root) else { return Vec::new() };
    let definition = Definition { root: &root, text, model: &model, default_file: &[] };
    let (_, findings) = submit(definition, JobConf::new());
    findings.iter().map(|found| report::json::finding(&sources, found)).collect()
}

/// What schema and rules say about a text, as `check` prints it.
fn findings(text: &str) -> Vec<Value> {
    let mut sources = Sources::new();
    let file = sources.add("workflow.xml", text);
    let (root, mut findings) = xml::read(file, text, &Limits::default());
    let mut sink = Sink::new();
    if let Some(root) = root {
        sink.extend(schema::check(&root, text, schema::Kind::Workflow));
        if let (Some(App::Workflow(workflow)), _) = model::lower(&root) {
            rules::workflow(rules::ALL, &subject::Workflow::new(&workflow), &mut sink);
        }
    }
    findings.extend(sink.into_findings());
    findings.iter().map(|found| report::json::finding(&sources, found)).collect()
}

/// The XML of a random graph, as the description of the cases gives it.
fn xml_of(case: &Value) -> String {
    let words = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let mut xml = format!(
        "<workflow-app name=\"w\" xmlns=\"uri:oozie:workflow:0.5\"><start to=\"{}\"/>",
        words(&case["start"])
    );
    for node in case["nodes"].as_array().into_iter().flatten() {
        let name = words(&node[0]);
        let targets: Vec<String> = node[2].as_array().into_iter().flatten().map(words).collect();
        match (node[1].as_str().unwrap_or_default(), &targets[..]) {
            ("action", [ok, error]) => write!(
                xml,
                "<action name=\"{name}\"><fs><name-node>hdfs://nn</name-node><mkdir path=\"/x\"/></fs><ok \
                 to=\"{ok}\"/><error to=\"{error}\"/></action>"
            ),
            ("decision", [cases @ .., default]) => {
                let case = |to: &String| format!("<case to=\"{to}\">${{true}}</case>");
                let cases: String = cases.iter().map(case).collect();
                write!(
                    xml,
                    "<decision name=\"{name}\"><switch>{cases}<default to=\"{default}\"/></switch></decision>"
                )
            }
            ("fork", paths) => {
                let paths: String = paths.iter().map(|to| format!("<path start=\"{to}\"/>")).collect();
                write!(xml, "<fork name=\"{name}\">{paths}</fork>")
            }
            ("join", [to]) => write!(xml, "<join name=\"{name}\" to=\"{to}\"/>"),
            ("kill", _) => write!(xml, "<kill name=\"{name}\"><message>m</message></kill>"),
            ("end", _) => write!(xml, "<end name=\"{name}\"/>"),
            other => panic!("no such node: {other:?}"),
        }
        .expect("text takes text");
    }
    xml + "</workflow-app>"
}

#[test]
#[cfg_attr(not(has_reference), ignore = "needs the reference material")]
fn random_graphs_get_the_verdict_of_the_server() {
    let file = reference("oracle/random/workflow.jsonl");
    let text = fs::read_to_string(file).expect("the cases can be read");
    let mut differences = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let case: Value = serde_json::from_str(line).expect("a case is JSON");
        let xml = xml_of(&case);
        let found = difference(&findings(&xml), &case);
        differences.extend(found.map(|found| format!("line {}: {found}\n{xml}", index + 1)));
    }
    assert_none(&differences, text.lines().count());
}
