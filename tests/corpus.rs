//! Applications that other people wrote: our verdict on each definition is that of Oozie's own schemas.

mod support;

use std::collections::BTreeMap;

use serde_json::Value;
use support::{ankus, reference};

/// What our findings say of one file.
#[derive(Debug, Default)]
struct Said {
    not_well_formed: bool,
    schema: bool,
}

#[test]
fn verdicts_are_those_of_the_schemas() {
    let Some(corpus) = reference("corpus") else { return };
    let table = std::fs::read_to_string(corpus.join("XSD_RESULTS.tsv")).expect("the table is there");
    let rows: Vec<(&str, &str)> = table
        .lines()
        .skip(1)
        .filter_map(|line| {
            let mut columns = line.split('\t');
            Some((columns.next()?, columns.next()?))
        })
        .collect();
    let paths: Vec<String> = rows.iter().map(|(path, _)| corpus.join(path).display().to_string()).collect();
    let mut arguments = vec!["check", "--format", "json"];
    arguments.extend(paths.iter().map(String::as_str));
    let outcome = ankus(&arguments);
    assert_eq!(outcome.code, 1, "{}", outcome.err);
    let report: Value = serde_json::from_str(&outcome.out).expect("check prints JSON");
    let mut said: BTreeMap<&str, Said> = BTreeMap::new();
    for finding in report["findings"].as_array().expect("findings") {
        let file = said.entry(finding["file"].as_str().expect("a file")).or_default();
        let rule = finding["rule"].as_str().expect("a rule");
        let is_error = finding["severity"] == "error" && finding["stage"] == "submit";
        file.not_well_formed |= is_error && rule.starts_with("xml-");
        file.schema |= is_error && rule.starts_with("schema-");
    }
    let mut faults = Vec::new();
    for ((path, expected), file) in rows.iter().zip(&paths) {
        let found = said.get(file.as_str()).map_or("valid", |said| match said {
            Said { not_well_formed: true, .. } => "not-wellformed",
            Said { schema: true, .. } => "invalid",
            Said { .. } => "valid",
        });
        let expected = match *expected {
            "template-or-unknown-namespace" => "invalid",
            "no-schema" => "valid",
            other => other,
        };
        if found != expected {
            faults.push(format!("{path}: {expected} expected, {found} found"));
        }
    }
    assert!(faults.is_empty(), "{} of {}:\n{}", faults.len(), rows.len(), faults.join("\n"));
}
