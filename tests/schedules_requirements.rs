//! Every statement of the specification of program-status schedules has a test that names its id, or a reason why not.
//!
//! A test names ids in the comment above it: `/// PSS-REST2, PSS-REST8: …`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use crate::support::{expect_file, names_in, reference, root};

/// A row of the table of requirements.
struct Row {
    id: String,
    requirement: String,
    level: String,
}

fn rows() -> Vec<Row> {
    let text = std::fs::read_to_string(reference("spec/schedules-requirements.tsv")).expect("the table");
    let row = |line: &str| {
        let cells: Vec<_> = line.split('\t').map(str::to_owned).collect();
        let [id, _, requirement, _, _, level] = cells.try_into().expect("six cells");
        Row { id, requirement, level }
    };
    text.lines().skip(1).map(row).collect()
}

/// Ids with the names of the tests that name them.
fn tests() -> BTreeMap<String, BTreeSet<String>> {
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut open: Vec<PathBuf> = vec![root().join("tests"), root().join("src")];
    while let Some(folder) = open.pop() {
        for name in names_in(&folder) {
            let path = folder.join(&name);
            if path.is_dir() {
                open.push(path);
            } else if name.ends_with(".rs") {
                let text = std::fs::read_to_string(&path).expect("a source");
                let module = name.trim_end_matches(".rs").to_owned();
                named_in(&text, &module, &mut found);
            }
        }
    }
    found
}

fn named_in(text: &str, module: &str, found: &mut BTreeMap<String, BTreeSet<String>>) {
    let (mut ids, mut is_test) = (Vec::new(), false);
    for line in text.lines().map(str::trim) {
        if let Some(comment) = line.strip_prefix("///") {
            let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.');
            let words = comment.split(|c: char| !is_part(c)).map(|word| word.trim_end_matches('.'));
            ids.extend(words.filter(|word| word.starts_with("PSS-")).map(str::to_owned));
        } else if line == "#[test]" {
            is_test = true;
        } else if let Some(name) = line.strip_prefix("fn ").and_then(|rest| rest.split('(').next()) {
            for id in ids.drain(..).filter(|_| is_test) {
                found.entry(id).or_default().insert(format!("{module}::{name}"));
            }
            is_test = false;
        } else if !line.starts_with("#[") {
            ids.clear();
        }
    }
}

/// Ids without a test, each with its reason.
fn exceptions() -> BTreeMap<String, String> {
    let text = std::fs::read_to_string(root().join("fixtures/schedules/exceptions.tsv")).expect("the list");
    let line = |line: &str| line.split_once('\t').map(|(id, reason)| (id.to_owned(), reason.to_owned()));
    text.lines().map(|text| line(text).unwrap_or_else(|| panic!("no reason: {text}"))).collect()
}

#[test]
#[cfg_attr(not(has_reference), ignore = "needs the reference material")]
fn every_statement_has_a_test_or_a_reason() {
    let (rows, tests, exceptions) = (rows(), tests(), exceptions());
    let known: BTreeSet<&str> = rows.iter().map(|row| row.id.as_str()).collect();
    let mut faults = Vec::new();
    for row in &rows {
        let is_due = row.level.starts_with("must") || row.level.starts_with("should");
        match (tests.contains_key(&row.id), exceptions.contains_key(&row.id)) {
            (false, false) if is_due => faults.push(format!("{} has neither a test nor a reason", row.id)),
            (true, true) => faults.push(format!("{} has a test, so it is no exception", row.id)),
            _ => {}
        }
    }
    let named = tests.keys().chain(exceptions.keys()).filter(|id| !known.contains(id.as_str()));
    faults.extend(named.map(|id| format!("{id} is not in the table")));
    faults.extend(
        exceptions.iter().filter(|(_, why)| why.trim().is_empty()).map(|(id, _)| format!("{id}: why?")),
    );
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// The page shows every statement with its tests.
#[test]
#[cfg_attr(not(has_reference), ignore = "needs the reference material")]
fn the_page_shows_every_statement() {
    const MARK: &str = "<!-- The rest is written by `UPDATE=1 cargo test schedules_requirements`. -->\n";
    let path = root().join("docs/schedules.md");
    let page = std::fs::read_to_string(&path).expect("the page");
    let (begin, _) = page.split_once(MARK).expect("the mark");
    let (tests, exceptions) = (tests(), exceptions());
    let mut table = "\n| id | statement | shown by |\n|---|---|---|\n".to_owned();
    let plain = |text: &str| text.replace('|', "\\|");
    for row in rows() {
        let shown = match (tests.get(&row.id), exceptions.get(&row.id)) {
            (Some(names), _) => names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", "),
            (None, Some(reason)) => reason.clone(),
            (None, None) => row.level.clone(),
        };
        table.push_str(&format!("| {} | {} | {} |\n", row.id, plain(&row.requirement), plain(&shown)));
    }
    if let Err(difference) = expect_file(&path, &format!("{begin}{MARK}{table}")) {
        panic!("{}", difference.lines().next().unwrap_or_default());
    }
}
