//! The statements of the Hadoop Workflow System's specification: each that must or should hold has a test that names its
//! id, or a reason why it has none. `docs/hws.md` shows both.

use std::collections::{BTreeMap, BTreeSet};

use crate::support::{expect_file, names_in, root};

/// A row of the table.
struct Row {
    id: String,
    requirement: String,
    status: String,
}

fn rows() -> Vec<Row> {
    let table =
        std::fs::read_to_string(root().join("fixtures/hws-requirements.tsv")).expect("the table is there");
    let row = |line: &str| {
        let cells: Vec<&str> = line.split('\t').collect();
        assert_eq!(cells.len(), 6, "{line}");
        Row { id: cells[0].to_owned(), requirement: cells[2].to_owned(), status: cells[5].to_owned() }
    };
    table.lines().skip(1).map(row).collect()
}

/// Why rows have no test: an id, or the beginning of several with a star, and the reason.
fn exceptions() -> Vec<(String, String)> {
    let list =
        std::fs::read_to_string(root().join("fixtures/hws-exceptions.tsv")).expect("the list is there");
    let pair = |line: &str| {
        let (ids, reason) = line.split_once('\t').unwrap_or_else(|| panic!("{line}: no reason"));
        assert!(!reason.trim().is_empty(), "{line}: no reason");
        (ids.to_owned(), reason.to_owned())
    };
    list.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).map(pair).collect()
}

fn covers(pattern: &str, id: &str) -> bool {
    match pattern.strip_suffix('*') {
        Some(start) => id.starts_with(start),
        None => pattern == id,
    }
}

/// The ids in a text.
fn ids_in(text: &str) -> BTreeSet<String> {
    let ids = text.match_indices("HWS-").map(|(at, _)| {
        let rest = &text[at..];
        let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.');
        rest[..rest.find(|c: char| !is_part(c)).unwrap_or(rest.len())].trim_end_matches(['.', '-']).to_owned()
    });
    ids.collect()
}

/// The tests that name an id: file and function.
fn tests() -> BTreeMap<String, BTreeSet<String>> {
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let names = names_in(&root().join("tests"));
    for name in names.iter().filter(|name| name.starts_with("hws_") && *name != "hws_requirements.rs") {
        let text = std::fs::read_to_string(root().join("tests").join(name)).expect("a test");
        // The comment above a test is the test's own, not of the one before.
        let mut above = String::new();
        for part in text.split("#[test]") {
            let own: Vec<&str> = part.trim_end().lines().collect();
            let comment = own.iter().rev().take_while(|line| line.starts_with("///")).count();
            let (body, next) = own.split_at(own.len() - comment);
            let function = body.iter().find_map(|line| line.strip_prefix("fn ")?.split('(').next());
            let named = std::mem::replace(&mut above, next.join("\n"));
            if let Some(function) = function.filter(|_| part.trim_start().starts_with("fn ")) {
                for id in ids_in(&format!("{named}\n{}", body.join("\n"))) {
                    found
                        .entry(id)
                        .or_default()
                        .insert(format!("{}::{function}", name.trim_end_matches(".rs")));
                }
            }
        }
    }
    found
}

#[test]
fn every_statement_has_a_test_or_a_reason() {
    let (rows, tests, exceptions) = (rows(), tests(), exceptions());
    let ids: BTreeSet<&str> = rows.iter().map(|row| row.id.as_str()).collect();
    assert_eq!(ids.len(), rows.len(), "ids are unique");
    for id in tests.keys() {
        assert!(ids.contains(id.as_str()), "a test names {id}, which is not in the table");
    }
    let mut lacking = Vec::new();
    for row in &rows {
        let reason = exceptions.iter().find(|(pattern, _)| covers(pattern, &row.id));
        let is_wanted = row.status.starts_with("must") || row.status.starts_with("should");
        match (tests.contains_key(&row.id), reason) {
            (true, Some((pattern, _))) if pattern == &row.id => {
                panic!("{} has a test, so it needs no reason", row.id)
            }
            (false, None) if is_wanted => lacking.push(row.id.as_str()),
            _ => {}
        }
    }
    assert!(lacking.is_empty(), "neither a test nor a reason: {}", lacking.join(" "));
    for (pattern, _) in &exceptions {
        let is_open = |row: &&Row| covers(pattern, &row.id) && !tests.contains_key(&row.id);
        assert!(rows.iter().any(|row| is_open(&row)), "no open row is `{pattern}`");
    }
}

/// `docs/hws.md` says which statement is held by which test.
#[test]
fn the_page_is_fresh() {
    let (tests, exceptions) = (tests(), exceptions());
    let rows = rows();
    let held = rows.iter().filter(|row| tests.contains_key(&row.id)).count();
    let wanted =
        rows.iter().filter(|row| row.status.starts_with("must") || row.status.starts_with("should")).count();
    let mut page = format!(
        "# The Hadoop Workflow System, statement by statement\n\nWritten by `UPDATE=1 cargo test hws_requirements`.\n\n\
         The specification of 22 February 2009 (`hadoop-workflow`, hPDL) as {} statements. {wanted} of them must or should \
         hold; {held} are held by a test that names them.\n\n| id | statement | status | held by |\n|---|---|---|---|\n",
        rows.len()
    );
    for row in &rows {
        let by = match tests.get(&row.id) {
            Some(tests) => tests.iter().map(|test| format!("`{test}`")).collect::<Vec<_>>().join(", "),
            None => {
                let reason = exceptions.iter().find(|(pattern, _)| covers(pattern, &row.id));
                reason.map_or_else(|| "–".to_owned(), |(_, reason)| reason.clone())
            }
        };
        let cell = |text: &str| text.replace('|', "\\|");
        page.push_str(&format!(
            "| {} | {} | {} | {} |\n",
            row.id,
            cell(&row.requirement),
            cell(&row.status),
            cell(&by)
        ));
    }
    if let Err(difference) = expect_file(&root().join("docs/hws.md"), &page) {
        panic!("{}", difference.lines().next().unwrap_or_default());
    }
}
