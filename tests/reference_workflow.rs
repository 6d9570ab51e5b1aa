//! The verdicts of the server on whole workflows: 84 written ones, and 2,000 random graphs.
//!
//! Accepted means no error of the stage `submit`; refused means that the server's code is among ours.

mod support;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;

use ankus::analysis::subject;
use ankus::diag::{Diagnostic, Severity, Stage};
use ankus::model::{self, App};
use ankus::rules::{self, Sink};
use ankus::source::Sources;
use ankus::xml::{self, Limits};
use serde_json::Value;
use support::{reference, root};

/// Codes of findings that the graph has no part in.
const OTHERS: &[&str] = &["E0701", "E0703", "E0738"];

/// What the rules say about a workflow.
fn findings(text: &str) -> Vec<Diagnostic> {
    let file = Sources::new().add("workflow.xml", text);
    let (root, mut findings) = xml::read(file, text, &Limits::default());
    if let Some(App::Workflow(workflow)) = root.and_then(|root| model::lower(&root).0) {
        let mut sink = Sink::new();
        rules::workflow(&subject::Workflow::new(&workflow), &mut sink);
        findings.extend(sink.into_findings());
    }
    findings
}

/// The difference between our findings and the server's answer, if there is one.
fn difference(text: &str, expected: &Value) -> Option<String> {
    let findings = findings(text);
    let refusals: Vec<_> = findings
        .iter()
        .filter(|found| found.severity == Severity::Error && found.stage == Some(Stage::Submit))
        .map(|found| (found.rule.name, &found.oozie))
        .collect();
    match expected["code"].as_str() {
        None => (!refusals.is_empty()).then(|| format!("accepted, but {refusals:?}")),
        Some(code) if OTHERS.contains(&code) => None,
        Some(code) => {
            let has = refusals.iter().any(|(_, codes)| codes.contains(&code));
            (!has).then(|| format!("{code}, but {refusals:?}"))
        }
    }
}

fn report(differences: &[String], total: usize) {
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
        let bytes = fs::read(folder.join(name)).expect("the workflow is there");
        let found = difference(&String::from_utf8_lossy(&bytes), expected);
        differences.extend(found.map(|found| format!("{name}: {found}")));
    }
    assert_eq!(answers.len(), 84);
    report(&differences, answers.len());
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
fn random_graphs_get_the_verdict_of_the_server() {
    let Some(file) = reference("oracle/random/workflow.jsonl") else { return };
    let text = fs::read_to_string(file).expect("the cases can be read");
    let mut differences = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let case: Value = serde_json::from_str(line).expect("a case is JSON");
        let xml = xml_of(&case);
        let found = difference(&xml, &case);
        differences.extend(found.map(|found| format!("line {}: {found}\n{xml}", index + 1)));
    }
    report(&differences, text.lines().count());
}
