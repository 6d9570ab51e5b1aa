//! Applications that other people wrote: our verdict on each definition is that of Oozie's own schemas.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::support::{Outcome, ankus, names_in, reference};
use serde_json::Value;

/// What our findings say of one file.
#[derive(Debug, Default)]
struct Said {
    not_well_formed: bool,
    schema: bool,
    template: bool,
}

#[test]
#[cfg_attr(not(has_reference), ignore = "needs the reference material")]
fn verdicts_are_those_of_the_schemas() {
    let corpus = reference("corpus");
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
        file.template |= rule == "build-template";
    }
    let mut faults = Vec::new();
    for ((path, expected), file) in rows.iter().zip(&paths) {
        let found = said.get(file.as_str()).map_or("valid", |said| match said {
            Said { not_well_formed: true, .. } => "not-wellformed",
            Said { schema: true, .. } => "invalid",
            // What a template is rendered to is judged, not the template.
            Said { template: true, .. } if *expected == "template-or-unknown-namespace" => "invalid",
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

/// Every file below a folder that names an app, sorted.
fn properties_files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for name in names_in(&folder) {
            let path = folder.join(&name);
            if path.is_dir() {
                open.push(path);
            } else if name.ends_with(".properties") && ankus::host::discovery::names_app(&path) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Plans an app with these values for what it misses.
fn plan(path: &str, values: &BTreeSet<String>) -> Outcome {
    let mut arguments = vec!["plan".to_owned(), path.to_owned(), "--format".to_owned(), "json".to_owned()];
    arguments.extend(["--next".to_owned(), "3".to_owned()]);
    arguments.extend(values.iter().flat_map(|name| ["-D".to_owned(), format!("{name}=1")]));
    ankus(&arguments.iter().map(String::as_str).collect::<Vec<_>>())
}

/// What a plan, or the findings in its stead, say is missing. Each finding must have a place.
fn missing(outcome: &Outcome, path: &str) -> BTreeSet<String> {
    let value: Value =
        serde_json::from_str(&outcome.out).unwrap_or_else(|error| panic!("{path}: {error}\n{}", outcome.out));
    let mut names = BTreeSet::new();
    for name in value["missing"].as_array().into_iter().flatten() {
        names.insert(name.as_str().expect("a name").to_owned());
    }
    for finding in value["findings"].as_array().into_iter().flatten() {
        assert!(finding["start"]["line"].as_u64() >= Some(1), "{path}: {finding}");
        if finding["rule"] == "parameter-undefined" {
            let message = finding["message"].as_str().expect("a message");
            names.insert(message.split('`').nth(1).expect("a name in backticks").to_owned());
        }
    }
    names
}

#[test]
#[cfg_attr(not(has_reference), ignore = "needs the reference material")]
fn every_properties_file_gives_a_plan_or_says_what_is_missing() {
    let corpus = reference("corpus");
    let files = properties_files(&corpus);
    assert!(files.len() > 50, "{} files", files.len());
    let (mut planned, mut faults) = (0, Vec::new());
    for file in &files {
        let path = file.display().to_string();
        let outcome = plan(&path, &BTreeSet::new());
        if outcome.code == 2 {
            faults.push(format!("{path}: {}", outcome.err.trim()));
            continue;
        }
        let names = missing(&outcome, &path);
        if names.is_empty() {
            planned += usize::from(outcome.code == 0);
            continue;
        }
        // All of them were named at once: with values for them nothing is missing any more.
        let again = plan(&path, &names);
        let left = missing(&again, &path);
        if !left.is_empty() {
            faults.push(format!("{path}: named {names:?}, then {left:?}"));
        }
    }
    assert!(
        faults.is_empty(),
        "{} of {} ({planned} planned at once):\n{}",
        faults.len(),
        files.len(),
        faults.join("\n")
    );
}
