//! The statements of the coordinator and bundle specifications, each shown by a case that carries its id.
//!
//! `fixtures/requirements/coordinator-bundle.jsonl` holds the cases: a command line and what it prints (of `next` the first
//! column). `coordinator-bundle-open.tsv` lists the statements that no case of their own shows yet, and what looks at their
//! kind until then; one that gets a case leaves that list. No statement is in neither.

use std::collections::BTreeSet;

use crate::support::{ankus, reference, root};
use serde_json::Value;

const FOLDER: &str = "fixtures/requirements";

fn fixture(name: &str) -> String {
    let path = root().join(FOLDER).join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn cases() -> Vec<Value> {
    let text = fixture("coordinator-bundle.jsonl");
    text.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect()
}

fn texts(value: &Value) -> Vec<&str> {
    value.as_array().expect("a list").iter().map(|text| text.as_str().expect("a text")).collect()
}

fn id(case: &Value) -> &str {
    case["id"].as_str().expect("an id")
}

/// The ids of the statements that have no case, each with what looks at its kind.
fn open() -> Vec<(String, String)> {
    let text = fixture("coordinator-bundle-open.tsv");
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let row = |line: &str| {
        let (id, why) = line.split_once('\t').unwrap_or_else(|| panic!("no reason: {line}"));
        assert!(!why.trim().is_empty(), "no reason: {id}");
        (id.to_owned(), why.to_owned())
    };
    lines.map(row).collect()
}

#[test]
fn statements_hold_as_their_cases_show() {
    let mut faults = Vec::new();
    for case in cases() {
        let run = texts(&case["run"]);
        let outcome = ankus(&run);
        let line = |line: &str| match run[0] {
            "next" => line.split("  ").next().unwrap_or_default().to_owned(),
            _ => line.to_owned(),
        };
        let found: Vec<String> = outcome.out.lines().map(line).collect();
        if outcome.code != 0 || found != texts(&case["out"]) {
            faults.push(format!("{}: {found:?}, code {}: {}", id(&case), outcome.code, outcome.err));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn no_statement_stands_twice() {
    let cases = cases();
    let open = open();
    let mut seen = BTreeSet::new();
    for name in cases.iter().map(id).chain(open.iter().map(|(id, _)| id.as_str())) {
        assert!(seen.insert(name), "{name} stands twice");
    }
}

#[test]
#[cfg_attr(not(has_reference), ignore = "needs the reference material")]
fn no_statement_is_missing() {
    let table =
        std::fs::read_to_string(reference("spec/coordinator-bundle-requirements.tsv")).expect("the table");
    let wanted: BTreeSet<String> =
        table.lines().skip(1).filter_map(|line| line.split('\t').next()).map(str::to_owned).collect();
    let known: BTreeSet<String> =
        cases().iter().map(|case| id(case).to_owned()).chain(open().into_iter().map(|(id, _)| id)).collect();
    let missing: Vec<_> = wanted.difference(&known).collect();
    let stray: Vec<_> = known.difference(&wanted).collect();
    assert!(missing.is_empty() && stray.is_empty(), "missing: {missing:?}, not in the table: {stray:?}");
}
